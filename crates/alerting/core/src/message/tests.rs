use pharos_domain::alert_metric::{FormFactor, MetricFilter, SearchType};

use super::*;
use crate::fixture::{RESPONSE_MS, alert, rule};

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
        "shop.example: Response time is 2,345.68 ms"
    );
    assert_eq!(
        message(&rule, &RESPONSE_MS, &figures, &Map::new()),
        "The response time over the last hour is 2,345.68 ms. The rule \u{201c}Slow shop\u{201d} fires above 2,000 ms."
    );
}

#[test]
fn a_part_of_the_domain_is_named() {
    let mut rule = rule(AlertOperator::Gt, 2_000.0);
    let figures = Figures {
        value: 2_345.678,
        baseline: None,
        change_pct: None,
    };
    for (url, form_factor, search_type, part) in [
        (
            Some("https://shop.example/hats"),
            None,
            None,
            " for https://shop.example/hats",
        ),
        (None, Some(FormFactor::Desktop), None, " for computers"),
        (None, None, Some(SearchType::Image), " for image results"),
        (
            Some("https://shop.example/hats"),
            Some(FormFactor::Mobile),
            None,
            " for https://shop.example/hats on phones",
        ),
    ] {
        rule.filter = MetricFilter {
            url: url.map(str::to_owned),
            form_factor,
            search_type,
        };
        assert_eq!(
            message(&rule, &RESPONSE_MS, &figures, &Map::new()),
            format!(
                "The response time over the last hour is 2,345.68 ms. The rule{part} fires above 2,000 ms."
            )
        );
    }
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
        "shop.example: Response time is up 20 % to 120 ms"
    );
    assert_eq!(
        message(&rule, &RESPONSE_MS, &figures, &Map::new()),
        "The response time over the last hour is 120 ms. That is 20 % more than a week before (100 ms). The rule fires at a \
         rise of 20 % or more."
    );
}

#[test]
fn data_that_are_late_are_told_by_their_day() {
    let mut rule = rule(AlertOperator::Lt, 100.0);
    let figures = Figures {
        value: 12.0,
        baseline: None,
        change_pct: None,
    };
    let clicks = AlertMetric {
        phrase: Phrase::Count {
            one: "click",
            many: "clicks",
        },
        display_unit: "clicks",
        data_lag_hours: 72,
        ..RESPONSE_MS
    };
    let position = AlertMetric {
        data_lag_hours: 72,
        ..RESPONSE_MS
    };
    let context: Map<String, Value> = [("date".to_owned(), "2026-03-28".into())].into_iter().collect();
    let found = |rule: &RuleSettings, metric| {
        let message = message(rule, metric, &figures, &context);
        message.split_once(" The rule").unwrap().0.to_owned()
    };
    rule.evaluation_window = EvaluationWindow::Day;
    assert_eq!(found(&rule, &clicks), "There were 12 clicks on 2026-03-28.");
    assert_eq!(
        found(&rule, &position),
        "The response time on 2026-03-28 is 12 ms."
    );
    assert_eq!(
        found(&rule, &RESPONSE_MS),
        "The response time over the last 24 hours is 12 ms."
    );
    rule.evaluation_window = EvaluationWindow::Week;
    assert_eq!(
        found(&rule, &clicks),
        "There were 12 clicks in the 7 days up to 2026-03-28."
    );
}

#[test]
fn what_is_over_was() {
    let mut over = alert().told;
    assert_eq!(
        past_message(&over, &RESPONSE_MS),
        "The response time over the hour before was 2,345.68 ms. The rule fires above 2,000 ms."
    );
    over.message = "In other words.".to_owned();
    assert_eq!(past_message(&over, &RESPONSE_MS), "In other words.");

    let mut rule = rule(AlertOperator::PctIncrease, 20.0);
    rule.comparison_window = Some(ComparisonWindow::PreviousDay);
    rule.evaluation_window = EvaluationWindow::Latest;
    let failures = AlertMetric {
        phrase: Phrase::Count {
            one: "failing check in a row",
            many: "failing checks in a row",
        },
        display_unit: "checks",
        ..RESPONSE_MS
    };
    let days = AlertMetric {
        phrase: Phrase::DaysLeft("the certificate"),
        display_unit: "days",
        ..RESPONSE_MS
    };
    let figures = Figures {
        value: 12.0,
        baseline: Some(10.0),
        change_pct: Some(20.0),
    };
    let past = |metric: &AlertMetric| {
        let fired = Fired {
            operator: rule.operator,
            comparison_window: rule.comparison_window,
            evaluation_window: rule.evaluation_window,
            figures,
            message: message(&rule, metric, &figures, &Map::new()),
            ..alert().told
        };
        past_message(&fired, metric)
    };
    assert_eq!(
        past(&failures),
        "There were 12 failing checks in a row. That was 20 % more than a day before (10 checks). The rule fires at a rise \
         of 20 % or more."
    );
    assert!(
        past(&days).starts_with("The certificate was to end in 12 days. That was 20 % more"),
        "{}",
        past(&days)
    );
    let kept_out = AlertMetric {
        phrase: Phrase::Flag {
            who: "Googlebot",
            are_many: false,
            what: "kept out by robots.txt",
        },
        ..RESPONSE_MS
    };
    assert!(
        past(&kept_out).starts_with("Googlebot was kept out by robots.txt. "),
        "{}",
        past(&kept_out)
    );
}

/// Whoever is told that a site fails need not go and ask why. The words of a site are one line, and not the whole message.
#[test]
fn the_reason_that_a_source_gives_is_said() {
    let rule = rule(AlertOperator::Gt, 2_000.0);
    let figures = Figures {
        value: 2_345.678,
        baseline: None,
        change_pct: None,
    };
    let because = |reason: &str| {
        let context: Map<String, Value> = [("reason".to_owned(), reason.into())].into_iter().collect();
        message(&rule, &RESPONSE_MS, &figures, &context)
    };
    let plain = message(&rule, &RESPONSE_MS, &figures, &Map::new());
    assert_eq!(
        because("The status code 500 is not an expected one."),
        format!("{plain} The last error: The status code 500 is not an expected one.")
    );
    assert_eq!(
        because("It said \r\nBcc: a"),
        format!("{plain} The last error: It said Bcc: a.")
    );
    assert_eq!(because(" \n"), plain);
    assert!(because(&"x".repeat(5_000)).chars().count() < plain.chars().count() + 350);

    let mut over = alert().told;
    over.message = because("The name does not exist.");
    assert_eq!(
        past_message(&over, &RESPONSE_MS),
        "The response time over the hour before was 2,345.68 ms. The rule fires above 2,000 ms. The last error: The name does not \
         exist."
    );
}
