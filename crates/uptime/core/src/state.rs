//! The state of a site in a region after each check, and the spans of time that follow from it.
//!
//! A state holds from its check until the next, at most two intervals; beyond that the time is unobserved.
//! A failure counts once it is confirmed, then from its first failing check on. A site that was not seen up yet is
//! pending until it is, or until it is confirmed to be down. See `status` for the sums.

use pharos_domain::{time_range::TimeRange, wire_enum};
use serde::{Deserialize, Deserializer, Serialize};
use time::{Duration, OffsetDateTime};

use crate::{
    check::{Outcome, is_refused},
    error_class::ErrorClass,
    finished::FinishedCheck,
    incident::Failure,
    monitor::{maintenance::MaintenanceWindow, settings::MonitorSettings},
};

wire_enum! {
    /// The state of a site over a span of time, seen from one region.
    SpanState {
        /// The site answered; degraded counts as up.
        Up = "up",
        /// It failed, but not often enough to be sure. Counts as up unless it becomes `down`.
        Suspect = "suspect",
        /// It failed, not often enough to be sure, and was not seen up before. Counts as neither unless it becomes
        /// `down`.
        Pending = "pending",
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

/// How far clocks may differ. A time that lies further ahead of the database's clock comes from a wrong clock.
pub const SKEW: Duration = Duration::seconds(5);
/// How soon a site is checked again while its last checks are undecided; sooner where the interval is shorter.
pub const RECHECK: Duration = Duration::seconds(10);

/// A span of time in one state, seen from one region. Neighbours of one state are one span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateSpan {
    /// Where it was seen from.
    pub region: String,
    /// The state of the site.
    pub state: SpanState,
    /// The first moment.
    pub started_at: OffsetDateTime,
    /// The first moment that is no longer in it.
    pub ended_at: OffsetDateTime,
}

impl StateSpan {
    /// Whether it reaches to where another begins, or beyond.
    #[must_use]
    pub fn touches(&self, next: &Self) -> bool {
        (self.started_at..=self.ended_at).contains(&next.started_at)
    }
}

/// The knowledge that a region has of a site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegionState {
    /// Whether the site is down, by the confirmation and recovery rules.
    pub is_down: bool,
    /// When that began. An outage begins with its first failing check.
    #[serde(with = "time::serde::rfc3339")]
    pub since: OffsetDateTime,
    /// The first of the failing checks up to now.
    #[serde(default)]
    pub failing: Option<Failure>,
    /// The first of the passing checks up to now.
    #[serde(default, with = "time::serde::rfc3339::option")]
    pub passing_since: Option<OffsetDateTime>,
    /// When the monitor was paused. Nothing that was known until then holds any longer.
    #[serde(default, with = "time::serde::rfc3339::option")]
    pub paused_at: Option<OffsetDateTime>,
    /// The failing checks up to now.
    pub consecutive_failures: u32,
    /// The passing checks up to now.
    pub consecutive_passes: u32,
    /// The 403s, where 403 is not expected, up to now.
    pub consecutive_forbidden: u32,
    /// The last check that passed since the rules began, which they do at the first check, and at the first one after a pause.
    #[serde(with = "time::serde::rfc3339::option")]
    pub last_success_at: Option<OffsetDateTime>,
    /// The start of the last check.
    #[serde(with = "time::serde::rfc3339")]
    pub last_check_at: OffsetDateTime,
    /// Until when it says how the site is: for two of the intervals that it was made in. `None`: it was stored by a version
    /// that did not say.
    #[serde(default, with = "time::serde::rfc3339::option")]
    pub holds_until: Option<OffsetDateTime>,
    /// Until when spans are stored beyond the last check, because settings changed that bound spans.
    #[serde(default, with = "time::serde::rfc3339::option")]
    pub stored_until: Option<OffsetDateTime>,
    /// How many checks before the next one were undecided.
    #[serde(default)]
    pub retry_index: u32,
    /// The outcome of the last check.
    pub last_outcome: Outcome,
    /// How the time since the last check counts.
    pub current: SpanState,
    /// The status of the last answer; `None` where there was none.
    pub last_status_code: Option<u16>,
    /// How long the last check took, in milliseconds.
    pub last_response_ms: Option<f64>,
    /// Why the last check failed.
    #[serde(default, deserialize_with = "stored_class")]
    pub last_error_class: Option<ErrorClass>,
    /// The same in words.
    pub last_error_message: Option<String>,
    /// The end of the certificate that was last seen.
    #[serde(with = "time::serde::rfc3339::option")]
    pub certificate_valid_until: Option<OffsetDateTime>,
}

