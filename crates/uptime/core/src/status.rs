//! The state of a monitor now, and its availability over spans of time.

use pharos_domain::wire_enum;
use time::{Duration, OffsetDateTime};

use crate::{
    check::Outcome,
    incident::Severity,
    knowledge::{MonitorKnowledge, RegionKnowledge},
    monitor::{Monitor, settings::MonitorSettings},
    state::RegionState,
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
        /// The site was not seen up yet, and is not confirmed to be down either.
        Pending = "pending",
        /// The site refuses the prober, not its visitors.
        Blocked = "blocked",
        /// The last checks lie too far back to say, or Pharos may not go to the site's address.
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

/// Whether visitors reach the site, by the regions that know something: not while it is down, and not before one of them
/// has seen it up. `None`: that is not known yet.
#[must_use]
pub fn is_up(regions: &[&RegionState]) -> Option<bool> {
    if is_down(regions.iter().copied()) {
        return Some(false);
    }
    regions
        .iter()
        .any(|region| !region.is_down && region.was_seen_up())
        .then_some(true)
}

/// Another region got an answer, or a visitor did, this long ago at most: then a 403 blocks the prober alone.
const EVIDENCE: Duration = Duration::minutes(10);

/// Whether all regions are refused with 403 while somebody else gets answers: one of them did a moment ago.
#[must_use]
pub fn is_blocked(regions: &[&RegionState], settings: &MonitorSettings, now: OffsetDateTime) -> bool {
    let refused = |region: &&RegionState| region.consecutive_forbidden >= settings.confirmation_checks;
    let answered = |region: &&RegionState| region.last_success_at.is_some_and(|at| now - at <= EVIDENCE);
    // The last answer of a single region, before it was refused, proves nothing.
    regions.len() > 1 && regions.iter().all(refused) && regions.iter().any(answered)
}

/// The states of regions that have checked since the rules began.
fn seen(known: &MonitorKnowledge) -> impl Iterator<Item = &RegionState> {
    let states = known.regions.iter().filter_map(|region| region.state.as_ref());
    states.filter(|state| state.paused_at.is_none())
}

/// The states that still hold: those of regions that were silent for too long, or are refused to look, don't.
fn fresh(known: &MonitorKnowledge, now: OffsetDateTime) -> Vec<&RegionState> {
    let settings = &known.monitor.settings;
    seen(known).filter(|state| state.holds(settings, now)).collect()
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
    let Some(held_until) = seen(known).map(|state| state.holds_until(settings)).max() else {
        // Since it was made, or enabled again.
        let is_new = known.regions.iter().all(|region| region.state.is_none());
        let Monitor {
            created_at,
            updated_at,
            ..
        } = known.monitor;
        return (State::Pending, Some(if is_new { created_at } else { updated_at }));
    };
    let fresh = fresh(known, now);
    if fresh.is_empty() {
        let refused = seen(known).filter(|state| state.is_refused() && now <= state.holds_until(settings));
        let since = refused.map(|state| state.since).min();
        return (State::Unknown, Some(since.unwrap_or(held_until)));
    }
    let since = fresh.iter().map(|region| region.since).max();
    if known
        .open_incident()
        .is_some_and(|open| open.severity == Severity::Degraded)
    {
        return (State::Blocked, since);
    }
    match is_up(&fresh) {
        Some(false) => (State::Down, since),
        None => (State::Pending, fresh.iter().map(|region| region.since).min()),
        Some(true)
            if fresh
                .iter()
                .any(|region| region.last_outcome == Outcome::Degraded) =>
        {
            (State::Degraded, since)
        }
        Some(true) => (State::Up, since),
    }
}

/// Whether visitors reach a site that is in `state`; `None` while that is not known.
#[must_use]
pub fn is_reachable(state: State, known: &MonitorKnowledge, now: OffsetDateTime) -> Option<bool> {
    match state {
        State::Up | State::Degraded | State::Blocked => Some(true),
        State::Down => Some(false),
        State::Maintenance => is_up(&fresh(known, now)),
        State::Paused | State::Pending | State::Unknown => None,
    }
}

/// The state of one region.
#[must_use]
pub fn region_state(region: &RegionKnowledge, settings: &MonitorSettings, now: OffsetDateTime) -> State {
    match &region.state {
        _ if !settings.enabled => State::Paused,
        None => State::Pending,
        Some(state) if state.paused_at.is_some() => State::Pending,
        Some(state) if state.is_refused() || now > state.holds_until(settings) => State::Unknown,
        Some(state) if state.is_down => State::Down,
        Some(state) => match state.last_outcome {
            Outcome::Degraded => State::Degraded,
            Outcome::Maintenance => State::Maintenance,
            Outcome::Blocked => State::Blocked,
            Outcome::Down if !state.was_seen_up() => State::Pending,
            Outcome::Up | Outcome::Down => State::Up,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{NOW, knowledge};

    /// A region that may not go to the site's address has no vote, and alone knows nothing.
    #[test]
    fn a_refusal_by_the_address_policy_says_nothing_of_the_site() {
        let mut known = knowledge(&[("eu", 30)]);
        let refused = known.regions[0].state.as_mut().unwrap();
        refused.since = NOW - Duration::minutes(5);
        (refused.last_outcome, refused.last_status_code) = (Outcome::Blocked, None);
        assert_eq!(
            state(&known, NOW),
            (State::Unknown, Some(NOW - Duration::minutes(5)))
        );
        assert_eq!(is_reachable(State::Unknown, &known, NOW), None);
        let settings = known.monitor.settings.clone();
        assert_eq!(region_state(&known.regions[0], &settings, NOW), State::Unknown);
        known.regions.extend(knowledge(&[("us", 10)]).regions);
        assert_eq!(state(&known, NOW).0, State::Up);
        let blocked = known.regions[0].state.as_mut().unwrap();
        blocked.last_status_code = Some(403);
        assert_eq!(region_state(&known.regions[0], &settings, NOW), State::Blocked);
    }

    /// Within maintenance it is what the regions that are not silent saw before.
    #[test]
    fn a_site_in_maintenance_is_reachable_where_its_regions_see_it_so() {
        let mut known = knowledge(&[("eu", 30), ("us", 3_600)]);
        let reachable = |known: &_, state| is_reachable(state, known, NOW);
        assert_eq!(reachable(&known, State::Maintenance), Some(true));
        for region in &mut known.regions {
            region.state.as_mut().unwrap().is_down = true;
        }
        assert_eq!(reachable(&known, State::Maintenance), Some(false));
        assert_eq!(reachable(&knowledge(&[("us", 3_600)]), State::Maintenance), None);
        for (state, expected) in [
            (State::Blocked, Some(true)),
            (State::Down, Some(false)),
            (State::Unknown, None),
        ] {
            assert_eq!(reachable(&known, state), expected, "{state}");
        }
    }
}
