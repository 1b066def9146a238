//! The metrics of web analytics that rules may watch, and their values.

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

use crate::{
    commerce::{abandoned_pct, pct},
    overview::{Totals, as_number, in_units},
};

/// The figures of a site's visits over a time range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visits {
    /// The figures of the sessions.
    pub totals: Totals,
    /// Visitors whose session came from an AI assistant.
    pub ai_assistant_visitors: u64,
    /// The sales; `None`: the site never told of anything that is sold.
    pub sales: Option<Sold>,
}

/// The sales over a time range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sold {
    /// Events of something being put into a cart.
    pub add_to_carts: u64,
    /// Orders, in any currency.
    pub orders: u64,
    /// Orders less refunds, in hundredths of the site's currency.
    pub revenue_cents: i64,
}

/// Reads what metrics are made from, for many sites at once.
#[async_trait]
pub trait VisitMetricStore: Send + Sync {
    /// The figures of sites' visits over time ranges, one answer each, in their order. `None`: nothing was ever received of the
    /// site by the beginning of the range, it is not measured any more, or the domain is deleted. It is one statement, however
    /// many they are.
    async fn visits(&self, asked: &[(DomainId, TimeRange)]) -> Result<Vec<Option<Visits>>, StoreError>;

    /// The newest moment of which anything was received of these domains. Those that are not measured, or of which nothing was
    /// ever received, are left out.
    async fn last_heard(&self, domains: &[DomainId])
    -> Result<HashMap<DomainId, OffsetDateTime>, StoreError>;
}

use AlertOperator::{Gt, PctDecrease, PctIncrease};
use EvaluationWindow::{Day, Hour, Week};

const TIMES: &[EvaluationWindow] = &[Day, Hour, Week];

/// A metric of the module, of which low values are bad, that is counted over a time.
const MEASURE: AlertMetric = AlertMetric {
    name: "",
    label: "",
    description: "",
    phrase: Phrase::Amount(""),
    unit: "count",
    display_unit: "",
    step: 1.0,
    least: Some(0.0),
    largest: None,
    kind: MetricKind::Measure,
    direction: Direction::LowerIsWorse,
    operators: AlertOperator::MEASURES,
    default: against_last_week(PctDecrease, 30.0, 720),
    windows: TIMES,
    data_lag_hours: 0,
    filters: SupportedFilters::NONE,
};

const fn against_last_week(
    operator: AlertOperator,
    threshold: f64,
    cooldown_minutes: u32,
) -> DefaultCondition {
    DefaultCondition {
        operator,
        threshold,
        comparison_window: Some(ComparisonWindow::SameDayLastWeek),
        cooldown_minutes,
    }
}

