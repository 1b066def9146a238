//! The background work of reporting: schedules, the making of reports, and results that are no longer kept. And what a machine
//! lacks to print them, and the demo's template.

use std::{path::Path, sync::Arc, time::Duration};

use futures_util::FutureExt;
use pharos_artefacts::store::Artefacts;
use pharos_domain::clock::{Clock, SystemClock};
use pharos_reporting::{
    format::ReportFormat,
    generate::{READ_SECTION_WITHIN, READ_WITHIN, ReportMaker},
    logo::LogoClient,
    mails::{questions::QuestionMailer, reports::ReportMailer},
    metrics,
    render::pdf::{Printer, Script},
    results::Results,
    scheduler::ReportScheduler,
    upkeep::ResultUpkeep,
};
use pharos_supervisor::Task;

use super::{
    outgoing::{mailer, resolver, trust},
    report_catalogue, reporters,
    work::{BackgroundTask, Work, WorkContext},
};
use crate::{
    config::Config,
    demo::{Demo, report},
    finding::Finding,
    role::Role,
};

const SCHEDULES: Task = Task::aside("report schedules");
const RESULTS: Task = Task::aside("results of reports");
/// Said of a browser that is not the headless shell.
const MORE_MEMORY: &str =
    ", which takes some 460 MB for each; chromium-headless-shell prints the same in less than 300 MB";
/// How long a module may take for a widget of a report about all modules: two such widgets that wait for it, one after the other,
/// take less than their section may.
const MODULE_WITHIN: Duration = Duration::from_secs(8);
/// How many reports a node prints at once: each is a browser.
const PRINTED_AT_ONCE: usize = 2;

/// The work of a node for reports, as its roles say.
///
/// # Errors
/// Logos need what can't be had: name servers, certificate authorities; or a port is missing.
pub(super) fn work(context: &WorkContext<'_>) -> anyhow::Result<Work> {
    let WorkContext {
        config,
        ports,
        policy,
        clock,
        ..
    } = *context;
    let mut work = Work::default();
    if config.roles.contains(&Role::Scheduler) {
        let scheduler = ReportScheduler {
            store: ports.get()?,
            clock: Arc::clone(clock),
        };
        work.tasks.push(BackgroundTask {
            task: SCHEDULES,
            run: Box::new(move |stop, abandon| scheduler.clone().run(stop, abandon).boxed()),
        });
    }
    let results = Results::new(Artefacts::clone(&*ports.get::<Artefacts>()?));
    if config.roles.contains(&Role::Worker) {
        let upkeep = ResultUpkeep {
            store: ports.get()?,
            results: results.clone(),
            clock: Arc::clone(clock),
        };
        work.tasks.push(BackgroundTask {
            task: RESULTS,
            run: Box::new(move |stop, _| upkeep.clone().run(stop).boxed()),
        });
    }
    let ports = ports.clone().with(Arc::clone(clock));
    let reporters = reporters(&ports)?.within(MODULE_WITHIN);
    let ports = ports.with(Arc::new(reporters));
    work.handlers.push(Arc::new(ReportMaker {
        store: ports.get()?,
        runs: ports.get()?,
        catalogue: Arc::new(report_catalogue(&ports)?.within(READ_SECTION_WITHIN)),
        results: results.clone(),
        logos: Arc::new(LogoClient::new(resolver()?, policy.clone(), &trust(config)?)?),
        read_within: READ_WITHIN,
        printer: printer(config),
        clock: Arc::clone(clock),
    }));
    let mailer = mailer(config)?.map(Arc::new);
    let base_url = config.addresses().base_url;
    metrics::mails();
    work.handlers.push(Arc::new(QuestionMailer {
        store: ports.get()?,
        mailer: mailer.clone(),
        base_url: base_url.clone(),
    }));
    work.handlers.push(Arc::new(ReportMailer {
        store: ports.get()?,
        results,
        links: ports.get()?,
        mailer,
        clock: Arc::clone(clock),
        base_url,
    }));
    Ok(work)
}

/// Prints PDF by the browser that is configured or found.
fn printer(config: &Config) -> Printer {
    Printer::new(config.printing_browser(), PRINTED_AT_ONCE)
}

/// A template with every section for the shops of the demo. Without Chromium its report is a page for browsers.
///
/// # Errors
/// A port is missing, or the store failed.
pub(super) async fn prepare_demo(demo: &Demo<'_>) -> anyhow::Result<()> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let ports = demo.ports.clone().with(clock);
    let ports = ports.clone().with(Arc::new(reporters(&ports)?));
    let format = match printer(demo.config).browser() {
        Some(_) => ReportFormat::Pdf,
        None => ReportFormat::Html,
    };
    report::prepare(demo, report_catalogue(&ports)?.ready_made(), format).await
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

#[cfg(test)]
mod tests {
    use pharos_account::reporters::REPORT_WITHIN;
    use pharos_reporting::{data::SECTION_WITHIN, render::pdf::SCRIPTS};

    use super::*;

    #[test]
    fn two_widgets_about_all_modules_are_there_though_a_module_hangs() {
        for (module, section) in [
            (MODULE_WITHIN, READ_SECTION_WITHIN),
            (REPORT_WITHIN, SECTION_WITHIN),
        ] {
            assert!(module * 2 < section, "both wait for it, one after the other");
        }
    }

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
