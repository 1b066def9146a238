//! The ports to what is stored of inspections.

use std::collections::BTreeMap;

use async_trait::async_trait;
use pharos_domain::{
    credits::{Answering, Charged, Keyed, SettleError},
    identity::DomainAccess,
    ids::{DomainId, IndexingUrlId, RunId},
    page::{Page, PageRequest},
    page_facts::{IndexVerdict, SearchValue},
    problem::Suffix,
    runs::{NewRun, Run},
    settings::ChangeError,
    store::StoreError,
    window::DateRange,
    wire_enum,
};
use pharos_due::work::DueClaim;
use time::{Date, Duration, OffsetDateTime};
use uuid::Uuid;

use super::{
    canonical::CanonicalKind,
    change::{Direction, Field},
    coverage::CoverageReason,
    inspection::Inspection,
    quota::{InspectorQuota, QuotaDay},
    states::{CrawledAs, FetchState, IndexingState, RobotsState, Severity},
    target::Source,
};

/// How old an inspection may be before it is stale.
pub const STALE: Duration = Duration::days(14);
/// How many past states a URL is shown with.
pub const MOST_HISTORY: u32 = 50;
/// How many URLs a list has that has no further pages.
pub const MOST_LISTED: u32 = 1_000;
/// How many runs are listed.
pub const MOST_RUNS: u32 = 100;
/// How many issues of a type of rich results are told.
pub const MOST_TOP_ISSUES: usize = 10;

/// The inspection of a domain, which there is once it is linked, or once a URL of it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The property that the domain is linked to; `None`: it is not linked any more.
    pub site_url: Option<String>,
}

/// A URL that is known.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownUrl {
    /// Its id.
    pub id: IndexingUrlId,
    /// The URL in normal form.
    pub url: String,
    /// How it came to be known.
    pub source: Source,
    /// The newest inspection, and when it was made. A list leaves out its longer parts.
    pub newest: Option<(OffsetDateTime, Inspection)>,
    /// When it is inspected next; `None`: it is not monitored.
    pub next_inspection_at: Option<OffsetDateTime>,
    /// Why the last inspection failed; `None`: it did not.
    pub last_error_code: Option<String>,
    /// What the search sent; `None`: nothing is imported of it.
    pub value: Option<SearchValue>,
}

/// A past state of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastState {
    /// When it was inspected.
    pub inspected_at: OffsetDateTime,
    /// Whether it was in the index, in one word.
    pub verdict: IndexVerdict,
    /// Why.
    pub coverage_reason: Option<CoverageReason>,
    /// Whether Google could fetch it.
    pub page_fetch_state: FetchState,
    /// When it was last fetched by then.
    pub last_crawl_at: Option<OffsetDateTime>,
}

/// Which URLs are listed: those that fit all that is given.
#[derive(Clone, Copy, Debug, Default)]
pub struct UrlFilter<'a> {
    /// Those of a verdict.
    pub verdict: Option<IndexVerdict>,
    /// Those of a reason.
    pub coverage_reason: Option<CoverageReason>,
    /// Those that Google could fetch so.
    pub page_fetch_state: Option<FetchState>,
    /// Those that contain a text, in whatever case.
    pub search: Option<&'a str>,
}

/// What came of adding URLs.
#[derive(Clone, Debug, PartialEq)]
pub struct Added {
    /// All that were named, each once, in the order of their names.
    pub urls: Vec<KnownUrl>,
    /// How many of them are monitored from now on.
    pub added: u32,
    /// How many were before.
    pub already_present: u32,
}

/// The URLs that callers see and change.
#[async_trait]
pub trait IndexingUrls: Send + Sync {
    /// The inspection of a domain; `None`: it is not linked, and no URL of it is known.
    async fn site(&self, domain: &DomainAccess) -> Result<Option<Site>, StoreError>;

    /// The URLs, by their names.
    async fn list(
        &self,
        domain: &DomainAccess,
        filter: &UrlFilter<'_>,
        page: &PageRequest<String>,
    ) -> Result<Page<KnownUrl>, StoreError>;

    /// A URL with its whole newest inspection and its past states, the newest first.
    async fn find(
        &self,
        domain: &DomainAccess,
        id: IndexingUrlId,
    ) -> Result<Option<(KnownUrl, Vec<PastState>)>, StoreError>;

