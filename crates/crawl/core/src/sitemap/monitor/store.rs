//! The ports to what is kept of sitemaps.

use std::collections::BTreeMap;

use async_trait::async_trait;
use pharos_domain::{
    credits::{Charged, SettleError},
    identity::DomainAccess,
    ids::{DomainId, RunId, WorkspaceId},
    page::{Page, PageRequest},
    store::StoreError,
    window::DateRange,
};
use pharos_due::work::DueClaim;
use time::{Duration, OffsetDateTime};
use url::Url;
use uuid::Uuid;

use super::{
    outcome::FileOutcome,
    pages::{ChangeFilter, PageChange, PageFilter, SitemapPage},
    site::{
        AskedBy, CheckCounts, Conflict, Figures, FileDetail, FileIssue, IssueFilter, ListedPage, SiteRobots,
        SitemapDay, SitemapFile, SitemapSite, WatchedFile,
    },
};
use crate::robots::monitor::site::IssueCounts;

/// The reads and changes that callers ask for.
#[async_trait]
pub trait SitemapStore: Send + Sync {
    /// The sitemaps of the domain at a glance; `None` before a check has ended.
    async fn site(
        &self,
        domain: &DomainAccess,
        now: OffsetDateTime,
    ) -> Result<Option<SitemapSite>, StoreError>;

    /// The watched files, or those of them that a run fetched: roots first, then by URL.
    async fn files(&self, domain: &DomainAccess, run: Option<RunId>) -> Result<Vec<SitemapFile>, StoreError>;

    /// One file; `None`: none of that id is watched.
    async fn file(&self, domain: &DomainAccess, id: Uuid) -> Result<Option<FileDetail>, StoreError>;

    /// Starts to watch a file at once. A file that is watched already stays as it is. `None`: the site has no
    /// room for another file.
    async fn add(
        &self,
        domain: &Charged<DomainAccess>,
        url: &Url,
        now: OffsetDateTime,
    ) -> Result<Option<SitemapFile>, SettleError>;

    /// Stops watching a file, and the files that it alone names. `false`: no file with this id is watched.
    async fn stop(
        &self,
        domain: &Charged<DomainAccess>,
        id: Uuid,
        now: OffsetDateTime,
    ) -> Result<bool, SettleError>;

    /// Pages, the newest first. A page that several files name has one row.
    async fn pages(
        &self,
        domain: &DomainAccess,
        filter: &PageFilter,
        page: &PageRequest,
    ) -> Result<Page<SitemapPage>, StoreError>;

    /// The addresses of at most `limit` present pages of an origin, such as `https://shop.example`. Which pages is arbitrary,
    /// but they are the same ones at each call.
    async fn sample(
        &self,
        domain: &DomainAccess,
        origin: &str,
        limit: u32,
    ) -> Result<Vec<String>, StoreError>;

    /// Changes, the newest first.
    async fn changes(
        &self,
        domain: &DomainAccess,
        filter: &ChangeFilter,
        page: &PageRequest,
    ) -> Result<Page<PageChange>, StoreError>;

    /// Findings, the gravest first, 1,000 at most.
    async fn issues(&self, domain: &DomainAccess, filter: IssueFilter) -> Result<Vec<FileIssue>, StoreError>;

    /// The days of a range that have a check.
    async fn days(&self, domain: &DomainAccess, range: DateRange) -> Result<Vec<SitemapDay>, StoreError>;

    /// The counts of findings on the last day before a moment that had a check; `None`: none had.
    async fn counts_before(
        &self,
        domain: &DomainAccess,
        at: OffsetDateTime,
    ) -> Result<Option<IssueCounts>, StoreError>;
}

/// The reads of pages that robots.txt blocks.
#[async_trait]
pub trait ConflictStore: Send + Sync {
    /// The version of robots.txt that pages were last compared with.
    async fn judged_by(&self, domain: &DomainAccess) -> Result<Option<SiteRobots>, StoreError>;

    /// The pages that a crawler may not fetch, in the order in which they were found.
    async fn conflicts(
        &self,
        domain: &DomainAccess,
        crawler: &str,
        page: &PageRequest,
    ) -> Result<Page<Conflict>, StoreError>;
}

/// The schedule of checks.
#[async_trait]
pub trait SitemapSchedule: Send + Sync {
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

    /// Frees claims whose checks are over, and stores when their sites are due next. It skips claims that another node holds by
    /// now.
    async fn settle(&self, checked: &[CheckedSite]) -> Result<(), StoreError>;
}

/// The reads and writes of a check. Each method is a transaction of its own: a check that is interrupted has done a part, and
/// the next one does the rest.
#[async_trait]
pub trait SitemapArchive: Send + Sync {
    /// Prepares a site for a check, and returns whose it is. `None`: the domain is deleted.
    async fn begin(&self, domain: DomainId) -> Result<Option<WorkspaceId>, StoreError>;

    /// The robots.txt of the site; `None`: no fetch of it has been answered yet.
    async fn robots(&self, domain: DomainId) -> Result<Option<SiteRobots>, StoreError>;

