//! Pages, and single views of them.

use std::collections::BTreeMap;

use async_trait::async_trait;
use pharos_domain::{
    collect::{
        client::Device,
        view::{Connection, Navigation},
    },
    identity::DomainAccess,
    page::{PageRequest, SortOrder},
    store::StoreError,
    window::DateRange,
    wire_enum,
};
use time::OffsetDateTime;

use crate::{
    metric::Metric,
    overview::{MetricValues, ViewFigures, ViewFilter},
};

wire_enum! {
    /// By what pages are ordered.
    PageSort as "RumPageSort" {
        /// Views.
        Pageviews = "pageviews",
        /// Largest contentful paint.
        Lcp = "lcp_ms",
        /// Interaction to next paint.
        Inp = "inp_ms",
        /// Cumulative layout shift.
        Cls = "cls",
        /// Time to first byte.
        Ttfb = "ttfb_ms",
        /// Errors.
        ErrorCount = "error_count",
    }
}

impl PageSort {
    /// The metric that pages are ordered by; `None` where it is a count.
    #[must_use]
    pub const fn metric(self) -> Option<Metric> {
        match self {
            Self::Lcp => Some(Metric::Lcp),
            Self::Inp => Some(Metric::Inp),
            Self::Cls => Some(Metric::Cls),
            Self::Ttfb => Some(Metric::Ttfb),
            Self::Pageviews | Self::ErrorCount => None,
        }
    }
}

/// A list of pages.
#[derive(Clone, Copy, Debug)]
pub struct PagesQuery<'a> {
    /// The days that the views are of.
    pub window: DateRange,
    /// The views.
    pub filter: &'a ViewFilter,
    /// A part of the address, in whatever case.
    pub search: Option<&'a str>,
    /// By what pages are ordered; of the same by their address.
    pub sort: PageSort,
    /// In which direction. Pages without a value come last in either.
    pub order: SortOrder,
    /// The percentile that values are, in percent.
    pub percent: u8,
    /// Which page of the list. Keys are negative where the greatest comes first.
    pub page: &'a PageRequest<Option<f64>, String>,
}

/// A page that was viewed.
#[derive(Clone, Debug, PartialEq)]
pub struct PageFigures {
    /// Its address, without a query.
    pub url: String,
    /// Where it stands in the list.
    pub key: Option<f64>,
    /// The figures of its views.
    pub figures: ViewFigures,
}

/// Pages that were viewed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pages {
    /// One more than were asked for, where there are more.
    pub items: Vec<PageFigures>,
    /// How many views there are, of all pages, those that were not searched for included.
    pub views: u64,
}

/// A single view. No text of it names a person, and nothing tells whose it was.
#[derive(Clone, Debug, PartialEq)]
pub struct SingleView {
    /// The number of its load.
    pub load: i64,
    /// The minute in which it began.
    pub at: OffsetDateTime,
    /// The address, without a query.
    pub url: String,
    /// Where the browser came from, without a query.
    pub referrer: Option<String>,
    /// The class of device.
    pub device: Device,
    /// The browser.
    pub browser: Option<String>,
    /// Its major version.
    pub browser_version: Option<String>,
    /// The operating system.
    pub os: Option<String>,
    /// The country, ISO 3166-1 alpha-2.
    pub country: Option<String>,
    /// The effective type of the connection.
    pub connection: Option<Connection>,
    /// How the browser came to the page.
    pub navigation: Navigation,
    /// The figures that were measured.
    pub values: MetricValues,
    /// When the document was parsed, in milliseconds.
    pub dom_content_loaded_ms: Option<f64>,
    /// When all was loaded, in milliseconds.
    pub load_ms: Option<f64>,
    /// The size of the window, width first.
    pub viewport: (Option<u32>, Option<u32>),
    /// How many errors it had.
    pub errors: u32,
    /// Clicks, taps and keys; `None` where they were not counted.
    pub interactions: Option<u32>,
    /// Whether it was out of sight when it began.
    pub was_hidden: bool,
}

/// Reads pages and views of them.
#[async_trait]
pub trait PageReads: Send + Sync {
    /// The pages that were viewed, with exact percentiles.
    async fn pages(&self, domain: &DomainAccess, query: &PagesQuery<'_>) -> Result<Pages, StoreError>;

    /// The figures of these pages' views in another window; pages without a view are left out.
    async fn pages_before(
        &self,
        domain: &DomainAccess,
        window: DateRange,
        filter: &ViewFilter,
        urls: &[&str],
        percent: u8,
    ) -> Result<BTreeMap<String, ViewFigures>, StoreError>;

    /// Single views, the last one first; one more than were asked for, where there are more.
    async fn views(
        &self,
        domain: &DomainAccess,
        window: DateRange,
        filter: &ViewFilter,
        page: &PageRequest,
    ) -> Result<Vec<SingleView>, StoreError>;
}
