//! GET /domains/{domain_id}/rum/engagement/correlation

use pharos_domain::{conversions::Conversions, figure::hundredths, identity::DomainAccess};
use pharos_http::{
    extract::{port::Port, query::Query, window::Dates},
    operation::{ApiResult, Example},
    spec::OperationSpec,
};
use pharos_vitals::{
    behaviour::{BehaviourReads, CorrelatedMetric, Correlation, SpeedBucket},
    metric::share_pct,
    overview::{PercentileMethod, ViewFilter},
    store::VitalsReads,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::seconds;
use crate::{
    chosen::{READ, meta},
    filters::ViewFilters,
    meta::RumMeta,
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getRumEngagementCorrelation",
    path: "/domains/{domain_id}/rum/engagement/correlation",
    summary: "How what people do goes with speed",
    description: "Views by the value of a metric, and what people did on those of each bucket. `spearman_rho` is the rank correlation \
                  of the value with the time for which the view was visible, null for fewer than 30 views with both. It is an \
                  association, and not a cause. `conversion_rate_pct` is of the orders that web analytics knows.",
    rum_read: Some(15),
    ..READ
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(crate) struct CorrelationParameters {
    /// The metric; left out: lcp.
    #[param(inline, value_type = Option<CorrelatedMetric>)]
    metric: CorrelatedMetric,
}

impl Default for CorrelationParameters {
    fn default() -> Self {
        Self {
            metric: CorrelatedMetric::Lcp,
        }
    }
}

pub(crate) async fn view(
    access: DomainAccess,
    Dates(asked): Dates,
    Query(parameters): Query<CorrelationParameters>,
    Query(filters): Query<ViewFilters>,
    behaviour: Port<dyn BehaviourReads>,
    reads: Port<dyn VitalsReads>,
    conversions: Port<dyn Conversions>,
) -> ApiResult<RumCorrelationPublic> {
    let filter = ViewFilter::from(filters);
    let metric = parameters.metric;
    let meta = meta(&access, &asked, &*reads).await?;
    let converted = conversions.converted(&access, asked.window).await?;
    let found = behaviour
        .correlation(&access, asked.window, &filter, metric, converted.as_deref())
        .await?;
    Ok(RumCorrelationPublic::new(metric, &found, meta))
}

/// How what people do goes with a metric.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumCorrelation)]
pub(crate) struct RumCorrelationPublic {
    /// The metric that the buckets are of.
    metric: CorrelatedMetric,
    /// The unit of the buckets' edges: ms, or none.
    #[schema(value_type = String)]
    bucket_unit: &'static str,
    /// The place, from 0, of the bucket with most views, which others are held against; null without any.
    #[schema(required, minimum = 0)]
    baseline_bucket: Option<usize>,
    /// The buckets, from the fastest.
    buckets: Vec<SpeedBucketPublic>,
    /// The rank correlation of the value with the time on the page, from -1 to 1; null for fewer than 30 views.
    #[schema(required, minimum = -1, maximum = 1)]
    spearman_rho: Option<f64>,
    /// Views in which the metric was measured.
    #[schema(minimum = 0)]
    sample_count: u64,
    /// How all of this is to be read: `association`.
    #[schema(value_type = String)]
    interpretation: &'static str,
    /// The window in force, which the figures are of.
    meta: RumMeta,
}

/// The views with a value between two edges. Figures that were not measured are null.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumSpeedBucket)]
struct SpeedBucketPublic {
    /// The least value.
    #[schema(minimum = 0)]
    start: f64,
    /// Values are less than this; null on the last.
    #[schema(required, minimum = 0)]
    end: Option<f64>,
    /// Views.
    #[schema(minimum = 0)]
    pageviews: u64,
    /// Their share of the views in which the metric was measured; null without any.
    #[schema(required, minimum = 0, maximum = 100)]
    share_pct: Option<f64>,
    /// The share of them that bounced.
    #[schema(required, minimum = 0, maximum = 100)]
    bounce_rate_pct: Option<f64>,
    /// For how long one was visible: the mean.
    #[schema(required, minimum = 0)]
    avg_time_on_page_seconds: Option<f64>,
    /// How far down one was seen, in percent of its height: the mean.
    #[schema(required, minimum = 0, maximum = 100)]
    avg_scroll_depth_pct: Option<f64>,
    /// The share of them whose visit came to an order, routes within a page left out. Null where web analytics never recorded
    /// ecommerce, without such views, and where more than 500,000 of the window belong to such visits.
    #[schema(required, minimum = 0, maximum = 100)]
    conversion_rate_pct: Option<f64>,
}

impl RumCorrelationPublic {
    fn new(metric: CorrelatedMetric, found: &Correlation, meta: RumMeta) -> Self {
        let samples = found.samples();
        let edges = metric.edges();
        let ends = edges.iter().skip(1).copied().map(Some).chain([None]);
        let buckets = edges.iter().copied().zip(ends).zip(&found.buckets);
        let buckets = buckets.map(|((start, end), bucket)| SpeedBucketPublic {
            start,
            end,
            pageviews: bucket.views,
            share_pct: share_pct(bucket.views, samples),
            bounce_rate_pct: share_pct(bucket.bounced, bucket.judged),
            avg_time_on_page_seconds: bucket.mean_visible_ms.map(seconds),
            avg_scroll_depth_pct: bucket.mean_scroll_pct.map(hundredths),
            conversion_rate_pct: bucket.conversion_rate_pct(),
        });
        let is_unitless = metric == CorrelatedMetric::Cls;
        Self {
            metric,
            bucket_unit: if is_unitless { "none" } else { "ms" },
            baseline_bucket: found.baseline(),
            buckets: buckets.collect(),
            spearman_rho: found.coefficient().map(|rho| (rho * 1e4).round() / 1e4),
            sample_count: samples,
            interpretation: "association",
            meta,
        }
    }
}

impl Example for RumCorrelationPublic {
    fn example() -> Self {
        let bucket = SpeedBucket {
            views: 420,
            judged: 420,
            bounced: 80,
            mean_visible_ms: Some(41_200.0),
            mean_scroll_pct: Some(61.2),
            loads: 420,
            converted: Some(13),
        };
        let found = Correlation {
            buckets: vec![bucket; 11],
            pairs: 4_620,
            rho: Some(-0.2134),
        };
        let meta = RumMeta::example_of(PercentileMethod::Exact);
        Self::new(CorrelatedMetric::Lcp, &found, meta)
    }
}
