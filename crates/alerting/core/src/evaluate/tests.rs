//! Known answers: rules over series of values, computed by hand.

use pharos_domain::{
    alert_metric::{
        AlertMetric, AlertOperator, Attention, ComparisonWindow, Direction, EvaluationWindow, MetricKind,
        MetricValue, MetricWindow, Reading,
    },
    time_range::TimeRange,
};
use time::{Duration, OffsetDateTime, macros::datetime};

use super::*;
use crate::{
    fixture::{RESPONSE_MS, rule},
    rule::{RuleSettings, RuleState},
};

/// A Tuesday, a quarter of an hour before midnight.
const NOW: OffsetDateTime = datetime!(2026-03-31 23:45 UTC);

fn value(value: f64) -> MetricValue {
    MetricValue {
        reading: Reading::of(Some(value)),
        sample: Some(60),
    }
}

fn missing(reading: Reading) -> MetricValue {
    MetricValue {
        reading,
        sample: None,
    }
}

/// Whether the condition holds: `None` without data.
fn breaks(rule: &RuleSettings, metric: &AlertMetric, values: &[MetricValue]) -> Option<bool> {
    match judge(rule, metric, values) {
        Verdict::NoData { .. } => None,
        Verdict::Nothing => Some(false),
        Verdict::Judged { is_breach, .. } => Some(is_breach),
    }
}

#[test]
fn every_operator_at_below_and_above_its_threshold() {
    use AlertOperator::{Eq, Gt, Gte, Lt, Lte};
    let table = [
        (Gt, [false, false, true]),
        (Gte, [false, true, true]),
        (Lt, [true, false, false]),
        (Lte, [true, true, false]),
        (Eq, [false, true, false]),
    ];
    for (operator, expected) in table {
        let found = [9.0, 10.0, 11.0].map(|at| breaks(&rule(operator, 10.0), &RESPONSE_MS, &[value(at)]));
        assert_eq!(found, expected.map(Some), "{operator}");
    }
}

/// 80 after 100 are 20 % less, 120 are 20 % more; the mean of 90 and 110 is 100.
#[test]
fn changes_are_of_the_mean_of_the_past() {
    use AlertOperator::{PctDecrease, PctIncrease};
    let past = [value(90.0), missing(Reading::NoData), value(110.0)];
    let table = [
        (PctDecrease, 80.0, true),
        (PctDecrease, 80.1, false),
        (PctDecrease, 120.0, false),
        (PctIncrease, 120.0, true),
        (PctIncrease, 119.9, false),
        (PctIncrease, 80.0, false),
    ];
    for (operator, at, expected) in table {
        let values: Vec<_> = std::iter::once(value(at)).chain(past).collect();
        let found = breaks(&rule(operator, 20.0), &RESPONSE_MS, &values);
        assert_eq!(found, Some(expected), "{operator} {at}");
    }
}

#[test]
fn a_base_of_0_never_fires_and_no_base_is_no_data() {
    for operator in [AlertOperator::PctDecrease, AlertOperator::PctIncrease] {
        let rule = rule(operator, 20.0);
        for at in [0.0, 5.0, -5.0] {
            assert_eq!(breaks(&rule, &RESPONSE_MS, &[value(at), value(0.0)]), Some(false));
            let without = [value(at), missing(Reading::NoData)];
            assert_eq!(breaks(&rule, &RESPONSE_MS, &without), None);
        }
    }
}

#[test]
fn a_value_that_is_missing_or_rests_on_too_little_is_no_data() {
    let mut rule = rule(AlertOperator::Lt, 10.0);
    assert_eq!(breaks(&rule, &RESPONSE_MS, &[missing(Reading::NoData)]), None);
    assert_eq!(
        breaks(&rule, &RESPONSE_MS, &[missing(Reading::of(Some(f64::NAN)))]),
        None
    );
    rule.min_sample = Some(61);
    assert_eq!(breaks(&rule, &RESPONSE_MS, &[value(5.0)]), None);
    rule.min_sample = Some(60);
    assert_eq!(breaks(&rule, &RESPONSE_MS, &[value(5.0)]), Some(true));
    let unknown = MetricValue {
        sample: None,
        ..value(5.0)
    };
    assert_eq!(breaks(&rule, &RESPONSE_MS, &[unknown]), None);
}

