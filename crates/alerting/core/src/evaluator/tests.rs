use pharos_domain::{
    alert_metric::{AlertOperator, ComparisonWindow, MetricValue, Reading},
    ids::DomainId,
};
use time::{
    Date,
    macros::{date, datetime},
};

use super::*;
use crate::{
    fixture::{RESPONSE_MS, due},
    reading::events,
    store::PendingEvents,
};

const NOW: OffsetDateTime = datetime!(2026-03-31 23:45 UTC);

static CHANGES: AlertMetric = AlertMetric {
    name: "changes",
    kind: MetricKind::Event,
    ..RESPONSE_MS
};

/// The value is 5, and 1 is usual for the hour. The alert names the comparison window that its rule has.
#[test]
fn an_alert_of_an_anomaly_names_the_window_of_its_rule() {
    for window in ComparisonWindow::ALL {
        let mut rule = due(DomainId::generate(), AlertOperator::Anomaly, 3.0);
        rule.settings.comparison_window = Some(*window);
        let value = |value| MetricValue {
            reading: Reading::Value(value),
            sample: None,
        };
        let answer = MetricAnswer {
            values: std::iter::once(5.0).chain([1.0; 12]).map(value).collect(),
            ..MetricAnswer::default()
        };
        let done = outcome(&rule, &RESPONSE_MS, answer, &mut Firings::default(), NOW);
        let fired = done.alert.unwrap().fired;
        assert_eq!(fired.comparison_window, Some(*window));
        assert_eq!((fired.threshold, fired.figures.baseline), (3.0, Some(1.0)));
    }
}

/// The data come once a day, and the rule looks at them every hour.
#[test]
fn the_same_breach_of_the_same_data_is_told_once() {
    let mut rule = due(DomainId::generate(), AlertOperator::Gt, 1.0);
    rule.settings.cooldown_minutes = 1;
    let told = |rule: &mut DueRule, hour: i64, through: Date| {
        let answer = MetricAnswer {
            values: vec![MetricValue {
                reading: Reading::Value(5.0),
                sample: None,
            }],
            data_through: Some(through),
            ..MetricAnswer::default()
        };
        let now = NOW + Duration::hours(hour);
        let done = outcome(rule, &RESPONSE_MS, answer, &mut Firings::default(), now);
        assert_eq!(done.standing.state, RuleState::Firing);
        rule.standing = done.standing;
        rule.last_evaluated_at = Some(now);
        done.alert.is_some()
    };
    let (first, second) = (date!(2026 - 03 - 28), date!(2026 - 03 - 29));
    let days = [first, first, first, second, second];
    let found: Vec<bool> = (0..)
        .zip(days)
        .map(|(hour, day)| told(&mut rule, hour, day))
        .collect();
    assert_eq!(found, [true, false, false, true, false]);
    // Data that were taken back are nothing new.
    assert!(!told(&mut rule, 5, first));
    // Changed, it is another condition, and tells of the same data.
    rule.updated_at = NOW + Duration::minutes(330);
    assert!(told(&mut rule, 6, second));
    assert!(!told(&mut rule, 7, second));
    // An alert that was closed meanwhile tells nobody any more.
    rule.standing.is_open = false;
    assert!(told(&mut rule, 8, second));
}

/// Evaluates it once a minute, with so many events that came since; says whether it fired, and what is left uncounted.
fn played(rule: &mut DueRule, came: &[u32]) -> Vec<(bool, u32)> {
    let mut played = Vec::new();
    for (minute, came) in (0..).zip(came) {
        let now = NOW + Duration::minutes(minute);
        rule.pending.count += came;
        rule.pending.through = (rule.pending.count > 0).then_some(1);
        let done = outcome(rule, &CHANGES, events(rule), &mut Firings::default(), now);
        if done.counted_through.is_some() {
            rule.pending = PendingEvents::default();
        }
        rule.standing = done.standing;
        rule.last_evaluated_at = Some(now);
        played.push((done.alert.is_some(), rule.pending.count));
    }
    played
}

#[test]
fn no_condition_makes_an_alert_of_nothing() {
    for (operator, threshold) in [
        (AlertOperator::Lt, 1.0),
        (AlertOperator::Gte, 0.0),
        (AlertOperator::Eq, 0.0),
        (AlertOperator::Gt, -1.0),
    ] {
        let mut rule = due(DomainId::generate(), operator, threshold);
        rule.settings.cooldown_minutes = 0;
        assert_eq!(
            played(&mut rule, &[0, 0, 0]),
            [(false, 0); 3],
            "{operator} {threshold}"
        );
    }
}

/// One is told; the next comes within the cooldown of three minutes, and another after it. Both are told at its end.
#[test]
fn events_that_were_held_back_are_told_though_more_came() {
    let mut rule = due(DomainId::generate(), AlertOperator::Eq, 1.0);
    rule.settings.cooldown_minutes = 3;
    let found = played(&mut rule, &[1, 1, 1, 0, 0]);
    assert_eq!(found, [(true, 0), (false, 1), (false, 2), (true, 0), (false, 0)]);
    // Two at once are not one.
    let mut rule = due(DomainId::generate(), AlertOperator::Eq, 1.0);
    assert_eq!(played(&mut rule, &[1, 2, 2]), [(true, 0), (false, 0), (false, 0)]);
}

/// As while an installation is upgraded to a version in which the metric counts events.
#[test]
fn a_node_to_which_a_metric_is_a_measure_leaves_its_events_to_others() {
    let mut rule = due(DomainId::generate(), AlertOperator::Gte, 1.0);
    rule.pending = PendingEvents {
        count: 2,
        through: Some(7),
        ..PendingEvents::default()
    };
    let counted = |metric| {
        let answer = events(&rule);
        outcome(&rule, metric, answer, &mut Firings::default(), NOW).counted_through
    };
    assert_eq!(counted(&RESPONSE_MS), None);
    assert_eq!(counted(&CHANGES), Some(7));
}

#[test]
fn a_domain_that_fires_without_end_is_told_once_and_waits() {
    let mut rule = due(DomainId::generate(), AlertOperator::Gt, 1.0);
    rule.domain_firings = MOST_FIRINGS - 1;
    rule.settings.cooldown_minutes = 1;
    rule.standing.last_fired_at = Some(NOW - Duration::minutes(2));
    let answer = || MetricAnswer {
        values: vec![MetricValue {
            reading: Reading::Value(5.0),
            sample: None,
        }],
        ..MetricAnswer::default()
    };
    let mut firings = Firings::default();
    let mut fired = |rule: &DueRule| {
        let done = outcome(rule, &RESPONSE_MS, answer(), &mut firings, NOW);
        assert_eq!(done.standing.state, RuleState::Firing);
        done.alert.map(|alert| alert.fired.message)
    };
    assert!(fired(&rule).unwrap().contains("alert number 500 of its domain"));
    assert_eq!(fired(&rule), None);
    rule.standing.last_fired_at = None;
    let first = fired(&rule).unwrap();
    assert!(!first.contains("alert number"), "{first}");
}
