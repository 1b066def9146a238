//! Work that is done later. A job is a row in a queue: whatever needs the work writes it in its own transaction, and a worker
//! does it.
//!
//! A job is done at least once. Its worker holds it under a lease. If the worker dies, the lease ends and another worker does
//! the job again, so every handler has to bear being run twice.

use async_trait::async_trait;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;
use thiserror::Error;
use time::{Duration, OffsetDateTime};

use crate::{
    audit::Actor,
    ids::{DomainId, JobId, WorkerId, WorkspaceId},
    module::Module,
    problem::Suffix,
    store::StoreError,
    timestamp::Timestamp,
    wire_enum,
};

/// How long succeeded jobs are kept. Jobs of a run are kept as long as the run is open.
pub const KEEP_SUCCEEDED: Duration = Duration::days(7);
/// How long dead jobs are kept.
pub const KEEP_DEAD: Duration = Duration::days(90);
/// The longest pause before a job or before another attempt at it. It is longer than any day on which clocks change. Longer
/// pauses are cut, so a job that lies further ahead must come from a clock that was wrong.
pub const LONGEST_PAUSE: Duration = Duration::hours(26);
/// The longest lease, for the same reason.
pub const LONGEST_LEASE: Duration = Duration::HOUR;

/// The pause after the first failure, at most. Each further one doubles it.
const FIRST_BACKOFF: Duration = Duration::seconds(1);
/// The pause before another attempt doubles, up to this.
const LONGEST_BACKOFF: Duration = Duration::minutes(10);

/// The prefix of causes that lie in Pharos itself: a handler that panicked, a statement that failed.
const INTERNAL: &str = "Pharos failed: ";

/// The kind of a job, by which its handler is found. Each kind is declared beside its handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobKind(&'static str);

impl JobKind {
    /// The kind of that name.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self(name)
    }

    /// The name in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

impl std::fmt::Display for JobKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

wire_enum! {
    /// How far a job is.
    JobState {
        /// It waits for its time, or for a worker.
        Queued = "queued",
        /// A worker has it.
        Running = "running",
        /// It is done.
        Succeeded = "succeeded",
        /// It failed for good. An operator may have it tried again.
        Dead = "dead",
    }
}

/// A job to be queued. A store writes it in the transaction of the change that needs it.
#[derive(Clone, Debug, PartialEq)]
pub struct NewJob {
    /// Made by whoever asks for the job.
    pub id: JobId,
    /// The handler that does it.
    pub kind: JobKind,
    /// The region that must do it; `None`: any worker may.
    pub lane: Option<String>,
    /// The workspace that it belongs to. Workspaces take turns where there is not room for all. `None`: no workspace.
    pub workspace: Option<WorkspaceId>,
    /// The handler's input as JSON. Never a secret: operators see it.
    pub payload: Value,
    /// How long it waits at least before its first attempt, up to [`LONGEST_PAUSE`].
    pub pause: Duration,
    /// How often it is tried before it is dead.
    pub max_attempts: u16,
}

impl NewJob {
    /// A job of a workspace that any worker may do at once.
    #[must_use]
    pub fn of(workspace: WorkspaceId, kind: JobKind, payload: Value, max_attempts: u16) -> Self {
        Self {
            id: JobId::generate(),
            kind,
            lane: None,
            workspace: Some(workspace),
            payload,
            pause: Duration::ZERO,
            max_attempts,
        }
    }
}

/// A job that a worker holds.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimedJob {
    /// The same at each attempt.
    pub id: JobId,
    /// The handler that does it.
    pub kind: JobKind,
    /// The handler's input; see [`ClaimedJob::read`].
    pub payload: Value,
    /// Which attempt this is, from 1.
    pub attempt: u32,
}

impl ClaimedJob {
    /// The payload as its handler knows it.
    ///
    /// # Errors
    /// It was written by a version that knew it otherwise.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, JobFailure> {
        T::deserialize(&self.payload)
            .map_err(|error| JobFailure::permanent(format!("the payload can't be read: {error}")))
    }

    /// A module of the domain that the payload names as `domain_id`; nothing where it names none.
    #[must_use]
    pub fn of_domain(&self, module: Module) -> Changed {
        #[derive(Deserialize)]
        struct Named {
            domain_id: DomainId,
        }
        let named = Named::deserialize(&self.payload);
        named
            .map(|Named { domain_id }| vec![(domain_id, module)])
            .unwrap_or_default()
    }
}

/// Why a job was not done.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{why}")]
pub struct JobFailure {
    /// The cause, for operators.
    pub why: String,
    /// When another attempt may help.
    pub retry: Retry,
    /// The error that the caller of its run and people of the workspace see once the job is dead; `None`: they see that Pharos
    /// failed.
    pub public_error: Option<RunError>,
}

impl JobFailure {
    /// Another attempt may help.
    pub fn retry(why: impl Into<String>) -> Self {
        Self {
            why: why.into(),
            retry: Retry::Backoff,
            public_error: None,
        }
    }