/// The median of 8, 9, 10, 10, 11, 12 is 10, and the deviations are 0, 0, 1, 1, 2, 2: their median is 1, scaled 1.4826. Three
/// of those reach from 5.55 to 14.45.
#[test]
fn an_anomaly_lies_beyond_the_deviations_on_the_bad_side() {
    let past = [8.0, 9.0, 10.0, 10.0, 11.0, 12.0].map(value);
    let judged = |direction, at| {
        let metric = AlertMetric {
            direction,
            ..RESPONSE_MS
        };
        let values: Vec<_> = std::iter::once(value(at)).chain(past).collect();
        breaks(&rule(AlertOperator::Anomaly, 3.0), &metric, &values)
    };
    let table = [
        (Direction::HigherIsWorse, [false, false, false, true]),
        (Direction::LowerIsWorse, [true, false, false, false]),
        (Direction::Either, [true, false, false, true]),
    ];
    for (direction, expected) in table {
        let found = [5.54, 5.56, 14.44, 14.46].map(|at| judged(direction, at));
        assert_eq!(found, expected.map(Some), "{direction}");
    }
    let too_few: Vec<_> = std::iter::once(value(1e9))
        .chain(past.into_iter().take(3))
        .collect();
    assert_eq!(
        breaks(&rule(AlertOperator::Anomaly, 3.0), &RESPONSE_MS, &too_few),
        None
    );
}

fn over(from: OffsetDateTime, until: OffsetDateTime) -> MetricWindow {
    MetricWindow::Over(TimeRange::new(from, until))
}

/// Its own window ends now; those of the past begin on whole hours, across midnight and months.
#[test]
fn windows_of_the_past_lie_whole_days_and_weeks_before() {
    let mut rule = rule(AlertOperator::PctIncrease, 20.0);
    rule.comparison_window = Some(ComparisonWindow::PreviousDay);
    assert_eq!(
        windows(&rule, &RESPONSE_MS, NOW),
        [
            over(datetime!(2026-03-31 22:45 UTC), NOW),
            over(datetime!(2026-03-30 22:00 UTC), datetime!(2026-03-30 23:00 UTC)),
        ]
    );
    rule.evaluation_window = EvaluationWindow::Day;
    rule.comparison_window = Some(ComparisonWindow::SameDayLastWeek);
    assert_eq!(
        windows(&rule, &RESPONSE_MS, NOW)[1..],
        [over(
            datetime!(2026-03-23 23:00 UTC),
            datetime!(2026-03-24 23:00 UTC)
        )]
    );
    rule.comparison_window = Some(ComparisonWindow::Previous7Days);
    let found = windows(&rule, &RESPONSE_MS, NOW);
    assert_eq!(found.len(), 8);
    assert_eq!(
        found[1],
        over(datetime!(2026-03-29 23:00 UTC), datetime!(2026-03-30 23:00 UTC))
    );
    assert_eq!(
        found[7],
        over(datetime!(2026-03-23 23:00 UTC), datetime!(2026-03-24 23:00 UTC))
    );
    rule.evaluation_window = EvaluationWindow::Week;
    let found = windows(&rule, &RESPONSE_MS, NOW);
    assert_eq!(
        found[1..],
        [over(
            datetime!(2026-03-17 23:00 UTC),
            datetime!(2026-03-24 23:00 UTC)
        )]
    );
}

