//! The metrics of inspections that rules may watch, and their values.
//!
//! They stand as the last inspections left them. For the past there are their values at the end of each day on which some were
//! made.

use std::{
    collections::{BTreeMap, HashMap},
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
use time::{Date, Duration, OffsetDateTime, UtcOffset};

use super::{coverage::CoverageReason, store::reads::DayStanding};

/// How far back rules look: eight weeks, and the days of the longest window before them.
const REACH: Duration = Duration::days(8 * 7 + 30);
/// How long a day on which nothing was inspected is as the last one before it.
const HOLDS: Duration = Duration::days(14);

/// Reads what metrics are made from, for many domains at once.
#[async_trait]
pub trait IndexingMetricStore: Send + Sync {
    /// How the URLs of domains stood at the end of each day since one. Deleted domains are left out. It is one statement, however
    /// many they are.
    async fn days(
        &self,
        domains: &[DomainId],
        since: Date,
    ) -> Result<HashMap<DomainId, BTreeMap<Date, DayStanding>>, StoreError>;

    /// How many URLs left the index within time ranges, one answer each, in their order. It is one statement.
    async fn deindexed(&self, asked: &[(DomainId, TimeRange)]) -> Result<Vec<u64>, StoreError>;
}

/// A count of URLs, of which high values are bad.
const URLS: AlertMetric = AlertMetric {
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
    default: condition(AlertOperator::Gte, 1.0, 1_440),
    windows: EvaluationWindow::NOW,
    data_lag_hours: 0,
    filters: SupportedFilters::NONE,
};

const fn condition(operator: AlertOperator, threshold: f64, cooldown_minutes: u32) -> DefaultCondition {
    DefaultCondition {
        operator,
        threshold,
        comparison_window: if operator.compares() {
            Some(ComparisonWindow::Previous7Days)
        } else {
            None
        },
        cooldown_minutes,
    }
}

const INDEXED_PCT: &str = "indexed_pct";
const INDEXED_URLS: &str = "indexed_urls";
const NEWLY_DEINDEXED: &str = "newly_deindexed";
const CRAWLED_NOT_INDEXED: &str = "crawled_not_indexed";
const FETCH_ERRORS: &str = "fetch_errors";
const NOINDEX_URLS: &str = "noindex_urls";
const CANONICAL_MISMATCHES: &str = "canonical_mismatches";
const RICH_RESULT_ERRORS: &str = "rich_result_errors";
const MEDIAN_CRAWL_AGE_DAYS: &str = "median_crawl_age_days";

static METRICS: [AlertMetric; 9] = [
    AlertMetric {
        name: INDEXED_PCT,
        label: "Share of indexed URLs",
        description: "The share of inspected URLs that are in Google's index. No value before the first inspection.",
        phrase: Phrase::Amount("the share of URLs in Google's index"),
        unit: "percent",
        display_unit: "%",
        largest: Some(100.0),
        direction: Direction::LowerIsWorse,
        operators: AlertOperator::MEASURES,
        default: condition(AlertOperator::Lt, 80.0, 1_440),
        ..URLS
    },
    AlertMetric {
        name: INDEXED_URLS,
        label: "Indexed URLs",
        description: "Monitored URLs that are in Google's index.",
        phrase: Phrase::Count {
            one: "URL in Google's index",
            many: "URLs in Google's index",
        },
        direction: Direction::LowerIsWorse,
        operators: AlertOperator::MEASURES,
        default: condition(AlertOperator::PctDecrease, 10.0, 1_440),
        ..URLS
    },
    AlertMetric {
        name: NEWLY_DEINDEXED,
        label: "URLs that left the index",
        description: "Monitored URLs that an inspection of the window found to have left Google's index.",
        phrase: Phrase::Count {
            one: "URL that left Google's index",
            many: "URLs that left Google's index",
        },
        kind: MetricKind::Measure,
        operators: AlertOperator::COUNTED_CHANGES,
        default: condition(AlertOperator::Gte, 1.0, 720),
        windows: EvaluationWindow::DAYS,
        ..URLS
    },
    AlertMetric {
        name: CRAWLED_NOT_INDEXED,
        label: "Crawled, not indexed",
        description: "Monitored URLs that Google fetched and chose not to index.",
        phrase: Phrase::Count {
            one: "URL that Google fetched and did not index",
            many: "URLs that Google fetched and did not index",
        },
        operators: AlertOperator::MEASURES,
        default: condition(AlertOperator::PctIncrease, 20.0, 1_440),
        ..URLS
    },
    AlertMetric {
        name: FETCH_ERRORS,
        label: "URLs that Google can't fetch",
        description: "Monitored URLs that Google could not fetch, those aside that robots.txt forbids.",
        phrase: Phrase::Count {
            one: "URL that Google can't fetch",
            many: "URLs that Google can't fetch",
        },
        operators: AlertOperator::COUNTED_CHANGES,
        default: condition(AlertOperator::Gte, 1.0, 720),
        ..URLS
    },
    AlertMetric {
        name: NOINDEX_URLS,
        label: "URLs with noindex",
        description: "Monitored URLs that Google leaves out since they say noindex.",
        phrase: Phrase::Count {
            one: "URL with noindex",
            many: "URLs with noindex",
        },
        default: condition(AlertOperator::PctIncrease, 20.0, 1_440),
        ..URLS
    },
    AlertMetric {
        name: CANONICAL_MISMATCHES,
        label: "Other canonical pages",
        description: "Monitored URLs for which Google chose another canonical page than they declare.",
        phrase: Phrase::Count {
            one: "URL for which Google chose another canonical page",
            many: "URLs for which Google chose another canonical page",
        },
        ..URLS
    },
    AlertMetric {
        name: RICH_RESULT_ERRORS,
        label: "Errors of rich results",
        description: "Monitored URLs with a rich result that has an error.",
        phrase: Phrase::Count {
            one: "URL with an error in a rich result",
            many: "URLs with errors in rich results",
        },
        display_unit: "items",
        ..URLS
    },
    AlertMetric {
        name: MEDIAN_CRAWL_AGE_DAYS,
        label: "Age of the last crawl",
        description: "The median age of Google's last fetch of monitored URLs, as of the last inspection. No value before one.",
        phrase: Phrase::Amount("the median age of Google's last fetch"),
        unit: "days",
        display_unit: "days",
        default: condition(AlertOperator::Gt, 30.0, 4_320),
        ..URLS
    },
];

/// The module and its metrics.
pub const CATALOGUE: ModuleMetrics = ModuleMetrics {
    module: AlertModule::Indexing,
    label: "Indexing",
    metrics: &METRICS,
};

/// The values of the metrics of inspections.
#[derive(Clone)]
pub struct IndexingMetrics {
    store: Arc<dyn IndexingMetricStore>,
}

impl fmt::Debug for IndexingMetrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IndexingMetrics").finish_non_exhaustive()
    }
}