    /// Monitors URLs in normal form, each at once. Those that are monitored already stay as they are.
    async fn add(
        &self,
        domain: &Charged<DomainAccess>,
        urls: &[String],
        now: OffsetDateTime,
    ) -> Result<Added, ChangeError>;

    /// Forgets a URL with its inspections and changes. `false`: there is none with this id.
    async fn remove(
        &self,
        domain: &Charged<DomainAccess>,
        id: IndexingUrlId,
        now: OffsetDateTime,
    ) -> Result<bool, SettleError>;

    /// What is used of the inspections of a property at a moment, or of the plan's where that has less left.
    async fn quota(
        &self,
        domain: &DomainAccess,
        site_url: &str,
        now: OffsetDateTime,
    ) -> Result<InspectorQuota, StoreError>;
}

/// How the monitored URLs of a domain stand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overview {
    /// How many there are.
    pub monitored: u64,
    /// How many were inspected.
    pub inspected: u64,
    /// How many are in the index.
    pub indexed: u64,
    /// How many of them the upstream says nothing about.
    pub unknown: u64,
    /// How they stood a week earlier; `None`: nothing was inspected by then.
    pub week_before: Option<DayStanding>,
    /// By reason, the most first.
    pub by_reason: Vec<ReasonCount>,
    /// By how Google could fetch them, the most first.
    pub by_fetch_state: Vec<(FetchState, u64)>,
    /// By robots.txt, the most first.
    pub by_robots_state: Vec<(RobotsState, u64)>,
    /// By whether they let themselves be indexed, the most first.
    pub by_indexing_state: Vec<(IndexingState, u64)>,
    /// By crawler.
    pub by_crawler: Vec<(CrawledAs, u64)>,
    /// The oldest of their newest inspections.
    pub oldest_inspection_at: Option<OffsetDateTime>,
    /// The newest inspection.
    pub newest_inspection_at: Option<OffsetDateTime>,
    /// How many were inspected longer ago than [`STALE`].
    pub stale: u64,
    /// How many have another canonical page than they declare.
    pub canonical_mismatches: u64,
    /// How many have a rich result with an error.
    pub rich_result_errors: u64,
}

impl Overview {
    /// How many were inspected and are not in the index.
    #[must_use]
    pub const fn not_indexed(&self) -> u64 {
        self.inspected
            .saturating_sub(self.indexed)
            .saturating_sub(self.unknown)
    }
}

/// A reason with the URLs that have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReasonCount {
    /// The reason.
    pub reason: CoverageReason,
    /// The sentence of the one that was inspected last; `None`: the upstream said none.
    pub coverage_state: Option<String>,
    /// The verdict of that one.
    pub verdict: IndexVerdict,
    /// How many there are.
    pub urls: u64,
}

/// How the monitored URLs stood at the end of a UTC day, or stand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DayStanding {
    /// How many were inspected by then.
    pub inspected: u64,
    /// How many were in the index.
    pub indexed: u64,
    /// How many of them the upstream said nothing about.
    pub unknown: u64,
    /// How many had each reason.
    pub by_reason: BTreeMap<CoverageReason, u64>,
    /// How many Google could not fetch.
    pub fetch_errors: u64,
    /// How many had another canonical page than they declare.
    pub canonical_mismatches: u64,
    /// How many had a rich result with an error.
    pub rich_result_errors: u64,
    /// The median age in days of the last fetch of those that were fetched.
    pub median_crawl_age_days: Option<f64>,
}

impl DayStanding {
    /// How many were inspected and were not in the index.
    #[must_use]
    pub const fn not_indexed(&self) -> u64 {
        self.inspected
            .saturating_sub(self.indexed)
            .saturating_sub(self.unknown)
    }

    /// The share in the index in percent; `None` where nothing was inspected.
    #[must_use]
    pub fn indexed_pct(&self) -> Option<f64> {
        share_pct(self.indexed, self.inspected)
    }

    /// How many had a reason.
    #[must_use]
    pub fn of_reason(&self, reason: CoverageReason) -> u64 {
        self.by_reason.get(&reason).copied().unwrap_or(0)
    }
}

