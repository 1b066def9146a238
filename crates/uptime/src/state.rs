//! What a region knows of a site after each check, and the spans of time that this leaves behind.
//!
//! A state holds from its check until the next, at most two intervals; beyond that the time is unobserved.
//! A failure counts once it is confirmed, then from its first failing check on. See `status` for the sums.

use pharos_domain::wire_enum;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::{
    check::Outcome,
    incident::Failure,
    monitor::{maintenance::MaintenanceWindow, settings::MonitorSettings},
    probe::ErrorClass,
    store::FinishedCheck,
};

wire_enum! {
    /// What a span of time was, seen from one region.
    SpanState {
        /// The site answered; degraded counts as up.
        Up = "up",
        /// It failed, but not often enough to be sure. Counts as up unless it becomes `down`.
        Suspect = "suspect",
        /// It was down.
        Down = "down",
        /// A maintenance window was open, or the site failed within one. Counts as neither.
        Maintenance = "maintenance",
        /// It refused the prober alone. Counts as neither.
        Blocked = "blocked",
        /// The monitor was not enabled. Counts as neither.
        Paused = "paused",
    }
}

/// A span of time in one state, seen from one region. Neighbours of one state are one span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Where it was seen from.
    pub region: String,
    /// What it was.
    pub state: SpanState,
    /// From.
    pub started_at: OffsetDateTime,
    /// Until.
    pub ended_at: OffsetDateTime,
}

/// What a region knows of a site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegionState {
    /// Whether the site is down, by the confirmation and recovery rules.
    pub is_down: bool,
    /// Since when that is so. Of an outage: its first failing check.
    #[serde(with = "time::serde::rfc3339")]
    pub since: OffsetDateTime,
    /// The first of the failing checks up to now.
    #[serde(default)]
    pub failing: Option<Failure>,
    /// The first of the passing checks up to now.
    #[serde(default, with = "time::serde::rfc3339::option")]
    pub passing_since: Option<OffsetDateTime>,
    /// The monitor was paused then: what was known until that moment holds no longer.
    #[serde(default, with = "time::serde::rfc3339::option")]
    pub paused_at: Option<OffsetDateTime>,
    /// The failing checks up to now.
    pub consecutive_failures: u32,
    /// The passing checks up to now.
    pub consecutive_passes: u32,
    /// The 403s, where 403 is not expected, up to now.
    pub consecutive_forbidden: u32,
    /// The last check that passed.
    #[serde(with = "time::serde::rfc3339::option")]
    pub last_success_at: Option<OffsetDateTime>,
    /// The last check.
    #[serde(with = "time::serde::rfc3339")]
    pub last_check_at: OffsetDateTime,
    /// What it came to.
    pub last_outcome: Outcome,
    /// What the time since the last check counts as.
    pub current: SpanState,
    /// Its status.
    pub last_status_code: Option<u16>,
    /// Its time.
    pub last_response_ms: Option<f64>,
    /// Its error.
    pub last_error_class: Option<ErrorClass>,
    /// Its error in words.
    pub last_error_message: Option<String>,
    /// The end of the certificate that was last seen.
    #[serde(with = "time::serde::rfc3339::option")]
    pub certificate_valid_until: Option<OffsetDateTime>,
}

/// What a check changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// The new state.
    pub state: RegionState,
    /// The time since the check before, to be added to the region's spans.
    pub spans: Vec<Span>,
    /// Set when this check confirms an outage: the suspect spans from here on become down.
    pub confirmed_from: Option<OffsetDateTime>,
}