impl IndexingMetrics {
    /// The metrics, read through the ports.
    ///
    /// # Errors
    /// Nobody implements [`IndexingMetricStore`].
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self { store: ports.get()? })
    }
}

#[async_trait]
impl MetricSource for IndexingMetrics {
    fn metrics(&self) -> ModuleMetrics {
        CATALOGUE
    }

    async fn read(
        &self,
        queries: &[MetricQuery],
        now: OffsetDateTime,
    ) -> Result<Vec<MetricAnswer>, StoreError> {
        let domains = MetricQuery::domains(queries);
        let since = (now - REACH).to_offset(UtcOffset::UTC).date();
        let days = self.store.days(&domains, since).await?;
        let ranges = queries
            .iter()
            .filter(|query| query.metric.name == NEWLY_DEINDEXED);
        let ranges: Vec<(DomainId, TimeRange)> = ranges
            .flat_map(|query| {
                let over = query.windows.iter().filter_map(|window| match window {
                    MetricWindow::Over(range) => Some(*range),
                    MetricWindow::Latest => None,
                });
                over.map(|range| (query.domain, range))
            })
            .collect();
        let counts = if ranges.is_empty() {
            Vec::new()
        } else {
            self.store.deindexed(&ranges).await?
        };
        let counts: HashMap<(DomainId, TimeRange), u64> = ranges.into_iter().zip(counts).collect();
        let nothing = BTreeMap::new();
        let answers = queries.iter().map(|query| {
            let days = days.get(&query.domain).unwrap_or(&nothing);
            let values = query.windows.iter().map(|window| MetricValue {
                reading: if query.metric.name == NEWLY_DEINDEXED {
                    left(window, days, query.domain, &counts)
                } else {
                    standing_at(window, days).map_or(Reading::NoData, |day| reading(query.metric.name, day))
                },
                sample: None,
            });
            MetricAnswer {
                values: values.collect(),
                ..MetricAnswer::default()
            }
        });
        Ok(answers.collect())
    }
}

