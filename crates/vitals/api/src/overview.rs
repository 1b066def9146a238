//! GET /domains/{domain_id}/rum/overview

use std::collections::BTreeMap;

use pharos_domain::{
    clock::Clock,
    collect::client::Device,
    day::Day,
    identity::DomainAccess,
    timestamp::Timestamp,
    window::{Change, DataThrough, DateRange},
};
use pharos_http::{
    extract::{port::Port, query::Query, window::ComparedDates},
    operation::{ApiResult, Example},
    spec::{Compare, OperationSpec},
};
use pharos_vitals::{
    block::HEADLINE_PERCENT,
    overview::{SiteFigures, ViewFigures, ViewFilter},
    store::VitalsReads,
};
use serde::Serialize;
use time::{
    Date,
    macros::{date, datetime},
};
use utoipa::ToSchema;

use crate::{
    chosen::READ,
    filters::ViewFilters,
    meta::RumMeta,
    vitals::{RatingsPublic, SampleCountsPublic, VitalsPublic},
};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "getRumOverview",
    path: "/domains/{domain_id}/rum/overview",
    summary: "The headline figures of what visitors feel",
    description: "Web vitals are 75th percentiles over views, restored ones among them: `navigation_type` leaves those \
                  out. A view belongs to the UTC day on which it began. Without a filter, or with `device` alone, \
                  percentiles come from counts of values, and `meta.percentile_method` says so. A figure that was not \
                  measured is null; nothing is 0 for want of data. `comparison` is there with compare_previous.",
    // Not one of the reads that have a limit of their own.
    rum_read: None,
    compare: Compare::Previous,
    ..READ
};

pub(super) async fn view(
    access: DomainAccess,
    ComparedDates(asked): ComparedDates,
    Query(filters): Query<ViewFilters>,
    reads: Port<dyn VitalsReads>,
    clock: Port<dyn Clock>,
) -> ApiResult<RumOverviewPublic> {
    let filter = ViewFilter::from(filters);
    let window = asked.window.window;
    let found = reads.figures(&access, window, &filter, HEADLINE_PERCENT).await?;
    let comparison = match asked.shown {
        None => None,
        Some(shown) => {
            let before = reads
                .figures(&access, shown.window, &filter, HEADLINE_PERCENT)
                .await?;
            // Nothing is known of days that are no longer kept.
            let before = shown.is_kept.then_some(before.all);
            Some(ComparisonPublic::new(&found.all, before.as_ref()))
        }
    };
    let received = reads.received(&access, clock.now()).await?;
    let through = received.map(|received| received.last_at.min(window.end()));
    let some = |figures: &ViewFigures| (figures.views > 0).then(|| VitalsPublic::from(figures));
    let all = &found.all;
    Ok(RumOverviewPublic {
        pageviews: all.views,
        sample_counts: all.into(),
        percentile: "p75",
        vitals: DevicesPublic {
            all: some(all),
            mobile: found.of(Device::Mobile).map(VitalsPublic::from),
            desktop: found.of(Device::Desktop).map(VitalsPublic::from),
            tablet: found.of(Device::Tablet).map(VitalsPublic::from),
        },
        ratings: all.into(),
        passes_core_web_vitals: all.passes(),
        good_views_pct: all.good_views_pct(),
        js_error_rate_pct: all.error_rate_pct(),
        bfcache_hit_pct: all.bfcache_hit_pct(),
        data_through: through.map(Timestamp::from),
        comparison,
        items: items(&found, window),
        meta: RumMeta::new(
            asked.meta(through.map(DataThrough::from)),
            window,
            filter.method(),
        ),
    })
}

/// Every day of a window, whether there was a view on it or not.
pub(super) fn items(found: &SiteFigures, window: DateRange) -> Vec<RumDayPublic> {
    let known: BTreeMap<Date, &ViewFigures> =
        found.days.iter().map(|(day, figures)| (*day, figures)).collect();
    window
        .dates()
        .map(|day| {
            let nothing = ViewFigures::default();
            let figures = known.get(&day).copied().unwrap_or(&nothing);
            RumDayPublic {
                date: Day(day),
                pageviews: figures.views,
                vitals: figures.into(),
            }
        })
        .collect()
}