/// The mean of the same window on each of 28 days; of one of a week there are four that lie end to end before it, and of one of 28
/// days the one before.
#[test]
fn the_28_days_before_are_days_weeks_or_all_of_them() {
    let mut rule = rule(AlertOperator::PctIncrease, 20.0);
    rule.comparison_window = Some(ComparisonWindow::Previous28Days);
    let table = [
        (
            EvaluationWindow::Hour,
            28,
            over(datetime!(2026-03-30 22:00 UTC), datetime!(2026-03-30 23:00 UTC)),
            over(datetime!(2026-03-03 22:00 UTC), datetime!(2026-03-03 23:00 UTC)),
        ),
        (
            EvaluationWindow::Day,
            28,
            over(datetime!(2026-03-29 23:00 UTC), datetime!(2026-03-30 23:00 UTC)),
            over(datetime!(2026-03-02 23:00 UTC), datetime!(2026-03-03 23:00 UTC)),
        ),
        (
            EvaluationWindow::Week,
            4,
            over(datetime!(2026-03-17 23:00 UTC), datetime!(2026-03-24 23:00 UTC)),
            over(datetime!(2026-02-24 23:00 UTC), datetime!(2026-03-03 23:00 UTC)),
        ),
        (
            EvaluationWindow::FourWeeks,
            1,
            over(datetime!(2026-02-03 23:00 UTC), datetime!(2026-03-03 23:00 UTC)),
            over(datetime!(2026-02-03 23:00 UTC), datetime!(2026-03-03 23:00 UTC)),
        ),
    ];
    for (window, count, first, last) in table {
        rule.evaluation_window = window;
        let found = windows(&rule, &RESPONSE_MS, NOW);
        assert_eq!(found.len(), 1 + count, "{window}");
        assert_eq!((found[1], found[count]), (first, last), "{window}");
    }
    // The newest value is compared with the hour, as on any other day.
    rule.evaluation_window = EvaluationWindow::Latest;
    let found = windows(&rule, &RESPONSE_MS, NOW);
    assert_eq!((found.len(), found[0]), (29, MetricWindow::Latest));
    assert_eq!(found[28], table[0].3);
}

/// 28 days up to now, and the same four weeks of days and hours earlier, by each comparison window.
#[test]
fn a_window_of_28_days_is_compared_with_28_days() {
    let mut rule = rule(AlertOperator::PctDecrease, 20.0);
    rule.evaluation_window = EvaluationWindow::FourWeeks;
    for window in ComparisonWindow::ALL {
        rule.comparison_window = Some(*window);
        assert_eq!(
            windows(&rule, &RESPONSE_MS, NOW),
            [
                over(datetime!(2026-03-03 23:45 UTC), NOW),
                over(datetime!(2026-02-03 23:00 UTC), datetime!(2026-03-03 23:00 UTC)),
            ],
            "{window}"
        );
    }
    rule.operator = AlertOperator::Anomaly;
    let found = windows(&rule, &RESPONSE_MS, NOW);
    assert_eq!(found.len(), 9);
    assert_eq!(
        (found[1], found[8]),
        (
            over(datetime!(2026-02-24 23:00 UTC), datetime!(2026-03-24 23:00 UTC)),
            over(datetime!(2026-01-06 23:00 UTC), datetime!(2026-02-03 23:00 UTC)),
        )
    );
}

/// 27 days of 100 and one of 128 have a mean of 101, and 80.8 are 20 % less.
#[test]
fn the_mean_of_28_days_is_what_is_compared_with() {
    let rule = rule(AlertOperator::PctDecrease, 20.0);
    let mut past = vec![value(100.0); 27];
    past.push(value(128.0));
    for (at, is_breach) in [(80.8, true), (80.9, false)] {
        let values: Vec<_> = std::iter::once(value(at)).chain(past.clone()).collect();
        assert_eq!(breaks(&rule, &RESPONSE_MS, &values), Some(is_breach), "{at}");
    }
    let values: Vec<_> = std::iter::once(value(80.8)).chain(past).collect();
    let Verdict::Judged { figures, .. } = judge(&rule, &RESPONSE_MS, &values) else {
        panic!("there are values");
    };
    assert_eq!((figures.value, figures.baseline), (80.8, Some(101.0)));
}

