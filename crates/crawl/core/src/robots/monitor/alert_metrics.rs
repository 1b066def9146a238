//! The metrics of robots.txt that rules may watch, and their values.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    sync::Arc,
};

use async_trait::async_trait;
use pharos_domain::{
    alert_metric::{
        AlertMetric, AlertModule, AlertOperator, DefaultCondition, Direction, EvaluationWindow, MetricAnswer,
        MetricKind, MetricQuery, MetricSource, MetricValue, MetricWindow, ModuleMetrics, Phrase, Reading,
        SupportedFilters,
    },
    ids::DomainId,
    ports::{MissingPort, Ports},
    store::StoreError,
};
use time::OffsetDateTime;

use crate::robots::line::READ_BYTES;

/// How a robots.txt stands, in figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Whether crawlers that no group names may not fetch the root.
    pub blocks_all: bool,
    /// Whether Googlebot may not.
    pub blocks_googlebot: bool,
    /// How many checks in a row failed.
    pub failures: u32,
    /// The status at the last check; `None` where nobody answered.
    pub status_code: Option<u16>,
    /// Findings that are errors.
    pub errors: u32,
    /// Saved URLs that are not as expected.
    pub failing_test_urls: u32,
    /// Pages of sitemaps that Googlebot may not fetch; `None` where that was not computed.
    pub sitemap_conflicts: Option<u64>,
    /// The size of the file, of one that is longer than what is read a byte more than that; `None` where there is none.
    pub size_bytes: Option<u32>,
}

/// How a robots.txt stood at a moment, in the figures that rules compare with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Past {
    /// Findings that are errors of the version that was in force; `None`: there was none.
    pub errors: Option<u64>,
    /// Pages of sitemaps that Googlebot was kept from, as of the last check of them; `None` where that was not computed.
    pub sitemap_conflicts: Option<u64>,
    /// The same then; `None` where there was none.
    pub size_bytes: Option<u32>,
}

/// Reads what metrics are made from, for many sites at once.
#[async_trait]
pub trait RobotsMetricStore: Send + Sync {
    /// How the files of these domains stand. Those that were never checked, and deleted domains, are left out. It is one
    /// statement, however many they are.
    async fn standing(&self, domains: &[DomainId]) -> Result<HashMap<DomainId, Standing>, StoreError>;

    /// How the files of domains stood just before moments, one answer each, in their order. It is one statement.
    async fn past(&self, asked: &[(DomainId, OffsetDateTime)]) -> Result<Vec<Past>, StoreError>;
}

