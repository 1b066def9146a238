//! Inspector runs: asked for, seen and done.

use async_trait::async_trait;
use pharos_domain::{
    credits::{Answering, Keyed},
    identity::DomainAccess,
    ids::{DomainId, RunId},
    page::{Page, PageRequest},
    runs::{NewRun, Run},
    settings::ChangeError,
    store::StoreError,
    wire_enum,
};
use time::OffsetDateTime;

use super::{
    schedule::Attempt,
    urls::{KnownUrl, PastState},
};
use crate::indexing::quota::{InspectorQuota, QuotaDay};

/// How many runs are listed.
pub const MOST_RUNS: u32 = 100;

wire_enum! {
    /// The status of a URL of an inspector run.
    ResultStatus as "InspectorResultStatus" {
        /// It was inspected.
        Done = "done",
        /// It could not be.
        Failed = "failed",
        /// It stands in the request before.
        SkippedDuplicate = "skipped_duplicate",
        /// The property's inspections of the day were used up by then.
        SkippedQuota = "skipped_quota",
    }
}

/// An inspector run.
#[derive(Clone, Debug, PartialEq)]
pub struct InspectorRun {
    /// The run with how far it is.
    pub run: Run,
    /// The name that people gave it.
    pub label: Option<String>,
}

/// An inspector run that is requested.
#[derive(Clone, Debug, PartialEq)]
pub struct NewInspectorRun {
    /// The run with its job.
    pub run: NewRun,
    /// The name that people gave it.
    pub label: Option<String>,
    /// The property that the URLs are inspected by.
    pub site_url: String,
    /// The URLs in normal form, as they were asked for; repeated ones are inspected once.
    pub urls: Vec<String>,
}

/// A run with the rest of the quota after its request.
pub type RequestedRun = (InspectorRun, InspectorQuota);

/// The result of a URL of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunResult {
    /// Its place in the request, from 0.
    pub place: i64,
    /// How its inspection ended.
    pub status: ResultStatus,
    /// Why it failed.
    pub error_code: Option<String>,
    /// The URL, with the inspection that the run made where it made one.
    pub url: KnownUrl,
    /// Its past states, the newest first.
    pub history: Vec<PastState>,
}

/// Inspector runs, as callers see them.
#[async_trait]
pub trait InspectorRuns: Send + Sync {
    /// Records a run with its job, takes what it needs of both quotas, and charges for it, in one transaction.
    async fn request(
        &self,
        domain: &Keyed<DomainAccess>,
        new: &NewInspectorRun,
        answer: &Answering<'_, RequestedRun>,
        now: OffsetDateTime,
    ) -> Result<RequestedRun, ChangeError>;

    /// The domain's runs, the newest first, at most [`MOST_RUNS`].
    async fn list(&self, domain: &DomainAccess, now: OffsetDateTime)
    -> Result<Vec<InspectorRun>, StoreError>;

    /// A run of the domain.
    async fn find(
        &self,
        domain: &DomainAccess,
        id: RunId,
        now: OffsetDateTime,
    ) -> Result<Option<InspectorRun>, StoreError>;

    /// The results of its URLs, in their order. URLs that were not inspected yet are left out.
    async fn results(
        &self,
        domain: &DomainAccess,
        id: RunId,
        page: &PageRequest<i64>,
    ) -> Result<Page<RunResult>, StoreError>;
}

/// The work that a job of an inspector run has to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunOrder {
    /// The property that the URLs are inspected by.
    pub site_url: String,
    /// The URLs that were not inspected yet, by their places.
    pub waiting: Vec<(i64, String)>,
    /// How many URLs the run has.
    pub total: u32,
    /// How many of them are done, repeated ones included.
    pub completed: u32,
    /// How many failed or were left out for the quota.
    pub failed: u32,
}

/// The outcome of a URL of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunOutcome {
    /// The place of the URL in the run.
    pub place: i64,
    /// How its inspection ended.
    pub status: ResultStatus,
    /// The attempt; its failure is the run's `error_code` of the URL.
    pub attempt: Attempt,
}

/// How many inspections a run may make now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// So many, one at least.
    Some(u32),
    /// None: those of the day are used up.
    DayUsed,
    /// None within this minute.
    MinuteUsed,
}

/// Does inspector runs.
#[async_trait]
pub trait InspectorWork: Send + Sync {
    /// The rest of a run's work; `None`: there is no such run any more.
    async fn order(&self, id: RunId) -> Result<Option<RunOrder>, StoreError>;

    /// Takes inspections for the next requests of a run, at most so many. They come from those that the run took when it was
    /// requested, and, once these are used up, as after a failure, from the property's day. Inspections of a day that is over
    /// are given back to it, and taken from the present day.
    async fn take(&self, id: RunId, day: QuotaDay, most: u32) -> Result<Taken, StoreError>;

    /// Gives back inspections that a run took and did not use.
    async fn put_back(&self, id: RunId, unused: u32) -> Result<(), StoreError>;

    /// Gives the inspections that an ending run has left back to the property and to the plan.
    async fn release(&self, id: RunId) -> Result<(), StoreError>;

    /// Stores the outcomes of URLs of a run, and their findings. Doing it again changes nothing.
    async fn keep(&self, id: RunId, domain: DomainId, outcomes: &[RunOutcome]) -> Result<(), StoreError>;

    /// Works out how a domain stands by now, of whose URLs the newest inspection was made then.
    async fn stand(&self, domain: DomainId, newest: OffsetDateTime) -> Result<(), StoreError>;
}