    /// Pharos itself failed; another attempt may help.
    pub fn internal(why: impl std::fmt::Display) -> Self {
        Self::retry(format!("{INTERNAL}{why}"))
    }

    /// Another attempt may help after a pause that the handler knows.
    pub fn retry_after(pause: Duration, why: impl Into<String>) -> Self {
        Self {
            retry: Retry::After(pause),
            ..Self::retry(why)
        }
    }

    /// Puts the job off, since its time has not come. This was no attempt.
    pub fn put_off(pause: Duration, why: impl Into<String>) -> Self {
        Self {
            retry: Retry::PutOff(pause),
            ..Self::retry(why)
        }
    }

    /// No other attempt will help.
    pub fn permanent(why: impl Into<String>) -> Self {
        Self {
            retry: Retry::Never,
            ..Self::retry(why)
        }
    }

    /// Ends the work for a reason that only its caller has to know: a page that can't be measured, a name that nobody has.
    pub fn expected(code: Suffix, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Self {
            retry: Retry::Unneeded,
            ..Self::retry(detail.clone()).with_public_error(code, detail)
        }
    }

    /// Adds the error that the caller of the job's run and people of the workspace see.
    #[must_use]
    pub fn with_public_error(self, code: Suffix, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Self {
            public_error: Some(RunError { code, detail }),
            ..self
        }
    }
}

/// When a job that was not done is tried again. No pause is longer than [`LONGEST_PAUSE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// After the usual pause, see [`backoff`], if attempts are left.
    Backoff,
    /// After this pause, if attempts are left.
    After(Duration),
    /// After this pause, whatever attempts are left: this was none.
    PutOff(Duration),
    /// No other attempt will help, and somebody should look at it.
    Never,
    /// No other attempt will help, and none is needed: the work came to an end that only its caller has to know.
    Unneeded,
}

/// Why a run failed, as its caller is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunError {
    /// The suffix of a problem of that kind.
    pub code: Suffix,
    /// The same in words. Never a secret, never SQL.
    pub detail: String,
}

impl From<StoreError> for JobFailure {
    fn from(error: StoreError) -> Self {
        let failure = Self::internal(&error);
        match error {
            // A statement that fails may do so for want of disk or memory, which the store can't tell apart.
            StoreError::Unavailable(_) | StoreError::TooLong(_) | StoreError::Failed(_) => failure,
            StoreError::Corrupt(_) => Self {
                retry: Retry::Never,
                ..failure
            },
        }
    }
}

/// The domains and modules that a job changed. Answers about them that were cached before are not served again.
pub type Changed = Vec<(DomainId, Module)>;

/// Does the jobs of one kind.
#[async_trait]
pub trait JobHandler: Send + Sync {
    /// The kind whose jobs it does.
    fn kind(&self) -> JobKind;

    /// How many of a worker's `places` its jobs take at once, at most. Kinds that wait for servers of others, which may hang,
    /// leave places to other kinds.
    fn most_at_once(&self, places: usize) -> usize {
        places
    }

    /// The domains and modules that a job may have changed although it failed: it may have stored why, or a part of its work.
    /// Answers about them are served no more either.
    fn touched(&self, _job: &ClaimedJob) -> Changed {
        Changed::new()
    }

    /// Does a job. It may be dropped at any await and be done again by another worker: when this worker ends, or has lost its
    /// lease.
    async fn run(&self, job: &ClaimedJob) -> Result<Changed, JobFailure>;
}

/// A worker that asks for jobs.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    /// The holder of the leases.
    pub worker: WorkerId,
    /// The kinds that it does.
    pub kinds: &'a [JobKind],
    /// The worker's region: it gets jobs of this lane, and jobs without a lane.
    pub lane: &'a str,
    /// How long no other worker gets the claimed jobs, up to [`LONGEST_LEASE`].
    pub lease: Duration,
    /// The most jobs to claim.
    pub limit: usize,
}

/// An attempt at a job, with its outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The job that was tried.
    pub job: JobId,
    /// Which attempt, as [`ClaimedJob::attempt`] has it.
    pub number: u32,
    /// Whether the job is done, and if not, why.
    pub outcome: JobOutcome,
}

/// The outcome of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobOutcome {
    /// The job is done.
    Succeeded,
    /// It is not time for it yet; this was no attempt.
    PutOff {
        /// How long until it is tried again.
        pause: Duration,
    },
    /// It is not.
    Failed {
        /// The cause, for operators.
        why: String,
        /// How long until it is tried again, if attempts are left; `None`: never.
        pause: Option<Duration>,
        /// The error that the caller of its run gets once the job is dead; `None`: that Pharos failed.
        public_error: Option<RunError>,
    },
}

