//! The metrics of field data that rules may watch, and their values.

use std::{collections::HashMap, fmt, sync::Arc};

use async_trait::async_trait;
use pharos_domain::{
    alert_metric::{
        self, AlertMetric, AlertModule, AlertOperator, DefaultCondition, Direction, EvaluationWindow,
        MetricAnswer, MetricKind, MetricQuery, MetricSource, MetricValue, MetricWindow, ModuleMetrics,
        Phrase, Reading, SupportedFilters,
    },
    ids::DomainId,
    ports::{MissingPort, Ports},
    store::StoreError,
};
use serde_json::{Map, Value, json};
use time::{Date, OffsetDateTime};

use super::{
    FormFactor, Metric,
    figures::{Figures, Period},
    pct,
};

/// Asks for the newest figures of a period that ended by a day.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FiguresQuery {
    /// The domain whose figures are asked for.
    pub domain: DomainId,
    /// A page that is followed; `None`: the domain's origin.
    pub url: Option<String>,
    /// The devices.
    pub form_factor: FormFactor,
    /// The day.
    pub by: Date,
}

/// Reads what metrics are made from, for many sites at once.
#[async_trait]
pub trait CruxMetricStore: Send + Sync {
    /// The newest figures of a period that ended by a day and at most 14 days before it, with that period: one answer a question, in
    /// their order. `None`: there are none, or the domain is deleted. It is one statement, however many they are.
    async fn figures(&self, asked: &[FiguresQuery]) -> Result<Vec<Option<(Period, Figures)>>, StoreError>;
}

/// A week in minutes: field data move slowly.
const WEEK: u32 = 10_080;
/// How far the newest period lies behind the present: the API publishes a day about two days later.
const LAG_HOURS: u32 = 48;

/// A 75th percentile in milliseconds.
const P75: AlertMetric = AlertMetric {
    name: "",
    label: "",
    description: "",
    phrase: Phrase::Amount(""),
    unit: "milliseconds",
    display_unit: "ms",
    step: 1.0,
    least: Some(0.0),
    largest: None,
    kind: MetricKind::State,
    direction: Direction::HigherIsWorse,
    operators: AlertOperator::CHANGES,
    default: above(2_500.0),
    windows: EvaluationWindow::NOW,
    data_lag_hours: LAG_HOURS,
    filters: SupportedFilters::PAGE,
};

/// A share of good views in percent.
const GOOD: AlertMetric = AlertMetric {
    unit: "percent",
    display_unit: "%",
    largest: Some(100.0),
    direction: Direction::LowerIsWorse,
    default: condition(AlertOperator::Lt, 75.0),
    ..P75
};

const fn above(threshold: f64) -> DefaultCondition {
    condition(AlertOperator::Gt, threshold)
}

const fn condition(operator: AlertOperator, threshold: f64) -> DefaultCondition {
    DefaultCondition {
        operator,
        threshold,
        comparison_window: None,
        cooldown_minutes: WEEK,
    }
}

/// The event that the origin passes Core Web Vitals no longer.
pub const ASSESSMENT_FAILED: &str = "assessment_failed";

