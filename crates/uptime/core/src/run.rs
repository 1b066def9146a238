//! Runs: checks that a caller asked for, beside the schedule.
//!
//! A run is one job a region, in the lane of that region: it waits until a worker there has time for it. However
//! often a job is done, the run keeps one check of each region.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_domain::{
    ids::{DomainId, JobId, RunId, WorkspaceId},
    jobs::{Changed, ClaimedJob, JobFailure, JobHandler, JobKind, NewJob},
    module::Module,
    runs::Run,
};
use serde::Deserialize;
use serde_json::json;

use crate::{
    checker::{Checker, Occasion},
    store::ScheduleStore,
};

/// The kind of the jobs.
const KIND: JobKind = JobKind::new("uptime_check");
/// How often a check is tried: for some four minutes. A check that finds the site down has not failed.
const MAX_ATTEMPTS: u16 = 8;

/// What a job says: [`jobs`] writes it.
#[derive(Debug, Deserialize)]
struct Order {
    run_id: RunId,
    domain_id: DomainId,
    region: String,
}

/// The jobs of a run, which a workspace asked for.
#[must_use]
pub fn jobs(run: &Run, workspace: WorkspaceId, domain_id: DomainId, regions: &[String]) -> Vec<NewJob> {
    let job = |region: &String| NewJob {
        id: JobId::generate(),
        kind: KIND,
        lane: Some(region.clone()),
        workspace: Some(workspace),
        payload: json!({ "run_id": run.id, "domain_id": domain_id, "region": region }),
        run_at: run.requested_at,
        max_attempts: MAX_ATTEMPTS,
    };
    regions.iter().map(job).collect()
}

/// Does the checks of runs.
#[derive(Clone)]
pub struct CheckRuns {
    /// Where settings come from, and checks go.
    pub store: Arc<dyn ScheduleStore>,
    /// What checks with.
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

    async fn run(&self, job: &ClaimedJob) -> Result<Changed, JobFailure> {
        let Order {
            run_id,
            domain_id,
            region,
        } = job.read()?;
        let permanent = |why: String| JobFailure::Permanent { why };
        if region != self.checker.region {
            let here = &self.checker.region;
            return Err(permanent(format!("{here} was given a check from {region}")));
        }
        let Some(settings) = self.store.settings(domain_id).await? else {
            tracing::info!(%run_id, %domain_id, "the domain of a run was deleted before its check");
            return Ok(Changed::new());
        };
        let finished = self
            .checker
            .check(domain_id, &settings, Occasion::Run(run_id))
            .await
            .ok_or_else(|| permanent("the monitor's settings make no request".to_owned()))?;
        let now = self.checker.clock.now();
        let set_aside = self.store.complete(&[finished], now).await?;
        if !set_aside.is_empty() {
            return Err(permanent(
                "the check can't be stored, and is set aside".to_owned(),
            ));
        }
        Ok(vec![(domain_id, Module::Uptime)])
    }
}

#[cfg(test)]
mod tests {
    use pharos_domain::{
        identity::CredentialKind,
        ids::CredentialId,
        runs::{Requester, RunKind},
    };
    use time::macros::datetime;

    use super::*;

    #[test]
    fn a_run_is_a_job_for_each_region_in_its_lane() {
        let by = Requester {
            kind: CredentialKind::ApiKey,
            credential_id: CredentialId::generate(),
        };
        let run = Run::requested(RunKind::UptimeCheck, by, 25, datetime!(2026-03-31 09:15 UTC));
        let domain = DomainId::generate();
        let jobs = jobs(
            &run,
            WorkspaceId::generate(),
            domain,
            &["eu".to_owned(), "us".to_owned()],
        );
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
                (run.id, domain, lane)
            );
        }
    }
}
