//! A day of one search type, as it is imported.

use async_trait::async_trait;
use pharos_domain::{ids::DomainId, store::StoreError};
use time::Date;

use super::{
    figures::{Figures, SearchType},
    link::LinkRef,
    place::Place,
};
use crate::google::sitemaps::SitemapList;

/// A row with the figures of one value, in one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Row<Value> {
    /// The value: a query, a page, or a pair of both.
    pub value: Value,
    /// Where.
    pub place: Place,
    /// The figures.
    pub figures: Figures,
}

/// A list of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DayList {
    /// Places.
    Places,
    /// Queries.
    Queries,
    /// Pages.
    Pages,
    /// Pairs of both.
    Pairs,
    /// Looks of results.
    Appearances,
}

/// A day of one search type. Every list replaces the one that is stored, but for those that are refused.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportedDay {
    /// Whether its figures are final.
    pub is_final: bool,
    /// The figures of the whole property; `None`: the upstream has no row for the day.
    pub totals: Option<Figures>,
    /// By country and device, counted by property.
    pub places: Vec<Row<()>>,
    /// By query, counted by property. Rare queries are not among them.
    pub queries: Vec<Row<String>>,
    /// By page, counted by page.
    pub pages: Vec<Row<String>>,
    /// By query and page, counted by page. Rare queries are not among them.
    pub pairs: Vec<Row<(String, String)>>,
    /// By the look of the result and page, counted by page; places are not told.
    pub appearances: Vec<(String, String, Figures)>,
    /// The lists that the upstream refuses to tell, which are empty: what is stored of them stays.
    pub refused: Vec<DayList>,
}

/// The lists of a day that are stored with anything in them, and are final.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FinalRows {
    /// By query.
    pub queries: bool,
    /// By page.
    pub pages: bool,
}

/// Stores what is imported.
#[async_trait]
pub trait SearchImport: Send + Sync {
    /// Replaces a day of a domain, and its sums, in one transaction. It may be done twice. It was missed no longer. `false`: the
    /// domain is no longer linked so, and nothing has changed.
    async fn replace_day(
        &self,
        link: LinkRef<'_>,
        search_type: SearchType,
        date: Date,
        day: &ImportedDay,
    ) -> Result<bool, StoreError>;

    /// Which final lists of a day are stored.
    async fn final_rows(
        &self,
        domain: DomainId,
        search_type: SearchType,
        date: Date,
    ) -> Result<FinalRows, StoreError>;

    /// Whether an error lies in what came in, so that other days may fare better. It does not where the store is away, or its
    /// schema lacks what is asked for.
    fn lies_in_what_came(&self, error: &StoreError) -> bool;

    /// Notes why rows of an answer, or a day, are set aside: the rest is stored. All of a domain share a note.
    async fn set_aside(&self, domain: DomainId, why: &str) -> Result<(), StoreError>;

    /// Forgets the days of a property that the domain was linked to before, some at a time. `false`: the domain is no longer linked
    /// so, and the others stay for who imports the link of now.
    async fn forget_others(&self, link: LinkRef<'_>) -> Result<bool, StoreError>;

    /// Forgets what is stored of days on which the property had nothing: those from the first to the last, but `others`. `false`: the
    /// domain is no longer linked so, and nothing has changed.
    async fn empty_days(
        &self,
        link: LinkRef<'_>,
        search_type: SearchType,
        span: (Date, Date),
        others: &[Date],
    ) -> Result<bool, StoreError>;

    /// Adds up the months of a domain that are over by `data_through`, the newest final day, and are not added up yet.
    async fn sum_months(
        &self,
        domain: DomainId,
        search_type: SearchType,
        data_through: Date,
    ) -> Result<(), StoreError>;

    /// Replaces the sitemaps of a domain by those that were submitted for its property; those that can't be read stay as they
    /// were. `false`: the domain is no longer linked so, and nothing has changed.
    async fn replace_sitemaps(&self, link: LinkRef<'_>, sitemaps: &SitemapList) -> Result<bool, StoreError>;
}