    /// Records which files robots.txt names, as far as there is room for them. A file that robots.txt no longer names at two
    /// checks in a row loses this source.
    async fn declare(&self, domain: DomainId, named: &[Url], now: OffsetDateTime) -> Result<(), StoreError>;

    /// Records at which usual paths files are looked for. A file at another path, such as that of a host that is no longer
    /// listed, loses this source. A file at one of these paths that robots.txt or an index named before gets it; a file that
    /// another index names stays with that index.
    async fn keep_usual(&self, domain: DomainId, paths: &[Url]) -> Result<(), StoreError>;

    /// The files that are to be fetched: those that no index alone names, or those of an index.
    async fn watched(
        &self,
        domain: DomainId,
        parent: Option<Uuid>,
        run: AskedBy,
    ) -> Result<Vec<WatchedFile>, StoreError>;

    /// Whether a file is known, watched or stopped.
    async fn knows(&self, domain: DomainId, url: &Url) -> Result<bool, StoreError>;

    /// Adds the file at the usual path, and returns its id.
    async fn adopt(&self, domain: DomainId, url: &Url, now: OffsetDateTime) -> Result<Uuid, StoreError>;

    /// Stores the outcome of a fetch of a file, with its changes. An outcome that can't be stored is set aside, and counts as a
    /// failed fetch.
    async fn import(
        &self,
        domain: DomainId,
        run: AskedBy,
        file: &WatchedFile,
        outcome: &FileOutcome,
    ) -> Result<CheckCounts, StoreError>;

    /// Deletes files that nothing names any more, with their pages.
    async fn sweep(&self, domain: DomainId, now: OffsetDateTime) -> Result<CheckCounts, StoreError>;

    /// Computes what concerns the files of a site together, and stores the outcome of a check of all of them.
    async fn conclude(
        &self,
        domain: DomainId,
        concluded: &Concluded,
        now: OffsetDateTime,
    ) -> Result<(), StoreError>;

    /// Computes the findings of files from the newest answers of pages, and counts them in the newest check.
    async fn weigh_samples(&self, domain: DomainId, now: OffsetDateTime) -> Result<(), StoreError>;
}

/// The result of a check of all files of a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Concluded {
    /// The counts of its changes.
    pub counts: CheckCounts,
    /// Whether robots.txt names a sitemap; `None`: no fetch of it has been answered yet.
    pub is_declared: Option<bool>,
    /// The totals; `None`: they are what they were, or could not be counted.
    pub figures: Option<Figures>,
    /// Whether pages were compared with each other, if they changed. If that could not be done, the next check does it again.
    pub is_compared: bool,
}

/// The pages that are compared with robots.txt, and the conflicts.
#[async_trait]
pub trait ConflictArchive: Send + Sync {
    /// Whether the pages or the robots.txt of the site have changed since they were last compared.
    async fn is_stale(&self, domain: DomainId) -> Result<bool, StoreError>;

    /// The present pages, ordered by their keys: the next `limit` after one.
    async fn listed(
        &self,
        domain: DomainId,
        after: Uuid,
        limit: usize,
    ) -> Result<Vec<ListedPage>, StoreError>;

    /// Replaces the known conflicts by those that were computed.
    async fn put(&self, domain: DomainId, found: &FoundConflicts) -> Result<(), StoreError>;
}

/// The computed conflicts: pages that robots.txt blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundConflicts {
    /// When.
    pub computed_at: OffsetDateTime,
    /// The version of robots.txt.
    pub version_id: Uuid,
    /// Pages on the host that the file speaks for.
    pub urls_checked: u64,
    /// The name under which Googlebot's are kept; `None`: no group speaks to it.
    pub googlebot: Option<String>,
    /// How many of Googlebot's each file names.
    pub googlebot_files: BTreeMap<Uuid, u64>,
    /// The pages that each crawler may not fetch.
    pub of_crawlers: BTreeMap<String, OfCrawler>,
}

/// The pages that a crawler may not fetch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OfCrawler {
    /// How many.
    pub total: u64,
    /// The first of them, with the rule's line and path.
    pub first: Vec<(ListedPage, u32, String)>,
}

/// A site that is due, claimed by this process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueSite {
    /// The domain that is due.
    pub domain: DomainId,
    /// How long after its claim it is due.
    pub due_in: Duration,
    /// How long it is from one check to the next.
    pub interval: Duration,
    /// When the claim ends. This moment also identifies the claim.
    pub leased_until: OffsetDateTime,
    /// A URL of the site; `None`: nobody knows one.
    pub address: Option<String>,
}

/// A site whose check is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckedSite {
    /// The domain that was checked.
    pub domain: DomainId,
    /// The claim.
    pub leased_until: OffsetDateTime,
    /// When it is due next.
    pub next_check_at: OffsetDateTime,
}

/// How the watch of all sites is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WatchHealth {
    /// Sites of live domains.
    pub watched: u32,
    /// Files of them.
    pub files: u64,
    /// Those whose last fetch failed.
    pub failing: u64,
    /// Sites that have been due for more than an hour, or than their interval where that is shorter.
    pub overdue: u32,
}
