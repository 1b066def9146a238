//! The end of files: of old ones, and of a domain's. That is a job, since the store of artefacts takes no part in a transaction.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_artefacts::store::{ArtefactError, Artefacts};
use pharos_domain::{
    ids::{DomainId, JobId, RunId},
    jobs::{Changed, ClaimedJob, JobFailure, JobHandler, JobKind, NewJob},
    store::StoreError,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use time::{Duration, OffsetDateTime};

use crate::{
    kept,
    store::{LabSchedule, OldFiles},
};

/// The kind of the jobs.
pub const KIND: JobKind = JobKind::new("lab_erasure");
/// How often one is tried: for days, since what is left behind is what the owner of the domain wants to be gone.
const MAX_ATTEMPTS: u16 = 1_000;

#[derive(Serialize, Deserialize)]
struct Order {
    domain_id: DomainId,
}

/// The job for a domain whose data are being erased. It outlives whatever is the domain's, so it is nobody's.
#[must_use]
pub fn job(domain_id: DomainId) -> NewJob {
    NewJob {
        id: JobId::generate(),
        kind: KIND,
        lane: None,
        workspace: None,
        payload: json!(Order { domain_id }),
        pause: Duration::ZERO,
        max_attempts: MAX_ATTEMPTS,
    }
}

/// Deletes the pictures of such domains, and all that Lighthouse wrote of their pages, which would be kept for longer.
#[derive(Clone, Debug)]
pub struct FileErasure {
    /// Where they lie.
    pub artefacts: Arc<Artefacts>,
}

#[async_trait]
impl JobHandler for FileErasure {
    fn kind(&self) -> JobKind {
        KIND
    }

    async fn run(&self, job: &ClaimedJob) -> Result<Changed, JobFailure> {
        let Order { domain_id } = job.read()?;
        let files = kept::of_domain(domain_id)
            .ok_or_else(|| JobFailure::permanent("the domain has a name that no artefact has"))?;
        self.artefacts
            .delete_all(&files)
            .await
            .map_err(|error| JobFailure::retry(error.to_string()))?;
        Ok(Changed::new())
    }
}

/// How many runs lose their files between two questions to the store.
const RUNS_AT_ONCE: u32 = 100;

/// Why old files are still there.
#[derive(Debug, thiserror::Error)]
pub enum NotErased {
    /// The runs that they are of can't be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The files of some runs can't be deleted. All others are gone.
    #[error("the old files of {runs} lab tests can't be deleted, those of {first} first: {why}")]
    Artefacts {
        /// How many runs have them.
        runs: usize,
        /// The first of these runs.
        first: RunId,
        /// Why its files are still there.
        why: ArtefactError,
    },
}

/// Deletes the files of runs whose time is over, and says how many runs those are. Operators hear by way of the store why some
/// are still there.
///
/// # Errors
/// A store failed. The files that were deleted by then stay so.
pub async fn erase_old(
    store: &dyn LabSchedule,
    artefacts: &Artefacts,
    now: OffsetDateTime,
) -> Result<usize, NotErased> {
    let erased = erase(store, artefacts, now).await;
    let why_not = erased.as_ref().err().map(NotErased::to_string);
    store.note_erasure(why_not).await;
    erased
}

/// Only what old runs have is listed: a list of all that is kept would take longer with every run. Files that can't be deleted keep
/// no others waiting, and the next time they are tried again.
async fn erase(
    store: &dyn LabSchedule,
    artefacts: &Artefacts,
    now: OffsetDateTime,
) -> Result<usize, NotErased> {
    let (mut count, mut last, mut failed) = (0, None, None);
    loop {
        let old = store.with_old_files(now, last, RUNS_AT_ONCE).await?;
        let Some(&newest) = old.last() else {
            break;
        };
        let mut gone = Vec::with_capacity(old.len());
        for OldFiles { domain, run, .. } in old {
            let deleted = match kept::of_run(domain, run) {
                Some(files) => artefacts.delete_all(&files).await,
                None => Ok(()),
            };
            match deleted {
                Ok(()) => gone.push(run),
                Err(why) => {
                    tracing::warn!(%run, error = %why, "the old files of a lab test can't be deleted");
                    let (runs, ..) = failed.get_or_insert((0, run, why));
                    *runs += 1;
                }
            }
        }
        store.files_gone(&gone).await?;
        count += gone.len();
        last = Some(newest);
    }
    match failed {
        None => Ok(count),
        Some((runs, first, why)) => Err(NotErased::Artefacts { runs, first, why }),
    }
}
