//! Counts of URLs, and what is left of a quota.

use pharos_domain::day::Day;
use pharos_search::indexing::{
    quota::InspectorQuota,
    states::{CrawledAs, FetchState, IndexingState, RobotsState},
};
use serde::Serialize;
use time::macros::date;
use utoipa::ToSchema;

/// How many URLs Google could fetch so.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IndexingFetchStateCount)]
pub(super) struct FetchStateCount {
    /// How Google could fetch them.
    key: FetchState,
    /// How many there are.
    #[schema(minimum = 0)]
    urls: u64,
}

/// How many URLs robots.txt treats so.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IndexingRobotsStateCount)]
pub(super) struct RobotsStateCount {
    /// Whether robots.txt lets Google fetch them.
    key: RobotsState,
    /// How many there are.
    #[schema(minimum = 0)]
    urls: u64,
}

/// How many URLs let themselves be indexed so.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IndexingStateCount)]
pub(super) struct StateCount {
    /// Whether they let themselves be indexed.
    key: IndexingState,
    /// How many there are.
    #[schema(minimum = 0)]
    urls: u64,
}

/// How many URLs a crawler fetched.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IndexingCrawlerCount)]
pub(super) struct CrawlerCount {
    /// The crawler that fetched them: that for desktops, or for phones.
    key: CrawledAs,
    /// How many there are.
    #[schema(minimum = 0)]
    urls: u64,
}

macro_rules! counts {
    ($($name:ident of $key:ident),+ $(,)?) => {$(
        impl From<($key, u64)> for $name {
            fn from((key, urls): ($key, u64)) -> Self {
                Self { key, urls }
            }
        }
    )+};
}

counts! {
    FetchStateCount of FetchState,
    RobotsStateCount of RobotsState,
    StateCount of IndexingState,
    CrawlerCount of CrawledAs,
}

/// How many inspections there are until a day. Two quotas count them, that of the property (2,000 on a day of Pacific time, for
/// all who inspect its URLs through Pharos) and that of the plan, if it has one; this is the one that has less left.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = InspectorQuota)]
pub(super) struct QuotaPublic {
    /// How many were used.
    #[schema(minimum = 0)]
    used: u64,
    /// How many there are.
    #[schema(minimum = 0)]
    limit: u64,
    /// How many are left.
    #[schema(minimum = 0)]
    remaining: u64,
    /// The day on which there are as many again: of Pacific time for the property's, UTC for the plan's.
    resets_on: Day,
}

impl From<InspectorQuota> for QuotaPublic {
    fn from(quota: InspectorQuota) -> Self {
        Self {
            used: quota.used,
            limit: quota.limit,
            remaining: quota.remaining(),
            resets_on: Day(quota.resets_on),
        }
    }
}

impl QuotaPublic {
    /// For examples.
    pub(super) fn example() -> Self {
        InspectorQuota {
            used: 640,
            limit: 2_000,
            resets_on: date!(2026 - 04 - 01),
        }
        .into()
    }
}

/// A number with two decimals.
pub(super) fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