/// How many URLs left the index; nothing is known of a time before the first inspection.
fn left(
    window: &MetricWindow,
    days: &BTreeMap<Date, DayStanding>,
    domain: DomainId,
    counts: &HashMap<(DomainId, TimeRange), u64>,
) -> Reading {
    let MetricWindow::Over(range) = window else {
        return Reading::NoData;
    };
    let is_known = standing_at(window, days).is_some();
    let count = counts.get(&(domain, *range)).filter(|_| is_known);
    Reading::of(count.map(|count| *count as f64))
}

/// How the URLs stand, or stood when a window ended.
fn standing_at<'a>(window: &MetricWindow, days: &'a BTreeMap<Date, DayStanding>) -> Option<&'a DayStanding> {
    let MetricWindow::Over(range) = window else {
        return days.last_key_value().map(|(_, standing)| standing);
    };
    let last = (range.until - Duration::nanoseconds(1))
        .to_offset(UtcOffset::UTC)
        .date();
    let (day, standing) = days.range(..=last).next_back()?;
    (last - *day <= HOLDS).then_some(standing)
}

fn reading(metric: &str, day: &DayStanding) -> Reading {
    let count = |count: u64| Some(count as f64);
    Reading::of(match metric {
        INDEXED_PCT => day.indexed_pct(),
        INDEXED_URLS => count(day.indexed),
        CRAWLED_NOT_INDEXED => count(day.of_reason(CoverageReason::CrawledNotIndexed)),
        FETCH_ERRORS => count(day.fetch_errors),
        NOINDEX_URLS => count(day.of_reason(CoverageReason::ExcludedNoindex)),
        CANONICAL_MISMATCHES => count(day.canonical_mismatches),
        RICH_RESULT_ERRORS => count(day.rich_result_errors),
        MEDIAN_CRAWL_AGE_DAYS => day.median_crawl_age_days,
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use time::macros::{date, datetime};

    use super::*;

    fn day(indexed: u64) -> DayStanding {
        DayStanding {
            inspected: 8,
            indexed,
            by_reason: BTreeMap::from([
                (CoverageReason::CrawledNotIndexed, 2),
                (CoverageReason::ExcludedNoindex, 1),
            ]),
            fetch_errors: 3,
            canonical_mismatches: 4,
            rich_result_errors: 5,
            median_crawl_age_days: Some(6.5),
            ..DayStanding::default()
        }
    }

    #[test]
    fn each_metric_that_stands_has_its_value() {
        let standing = day(5);
        let values: Vec<_> = METRICS
            .iter()
            .filter(|metric| metric.kind == MetricKind::State)
            .map(|metric| (metric.name, reading(metric.name, &standing).value()))
            .collect();
        assert_eq!(
            values,
            [
                (INDEXED_PCT, Some(62.5)),
                (INDEXED_URLS, Some(5.0)),
                (CRAWLED_NOT_INDEXED, Some(2.0)),
                (FETCH_ERRORS, Some(3.0)),
                (NOINDEX_URLS, Some(1.0)),
                (CANONICAL_MISMATCHES, Some(4.0)),
                (RICH_RESULT_ERRORS, Some(5.0)),
                (MEDIAN_CRAWL_AGE_DAYS, Some(6.5)),
            ]
        );
    }

    #[test]
    fn the_past_is_as_the_last_day_with_an_inspection_left_it() {
        let days = BTreeMap::from([(date!(2026 - 03 - 10), day(1)), (date!(2026 - 03 - 12), day(2))]);
        let over = |until| MetricWindow::Over(TimeRange::new(until - Duration::HOUR, until));
        let indexed = |window| standing_at(&window, &days).map(|day| day.indexed);
        assert_eq!(indexed(MetricWindow::Latest), Some(2));
        assert_eq!(indexed(over(datetime!(2026-03-09 10:00 UTC))), None);
        assert_eq!(indexed(over(datetime!(2026-03-11 10:00 UTC))), Some(1));
        // That hour is the last of the 11th.
        assert_eq!(indexed(over(datetime!(2026-03-12 00:00 UTC))), Some(1));
        assert_eq!(indexed(over(datetime!(2026-03-26 10:00 UTC))), Some(2));
        assert_eq!(indexed(over(datetime!(2026-03-27 10:00 UTC))), None);
    }
}
