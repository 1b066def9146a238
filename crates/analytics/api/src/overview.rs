//! GET /domains/{domain_id}/analytics/overview

use pharos_analytics::{
    filter::Filters,
    filter_texts::FilterTexts,
    overview::{Overview, Totals, as_number},
    store::{SiteStore, VisitStore},
};
use pharos_domain::{
    day::Day,
    documented_wire_enum,
    identity::DomainAccess,
    timestamp::Timestamp,
    window::{DataThrough, DateRange, Meta, change, change_pct},
};
use pharos_http::{
    extract::{port::Port, query::Query, window::ComparedFull},
    operation::{ApiResult, Example},
    spec::{Compare, OperationSpec},
};
use serde::Serialize;
use time::macros::{date, datetime};
use utoipa::ToSchema;

use crate::{READ, missing, through};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "getAnalyticsOverview",
    path: "/domains/{domain_id}/analytics/overview",
    summary: "Visitors, sessions and what they did, in all and by day",
    description: "`visitors` adds up the distinct visitors of each UTC day: who comes on three days counts three times, since \
                  nobody is recognised on another day. 30 minutes without a sign of life, or midnight UTC, end a session. Changes \
                  are against the days that compare_range names with compare_previous, else against as many days right \
                  before.",
    compare: Compare::Mode,
    ..READ
};

pub(super) async fn view(
    access: DomainAccess,
    ComparedFull(asked): ComparedFull,
    Query(filters): Query<FilterTexts>,
    sites: Port<dyn SiteStore>,
    visits: Port<dyn VisitStore>,
) -> ApiResult<AnalyticsOverviewPublic> {
    let site = sites.view(&access).await?.ok_or_else(missing)?;
    let filters = Filters::from(filters);
    let baseline = asked.baseline();
    let window = asked.window.window;
    let windows = [window, baseline.window];
    let currency = &site.settings.currency;
    let found = visits.overview(&access, &windows, &filters, currency).await?;
    let revenue = |window| site.has_commerce.then(|| found.revenue(window));
    let now = Figures::of(found.totals(window), revenue(window));
    // Nothing is known of days that are no longer kept.
    let then = baseline
        .is_kept
        .then(|| Figures::of(found.totals(baseline.window), revenue(baseline.window)));
    let changed = |of: fn(&Figures) -> Option<f64>| change_pct(of(&now), then.as_ref().and_then(of));
    let bounce_then = then.as_ref().and_then(|then| then.bounce_rate_pct);
    let through = through(window, found.last_at);
    Ok(AnalyticsOverviewPublic {
        visitors_change_pct: changed(|figures| Some(as_number(figures.visitors))),
        sessions_change_pct: changed(|figures| Some(as_number(figures.sessions))),
        pageviews_change_pct: changed(|figures| Some(as_number(figures.pageviews))),
        avg_duration_change_pct: changed(|figures| figures.avg_duration_seconds),
        views_per_session_change_pct: changed(|figures| figures.views_per_session),
        bounce_rate_change_pp: change(now.bounce_rate_pct, bounce_then).unwrap_or(0.0),
        currency: site.has_commerce.then(|| currency.clone()),
        items: items(&found, window),
        data_through: through.map(Timestamp::from),
        previous: asked.shown.and(then),
        meta: OverviewMeta {
            meta: asked.meta(through.map(DataThrough::from)),
            visitor_scope: VisitorScope::DayUnique,
        },
        figures: now,
    })
}

/// Every day of a window, whether anything happened on it or not.
fn items(found: &Overview, window: DateRange) -> Vec<AnalyticsDayPublic> {
    let mut known = found.days.iter().peekable();
    window
        .dates()
        .map(|day| {
            while known.next_if(|known| known.day < day).is_some() {}
            let totals = known
                .next_if(|known| known.day == day)
                .map_or_else(Totals::default, |known| known.totals);
            AnalyticsDayPublic {
                date: Day(day),
                visitors: totals.visitors,
                sessions: totals.sessions,
                pageviews: totals.pageviews,
            }
        })
        .collect()
}

