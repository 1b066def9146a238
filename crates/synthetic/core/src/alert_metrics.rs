//! The metrics of lab tests that rules may watch, and their values.

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use pharos_domain::{
    alert_metric::{
        AlertMetric, AlertModule, AlertOperator, ComparisonWindow, DefaultCondition, Direction,
        EvaluationWindow, FormFactor, MetricAnswer, MetricKind, MetricQuery, MetricSource, MetricValue,
        MetricWindow, ModuleMetrics, Phrase, Reading, SupportedFilters,
    },
    ids::{DomainId, RunId},
    ports::{MissingPort, Ports},
    store::StoreError,
    time_range::TimeRange,
};
use serde_json::{Map, Value, json};
use time::OffsetDateTime;

/// A figure that is requested.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The domain whose tests are asked about.
    pub domain: DomainId,
    /// The name of the figure.
    pub metric: &'static str,
    /// One page; `None`: all.
    pub url: Option<String>,
    /// One kind of device; `None`: all.
    pub form_factor: Option<FormFactor>,
    /// The time; `None`: the newest run of each page on each profile.
    pub range: Option<TimeRange>,
    /// Whether the greatest of all pages and profiles is the worst, or the least.
    pub greatest: bool,
    /// A range counts the tests that the same major version of Lighthouse did as the newest test before this moment; `None`: as
    /// the newest of all. Another may weigh scores otherwise, and a drop that it makes is none of the page.
    pub as_of: Option<OffsetDateTime>,
}

/// The worst of all pages and profiles: of each the median of its runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Worst {
    /// The value; `None`: there was no run that has the figure.
    pub value: Option<f64>,
    /// Over how many runs.
    pub runs: u64,
    /// Where it is so; `None` without a run.
    pub test: Option<WorstTest>,
}

/// The newest run of the page and the profile that are worst.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorstTest {
    /// The page's URL.
    pub url: String,
    /// The id of the profile that it was made with.
    pub profile_id: String,
    /// The run that people are led to.
    pub run: RunId,
}

