//! GET /domains/{domain_id}/analytics/timeseries

use pharos_analytics::{
    filter::Filters,
    filter_texts::FilterTexts,
    store::{SiteStore, VisitStore},
    timeseries::{
        MOST_DAYS_BY_HOUR, Piece, SeriesGranularity, SeriesMetric, by_days, by_hour, first_of_month, monday,
    },
};
use pharos_domain::{
    identity::DomainAccess,
    timestamp::Timestamp,
    window::{DateRange, Meta},
};
use pharos_http::{
    extract::{
        port::Port,
        query::{Query, RuledQuery, Rules, listed},
        window::FullWindow,
    },
    name_lists,
    operation::{ApiResult, Example},
    problem::Fault,
    spec::OperationSpec,
};
use serde::{Deserialize, Serialize};
use time::{OffsetDateTime, macros::datetime};
use utoipa::{IntoParams, ToSchema};

use crate::{READ, meta, missing};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "getAnalyticsTimeseries",
    path: "/domains/{domain_id}/analytics/timeseries",
    summary: "Visitors, sessions and what they did, piece by piece",
    description: "Every piece of the window is there: without visits counts are 0 and rates null. Weeks begin on Monday, months on \
                  the 1st; the first piece may begin before the window, and holds only what lies in it. By the hour, of at most 14 \
                  days: visitors who were active in it, sessions that began in it, what was viewed and happened in it.",
    ..READ
};

name_lists! {
    /// Metrics of visits over time.
    AnalyticsMetricNames = SeriesMetric::ALL;
}

#[derive(Debug, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(super) struct TimeseriesParameters {
    /// How long the pieces are; left out: a day.
    #[param(inline, value_type = Option<SeriesGranularity>)]
    granularity: SeriesGranularity,
    /// Which metrics, by their names with commas between: `visitors`, `sessions`, `pageviews`, `bounce_rate_pct`,
    /// `avg_duration_seconds`, `views_per_session`, `events`, `revenue`, `orders`; left out: all of them.
    #[param(inline, value_type = Option<AnalyticsMetricNames>)]
    metrics: Option<String>,
}

impl Default for TimeseriesParameters {
    fn default() -> Self {
        Self {
            granularity: SeriesGranularity::Day,
            metrics: None,
        }
    }
}

impl TimeseriesParameters {
    /// The metrics, each once, in the order in which they were asked for.
    fn metrics(&self) -> Vec<SeriesMetric> {
        match &self.metrics {
            None => SeriesMetric::ALL.to_vec(),
            Some(names) => listed(names),
        }
    }
}

impl Rules for TimeseriesParameters {
    fn faults(&self, days: Option<DateRange>) -> Vec<Fault> {
        let is_long = days.is_some_and(|days| days.days() > MOST_DAYS_BY_HOUR);
        if self.granularity == SeriesGranularity::Hour && is_long {
            let why = format!(
                "by the hour a window has at most {MOST_DAYS_BY_HOUR} days; ask by the day, or for fewer"
            );
            vec![Fault::parameter("granularity", why)]
        } else {
            Vec::new()
        }
    }
}

pub(super) async fn view(
    access: DomainAccess,
    FullWindow(asked): FullWindow,
    RuledQuery(parameters): RuledQuery<TimeseriesParameters>,
    Query(filters): Query<FilterTexts>,
    sites: Port<dyn SiteStore>,
    visits: Port<dyn VisitStore>,
) -> ApiResult<AnalyticsTimeseriesPublic> {
    let metrics = parameters.metrics();
    let granularity = parameters.granularity;
    let window = asked.window;
    let site = sites.view(&access).await?.ok_or_else(missing)?;
    let filters = Filters::from(filters);
    let currency = &site.settings.currency;
    let (pieces, last_at) = if granularity == SeriesGranularity::Hour {
        let found = visits.hours(&access, window, &filters, currency).await?;
        (by_hour(&found, window, asked.horizon.now), found.last_at)
    } else {
        let found = visits.overview(&access, &[window], &filters, currency).await?;
        let pieces = by_days(&found, window, |day| match granularity {
            SeriesGranularity::Week => monday(day),
            SeriesGranularity::Month => first_of_month(day),
            SeriesGranularity::Hour | SeriesGranularity::Day => day,
        });
        (pieces, found.last_at)
    };
    let series = metrics
        .into_iter()
        .map(|metric| AnalyticsSeriesPublic::new(metric, &pieces, site.has_commerce))
        .collect();
    Ok(AnalyticsTimeseriesPublic {
        granularity,
        currency: site.has_commerce.then(|| currency.clone()),
        series,
        meta: meta(&asked, last_at),
    })
}

/// Figures piece by piece.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsTimeseries)]
pub(super) struct AnalyticsTimeseriesPublic {
    /// How long the pieces are.
    granularity: SeriesGranularity,
    /// The currency of `revenue`, ISO 4217; null where ecommerce was never recorded.
    #[schema(required)]
    currency: Option<String>,
    /// A series for each figure that was asked for.
    series: Vec<AnalyticsSeriesPublic>,
    /// The window in force, which the figures are of.
    meta: Meta,
}

/// A figure piece by piece.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsSeries)]
pub(super) struct AnalyticsSeriesPublic {
    /// Which figure.
    metric: SeriesMetric,
    /// Its unit: `count`, `percent`, `seconds` or `currency`.
    unit: &'static str,
    /// The pieces of the window, in order.
    points: Vec<AnalyticsPointPublic>,
}

impl AnalyticsSeriesPublic {
    fn new(metric: SeriesMetric, pieces: &[(OffsetDateTime, Piece)], has_commerce: bool) -> Self {
        let is_known = has_commerce || !matches!(metric, SeriesMetric::Revenue | SeriesMetric::Orders);
        let points = pieces.iter().map(|(start, piece)| AnalyticsPointPublic {
            bucket_start: (*start).into(),
            value: piece.value(metric).filter(|_| is_known),
        });
        Self {
            metric,
            unit: unit(metric),
            points: points.collect(),
        }
    }
}

const fn unit(metric: SeriesMetric) -> &'static str {
    match metric {
        SeriesMetric::BounceRatePct => "percent",
        SeriesMetric::AvgDurationSeconds => "seconds",
        SeriesMetric::Revenue => "currency",
        SeriesMetric::Visitors
        | SeriesMetric::Sessions
        | SeriesMetric::Pageviews
        | SeriesMetric::ViewsPerSession
        | SeriesMetric::Events
        | SeriesMetric::Orders => "count",
    }
}

/// A figure of a piece of time.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsPoint)]
pub(super) struct AnalyticsPointPublic {
    /// When the piece begins.
    bucket_start: Timestamp,
    /// The figure; null where there is nothing to divide by, and money where ecommerce was never recorded.
    #[schema(required)]
    value: Option<f64>,
}

impl Example for AnalyticsTimeseriesPublic {
    fn example() -> Self {
        Self {
            granularity: SeriesGranularity::Day,
            currency: Some("EUR".to_owned()),
            series: vec![AnalyticsSeriesPublic {
                metric: SeriesMetric::Visitors,
                unit: unit(SeriesMetric::Visitors),
                points: vec![AnalyticsPointPublic {
                    bucket_start: datetime!(2026-03-12 00:00 UTC).into(),
                    value: Some(141.0),
                }],
            }],
            meta: Meta::example(),
        }
    }
}
