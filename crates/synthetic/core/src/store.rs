//! The ports to what is stored of the lab.

use async_trait::async_trait;
use pharos_domain::{
    credits::{Answering, Charged, Keyed, SettleError},
    identity::DomainAccess,
    ids::{DomainId, RunId, SyntheticUrlId, WorkspaceId},
    page::{Page, PageRequest},
    runs::{NewRun, Run, RunStatus},
    settings::{ChangeError, SettingFault},
    store::StoreError,
};
use pharos_due::work::DueClaim;
use time::{Duration, OffsetDateTime};

use crate::{
    budget::{Budget, BudgetStatus, KeptBudget},
    conditions::Conditions,
    figure::Figures,
    page::{PageSettings, TrackedPage},
    profile::Profile,
    result::{AuditRow, Filmstrip, Lists, Opportunity, Resource, Summary, ThirdParty},
    run::{IMAGES_KEPT, LabRun, Trigger},
    series::{EngineChange, Point, SeriesQuery},
};

/// A page that is to be tracked. Its secrets are sealed.
#[derive(Clone, Debug, PartialEq)]
pub struct NewPage {
    /// The id that it gets.
    pub id: SyntheticUrlId,
    /// The settings that were requested.
    pub settings: PageSettings,
    /// The secrets that it is reached by, sealed.
    pub secrets: SealedSecrets,
    /// When it is measured first.
    pub next_run_at: Option<OffsetDateTime>,
}

/// Secrets, sealed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SealedSecrets {
    /// The sealed bytes; `None`: there are no secrets.
    pub sealed: Option<Vec<u8>>,
    /// Whether a user and a password are among them.
    pub has_basic_auth: bool,
    /// Whether a cookie is.
    pub has_cookie: bool,
}

/// A page as it will be.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangedPage {
    /// The settings that it has from now on.
    pub settings: PageSettings,
    /// The sealed secrets by which it is reached from now on.
    pub secrets: SealedSecrets,
    /// When it is measured next.
    pub next_run_at: Option<OffsetDateTime>,
}

/// A pure function from a page and its sealed secrets to the page as it will be. The store calls it in the transaction of the
/// change.
pub type PageChange<'a> =
    dyn Fn(&TrackedPage, &SealedSecrets) -> Result<ChangedPage, Vec<SettingFault>> + Send + Sync + 'a;

/// A pure function from the budgets of a domain to those that it will have. The store calls it in the transaction of the change.
pub type BudgetsChange<'a> = dyn Fn(&[Budget]) -> Result<Vec<Budget>, Vec<SettingFault>> + Send + Sync + 'a;

/// Which runs a list shows.
#[derive(Clone, Debug, Default)]
pub struct RunFilter {
    /// Only runs of this page.
    pub url_id: Option<SyntheticUrlId>,
    /// Only runs on this profile.
    pub profile_id: Option<String>,
    /// Only runs with this status.
    pub status: Option<RunStatus>,
    /// Only runs that were triggered so.
    pub trigger: Option<Trigger>,
}

/// A page on a profile, as it stood at its newest finished run.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The page that is tested.
    pub url_id: SyntheticUrlId,
    /// Its URL.
    pub url: String,
    /// The name that people gave the page.
    pub label: Option<String>,
    /// The id of the profile that it is tested with.
    pub profile_id: String,
    /// The newest finished run, how it ended, and when.
    pub last: Option<(RunId, RunStatus, OffsetDateTime)>,
    /// The figures of the newest finished test.
    pub figures: Figures,
    /// The major version of Lighthouse that measured it; `None`: it is not known, or there is no result.
    pub engine_major: Option<String>,
    /// The scores of performance of the five runs before it that succeeded on the same major version.
    pub scores_before: Vec<f64>,
    /// How its budgets stood at its newest run that succeeded.
    pub budgets: BudgetStatus,
    /// When the page is measured next.
    pub next_run_at: Option<OffsetDateTime>,
    /// How many runs in a row failed.
    pub failures: u32,
}

/// How many runs there were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunCounts {
    /// Runs that were requested.
    pub runs: u64,
    /// Those of them that failed.
    pub failed: u64,
}

/// Reads and changes what the lab has of a domain.
#[async_trait]
pub trait LabStore: Send + Sync {
    /// The pages that are tracked, the newest first.
    async fn pages(&self, domain: &DomainAccess) -> Result<Vec<TrackedPage>, StoreError>;

    /// One of them.
    async fn page(
        &self,
        domain: &DomainAccess,
        id: SyntheticUrlId,
    ) -> Result<Option<TrackedPage>, StoreError>;