static METRICS: [AlertMetric; 12] = [
    AlertMetric {
        name: "visitors",
        label: "Visitors",
        description: "Visitors whose session began in the window, those of each UTC day added up.",
        phrase: Phrase::Count {
            one: "visitor",
            many: "visitors",
        },
        display_unit: "visitors",
        ..MEASURE
    },
    AlertMetric {
        name: "sessions",
        label: "Sessions",
        description: "Sessions that began in the window.",
        phrase: Phrase::Count {
            one: "session",
            many: "sessions",
        },
        display_unit: "sessions",
        ..MEASURE
    },
    AlertMetric {
        name: "pageviews",
        label: "Page views",
        description: "Page views of the sessions that began in the window.",
        phrase: Phrase::Count {
            one: "page view",
            many: "page views",
        },
        display_unit: "views",
        ..MEASURE
    },
    AlertMetric {
        name: "bounce_rate_pct",
        label: "Bounce rate",
        description: "The share of sessions of one page view without an event, download or link to another host. No value \
                      without sessions.",
        phrase: Phrase::Amount("the bounce rate"),
        unit: "percent",
        display_unit: "%",
        largest: Some(100.0),
        direction: Direction::HigherIsWorse,
        default: against_last_week(PctIncrease, 20.0, 1_440),
        ..MEASURE
    },
    AlertMetric {
        name: "avg_duration_seconds",
        label: "Length of sessions",
        description: "How long a session of the window was, on average. No value without sessions.",
        phrase: Phrase::Amount("the length of sessions"),
        unit: "seconds",
        display_unit: "s",
        default: against_last_week(PctDecrease, 30.0, 1_440),
        ..MEASURE
    },
    AlertMetric {
        name: "event_count",
        label: "Events",
        description: "Events of the site's own in the sessions that began in the window, ecommerce among them.",
        phrase: Phrase::Count {
            one: "event",
            many: "events",
        },
        display_unit: "events",
        default: against_last_week(PctDecrease, 50.0, 720),
        ..MEASURE
    },
    AlertMetric {
        name: "revenue",
        label: "Revenue",
        description: "Orders less refunds in the window, in the site's currency. No value where the site never told of a sale.",
        phrase: Phrase::Amount("the revenue"),
        unit: "currency",
        display_unit: "currency",
        // More may be refunded than is ordered.
        least: None,
        ..MEASURE
    },
    AlertMetric {
        name: "orders",
        label: "Orders",
        description: "Orders in the window, in any currency. No value where the site never told of a sale.",
        phrase: Phrase::Count {
            one: "order",
            many: "orders",
        },
        display_unit: "orders",
        ..MEASURE
    },
    AlertMetric {
        name: "conversion_rate_pct",
        label: "Conversion rate",
        description: "Orders a hundred sessions of the window. No value without sessions, and where the site never told of a \
                      sale.",
        phrase: Phrase::Amount("the conversion rate"),
        unit: "percent",
        display_unit: "%",
        default: against_last_week(PctDecrease, 25.0, 720),
        ..MEASURE
    },
    AlertMetric {
        name: "cart_abandonment_pct",
        label: "Abandoned carts",
        description: "The share of carts that did not become orders in the window. No value where nothing was put into a cart.",
        phrase: Phrase::Amount("the share of abandoned carts"),
        unit: "percent",
        display_unit: "%",
        largest: Some(100.0),
        direction: Direction::HigherIsWorse,
        default: against_last_week(PctIncrease, 20.0, 1_440),
        ..MEASURE
    },
    AlertMetric {
        name: "ai_assistant_visitors",
        label: "Visitors from AI assistants",
        description: "Visitors whose session began in the window and came from an AI assistant.",
        phrase: Phrase::Count {
            one: "visitor from an AI assistant",
            many: "visitors from AI assistants",
        },
        display_unit: "visitors",
        direction: Direction::Either,
        default: against_last_week(PctIncrease, 50.0, 1_440),
        ..MEASURE
    },
    AlertMetric {
        name: SILENCE,
        label: "Silence",
        description: "Minutes since anything was received of the site. No value where nothing ever was.",
        phrase: Phrase::Amount("the time since the last visit"),
        unit: "minutes",
        display_unit: "min",
        kind: MetricKind::State,
        direction: Direction::HigherIsWorse,
        operators: AlertOperator::BOUNDS,
        default: DefaultCondition {
            operator: Gt,
            threshold: 120.0,
            comparison_window: None,
            cooldown_minutes: 240,
        },
        windows: EvaluationWindow::NOW,
        ..MEASURE
    },
];

const SILENCE: &str = "minutes_since_last_event";

/// The module and its metrics.
pub const CATALOGUE: ModuleMetrics = ModuleMetrics {
    module: AlertModule::Analytics,
    label: "Web analytics",
    metrics: &METRICS,
};

/// The values of the metrics of web analytics.
#[derive(Clone)]
pub struct AnalyticsMetrics {
    store: Arc<dyn VisitMetricStore>,
}

impl fmt::Debug for AnalyticsMetrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnalyticsMetrics").finish_non_exhaustive()
    }
}

impl AnalyticsMetrics {
    /// The metrics, read through the ports.
    ///
    /// # Errors
    /// Nobody implements [`VisitMetricStore`].
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self { store: ports.get()? })
    }
}

#[async_trait]
impl MetricSource for AnalyticsMetrics {
    fn metrics(&self) -> ModuleMetrics {
        CATALOGUE
    }

