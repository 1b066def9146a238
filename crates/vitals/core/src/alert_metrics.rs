//! The metrics of real-user monitoring that rules may watch, and their values.

use std::{collections::HashMap, fmt, sync::Arc};

use async_trait::async_trait;
use pharos_domain::{
    alert_metric::{
        AlertMetric, AlertModule, AlertOperator, ComparisonWindow, DefaultCondition, Direction,
        EvaluationWindow, FormFactor, MetricAnswer, MetricKind, MetricQuery, MetricSource, MetricValue,
        MetricWindow, ModuleMetrics, Phrase, Reading, SupportedFilters,
    },
    collect::client::Device,
    ids::DomainId,
    ports::{MissingPort, Ports},
    store::StoreError,
    time_range::TimeRange,
};
use time::OffsetDateTime;

use crate::{
    metric::{Metric, share_pct},
    overview::ViewFigures,
};

/// Asks for the views of a site over a time range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ViewsQuery {
    /// The site.
    pub domain: DomainId,
    /// The time range.
    pub range: TimeRange,
    /// The class of device; `None`: all.
    pub device: Option<Device>,
}

/// The figures of a site's views over a time range.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SeenViews {
    /// Their figures, with the percentiles that the overview shows.
    pub figures: ViewFigures,
    /// How many of them have a value, by metric.
    pub samples: [u64; 5],
    /// Requests of their scripts whose status is known; 0 where nobody asked.
    pub requests: u64,
    /// Those of them that failed, or were answered with an error.
    pub failed_requests: u64,
}

/// Reads what metrics are made from, for many sites at once.
#[async_trait]
pub trait ViewMetricStore: Send + Sync {
    /// The figures of sites' views, one answer each, in their order. Requests are counted where the flag beside says so.
    /// `None`: nothing was ever received of the site by the beginning of the range, it is not measured any more, or the domain
    /// is deleted. It is one statement, however many they are.
    async fn views(&self, asked: &[(ViewsQuery, bool)]) -> Result<Vec<Option<SeenViews>>, StoreError>;
}

use AlertOperator::{Gt, Gte, Lt, PctDecrease, PctIncrease};
use EvaluationWindow::{Day, Hour, Week};

const HOURS: &[EvaluationWindow] = &[Hour, Day, Week];
const DAYS: &[EvaluationWindow] = &[Day, Hour, Week];

const fn above(threshold: f64) -> DefaultCondition {
    DefaultCondition {
        operator: Gt,
        threshold,
        comparison_window: None,
        cooldown_minutes: 1_440,
    }
}

const fn against_yesterday(
    operator: AlertOperator,
    threshold: f64,
    cooldown_minutes: u32,
) -> DefaultCondition {
    DefaultCondition {
        operator,
        threshold,
        comparison_window: Some(ComparisonWindow::PreviousDay),
        cooldown_minutes,
    }
}

/// A 75th percentile in milliseconds.
const VITAL: AlertMetric = AlertMetric {
    name: "",
    label: "",
    description: "",
    phrase: Phrase::Amount(""),
    unit: "milliseconds",
    display_unit: "ms",
    step: 1.0,
    least: Some(0.0),
    largest: None,
    kind: MetricKind::Measure,
    direction: Direction::HigherIsWorse,
    operators: AlertOperator::MEASURES,
    default: above(2_500.0),
    windows: HOURS,
    data_lag_hours: 0,
    filters: SupportedFilters::FORM_FACTOR,
};

/// A share in percent.
const SHARE: AlertMetric = AlertMetric {
    unit: "percent",
    display_unit: "%",
    largest: Some(100.0),
    windows: DAYS,
    ..VITAL
};

const REQUESTS: &str = "request_failure_rate_pct";

macro_rules! of_views {
    ($what:literal) => {
        concat!(
            $what,
            " Of the views that began in the window. No value where none has it."
        )
    };
}