/// A metric of the module, of which high values are bad, that stands at any moment and counts something.
const STATE: AlertMetric = AlertMetric {
    name: "",
    label: "",
    description: "",
    phrase: Phrase::Amount(""),
    unit: "count",
    display_unit: "",
    step: 1.0,
    least: Some(0.0),
    largest: None,
    kind: MetricKind::State,
    direction: Direction::HigherIsWorse,
    operators: AlertOperator::COUNTS,
    default: condition(AlertOperator::Gte, 1.0, 60),
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

/// The event that the file is another.
pub const CONTENT_CHANGED: &str = "content_changed";

static METRICS: [AlertMetric; 9] = [
    AlertMetric {
        name: CONTENT_CHANGED,
        label: "Changes of robots.txt",
        description: "How often the content of robots.txt changed, since the last evaluation.",
        phrase: Phrase::Count {
            one: "change of robots.txt",
            many: "changes of robots.txt",
        },
        display_unit: "changes",
        kind: MetricKind::Event,
        direction: Direction::Either,
        default: condition(AlertOperator::Gte, 1.0, 0),
        ..STATE
    },
    AlertMetric {
        name: "blocks_all",
        label: "All crawlers are kept out",
        description: "1 while crawlers that no group names may not fetch the root of the site, else 0. Where robots.txt \
                      can't be fetched they fetch nothing.",
        phrase: Phrase::Flag {
            who: "crawlers without rules of their own",
            are_many: true,
            what: "kept out by robots.txt",
        },
        display_unit: "flags",
        largest: Some(1.0),
        ..STATE
    },
    AlertMetric {
        name: "googlebot_blocked",
        label: "Googlebot is kept out",
        description: "1 while Googlebot may not fetch the root of the site, else 0.",
        phrase: Phrase::Flag {
            who: "Googlebot",
            are_many: false,
            what: "kept out by robots.txt",
        },
        display_unit: "flags",
        largest: Some(1.0),
        ..STATE
    },
    AlertMetric {
        name: "fetch_failures",
        label: "Failing fetches of robots.txt",
        description: "Fetches of robots.txt in a row that failed: nobody answered, or the server did with 5xx or 429.",
        phrase: Phrase::Count {
            one: "failing fetch of robots.txt in a row",
            many: "failing fetches of robots.txt in a row",
        },
        display_unit: "checks",
        default: condition(AlertOperator::Gte, 2.0, 240),
        ..STATE
    },
    AlertMetric {
        name: "status_code",
        label: "Status of robots.txt",
        description: "The status of the last fetch of robots.txt. No value where nobody answered.",
        phrase: Phrase::Amount("the status of robots.txt"),
        unit: "status_code",
        display_unit: "code",
        least: Some(100.0),
        largest: Some(999.0),
        default: condition(AlertOperator::Gte, 500.0, 240),
        ..STATE
    },
    AlertMetric {
        name: "issues_errors",
        label: "Errors of robots.txt",
        description: "Findings of the last good version of robots.txt that are errors.",
        phrase: Phrase::Count {
            one: "error in robots.txt",
            many: "errors in robots.txt",
        },
        display_unit: "issues",
        operators: AlertOperator::CHANGES,
        default: condition(AlertOperator::Gte, 1.0, 1_440),
        ..STATE
    },
    AlertMetric {
        name: "failing_test_urls",
        label: "Saved URLs that are not as expected",
        description: "Saved URLs that robots.txt allows or disallows otherwise than is expected.",
        phrase: Phrase::Count {
            one: "saved URL that is not as expected",
            many: "saved URLs that are not as expected",
        },
        display_unit: "URLs",
        ..STATE
    },
    AlertMetric {
        name: "sitemap_conflicts",
        label: "Pages of sitemaps that robots.txt blocks",
        description: "Pages of sitemaps that robots.txt keeps Googlebot from, as of the last time that this was worked out. \
                      No value before.",
        phrase: Phrase::Count {
            one: "page in the sitemaps that robots.txt blocks",
            many: "pages in the sitemaps that robots.txt blocks",
        },
        display_unit: "URLs",
        operators: AlertOperator::CHANGES,
        default: condition(AlertOperator::Gte, 1.0, 1_440),
        ..STATE
    },
    AlertMetric {
        name: "size_bytes",
        label: "Size of robots.txt",
        description: "The bytes of robots.txt. Crawlers read 512,000; of a file with more it is 512,001. No value where there \
                      is no file.",
        phrase: Phrase::Amount("the size of robots.txt"),
        unit: "bytes",
        display_unit: "bytes",
        largest: Some((READ_BYTES + 1) as f64),
        operators: AlertOperator::CHANGES,
        default: condition(AlertOperator::Gt, 512_000.0, 10_080),
        ..STATE
    },
];

/// The module and its metrics.
pub const CATALOGUE: ModuleMetrics = ModuleMetrics {
    module: AlertModule::Robots,
    label: "robots.txt",
    metrics: &METRICS,
};

/// The values of the metrics of robots.txt.
#[derive(Clone)]
pub struct RobotsMetrics {
    store: Arc<dyn RobotsMetricStore>,
}

impl fmt::Debug for RobotsMetrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RobotsMetrics").finish_non_exhaustive()
    }
}

impl RobotsMetrics {
    /// The metrics, read through the ports.
    ///
    /// # Errors
    /// Nobody implements [`RobotsMetricStore`].
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self { store: ports.get()? })
    }
}

#[async_trait]
impl MetricSource for RobotsMetrics {
    fn metrics(&self) -> ModuleMetrics {
        CATALOGUE
    }

