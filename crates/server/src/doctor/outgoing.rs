//! The ways out: names, trust, mail.

use std::path::Path;

use pharos_artefacts::store::Artefacts;
use pharos_egress::{address_policy::AddressPolicy, resolver::NameResolver, trust::TrustAnchors};
use pharos_reporting::render::pdf::Script;
use pharos_synthetic::lab::Versions;

use super::Finding;
use crate::{
    config::Config,
    groups::{bucket, lab, mailer, reporting::printer},
    role::Role,
    traces,
};

/// Said of a browser that is not the headless shell.
const MORE_MEMORY: &str =
    ", which takes some 460 MB for each; chromium-headless-shell prints the same in less than 300 MB";

pub(super) fn names() -> Finding {
    match NameResolver::system() {
        Ok(_) => Finding::well("name servers", "the system's"),
        Err(error) => Finding::wrong("name servers", &format!("{error}; checks can't look names up")),
    }
}

pub(super) fn roots(config: &Config) -> Finding {
    const WHAT: &str = "trusted authorities";
    let Some(file) = &config.probe_roots else {
        return Finding::well(WHAT, "the web's");
    };
    match std::fs::read(file).map(|pem| TrustAnchors::web().with_extra(&pem)) {
        Ok(Ok(_)) => Finding::well(WHAT, format!("the web's, and those of {}", file.display())),
        Ok(Err(error)) => Finding::wrong(WHAT, &format!("{}: {error}", file.display())),
        Err(error) => Finding::wrong(WHAT, &format!("{}: {error}", file.display())),
    }
}

/// A bucket is asked for a list; of a folder it is told how much room it has.
pub(super) async fn artefacts(config: &Config) -> Option<Finding> {
    const WHAT: &str = "artefacts";
    let bucket = match bucket(config) {
        Ok(bucket) => bucket?,
        Err(error) => return Some(Finding::wrong(WHAT, &format!("{error:#}"))),
    };
    let looked = match Artefacts::in_bucket(&bucket) {
        Ok(artefacts) => artefacts.look().await,
        Err(error) => Err(error),
    };
    Some(match looked {
        Ok(()) => Finding::well(WHAT, format!("the bucket {} answers", bucket.name)),
        Err(error) => Finding::wrong(WHAT, &format!("the bucket {}: {error}", bucket.name)),
    })
}

/// The collector is asked to take no spans at all.
pub(super) async fn collector(config: &Config) -> Finding {
    const WHAT: &str = "traces";
    match traces::look(config).await {
        Ok(None) => Finding::well(WHAT, "nothing is traced, since traces_url is not set"),
        Ok(Some(200..300)) => Finding::well(WHAT, "the collector takes spans"),
        Ok(Some(status)) => Finding::wrong(
            WHAT,
            &format!("the collector answers {status}; check PHAROS_TRACES_URL and PHAROS_TRACES_HEADER"),
        ),
        Err(error) => Finding::wrong(
            WHAT,
            &format!("{error:#}; check PHAROS_TRACES_URL and PHAROS_TRACES_ROOTS"),
        ),
    }
}

/// PDF needs a browser; the other formats need none. It is asked for a page of letters that fonts often lack.
pub(super) async fn printing(config: &Config) -> Finding {
    const WHAT: &str = "reports as PDF";
    let printer = printer(config);
    match printer.browser() {
        Some(browser) if browser.is_file() => {
            let mut detail = format!("printed by {}", browser.display());
            if !is_shell(browser) {
                detail.push_str(MORE_MEMORY);
            }
            match printer.lacks().await {
                Ok(lacking) => Finding::well(WHAT, detail + &lacks(&lacking)),
                Err(error) => Finding::wrong(WHAT, &format!("{} prints nothing: {error}", browser.display())),
            }
        }
        Some(browser) => Finding::wrong(
            WHAT,
            &format!(
                "there is no {}, so this node prints none; check PHAROS_CHROMIUM",
                browser.display()
            ),
        ),
        None => Finding::well(
            WHAT,
            "this node prints none, since it has no Chromium: they wait an hour for a worker that has it, and fail then; \
             the other formats need none",
        ),
    }
}