/// Hands out jobs, and stores the outcomes of attempts. Its own clock decides what is due and until when a lease holds, since
/// the clocks of workers may differ.
#[async_trait]
pub trait JobQueue: Send + Sync {
    /// Claims jobs that are due, the longest due first. A job whose lease is over is due too; if that was its last attempt, it
    /// is marked as dead instead.
    async fn claim(&self, claim: &Claim<'_>) -> Result<Vec<ClaimedJob>, StoreError>;

    /// Renews the leases of jobs, and returns those that the worker still holds.
    async fn extend(
        &self,
        worker: WorkerId,
        jobs: &[JobId],
        lease: Duration,
    ) -> Result<Vec<JobId>, StoreError>;

    /// Stores the outcomes of attempts, and returns the state of each job. It leaves out attempts that the worker no longer
    /// holds, since another worker has the job. It also leaves out an outcome that can't be stored: that is set aside, and its
    /// job is due again when the lease ends.
    async fn settle(
        &self,
        worker: WorkerId,
        attempts: &[Attempt],
    ) -> Result<Vec<(JobId, JobState)>, StoreError>;

    /// Gives back jobs that the worker has not finished. They are due at once, and the attempt does not count.
    async fn release(&self, worker: WorkerId, jobs: &[JobId]) -> Result<(), StoreError>;

    /// How long it is until the next job of these kinds is due, in this lane or without one; negative if one is due already.
    async fn next_due(&self, kinds: &[JobKind], lane: &str) -> Result<Option<Duration>, StoreError>;

    /// Deletes jobs that were finished longer ago than they are kept, and returns how many.
    async fn clean_up(&self, now: OffsetDateTime) -> Result<usize, StoreError>;
}

/// The pause after the attempt of that number failed. It is exponential with full jitter, so that jobs that failed together are
/// not tried again together. `fraction` is random, from 0 to 1.
#[must_use]
pub fn backoff(attempt: u32, fraction: f64) -> Duration {
    let doublings = attempt.saturating_sub(1).min(30);
    let most = (FIRST_BACKOFF * 2_f64.powi(doublings.cast_signed())).min(LONGEST_BACKOFF);
    most * fraction.clamp(0.0, 1.0)
}

/// Which jobs a list shows.
#[derive(Clone, Debug, Default)]
pub struct JobFilter {
    /// Only those in this state.
    pub state: Option<JobState>,
    /// Only those of this kind.
    pub kind: Option<String>,
    /// Only those of this workspace.
    pub workspace: Option<WorkspaceId>,
    /// Only those that were asked for before this one.
    pub before: Option<JobId>,
    /// How many at most.
    pub limit: u32,
}

/// A job as operators see it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JobDetails {
    /// The id by which an operator has it tried again.
    pub id: JobId,
    /// The name of its kind. This version may not know it.
    pub kind: String,
    /// The region that must do it.
    pub lane: Option<String>,
    /// The workspace that it belongs to.
    pub workspace_id: Option<WorkspaceId>,
    /// How far it is.
    pub state: JobState,
    /// The attempts that were made, the present one included.
    pub attempts: u32,
    /// How many are made at most.
    pub max_attempts: u32,
    /// When it was requested.
    pub created_at: Timestamp,
    /// When it is tried, or was tried last.
    pub run_at: Timestamp,
    /// When it was finished.
    pub finished_at: Option<Timestamp>,
    /// Why the last attempt failed, for operators.
    pub last_error: Option<String>,
    /// The same for people of the workspace; `None`: they are not told.
    pub error_detail: Option<String>,
    /// The handler's input.
    pub payload: Value,
}

impl JobDetails {
    /// The cause of the last failure as people of the workspace see it. A cause that was not written for them is for operators
    /// only.
    #[must_use]
    pub fn cause(&self) -> Option<&str> {
        self.last_error.as_ref()?;
        let told = self.error_detail.as_deref();
        Some(told.unwrap_or("Whoever runs this Pharos finds the cause by this job’s id"))
    }
}

/// Why a job is not tried again.
#[derive(Debug, Error)]
pub enum RetryError {
    /// There is none of that id.
    #[error("there is no such job")]
    NotFound,
    /// It is not dead.
    #[error("the job is {0}; only a dead one can be tried again")]
    NotDead(JobState),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The jobs, for operators: lists them, and has dead ones tried again.
#[async_trait]
pub trait JobAdmin: Send + Sync {
    /// The jobs, the newest first.
    async fn list(&self, filter: &JobFilter) -> Result<Vec<JobDetails>, StoreError>;

    /// The job of that id.
    async fn find(&self, job: JobId) -> Result<Option<JobDetails>, StoreError>;

    /// Retries a dead job at once, with as many attempts as a new one.
    async fn retry(&self, job: JobId, actor: &Actor, now: OffsetDateTime) -> Result<JobDetails, RetryError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pause_doubles_up_to_ten_minutes_and_jitter_takes_any_part_of_it() {
        let most = |attempt| backoff(attempt, 1.0).whole_seconds();
        let pauses: Vec<i64> = (1..=11).map(most).collect();
        assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600]);
        assert_eq!((most(u32::MAX), most(0)), (600, 1));
        assert_eq!(backoff(4, 0.25), Duration::seconds(2));
        assert_eq!(backoff(4, 0.0), Duration::ZERO);
    }
}
