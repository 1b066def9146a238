//! The metrics of sitemaps that rules may watch, and their values.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    sync::Arc,
};

use async_trait::async_trait;
use pharos_domain::{
    alert_metric::{
        AlertMetric, AlertModule, AlertOperator, ComparisonWindow, DefaultCondition, Direction,
        EvaluationWindow, MetricAnswer, MetricKind, MetricQuery, MetricSource, MetricValue, MetricWindow,
        ModuleMetrics, Phrase, Reading, SupportedFilters,
    },
    ids::DomainId,
    ports::{MissingPort, Ports},
    store::StoreError,
    time_range::TimeRange,
};
use time::OffsetDateTime;

use AlertOperator::{Gt, Gte, PctDecrease};

/// The counts at the end of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtEnd {
    /// Entries of all files.
    pub urls_total: u64,
    /// Files that failed.
    pub files_failed: u64,
    /// Findings that are errors.
    pub errors: u32,
    /// Pages that robots.txt keeps Googlebot from; `None`: that was not computed.
    pub blocked: Option<u64>,
    /// Pages that answered with an error; `None`: none was asked.
    pub non_200: Option<u64>,
}

/// The sums of the checks in a time range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rounds {
    /// How many ended in it.
    pub checks: u64,
    /// Pages that they found added.
    pub added: u64,
    /// Pages that they found removed.
    pub removed: u64,
    /// The counts after the last check that ended before the end of the range; `None`: none did.
    pub at_end: Option<AtEnd>,
}

/// How sitemaps stand now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// After the last check.
    pub at_end: AtEnd,
    /// When a check last found other pages or files.
    pub last_changed_at: Option<OffsetDateTime>,
}

/// Reads what metrics are made from, for many sites at once.
#[async_trait]
pub trait SitemapMetricStore: Send + Sync {
    /// How the sitemaps of these domains stand. Those that were never checked, and deleted domains, are left out. It is one
    /// statement, however many they are.
    async fn standing(&self, domains: &[DomainId]) -> Result<HashMap<DomainId, Standing>, StoreError>;

    /// Sums the checks of domains over time ranges, one answer each, in their order. It is one statement.
    async fn rounds(&self, asked: &[(DomainId, TimeRange)]) -> Result<Vec<Rounds>, StoreError>;
}

/// A metric of the module, of which high values are bad, that stands at any moment and counts something.
const STATE: AlertMetric = AlertMetric {
    name: "",
    label: "",
    description: "",
    phrase: Phrase::Amount(""),
    unit: "count",
    display_unit: "URLs",
    step: 1.0,
    least: Some(0.0),
    largest: None,
    kind: MetricKind::State,
    direction: Direction::HigherIsWorse,
    operators: AlertOperator::CHANGES,
    default: condition(Gte, 1.0, 1_440),
    windows: EvaluationWindow::NOW,
    data_lag_hours: 0,
    filters: SupportedFilters::NONE,
};

const fn condition(operator: AlertOperator, threshold: f64, cooldown_minutes: u32) -> DefaultCondition {
    DefaultCondition {
        operator,
        threshold,
        comparison_window: None,
        cooldown_minutes,
    }
}