/// A share in percent with two decimals; `None` of nothing.
#[must_use]
pub fn share_pct(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| (part as f64 / whole as f64 * 10_000.0).round() / 100.0)
}

/// A change of a URL, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedChange {
    /// Its own id.
    pub id: Uuid,
    /// The URL's.
    pub url_id: IndexingUrlId,
    /// The URL.
    pub url: String,
    /// When the inspection was made that found it.
    pub changed_at: OffsetDateTime,
    /// What changed.
    pub field: Field,
    /// What it was.
    pub before: Option<String>,
    /// What it is.
    pub after: Option<String>,
    /// Whether that is for the better.
    pub direction: Direction,
}

/// Which changes are listed: those that fit all that is given.
#[derive(Clone, Copy, Debug)]
pub struct ChangeFilter {
    /// Those of these days.
    pub window: DateRange,
    /// Those of something.
    pub field: Option<Field>,
    /// Those for the better, or the worse.
    pub direction: Option<Direction>,
}

/// How old a last fetch is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AgeCounts {
    /// A day at most.
    pub up_to_1d: u64,
    /// Seven at most.
    pub up_to_7d: u64,
    /// 30 at most.
    pub up_to_30d: u64,
    /// 90 at most.
    pub up_to_90d: u64,
    /// Older.
    pub older: u64,
    /// Inspected, and never fetched with success.
    pub never: u64,
}

/// When and how Google fetched the monitored URLs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CrawlStats {
    /// How many were fetched within the window.
    pub crawled: u64,
    /// The median age of their last fetch, in days.
    pub median_age_days: Option<f64>,
    /// The 90th percentile of it.
    pub p90_age_days: Option<f64>,
    /// How many were fetched how long ago.
    pub ages: AgeCounts,
    /// By crawler.
    pub by_crawler: Vec<(CrawledAs, u64)>,
    /// By how Google could fetch them.
    pub by_fetch_state: Vec<(FetchState, u64)>,
    /// How many were fetched on the days on which some were.
    pub by_day: BTreeMap<Date, u64>,
    /// The newest inspection.
    pub newest_inspection_at: Option<OffsetDateTime>,
}

/// A URL whose canonical page is another than it declares.
#[derive(Clone, Debug, PartialEq)]
pub struct CanonicalMismatch {
    /// The URL's id.
    pub url_id: IndexingUrlId,
    /// The URL.
    pub url: String,
    /// The page that it declares; `None`: none.
    pub user_canonical: Option<String>,
    /// The page that Google chose.
    pub google_canonical: String,
    /// How they differ.
    pub kind: CanonicalKind,
    /// What the search sent to the URL.
    pub value: Option<SearchValue>,
    /// When it was inspected.
    pub inspected_at: OffsetDateTime,
}

/// A type of rich results over the monitored URLs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RichType {
    /// The type.
    pub kind: String,
    /// URLs without an issue.
    pub valid: u64,
    /// URLs with warnings alone.
    pub warning: u64,
    /// URLs with an error.
    pub error: u64,
    /// Rich results, some of which may be on one URL.
    pub items: u64,
    /// The issues that most URLs have, errors first: message, severity, URLs.
    pub top_issues: Vec<(String, Severity, u64)>,
}

/// A monitored URL, as the gaps between it and sitemaps are worked out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GapUrl {
    /// The URL.
    pub url: String,
    /// Whether it is in the index; `None`: it was not inspected.
    pub is_indexed: Option<bool>,
    /// Why.
    pub coverage_reason: Option<CoverageReason>,
}

/// Reads over the URLs of a domain.
#[async_trait]
pub trait IndexingReads: Send + Sync {
    /// How they stand.
    async fn overview(&self, domain: &DomainAccess, now: OffsetDateTime) -> Result<Overview, StoreError>;

    /// How they stood at the end of each day on which some were inspected.
    async fn days(
        &self,
        domain: &DomainAccess,
        window: DateRange,
    ) -> Result<BTreeMap<Date, DayStanding>, StoreError>;

    /// Their changes, the newest first.
    async fn changes(
        &self,
        domain: &DomainAccess,
        filter: &ChangeFilter,
        page: &PageRequest,
    ) -> Result<Page<ListedChange>, StoreError>;

