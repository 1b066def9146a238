//! GET /domains/{domain_id}/crux/history

use std::collections::BTreeMap;

use pharos_domain::{identity::DomainAccess, module::Module, problem::Suffix, scope::Scope};
use pharos_http::{
    extract::{
        port::Port,
        query::{Query, listed},
    },
    name_lists,
    operation::{ApiResult, Example},
    spec::{Bucket, Credits, OperationSpec},
};
use pharos_vitals::crux::{
    FormFactor, Metric,
    figures::MetricFigures,
    pct,
    store::{CruxStore, Grain, Stored},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    figures::{self, PeriodPublic},
    origin,
    parameters::{Devices, Periods},
    populations,
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getCruxHistory",
    path: "/domains/{domain_id}/crux/history",
    module: Module::Crux,
    summary: "The origin's field data, week by week",
    description: concat!(
        populations!(),
        " Periods end on Saturdays, a week apart: neighbours share 21 of their days. The oldest comes first. All lists have \
         `period_count` values; null where the report had none."
    ),
    scope: Some(Scope::ReadCrux),
    bucket: Bucket::HeavyQuery,
    credits: Credits::Heavy,
    cache_seconds: 3_600,
    problems: &[Suffix::CruxNotFound],
    ..OperationSpec::GET
};

name_lists! {
    /// Metrics of field data.
    CruxMetricNames = Metric::ALL;
}

#[derive(Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(crate) struct MetricsQuery {
    /// Which metrics, by their names with commas between: `lcp`, `inp`, `cls`, `fcp`, `ttfb`, `rtt`; left out: all of them.
    #[param(inline, value_type = Option<CruxMetricNames>, example = "lcp,inp,cls")]
    metrics: Option<String>,
}

impl MetricsQuery {
    /// The metrics, each once.
    fn metrics(&self) -> Vec<Metric> {
        match &self.metrics {
            None => Metric::ALL.to_vec(),
            Some(names) => listed(names),
        }
    }
}

pub(crate) async fn view(
    access: DomainAccess,
    Query(Devices { form_factor }): Query<Devices>,
    Query(query): Query<MetricsQuery>,
    Query(Periods { periods }): Query<Periods>,
    store: Port<dyn CruxStore>,
) -> ApiResult<CruxHistoryPublic> {
    let found = origin(&*store, &access).await?;
    let weeks = store.periods(&found, form_factor, Grain::Week, periods).await?;
    Ok(CruxHistoryPublic::new(form_factor, &query.metrics(), &weeks))
}

/// Field data week by week.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CruxHistory)]
pub(crate) struct CruxHistoryPublic {
    /// The devices.
    form_factor: FormFactor,
    /// How many periods there are: fewer than were asked for where no more are known.
    #[schema(minimum = 0)]
    period_count: usize,
    /// The periods, the oldest first.
    periods: Vec<PeriodPublic>,
    /// The metrics that were asked for.
    series: SeriesPublic,
}

/// The values of metrics by period. One that was not asked for is left out.
#[derive(Debug, Default, Serialize, ToSchema)]
#[schema(as = CruxHistorySeries)]
pub(crate) struct SeriesPublic {
    /// Largest Contentful Paint in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    lcp: Option<MetricSeriesPublic>,
    /// Interaction to Next Paint in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    inp: Option<MetricSeriesPublic>,
    /// Cumulative Layout Shift.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    cls: Option<MetricSeriesPublic>,
    /// First Contentful Paint in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    fcp: Option<MetricSeriesPublic>,
    /// Time to First Byte in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ttfb: Option<MetricSeriesPublic>,
    /// The round-trip time in milliseconds, whose bands are low, medium and high.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    rtt: Option<MetricSeriesPublic>,
}

/// A metric's values, one a period; null where a period has none.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CruxMetricSeries)]
pub(crate) struct MetricSeriesPublic {
    /// 75th percentiles.
    p75: Vec<Option<f64>>,
    /// The shares of the first band in percent.
    good_pct: Vec<Option<f64>>,
    /// Those of the second.
    needs_improvement_pct: Vec<Option<f64>>,
    /// Those of the third.
    poor_pct: Vec<Option<f64>>,
}

impl MetricSeriesPublic {
    fn new(metric: Metric, weeks: &[Stored]) -> Self {
        let found: Vec<Option<&MetricFigures>> = weeks
            .iter()
            .map(|(_, figures)| figures.metrics.get(&metric))
            .collect();
        let band = |place: usize| {
            let share = |figures: &Option<&MetricFigures>| Some(pct((*figures)?.shares()?[place]));
            found.iter().map(share).collect()
        };
        Self {
            p75: found
                .iter()
                .map(|figures| figures.and_then(|figures| figures.p75))
                .collect(),
            good_pct: band(0),
            needs_improvement_pct: band(1),
            poor_pct: band(2),
        }
    }
}

impl CruxHistoryPublic {
    /// The history of weeks, the oldest first.
    pub(super) fn new(form_factor: FormFactor, metrics: &[Metric], weeks: &[Stored]) -> Self {
        let mut series: BTreeMap<Metric, MetricSeriesPublic> = metrics
            .iter()
            .map(|metric| (*metric, MetricSeriesPublic::new(*metric, weeks)))
            .collect();
        Self {
            form_factor,
            period_count: weeks.len(),
            periods: weeks.iter().map(|(period, _)| (*period).into()).collect(),
            series: SeriesPublic {
                lcp: series.remove(&Metric::Lcp),
                inp: series.remove(&Metric::Inp),
                cls: series.remove(&Metric::Cls),
                fcp: series.remove(&Metric::Fcp),
                ttfb: series.remove(&Metric::Ttfb),
                rtt: series.remove(&Metric::Rtt),
            },
        }
    }
}

impl Example for CruxHistoryPublic {
    fn example() -> Self {
        let weeks = [(figures::EXAMPLE_PERIOD, figures::example())];
        Self::new(
            FormFactor::Mobile,
            &[Metric::Lcp, Metric::Inp, Metric::Cls],
            &weeks,
        )
    }
}
