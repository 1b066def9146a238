//! The words of an alert.

use pharos_domain::alert_metric::{AlertMetric, AlertOperator, ComparisonWindow, EvaluationWindow};

use crate::{evaluate::Figures, rule::RuleSettings};

/// The title of an alert: the domain, and what became of which metric.
#[must_use]
pub fn title(rule: &RuleSettings, metric: &AlertMetric, domain: &str, figures: &Figures) -> String {
    format!("{domain}: {} {}", metric.label, condition(rule, metric, figures))
}

/// The title once it is over.
#[must_use]
pub fn resolved_title(title: &str) -> String {
    format!("Resolved: {title}")
}

/// An alert in sentences: the value, what it is compared with, the rule.
#[must_use]
pub fn message(rule: &RuleSettings, metric: &AlertMetric, figures: &Figures) -> String {
    let value = quantity(figures.value, metric);
    let window = window(rule.evaluation_window);
    let mut message = format!("{} {window} is {value}.", metric.label);
    if let Some(base) = figures.baseline {
        let base = quantity(base, metric);
        let past = match (rule.operator, rule.comparison_window) {
            (AlertOperator::Anomaly, _) => "Usual at this time is",
            (_, Some(ComparisonWindow::PreviousDay)) => "A day before it was",
            (_, Some(ComparisonWindow::SameDayLastWeek)) => "A week before it was",
            (_, Some(ComparisonWindow::Previous7Days)) => "The mean of the 7 days before is",
            (_, Some(ComparisonWindow::Previous28Days)) => "The mean of the 28 days before is",
            (_, None) => "It was",
        };
        message.push_str(&format!(" {past} {base}"));
        if let Some(change) = figures.change_pct {
            message.push_str(&format!(
                " ({}{} %)",
                if change > 0.0 { "+" } else { "" },
                number(change)
            ));
        }
        message.push('.');
    }
    message.push_str(&format!(
        " The rule{} fires {}.",
        named(rule),
        threshold(rule, metric)
    ));
    message
}

/// What became of a metric, as the title says it.
fn condition(rule: &RuleSettings, metric: &AlertMetric, figures: &Figures) -> String {
    let value = quantity(figures.value, metric);
    match (rule.operator, figures.change_pct) {
        (AlertOperator::PctDecrease | AlertOperator::PctIncrease, Some(change)) => {
            let way = if change < 0.0 { "down" } else { "up" };
            format!("{way} {} % to {value}", number(change.abs()))
        }
        (AlertOperator::Anomaly, _) => format!("is unusual at {value}"),
        _ => format!("is {value}"),
    }
}

/// When the rule fires.
fn threshold(rule: &RuleSettings, metric: &AlertMetric) -> String {
    let value = quantity(rule.threshold, metric);
    let plain = number(rule.threshold);
    match rule.operator {
        AlertOperator::Gt => format!("above {value}"),
        AlertOperator::Gte => format!("at {value} or more"),
        AlertOperator::Lt => format!("below {value}"),
        AlertOperator::Lte => format!("at {value} or less"),
        AlertOperator::Eq => format!("at exactly {value}"),
        AlertOperator::PctDecrease => format!("once it is {plain} % lower"),
        AlertOperator::PctIncrease => format!("once it is {plain} % higher"),
        AlertOperator::Anomaly => format!("beyond {plain} deviations"),
    }
}

fn named(rule: &RuleSettings) -> String {
    rule.name
        .as_ref()
        .map(|name| format!(" \u{201c}{name}\u{201d}"))
        .unwrap_or_default()
}

fn window(window: EvaluationWindow) -> &'static str {
    match window {
        EvaluationWindow::Latest => "now",
        EvaluationWindow::Hour => "over the last hour",
        EvaluationWindow::Day => "over the last 24 hours",
        EvaluationWindow::Week => "over the last 7 days",
        EvaluationWindow::FourWeeks => "over the last 28 days",
    }
}

fn quantity(value: f64, metric: &AlertMetric) -> String {
    let number = number(value);
    if metric.display_unit.is_empty() {
        number
    } else {
        format!("{number} {}", metric.display_unit)
    }
}

/// A number with up to two decimals, and none that says nothing. Close to zero it has as many as it takes to tell it from zero.
fn number(value: f64) -> String {
    let rounded = format!("{value:.2}");
    let rounded = rounded.trim_end_matches('0').trim_end_matches('.');
    if value != 0.0 && rounded.trim_start_matches('-') == "0" {
        format!("{value:.1e}")
    } else {
        rounded.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{RESPONSE_MS, rule};

    #[test]
    fn an_alert_says_what_is_and_what_should_be() {
        let mut rule = rule(AlertOperator::Gt, 2_000.0);
        rule.name = Some("Slow shop".to_owned());
        let figures = Figures {
            value: 2_345.678,
            baseline: None,
            change_pct: None,
        };
        assert_eq!(
            title(&rule, &RESPONSE_MS, "shop.example", &figures),
            "shop.example: Response time is 2345.68 ms"
        );
        assert_eq!(
            message(&rule, &RESPONSE_MS, &figures),
            "Response time over the last hour is 2345.68 ms. The rule \u{201c}Slow shop\u{201d} fires above 2000 ms."
        );
    }

    #[test]
    fn a_change_names_its_base() {
        let mut rule = rule(AlertOperator::PctIncrease, 20.0);
        rule.comparison_window = Some(ComparisonWindow::SameDayLastWeek);
        let figures = Figures {
            value: 120.0,
            baseline: Some(100.0),
            change_pct: Some(20.0),
        };
        assert_eq!(
            title(&rule, &RESPONSE_MS, "shop.example", &figures),
            "shop.example: Response time up 20 % to 120 ms"
        );
        assert_eq!(
            message(&rule, &RESPONSE_MS, &figures),
            "Response time over the last hour is 120 ms. A week before it was 100 ms (+20 %). The rule fires once it is 20 % higher."
        );
    }

    #[test]
    fn numbers_have_no_decimals_that_say_nothing() {
        let table = [
            (0.0, "0"),
            (14.0, "14"),
            (99.9, "99.9"),
            (-0.126, "-0.13"),
            (0.001, "1.0e-3"),
            (1e15, "1000000000000000"),
        ];
        for (value, shown) in table {
            assert_eq!(number(value), shown);
        }
    }
}