    /// When and how Google fetched them.
    async fn crawl_stats(
        &self,
        domain: &DomainAccess,
        window: DateRange,
        now: OffsetDateTime,
    ) -> Result<CrawlStats, StoreError>;

    /// Those with another canonical page than they declare, by their names: at most so many, and how many there are.
    async fn canonicals(
        &self,
        domain: &DomainAccess,
        most: u32,
    ) -> Result<(Vec<CanonicalMismatch>, u64), StoreError>;

    /// Their rich results, by type.
    async fn rich_results(&self, domain: &DomainAccess) -> Result<Vec<RichType>, StoreError>;

    /// All of them, no more than a domain may have.
    async fn gap_urls(&self, domain: &DomainAccess) -> Result<Vec<GapUrl>, StoreError>;
}

wire_enum! {
    /// What became of a URL of an inspector run.
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
    /// The run.
    pub run: Run,
    /// Its name.
    pub label: Option<String>,
}

/// An inspector run that is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct NewInspectorRun {
    /// The run with its job.
    pub run: NewRun,
    /// Its name.
    pub label: Option<String>,
    /// The property.
    pub site_url: String,
    /// The URLs in normal form, as they were asked for; repeated ones are inspected once.
    pub urls: Vec<String>,
}

/// A run with what is left of the quota after it was asked for.
pub type RequestedRun = (InspectorRun, InspectorQuota);

/// The result of a URL of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunResult {
    /// Its place in the request, from 0.
    pub place: i64,
    /// What became of it.
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
    /// Takes a run down with its job, takes what it needs of both quotas, and charges for it, in one transaction.
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

    /// What became of its URLs, in their order. Those that nobody has come to are left out.
    async fn results(
        &self,
        domain: &DomainAccess,
        id: RunId,
        page: &PageRequest<i64>,
    ) -> Result<Page<RunResult>, StoreError>;
}

/// A URL that is to be inspected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pick {
    /// Its id.
    pub id: IndexingUrlId,
    /// The URL.
    pub url: String,
    /// How often in a row it failed.
    pub failures: u32,
}

/// The URLs of a site whose turn it is, and how many wait.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picked {
    /// Those whose turn it is: never inspected ones first, then the longest due.
    pub urls: Vec<Pick>,
    /// Whether more of them were never inspected.
    pub more_new: bool,
    /// Whether more of them are due.
    pub more_due: bool,
    /// When the next is due that is not due now.
    pub next_due_at: Option<OffsetDateTime>,
}

/// An inspection that was made, or failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// The URL.
    pub url: String,
    /// How often in a row it failed before.
    pub failures: u32,
    /// When it ended.
    pub at: OffsetDateTime,
    /// What it found, or what the failure is called.
    pub outcome: Result<Box<Inspection>, Suffix>,
}

/// A site that is due, claimed by this process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueSite {
    /// Its domain.
    pub domain: DomainId,
    /// The property that the domain is linked to.
    pub site_url: String,
    /// When its URLs were last gathered; `None`: never.
    pub gathered_at: Option<OffsetDateTime>,
    /// How many rounds in a row failed.
    pub failures: u32,
    /// How long after its claim it is due.
    pub due_in: Duration,
    /// Until when the claim holds, which tells it from others.
    pub leased_until: OffsetDateTime,
}

/// A round of inspections of a site.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// Its domain.
    pub domain: DomainId,
    /// Until when the claim holds.
    pub leased_until: OffsetDateTime,
    /// When it began.
    pub began_at: OffsetDateTime,
    /// When it ended.
    pub at: OffsetDateTime,
    /// What was done.
    pub attempts: Vec<Attempt>,
    /// What was taken of the quota and not used: property, day, inspections.
    pub unused: Option<(String, QuotaDay, u32)>,
    /// How many rounds in a row failed by now.
    pub failures: u32,
    /// Why this one failed; `None`: it did not.
    pub failure: Option<String>,
    /// When the next begins.
    pub next_round_at: OffsetDateTime,
}

impl Round {
    /// The same by the clock that says that it is `present`, where it comes from one that is ahead.
    #[must_use]
    pub fn not_ahead_of(mut self, present: OffsetDateTime) -> Self {
        let ahead = self.at - present;
        if ahead > Duration::ZERO {
            self.at = present;
            self.began_at = self.began_at.saturating_sub(ahead);
            self.next_round_at = self.next_round_at.saturating_sub(ahead);
            for attempt in &mut self.attempts {
                attempt.at = attempt.at.min(present);
            }
        }
        self
    }
}

