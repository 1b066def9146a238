//! The end of a domain's files: a job, since the store of artefacts takes no part in a transaction.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_artefacts::store::Artefacts;
use pharos_domain::{
    ids::{DomainId, JobId},
    jobs::{Changed, ClaimedJob, JobFailure, JobHandler, JobKind, NewJob},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use time::Duration;

use crate::kept;

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
