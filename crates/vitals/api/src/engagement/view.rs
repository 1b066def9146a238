//! GET /domains/{domain_id}/rum/engagement

use std::collections::BTreeMap;

use pharos_domain::{day::Day, figure::hundredths, identity::DomainAccess, window::DateRange};
use pharos_http::{
    extract::{port::Port, query::Query, window::Dates},
    operation::{ApiResult, Example},
    spec::OperationSpec,
};
use pharos_vitals::{
    behaviour::{BehaviourReads, EngagementFigures, SiteEngagement},
    metric::share_pct,
    overview::PercentileMethod,
    store::VitalsReads,
};
use serde::Serialize;
use time::{Date, macros::date};
use utoipa::ToSchema;

use super::seconds;
use crate::{
    chosen::{READ, meta},
    filters::{PageFilter, ViewFilters},
    meta::RumMeta,
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getRumEngagement",
    path: "/domains/{domain_id}/rum/engagement",
    summary: "How people used pages: time, scrolling, interactions",
    description: "The time on a page is that for which it was visible. A view has bounced that was visible for less than ten seconds and \
                  on which nobody clicked, tapped or typed. A rage click is three on one element within a second, a dead click one \
                  after which nothing happened for three seconds. The median is exact.",
    rum_read: Some(30),
    ..READ
};

pub(crate) async fn view(
    access: DomainAccess,
    Dates(asked): Dates,
    Query(page): Query<PageFilter>,
    Query(filters): Query<ViewFilters>,
    behaviour: Port<dyn BehaviourReads>,
    reads: Port<dyn VitalsReads>,
) -> ApiResult<RumEngagementPublic> {
    let filter = page.and(filters);
    let meta = meta(&access, &asked, &*reads).await?;
    let found = behaviour.engagement(&access, asked.window, &filter).await?;
    Ok(RumEngagementPublic::new(&found, asked.window, meta))
}

/// How people used the pages that they viewed. Figures that were not measured are null.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumEngagement)]
pub(crate) struct RumEngagementPublic {
    /// Views.
    #[schema(minimum = 0)]
    pageviews: u64,
    /// For how long a view was visible: the mean.
    #[schema(required, minimum = 0)]
    avg_time_on_page_seconds: Option<f64>,
    /// And the median.
    #[schema(required, minimum = 0)]
    median_time_on_page_seconds: Option<f64>,
    /// How far down a view was seen, in percent of its height: the mean.
    #[schema(required, minimum = 0, maximum = 100)]
    avg_scroll_depth_pct: Option<f64>,
    /// Which share of views was seen how far down.
    scroll_depth_split: ScrollSplitPublic,
    /// The share of views that bounced, among those whose time and interactions were measured; null without any.
    #[schema(required, minimum = 0, maximum = 100)]
    bounce_rate_pct: Option<f64>,
    /// Clicks, taps and keys: the mean of the views on which they were counted.
    #[schema(required, minimum = 0)]
    avg_interactions: Option<f64>,
    /// The share of all views on which there was any.
    #[schema(required, minimum = 0, maximum = 100)]
    interacted_views_pct: Option<f64>,
    /// The share of views with a rage click, among those on which they were counted.
    #[schema(required, minimum = 0, maximum = 100)]
    rage_click_views_pct: Option<f64>,
    /// The share of views with a dead click, among those on which they were counted: one after which for three seconds nothing on the
    /// page changed and no request began.
    #[schema(required, minimum = 0, maximum = 100)]
    dead_click_views_pct: Option<f64>,
    /// The days of the window, in order.
    items: Vec<EngagementDayPublic>,
    /// The window in force, which the figures are of.
    meta: RumMeta,
}

/// Which share of the views of which that is known was seen at least so far down, in percent; null where that is known
/// of none.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumScrollSplit)]
struct ScrollSplitPublic {
    /// To a quarter of the page's height.
    #[schema(required, minimum = 0, maximum = 100)]
    to_25_pct: Option<f64>,
    /// To half of it.
    #[schema(required, minimum = 0, maximum = 100)]
    to_50_pct: Option<f64>,
    /// To three quarters.
    #[schema(required, minimum = 0, maximum = 100)]
    to_75_pct: Option<f64>,
    /// To its end.
    #[schema(required, minimum = 0, maximum = 100)]
    to_100_pct: Option<f64>,
}

