//! The ports to what is kept of robots.txt files.

use async_trait::async_trait;
use pharos_domain::{
    credits::{Charged, SettleError},
    identity::DomainAccess,
    ids::{DomainId, RunId},
    page::{Page, PageRequest},
    store::StoreError,
};
use pharos_due::work::DueClaim;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::{
    fetch::Fetched,
    site::{IssueCounts, RobotsCheck, RobotsSite, RobotsVersion, TestUrl, VersionDetail, WatchedSite},
};

/// The reads and changes that callers ask for.
#[async_trait]
pub trait RobotsStore: Send + Sync {
    /// The state of the domain's file; `None` before its first check.
    async fn site(&self, domain: &DomainAccess) -> Result<Option<RobotsSite>, StoreError>;

    /// The versions of the file, the newest first.
    async fn versions(
        &self,
        domain: &DomainAccess,
        page: &PageRequest,
    ) -> Result<Page<RobotsVersion>, StoreError>;

    /// One version; `None`: the domain has none of that id.
    async fn version(&self, domain: &DomainAccess, id: Uuid) -> Result<Option<VersionDetail>, StoreError>;

    /// The last `limit` checks, all or those of a run, the newest first.
    async fn checks(
        &self,
        domain: &DomainAccess,
        run: Option<RunId>,
        limit: u32,
    ) -> Result<Vec<RobotsCheck>, StoreError>;

    /// The URLs that are saved with what is expected of them, in their order.
    async fn test_urls(&self, domain: &DomainAccess) -> Result<Vec<TestUrl>, StoreError>;

    /// Puts these in their place.
    async fn replace_test_urls(
        &self,
        domain: &Charged<DomainAccess>,
        items: &[TestUrl],
    ) -> Result<(), SettleError>;

    /// The counts of findings a while ago, by the version that was current then; `None` where none was.
    async fn counts_at(
        &self,
        domain: &DomainAccess,
        at: OffsetDateTime,
    ) -> Result<Option<IssueCounts>, StoreError>;
}

/// The schedule of checks, and their results.
#[async_trait]
pub trait RobotsSchedule: Send + Sync {
    /// Schedules checks from `now` on for at most `limit` domains that have none yet: live ones, of workspaces whose plan has
    /// the module.
    async fn enrol(&self, now: OffsetDateTime, limit: usize) -> Result<(), StoreError>;

    /// Makes those due at once that a clock, which has been set back since, had put out of reach.
    async fn bring_back(&self) -> Result<(), StoreError>;

    /// Claims sites that are due, the longest due first. Nobody else gets them before the lease is over.
    async fn claim(&self, claim: &DueClaim) -> Result<Vec<DueSite>, StoreError>;

    /// When the next site is due, by the clock that says that it is `now`.
    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError>;

    /// Gives claims back of sites that were not checked.
    async fn release(&self, claimed: &[&DueSite]) -> Result<(), StoreError>;

    /// How the watch as a whole is doing, for operators.
    async fn watch_health(&self) -> Result<WatchHealth, StoreError>;

    /// One site, beside the schedule; `None`: the domain is deleted.
    async fn watched(&self, domain: DomainId) -> Result<Option<WatchedSite>, StoreError>;

    /// Stores finished checks with what they change, and gives the claims back that they come from. A check of a claim that
    /// another node holds by now is passed over. The store's clock stamps what comes from a clock that is ahead. One
    /// that can't be stored is set aside; the answer says for how many that is so.
    async fn complete(&self, finished: &[FinishedCheck]) -> Result<usize, StoreError>;
}

/// A site that is due, claimed by this process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueSite {
    /// The site.
    pub site: WatchedSite,
    /// How long after its claim it is due.
    pub due_in: Duration,
    /// How long it is from one check to the next.
    pub interval: Duration,
    /// When the claim ends. This moment also identifies the claim.
    pub leased_until: OffsetDateTime,
    /// A URL of the site; `None`: nobody knows one.
    pub address: Option<String>,
}

/// How the watch of all sites is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WatchHealth {
    /// Sites of live domains.
    pub watched: u32,
    /// Those whose last check failed.
    pub failing: u32,
    /// Those that have been due for more than an hour, or than their interval where that is shorter.
    pub overdue: u32,
}

/// The turn of the schedule that a check was made in.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// The claim that it comes from.
    pub leased_until: OffsetDateTime,
    /// When the next turn is due.
    pub next_check_at: OffsetDateTime,
}

/// A check that was made.
#[derive(Clone, Debug, PartialEq)]
pub struct FinishedCheck {
    /// The domain that was checked.
    pub domain: DomainId,
    /// The turn that it comes from; `None`: it was made out of turn, and the schedule goes on as it was.
    pub turn: Option<Turn>,
    /// The run that it comes from; `None`: the schedule.
    pub run: Option<RunId>,
    /// The fetch; `None`: the site has no URL to ask.
    pub fetched: Option<Fetched>,
}
