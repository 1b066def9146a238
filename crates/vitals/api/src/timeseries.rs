//! GET /domains/{domain_id}/rum/timeseries

use std::collections::BTreeMap;

use pharos_domain::{
    identity::DomainAccess,
    timestamp::Timestamp,
    window::{DateRange, Granularity},
};
use pharos_http::{
    extract::{
        port::Port,
        query::{Query, RuledQuery, Rules, listed},
        window::Dates,
    },
    name_lists,
    operation::{ApiResult, Example},
    problem::Fault,
    spec::OperationSpec,
};
use pharos_vitals::{
    store::VitalsReads,
    trends::{
        MOST_DAYS_OF_HOURS, Percentile, SeriesFigures, SeriesMetric, SeriesPiece, SeriesQuery, TrendReads,
    },
};
use serde::{Deserialize, Serialize};
use time::{OffsetDateTime, macros::datetime};
use utoipa::{IntoParams, ToSchema};

use crate::{
    chosen::READ,
    filters::{PageFilter, ViewFilters},
    meta::RumMeta,
};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "getRumTimeseries",
    path: "/domains/{domain_id}/rum/timeseries",
    summary: "Metrics over time",
    description: "Vitals and `long_task_ms` are percentiles of all views of a piece, never means of percentiles; `long_task_ms` is \
                  the time that long tasks and frames kept a view waiting, in all. Percentiles are exact with `granularity=hour`, \
                  with `long_task_ms`, and with any filter but `device`; `meta.percentile_method` says so. A piece in which a \
                  metric was not measured has the value null. Pieces that have not begun are left out.",
    ..READ
};

name_lists! {
    /// Metrics of views over time.
    RumMetricNames = SeriesMetric::ALL;
}

#[derive(Debug, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(super) struct TimeseriesParameters {
    /// Which metrics, by their names with commas between: `lcp_ms`, `inp_ms`, `cls`, `fcp_ms`, `ttfb_ms`, `pageviews`,
    /// `error_count`, `error_rate_pct`, `good_views_pct`, `long_task_ms`; left out: the vitals and `pageviews`.
    #[param(inline, value_type = Option<RumMetricNames>)]
    metrics: Option<String>,
    /// Which percentile; left out: the 75th.
    #[param(inline, value_type = Option<Percentile>)]
    percentile: Percentile,
    /// How long the pieces are; left out: a day. Hours are told of 14 days at most.
    #[param(inline, value_type = Option<Granularity>)]
    granularity: Granularity,
}

impl Default for TimeseriesParameters {
    fn default() -> Self {
        Self {
            metrics: None,
            percentile: Percentile::P75,
            granularity: Granularity::Day,
        }
    }
}

impl TimeseriesParameters {
    /// The metrics, each once, in the order in which they were asked for.
    fn metrics(&self) -> Vec<SeriesMetric> {
        match &self.metrics {
            None => SeriesMetric::USUAL.to_vec(),
            Some(names) => listed(names),
        }
    }
}

impl Rules for TimeseriesParameters {
    fn faults(&self, days: Option<DateRange>) -> Vec<Fault> {
        let is_long = days.is_some_and(|days| days.days() > MOST_DAYS_OF_HOURS);
        if self.granularity == Granularity::Hour && is_long {
            let why = format!(
                "by the hour a window has at most {MOST_DAYS_OF_HOURS} days; ask by the day, or for fewer"
            );
            vec![Fault::parameter("granularity", why)]
        } else {
            Vec::new()
        }
    }
}

pub(super) async fn view(
    access: DomainAccess,
    Dates(asked): Dates,
    RuledQuery(parameters): RuledQuery<TimeseriesParameters>,
    Query(page): Query<PageFilter>,
    Query(filters): Query<ViewFilters>,
    trends: Port<dyn TrendReads>,
    reads: Port<dyn VitalsReads>,
) -> ApiResult<RumTimeseriesPublic> {
    let metrics = parameters.metrics();
    let filter = page.and(filters);
    let query = SeriesQuery {
        window: asked.window,
        filter: &filter,
        percent: parameters.percentile.percent(),
        granularity: parameters.granularity,
        metrics: &metrics,
    };
    let now = asked.horizon.now;
    let meta = RumMeta::read(&access, &asked, &*reads, query.method()).await?;
    let pieces = trends.series(&access, &query).await?;
    Ok(RumTimeseriesPublic {
        percentile: parameters.percentile,
        granularity: parameters.granularity,
        series: series(pieces, &query, now),
        meta,
    })
}

/// A series for each metric, with every piece of the window that has begun.
fn series(pieces: Vec<SeriesPiece>, query: &SeriesQuery<'_>, now: OffsetDateTime) -> Vec<RumSeriesPublic> {
    let known: BTreeMap<OffsetDateTime, SeriesFigures> = pieces
        .into_iter()
        .map(|piece| (piece.start, piece.figures))
        .collect();
    let starts: Vec<OffsetDateTime> = query
        .window
        .buckets(query.granularity)
        .map(|bucket| bucket.start)
        .take_while(|start| *start <= now)
        .collect();
    let point = |start: &OffsetDateTime, metric| {
        let (value, sample_count) = known.get(start).copied().unwrap_or_default().of(metric);
        RumPointPublic {
            bucket_start: (*start).into(),
            value,
            sample_count,
        }
    };
    let one = |metric: &SeriesMetric| RumSeriesPublic {
        metric: *metric,
        unit: metric.unit(),
        points: starts.iter().map(|start| point(start, *metric)).collect(),
    };
    query.metrics.iter().map(one).collect()
}

/// Metrics over time.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumTimeseries)]
pub(super) struct RumTimeseriesPublic {
    /// Which percentile values are.
    percentile: Percentile,
    /// How long the pieces are.
    granularity: Granularity,
    /// The metrics, in the order in which they were asked for.
    series: Vec<RumSeriesPublic>,
    /// The window in force, which the figures are of.
    meta: RumMeta,
}

/// A metric over time.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumSeries)]
struct RumSeriesPublic {
    /// The metric that the points are of.
    metric: SeriesMetric,
    /// The unit of its values: ms, pct, count, or none.
    #[schema(value_type = String)]
    unit: &'static str,
    /// The pieces of the window that have begun, in order.
    points: Vec<RumPointPublic>,
}

/// A piece of a time series.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumPoint)]
struct RumPointPublic {
    /// When its hour, day or week begins; that of a first week may lie before the window.
    bucket_start: Timestamp,
    /// The value; null where it was not measured.
    #[schema(required, minimum = 0)]
    value: Option<f64>,
    /// How many views it is of.
    #[schema(minimum = 0)]
    sample_count: u64,
}

impl Example for RumTimeseriesPublic {
    fn example() -> Self {
        Self {
            percentile: Percentile::P75,
            granularity: Granularity::Day,
            series: vec![RumSeriesPublic {
                metric: SeriesMetric::Lcp,
                unit: SeriesMetric::Lcp.unit(),
                points: vec![RumPointPublic {
                    bucket_start: datetime!(2026-03-31 00:00 UTC).into(),
                    value: Some(2_310.4),
                    sample_count: 1_604,
                }],
            }],
            meta: RumMeta::example(),
        }
    }
}