/// Takes a check in. Checks of one region come in the order of their time. After a pause the rules begin anew.
#[must_use]
pub fn observe(
    before: Option<&RegionState>,
    finished: &FinishedCheck,
    settings: &MonitorSettings,
) -> Observation {
    let check = &finished.check;
    let at = check.checked_at;
    let spans = before.map_or_else(Vec::new, |before| {
        let mut spans = held(before, &check.region, at, settings);
        if let Some(paused_at) = before.paused_at.filter(|paused_at| *paused_at < at) {
            spans.push(Span {
                region: check.region.clone(),
                state: SpanState::Paused,
                started_at: paused_at,
                ended_at: at,
            });
        }
        spans
    });
    let known = before;
    let before = before.filter(|before| before.paused_at.is_none());
    let failed = check.outcome == Outcome::Down;
    let passed = matches!(check.outcome, Outcome::Up | Outcome::Degraded);
    let forbidden =
        matches!(check.outcome, Outcome::Down | Outcome::Blocked) && check.status_code == Some(403);
    let was_down = before.is_some_and(|before| before.is_down);
    // A failure within maintenance neither confirms an outage nor ends one.
    let carry = |count: Option<u32>, counts: bool, resets: bool| match (counts, resets) {
        (true, _) => count.unwrap_or(0).saturating_add(1),
        (false, true) => 0,
        (false, false) => count.unwrap_or(0),
    };
    let failures = carry(before.map(|before| before.consecutive_failures), failed, passed);
    let passes = carry(before.map(|before| before.consecutive_passes), passed, failed);
    let failing = match before.and_then(|before| before.failing.as_ref()) {
        _ if passed => None,
        Some(failing) => Some(failing.clone()),
        None => failed.then(|| Failure::of(check, finished.response_headers.clone())),
    };
    let passing_since = match before.and_then(|before| before.passing_since) {
        _ if failed => None,
        Some(since) => Some(since),
        None => passed.then_some(at),
    };
    let is_down = if was_down {
        passes < settings.recovery_checks
    } else {
        failures >= settings.confirmation_checks
    };
    let confirmed_from = (is_down && !was_down).then(|| failing.as_ref().map_or(at, |failing| failing.at));
    let since = match before {
        Some(before) if before.is_down == is_down => before.since,
        Some(_) if !is_down => passing_since.unwrap_or(at),
        _ => confirmed_from.unwrap_or(at),
    };
    let current = match check.outcome {
        Outcome::Up | Outcome::Degraded => SpanState::Up,
        Outcome::Maintenance => SpanState::Maintenance,
        Outcome::Blocked => SpanState::Blocked,
        Outcome::Down if is_down => SpanState::Down,
        Outcome::Down => SpanState::Suspect,
    };
    let state = RegionState {
        is_down,
        since,
        failing,
        passing_since,
        paused_at: None,
        consecutive_failures: failures,
        consecutive_passes: passes,
        consecutive_forbidden: if forbidden {
            before.map_or(0, |before| before.consecutive_forbidden) + 1
        } else {
            0
        },
        last_success_at: if passed {
            Some(at)
        } else {
            known.and_then(|known| known.last_success_at)
        },
        last_check_at: at,
        last_outcome: check.outcome,
        current,
        last_status_code: check.status_code,
        last_response_ms: check.response_ms,
        last_error_class: check.error_class,
        last_error_message: check.error_message.clone(),
        certificate_valid_until: finished
            .certificate_valid_until
            .or_else(|| known.and_then(|known| known.certificate_valid_until)),
    };
    Observation {
        state,
        spans,
        confirmed_from,
    }
}

/// Stops what a region knows at `now`, when the monitor is paused: the spans up to then, and the state to keep.
#[must_use]
pub fn pause(
    state: &RegionState,
    region: &str,
    settings: &MonitorSettings,
    now: OffsetDateTime,
) -> (Vec<Span>, RegionState) {
    let paused = RegionState {
        is_down: false,
        consecutive_failures: 0,
        consecutive_passes: 0,
        consecutive_forbidden: 0,
        paused_at: Some(state.paused_at.unwrap_or(now)),
        ..state.clone()
    };
    (held(state, region, now, settings), paused)
}

/// The time from the last check until `now`: it counts as what that check found, for two intervals at most, and as
/// maintenance while a window is open.
#[must_use]
pub fn held(state: &RegionState, region: &str, now: OffsetDateTime, settings: &MonitorSettings) -> Vec<Span> {
    let longest = state.last_check_at + settings.interval() * 2;
    // Up to the pause it is stored already.
    if state.paused_at.is_some() || now <= state.last_check_at {
        return Vec::new();
    }
    let span = Span {
        region: region.to_owned(),
        state: state.current,
        started_at: state.last_check_at,
        ended_at: now.min(longest),
    };
    cut(&span, &settings.maintenance_windows)
}

/// Cuts a span where maintenance begins and ends.
fn cut(span: &Span, windows: &[MaintenanceWindow]) -> Vec<Span> {
    let mut occurrences: Vec<_> = windows
        .iter()
        .flat_map(|window| window.occurrences(span.started_at, span.ended_at))
        .collect();
    occurrences.sort_unstable();
    let piece = |state, started_at, ended_at| Span {
        region: span.region.clone(),
        state,
        started_at,
        ended_at,
    };
    let mut pieces = Vec::with_capacity(1);
    let mut at = span.started_at;
    for (start, end) in occurrences {
        let (start, end) = (start.max(at), end.min(span.ended_at));
        if start < end {
            if at < start {
                pieces.push(piece(span.state, at, start));
            }
            pieces.push(piece(SpanState::Maintenance, start, end));
            at = end;
        }
    }
    if at < span.ended_at {
        pieces.push(piece(span.state, at, span.ended_at));
    }
    pieces
}

#[cfg(test)]
mod tests {
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
}
