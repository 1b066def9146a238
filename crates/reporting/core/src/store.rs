//! The ports to templates and runs, and to what schedules make due.

use async_trait::async_trait;
use pharos_domain::{
    credits::{Answering, Charged, Keyed, SettleError},
    identity::DomainAccess,
    ids::{ReportTemplateId, RunId, WorkspaceId},
    page::{Page, PageRequest},
    runs::RunStatus,
    settings::{ChangeError, SettingsChange},
    store::StoreError,
};
use pharos_due::work::DueClaim;
use time::{Duration, OffsetDateTime};

use crate::{
    run::{NewReportRun, ReportOrder, ReportResult, ReportRun},
    template::{Template, TemplateSettings},
};

/// Why a template was not made or changed.
#[derive(Debug, thiserror::Error)]
pub enum TemplateError {
    /// The domain has another of this name.
    #[error("the domain has a template of this name")]
    NameTaken,
    /// It would not be in order, the plan has no room, or it was not settled.
    #[error(transparent)]
    Change(#[from] ChangeError),
}

impl From<StoreError> for TemplateError {
    fn from(error: StoreError) -> Self {
        Self::Change(error.into())
    }
}

impl From<SettleError> for TemplateError {
    fn from(error: SettleError) -> Self {
        Self::Change(error.into())
    }
}

/// Keeps templates.
#[async_trait]
pub trait TemplateStore: Send + Sync {
    /// The domain's templates, by name.
    async fn list(&self, domain: &DomainAccess) -> Result<Vec<Template>, StoreError>;

    /// One of them.
    async fn find(&self, domain: &DomainAccess, id: ReportTemplateId)
    -> Result<Option<Template>, StoreError>;

    /// Makes one.
    async fn create(
        &self,
        domain: &Charged<DomainAccess>,
        settings: &TemplateSettings,
        now: OffsetDateTime,
    ) -> Result<Template, TemplateError>;

    /// Changes one; `None`: it is not there.
    async fn update(
        &self,
        domain: &Charged<DomainAccess>,
        id: ReportTemplateId,
        change: &SettingsChange<'_, TemplateSettings>,
        now: OffsetDateTime,
    ) -> Result<Option<Template>, TemplateError>;

    /// Deletes a template; its runs stay. `false`: it is not there.
    async fn delete(
        &self,
        domain: &Charged<DomainAccess>,
        id: ReportTemplateId,
        now: OffsetDateTime,
    ) -> Result<bool, SettleError>;
}

/// Makes templates that nobody pays for.
#[async_trait]
pub trait TemplateAdmin: Send + Sync {
    /// Makes a template of a domain, in the name of the user of this access.
    async fn create(
        &self,
        domain: &DomainAccess,
        settings: &TemplateSettings,
        now: OffsetDateTime,
    ) -> Result<Template, TemplateError>;
}

/// Which runs are listed: those that match every member that is given.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunFilter {
    /// Only runs of this template.
    pub template: Option<ReportTemplateId>,
    /// Only runs with this status.
    pub status: Option<RunStatus>,
}

/// Keeps runs.
#[async_trait]
pub trait ReportRunStore: Send + Sync {
    /// Records a run with its job, and charges for it, in one transaction.
    async fn request(
        &self,
        domain: &Keyed<DomainAccess>,
        new: &NewReportRun,
        answer: &Answering<'_, ReportRun>,
    ) -> Result<ReportRun, SettleError>;

    /// The domain's runs, the newest first, as they are at the moment.
    async fn list(
        &self,
        domain: &DomainAccess,
        filter: RunFilter,
        page: &PageRequest,
        now: OffsetDateTime,
    ) -> Result<Page<ReportRun>, StoreError>;

    /// A run of the domain as it is at the moment.
    async fn find(
        &self,
        domain: &DomainAccess,
        id: RunId,
        now: OffsetDateTime,
    ) -> Result<Option<ReportRun>, StoreError>;
}

/// A report that is to be made.
#[derive(Clone, Debug)]
pub struct WantedReport {
    /// The run that asked for it.
    pub run: ReportRun,
    /// The choices that it is made by.
    pub order: ReportOrder,
    /// The access to its domain, with what the workspace's plan has now.
    pub domain: DomainAccess,
}

/// Hands out reports to make, and stores their results.
#[async_trait]
pub trait ReportWork: Send + Sync {
    /// The report of a run. `None`: the run is gone, or nobody waits for it.
    async fn wanted(&self, id: RunId, now: OffsetDateTime) -> Result<Option<WantedReport>, StoreError>;

    /// Notes that a result may lie in its place from now on: it is taken out of there some day, also where nothing comes after
    /// this.
    async fn storing(&self, id: RunId) -> Result<(), StoreError>;

    /// Stores a result. Storing it again changes nothing but the result.
    async fn made(&self, id: RunId, result: &ReportResult, now: OffsetDateTime) -> Result<(), StoreError>;

    /// Some runs whose results are still stored although they are no longer kept, but none of `but`.
    async fn old_results(
        &self,
        now: OffsetDateTime,
        but: &[RunId],
        most: usize,
    ) -> Result<Vec<RunId>, StoreError>;

    /// Notes that these results are gone.
    async fn gone(&self, runs: &[RunId]) -> Result<(), StoreError>;

    /// Notes how it went to take old results out, so that operators hear of it: why some are still there, or that none is.
    async fn note_upkeep(&self, why_not: Option<String>);
}

/// A schedule that is due.
#[derive(Clone, Debug)]
pub struct DueSchedule {
    /// The template whose report is due.
    pub template: Template,
    /// The workspace of its domain.
    pub workspace: WorkspaceId,
    /// The user who last chose the schedule, in whose name its reports are made.
    pub requested_by: pharos_domain::runs::Requester,
    /// When it is due.
    pub due_at: OffsetDateTime,
    /// In how long it is due.
    pub due_in: Duration,
    /// When the lease ends. This moment also identifies the claim.
    pub leased_until: OffsetDateTime,
}

/// The outcome of a schedule that was due.
#[derive(Clone, Debug)]
pub struct ScheduleOutcome {
    /// The template whose report was due.
    pub template: ReportTemplateId,
    /// The claim that this settles.
    pub leased_until: OffsetDateTime,
    /// The run to make; `None`: the schedule can no longer be followed.
    pub run: Option<Box<NewReportRun>>,
    /// When it is due next.
    pub next_at: Option<OffsetDateTime>,
}

/// Keeps what is due.
#[async_trait]
pub trait ReportSchedules: Send + Sync {
    /// Frees what workers that died have claimed.
    async fn bring_back(&self) -> Result<(), StoreError>;

    /// Claims schedules that are due.
    async fn claim(&self, claim: &DueClaim) -> Result<Vec<DueSchedule>, StoreError>;

    /// When the next one is due.
    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError>;

    /// Records the runs, and when their schedules are due next, where the claim still holds. A run that can't be stored is set
    /// aside, and its schedule waits for an hour.
    async fn settle(&self, outcomes: &[ScheduleOutcome], now: OffsetDateTime) -> Result<(), StoreError>;

    /// Gives claims back.
    async fn release(&self, claimed: &[&DueSchedule]) -> Result<(), StoreError>;
}
