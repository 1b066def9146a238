//! The port: what analyses are made of. All of it is added up where it is stored.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_domain::{
    identity::DomainAccess,
    page::{Page, PageRequest},
    store::StoreError,
    window::DateRange,
};
use time::Date;

use super::{decay::WeeklyPage, positions::Positions};
use crate::gsc::{
    config::{Brand, SearchConfig},
    curve::CtrCurve,
    figures::{Device, Figures, SearchType},
    place::Country,
    values::Dimension,
};

/// The rows that an analysis is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The search type.
    pub search_type: SearchType,
    /// The days that are asked about.
    pub window: DateRange,
}

/// Where people searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlaceFilter {
    /// In which country; `None`: anywhere.
    pub country: Option<Country>,
    /// On what; `None`: on anything.
    pub device: Option<Device>,
}

/// A day on which the property had anything.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BrandDay {
    /// The day that the figures are of.
    pub date: Date,
    /// The figures of the property.
    pub total: Figures,
    /// Those of queries for the brand.
    pub branded: Figures,
    /// Those of the other queries that are known.
    pub non_branded: Figures,
}

/// A query that may be an opportunity.
#[derive(Clone, Debug, PartialEq)]
pub struct CandidateQuery {
    /// The words that people searched for.
    pub query: String,
    /// Its figures, counted by property.
    pub figures: Figures,
    /// Those of as many days before; `None`: it was not seen then.
    pub previous: Option<Figures>,
    /// The page that is shown for it with most clicks, and of the same with most impressions.
    pub page: Option<ShownPage>,
}

/// A page that is shown for a query.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownPage {
    /// Its URL.
    pub url: String,
    /// The share of the query in the impressions of the page, 0 to 1.
    pub query_share: Option<f64>,
}

/// A query for which several pages are shown.
#[derive(Clone, Debug, PartialEq)]
pub struct ServedQuery {
    /// Its number in the store.
    pub id: i64,
    /// The words that people searched for.
    pub query: String,
    /// Its figures, counted by property.
    pub figures: Figures,
    /// The figures of each page on each day that it was shown, counted by page.
    pub days: Vec<(Date, String, Figures)>,
}

/// A query that brought a page more clicks once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostQuery {
    /// The page's number in the store.
    pub page: i64,
    /// The query that brings the page less than before.
    pub query: String,
    /// Its clicks in the page's best week.
    pub clicks_peak: u64,
    /// Its clicks in the last.
    pub clicks_current: u64,
}

/// Reads what analyses are made of.
#[async_trait]
pub trait AnalysisReads: Send + Sync {
    /// The bands of a window, of as many days before, and of each day.
    async fn positions(
        &self,
        domain: &DomainAccess,
        asked: Asked,
        places: PlaceFilter,
    ) -> Result<Positions, StoreError>;

    /// The days of a window, told apart by whether somebody searched for the brand.
    async fn brand_days(
        &self,
        domain: &DomainAccess,
        asked: Asked,
        brand: &Arc<Brand>,
    ) -> Result<Vec<BrandDay>, StoreError>;

    /// The queries between positions 3 and 20 with so many impressions that would bring most clicks besides at their target, a
    /// thousand at most.
    async fn candidates(
        &self,
        domain: &DomainAccess,
        asked: Asked,
        least_impressions: u32,
        curve: &CtrCurve,
    ) -> Result<Vec<CandidateQuery>, StoreError>;

    /// The queries or pages up to position 20 that miss most clicks by the curve, a thousand at most. Those with fewer than 100
    /// impressions, or fewer than the settings ask for, and pages that analyses leave out are not among them.
    async fn below_curve(
        &self,
        domain: &DomainAccess,
        asked: Asked,
        dimension: Dimension,
        curve: &CtrCurve,
        config: &SearchConfig,
    ) -> Result<Vec<(String, Figures)>, StoreError>;

    /// A page of the queries for which several pages are shown, the ones with most impressions first. Pages that analyses leave
    /// out are not counted.
    async fn served(
        &self,
        domain: &DomainAccess,
        asked: Asked,
        config: &SearchConfig,
        page: &PageRequest<i64, i64>,
    ) -> Result<Page<ServedQuery>, StoreError>;

    /// The pages by week, those that lost most clicks since their best week, a thousand at most. Pages that analyses leave out are
    /// not among them. The window has whole weeks.
    async fn weekly_pages(
        &self,
        domain: &DomainAccess,
        asked: Asked,
        config: &SearchConfig,
    ) -> Result<Vec<WeeklyPage>, StoreError>;

    /// The queries that brought pages most clicks more in a best week than in the last of the window, some of each page; the most
    /// first. `peaks`: the pages, each with its best week's Monday.
    async fn lost_queries(
        &self,
        domain: &DomainAccess,
        asked: Asked,
        peaks: &[(i64, Date)],
    ) -> Result<Vec<LostQuery>, StoreError>;
}