static METRICS: [AlertMetric; 10] = [
    AlertMetric {
        name: "lcp_ms",
        label: "Largest Contentful Paint in the field",
        description: "The 75th percentile of Largest Contentful Paint in the newest collection period of 28 days. No value \
                      where the Chrome UX Report has none.",
        phrase: Phrase::Amount("the Largest Contentful Paint in the field"),
        ..P75
    },
    AlertMetric {
        name: "inp_ms",
        label: "Interaction to Next Paint in the field",
        description: "The 75th percentile of Interaction to Next Paint in the newest collection period of 28 days. No value \
                      where the Chrome UX Report has none.",
        phrase: Phrase::Amount("the Interaction to Next Paint in the field"),
        default: above(200.0),
        ..P75
    },
    AlertMetric {
        name: "cls",
        label: "Cumulative Layout Shift in the field",
        description: "The 75th percentile of Cumulative Layout Shift in the newest collection period of 28 days. No value \
                      where the Chrome UX Report has none.",
        phrase: Phrase::Amount("the Cumulative Layout Shift in the field"),
        unit: "none",
        display_unit: "",
        step: 0.01,
        default: above(0.1),
        ..P75
    },
    AlertMetric {
        name: "fcp_ms",
        label: "First Contentful Paint in the field",
        description: "The 75th percentile of First Contentful Paint in the newest collection period of 28 days. No value \
                      where the Chrome UX Report has none.",
        phrase: Phrase::Amount("the First Contentful Paint in the field"),
        default: above(1_800.0),
        ..P75
    },
    AlertMetric {
        name: "ttfb_ms",
        label: "Time to First Byte in the field",
        description: "The 75th percentile of Time to First Byte in the newest collection period of 28 days. No value where \
                      the Chrome UX Report has none.",
        phrase: Phrase::Amount("the Time to First Byte in the field"),
        default: above(800.0),
        ..P75
    },
    AlertMetric {
        name: "rtt_ms",
        label: "Round-trip time in the field",
        description: "The 75th percentile of the round-trip time of connections in the newest collection period of 28 days. \
                      No value where the Chrome UX Report has none.",
        phrase: Phrase::Amount("the round-trip time in the field"),
        default: above(150.0),
        ..P75
    },
    AlertMetric {
        name: "good_lcp_pct",
        label: "Good Largest Contentful Paint in the field",
        description: "The share of views with a good Largest Contentful Paint in the newest collection period of 28 days. No \
                      value where the Chrome UX Report has none.",
        phrase: Phrase::Amount("the share of views with a good Largest Contentful Paint in the field"),
        ..GOOD
    },
    AlertMetric {
        name: "good_inp_pct",
        label: "Good Interaction to Next Paint in the field",
        description: "The share of views with a good Interaction to Next Paint in the newest collection period of 28 days. \
                      No value where the Chrome UX Report has none.",
        phrase: Phrase::Amount("the share of views with a good Interaction to Next Paint in the field"),
        ..GOOD
    },
    AlertMetric {
        name: "good_cls_pct",
        label: "Good Cumulative Layout Shift in the field",
        description: "The share of views with a good Cumulative Layout Shift in the newest collection period of 28 days. No \
                      value where the Chrome UX Report has none.",
        phrase: Phrase::Amount("the share of views with a good Cumulative Layout Shift in the field"),
        ..GOOD
    },
    AlertMetric {
        name: ASSESSMENT_FAILED,
        label: "Core Web Vitals failed in the field",
        description: "How often the origin stopped to pass Core Web Vitals on phones or on computers, since the last \
                      evaluation.",
        phrase: Phrase::Count {
            one: "failed assessment of Core Web Vitals",
            many: "failed assessments of Core Web Vitals",
        },
        unit: "count",
        display_unit: "changes",
        kind: MetricKind::Event,
        operators: AlertOperator::COUNTS,
        default: DefaultCondition {
            operator: AlertOperator::Gte,
            threshold: 1.0,
            comparison_window: None,
            cooldown_minutes: WEEK,
        },
        data_lag_hours: 0,
        filters: SupportedFilters::NONE,
        ..P75
    },
];

/// The module and its metrics.
pub const CATALOGUE: ModuleMetrics = ModuleMetrics {
    module: AlertModule::Crux,
    label: "Field data (CrUX)",
    metrics: &METRICS,
};

/// The values of the metrics of field data.
#[derive(Clone)]
pub struct CruxMetrics {
    store: Arc<dyn CruxMetricStore>,
}

impl fmt::Debug for CruxMetrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CruxMetrics").finish_non_exhaustive()
    }
}

impl CruxMetrics {
    /// The metrics, read through the ports.
    ///
    /// # Errors
    /// Nobody implements [`CruxMetricStore`].
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self { store: ports.get()? })
    }
}

#[async_trait]
impl MetricSource for CruxMetrics {
    fn metrics(&self) -> ModuleMetrics {
        CATALOGUE
    }

    async fn read(
        &self,
        queries: &[MetricQuery],
        now: OffsetDateTime,
    ) -> Result<Vec<MetricAnswer>, StoreError> {
        // Rules on several metrics look at the same figures.
        let mut asked: Vec<FiguresQuery> = Vec::new();
        let mut numbers: HashMap<FiguresQuery, usize> = HashMap::new();
        for query in queries {
            for window in &query.windows {
                numbers
                    .entry(question(query, *window, now))
                    .or_insert_with_key(|question| {
                        asked.push(question.clone());
                        asked.len() - 1
                    });
            }
        }
        let found = self.store.figures(&asked).await?;
        let newest = |query: &MetricQuery, window: &MetricWindow| {
            let number = numbers.get(&question(query, *window, now))?;
            found.get(*number)?.as_ref()
        };
        let answers = queries.iter().map(|query| {
            let values = query.windows.iter().map(|window| MetricValue {
                reading: Reading::of(
                    newest(query, window).and_then(|(_, figures)| figure(query.metric.name, figures)),
                ),
                sample: None,
            });
            // An alert is about the first; the others are its past.
            let own = query.windows.first().and_then(|window| newest(query, window));
            let period = own.map(|(period, _)| *period);
            MetricAnswer {
                values: values.collect(),
                context: period.map(told).unwrap_or_default(),
                data_through: period.map(|period| period.end),
                ..MetricAnswer::default()
            }
        });
        Ok(answers.collect())
    }
}