#[test]
fn an_anomaly_looks_at_12_hours_of_4_weeks_or_at_8_days() {
    let mut rule = rule(AlertOperator::Anomaly, 3.0);
    rule.comparison_window = Some(ComparisonWindow::SameDayLastWeek);
    let found = windows(&rule, &RESPONSE_MS, NOW);
    assert_eq!(found.len(), 13);
    assert_eq!(
        found[1],
        over(datetime!(2026-03-24 23:00 UTC), datetime!(2026-03-25 00:00 UTC))
    );
    assert_eq!(
        found[2],
        over(datetime!(2026-03-24 22:00 UTC), datetime!(2026-03-24 23:00 UTC))
    );
    assert_eq!(
        found[12],
        over(datetime!(2026-03-03 21:00 UTC), datetime!(2026-03-03 22:00 UTC))
    );
    rule.evaluation_window = EvaluationWindow::Latest;
    assert_eq!(windows(&rule, &RESPONSE_MS, NOW)[..1], [MetricWindow::Latest]);
    assert_eq!(windows(&rule, &RESPONSE_MS, NOW)[1..], found[1..]);
    rule.evaluation_window = EvaluationWindow::Day;
    let found = windows(&rule, &RESPONSE_MS, NOW);
    assert_eq!(found.len(), 9);
    assert_eq!(
        found[8],
        over(datetime!(2026-02-02 23:00 UTC), datetime!(2026-02-03 23:00 UTC))
    );
}

#[test]
fn what_comes_late_is_looked_at_later() {
    let metric = AlertMetric {
        data_lag_hours: 48,
        ..RESPONSE_MS
    };
    let own = windows(&rule(AlertOperator::Gt, 1.0), &metric, NOW);
    assert_eq!(
        own,
        [over(
            datetime!(2026-03-29 22:45 UTC),
            datetime!(2026-03-29 23:45 UTC)
        )]
    );
}

/// Evaluates a rule every ten minutes; `x` is a breach, `.` none, `?` no data, `0` nothing to measure, `m` a breach while the
/// site is worked on, `p` one while its monitor is paused. Answers `F`, `R`, `P`, or `-` for each.
fn played(rule: &RuleSettings, metric: &AlertMetric, series: &str) -> String {
    let mut standing = Standing::NEW;
    let mut told = String::new();
    for (at, sign) in (0..).zip(series.chars()) {
        let judged = |is_breach| Verdict::Judged {
            is_breach,
            figures: Figures::default(),
        };
        let verdict = match sign {
            'x' | 'm' | 'p' => judged(true),
            '.' => judged(false),
            '0' => Verdict::Nothing,
            _ => Verdict::NoData { value: None },
        };
        let now = NOW + Duration::minutes(10) * at;
        let attention = match sign {
            'm' => Attention::Silenced,
            'p' => Attention::Paused,
            _ => Attention::Watched,
        };
        let step = transition(rule, metric, &standing, &verdict, attention, None, now);
        let state = match sign {
            'x' | 'm' => RuleState::Firing,
            '?' | 'p' => RuleState::NoData,
            _ => RuleState::Ok,
        };
        assert_eq!(step.standing.state, state, "{series} at {at}");
        standing = step.standing;
        told.push(match step.event {
            None => '-',
            Some(RuleEvent::Fires(_) | RuleEvent::Happened(_)) => 'F',
            Some(RuleEvent::Resolved(_)) => 'R',
            Some(RuleEvent::Paused) => 'P',
        });
    }
    told
}

/// The cooldown is an hour: six evaluations.
#[test]
fn firings_and_resolutions_of_a_series() {
    let lasting = rule(AlertOperator::Gt, 10.0);
    let table = [
        ("..xx..", "--F-R-"),
        // It outlasts its cooldown.
        ("xxxxxxxxxxxxxx", "F-----F-----F-"),
        // A flapping site fires once an hour.
        ("x.x.x.x.", "FR----FR"),
        // It broke within the cooldown, and still does at its end.
        ("x.xxxxxx.", "FR----F-R"),
        // A gap neither ends nor begins anything.
        ("?x??.?", "-F--R-"),
        ("??", "--"),
        // No incident is open any more.
        ("xx0x", "F-R-"),
        // Nothing fires while the site is worked on; what lasts fires afterwards.
        ("mmxx.", "--F-R"),
        ("mm..", "----"),
        ("xm.", "F-R"),
        // An alert that is open ends with the monitor. A breach that still holds when it goes on fires anew.
        ("xpppppx", "FP----F"),
        ("xpxxxxx", "FP----F"),
        ("x.pp", "FR--"),
    ];
    for (series, told) in table {
        assert_eq!(played(&lasting, &RESPONSE_MS, series), told, "{series}");
    }
}