/// The figures of a site's sessions.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsOverview)]
pub(super) struct AnalyticsOverviewPublic {
    #[serde(flatten)]
    figures: Figures,
    /// The change of visitors in percent; null with nothing to compare.
    #[schema(required)]
    visitors_change_pct: Option<f64>,
    /// The change of sessions in percent; null with nothing to compare.
    #[schema(required)]
    sessions_change_pct: Option<f64>,
    /// The change of page views in percent; null with nothing to compare.
    #[schema(required)]
    pageviews_change_pct: Option<f64>,
    /// The change of how long a session is in percent; null with nothing to compare.
    #[schema(required)]
    avg_duration_change_pct: Option<f64>,
    /// The change of how many page views a session has in percent; null with nothing to compare.
    #[schema(required)]
    views_per_session_change_pct: Option<f64>,
    /// The change of the bounce rate in percentage points; 0 with nothing to compare.
    bounce_rate_change_pp: f64,
    /// The currency of `revenue`, ISO 4217; null where that is.
    #[schema(required)]
    currency: Option<String>,
    /// The figures of the days that the window is compared with; left out without compare_previous.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    previous: Option<Figures>,
    /// The days of the window, in order.
    items: Vec<AnalyticsDayPublic>,
    /// The newest moment of which anything was received, to within a minute; null where nothing ever was.
    #[schema(required)]
    data_through: Option<Timestamp>,
    /// The window in force, which the figures are of.
    meta: OverviewMeta,
}

/// The figures of sessions.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsFigures)]
pub(super) struct Figures {
    /// The distinct visitors of each UTC day, added up.
    #[schema(minimum = 0)]
    visitors: u64,
    /// Sessions.
    #[schema(minimum = 0)]
    sessions: u64,
    /// Page views.
    #[schema(minimum = 0)]
    pageviews: u64,
    /// The share of sessions with one page view and no event, download or link to another host, in percent; null without
    /// sessions.
    #[schema(required, minimum = 0, maximum = 100)]
    bounce_rate_pct: Option<f64>,
    /// From the first to the last sign of life of a session; one sign alone is 0 seconds, and counts. Null without sessions.
    #[schema(required, minimum = 0)]
    avg_duration_seconds: Option<f64>,
    /// Page views of a session; null without sessions.
    #[schema(required, minimum = 0)]
    views_per_session: Option<f64>,
    /// Events of the site's own, ecommerce among them.
    #[schema(minimum = 0)]
    events: u64,
    /// Orders less refunds, in `currency`; null where ecommerce was never recorded.
    #[schema(required)]
    revenue: Option<f64>,
}

impl Figures {
    fn of(totals: Totals, revenue: Option<f64>) -> Self {
        Self {
            visitors: totals.visitors,
            sessions: totals.sessions,
            pageviews: totals.pageviews,
            bounce_rate_pct: totals.bounce_rate_pct(),
            avg_duration_seconds: totals.avg_duration_seconds(),
            views_per_session: totals.views_per_session(),
            events: totals.events,
            revenue,
        }
    }
}

/// A day of the window.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsDay)]
pub(super) struct AnalyticsDayPublic {
    /// The day, UTC.
    date: Day,
    /// Its distinct visitors.
    #[schema(minimum = 0)]
    visitors: u64,
    /// Sessions that began on the day.
    #[schema(minimum = 0)]
    sessions: u64,
    /// Its page views.
    #[schema(minimum = 0)]
    pageviews: u64,
}

documented_wire_enum! {
    /// The meaning of `visitors`.
    VisitorScope {
        /// The distinct visitors of each UTC day, added up.
        DayUnique = "day_unique",
    }
}

/// The window, and what `visitors` means.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsOverviewMeta)]
pub(super) struct OverviewMeta {
    #[serde(flatten)]
    meta: Meta,
    /// The meaning of `visitors`.
    visitor_scope: VisitorScope,
}

impl Example for AnalyticsOverviewPublic {
    fn example() -> Self {
        Self {
            figures: Figures {
                visitors: 4_182,
                sessions: 5_004,
                pageviews: 15_911,
                bounce_rate_pct: Some(41.2),
                avg_duration_seconds: Some(186.4),
                views_per_session: Some(3.18),
                events: 734,
                revenue: Some(12_840.5),
            },
            visitors_change_pct: Some(6.1),
            sessions_change_pct: Some(5.4),
            pageviews_change_pct: Some(-1.2),
            avg_duration_change_pct: Some(2.0),
            views_per_session_change_pct: Some(-6.3),
            bounce_rate_change_pp: -0.8,
            currency: Some("EUR".to_owned()),
            previous: None,
            items: vec![AnalyticsDayPublic {
                date: Day(date!(2026 - 03 - 12)),
                visitors: 141,
                sessions: 166,
                pageviews: 528,
            }],
            data_through: Some(datetime!(2026-03-31 09:14:00 UTC).into()),
            meta: OverviewMeta {
                meta: Meta::example(),
                visitor_scope: VisitorScope::DayUnique,
            },
        }
    }
}
