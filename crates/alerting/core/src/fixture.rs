//! A metric and a rule, for tests.

use pharos_domain::alert_metric::{
    AlertMetric, AlertModule, AlertOperator, DefaultCondition, Direction, EvaluationWindow, MetricFilter,
    MetricKind, Phrase, SupportedFilters,
};

use crate::{rule::RuleSettings, severity::Severity};

/// The mean time of answers: high is bad.
pub(crate) static RESPONSE_MS: AlertMetric = AlertMetric {
    name: "response_ms",
    label: "Response time",
    description: "The mean time of answers.",
    phrase: Phrase::Amount("the response time"),
    unit: "milliseconds",
    display_unit: "ms",
    step: 1.0,
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
    filters: SupportedFilters {
        url: false,
        form_factor: false,
        search_type: false,
    },
};

/// A rule of it, above 2,000 ms, with an hour of cooldown.
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