fn stored_class<'de, D: Deserializer<'de>>(stored: D) -> Result<Option<ErrorClass>, D::Error> {
    let name: Option<String> = Option::deserialize(stored)?;
    Ok(name.as_deref().map(ErrorClass::named))
}

impl RegionState {
    /// Whether the site answered since the rules began. Until then nothing says that it is up.
    #[must_use]
    pub fn was_seen_up(&self) -> bool {
        self.last_success_at.is_some()
    }

    /// Whether the address policy refused the last check: nothing is known of the site until a check is made.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        is_refused(self.last_outcome, self.last_status_code)
    }

    /// Whether the last check contradicts the known state, so that the next one comes soon, to decide.
    #[must_use]
    pub fn is_undecided(&self) -> bool {
        match self.last_outcome {
            _ if self.paused_at.is_some() => false,
            Outcome::Down => !self.is_down,
            Outcome::Up | Outcome::Degraded => self.is_down,
            Outcome::Maintenance | Outcome::Blocked => false,
        }
    }

    /// How long the last check took in milliseconds; `None` where it failed.
    #[must_use]
    pub fn passed_in_ms(&self) -> Option<f64> {
        self.last_response_ms.filter(|_| self.last_error_class.is_none())
    }

    /// Until when the last check says how the site is.
    #[must_use]
    pub fn holds_until(&self, settings: &MonitorSettings) -> OffsetDateTime {
        self.holds_until
            .unwrap_or_else(|| self.last_check_at + settings.interval() * 2)
    }

    /// Whether it says at `now` how the site is: not after a pause, a refusal of the address policy, or two silent intervals.
    #[must_use]
    pub fn holds(&self, settings: &MonitorSettings, now: OffsetDateTime) -> bool {
        self.paused_at.is_none() && !self.is_refused() && now <= self.holds_until(settings)
    }

    /// Whether the state was written by a clock that was ahead of `present`, which is the database's. Then it says nothing: the
    /// rules begin anew.
    #[must_use]
    pub fn is_ahead_of(&self, present: OffsetDateTime) -> bool {
        self.paused_at
            .map_or(self.last_check_at, |paused_at| paused_at.max(self.last_check_at))
            > present + SKEW
    }
}

/// The changes that a check makes.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// The state after the check.
    pub state: RegionState,
    /// The time since the check before, to be added to the region's spans.
    pub spans: Vec<StateSpan>,
    /// Set when this check confirms an outage: the suspect spans from here on become down.
    pub confirmed_from: Option<OffsetDateTime>,
}

