//! A metric, a source of it, a rule and an alert, for tests.

use std::{
    slice,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use pharos_domain::{
    alert_metric::{
        AlertMetric, AlertModule, AlertOperator, DefaultCondition, Direction, EvaluationWindow, MetricAnswer,
        MetricFilter, MetricKind, MetricQuery, MetricSource, MetricValue, MetricWindow, ModuleMetrics,
        Phrase, Reading, SupportedFilters,
    },
    ids::{AlertId, AlertRuleId, DomainId, NotificationId, WorkspaceId},
    store::StoreError,
};
use serde_json::Map;
use time::{OffsetDateTime, macros::datetime};
use uuid::Uuid;

use crate::{
    alert::{Alert, Fired},
    catalogue::Catalogue,
    evaluate::{Figures, Standing},
    message,
    rule::RuleSettings,
    severity::Severity,
    store::{DueRule, PendingEvents},
};

/// When rules of tests were made and were due.
const MADE_AT: OffsetDateTime = datetime!(2026-03-31 23:00 UTC);

/// The mean time of answers: high is bad.
pub(crate) static RESPONSE_MS: AlertMetric = AlertMetric {
    name: "response_ms",
    label: "Response time",
    description: "The mean time of answers.",
    phrase: Phrase::Amount("the response time"),
    unit: "milliseconds",
    display_unit: "ms",
    step: 1.0,
    least: Some(0.0),
    largest: None,
    kind: MetricKind::Measure,
    direction: Direction::HigherIsWorse,
    operators: AlertOperator::ALL,
    default: DefaultCondition {
        operator: AlertOperator::Gt,
        threshold: 2_000.0,
        comparison_window: None,
        cooldown_minutes: 120,
    },
    windows: &[
        EvaluationWindow::Hour,
        EvaluationWindow::Latest,
        EvaluationWindow::Day,
    ],
    data_lag_hours: 0,
    filters: SupportedFilters::NONE,
};

/// Clicks, which are known three days later.
pub(crate) static CLICKS: AlertMetric = AlertMetric {
    name: "clicks",
    windows: EvaluationWindow::DAYS,
    data_lag_hours: 72,
    ..RESPONSE_MS
};

/// A module that has this metric alone.
pub(crate) fn response_times() -> ModuleMetrics {
    ModuleMetrics {
        module: AlertModule::Uptime,
        label: "Uptime",
        metrics: slice::from_ref(&RESPONSE_MS),
    }
}

/// Gives as the value of each window how many days that has. Keeps what it was asked last.
pub(crate) struct Lengths {
    metric: &'static AlertMetric,
    asked: Mutex<Vec<Vec<MetricWindow>>>,
}

impl Lengths {
    /// The source of this metric, and a catalogue that has it alone.
    pub(crate) fn of(metric: &'static AlertMetric) -> (Arc<Self>, Catalogue) {
        let source = Arc::new(Self {
            metric,
            asked: Mutex::default(),
        });
        let metrics: Arc<dyn MetricSource> = source.clone();
        (source, Catalogue::new(vec![metrics]).unwrap())
    }

    /// The windows that it was asked for last, by query.
    pub(crate) fn asked(&self) -> Vec<Vec<MetricWindow>> {
        self.asked.lock().unwrap().clone()
    }
}

#[async_trait]
impl MetricSource for Lengths {
    fn metrics(&self) -> ModuleMetrics {
        ModuleMetrics {
            metrics: slice::from_ref(self.metric),
            ..response_times()
        }
    }

    async fn read(
        &self,
        queries: &[MetricQuery],
        _: OffsetDateTime,
    ) -> Result<Vec<MetricAnswer>, StoreError> {
        let days = |window: &MetricWindow| match window {
            MetricWindow::Over(range) => range.length().as_seconds_f64() / 86_400.0,
            MetricWindow::Latest => 0.0,
        };
        let value = |window: &MetricWindow| MetricValue {
            reading: Reading::Value(days(window)),
            sample: None,
        };
        let answer = |query: &MetricQuery| MetricAnswer {
            values: query.windows.iter().map(value).collect(),
            ..MetricAnswer::default()
        };
        *self.asked.lock().unwrap() = queries.iter().map(|query| query.windows.clone()).collect();
        Ok(queries.iter().map(answer).collect())
    }
}

/// A rule of the metric, above 2,000 ms, with an hour of cooldown.
pub(crate) fn rule(operator: AlertOperator, threshold: f64) -> RuleSettings {
    RuleSettings {
        name: None,
        module: AlertModule::Uptime,
        metric: RESPONSE_MS.name.to_owned(),
        operator,
        threshold,
        comparison_window: None,
        evaluation_window: EvaluationWindow::Hour,
        min_sample: None,
        filter: MetricFilter::default(),
        severity: Severity::Warning,
        enabled: true,
        cooldown_minutes: 60,
    }
}

/// An alert of a rule that fires above 2,000 ms, which is open.
pub(crate) fn alert() -> Alert {
    let rule = rule(AlertOperator::Gt, 2_000.0);
    let figures = Figures {
        value: 2_345.678,
        baseline: None,
        change_pct: None,
    };
    Alert {
        id: AlertId(Uuid::from_u128(5)),
        rule_id: None,
        domain_id: DomainId(Uuid::from_u128(4)),
        domain_name: "shop.example".to_owned(),
        workspace_id: WorkspaceId(Uuid::from_u128(3)),
        workspace_name: "Shops".to_owned(),
        notification_id: NotificationId(Uuid::from_u128(2)),
        told: Fired {
            module: rule.module,
            metric: rule.metric.clone(),
            metric_label: RESPONSE_MS.label.to_owned(),
            unit: RESPONSE_MS.display_unit.to_owned(),
            operator: rule.operator,
            threshold: rule.threshold,
            comparison_window: rule.comparison_window,
            evaluation_window: rule.evaluation_window,
            filter: rule.filter.clone(),
            severity: rule.severity,
            figures,
            title: message::title(&rule, &RESPONSE_MS, "shop.example", &figures),
            message: message::message(&rule, &RESPONSE_MS, &figures, &Map::new()),
            context: Map::new(),
            fired_at: datetime!(2026-01-10 12:00 UTC),
        },
        resolved_at: None,
        end: None,
        deliveries_count: 0,
    }
}

/// The same of a domain, due and never evaluated. Each has a workspace of its own.
pub(crate) fn due(domain: DomainId, operator: AlertOperator, threshold: f64) -> DueRule {
    DueRule {
        id: AlertRuleId::generate(),
        domain_id: domain,
        domain_name: "shop.example".to_owned(),
        workspace_id: WorkspaceId::generate(),
        settings: rule(operator, threshold),
        is_in_plan: true,
        updated_at: MADE_AT,
        last_evaluated_at: None,
        was_put_off: false,
        standing: Standing::NEW,
        pending: PendingEvents::default(),
        domain_firings: 0,
        due_at: MADE_AT,
        leased_until: MADE_AT,
    }
}