impl WorstTest {
    /// The fields that an alert gets beside its value.
    fn context(self) -> Map<String, Value> {
        let Self { url, profile_id, run } = self;
        [
            ("url", json!(url)),
            ("profile_id", json!(profile_id)),
            ("run_id", json!(run)),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into_iter()
        .collect()
    }
}

/// Reads what metrics are made from, for many domains at once.
#[async_trait]
pub trait LabMetricStore: Send + Sync {
    /// One answer each, in their order. The number of statements does not depend on theirs. Domains and pages that are deleted
    /// have no values.
    async fn worst(&self, asked: &[Asked]) -> Result<Vec<Worst>, StoreError>;
}

const WINDOWS: &[EvaluationWindow] = &[
    EvaluationWindow::Day,
    EvaluationWindow::Week,
    EvaluationWindow::FourWeeks,
    EvaluationWindow::Latest,
];

const fn above(threshold: f64) -> DefaultCondition {
    DefaultCondition {
        operator: AlertOperator::Gt,
        threshold,
        comparison_window: None,
        cooldown_minutes: 1_440,
    }
}

const fn below(threshold: f64) -> DefaultCondition {
    DefaultCondition {
        operator: AlertOperator::Lt,
        ..above(threshold)
    }
}

const fn grown(pct: f64) -> DefaultCondition {
    DefaultCondition {
        operator: AlertOperator::PctIncrease,
        comparison_window: Some(ComparisonWindow::Previous28Days),
        ..above(pct)
    }
}

/// A time in milliseconds.
const TIME: AlertMetric = AlertMetric {
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
    default: above(0.0),
    windows: WINDOWS,
    data_lag_hours: 0,
    filters: SupportedFilters::PAGE,
};

/// A score.
const POINTS: AlertMetric = AlertMetric {
    unit: "points",
    display_unit: "points",
    largest: Some(100.0),
    direction: Direction::LowerIsWorse,
    operators: AlertOperator::CHANGES,
    default: below(90.0),
    ..TIME
};

/// A number of things, as they stand.
const COUNT: AlertMetric = AlertMetric {
    unit: "count",
    kind: MetricKind::State,
    operators: AlertOperator::COUNTS,
    windows: EvaluationWindow::NOW,
    ..TIME
};

const BUDGETS: &str = "budget_exceeded";
const FAILED: &str = "run_failed";

macro_rules! of_pages {
    ($what:literal) => {
        concat!(
            $what,
            " The worst of the tracked URLs on their profiles, each by the median of its lab tests in the window, as far as the \
             same major version of Lighthouse did them as the newest. No value without a lab test that succeeded."
        )
    };
}

static METRICS: [AlertMetric; 14] = [
    AlertMetric {
        name: "performance_score",
        label: "Performance score",
        description: of_pages!("The score of performance, 0 to 100."),
        phrase: Phrase::Amount("the performance score"),
        operators: AlertOperator::MEASURES,
        default: below(50.0),
        ..POINTS
    },
    AlertMetric {
        name: "accessibility_score",
        label: "Accessibility score",
        description: of_pages!("The score of accessibility, 0 to 100."),
        phrase: Phrase::Amount("the accessibility score"),
        ..POINTS
    },
    AlertMetric {
        name: "best_practices_score",
        label: "Best practices score",
        description: of_pages!("The score of best practices, 0 to 100."),
        phrase: Phrase::Amount("the best practices score"),
        ..POINTS
    },
    AlertMetric {
        name: "seo_score",
        label: "SEO score",
        description: of_pages!("The score of search engine optimisation, 0 to 100."),
        phrase: Phrase::Amount("the SEO score"),
        ..POINTS
    },
    AlertMetric {
        name: "lcp_ms",
        label: "Largest Contentful Paint (lab)",
        description: of_pages!("Largest Contentful Paint."),
        phrase: Phrase::Amount("the Largest Contentful Paint in the lab"),
        default: above(2_500.0),
        ..TIME
    },
    AlertMetric {
        name: "tbt_ms",
        label: "Total Blocking Time (lab)",
        description: of_pages!("Total Blocking Time."),
        phrase: Phrase::Amount("the Total Blocking Time in the lab"),
        default: above(200.0),
        ..TIME
    },
    AlertMetric {
        name: "cls",
        label: "Cumulative Layout Shift (lab)",
        description: of_pages!("Cumulative Layout Shift while the page loads."),
        phrase: Phrase::Amount("the Cumulative Layout Shift in the lab"),
        unit: "none",
        display_unit: "",
        step: 0.01,
        default: above(0.1),
        ..TIME
    },
    AlertMetric {
        name: "fcp_ms",
        label: "First Contentful Paint (lab)",
        description: of_pages!("First Contentful Paint."),
        phrase: Phrase::Amount("the First Contentful Paint in the lab"),
        default: above(1_800.0),
        ..TIME
    },
    AlertMetric {
        name: "speed_index_ms",
        label: "Speed Index",
        description: of_pages!("Speed Index: how soon the page looks complete."),
        phrase: Phrase::Amount("the Speed Index"),
        default: above(3_400.0),
        ..TIME
    },
    AlertMetric {
        name: "ttfb_ms",
        label: "Server response time (lab)",
        description: of_pages!("How long the server took to answer with the document."),
        phrase: Phrase::Amount("the server's response time in the lab"),
        default: above(600.0),
        ..TIME
    },
    AlertMetric {
        name: "total_bytes",
        label: "Page weight",
        description: of_pages!("The bytes of the page over the network."),
        phrase: Phrase::Amount("the page's weight"),
        unit: "bytes",
        display_unit: "bytes",
        default: grown(20.0),
        ..TIME
    },
    AlertMetric {
        name: "request_count",
        label: "Requests of the page",
        description: of_pages!("The requests that the page makes."),
        phrase: Phrase::Amount("the number of requests of the page"),
        unit: "count",
        display_unit: "requests",
        default: grown(20.0),
        ..TIME
    },
    AlertMetric {
        name: BUDGETS,
        label: "Budgets exceeded",
        description: "Budgets that the newest lab tests of the tracked URLs on their profiles exceed, each counted once. No value \
                      without a lab test that succeeded.",
        phrase: Phrase::Count {
            one: "exceeded budget",
            many: "exceeded budgets",
        },
        display_unit: "budgets",
        default: DefaultCondition {
            operator: AlertOperator::Gte,
            ..above(1.0)
        },
        ..COUNT
    },
    AlertMetric {
        name: FAILED,
        label: "Failing lab tests",
        description: "Lab tests in a row that failed, of the tracked URL and profile where there are most.",
        phrase: Phrase::Count {
            one: "failing lab test in a row",
            many: "failing lab tests in a row",
        },
        display_unit: "runs",
        default: DefaultCondition {
            operator: AlertOperator::Gte,
            cooldown_minutes: 720,
            ..above(2.0)
        },
        ..COUNT
    },
];

/// The module and its metrics.
pub const CATALOGUE: ModuleMetrics = ModuleMetrics {
    module: AlertModule::Synthetic,
    label: "Lab tests",
    metrics: &METRICS,
};

/// The values of the metrics of lab tests.
#[derive(Clone)]
pub struct LabMetrics {
    store: Arc<dyn LabMetricStore>,
}

impl fmt::Debug for LabMetrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LabMetrics").finish_non_exhaustive()
    }
}

