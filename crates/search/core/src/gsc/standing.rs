//! How the search of many domains stands, for the overview, the health and alert rules.

use std::{collections::HashMap, sync::Arc};

use async_trait::async_trait;
use pharos_domain::{ids::DomainId, store::StoreError, window::DateRange};
use time::{Date, OffsetDateTime};

use super::{
    config::{BRANDING, Brand},
    figures::{Figures, SearchType},
    judging::Budget,
    reach::Reach,
};

/// How far the data of a domain are, and how its brand is called.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// The newest day whose figures are final.
    pub data_through: Option<Date>,
    /// When a day was last imported.
    pub imported_at: Option<OffsetDateTime>,
    /// The search types that are imported.
    pub search_types: Vec<SearchType>,
    /// The days of each of them that were.
    pub reach: Reach,
    /// How its brand is told.
    pub brand: Arc<Brand>,
}

/// A day of a search type of a domain.
pub type DayOf = (DomainId, SearchType, Date);

/// Counts of the queries and pages of a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DayCounts {
    /// Queries whose mean position is 10 or better.
    pub top_10_queries: u64,
    /// Pages with a click.
    pub pages_with_clicks: u64,
    /// Queries whose mean position was 10 or better seven days before, and is not now.
    pub lost_rankings: u64,
}

/// Reads how search stands. Each method is one statement, however many domains and days are asked about.
#[async_trait]
pub trait StandingStore: Send + Sync {
    /// How far the data of these domains are. Those that are not linked, and deleted ones, are left out.
    async fn standing(&self, domains: &[DomainId]) -> Result<HashMap<DomainId, Standing>, StoreError>;

    /// The totals of all days in a range that have any.
    async fn totals(
        &self,
        domains: &[DomainId],
        range: DateRange,
    ) -> Result<HashMap<DayOf, Figures>, StoreError>;

    /// Counts the queries and pages of these days.
    async fn counts(&self, days: &[DayOf]) -> Result<HashMap<DayOf, DayCounts>, StoreError>;

    /// The queries of these days that brought clicks, with their clicks.
    async fn clicked(&self, days: &[DayOf]) -> Result<HashMap<DayOf, Vec<(String, u64)>>, StoreError>;
}

/// The clicks of queries that are not for the brand, of each day; `None`: it can't be told. A domain whose expression takes too long
/// keeps no other waiting.
pub(super) async fn non_branded(
    clicked: HashMap<DayOf, Vec<(String, u64)>>,
    standing: &HashMap<DomainId, Standing>,
) -> HashMap<DayOf, Option<u64>> {
    let mut budgets: HashMap<DomainId, Budget> = HashMap::new();
    let mut sums = HashMap::new();
    for (day, queries) in clicked {
        let Some(standing) = standing.get(&day.0).filter(|of| of.brand.is_configured()) else {
            continue;
        };
        let all: u64 = queries.iter().map(|(_, clicks)| clicks).sum();
        let queries = queries.into_iter().map(|(query, clicks)| (clicks, query));
        let budget = budgets.entry(day.0).or_insert_with(|| Budget::new(BRANDING));
        let branded = budget.fitting(queries.collect(), &standing.brand).await;
        if let Err(error) = &branded {
            tracing::warn!(domain = %day.0, %error, "clicks without the brand have no value");
        }
        let branded = branded.ok().map(|clicks| clicks.iter().sum::<u64>());
        sums.insert(day, branded.map(|branded| all.saturating_sub(branded)));
    }
    sums
}