    /// Tracks a page. It is a fault if the domain has as many pages as it may.
    async fn track(
        &self,
        domain: &Charged<DomainAccess>,
        page: &NewPage,
        now: OffsetDateTime,
    ) -> Result<TrackedPage, ChangeError>;

    /// Changes a page. `None`: there is none with this id.
    async fn change(
        &self,
        domain: &Charged<DomainAccess>,
        id: SyntheticUrlId,
        change: &PageChange<'_>,
        now: OffsetDateTime,
    ) -> Result<Option<TrackedPage>, ChangeError>;

    /// Stops tracking a page. Its runs stay. `false`: there is no page with this id.
    async fn untrack(
        &self,
        domain: &Charged<DomainAccess>,
        id: SyntheticUrlId,
        now: OffsetDateTime,
    ) -> Result<bool, SettleError>;

    /// Records a run that a caller requested.
    async fn request(
        &self,
        domain: &Keyed<DomainAccess>,
        new: &NewRun,
        page: &TrackedPage,
        profile: &Profile,
        answer: &Answering<'_, Run>,
    ) -> Result<Run, ChangeError>;

    /// Whether a page was ever tracked.
    async fn is_configured(&self, domain: &DomainAccess) -> Result<bool, StoreError>;

    /// Runs, the newest first.
    async fn runs(
        &self,
        domain: &DomainAccess,
        filter: &RunFilter,
        page: &PageRequest,
    ) -> Result<Page<LabRun>, StoreError>;

    /// One of them.
    async fn run(&self, domain: &DomainAccess, id: RunId) -> Result<Option<LabRun>, StoreError>;

    /// The audits of a run; none while it has no result. Whoever has the run may read its lists, here and below.
    async fn audits(&self, run: &LabRun) -> Result<Vec<AuditRow>, StoreError>;

    /// Changes that would make the page faster.
    async fn opportunities(&self, run: &LabRun) -> Result<Vec<Opportunity>, StoreError>;

    /// The requests that the page made in a run.
    async fn resources(&self, run: &LabRun) -> Result<Vec<Resource>, StoreError>;

    /// Those who serve the resources of the page of a run.
    async fn third_parties(&self, run: &LabRun) -> Result<Vec<ThirdParty>, StoreError>;

    /// How the page of a run looked while it loaded.
    async fn filmstrip(&self, run: &LabRun) -> Result<Filmstrip, StoreError>;

    /// How each page stands on each of its profiles, as of a moment.
    async fn standings(&self, domain: &DomainAccess, at: OffsetDateTime)
    -> Result<Vec<Standing>, StoreError>;

    /// How many runs were asked for since a moment.
    async fn counts(&self, domain: &DomainAccess, since: OffsetDateTime) -> Result<RunCounts, StoreError>;

    /// Figures over time, in order; one more than [`MOST_POINTS`](crate::series::MOST_POINTS) at most.
    async fn series(&self, domain: &DomainAccess, query: &SeriesQuery<'_>) -> Result<Vec<Point>, StoreError>;

    /// The tests of the days, pages and profiles of series from which on another major version of Lighthouse measured, the oldest
    /// first; [`MOST_POINTS`](crate::series::MOST_POINTS) at most.
    async fn engine_changes(
        &self,
        domain: &DomainAccess,
        query: &SeriesQuery<'_>,
    ) -> Result<Vec<EngineChange>, StoreError>;

    /// The budgets, in their order, with how they stand by the newest run that succeeded of each page on each of its profiles.
    async fn budgets(&self, domain: &DomainAccess) -> Result<Vec<KeptBudget>, StoreError>;

    /// Replaces the budgets. A budget of the same page, profile, metric, bound and direction keeps its id; one of a page that was
    /// let go meanwhile is left out. The newest runs judge all of them, those of before included.
    async fn replace_budgets(
        &self,
        domain: &Charged<DomainAccess>,
        budgets: &[Budget],
    ) -> Result<Vec<KeptBudget>, SettleError>;

    /// Changes the budgets by a function of those that there are at that time: nobody else changes them meanwhile.
    async fn change_budgets(
        &self,
        domain: &Charged<DomainAccess>,
        change: &BudgetsChange<'_>,
    ) -> Result<Vec<KeptBudget>, ChangeError>;
}

/// A page that is due, claimed by this process.
#[derive(Clone, Debug, PartialEq)]
pub struct DuePage {
    /// The page that is due.
    pub id: SyntheticUrlId,
    /// The domain that it is of.
    pub domain: DomainId,
    /// The workspace that its tests count for.
    pub workspace: WorkspaceId,
    /// The settings by which it is tested.
    pub settings: PageSettings,
    /// How long after its claim it is due.
    pub due_in: Duration,
    /// When the claim ends. This moment also identifies the claim.
    pub leased_until: OffsetDateTime,
}

/// A page whose runs are to be asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// The page whose tests are planned.
    pub page: DuePage,
    /// When it was found due.
    pub now: OffsetDateTime,
    /// When it is due again.
    pub next_run_at: Option<OffsetDateTime>,
}

