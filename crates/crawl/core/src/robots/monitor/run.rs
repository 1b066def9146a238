//! Checks that a caller asked for, beside the schedule.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

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
use time::Duration;

use super::{
    checker::Checker,
    metrics,
    store::{FinishedCheck, RobotsSchedule},
};

/// The kind of the jobs.
const KIND: JobKind = JobKind::new("robots_check");
/// How often a check is tried. One that finds the site down has not failed.
const MAX_ATTEMPTS: u16 = 8;
/// How many checks of a workspace a node does at once: others have places beside them.
const MOST_OF_WORKSPACE: usize = 4;
/// After what pause a check is tried whose workspace has as many as that.
const FULL: Duration = Duration::seconds(2);

/// The payload of a job: [`check_run`] writes it.
#[derive(Debug, Deserialize)]
struct Order {
    run_id: RunId,
    domain_id: DomainId,
    /// `None`: a version of Pharos wrote it that did not say.
    workspace_id: Option<WorkspaceId>,
}

/// The run, with its one job.
#[must_use]
pub fn check_run(run: Run, workspace: WorkspaceId) -> NewRun {
    let job = NewJob::of(
        workspace,
        KIND,
        json!({ "run_id": run.id, "domain_id": run.domain_id, "workspace_id": workspace }),
        MAX_ATTEMPTS,
    );
    NewRun {
        jobs: vec![job],
        run,
        result_kept: None,
    }
}

/// How many checks of each workspace are under way.
#[derive(Clone, Debug, Default)]
pub struct Places(Arc<Mutex<HashMap<WorkspaceId, usize>>>);

impl Places {
    /// A place for a check of a workspace; `None`: it has as many as it may.
    fn take(&self, workspace: WorkspaceId) -> Option<Place> {
        let mut taken = self.taken();
        let of_workspace = taken.entry(workspace).or_default();
        if *of_workspace >= MOST_OF_WORKSPACE {
            return None;
        }
        *of_workspace += 1;
        Some(Place {
            places: self.clone(),
            workspace,
        })
    }

    fn taken(&self) -> MutexGuard<'_, HashMap<WorkspaceId, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The place of a check, until it is dropped.
struct Place {
    places: Places,
    workspace: WorkspaceId,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.taken();
        if let Some(of_workspace) = taken.get_mut(&self.workspace) {
            *of_workspace -= 1;
            if *of_workspace == 0 {
                taken.remove(&self.workspace);
            }
        }
    }
}

/// Does the checks of runs.
#[derive(Clone)]
pub struct RobotsRuns {
    /// The checks that are under way.
    pub places: Places,
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

    /// They wait for servers of others.
    fn most_at_once(&self, places: usize) -> usize {
        places.div_ceil(4)
    }

    fn touched(&self, job: &ClaimedJob) -> Changed {
        job.of_domain(Module::Robots)
    }

    async fn run(&self, job: &ClaimedJob) -> Result<Changed, JobFailure> {
        let Order {
            run_id,
            domain_id,
            workspace_id,
        } = job.read()?;
        let place = workspace_id.map(|workspace| {
            let full = || JobFailure::put_off(FULL, "other checks of the workspace are under way");
            self.places.take(workspace).ok_or_else(full)
        });
        let _place = place.transpose()?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workspace_has_a_few_checks_at_once_and_others_go_on() {
        let places = Places::default();
        let (one, other) = (WorkspaceId::generate(), WorkspaceId::generate());
        let mut taken: Vec<Place> = (0..MOST_OF_WORKSPACE).filter_map(|_| places.take(one)).collect();
        assert_eq!(taken.len(), MOST_OF_WORKSPACE);
        // Twice, since the first refusal must take nothing.
        assert!(places.take(one).is_none() && places.take(one).is_none());
        assert!(places.take(other).is_some());
        taken.pop();
        assert!(places.take(one).is_some());
        taken.clear();
        assert!(places.taken().is_empty());
    }
}
