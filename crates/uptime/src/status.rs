//! The state of a monitor now, and its availability over spans of time.

use pharos_domain::wire_enum;
use time::{Duration, OffsetDateTime};

use crate::{
    check::Outcome,
    incident::Severity,
    monitor::{Monitor, settings::MonitorSettings},
    state::RegionState,
    store::{MonitorKnowledge, RegionKnowledge},
};

wire_enum! {
    /// The state of a monitor.
    State as "MonitorState" {
        /// The site answers as expected.
        Up = "up",
        /// It does not, and that is confirmed.
        Down = "down",
        /// It answers as expected, but slowly.
        Degraded = "degraded",
        /// The monitor is not enabled.
        Paused = "paused",
        /// A maintenance window is open.
        Maintenance = "maintenance",
        /// The first check is still to come.
        Pending = "pending",
        /// The site refuses the prober, not its visitors.
        Blocked = "blocked",
        /// The last checks lie too far back to say.
        Unknown = "unknown",
    }
}

/// Whether more than half of the regions that know something are down: all of them, with one or two.
#[must_use]
pub fn is_down<'a>(regions: impl Iterator<Item = &'a RegionState>) -> bool {
    let (down, all) = regions.fold((0, 0), |(down, all), region| {
        (down + u32::from(region.is_down), all + 1)
    });
    all > 0 && down * 2 > all && (all > 2 || down == all)
}

/// Another region got an answer, or a visitor did, this long ago at most: then a 403 is a wall against the prober.
const EVIDENCE: Duration = Duration::minutes(10);

/// Whether all regions are refused with 403 while somebody else gets answers: one of them did a moment ago.
#[must_use]
pub fn is_blocked(regions: &[&RegionState], settings: &MonitorSettings, now: OffsetDateTime) -> bool {
    let refused = |region: &&RegionState| region.consecutive_forbidden >= settings.confirmation_checks;
    let answered = |region: &&RegionState| region.last_success_at.is_some_and(|at| now - at <= EVIDENCE);
    // Of one region alone the last answer before the wall proves nothing.
    regions.len() > 1 && regions.iter().all(refused) && regions.iter().any(answered)
}

/// The state of a monitor and since when it is in it.
#[must_use]
pub fn state(known: &MonitorKnowledge, now: OffsetDateTime) -> (State, Option<OffsetDateTime>) {
    let settings = &known.monitor.settings;
    if !settings.enabled {
        return (State::Paused, Some(known.monitor.updated_at));
    }
    let begun = settings
        .maintenance_windows
        .iter()
        .filter_map(|window| window.covering(now))
        .min();
    if begun.is_some() {
        return (State::Maintenance, begun);
    }
    let seen: Vec<&RegionState> = known
        .regions
        .iter()
        .filter_map(|region| region.state.as_ref())
        .filter(|state| state.paused_at.is_none())
        .collect();
    let Some(newest) = seen.iter().map(|state| state.last_check_at).max() else {
        // Since it was made, or enabled again.
        let is_new = known.regions.iter().all(|region| region.state.is_none());
        let Monitor {
            created_at,
            updated_at,
            ..
        } = known.monitor;
        return (State::Pending, Some(if is_new { created_at } else { updated_at }));
    };
    let stale = |state: &RegionState| now - state.last_check_at > settings.interval() * 2;
    let fresh: Vec<&RegionState> = seen.into_iter().filter(|state| !stale(state)).collect();
    if fresh.is_empty() {
        return (State::Unknown, Some(newest + settings.interval() * 2));
    }
    let since = fresh.iter().map(|region| region.since).max();
    if known
        .open_incident()
        .is_some_and(|open| open.severity == Severity::Degraded)
    {
        (State::Blocked, since)
    } else if is_down(fresh.iter().copied()) {
        (State::Down, since)
    } else if fresh
        .iter()
        .any(|region| region.last_outcome == Outcome::Degraded)
    {
        (State::Degraded, since)
    } else {
        (State::Up, since)
    }
}

/// Whether a region checks the site now: its last check, or where there is none the time of its first, lies two
/// intervals back at most.
#[must_use]
pub fn is_active(region: &RegionKnowledge, settings: &MonitorSettings, now: OffsetDateTime) -> bool {
    let checked = region.state.as_ref().filter(|state| state.paused_at.is_none());
    let last = checked.map(|state| state.last_check_at).or(region.next_check_at);
    settings.enabled && last.is_some_and(|at| now - at <= settings.interval() * 2)
}

/// The state of one region.
#[must_use]
pub fn region_state(region: &RegionKnowledge, settings: &MonitorSettings, now: OffsetDateTime) -> State {
    match &region.state {
        _ if !settings.enabled => State::Paused,
        None => State::Pending,
        Some(state) if state.paused_at.is_some() => State::Pending,
        Some(state) if now - state.last_check_at > settings.interval() * 2 => State::Unknown,
        Some(state) if state.is_down => State::Down,
        Some(state) => match state.last_outcome {
            Outcome::Degraded => State::Degraded,
            Outcome::Maintenance => State::Maintenance,
            Outcome::Blocked => State::Blocked,
            Outcome::Up | Outcome::Down => State::Up,
        },
    }
}
