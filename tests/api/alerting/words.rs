//! The words of alerts: every metric with each of its operators, and each of its windows, as people read them.

use pharos_alerting::{
    evaluate::Figures,
    message::{message, title},
    rule::RuleSettings,
    severity::Severity,
};
use pharos_domain::alert_metric::{
    AlertMetric, AlertModule, AlertOperator, ComparisonWindow, EvaluationWindow, MetricFilter, Phrase,
};
use pharos_server::groups::alert_metrics;
use serde_json::{Map, json};

use crate::harness::TestApp;

/// Read these lines as somebody who gets them in the middle of the night.
fn words(module: AlertModule) -> &'static str {
    match module {
        AlertModule::Uptime => include_str!("words/uptime.txt"),
        AlertModule::Rum => include_str!("words/rum.txt"),
        AlertModule::Crux => include_str!("words/crux.txt"),
        AlertModule::Synthetic => include_str!("words/synthetic.txt"),
        AlertModule::Gsc => include_str!("words/gsc.txt"),
        AlertModule::Indexing => include_str!("words/indexing.txt"),
        AlertModule::Robots => include_str!("words/robots.txt"),
        AlertModule::Sitemap => include_str!("words/sitemap.txt"),
        AlertModule::Analytics => include_str!("words/analytics.txt"),
    }
}

#[tokio::test]
async fn alerts_of_every_metric_operator_and_window_are_plain_sentences() {
    let app = TestApp::start().await;
    let catalogue = alert_metrics(&app.stores.ports).unwrap();
    for module in AlertModule::ALL {
        let mut found = String::new();
        for metric in catalogue.module(*module).unwrap().metrics {
            for (at, window) in metric.windows.iter().enumerate() {
                // The words of a window are the same for all operators.
                let operators = if at == 0 { metric.operators.len() } else { 1 };
                for (operator, place) in metric.operators.iter().zip(0..operators) {
                    for line in lines(*module, metric, *operator, *window, place) {
                        found.push_str(&line);
                        found.push('\n');
                    }
                }
            }
        }
        let words = words(*module);
        for (found, expected) in found.lines().zip(words.lines()) {
            assert_eq!(found, expected, "{module}");
        }
        assert_eq!(found.lines().count(), words.lines().count(), "{module}:\n{found}");
    }
}

/// Values that the metric may have, of what is counted or runs down with one and with many.
fn values(metric: &AlertMetric) -> &'static [f64] {
    match metric.phrase {
        Phrase::Count { .. } => &[1.0, 3.0],
        Phrase::DaysLeft(_) => &[-1.0, 0.0, 1.0, 14.0],
        Phrase::Flag { .. } => &[0.0, 1.0],
        Phrase::Amount(_) => match metric.display_unit {
            "" => &[0.25],
            "%" | "points" => &[40.0],
            "bytes" => &[2_345_678.0],
            "code" => &[503.0],
            "days" => &[1.0, 30.0],
            "rank" => &[7.25],
            "requests" => &[90.0],
            _ => &[2_345.678],
        },
    }
}

/// A rule that fires on each of these values; the comparison windows take turns. Days run below none. Data that come late are of
/// a day.
fn lines(
    module: AlertModule,
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
    let context = if metric.data_lag_hours > 0 {
        Map::from_iter([("date".to_owned(), json!("2026-03-28"))])
    } else {
        Map::new()
    };
    let line = |value: &f64| {
        let (threshold, value, baseline) = figures(*value);
        let rule = RuleSettings {
            name: None,
            module,
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
            message(&rule, metric, &figures, &context)
        )
    };
    values(metric).iter().map(line).collect()
}