/// What may be taken of a property's inspections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Granted {
    /// So many, one at least.
    Some(u32),
    /// None until the day is over.
    DayUsed,
    /// None within this minute.
    MinuteUsed,
}

/// How the rotation goes, for operators.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RotationHealth {
    /// Sites that are rotated through.
    pub sites: u64,
    /// Those whose last round failed.
    pub failing: u64,
    /// Why that of one of them did.
    pub failure: Option<String>,
    /// Those that have been due for more than an hour, and nobody has a round of them.
    pub overdue: u64,
}

/// The rotation through the URLs of all sites.
#[async_trait]
pub trait IndexingSchedule: Send + Sync {
    /// Has at most `limit` domains rotated through that are linked and are not yet.
    async fn enrol(&self, now: OffsetDateTime, limit: usize) -> Result<(), StoreError>;

    /// Has those inspected at once that a clock which has been set back since has put out of reach.
    async fn bring_back(&self) -> Result<(), StoreError>;

    /// Claims sites that are due, the longest due first. Nobody else gets them before the lease is over.
    async fn claim(&self, claim: &DueClaim) -> Result<Vec<DueSite>, StoreError>;

    /// When the next site is due, by the clock that says that it is `now`.
    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError>;

    /// Monitors pages that the search shows, as far as there is room, and notes which are valuable. `false`: it shows none.
    async fn gather_pages(&self, site: &DueSite, now: OffsetDateTime) -> Result<bool, StoreError>;

    /// Notes that the URLs of a domain were gathered.
    async fn gathered(&self, domain: DomainId, now: OffsetDateTime) -> Result<(), StoreError>;

    /// Monitors URLs of a source, as far as there is room. Those that are known stay as they are.
    async fn gather(
        &self,
        site: &DueSite,
        source: Source,
        urls: &[String],
        now: OffsetDateTime,
    ) -> Result<(), StoreError>;

    /// The URLs of a site whose turn it is, at most so many.
    async fn pick(&self, domain: DomainId, most: u32, now: OffsetDateTime) -> Result<Picked, StoreError>;

    /// Takes at most so many of a property's inspections of the day for the rotation.
    async fn take(&self, site_url: &str, day: QuotaDay, most: u32) -> Result<Granted, StoreError>;

    /// Stores rounds, and gives the claims back. A claim that another node holds by now stays its own; what was found counts.
    async fn complete(&self, rounds: &[Round]) -> Result<(), StoreError>;

    /// Gives claims back of sites that were left alone.
    async fn release(&self, claimed: &[&DueSite]) -> Result<(), StoreError>;

    /// How it goes.
    async fn health(&self) -> Result<RotationHealth, StoreError>;
}

/// What a job of an inspector run has to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunOrder {
    /// The property.
    pub site_url: String,
    /// The URLs that nobody has come to, by their places.
    pub waiting: Vec<(i64, String)>,
    /// How many URLs the run has.
    pub total: u32,
    /// How many of them are done, repeated ones included.
    pub completed: u32,
    /// How many failed or were left out for the quota.
    pub failed: u32,
}

/// What became of a URL of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunOutcome {
    /// Its place.
    pub place: i64,
    /// What became of it.
    pub status: ResultStatus,
    /// The attempt; its failure is the run's `error_code` of the URL.
    pub attempt: Attempt,
}

/// Does inspector runs.
#[async_trait]
pub trait InspectorWork: Send + Sync {
    /// What is left to do of a run; `None`: there is no such run any more.
    async fn order(&self, id: RunId) -> Result<Option<RunOrder>, StoreError>;

    /// Whether so many inspections may be made within this minute. The run took those of the day when it was asked for.
    async fn take_minute(&self, site_url: &str, day: QuotaDay, count: u32) -> Result<bool, StoreError>;

    /// Keeps what became of URLs of a run, and what was found of them. Doing it again changes nothing.
    async fn keep(&self, id: RunId, domain: DomainId, outcomes: &[RunOutcome]) -> Result<(), StoreError>;
}