static METRICS: [AlertMetric; 8] = [
    AlertMetric {
        name: "urls_total",
        label: "URLs in sitemaps",
        description: "The entries of all sitemap files, as of the last check.",
        phrase: Phrase::Count {
            one: "URL in sitemaps",
            many: "URLs in sitemaps",
        },
        direction: Direction::LowerIsWorse,
        operators: AlertOperator::MEASURES,
        default: DefaultCondition {
            comparison_window: Some(ComparisonWindow::Previous7Days),
            ..condition(PctDecrease, 20.0, 1_440)
        },
        ..STATE
    },
    AlertMetric {
        name: "urls_removed",
        label: "URLs that left the sitemaps",
        description: "Pages that two good fetches in a row did not find any more. No value where no check ended in the window.",
        phrase: Phrase::Count {
            one: "URL that left the sitemaps",
            many: "URLs that left the sitemaps",
        },
        kind: MetricKind::Measure,
        default: condition(Gt, 100.0, 1_440),
        windows: EvaluationWindow::DAYS,
        ..STATE
    },
    AlertMetric {
        name: "urls_added",
        label: "URLs that came into the sitemaps",
        description: "Pages that are new in the sitemaps; those of a file that is read for the first time are not. No value \
                      where no check ended in the window.",
        phrase: Phrase::Count {
            one: "URL that came into the sitemaps",
            many: "URLs that came into the sitemaps",
        },
        kind: MetricKind::Measure,
        default: condition(Gt, 1_000.0, 1_440),
        windows: EvaluationWindow::DAYS,
        ..STATE
    },
    AlertMetric {
        name: "fetch_failures",
        label: "Sitemap files that fail",
        description: "Sitemap files that could not be fetched or read at the last check.",
        phrase: Phrase::Count {
            one: "failing sitemap file",
            many: "failing sitemap files",
        },
        display_unit: "files",
        operators: AlertOperator::COUNTS,
        default: condition(Gte, 1.0, 240),
        ..STATE
    },
    AlertMetric {
        name: "issues_errors",
        label: "Errors of sitemaps",
        description: "Findings about sitemap files that are errors, each kind counted once a file.",
        phrase: Phrase::Count {
            one: "error in the sitemaps",
            many: "errors in the sitemaps",
        },
        display_unit: "issues",
        ..STATE
    },
    AlertMetric {
        name: "non_200_urls",
        label: "URLs of sitemaps that answer with an error",
        description: "Pages of sitemaps that answered with a status of 4xx or 5xx when they were last asked. No value where none \
                      was asked.",
        phrase: Phrase::Count {
            one: "URL in the sitemaps that answers with an error",
            many: "URLs in the sitemaps that answer with an error",
        },
        ..STATE
    },
    AlertMetric {
        name: "blocked_by_robots",
        label: "URLs of sitemaps that robots.txt blocks",
        description: "Pages of sitemaps that robots.txt keeps Googlebot from. No value before robots.txt was fetched.",
        phrase: Phrase::Count {
            one: "URL in the sitemaps that robots.txt blocks",
            many: "URLs in the sitemaps that robots.txt blocks",
        },
        ..STATE
    },
    AlertMetric {
        name: "days_since_change",
        label: "Days since the sitemaps changed",
        description: "Whole days since a check last found other pages or dates in the sitemaps, the first time included.",
        phrase: Phrase::Amount("the time since the sitemaps changed"),
        unit: "days",
        display_unit: "days",
        operators: AlertOperator::BOUNDS,
        default: condition(Gt, 30.0, 10_080),
        ..STATE
    },
];

/// The module and its metrics.
pub const CATALOGUE: ModuleMetrics = ModuleMetrics {
    module: AlertModule::Sitemap,
    label: "Sitemaps",
    metrics: &METRICS,
};

/// The values of the metrics of sitemaps.
#[derive(Clone)]
pub struct SitemapMetrics {
    store: Arc<dyn SitemapMetricStore>,
}

impl fmt::Debug for SitemapMetrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SitemapMetrics").finish_non_exhaustive()
    }
}

impl SitemapMetrics {
    /// The metrics, read through the ports.
    ///
    /// # Errors
    /// Nobody implements [`SitemapMetricStore`].
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self { store: ports.get()? })
    }
}

#[async_trait]
impl MetricSource for SitemapMetrics {
    fn metrics(&self) -> ModuleMetrics {
        CATALOGUE
    }

