//! Tests of the states and spans that checks of a region lead to.

use pharos_domain::{hostname::Hostname, ids::DomainId};
use time::{Duration, macros::datetime};

use super::*;
use crate::{
    check::{Check, CheckContext},
    probe::ProbeReport,
};

const START: OffsetDateTime = datetime!(2026-03-31 09:00 UTC);

fn settings(confirmation_checks: u32, recovery_checks: u32) -> MonitorSettings {
    let hostname: Hostname = "shop.example".parse().unwrap();
    MonitorSettings {
        confirmation_checks,
        recovery_checks,
        ..MonitorSettings::defaults(&hostname, &["eu".to_owned()])
    }
}

fn finished(check: Check) -> FinishedCheck {
    FinishedCheck {
        check,
        due_at: None,
        settings_at: None,
        certificate_valid_until: None,
        response_headers: std::collections::BTreeMap::new(),
        sighting: None,
    }
}

/// Checks a minute apart, one for each outcome; gives the last observation and all spans, in minutes.
fn run(settings: &MonitorSettings, outcomes: &[Outcome]) -> (Observation, Vec<(SpanState, i64, i64)>) {
    let mut state: Option<RegionState> = None;
    let mut spans = Vec::new();
    let mut last = None;
    for (minute, outcome) in outcomes.iter().enumerate() {
        let context = CheckContext {
            domain_id: DomainId::generate(),
            region: "eu".to_owned(),
            checked_at: START + Duration::minutes(i64::try_from(minute).unwrap()),
            in_maintenance: false,
            run_id: None,
        };
        let check = Check {
            outcome: *outcome,
            ..Check::from_report(ProbeReport::default(), context)
        };
        let observation = observe(state.as_ref(), &finished(check), settings);
        for span in &observation.spans {
            let minutes = |at: OffsetDateTime| (at - START).whole_minutes();
            spans.push((span.state, minutes(span.started_at), minutes(span.ended_at)));
        }
        state = Some(observation.state.clone());
        last = Some(observation);
    }
    (last.unwrap(), spans)
}

use Outcome::{Degraded, Down, Maintenance, Up};

#[test]
fn an_outage_is_confirmed_by_its_last_needed_check_and_began_with_its_first() {
    let (observation, spans) = run(&settings(3, 1), &[Up, Down, Down, Down]);
    assert_eq!(observation.confirmed_from, Some(START + Duration::MINUTE));
    assert!(observation.state.is_down);
    assert_eq!(observation.state.since, START + Duration::MINUTE);
    assert_eq!(
        spans,
        [
            (SpanState::Up, 0, 1),
            (SpanState::Suspect, 1, 2),
            (SpanState::Suspect, 2, 3)
        ]
    );
}

#[test]
fn a_failure_that_is_not_confirmed_leaves_the_site_up() {
    let (observation, _) = run(&settings(2, 1), &[Up, Down, Degraded, Down]);
    assert!(!observation.state.is_down);
    assert_eq!(
        (observation.state.consecutive_failures, observation.state.since),
        (1, START)
    );
}

#[test]
fn an_outage_ends_after_as_many_passing_checks_as_recovery_asks_for() {
    let still = run(&settings(1, 2), &[Down, Up]).0.state;
    assert!(still.is_down);
    assert_eq!(
        still.current,
        SpanState::Up,
        "downtime ends with the first passing check"
    );
    let over = run(&settings(1, 2), &[Down, Up, Up]).0.state;
    assert!(!over.is_down);
    assert_eq!(
        over.since,
        START + Duration::MINUTE,
        "up since the first passing check"
    );
}

#[test]
fn a_failure_within_maintenance_neither_confirms_nor_ends_an_outage() {
    let before = run(&settings(2, 1), &[Down, Maintenance]).0.state;
    assert_eq!((before.is_down, before.consecutive_failures), (false, 1));
    let after = run(&settings(2, 1), &[Down, Maintenance, Down]).0.state;
    assert!(after.is_down);
    let during = run(&settings(1, 1), &[Down, Maintenance]).0.state;
    assert!(during.is_down);
    assert_eq!(during.current, SpanState::Maintenance);
}

#[test]
fn a_state_holds_for_two_intervals_at_most() {
    let settings = MonitorSettings {
        interval_seconds: 30,
        ..settings(2, 1)
    };
    let (_, spans) = run(&settings, &[Up, Up]);
    assert_eq!(spans, [(SpanState::Up, 0, 1)]);
    let settings = MonitorSettings {
        interval_seconds: 30,
        ..settings
    };
    let late = Duration::minutes(10);
    let first = run(&settings, &[Up]).0.state;
    let context = CheckContext {
        domain_id: DomainId::generate(),
        region: "eu".to_owned(),
        checked_at: START + late,
        in_maintenance: false,
        run_id: None,
    };
    let check = Check {
        outcome: Up,
        ..Check::from_report(ProbeReport::default(), context)
    };
    let spans = observe(Some(&first), &finished(check), &settings).spans;
    assert_eq!(spans[0].ended_at, START + Duration::MINUTE);
}

#[test]
fn a_region_is_undecided_while_its_last_check_speaks_against_what_it_holds() {
    for (outcomes, expected) in [
        (&[Up][..], false),
        (&[Down], true),
        (&[Up, Down], true),
        (&[Up, Down, Down], true),
        (&[Up, Down, Down, Down], false),
        (&[Up, Down, Degraded], false),
        (&[Down, Down, Down, Up], true),
        (&[Down, Down, Down, Up, Up], false),
        (&[Down, Down, Down, Up, Down], false),
        (&[Down, Maintenance], false),
    ] {
        let state = run(&settings(3, 2), outcomes).0.state;
        assert_eq!(state.is_undecided(), expected, "{outcomes:?}");
    }
}

#[test]
fn what_fails_before_the_first_answer_is_pending_until_it_is_confirmed() {
    let (observation, spans) = run(&settings(3, 1), &[Down, Down, Up, Down]);
    assert_eq!(
        spans,
        [
            (SpanState::Pending, 0, 1),
            (SpanState::Pending, 1, 2),
            (SpanState::Up, 2, 3)
        ]
    );
    assert_eq!(observation.state.current, SpanState::Suspect);
    assert_eq!(
        observation.state.since,
        START + Duration::minutes(2),
        "up since the first answer"
    );
    let confirmed = run(&settings(2, 1), &[Down, Down]).0;
    assert_eq!(confirmed.confirmed_from, Some(START));
    assert_eq!(confirmed.state.current, SpanState::Down);
}