    async fn read(
        &self,
        queries: &[MetricQuery],
        _: OffsetDateTime,
    ) -> Result<Vec<MetricAnswer>, StoreError> {
        let domains = MetricQuery::domains(queries);
        let standing = self.store.standing(&domains).await?;
        let mut seen = HashSet::new();
        let ends = queries
            .iter()
            .flat_map(|query| query.windows.iter().map(|window| (query.domain, *window)));
        let asked: Vec<(DomainId, OffsetDateTime)> = ends
            .filter_map(|(domain, window)| match window {
                MetricWindow::Latest => None,
                MetricWindow::Over(range) => Some((domain, range.until)),
            })
            .filter(|asked| standing.contains_key(&asked.0) && seen.insert(*asked))
            .collect();
        let past = if asked.is_empty() {
            Vec::new()
        } else {
            self.store.past(&asked).await?
        };
        let past: HashMap<_, _> = asked.into_iter().zip(past).collect();
        let answers = queries.iter().map(|query| {
            let name = query.metric.name;
            let values = query.windows.iter().map(|window| {
                let found = match window {
                    MetricWindow::Latest => standing
                        .get(&query.domain)
                        .map(|standing| reading(name, standing)),
                    MetricWindow::Over(range) => past
                        .get(&(query.domain, range.until))
                        .map(|past| past_reading(name, past)),
                };
                MetricValue {
                    reading: found.unwrap_or_default(),
                    // None of them is measured over a time.
                    sample: None,
                }
            });
            MetricAnswer {
                values: values.collect(),
                ..MetricAnswer::default()
            }
        });
        Ok(answers.collect())
    }
}

fn reading(metric: &str, standing: &Standing) -> Reading {
    let flag = |is_so: bool| Some(f64::from(u8::from(is_so)));
    Reading::of(match metric {
        "blocks_all" => flag(standing.blocks_all),
        "googlebot_blocked" => flag(standing.blocks_googlebot),
        "fetch_failures" => Some(standing.failures.into()),
        "status_code" => standing.status_code.map(f64::from),
        "issues_errors" => Some(standing.errors.into()),
        "failing_test_urls" => Some(standing.failing_test_urls.into()),
        "sitemap_conflicts" => standing.sitemap_conflicts.map(|conflicts| conflicts as f64),
        "size_bytes" => standing.size_bytes.map(f64::from),
        _ => None,
    })
}

fn past_reading(metric: &str, past: &Past) -> Reading {
    Reading::of(match metric {
        "issues_errors" => past.errors.map(|errors| errors as f64),
        "sitemap_conflicts" => past.sitemap_conflicts.map(|conflicts| conflicts as f64),
        "size_bytes" => past.size_bytes.map(f64::from),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_metric_that_is_compared_has_its_past() {
        let past = Past {
            errors: Some(2),
            sitemap_conflicts: None,
            size_bytes: Some(120),
        };
        let compared = METRICS
            .iter()
            .filter(|metric| metric.operators.iter().any(|operator| operator.compares()));
        let values: Vec<_> = compared
            .map(|metric| (metric.name, past_reading(metric.name, &past).value()))
            .collect();
        assert_eq!(
            values,
            [
                ("issues_errors", Some(2.0)),
                ("sitemap_conflicts", None),
                ("size_bytes", Some(120.0)),
            ]
        );
    }

    #[test]
    fn each_metric_that_stands_has_its_value() {
        let standing = Standing {
            blocks_all: true,
            blocks_googlebot: false,
            failures: 3,
            status_code: Some(503),
            errors: 2,
            failing_test_urls: 4,
            sitemap_conflicts: Some(5),
            size_bytes: None,
        };
        let values: Vec<_> = METRICS
            .iter()
            .filter(|metric| metric.kind == MetricKind::State)
            .map(|metric| (metric.name, reading(metric.name, &standing).value()))
            .collect();
        assert_eq!(
            values,
            [
                ("blocks_all", Some(1.0)),
                ("googlebot_blocked", Some(0.0)),
                ("fetch_failures", Some(3.0)),
                ("status_code", Some(503.0)),
                ("issues_errors", Some(2.0)),
                ("failing_test_urls", Some(4.0)),
                ("sitemap_conflicts", Some(5.0)),
                ("size_bytes", None),
            ]
        );
    }
}