/// Applies a check. The checks of a region come in the order of their time. After a pause the rules begin anew.
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
            spans.push(StateSpan {
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
    let last_success_at = if passed {
        Some(at)
    } else {
        before.and_then(|before| before.last_success_at)
    };
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
        // Nobody knows from the first refusal to the next check that is made.
        Some(before) if !(before.is_down || is_down) && before.is_refused() != check.is_refused() => at,
        // The first answer ends the time in which nobody knew.
        Some(before) if before.is_down == is_down && (before.was_seen_up() || !passed) => before.since,
        Some(_) if !is_down => passing_since.unwrap_or(at),
        _ => confirmed_from.unwrap_or(at),
    };
    let current = match check.outcome {
        Outcome::Up | Outcome::Degraded => SpanState::Up,
        Outcome::Maintenance => SpanState::Maintenance,
        Outcome::Blocked => SpanState::Blocked,
        Outcome::Down if is_down => SpanState::Down,
        Outcome::Down if last_success_at.is_some() => SpanState::Suspect,
        Outcome::Down => SpanState::Pending,
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
        last_success_at,
        last_check_at: at,
        holds_until: Some(at + settings.interval() * 2),
        stored_until: None,
        retry_index: check.retry_index,
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

/// The retry index of the next check of a region: how many checks before it were undecided.
#[must_use]
pub fn next_retry_index(state: Option<&RegionState>) -> u32 {
    state
        .filter(|state| state.is_undecided())
        .map_or(0, |state| state.retry_index.saturating_add(1))
}

/// The state after a check that was requested while the monitor is not enabled. It shows what the check saw. The rules begin
/// anew all the same once the monitor is enabled.
#[must_use]
pub fn glance(
    before: Option<&RegionState>,
    finished: &FinishedCheck,
    settings: &MonitorSettings,
) -> RegionState {
    let seen = observe(before, finished, settings).state;
    let (_, paused) = pause(&seen, &finished.check.region, settings, seen.last_check_at);
    RegionState {
        paused_at: before.and_then(|before| before.paused_at).or(paused.paused_at),
        ..paused
    }
}

/// Ends what a region knows at `now`, when the monitor is paused: returns the spans up to then, and the state to keep.
#[must_use]
pub fn pause(
    state: &RegionState,
    region: &str,
    settings: &MonitorSettings,
    now: OffsetDateTime,
) -> (Vec<StateSpan>, RegionState) {
    let paused = RegionState {
        is_down: false,
        consecutive_failures: 0,
        consecutive_passes: 0,
        consecutive_forbidden: 0,
        last_success_at: None,
        paused_at: Some(state.paused_at.unwrap_or(now)),
        ..state.clone()
    };
    (held(state, region, now, settings), paused)
}

/// Closes the spans of a region at `now`, when settings change that bound spans: returns those up to then, and the state to
/// keep.
#[must_use]
pub fn close(
    state: &RegionState,
    region: &str,
    settings: &MonitorSettings,
    now: OffsetDateTime,
) -> (Vec<StateSpan>, RegionState) {
    let closed = RegionState {
        stored_until: Some(state.stored_until.map_or(now, |stored| stored.max(now))),
        ..state.clone()
    };
    (held(state, region, now, settings), closed)
}

/// The time from the last check until `now`. It counts as what that check found, for two intervals at most, and as maintenance
/// while a window is open. A check that the address policy refused found nothing: like a silent region, this one leaves it to
/// the others to say what the site was.
#[must_use]
pub fn held(
    state: &RegionState,
    region: &str,
    now: OffsetDateTime,
    settings: &MonitorSettings,
) -> Vec<StateSpan> {
    let started_at = state
        .stored_until
        .map_or(state.last_check_at, |stored| stored.max(state.last_check_at));
    let ended_at = now.min(state.holds_until(settings));
    // Up to the pause it is stored already.
    if state.paused_at.is_some() || ended_at <= started_at {
        return Vec::new();
    }
    let span = StateSpan {
        region: region.to_owned(),
        state: state.current,
        started_at,
        ended_at,
    };
    let mut pieces = cut(&span, &settings.maintenance_windows);
    if state.is_refused() {
        pieces.retain(|piece| piece.state == SpanState::Maintenance);
    }
    pieces
}

/// Cuts a span where maintenance begins and ends.
fn cut(span: &StateSpan, windows: &[MaintenanceWindow]) -> Vec<StateSpan> {
    let range = TimeRange::new(span.started_at, span.ended_at);
    let mut occurrences: Vec<TimeRange> = windows
        .iter()
        .flat_map(|window| window.occurrences(range))
        .collect();
    occurrences.sort_unstable();
    let piece = |state, started_at, ended_at| StateSpan {
        region: span.region.clone(),
        state,
        started_at,
        ended_at,
    };
    let mut pieces = Vec::with_capacity(1);
    let mut at = span.started_at;
    for occurrence in occurrences {
        let (start, end) = (occurrence.from.max(at), occurrence.until.min(span.ended_at));
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
mod tests;