    async fn read(
        &self,
        queries: &[MetricQuery],
        now: OffsetDateTime,
    ) -> Result<Vec<MetricAnswer>, StoreError> {
        // Rules on several metrics look at the same visits.
        let mut asked: Vec<(DomainId, TimeRange)> = Vec::new();
        let mut numbers: HashMap<(DomainId, MetricWindow), usize> = HashMap::new();
        let mut silent: HashSet<DomainId> = HashSet::new();
        for query in queries {
            if query.metric.name == SILENCE {
                silent.insert(query.domain);
            }
            for window in &query.windows {
                if let MetricWindow::Over(range) = window {
                    numbers.entry((query.domain, *window)).or_insert_with(|| {
                        asked.push((query.domain, *range));
                        asked.len() - 1
                    });
                }
            }
        }
        let visits = self.store.visits(&asked).await?;
        let heard = self
            .store
            .last_heard(&silent.into_iter().collect::<Vec<_>>())
            .await?;
        let answers = queries.iter().map(|query| {
            let values = query.windows.iter().map(|window| match window {
                MetricWindow::Latest if query.metric.name == SILENCE => MetricValue {
                    reading: Reading::of(heard.get(&query.domain).map(|last| minutes(now - *last))),
                    sample: None,
                },
                MetricWindow::Latest => MetricValue::default(),
                MetricWindow::Over(_) => {
                    let number = numbers.get(&(query.domain, *window));
                    let found = number.and_then(|number| visits.get(*number).copied().flatten());
                    MetricValue {
                        reading: Reading::of(found.and_then(|visits| value(query.metric.name, &visits))),
                        sample: found.map(|visits| visits.totals.sessions),
                    }
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

fn minutes(since: time::Duration) -> f64 {
    since.max(time::Duration::ZERO).as_seconds_f64() / 60.0
}

fn value(metric: &str, visits: &Visits) -> Option<f64> {
    let totals = visits.totals;
    let sales = visits.sales;
    match metric {
        "visitors" => Some(as_number(totals.visitors)),
        "sessions" => Some(as_number(totals.sessions)),
        "pageviews" => Some(as_number(totals.pageviews)),
        "bounce_rate_pct" => totals.bounce_rate_pct(),
        "avg_duration_seconds" => totals.avg_duration_seconds(),
        "event_count" => Some(as_number(totals.events)),
        "revenue" => sales.map(|sold| in_units(sold.revenue_cents)),
        "orders" => sales.map(|sold| as_number(sold.orders)),
        "conversion_rate_pct" => sales.and_then(|sold| pct(sold.orders, totals.sessions)),
        "cart_abandonment_pct" => sales.and_then(|sold| abandoned_pct(sold.add_to_carts, sold.orders)),
        "ai_assistant_visitors" => Some(as_number(visits.ai_assistant_visitors)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed by hand: 10 of 40 sessions are bounces of 25 %, 4 orders are 10 %, and 6 of 10 carts were left.
    #[test]
    fn each_metric_that_is_measured_has_its_value() {
        let visits = Visits {
            totals: Totals {
                visitors: 30,
                sessions: 40,
                pageviews: 90,
                bounces: 10,
                duration_ms: 2_000_000,
                events: 7,
            },
            ai_assistant_visitors: 3,
            sales: Some(Sold {
                add_to_carts: 10,
                orders: 4,
                revenue_cents: 12_345,
            }),
        };
        let values = |visits: &Visits| -> Vec<(&str, Option<f64>)> {
            METRICS
                .iter()
                .filter(|metric| metric.kind == MetricKind::Measure)
                .map(|metric| (metric.name, value(metric.name, visits)))
                .collect()
        };
        assert_eq!(
            values(&visits),
            [
                ("visitors", Some(30.0)),
                ("sessions", Some(40.0)),
                ("pageviews", Some(90.0)),
                ("bounce_rate_pct", Some(25.0)),
                ("avg_duration_seconds", Some(50.0)),
                ("event_count", Some(7.0)),
                ("revenue", Some(123.45)),
                ("orders", Some(4.0)),
                ("conversion_rate_pct", Some(10.0)),
                ("cart_abandonment_pct", Some(60.0)),
                ("ai_assistant_visitors", Some(3.0)),
            ]
        );
        let unsold = Visits {
            totals: Totals::default(),
            ai_assistant_visitors: 0,
            sales: None,
        };
        let missing: Vec<&str> = values(&unsold)
            .into_iter()
            .filter(|(_, value)| value.is_none())
            .map(|(name, _)| name)
            .collect();
        assert_eq!(
            missing,
            [
                "bounce_rate_pct",
                "avg_duration_seconds",
                "revenue",
                "orders",
                "conversion_rate_pct",
                "cart_abandonment_pct"
            ],
            "what was not measured is no 0"
        );
    }
}
