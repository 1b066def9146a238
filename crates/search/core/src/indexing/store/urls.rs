//! URLs that are known, as callers see and change them.

use async_trait::async_trait;
use pharos_domain::{
    credits::{Charged, SettleError},
    identity::DomainAccess,
    ids::IndexingUrlId,
    page::{Page, PageRequest},
    page_facts::{IndexVerdict, SearchValue},
    settings::ChangeError,
    store::StoreError,
};
use time::{Duration, OffsetDateTime};

use crate::indexing::{
    coverage::CoverageReason, inspection::Inspection, quota::InspectorQuota, states::FetchState,
    target::Source,
};

/// How old an inspection may be before it is stale.
pub const STALE: Duration = Duration::days(14);
/// How many past states a URL is shown with.
pub const MOST_HISTORY: u32 = 50;
/// How many URLs a list has that has no further pages.
pub const MOST_LISTED: u32 = 1_000;

/// The inspection of a domain, which there is once it is linked, or once a URL of it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The property that the domain is linked to; `None`: it is not linked any more.
    pub site_url: Option<String>,
}

/// A URL that is known.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownUrl {
    /// The id by which it is looked up.
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
    /// The clicks and impressions that the search brought; `None`: none are imported.
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

/// The result of adding URLs.
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

    /// Monitors URLs in normal form, each at once. Those that are monitored already go on; one that was gathered is as one that was
    /// added from now on.
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

    /// The used part of a property's inspections at a moment, or of the plan's where that has less left.
    async fn quota(
        &self,
        domain: &DomainAccess,
        site_url: &str,
        now: OffsetDateTime,
    ) -> Result<InspectorQuota, StoreError>;
}