/// The headline figures of real users.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumOverview)]
pub(super) struct RumOverviewPublic {
    /// Loads and restores that told of themselves.
    #[schema(minimum = 0)]
    pageviews: u64,
    /// How many views had a value, by metric.
    sample_counts: SampleCountsPublic,
    /// Which percentile the vitals are.
    #[schema(value_type = String)]
    percentile: &'static str,
    /// Web vitals, by class of device.
    vitals: DevicesPublic,
    /// How many of the values are good, by metric.
    ratings: RatingsPublic,
    /// Whether the percentiles of LCP, INP and CLS are good; a missing INP is passed over. Null where LCP or CLS is missing.
    #[schema(required)]
    passes_core_web_vitals: Option<bool>,
    /// The share of views whose core metrics are all good, among those with one or more; null without any.
    #[schema(required, minimum = 0, maximum = 100)]
    good_views_pct: Option<f64>,
    /// The share of views with an error; null without a view.
    #[schema(required, minimum = 0, maximum = 100)]
    js_error_rate_pct: Option<f64>,
    /// The share of views by going back or forward that were restored as they were left; null without any.
    #[schema(required, minimum = 0, maximum = 100)]
    bfcache_hit_pct: Option<f64>,
    /// Up to when data is complete; null where nothing was ever received.
    #[schema(required)]
    data_through: Option<Timestamp>,
    /// The figures beside those of the days before; left out without compare_previous.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    comparison: Option<ComparisonPublic>,
    /// The days of the window, in order.
    items: Vec<RumDayPublic>,
    /// The window in force, which the figures are of.
    meta: RumMeta,
}

/// Web vitals by class of device.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumDeviceVitals)]
pub(super) struct DevicesPublic {
    /// The vitals of all views, televisions and the like among them; null without any.
    #[schema(required)]
    all: Option<VitalsPublic>,
    /// The vitals of views on phones; null without any.
    #[schema(required)]
    mobile: Option<VitalsPublic>,
    /// The vitals of views on computers; null without any.
    #[schema(required)]
    desktop: Option<VitalsPublic>,
    /// The vitals of views on tablets; null without any.
    #[schema(required)]
    tablet: Option<VitalsPublic>,
}

/// Figures beside those of as many days before.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumOverviewComparison)]
pub(super) struct ComparisonPublic {
    /// Views.
    pageviews: Change,
    /// Largest Contentful Paint in milliseconds.
    lcp_ms: Change,
    /// Interaction to Next Paint in milliseconds.
    inp_ms: Change,
    /// Cumulative Layout Shift.
    cls: Change,
    /// First Contentful Paint in milliseconds.
    fcp_ms: Change,
    /// Time to First Byte in milliseconds.
    ttfb_ms: Change,
}

impl ComparisonPublic {
    fn new(current: &ViewFigures, before: Option<&ViewFigures>) -> Self {
        let (now, then) = (VitalsPublic::from(current), before.map(VitalsPublic::from));
        let change = |of: fn(&VitalsPublic) -> Option<f64>| Change::of(of(&now), then.as_ref().and_then(of));
        let views = |figures: &ViewFigures| figures.views as f64;
        Self {
            pageviews: Change::of(Some(views(current)), before.map(views)),
            lcp_ms: change(|vitals| vitals.lcp_ms),
            inp_ms: change(|vitals| vitals.inp_ms),
            cls: change(|vitals| vitals.cls),
            fcp_ms: change(|vitals| vitals.fcp_ms),
            ttfb_ms: change(|vitals| vitals.ttfb_ms),
        }
    }
}

/// A day of the window.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumDay)]
pub(super) struct RumDayPublic {
    /// The UTC day.
    date: Day,
    /// Views that began on it.
    #[schema(minimum = 0)]
    pageviews: u64,
    #[serde(flatten)]
    vitals: VitalsPublic,
}

impl Example for RumDayPublic {
    fn example() -> Self {
        Self {
            date: Day(date!(2026 - 03 - 31)),
            pageviews: 1_604,
            vitals: VitalsPublic::EXAMPLE,
        }
    }
}

impl Example for RumOverviewPublic {
    fn example() -> Self {
        let mut figures = ViewFigures {
            views: 4_812,
            core_views: 4_700,
            good_views: 3_948,
            error_views: 61,
            errors: 93,
            back_forwards: 410,
            restored: 325,
            ..ViewFigures::default()
        };
        for rated in &mut figures.rated {
            (rated.good, rated.needs_improvement, rated.poor) = (3_900, 600, 200);
        }
        let vitals = VitalsPublic::EXAMPLE;
        Self {
            pageviews: figures.views,
            sample_counts: (&figures).into(),
            percentile: "p75",
            vitals: DevicesPublic {
                all: Some(vitals),
                mobile: Some(vitals),
                desktop: Some(vitals),
                tablet: None,
            },
            ratings: (&figures).into(),
            passes_core_web_vitals: Some(true),
            good_views_pct: figures.good_views_pct(),
            js_error_rate_pct: figures.error_rate_pct(),
            bfcache_hit_pct: figures.bfcache_hit_pct(),
            data_through: Some(datetime!(2026-03-31 09:14:30 UTC).into()),
            comparison: None,
            items: vec![RumDayPublic::example()],
            meta: RumMeta::example(),
        }
    }
}
