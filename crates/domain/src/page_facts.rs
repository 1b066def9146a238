//! The ports by which a module that lists pages queries other modules about them. A page is named by its URL.

use std::collections::HashMap;

use async_trait::async_trait;
use time::{Date, OffsetDateTime};

use crate::{
    identity::DomainAccess, ids::DomainId, module_block::SearchFigures, store::StoreError, window::DateRange,
    wire_enum,
};

/// Knows what pages are called.
#[async_trait]
pub trait PageTitles: Send + Sync {
    /// The titles of pages. Those without one are left out.
    async fn titles(
        &self,
        domain: &DomainAccess,
        urls: &[&str],
    ) -> Result<HashMap<String, String>, StoreError>;
}

/// Knows how fast pages are.
#[async_trait]
pub trait PageSpeed: Send + Sync {
    /// The 75th percentile of the largest contentful paint of pages, in milliseconds. For pages that are followed in the Chrome
    /// UX Report it is that of the newest field data, for others that of the views of the seven days before `now`. Pages
    /// without one are left out.
    async fn lcp_ms(
        &self,
        domain: &DomainAccess,
        urls: &[&str],
        now: OffsetDateTime,
    ) -> Result<HashMap<String, f64>, StoreError>;
}

/// How fast pages were for the visitors of a UTC day: 75th percentiles of their views. A metric that no view reported is
/// `None`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpeedDay {
    /// The index of the page among those of the query; `None`: all of them together.
    pub page: Option<usize>,
    /// The day (UTC) that the figures are of.
    pub day: Date,
    /// The largest contentful paint, in milliseconds.
    pub lcp_ms: Option<f64>,
    /// The interaction to next paint, in milliseconds.
    pub inp_ms: Option<f64>,
    /// The cumulative layout shift.
    pub cls: Option<f64>,
}

/// Knows how fast pages were day by day.
#[async_trait]
pub trait PageSpeedDays: Send + Sync {
    /// The days of a range on which pages of the domain's own host were viewed, in order. Pages are named by their paths.
    /// `ports` are those that the host may have, as they stand in an address, such as `:8443`; empty: the scheme's own.
    async fn by_day(
        &self,
        domain: DomainId,
        days: DateRange,
        ports: &[String],
        paths: &[String],
    ) -> Result<Vec<SpeedDay>, StoreError>;
}

/// The lab result of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LabSpeed {
    /// The largest contentful paint, in milliseconds.
    pub lcp_ms: Option<f64>,
    /// The cumulative layout shift.
    pub cls: Option<f64>,
}

/// Knows how pages do in the lab.
#[async_trait]
pub trait PageLab: Send + Sync {
    /// The figures of the last tests of pages as a phone. Pages without one are left out.
    async fn of_phones(
        &self,
        domain: &DomainAccess,
        urls: &[&str],
    ) -> Result<HashMap<String, LabSpeed>, StoreError>;
}

wire_enum! {
    /// Whether a page is in Google's index, in one word.
    IndexVerdict {
        /// Google does not say.
        Unknown = "unknown",
        /// It is in the index.
        Pass = "pass",
        /// Reserved by Google.
        Partial = "partial",
        /// It is not, by an error.
        Fail = "fail",
        /// It is not, which may well be on purpose.
        Neutral = "neutral",
    }
}

/// Knows which pages are in Google's index.
#[async_trait]
pub trait PageIndexing: Send + Sync {
    /// The verdicts of pages, each by its newest inspection. Those that were never inspected are left out.
    async fn verdicts(
        &self,
        domain: &DomainAccess,
        urls: &[&str],
    ) -> Result<HashMap<String, IndexVerdict>, StoreError>;

    /// The percentage, 0 to 100, of the inspected pages of a domain that are in the index; `None`: none was inspected.
    async fn indexed_pct(&self, domain: &DomainAccess) -> Result<Option<f64>, StoreError>;
}

/// The clicks and impressions that Google's search gave a page within the 28 days up to the newest final one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchValue {
    /// Clicks.
    pub clicks: u64,
    /// Impressions.
    pub impressions: u64,
}

/// Knows what Google's search sends to pages.
#[async_trait]
pub trait PageSearches: Send + Sync {
    /// The clicks and impressions of all of `urls`, 0 where there were none. `None`: not all of these days are imported.
    async fn values(
        &self,
        domain: &DomainAccess,
        urls: &[&str],
    ) -> Result<Option<HashMap<String, SearchValue>>, StoreError>;

    /// The pages with the most clicks, the most first, at most `limit`. `None`: no final day of the domain is imported.
    async fn top(&self, domain: &DomainAccess, limit: u32) -> Result<Option<Vec<String>>, StoreError>;
}

/// The figures of web search of a day, counted by page. A sum of pages has the clicks of all over the impressions of all, and their
/// positions weighted by impressions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchDay {
    /// Which of the groups of pages that were asked about, in their order.
    pub group: usize,
    /// Which page of the group, in their order; `None`: all of them together.
    pub page: Option<usize>,
    /// The day in Pacific time, as Google labels it.
    pub day: Date,
    /// The figures; a rate is `None` where there were no impressions.
    pub figures: SearchFigures,
}

/// Knows what Google's search sent to pages day by day.
#[async_trait]
pub trait PageSearchDays: Send + Sync {
    /// The days of a range that are final and were imported, in order: of each page at the domain's own host, and of each group of
    /// pages. All of them are there on each such day, with 0 clicks and impressions where the search showed none; a day that is
    /// not final yet or could not be read is left out. Empty where the domain is linked to no property. Pages are named by their
    /// paths with the query. `ports` are as in [`PageSpeedDays::by_day`].
    async fn by_day(
        &self,
        domain: DomainId,
        days: DateRange,
        ports: &[String],
        groups: &[&[String]],
    ) -> Result<Vec<SearchDay>, StoreError>;
}

/// A sitemap that was submitted to Google, as Search Console tells it (`sitemaps.list` of its API, version 3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubmittedSitemap {
    /// Its URL.
    pub path: String,
    /// Its form, in Google's words; `None`: Google does not say.
    pub form: Option<String>,
    /// Whether it is an index.
    pub is_index: bool,
    /// Whether Google has not processed it yet.
    pub is_pending: bool,
    /// When it was last submitted.
    pub last_submitted_at: Option<OffsetDateTime>,
    /// When Google last fetched it.
    pub last_downloaded_at: Option<OffsetDateTime>,
    /// Errors that Google found.
    pub errors: u64,
    /// Warnings of Google.
    pub warnings: u64,
    /// How many entries of which kind, in Google's words, were submitted.
    pub contents: Vec<(String, u64)>,
}

/// Knows which sitemaps were submitted to Google.
#[async_trait]
pub trait SubmittedSitemaps: Send + Sync {
    /// The sitemaps of the property that a domain is linked to, by their URLs, as of the last query to Google; none where the
    /// domain is linked to none.
    async fn list(&self, domain: &DomainAccess) -> Result<Vec<SubmittedSitemap>, StoreError>;
}

/// Knows which pages are visited.
#[async_trait]
pub trait PageVisits: Send + Sync {
    /// The paths of the pages with the most views within the 28 days before the day of `now`, the most first, at most `limit`.
    /// Pages with fewer than ten are left out.
    async fn most_viewed(
        &self,
        domain: DomainId,
        now: OffsetDateTime,
        limit: u32,
    ) -> Result<Vec<String>, StoreError>;
}
