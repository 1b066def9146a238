//! Checks that a caller asked for, beside the schedule.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_domain::{
    ids::{DomainId, RunId, WorkspaceId},
    jobs::{Changed, ClaimedJob, JobFailure, JobHandler, JobKind, NewJob},
    module::Module,
    runs::{NewRun, Run},
    site_address::SiteAddresses,
};
use serde::Deserialize;
use serde_json::json;

use super::{
    checker::Checker,
    metrics,
    store::{FinishedCheck, RobotsSchedule},
};

/// The kind of the jobs.
const KIND: JobKind = JobKind::new("robots_check");
/// How often a check is tried. One that finds the site down has not failed.
const MAX_ATTEMPTS: u16 = 8;

/// The payload of a job: [`check_run`] writes it.
#[derive(Debug, Deserialize)]
struct Order {
    run_id: RunId,
    domain_id: DomainId,
}

/// The run, with its one job.
#[must_use]
pub fn check_run(run: Run, workspace: WorkspaceId) -> NewRun {
    let job = NewJob::of(
        workspace,
        KIND,
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
pub struct RobotsRuns {
    /// Where sites come from, and checks go.
    pub store: Arc<dyn RobotsSchedule>,
    /// Where sites lie.
    pub addresses: Arc<dyn SiteAddresses>,
    /// Checks them.
    pub checker: Checker,
}

impl std::fmt::Debug for RobotsRuns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RobotsRuns").finish_non_exhaustive()
    }
}

#[async_trait]
impl JobHandler for RobotsRuns {
    fn kind(&self) -> JobKind {
        KIND
    }

    async fn run(&self, job: &ClaimedJob) -> Result<Changed, JobFailure> {
        let Order { run_id, domain_id } = job.read()?;
        let site = self.store.watched(domain_id).await?;
        let address = self.addresses.of(&[domain_id]).await?.remove(&domain_id);
        let Some((site, address)) = site.zip(address) else {
            tracing::info!(%run_id, %domain_id, "the domain of a run was deleted before its check");
            return Ok(Changed::new());
        };
        let fetched = self
            .checker
            .check(&site, &address)
            .await
            .ok_or_else(|| JobFailure::permanent("the site has no URL to ask"))?;
        metrics::checked(&fetched);
        let finished = FinishedCheck {
            domain: domain_id,
            turn: None,
            run: Some(run_id),
            fetched: Some(fetched),
        };
        if self.store.complete(&[finished]).await? > 0 {
            return Err(JobFailure::permanent(
                "the check can't be stored, and is set aside",
            ));
        }
        Ok(vec![(domain_id, Module::Robots)])
    }
}
