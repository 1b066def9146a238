//! GET /domains/{domain_id}/rum/distribution

use pharos_domain::identity::DomainAccess;
use pharos_http::{
    extract::{port::Port, query::Query, window::Dates},
    operation::{ApiResult, Example},
    spec::OperationSpec,
};
use pharos_vitals::{
    metric::{Metric, RatingSplit},
    store::VitalsReads,
    trends::{Distribution, TrendReads, edges},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{
    chosen::READ,
    filters::{PageFilter, ViewFilters},
    meta::RumMeta,
};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "getRumDistribution",
    path: "/domains/{domain_id}/rum/distribution",
    summary: "How the values of a metric are spread",
    description: "All bins but the last are equally wide; the last is open, and `overflow_count` is its count. With 50 bins the \
                  bounds of the bands are edges. Where `meta.percentile_method` is `histogram` a value that lies within 1 % of an \
                  edge may be counted beyond it.",
    ..READ
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(super) struct DistributionParameters {
    /// The metric whose distribution is asked for.
    #[param(inline)]
    metric: Metric,
    /// How many bins; left out: 50.
    #[serde(default = "fifty")]
    #[param(value_type = Option<u8>, minimum = 1, maximum = 100, default = 50)]
    bins: u8,
}

fn fifty() -> u8 {
    50
}

pub(super) async fn view(
    access: DomainAccess,
    Dates(asked): Dates,
    Query(parameters): Query<DistributionParameters>,
    Query(page): Query<PageFilter>,
    Query(filters): Query<ViewFilters>,
    trends: Port<dyn TrendReads>,
    reads: Port<dyn VitalsReads>,
) -> ApiResult<RumDistributionPublic> {
    let filter = page.and(filters);
    let metric = parameters.metric;
    let edges = edges(metric, parameters.bins);
    let meta = RumMeta::read(&access, &asked, &*reads, filter.method()).await?;
    let found = trends
        .distribution(&access, asked.window, &filter, metric, &edges)
        .await?;
    Ok(RumDistributionPublic::new(metric, &edges, &found, meta))
}

/// How the values of a metric are spread.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumDistribution)]
pub(super) struct RumDistributionPublic {
    /// The metric that the distribution is of.
    metric: Metric,
    /// The unit of its values: ms, or none.
    #[schema(value_type = String)]
    unit: &'static str,
    /// How many views had a value.
    #[schema(minimum = 0)]
    sample_count: u64,
    /// The bins, in order.
    bins: Vec<BinPublic>,
    /// Percentiles.
    percentiles: PercentilesPublic,
    /// Which share of the values lies in which band.
    rating_split: RatingSplit,
    /// The highest value that is good.
    #[schema(minimum = 0)]
    good_threshold: f64,
    /// A value above this is poor.
    #[schema(minimum = 0)]
    poor_threshold: f64,
    /// How many values lie at or above the last edge.
    #[schema(minimum = 0)]
    overflow_count: u64,
    /// The window in force, which the figures are of.
    meta: RumMeta,
}

/// A bin.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumBin)]
struct BinPublic {
    /// The least value of it.
    #[schema(minimum = 0)]
    start: f64,
    /// Values of it are less than this; null on the last.
    #[schema(required, minimum = 0)]
    end: Option<f64>,
    /// The share of all values, from 0 to 1; 0 without any.
    #[schema(minimum = 0, maximum = 1)]
    density: f64,
    /// How many values.
    #[schema(minimum = 0)]
    count: u64,
}

/// Percentiles; null without a value.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumPercentiles)]
struct PercentilesPublic {
    /// The 5th.
    #[schema(required, minimum = 0)]
    p5: Option<f64>,
    /// The 25th.
    #[schema(required, minimum = 0)]
    p25: Option<f64>,
    /// The median.
    #[schema(required, minimum = 0)]
    p50: Option<f64>,
    /// The 75th.
    #[schema(required, minimum = 0)]
    p75: Option<f64>,
    /// The 90th.
    #[schema(required, minimum = 0)]
    p90: Option<f64>,
    /// The 95th.
    #[schema(required, minimum = 0)]
    p95: Option<f64>,
    /// The 99th.
    #[schema(required, minimum = 0)]
    p99: Option<f64>,
}

impl RumDistributionPublic {
    fn new(metric: Metric, edges: &[f64], found: &Distribution, meta: RumMeta) -> Self {
        let all: u64 = found.counts.iter().sum();
        let density = |count: u64| (count as f64 / all.max(1) as f64 * 1e6).round() / 1e6;
        let ends = edges.iter().skip(1).copied().map(Some).chain([None]);
        let bins = edges.iter().zip(ends).zip(&found.counts);
        let bins = bins.map(|((start, end), count)| BinPublic {
            start: *start,
            end,
            density: density(*count),
            count: *count,
        });
        let [p5, p25, p50, p75, p90, p95, p99] = found.percentiles;
        let bands = metric.bands();
        Self {
            metric,
            unit: if metric == Metric::Cls { "none" } else { "ms" },
            sample_count: all,
            bins: bins.collect(),
            percentiles: PercentilesPublic {
                p5,
                p25,
                p50,
                p75,
                p90,
                p95,
                p99,
            },
            rating_split: found.split,
            good_threshold: bands.good,
            poor_threshold: bands.poor,
            overflow_count: found.counts.last().copied().unwrap_or(0),
            meta,
        }
    }
}

impl Example for RumDistributionPublic {
    fn example() -> Self {
        let found = Distribution {
            counts: vec![1_240, 322, 42],
            percentiles: [
                Some(410.2),
                Some(820.0),
                Some(1_390.4),
                Some(2_310.4),
                Some(3_940.1),
                Some(5_102.7),
                Some(9_204.8),
            ],
            split: RatingSplit {
                good_pct: Some(78.3),
                needs_improvement_pct: Some(12.1),
                poor_pct: Some(9.6),
                sample_count: 1_604,
            },
        };
        Self::new(Metric::Lcp, &edges(Metric::Lcp, 3), &found, RumMeta::example())
    }
}
