//! The background work of reporting: schedules, the making of reports, and results that are no longer kept.

use std::sync::Arc;

use futures_util::FutureExt;
use pharos_artefacts::store::Artefacts;
use pharos_reporting::{
    generate::{READ_WITHIN, ReportMaker},
    logo::LogoClient,
    mails::{questions::QuestionMailer, reports::ReportMailer},
    metrics,
    render::pdf::Printer,
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
use crate::{config::Config, role::Role};

const SCHEDULES: Task = Task::aside("report schedules");
const RESULTS: Task = Task::aside("results of reports");
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
    let ports = ports.clone().with(Arc::new(reporters(&ports)?));
    work.handlers.push(Arc::new(ReportMaker {
        store: ports.get()?,
        runs: ports.get()?,
        catalogue: Arc::new(report_catalogue(&ports)?),
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
pub(crate) fn printer(config: &Config) -> Printer {
    Printer::new(config.printing_browser(), PRINTED_AT_ONCE)
}