#[test]
fn a_rule_without_a_cooldown_fires_once_a_breach() {
    let mut rule = rule(AlertOperator::Gt, 10.0);
    rule.cooldown_minutes = 0;
    assert_eq!(played(&rule, &RESPONSE_MS, "xxx.x."), "F--RFR");
}

#[test]
fn days_that_run_down_are_told_once() {
    let countdown = AlertMetric {
        kind: MetricKind::Countdown,
        ..RESPONSE_MS
    };
    let rule = rule(AlertOperator::Lte, 14.0);
    assert_eq!(played(&rule, &countdown, "xxxxxxxxxxxxxx."), "F-------------R");
}

#[test]
fn events_are_over_as_they_are_told_and_none_is_lost_to_a_cooldown() {
    let events = AlertMetric {
        kind: MetricKind::Event,
        ..RESPONSE_MS
    };
    let rule = rule(AlertOperator::Gte, 1.0);
    assert_eq!(played(&rule, &events, "x.x.xxx"), "F-----F");
    let breach = Verdict::Judged {
        is_breach: true,
        figures: Figures::default(),
    };
    let watched = Attention::Watched;
    let told = transition(&rule, &events, &Standing::NEW, &breach, watched, None, NOW);
    assert!(!told.standing.is_open && !told.recounts);
    let cooling = transition(
        &rule,
        &events,
        &told.standing,
        &breach,
        watched,
        None,
        NOW + Duration::MINUTE,
    );
    assert!(cooling.recounts, "they are counted until somebody is told");
    for attention in [Attention::Silenced, Attention::Paused] {
        assert!(transition(&rule, &events, &Standing::NEW, &breach, attention, None, NOW).recounts);
    }
}

/// A metric that was a measure left an alert open, and rules that ask for a sample.
#[test]
fn what_a_measure_left_ends_before_its_events_are_told() {
    let events = AlertMetric {
        kind: MetricKind::Event,
        ..RESPONSE_MS
    };
    let mut rule = rule(AlertOperator::Gte, 1.0);
    rule.min_sample = Some(61);
    assert_eq!(breaks(&rule, &events, &[value(2.0)]), Some(true));
    let breach = Verdict::Judged {
        is_breach: true,
        figures: Figures::default(),
    };
    let left_open = Standing {
        state: RuleState::Firing,
        is_open: true,
        ..Standing::NEW
    };
    let step =
        |standing: &Standing| transition(&rule, &events, standing, &breach, Attention::Watched, None, NOW);
    let ends = step(&left_open);
    assert!(matches!(ends.event, Some(RuleEvent::Resolved(_))));
    assert!(ends.recounts && !ends.standing.is_open);
    let told = step(&ends.standing);
    assert!(matches!(told.event, Some(RuleEvent::Happened(_))));
    assert!(!told.recounts);
}

/// A node whose clock was a day ahead fired; the others go on.
#[test]
fn a_clock_that_was_ahead_silences_nobody() {
    let rule = rule(AlertOperator::Gt, 10.0);
    let standing = Standing {
        last_fired_at: Some(NOW + Duration::DAY),
        ..Standing::NEW
    };
    let breach = Verdict::Judged {
        is_breach: true,
        figures: Figures::default(),
    };
    let next = transition(
        &rule,
        &RESPONSE_MS,
        &standing,
        &breach,
        Attention::Watched,
        None,
        NOW,
    );
    assert!(matches!(next.event, Some(RuleEvent::Fires(_))));
}