/// The period, as it is told beside an alert.
fn told(period: Period) -> Map<String, Value> {
    let Period { start, end } = period;
    [("collection_period_start", start), ("collection_period_end", end)]
        .map(|(name, day)| (name.to_owned(), json!(day.to_string())))
        .into_iter()
        .collect()
}

fn question(query: &MetricQuery, window: MetricWindow, now: OffsetDateTime) -> FiguresQuery {
    FiguresQuery {
        domain: query.domain,
        url: query.filter.url.clone(),
        form_factor: match query.filter.form_factor {
            None => FormFactor::All,
            Some(alert_metric::FormFactor::Mobile) => FormFactor::Mobile,
            Some(alert_metric::FormFactor::Desktop) => FormFactor::Desktop,
        },
        by: match window {
            MetricWindow::Latest => now.date(),
            MetricWindow::Over(range) => range.until.date(),
        },
    }
}

fn figure(metric: &str, figures: &Figures) -> Option<f64> {
    let p75 = |metric| figures.metrics.get(&metric)?.p75;
    // Upstream's shares are rounded, and add up to a little more than 1 at times.
    let good = |metric| Some(pct(figures.metrics.get(&metric)?.shares()?[0]).min(100.0));
    match metric {
        "lcp_ms" => p75(Metric::Lcp),
        "inp_ms" => p75(Metric::Inp),
        "cls" => p75(Metric::Cls),
        "fcp_ms" => p75(Metric::Fcp),
        "ttfb_ms" => p75(Metric::Ttfb),
        "rtt_ms" => p75(Metric::Rtt),
        "good_lcp_pct" => good(Metric::Lcp),
        "good_inp_pct" => good(Metric::Inp),
        "good_cls_pct" => good(Metric::Cls),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crux::figures::{Bin, MetricFigures};

    #[test]
    fn each_metric_that_stands_has_its_value() {
        let figures = Figures {
            metrics: Metric::ALL
                .iter()
                .zip(1_u8..)
                .map(|(metric, number)| {
                    let good = f64::from(number) / 10.0;
                    let bin = |density| Bin {
                        start: 0.0,
                        end: None,
                        density,
                    };
                    let figures = MetricFigures {
                        p75: Some(f64::from(number) * 100.0),
                        histogram: vec![bin(good), bin(1.0 - good), bin(0.0)],
                    };
                    (*metric, figures)
                })
                .collect(),
            ..Figures::default()
        };
        let values: Vec<_> = METRICS
            .iter()
            .filter(|metric| metric.kind == MetricKind::State)
            .map(|metric| (metric.name, figure(metric.name, &figures)))
            .collect();
        assert_eq!(
            values,
            [
                ("lcp_ms", Some(100.0)),
                ("inp_ms", Some(200.0)),
                ("cls", Some(300.0)),
                ("fcp_ms", Some(400.0)),
                ("ttfb_ms", Some(500.0)),
                ("rtt_ms", Some(600.0)),
                ("good_lcp_pct", Some(10.0)),
                ("good_inp_pct", Some(20.0)),
                ("good_cls_pct", Some(30.0)),
            ]
        );
        for metric in METRICS.iter().filter(|metric| metric.kind == MetricKind::State) {
            assert_eq!(figure(metric.name, &Figures::default()), None, "{}", metric.name);
        }
    }

    #[test]
    fn a_share_is_never_more_than_all() {
        let bin = |density| Bin {
            start: 0.0,
            end: None,
            density,
        };
        let rounded = MetricFigures {
            p75: None,
            histogram: vec![bin(1.0001), bin(0.0), bin(0.0)],
        };
        let figures = Figures {
            metrics: [(Metric::Lcp, rounded)].into(),
            ..Figures::default()
        };
        assert_eq!(figure("good_lcp_pct", &figures), Some(100.0));
    }
}
