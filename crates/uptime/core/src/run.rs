//! Runs: checks that a caller asked for, beside the schedule.
//!
//! A run is one job a region, in the lane of that region: it waits until a worker there has time for it. However
//! often a job is done, the run keeps one check of each region. It is over when each region has done its check, or has
//! given it up.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_domain::{
    ids::{DomainId, RunId, WorkspaceId},
    jobs::{Changed, ClaimedJob, JobFailure, JobHandler, JobKind, NewJob},
    module::Module,
    runs::{NewRun, Run, RunItems, RunStore},
};
use serde::Deserialize;
use serde_json::json;

use crate::{
    checker::{Checker, Occasion},
    schedule::ScheduleStore,
};

/// The kind of the jobs.
const KIND: JobKind = JobKind::new("uptime_check");
/// How often a check is tried: for some four minutes. A check that finds the site down has not failed.
const MAX_ATTEMPTS: u16 = 8;

/// The payload of a job: [`from_regions`] writes it.
#[derive(Debug, Deserialize)]
struct Order {
    run_id: RunId,
    domain_id: DomainId,
    region: String,
}

/// The run with a job for each region, which a workspace asked for. Its items are the checks, which are kept as any others are.
#[must_use]
pub fn from_regions(run: Run, workspace: WorkspaceId, regions: &[String]) -> NewRun {
    let job = |region: &String| NewJob {
        lane: Some(region.clone()),
        ..NewJob::of(
            workspace,
            KIND,
            json!({ "run_id": run.id, "domain_id": run.domain_id, "region": region }),
            MAX_ATTEMPTS,
        )
    };
    let total = u32::try_from(regions.len()).unwrap_or(u32::MAX);
    NewRun {
        jobs: regions.iter().map(job).collect(),
        run: Run {
            items: Some(RunItems::of(total)),
            ..run
        },
        result_kept: None,
    }
}

/// Does the checks of runs.
#[derive(Clone)]
pub struct CheckRuns {
    /// Where settings come from, and checks go.
    pub store: Arc<dyn ScheduleStore>,
    /// Where it is noted that a region has done its check.
    pub runs: Arc<dyn RunStore>,
    /// The checker of this region.
    pub checker: Checker,
}

impl std::fmt::Debug for CheckRuns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CheckRuns")
            .field("checker", &self.checker)
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl JobHandler for CheckRuns {
    fn kind(&self) -> JobKind {
        KIND
    }

    fn touched(&self, job: &ClaimedJob) -> Changed {
        job.of_domain(Module::Uptime)
    }

    async fn run(&self, job: &ClaimedJob) -> Result<Changed, JobFailure> {
        let Order {
            run_id,
            domain_id,
            region,
        } = job.read()?;
        if region != self.checker.region {
            let here = &self.checker.region;
            return Err(JobFailure::permanent(format!(
                "{here} was given a check from {region}"
            )));
        }
        let Some(settings) = self.store.settings(domain_id).await? else {
            tracing::info!(%run_id, %domain_id, "the domain of a run was deleted before its check");
            return Ok(Changed::new());
        };
        let finished = self
            .checker
            .check(domain_id, &settings, Occasion::Run(run_id))
            .await
            .ok_or_else(|| JobFailure::permanent("the monitor's settings make no request"))?;
        let now = self.checker.clock.now();
        let set_aside = self.store.complete(&[finished], now).await?;
        if !set_aside.is_empty() {
            return Err(JobFailure::permanent(
                "the check can't be stored, and is set aside",
            ));
        }
        let done = RunItems {
            completed: 1,
            ..RunItems::of(1)
        };
        self.runs.progress(job, done).await?;
        Ok(vec![(domain_id, Module::Uptime)])
    }
}

#[cfg(test)]
mod tests {
    use pharos_domain::{
        identity::CredentialKind,
        ids::CredentialId,
        runs::{Requester, RunKind, RunStatus},
    };
    use time::macros::datetime;

    use super::*;

    #[test]
    fn a_run_is_a_job_for_each_region_in_its_lane() {
        let run = Run {
            id: RunId::generate(),
            domain_id: DomainId::generate(),
            kind: RunKind::UptimeCheck,
            status: RunStatus::Queued,
            requested_at: datetime!(2026-03-31 09:15 UTC),
            started_at: None,
            finished_at: None,
            expires_at: None,
            items: None,
            error_code: None,
            error_detail: None,
            requested_by: Requester {
                kind: CredentialKind::ApiKey,
                credential_id: CredentialId::generate(),
            },
            credits_charged: 25,
        };
        let (id, domain) = (run.id, run.domain_id);
        let regions = ["eu".to_owned(), "us".to_owned()];
        let NewRun { run, jobs, .. } = from_regions(run, WorkspaceId::generate(), &regions);
        assert_eq!(run.items, Some(RunItems::of(2)));
        let lanes: Vec<_> = jobs.iter().map(|job| job.lane.as_deref()).collect();
        assert_eq!(lanes, [Some("eu"), Some("us")]);
        for job in jobs {
            let lane = job.lane.clone();
            let claimed = ClaimedJob {
                id: job.id,
                kind: job.kind,
                payload: job.payload,
                attempt: 1,
            };
            let order: Order = claimed.read().unwrap();
            assert_eq!(
                (order.run_id, order.domain_id, Some(order.region)),
                (id, domain, lane)
            );
        }
    }
}