    async fn read(
        &self,
        queries: &[MetricQuery],
        now: OffsetDateTime,
    ) -> Result<Vec<MetricAnswer>, StoreError> {
        let domains = MetricQuery::domains(queries);
        let standing = self.store.standing(&domains).await?;
        let mut seen = HashSet::new();
        let ranges = queries
            .iter()
            .flat_map(|query| query.windows.iter().map(|window| (query.domain, *window)));
        let asked: Vec<(DomainId, TimeRange)> = ranges
            .filter_map(|(domain, window)| match window {
                MetricWindow::Latest => None,
                MetricWindow::Over(range) => Some((domain, range)),
            })
            .filter(|asked| standing.contains_key(&asked.0) && seen.insert(*asked))
            .collect();
        let rounds = if asked.is_empty() {
            Vec::new()
        } else {
            self.store.rounds(&asked).await?
        };
        let rounds: HashMap<_, _> = asked.into_iter().zip(rounds).collect();
        let answers = queries.iter().map(|query| {
            let name = query.metric.name;
            let values = query.windows.iter().map(|window| match window {
                MetricWindow::Latest => MetricValue {
                    reading: standing
                        .get(&query.domain)
                        .map_or(Reading::NoData, |standing| latest(name, standing, now)),
                    sample: None,
                },
                MetricWindow::Over(range) => rounds
                    .get(&(query.domain, *range))
                    .map_or_else(MetricValue::default, |rounds| over(name, rounds)),
            });
            MetricAnswer {
                values: values.collect(),
                ..MetricAnswer::default()
            }
        });
        Ok(answers.collect())
    }
}

fn latest(metric: &str, standing: &Standing, now: OffsetDateTime) -> Reading {
    match metric {
        "days_since_change" => {
            let since = standing.last_changed_at.map(|at| (now - at).whole_days().max(0));
            Reading::of(since.map(|days| days as f64))
        }
        _ => at_end(metric, &standing.at_end),
    }
}

fn at_end(metric: &str, at_end: &AtEnd) -> Reading {
    Reading::of(match metric {
        "urls_total" => Some(at_end.urls_total as f64),
        "fetch_failures" => Some(at_end.files_failed as f64),
        "issues_errors" => Some(at_end.errors.into()),
        "non_200_urls" => at_end.non_200.map(|pages| pages as f64),
        "blocked_by_robots" => at_end.blocked.map(|blocked| blocked as f64),
        _ => None,
    })
}

fn over(metric: &str, rounds: &Rounds) -> MetricValue {
    let sum = |sum: u64| MetricValue {
        reading: Reading::of((rounds.checks > 0).then_some(sum as f64)),
        sample: Some(rounds.checks),
    };
    match metric {
        "urls_added" => sum(rounds.added),
        "urls_removed" => sum(rounds.removed),
        _ => MetricValue {
            reading: rounds
                .at_end
                .as_ref()
                .map_or(Reading::NoData, |end| at_end(metric, end)),
            sample: None,
        },
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-03-31 12:00 UTC);
    const END: AtEnd = AtEnd {
        urls_total: 2_000,
        files_failed: 1,
        errors: 3,
        blocked: None,
        non_200: Some(4),
    };

    #[test]
    fn each_metric_that_stands_has_its_value() {
        let standing = Standing {
            at_end: END,
            last_changed_at: Some(datetime!(2026-03-28 13:00 UTC)),
        };
        let values: Vec<_> = METRICS
            .iter()
            .filter(|metric| metric.kind == MetricKind::State)
            .map(|metric| (metric.name, latest(metric.name, &standing, NOW).value()))
            .collect();
        assert_eq!(
            values,
            [
                ("urls_total", Some(2_000.0)),
                ("fetch_failures", Some(1.0)),
                ("issues_errors", Some(3.0)),
                ("non_200_urls", Some(4.0)),
                ("blocked_by_robots", None),
                ("days_since_change", Some(2.0)),
            ]
        );
    }

    #[test]
    fn a_window_without_a_check_has_no_sum_and_still_what_stood() {
        let quiet = Rounds {
            at_end: Some(END),
            ..Rounds::default()
        };
        assert_eq!(over("urls_added", &quiet).reading, Reading::NoData);
        assert_eq!(over("urls_total", &quiet).reading, Reading::Value(2_000.0));
        let busy = Rounds {
            checks: 4,
            added: 7,
            removed: 0,
            at_end: None,
        };
        assert_eq!(over("urls_added", &busy).reading, Reading::Value(7.0));
        assert_eq!(over("urls_removed", &busy).reading, Reading::Value(0.0));
        assert_eq!(over("urls_total", &busy).reading, Reading::NoData);
    }
}