impl LabMetrics {
    /// The metrics, read through the ports.
    ///
    /// # Errors
    /// Nobody implements [`LabMetricStore`].
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self { store: ports.get()? })
    }
}

#[async_trait]
impl MetricSource for LabMetrics {
    fn metrics(&self) -> ModuleMetrics {
        CATALOGUE
    }

    async fn read(
        &self,
        queries: &[MetricQuery],
        _: OffsetDateTime,
    ) -> Result<Vec<MetricAnswer>, StoreError> {
        let asked: Vec<Asked> = queries.iter().flat_map(asked).collect();
        let mut found = self.store.worst(&asked).await?.into_iter();
        let answers = queries.iter().map(|query| {
            let mut answer = MetricAnswer::default();
            for (at, window) in query.windows.iter().enumerate() {
                let Worst { value, runs, test } = found.next().unwrap_or_default();
                answer.values.push(MetricValue {
                    reading: Reading::of(value),
                    sample: matches!(window, MetricWindow::Over(_)).then_some(runs),
                });
                // An alert is about the first; the others are its past.
                if at == 0 {
                    answer.context = test.map(WorstTest::context).unwrap_or_default();
                }
            }
            answer
        });
        Ok(answers.collect())
    }
}

/// One for each window of a query. The past is compared with the first window, so that its tests count as far as the same version
/// did them that does those of the first. A window that ends later is none of its past.
fn asked(query: &MetricQuery) -> impl Iterator<Item = Asked> {
    let first = query.windows.first().and_then(end);
    query.windows.iter().map(move |window| Asked {
        domain: query.domain,
        metric: query.metric.name,
        url: query.filter.url.clone(),
        form_factor: query.filter.form_factor,
        range: match window {
            MetricWindow::Latest => None,
            MetricWindow::Over(range) => Some(*range),
        },
        greatest: query.metric.direction == Direction::HigherIsWorse,
        as_of: first.zip(end(window)).map(|(first, own)| first.max(own)),
    })
}

fn end(window: &MetricWindow) -> Option<OffsetDateTime> {
    match window {
        MetricWindow::Latest => None,
        MetricWindow::Over(range) => Some(range.until),
    }
}
