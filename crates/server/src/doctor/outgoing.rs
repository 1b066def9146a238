//! The ways out: names, trust, mail.

use pharos_artefacts::store::Artefacts;
use pharos_egress::{resolver::NameResolver, trust::TrustAnchors};

use super::Finding;
use crate::{
    config::Config,
    groups::{bucket, mailer},
    sentence::sentence,
    traces,
};

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
        Err(error) => return Some(Finding::wrong(WHAT, &sentence(&error))),
    };
    let looked = match Artefacts::in_bucket(&bucket) {
        Ok(artefacts) => artefacts.look().await,
        Err(error) => Err(error),
    };
    Some(match looked {
        Ok(()) => Finding::well(WHAT, format!("the bucket {} answers", bucket.name)),
        Err(error) => Finding::wrong(
            WHAT,
            &format!(
                "the bucket {}: {error}; check PHAROS_ARTEFACTS_ENDPOINT, PHAROS_ARTEFACTS_REGION, PHAROS_ARTEFACTS_ROOTS, \
                 PHAROS_ARTEFACTS_ACCESS_KEY_ID and PHAROS_ARTEFACTS_SECRET_ACCESS_KEY",
                bucket.name
            ),
        ),
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
            &format!(
                "{}; check PHAROS_TRACES_URL and PHAROS_TRACES_ROOTS",
                sentence(&error)
            ),
        ),
    }
}

/// Signs in at the mail server as `serve` would, and sends nothing.
pub(super) async fn mail(config: &Config) -> Finding {
    const WHAT: &str = "mail";
    let mailer = match mailer(config) {
        Ok(Some(mailer)) => mailer,
        Ok(None) => return Finding::well(WHAT, "none is sent, since smtp_url is not set"),
        Err(error) => return Finding::wrong(WHAT, &sentence(&error)),
    };
    match mailer.try_server().await {
        Ok(()) => Finding::well(WHAT, "the mail server takes mails"),
        Err(error) => Finding::wrong(
            WHAT,
            &format!("{error}; check PHAROS_SMTP_URL and PHAROS_SMTP_ROOTS"),
        ),
    }
}