/// A day of the window. Figures that were not measured are null.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumEngagementDay)]
struct EngagementDayPublic {
    /// The UTC day.
    date: Day,
    /// Views that began on it.
    #[schema(minimum = 0)]
    pageviews: u64,
    /// For how long one was visible: the mean.
    #[schema(required, minimum = 0)]
    avg_time_on_page_seconds: Option<f64>,
    /// How far down one was seen, in percent of its height: the mean.
    #[schema(required, minimum = 0, maximum = 100)]
    avg_scroll_depth_pct: Option<f64>,
    /// The share of them that bounced.
    #[schema(required, minimum = 0, maximum = 100)]
    bounce_rate_pct: Option<f64>,
    /// Clicks, taps and keys: the mean.
    #[schema(required, minimum = 0)]
    avg_interactions: Option<f64>,
}

impl RumEngagementPublic {
    fn new(found: &SiteEngagement, window: DateRange, meta: RumMeta) -> Self {
        let all = &found.all;
        let reached = all.reached.map(|views| share_pct(views, all.scrolled));
        let [to_25_pct, to_50_pct, to_75_pct, to_100_pct] = reached;
        let known: BTreeMap<Date, &EngagementFigures> =
            found.days.iter().map(|(day, figures)| (*day, figures)).collect();
        let nothing = EngagementFigures::default();
        let items = window
            .dates()
            .map(|day| EngagementDayPublic::new(day, known.get(&day).copied().unwrap_or(&nothing)));
        Self {
            pageviews: all.views,
            avg_time_on_page_seconds: all.mean_visible_ms.map(seconds),
            median_time_on_page_seconds: all.median_visible_ms.map(seconds),
            avg_scroll_depth_pct: all.mean_scroll_pct.map(hundredths),
            scroll_depth_split: ScrollSplitPublic {
                to_25_pct,
                to_50_pct,
                to_75_pct,
                to_100_pct,
            },
            bounce_rate_pct: all.bounce_rate_pct(),
            avg_interactions: all.mean_interactions.map(hundredths),
            interacted_views_pct: share_pct(all.interacted, all.views).filter(|_| all.counted > 0),
            rage_click_views_pct: share_pct(all.raged, all.rage_counted),
            dead_click_views_pct: share_pct(all.dead, all.dead_counted),
            items: items.collect(),
            meta,
        }
    }
}

impl EngagementDayPublic {
    fn new(day: Date, figures: &EngagementFigures) -> Self {
        Self {
            date: Day(day),
            pageviews: figures.views,
            avg_time_on_page_seconds: figures.mean_visible_ms.map(seconds),
            avg_scroll_depth_pct: figures.mean_scroll_pct.map(hundredths),
            bounce_rate_pct: figures.bounce_rate_pct(),
            avg_interactions: figures.mean_interactions.map(hundredths),
        }
    }
}

impl Example for RumEngagementPublic {
    fn example() -> Self {
        let figures = EngagementFigures {
            views: 1_604,
            timed: 1_590,
            scrolled: 1_590,
            counted: 1_590,
            judged: 1_590,
            reached: [1_410, 1_002, 640, 211],
            bounced: 402,
            interacted: 1_120,
            raged: 12,
            dead: 41,
            rage_counted: 1_590,
            dead_counted: 1_590,
            mean_visible_ms: Some(48_210.0),
            median_visible_ms: Some(22_400.0),
            mean_scroll_pct: Some(58.4),
            mean_interactions: Some(3.21),
        };
        let day = date!(2026 - 03 - 31);
        let found = SiteEngagement {
            all: figures,
            days: vec![(day, figures)],
        };
        let meta = RumMeta::example_of(PercentileMethod::Exact);
        Self::new(&found, DateRange::ending(day, 1), meta)
    }
}
