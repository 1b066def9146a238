//! The background work of crawl: checks of robots.txt and of sitemaps, as scheduled and as asked for. And how they do.

use std::sync::Arc;

use futures_util::FutureExt;
use pharos_crawl::{
    caller::Caller,
    robots::monitor::{
        checker::Checker,
        fetch::RobotsClient,
        metrics,
        run::{Places, RobotsRuns},
        store::{RobotsSchedule, WatchHealth},
        watch::RobotsWatch,
    },
    sitemap::monitor::{
        checker::{BUDGET, SitemapChecker},
        fetch::{PACE, SitemapClient},
        metrics as sitemap_metrics,
        run::{ConflictRuns, SitemapRuns},
        sample::Sampler,
        store::{SitemapSchedule, WatchHealth as SitemapWatchHealth},
        watch::SitemapWatch,
    },
};
use pharos_domain::ports::Ports;
use pharos_egress::pace::Pace;
use pharos_http::pages::CRAWLER_PAGE;
use pharos_supervisor::Task;

use super::{
    outgoing::{resolver, trust},
    work::{BackgroundTask, Work, WorkContext},
};
use crate::{finding::Finding, role::Role};

const ROBOTS: Task = Task::aside("robots");
const SITEMAPS: Task = Task::aside("sitemaps");

/// Describes the metrics of the group.
pub(super) fn describe() {
    metrics::describe();
    sitemap_metrics::describe();
}

/// The work of a node for robots.txt and sitemaps, as its roles say.
///
/// # Errors
/// Fetches need what can't be had: name servers, certificate authorities, a missing port.
pub(super) fn work(context: &WorkContext<'_>) -> anyhow::Result<Work> {
    let WorkContext {
        config,
        ports,
        policy,
        clock,
        ..
    } = *context;
    metrics::begin();
    sitemap_metrics::begin();
    let caller = Caller::with_page(&format!("{}{CRAWLER_PAGE}", config.addresses().base_url));
    // One for all that is asked of a site: its robots.txt, its sitemaps and its pages.
    let pace = Pace::new(PACE, PACE);
    let client = SitemapClient::new(&caller, resolver()?, policy.clone(), &trust(config)?, PACE)?;
    let sampler = Sampler::new(&caller, resolver()?, policy.clone(), &trust(config)?, PACE)?;
    let sitemaps = SitemapChecker {
        client: Arc::new(client.paced_by(&pace)),
        clock: Arc::clone(clock),
        archive: ports.get()?,
        conflicts: ports.get()?,
        languages: ports.get()?,
        figures: ports.get()?,
        hosts: ports.get()?,
        sampler: Arc::new(sampler.paced_by(&pace)),
        samples: ports.get()?,
        budget: BUDGET,
    };
    let client = RobotsClient::new(&caller, resolver()?, policy.clone(), &trust(config)?)?;
    let checker = Checker {
        client: Arc::new(client.paced_by(&pace)),
        clock: Arc::clone(clock),
    };
    let mut work = Work::default();
    if config.roles.contains(&Role::Scheduler) {
        let watch = RobotsWatch {
            store: ports.get()?,
            addresses: ports.get()?,
            hosts: ports.get()?,
            checker: checker.clone(),
        };
        work.tasks.push(BackgroundTask {
            task: ROBOTS,
            run: Box::new(move |stop, abandon| watch.clone().run(stop, abandon).boxed()),
        });
        let watch = SitemapWatch {
            store: ports.get()?,
            addresses: ports.get()?,
            checker: sitemaps.clone(),
        };
        work.tasks.push(BackgroundTask {
            task: SITEMAPS,
            run: Box::new(move |stop, abandon| watch.clone().run(stop, abandon).boxed()),
        });
    }
    work.handlers.push(Arc::new(SitemapRuns {
        addresses: ports.get()?,
        runs: ports.get()?,
        checker: sitemaps.clone(),
    }));
    work.handlers.push(Arc::new(ConflictRuns { checker: sitemaps }));
    work.handlers.push(Arc::new(RobotsRuns {
        places: Places::default(),
        store: ports.get()?,
        addresses: ports.get()?,
        checker,
    }));
    Ok(work)
}

/// How the watch of robots.txt and of sitemaps does.
///
/// # Errors
/// A missing port, or the database could not say.
pub(super) async fn findings(ports: &Ports) -> anyhow::Result<Vec<Finding>> {
    Ok(vec![robots(ports).await?, sitemaps(ports).await?])
}

/// The watch of robots.txt. A site that fails is the site's fault; a site that is not checked is ours.
async fn robots(ports: &Ports) -> anyhow::Result<Finding> {
    const WHAT: &str = "robots.txt";
    let schedule = ports.get::<dyn RobotsSchedule>()?;
    let WatchHealth {
        watched,
        failing,
        overdue,
    } = schedule.watch_health().await?;
    let detail = format!("watched sites: {watched}; not fetched the last time: {failing}");
    if overdue > 0 {
        let detail = format!(
            "{detail}; due for longer than their interval, or an hour: {overdue}, since no node has the role scheduler"
        );
        return Ok(Finding::wrong(WHAT, &detail));
    }
    Ok(Finding::well(WHAT, detail))
}

/// The watch of sitemaps. A file that fails is the site's fault; a site that is not checked is ours.
async fn sitemaps(ports: &Ports) -> anyhow::Result<Finding> {
    const WHAT: &str = "sitemaps";
    let schedule = ports.get::<dyn SitemapSchedule>()?;
    let SitemapWatchHealth {
        watched,
        files,
        failing,
        overdue,
    } = schedule.watch_health().await?;
    let detail = format!("watched sites: {watched}; their files: {files}; not read the last time: {failing}");
    if overdue > 0 {
        let detail = format!(
            "{detail}; sites due for longer than their interval, or an hour: {overdue}, since no node has the role scheduler, \
             or those that have it are not enough"
        );
        return Ok(Finding::wrong(WHAT, &detail));
    }
    Ok(Finding::well(WHAT, detail))
}
