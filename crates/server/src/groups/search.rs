//! The background work of search: imports of Search Console, inspections of URLs and rows of reports, as scheduled and as asked for.
//! And the client by which Google is asked, and how all of that does.

use std::sync::Arc;

use futures_util::FutureExt;
use pharos_domain::{ports::Ports, wide_pull::WidePulls};
use pharos_egress::address_policy::AddressPolicy;
use pharos_search::{
    google::client::GoogleClient,
    gsc::{
        half_done::HalfDone,
        importer::Importer,
        link::{LinkFailure, LinkHealth, LinkStore},
        reports::SearchReports,
        run::SyncRuns,
        watch::SearchWatch,
    },
    indexing::{
        inspector::Inspector,
        metrics,
        rotation::Rotation,
        run::InspectorJobs,
        store::schedule::{IndexingSchedule, RotationHealth},
        upstream::LinkedInspector,
    },
};
use pharos_supervisor::Task;

use super::{
    outgoing::{resolver, trust},
    work::{BackgroundTask, Work, WorkContext},
};
use crate::{config::Config, finding::Finding, role::Role};

const SEARCH_DATA: Task = Task::aside("search data");
const INSPECTIONS: Task = Task::aside("url inspections");

/// The work of a node for search, as its roles say.
///
/// # Errors
/// A missing port.
pub(super) fn work(context: &WorkContext<'_>) -> anyhow::Result<Work> {
    let WorkContext {
        config,
        ports,
        clock,
        answers,
        ..
    } = *context;
    metrics::begin();
    let google: Arc<GoogleClient> = ports.get()?;
    let inspector: Arc<dyn Inspector> = Arc::new(LinkedInspector {
        google: Arc::clone(&google),
        links: ports.get()?,
        clock: Arc::clone(clock),
    });
    let importer = Importer {
        google,
        links: ports.get()?,
        import: ports.get()?,
        clock: Arc::clone(clock),
    };
    let mut work = Work::default();
    if config.roles.contains(&Role::Scheduler) {
        let watch = SearchWatch {
            importer: importer.clone(),
            answers: Arc::clone(answers),
            half_done: HalfDone::default(),
        };
        work.tasks.push(BackgroundTask {
            task: SEARCH_DATA,
            run: Box::new(move |stop, abandon| watch.clone().run(stop, abandon).boxed()),
        });
        let rotation = Rotation {
            store: ports.get()?,
            inspector: Arc::clone(&inspector),
            sitemaps: ports.get()?,
            visits: ports.get()?,
            addresses: ports.get()?,
            answers: Arc::clone(answers),
            clock: Arc::clone(clock),
        };
        work.tasks.push(BackgroundTask {
            task: INSPECTIONS,
            run: Box::new(move |stop, abandon| rotation.clone().run(stop, abandon).boxed()),
        });
    }
    work.handlers.push(Arc::new(SyncRuns {
        importer,
        runs: ports.get()?,
    }));
    work.handlers.push(Arc::new(InspectorJobs {
        store: ports.get()?,
        runs: ports.get()?,
        inspector,
        clock: Arc::clone(clock),
    }));
    work.handlers
        .push(Arc::new(WidePulls::<SearchReports> { store: ports.get()? }));
    Ok(work)
}

/// Adds the client of Google, which handlers and background work share.
///
/// # Errors
/// Requests need what can't be had: name servers, certificate authorities.
pub(super) fn outgoing(ports: Ports, config: &Config, policy: &AddressPolicy) -> anyhow::Result<Ports> {
    Ok(ports.with(Arc::new(google(config, policy.clone())?)))
}

/// Asks Google as this installation.
///
/// # Errors
/// Requests need what can't be had: name servers, certificate authorities.
pub(crate) fn google(config: &Config, policy: AddressPolicy) -> anyhow::Result<GoogleClient> {
    let (resolver, trust) = (resolver()?, trust(config)?);
    let client = GoogleClient::new(
        resolver,
        policy,
        &trust,
        config.google_services()?,
        config.google_client()?,
    )?;
    Ok(client)
}

/// How imports and inspections do.
///
/// # Errors
/// A missing port, or the database could not say.
pub(super) async fn findings(ports: &Ports) -> anyhow::Result<Vec<Finding>> {
    Ok(vec![imports(ports).await?, inspections(ports).await?])
}

/// The imports of Search Console. An account that Google does not let in any more is told to its workspace; what else keeps an import
/// from being whole, and one that nobody does, is told here.
async fn imports(ports: &Ports) -> anyhow::Result<Finding> {
    const WHAT: &str = "Search Console";
    let LinkHealth {
        linked,
        lost,
        failing,
        failure,
        overdue,
    } = ports.get::<dyn LinkStore>()?.health().await?;
    let mut detail = format!(
        "linked properties: {linked}; to be linked again: {lost}; of the others not imported whole the last time: {failing}"
    );
    if let Some(LinkFailure { hostname, why }) = failure {
        detail = format!("{detail}; {hostname}: {why}");
    }
    if overdue > 0 {
        let detail =
            format!("{detail}; due for more than an hour: {overdue}, since no node has the role scheduler");
        return Ok(Finding::wrong(WHAT, &detail));
    }
    Ok(if failing > 0 {
        Finding::wrong(WHAT, &detail)
    } else {
        Finding::well(WHAT, detail)
    })
}

/// The rotation through URLs that Search Console inspects.
async fn inspections(ports: &Ports) -> anyhow::Result<Finding> {
    const WHAT: &str = "URL inspections";
    let schedule = ports.get::<dyn IndexingSchedule>()?;
    let RotationHealth {
        sites,
        failing,
        failure,
        overdue,
    } = schedule.health().await?;
    let mut detail =
        format!("linked domains whose URLs are inspected: {sites}; those whose last round failed: {failing}");
    if let Some(failure) = failure {
        detail = format!("{detail} ({failure})");
    }
    if overdue > 0 {
        let detail =
            format!("{detail}; due for more than an hour: {overdue}, since no node has the role scheduler");
        return Ok(Finding::wrong(WHAT, &detail));
    }
    Ok(Finding::well(WHAT, detail))
}
