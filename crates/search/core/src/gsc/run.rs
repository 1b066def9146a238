//! Imports that a caller asked for, beside the schedule.

use std::{sync::Arc, time::Instant};

use async_trait::async_trait;
use pharos_domain::{
    ids::{DomainId, RunId, WorkspaceId},
    jobs::{Changed, ClaimedJob, JobFailure, JobHandler, JobKind, NewJob},
    module::Module,
    problem::Suffix,
    runs::{NewRun, Run, RunItems, RunStore},
    store::StoreError,
};
use serde::Deserialize;
use serde_json::json;
use time::Duration;

use super::{
    importer::{Days, ImportError, Importer, Progress},
    watch,
};
use crate::google::error::GoogleError;

/// The kind of the jobs.
const KIND: JobKind = JobKind::new("gsc_sync");
/// How often an import is tried.
const MAX_ATTEMPTS: u16 = 6;
/// The pause after a first failure; it doubles with each further one, so that an outage of a quarter of an hour ends no run.
const RETRY: Duration = Duration::seconds(30);

/// The payload of a job: [`sync_run`] writes it.
#[derive(Debug, Deserialize)]
struct Order {
    run_id: RunId,
    domain_id: DomainId,
    days: u8,
}

/// The run, with its one job: the newest so many days.
#[must_use]
pub fn sync_run(run: Run, workspace: WorkspaceId, days: u8) -> NewRun {
    let job = NewJob::of(
        workspace,
        KIND,
        json!({ "run_id": run.id, "domain_id": run.domain_id, "days": days }),
        MAX_ATTEMPTS,
    );
    NewRun {
        jobs: vec![job],
        run,
        result_kept: None,
    }
}

/// Does the imports of runs.
#[derive(Clone)]
pub struct SyncRuns {
    /// Imports days.
    pub importer: Importer,
    /// Is told how far they are.
    pub runs: Arc<dyn RunStore>,
}

impl std::fmt::Debug for SyncRuns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SyncRuns")
            .field("importer", &self.importer)
            .finish_non_exhaustive()
    }
}

struct OfJob<'a> {
    runs: &'a dyn RunStore,
    job: &'a ClaimedJob,
}

#[async_trait]
impl Progress for OfJob<'_> {
    async fn items(&self, items: RunItems) -> Result<bool, StoreError> {
        self.runs.progress(self.job, items).await
    }
}

#[async_trait]
impl JobHandler for SyncRuns {
    fn kind(&self) -> JobKind {
        KIND
    }

    fn most_at_once(&self, places: usize) -> usize {
        places.div_ceil(4)
    }

    fn touched(&self, job: &ClaimedJob) -> Changed {
        job.of_domain(Module::Gsc)
    }

    async fn run(&self, job: &ClaimedJob) -> Result<Changed, JobFailure> {
        let Order {
            run_id,
            domain_id,
            days,
        } = job.read()?;
        let importer = &self.importer;
        let Some(link) = importer.links.link(domain_id).await? else {
            tracing::info!(%run_id, %domain_id, "the property of a run was unlinked before its import");
            return Err(
                JobFailure::permanent("the domain is not linked").with_public_error(
                    Suffix::GscPropertyNotLinked,
                    "The domain is no longer linked to a property of Search Console.",
                ),
            );
        };
        let progress = OfJob {
            runs: &*self.runs,
            job,
        };
        let until = Instant::now() + watch::NEWEST_TAKES;
        let days = Days::Last(days);
        let imported = importer.newest(&link, days, Some(&progress), until).await;
        let synced = watch::ended(&link, &imported, importer.clock.now());
        importer.links.settle(&[synced]).await?;
        self.runs.progress(job, imported.items).await?;
        match imported.error {
            Some(error) if imported.items.completed == 0 => Err(failure(&error, job.attempt)),
            _ => Ok(vec![(domain_id, Module::Gsc)]),
        }
    }
}

/// A refusal is final, a quota is waited for, and everything else may pass.
fn failure(error: &ImportError, attempt: u32) -> JobFailure {
    let why = watch::told(error);
    let google = match error {
        ImportError::Google(google) => google,
        ImportError::Store(_)
        | ImportError::Unstored
        | ImportError::Relinked
        | ImportError::TooSlow
        | ImportError::Unread(_) => return JobFailure::retry(why),
    };
    let failure = if matches!(google, GoogleError::Quota { .. }) {
        JobFailure::put_off(watch::pause(error, 1), why.clone())
    } else if google.retry_after().is_some() {
        JobFailure::retry_after(watch::pause(error, 1), why.clone())
    } else if google.may_pass() {
        let pause = RETRY * 2_i32.pow(attempt.saturating_sub(1).min(MAX_ATTEMPTS.into()));
        JobFailure::retry_after(pause, why.clone())
    } else {
        JobFailure::permanent(why.clone())
    };
    let suffix = match google {
        GoogleError::Egress(_) | GoogleError::Unavailable { .. } => Suffix::UpstreamUnavailable,
        _ => Suffix::UpstreamError,
    };
    failure.with_public_error(suffix, why)
}

#[cfg(test)]
mod tests {
    use std::time::Duration as StdDuration;

    use http::StatusCode;
    use pharos_domain::jobs::Retry;

    use super::*;

    /// Five pauses between six attempts: 30 seconds to 8 minutes, 15 minutes and a half in all.
    #[test]
    fn a_run_outlasts_an_outage_and_waits_for_a_quota() {
        let retry = |error: GoogleError, attempt| failure(&error.into(), attempt).retry;
        let seconds = |attempt| {
            let away = GoogleError::Unavailable {
                status: StatusCode::BAD_GATEWAY,
                retry_after: None,
            };
            match retry(away, attempt) {
                Retry::After(pause) => pause.whole_seconds(),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!([1, 2, 3, 4, 5].map(seconds), [30, 60, 120, 240, 480]);
        let quota = |seconds: Option<u64>| GoogleError::Quota {
            reason: None,
            retry_after: seconds.map(StdDuration::from_secs),
        };
        for (seconds, waited) in [
            (Some(3_600), Duration::HOUR),
            (None, Duration::HOUR),
            (Some(0), Duration::MINUTE),
        ] {
            let retry = retry(quota(seconds), 6);
            assert!(
                matches!(retry, Retry::PutOff(pause) if pause == waited),
                "{seconds:?}: {retry:?}"
            );
        }
        let busy = GoogleError::Unavailable {
            status: StatusCode::SERVICE_UNAVAILABLE,
            retry_after: Some(StdDuration::from_secs(90)),
        };
        assert!(matches!(retry(busy, 1), Retry::After(pause) if pause == Duration::seconds(90)));
        let refused = GoogleError::NotEnabled { reason: None };
        assert!(matches!(retry(refused, 1), Retry::Never));
    }
}