static METRICS: [AlertMetric; 12] = [
    AlertMetric {
        name: "lcp_ms",
        label: "Largest Contentful Paint of visitors",
        description: of_views!("The 75th percentile of Largest Contentful Paint of visitors."),
        phrase: Phrase::Amount("the Largest Contentful Paint of visitors"),
        default: above(2_500.0),
        ..VITAL
    },
    AlertMetric {
        name: "inp_ms",
        label: "Interaction to Next Paint of visitors",
        description: of_views!("The 75th percentile of Interaction to Next Paint of visitors."),
        phrase: Phrase::Amount("the Interaction to Next Paint of visitors"),
        default: above(200.0),
        ..VITAL
    },
    AlertMetric {
        name: "cls",
        label: "Cumulative Layout Shift of visitors",
        description: of_views!("The 75th percentile of Cumulative Layout Shift of visitors."),
        phrase: Phrase::Amount("the Cumulative Layout Shift of visitors"),
        default: above(0.1),
        unit: "none",
        display_unit: "",
        step: 0.01,
        windows: DAYS,
        ..VITAL
    },
    AlertMetric {
        name: "fcp_ms",
        label: "First Contentful Paint of visitors",
        description: of_views!("The 75th percentile of First Contentful Paint of visitors."),
        phrase: Phrase::Amount("the First Contentful Paint of visitors"),
        default: above(1_800.0),
        ..VITAL
    },
    AlertMetric {
        name: "ttfb_ms",
        label: "Time to First Byte of visitors",
        description: of_views!("The 75th percentile of Time to First Byte of visitors."),
        phrase: Phrase::Amount("the Time to First Byte of visitors"),
        default: above(800.0),
        ..VITAL
    },
    AlertMetric {
        name: "good_views_pct",
        label: "Good views",
        description: of_views!(
            "The share of views whose core metrics are all good, among those with one or more."
        ),
        phrase: Phrase::Amount("the share of good views"),
        direction: Direction::LowerIsWorse,
        default: DefaultCondition {
            operator: Lt,
            ..above(75.0)
        },
        ..SHARE
    },
    AlertMetric {
        name: "js_error_rate_pct",
        label: "Views with an error",
        description: of_views!("The share of views with an error of a script."),
        phrase: Phrase::Amount("the share of views with an error"),
        default: DefaultCondition {
            cooldown_minutes: 240,
            ..above(2.0)
        },
        ..SHARE
    },
    AlertMetric {
        name: "js_error_count",
        label: "Errors of scripts",
        description: "Errors of scripts on the views that began in the window.",
        phrase: Phrase::Count {
            one: "script error",
            many: "script errors",
        },
        unit: "count",
        display_unit: "errors",
        default: against_yesterday(PctIncrease, 100.0, 240),
        windows: DAYS,
        ..VITAL
    },
    AlertMetric {
        name: "new_error_groups",
        label: "New kinds of errors",
        description: "Kinds of errors of scripts that were never seen before, on whatever device, since the last evaluation.",
        phrase: Phrase::Count {
            one: "new kind of error",
            many: "new kinds of errors",
        },
        unit: "count",
        display_unit: "groups",
        kind: MetricKind::Event,
        operators: AlertOperator::COUNTS,
        default: DefaultCondition {
            operator: Gte,
            cooldown_minutes: 240,
            ..above(1.0)
        },
        windows: EvaluationWindow::NOW,
        filters: SupportedFilters::NONE,
        ..VITAL
    },
    AlertMetric {
        name: REQUESTS,
        label: "Failing requests",
        description: "The share of requests of scripts that failed or were answered with 400 or more, among those whose status is \
                      known, on the views that began in the window. No value without any.",
        phrase: Phrase::Amount("the share of failing requests"),
        default: DefaultCondition {
            cooldown_minutes: 240,
            ..above(2.0)
        },
        ..SHARE
    },
    AlertMetric {
        name: "pageviews",
        label: "Views measured",
        description: "Loads and restores that began in the window and told of themselves.",
        phrase: Phrase::Count {
            one: "view",
            many: "views",
        },
        unit: "count",
        display_unit: "views",
        direction: Direction::LowerIsWorse,
        default: against_yesterday(PctDecrease, 50.0, 720),
        windows: DAYS,
        ..VITAL
    },
    AlertMetric {
        name: "bfcache_hit_pct",
        label: "Restored views",
        description: of_views!(
            "The share of views by going back or forward that were restored as they were left."
        ),
        phrase: Phrase::Amount("the share of restored views"),
        direction: Direction::LowerIsWorse,
        default: against_yesterday(PctDecrease, 30.0, 1_440),
        ..SHARE
    },
];

/// The module and its metrics.
pub const CATALOGUE: ModuleMetrics = ModuleMetrics {
    module: AlertModule::Rum,
    label: "Real-user monitoring",
    metrics: &METRICS,
};

/// The values of the metrics of real-user monitoring.
#[derive(Clone)]
pub struct VitalsMetrics {
    store: Arc<dyn ViewMetricStore>,
}

impl fmt::Debug for VitalsMetrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VitalsMetrics").finish_non_exhaustive()
    }
}

impl VitalsMetrics {
    /// The metrics, read through the ports.
    ///
    /// # Errors
    /// Nobody implements [`ViewMetricStore`].
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self { store: ports.get()? })
    }
}

#[async_trait]
impl MetricSource for VitalsMetrics {
    fn metrics(&self) -> ModuleMetrics {
        CATALOGUE
    }