/// The data of its page that a run needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// When the run was requested.
    pub requested_at: OffsetDateTime,
    /// The page that is to be tested.
    pub page_id: SyntheticUrlId,
    /// The settings by which it is tested.
    pub settings: PageSettings,
    /// Its secrets, sealed.
    pub sealed: Option<Vec<u8>>,
    /// The id of the profile to test it with.
    pub profile_id: String,
    /// The conditions of the five newest tests of both that succeeded.
    pub before: Option<Conditions>,
}

/// The end of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// It has a result, though that may be that the page could not be measured.
    Measured(Box<Measured>),
    /// It has none.
    Failed {
        /// The suffix of a problem.
        code: String,
        /// The same in words.
        detail: String,
    },
}

/// A result.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Its result, but for the lists.
    pub summary: Summary,
    /// The lists that are read whole.
    pub lists: Lists,
    /// Until when its pictures are kept; `None`: it has none.
    pub images_until: Option<OffsetDateTime>,
    /// Until when its files are kept: its pictures, and all that Lighthouse wrote.
    pub files_until: OffsetDateTime,
}

impl Measured {
    /// The result of a run that ends now.
    #[must_use]
    pub fn new(summary: Summary, lists: Lists, now: OffsetDateTime) -> Self {
        let until = now + IMAGES_KEPT;
        Self {
            images_until: lists.filmstrip.has_pictures().then_some(until),
            files_until: until,
            summary,
            lists,
        }
    }
}

/// A run whose files are kept no longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OldFiles {
    /// The domain that the run is of.
    pub domain: DomainId,
    /// The run that the files are of.
    pub run: RunId,
    /// Until when they were kept.
    pub until: OffsetDateTime,
}

/// Plans runs, and records what became of them.
#[async_trait]
pub trait LabSchedule: Send + Sync {
    /// Claims pages that are due, the longest due first. Nobody else gets them before the lease is over.
    async fn claim(&self, claim: &DueClaim) -> Result<Vec<DuePage>, StoreError>;

    /// When the next page is due, by the clock that says that it is `now`.
    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError>;

    /// Makes those due at once that a clock, which has been set back since, had put out of reach.
    async fn bring_back(&self) -> Result<(), StoreError>;

    /// Ends the runs that nobody will do any more: those that no node took in time, and those whose job is over without a
    /// result. It says the domains that they are of, each once.
    async fn give_up(&self) -> Result<Vec<DomainId>, StoreError>;

    /// Records the runs of claimed pages, one a profile, and gives the claims back. It records nothing for a claim that another
    /// node holds by now.
    async fn plan(&self, planned: &[Planned]) -> Result<(), StoreError>;

    /// Gives back the claims of pages whose runs were not recorded.
    async fn release(&self, claimed: &[&DuePage]) -> Result<(), StoreError>;

    /// Tracks a page of a domain that never had one, without a charge, because Pharos itself wants it. It takes of the
    /// plan's quota as any other. `false`: the domain had one.
    async fn adopt(
        &self,
        domain: DomainId,
        workspace: WorkspaceId,
        page: &NewPage,
        now: OffsetDateTime,
    ) -> Result<bool, ChangeError>;

    /// Notes that a run begins, and says what it is to measure. `None`: it is over, or its page or its domain is gone.
    async fn begin(&self, run: RunId, now: OffsetDateTime) -> Result<Option<Assignment>, StoreError>;

    /// Records the end of a run, once. `false`: it had ended before.
    async fn end(&self, run: RunId, ended: &Ended, now: OffsetDateTime) -> Result<bool, StoreError>;

    /// Runs whose files are kept no longer, `most` of them at most, those first whose time was over first, from the one that comes
    /// next after `after`.
    async fn with_old_files(
        &self,
        now: OffsetDateTime,
        after: Option<OldFiles>,
        most: u32,
    ) -> Result<Vec<OldFiles>, StoreError>;

    /// Notes that the files of these runs are gone.
    async fn files_gone(&self, runs: &[RunId]) -> Result<(), StoreError>;

    /// Notes how the deletion of old files came out, so that operators hear of it: why some are still there, or that none is.
    async fn note_erasure(&self, why_not: Option<String>);
}
