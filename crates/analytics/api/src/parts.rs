//! The parts that lists of sources, countries and devices share.

use pharos_analytics::{
    breakdown::{BreakdownQuery, Breakdowns, MOST_PARTS, Part},
    filter::Filters,
    overview::in_units,
    settings::AnalyticsSite,
};
use pharos_domain::window::DateRange;
use serde::Serialize;
use utoipa::ToSchema;

/// The key that stands for sessions without a value.
pub(super) const NOT_SET: &str = "(not set)";

/// The question that all of them ask.
pub(super) fn query<'a>(
    window: DateRange,
    filters: &'a Filters,
    site: &'a AnalyticsSite,
) -> BreakdownQuery<'a> {
    BreakdownQuery {
        window,
        filters,
        currency: &site.settings.currency,
        limit: MOST_PARTS,
    }
}

/// The figures of sessions that have a value in common.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsPartFigures)]
pub(super) struct PartFigures {
    /// The distinct visitors of each UTC day, added up.
    #[schema(minimum = 0)]
    visitors: u64,
    /// Sessions.
    #[schema(minimum = 0)]
    sessions: u64,
    /// Page views.
    #[schema(minimum = 0)]
    pageviews: u64,
    /// The share of sessions with one page view and no event, download or link to another host, in percent; null
    /// without sessions.
    #[schema(required, minimum = 0, maximum = 100)]
    bounce_rate_pct: Option<f64>,
    /// From the first to the last sign of life of a session; null without sessions.
    #[schema(required, minimum = 0)]
    avg_duration_seconds: Option<f64>,
    /// Orders in these sessions, in any currency; null where ecommerce was never recorded.
    #[schema(required, minimum = 0)]
    conversions: Option<u64>,
    /// Orders less refunds in these sessions, in the site's currency; null where ecommerce was never recorded.
    #[schema(required)]
    revenue: Option<f64>,
    /// The share of the visitors of the window that fit the filters, in percent.
    #[schema(minimum = 0, maximum = 100)]
    share_pct: f64,
}

impl PartFigures {
    pub(super) fn new(part: &Part, all: &Breakdowns, has_commerce: bool) -> Self {
        let totals = part.totals;
        Self {
            visitors: totals.visitors,
            sessions: totals.sessions,
            pageviews: totals.pageviews,
            bounce_rate_pct: totals.bounce_rate_pct(),
            avg_duration_seconds: totals.avg_duration_seconds(),
            conversions: has_commerce.then_some(part.orders),
            revenue: has_commerce.then(|| in_units(part.revenue_cents)),
            share_pct: all.share_pct(totals.visitors),
        }
    }

    pub(super) const fn example() -> Self {
        Self {
            visitors: 1_204,
            sessions: 1_388,
            pageviews: 4_102,
            bounce_rate_pct: Some(38.2),
            avg_duration_seconds: Some(201.5),
            conversions: Some(31),
            revenue: Some(2_480.5),
            share_pct: 28.8,
        }
    }
}