    async fn read(
        &self,
        queries: &[MetricQuery],
        _: OffsetDateTime,
    ) -> Result<Vec<MetricAnswer>, StoreError> {
        // Rules on several metrics look at the same views.
        let mut asked: Vec<(ViewsQuery, bool)> = Vec::new();
        let mut numbers: HashMap<ViewsQuery, usize> = HashMap::new();
        for query in queries {
            for question in query.windows.iter().filter_map(|window| question(query, *window)) {
                let number = *numbers.entry(question).or_insert(asked.len());
                if number == asked.len() {
                    asked.push((question, false));
                }
                if let Some((_, with_requests)) = asked.get_mut(number) {
                    *with_requests |= query.metric.name == REQUESTS;
                }
            }
        }
        let found = self.store.views(&asked).await?;
        let answers = queries.iter().map(|query| {
            let values = query.windows.iter().map(|window| {
                let number = question(query, *window).and_then(|question| numbers.get(&question));
                let seen = number.and_then(|number| found.get(*number)?.as_ref());
                seen.map_or_else(MetricValue::default, |seen| {
                    let (value, sample) = figure(query.metric.name, seen);
                    MetricValue {
                        reading: Reading::of(value),
                        sample: Some(sample),
                    }
                })
            });
            MetricAnswer {
                values: values.collect(),
                ..MetricAnswer::default()
            }
        });
        Ok(answers.collect())
    }
}

/// `None`: no metric has a newest value.
fn question(query: &MetricQuery, window: MetricWindow) -> Option<ViewsQuery> {
    let MetricWindow::Over(range) = window else {
        return None;
    };
    Some(ViewsQuery {
        domain: query.domain,
        range,
        device: query.filter.form_factor.map(|form_factor| match form_factor {
            FormFactor::Mobile => Device::Mobile,
            FormFactor::Desktop => Device::Desktop,
        }),
    })
}

/// The value of a metric, and over how many views, or requests, it is.
fn figure(metric: &str, seen: &SeenViews) -> (Option<f64>, u64) {
    let SeenViews {
        figures,
        samples,
        requests,
        failed_requests,
    } = seen;
    let vital = |metric: Metric| (figures.percentiles.of(metric), samples[metric as usize]);
    match metric {
        "lcp_ms" => vital(Metric::Lcp),
        "inp_ms" => vital(Metric::Inp),
        "cls" => vital(Metric::Cls),
        "fcp_ms" => vital(Metric::Fcp),
        "ttfb_ms" => vital(Metric::Ttfb),
        "good_views_pct" => (figures.good_views_pct(), figures.core_views),
        "js_error_rate_pct" => (figures.error_rate_pct(), figures.views),
        "js_error_count" => (Some(figures.errors as f64), figures.views),
        REQUESTS => (share_pct(*failed_requests, *requests), *requests),
        "pageviews" => (Some(figures.views as f64), figures.views),
        "bfcache_hit_pct" => (figures.bfcache_hit_pct(), figures.back_forwards),
        _ => (None, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed by hand: 6 of 8 are 75 %, 1 of 10 is 10 %, 3 of 12 are 25 %, 1 of 4 is 25 %.
    #[test]
    fn each_metric_has_its_value_and_what_was_not_measured_is_no_zero() {
        let mut seen = SeenViews {
            figures: ViewFigures {
                views: 10,
                core_views: 8,
                good_views: 6,
                error_views: 1,
                errors: 7,
                back_forwards: 4,
                restored: 1,
                ..ViewFigures::default()
            },
            samples: [8, 5, 7, 9, 10],
            requests: 12,
            failed_requests: 3,
        };
        for (metric, value) in Metric::ALL.iter().zip([1_800.0, 120.0, 0.05, 900.0, 300.0]) {
            seen.figures.percentiles.set(*metric, Some(value));
        }
        let values = |seen: &SeenViews| -> Vec<(&str, Option<f64>, u64)> {
            METRICS
                .iter()
                .filter(|metric| metric.kind == MetricKind::Measure)
                .map(|metric| {
                    let (value, sample) = figure(metric.name, seen);
                    (metric.name, value, sample)
                })
                .collect()
        };
        assert_eq!(
            values(&seen),
            [
                ("lcp_ms", Some(1_800.0), 8),
                ("inp_ms", Some(120.0), 5),
                ("cls", Some(0.05), 7),
                ("fcp_ms", Some(900.0), 9),
                ("ttfb_ms", Some(300.0), 10),
                ("good_views_pct", Some(75.0), 8),
                ("js_error_rate_pct", Some(10.0), 10),
                ("js_error_count", Some(7.0), 10),
                ("request_failure_rate_pct", Some(25.0), 12),
                ("pageviews", Some(10.0), 10),
                ("bfcache_hit_pct", Some(25.0), 4),
            ]
        );
        let counted: Vec<&str> = values(&SeenViews::default())
            .into_iter()
            .filter(|(_, value, _)| value.is_some())
            .map(|(name, ..)| name)
            .collect();
        assert_eq!(counted, ["js_error_count", "pageviews"]);
    }
}
