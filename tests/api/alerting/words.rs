//! The words of alerts: every metric with each of its operators, and each of its windows, as people read them.

use pharos_alerting::{
    evaluate::Figures,
    message::{message, title},
    rule::RuleSettings,
    severity::Severity,
};
use pharos_domain::alert_metric::{
    AlertMetric, AlertModule, AlertOperator, ComparisonWindow, EvaluationWindow, MetricFilter,
};
use pharos_uptime::alert_metrics::CATALOGUE;
use serde_json::Map;

/// Read these lines as somebody who gets them in the middle of the night.
const WORDS: &str = include_str!("words.txt");

#[test]
fn alerts_of_every_metric_operator_and_window_are_plain_sentences() {
    let mut found = String::new();
    for metric in CATALOGUE.metrics {
        for (at, window) in metric.windows.iter().enumerate() {
            // The words of a window are the same for all operators.
            let operators = if at == 0 { metric.operators.len() } else { 1 };
            for (operator, place) in metric.operators.iter().zip(0..operators) {
                for line in lines(metric, *operator, *window, place) {
                    found.push_str(&line);
                    found.push('\n');
                }
            }
        }
    }
    for (found, expected) in found.lines().zip(WORDS.lines()) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.lines().count(), WORDS.lines().count(), "{found}");
}

/// A rule that fires, with one and with many; the comparison windows take turns. Days run below none.
fn lines(
    metric: &AlertMetric,
    operator: AlertOperator,
    window: EvaluationWindow,
    place: usize,
) -> Vec<String> {
    use AlertOperator::{Anomaly, PctDecrease, PctIncrease};
    let comparison_window = operator
        .compares()
        .then(|| ComparisonWindow::ALL[place % ComparisonWindow::ALL.len()]);
    let figures = |value: f64| match operator {
        PctDecrease => (20.0, value, Some(value * 2.0)),
        PctIncrease => (20.0, value, Some(value / 2.0)),
        Anomaly => (3.0, value, Some(value * 1.25)),
        _ => (value, value, None),
    };
    let values: &[f64] = match metric.name {
        "uptime_pct" => &[40.0],
        "response_ms" | "ttfb_ms" | "incident_duration_seconds" => &[2_345.678],
        "ssl_days_remaining" | "domain_days_remaining" => &[-1.0, 0.0, 1.0, 14.0],
        _ => &[1.0, 3.0],
    };
    let line = |value: &f64| {
        let (threshold, value, baseline) = figures(*value);
        let rule = RuleSettings {
            name: None,
            module: AlertModule::Uptime,
            metric: metric.name.to_owned(),
            operator,
            threshold,
            comparison_window,
            evaluation_window: window,
            min_sample: None,
            filter: MetricFilter::default(),
            severity: Severity::Warning,
            enabled: true,
            cooldown_minutes: 0,
        };
        let figures = Figures {
            value,
            baseline,
            change_pct: baseline.map(|base| 100.0 * (value - base) / base),
        };
        format!(
            "{} {operator} {window}: {} | {}",
            metric.name,
            title(&rule, metric, "shop.example", &figures),
            message(&rule, metric, &figures, &Map::new())
        )
    };
    values.iter().map(line).collect()
}
