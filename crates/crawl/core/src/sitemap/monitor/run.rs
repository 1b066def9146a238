//! Checks of sitemaps that a caller asked for, and pages that are checked against robots.txt anew.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_domain::{
    ids::{DomainId, RunId, WorkspaceId},
    jobs::{Changed, ClaimedJob, JobFailure, JobHandler, JobKind, NewJob},
    module::Module,
    runs::{NewRun, Run, RunItems, RunStore},
    site_address::SiteAddresses,
};
use serde::Deserialize;
use serde_json::json;
use time::Duration;

use super::{checker::SitemapChecker, conflicts};

/// The kind of jobs that check sitemaps.
const CHECK: JobKind = JobKind::new("sitemap_check");
/// The kind of jobs that hold pages against robots.txt.
const CONFLICTS: JobKind = JobKind::new("sitemap_conflicts");
/// How often a job is tried. A check that finds the site down has not failed.
const MAX_ATTEMPTS: u16 = 8;

/// After what pause a check is tried whose domain is checked already.
const BUSY: Duration = Duration::seconds(5);

/// The payload of a job.
#[derive(Debug, Deserialize)]
struct Order {
    run_id: RunId,
    domain_id: DomainId,
}

/// A run that checks the sitemaps of a domain, with its one job.
#[must_use]
pub fn check_run(run: Run, workspace: WorkspaceId) -> NewRun {
    of_job(CHECK, run, workspace)
}

/// A run that holds pages against robots.txt, with its one job.
#[must_use]
pub fn conflicts_run(run: Run, workspace: WorkspaceId) -> NewRun {
    of_job(CONFLICTS, run, workspace)
}

fn of_job(kind: JobKind, run: Run, workspace: WorkspaceId) -> NewRun {
    let job = NewJob::of(
        workspace,
        kind,
        json!({ "run_id": run.id, "domain_id": run.domain_id }),
        MAX_ATTEMPTS,
    );
    NewRun {
        jobs: vec![job],
        run,
        result_kept: None,
    }
}

/// Does the checks of runs.
#[derive(Clone)]
pub struct SitemapRuns {
    /// Where sites lie.
    pub addresses: Arc<dyn SiteAddresses>,
    /// Where it is noted how many files were fetched.
    pub runs: Arc<dyn RunStore>,
    /// Checks them.
    pub checker: SitemapChecker,
}

impl std::fmt::Debug for SitemapRuns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SitemapRuns").finish_non_exhaustive()
    }
}

#[async_trait]
impl JobHandler for SitemapRuns {
    fn kind(&self) -> JobKind {
        CHECK
    }

    /// They wait for servers of others.
    fn most_at_once(&self, places: usize) -> usize {
        (places / 2).max(1)
    }

    fn touched(&self, job: &ClaimedJob) -> Changed {
        let mut changed = job.of_domain(Module::Sitemap);
        changed.extend(job.of_domain(Module::Robots));
        changed
    }

    async fn run(&self, job: &ClaimedJob) -> Result<Changed, JobFailure> {
        let Order { run_id, domain_id } = job.read()?;
        let Some(address) = self.addresses.of(&[domain_id]).await?.remove(&domain_id) else {
            tracing::info!(%run_id, %domain_id, "the domain of a run was deleted before its check");
            return Ok(Changed::new());
        };
        let Some(end) = self.checker.check(domain_id, &address, Some(run_id)).await? else {
            return Err(JobFailure::permanent("the site has no URL to ask"));
        };
        if end.is_busy {
            return Err(JobFailure::put_off(
                BUSY,
                "another check of the domain is under way",
            ));
        }
        if !end.is_whole {
            // The files that were fetched are known by the run, and the next attempt goes on with the others.
            return Err(JobFailure::retry(
                "the time was over before all files were fetched",
            ));
        }
        let items = RunItems::of(count(end.counts.files + end.fetched_before));
        let done = RunItems {
            // A file that could not be fetched was checked: the run has not failed for it.
            completed: items.total,
            ..items
        };
        self.runs.progress(job, done).await?;
        Ok(vec![(domain_id, Module::Sitemap), (domain_id, Module::Robots)])
    }
}

fn count(files: u64) -> u32 {
    u32::try_from(files).unwrap_or(u32::MAX)
}

/// Holds pages against robots.txt.
#[derive(Clone)]
pub struct ConflictRuns {
    /// The checker, for its stores and its clock.
    pub checker: SitemapChecker,
}

impl std::fmt::Debug for ConflictRuns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ConflictRuns").finish_non_exhaustive()
    }
}

#[async_trait]
impl JobHandler for ConflictRuns {
    fn kind(&self) -> JobKind {
        CONFLICTS
    }

    /// They wait for their turns.
    fn most_at_once(&self, places: usize) -> usize {
        places.div_ceil(4)
    }

    fn touched(&self, job: &ClaimedJob) -> Changed {
        let mut changed = job.of_domain(Module::Sitemap);
        changed.extend(job.of_domain(Module::Robots));
        changed
    }

    async fn run(&self, job: &ClaimedJob) -> Result<Changed, JobFailure> {
        let Order { run_id: _, domain_id } = job.read()?;
        let SitemapChecker {
            archive,
            conflicts: store,
            clock,
            ..
        } = &self.checker;
        if let Some(workspace) = archive.begin(domain_id).await? {
            let site = (workspace, domain_id);
            if !conflicts::recompute(&**archive, &**store, site, clock.now()).await? {
                return Err(JobFailure::permanent(
                    "the rules of the robots.txt are written so that holding pages against them takes too long",
                ));
            }
        }
        Ok(vec![(domain_id, Module::Robots), (domain_id, Module::Sitemap)])
    }
}