/// Whether the browser is Chromium's headless shell, by its name.
fn is_shell(browser: &Path) -> bool {
    let name = browser.file_name().unwrap_or_default().to_string_lossy();
    name.contains("headless")
}

/// Says which fonts to install.
fn lacks(scripts: &[Script]) -> String {
    if scripts.is_empty() {
        return String::new();
    }
    let join = |of: fn(&Script) -> &'static str| scripts.iter().map(of).collect::<Vec<_>>().join(", ");
    format!(
        "; this node has no font for {}: such letters are empty boxes, and a PDF with any does not say that it conforms to PDF/UA; \
         install {}, or others that have them",
        join(|script| script.name),
        join(|script| script.package)
    )
}

/// The programs of the lab, which are asked for their versions, and how fast a browser is here.
pub(super) async fn lab_tests(config: &Config) -> Finding {
    const WHAT: &str = "lab tests";
    if !config.roles.contains(&Role::Lab) {
        return Finding::well(WHAT, "this node runs none, since it has not the role lab");
    }
    let by_google = config.pagespeed_api_key.is_some();
    let lab = match lab(config, AddressPolicy::public()) {
        Ok(Some(Ok(lab))) => lab,
        Ok(None) if by_google => {
            return Finding::well(WHAT, "by PageSpeed Insights, since lab_folder is not set");
        }
        Ok(None) => {
            return Finding::well(
                WHAT,
                "this node runs none, since neither lab_folder nor pagespeed_api_key is set: for some, install Chromium, run `npm ci` in \
                 crates/synthetic/core/lab, and set lab_folder to it",
            );
        }
        Ok(Some(Err(reason))) => return Finding::wrong(WHAT, &reason),
        Err(error) => return Finding::wrong(WHAT, &format!("{error:#}")),
    };
    let Versions {
        lighthouse,
        chromium,
        node,
    } = lab.versions();
    let versions = format!("Lighthouse {lighthouse}, Chromium {chromium}, Node.js {node}");
    match lab.benchmark_index().await {
        Ok(index) => Finding::well(WHAT, format!("{versions}; the benchmark index is {index:.0}")),
        Err(error) => Finding::wrong(WHAT, &format!("{versions}; the browser does not work: {error}")),
    }
}

/// Signs in at the mail server as `serve` would, and sends nothing.
pub(super) async fn mail(config: &Config) -> Finding {
    const WHAT: &str = "mail";
    let mailer = match mailer(config) {
        Ok(Some(mailer)) => mailer,
        Ok(None) => return Finding::well(WHAT, "none is sent, since smtp_url is not set"),
        Err(error) => return Finding::wrong(WHAT, &format!("{error:#}")),
    };
    match mailer.try_server().await {
        Ok(()) => Finding::well(WHAT, "the mail server takes mails"),
        Err(error) => Finding::wrong(
            WHAT,
            &format!("{error}; check PHAROS_SMTP_URL and PHAROS_SMTP_ROOTS"),
        ),
    }
}

#[cfg(test)]
mod tests {
    use pharos_reporting::render::pdf::SCRIPTS;

    use super::*;

    #[test]
    fn it_is_said_which_fonts_are_missing() {
        assert_eq!(lacks(&[]), "");
        let told = lacks(&SCRIPTS[..2]);
        for part in [
            "no font for Japanese, emoji:",
            "install fonts-noto-cjk, fonts-noto-color-emoji,",
        ] {
            assert!(told.contains(part), "{told}");
        }
    }

    #[test]
    fn the_browser_that_takes_more_memory_is_told_from_its_shell() {
        let found = [
            "/usr/bin/chromium",
            "/usr/lib/chromium/chromium-headless-shell",
            "/opt/headless_shell",
        ];
        assert_eq!(
            found.map(|browser| is_shell(Path::new(browser))),
            [false, true, true]
        );
    }
}
