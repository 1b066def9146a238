//! Reads over the URLs of a domain.

use std::collections::BTreeMap;

use async_trait::async_trait;
use pharos_domain::{
    identity::DomainAccess,
    ids::IndexingUrlId,
    page::{Page, PageRequest},
    page_facts::{IndexVerdict, SearchValue},
    store::StoreError,
    window::DateRange,
};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::indexing::{
    canonical::CanonicalKind,
    change::{Direction, Field},
    coverage::CoverageReason,
    states::{CrawledAs, FetchState, IndexingState, RobotsState, Severity},
};

/// How many issues of a type of rich results are listed.
pub const MOST_TOP_ISSUES: usize = 10;

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
    /// The counts by reason, the largest first.
    pub by_reason: Vec<ReasonCount>,
    /// The counts by how Google could fetch the URLs, the largest first.
    pub by_fetch_state: Vec<(FetchState, u64)>,
    /// The counts by the state in robots.txt, the largest first.
    pub by_robots_state: Vec<(RobotsState, u64)>,
    /// The counts by whether the URLs let themselves be indexed, the largest first.
    pub by_indexing_state: Vec<(IndexingState, u64)>,
    /// The counts by crawler.
    pub by_crawler: Vec<(CrawledAs, u64)>,
    /// The oldest of their newest inspections.
    pub oldest_inspection_at: Option<OffsetDateTime>,
    /// The newest inspection.
    pub newest_inspection_at: Option<OffsetDateTime>,
    /// How many were inspected longer ago than [`STALE`](super::urls::STALE).
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
    /// Why Google has them in its index, or not.
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
    /// The id by which lists go on behind it.
    pub id: Uuid,
    /// The URL's.
    pub url_id: IndexingUrlId,
    /// The URL.
    pub url: String,
    /// When the inspection was made that found it.
    pub changed_at: OffsetDateTime,
    /// The field that changed.
    pub field: Field,
    /// Its former value.
    pub before: Option<String>,
    /// Its new value.
    pub after: Option<String>,
    /// Whether that is for the better.
    pub direction: Direction,
}

/// Which changes are listed: those that match every member that is given.
#[derive(Clone, Copy, Debug)]
pub struct ChangeFilter {
    /// Only changes of these days.
    pub window: DateRange,
    /// Only changes of this field.
    pub field: Option<Field>,
    /// Only changes for the better, or for the worse.
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
    /// The counts by crawler.
    pub by_crawler: Vec<(CrawledAs, u64)>,
    /// The counts by how Google could fetch the URLs.
    pub by_fetch_state: Vec<(FetchState, u64)>,
    /// How many were fetched on each day on which any were.
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
    /// The clicks and impressions that the search brought to the URL.
    pub value: Option<SearchValue>,
    /// When it was inspected.
    pub inspected_at: OffsetDateTime,
}

/// A type of rich results over the monitored URLs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RichType {
    /// The type of rich result, as Google names it.
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

/// A monitored URL, as the gaps between it and sitemaps are computed.
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
