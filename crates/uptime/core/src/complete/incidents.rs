//! When incidents begin and end: by what the regions of a domain know together.

use pharos_domain::ids::{DomainId, IncidentId};
use time::OffsetDateTime;

use super::{After, Before, Growth, Key, OpenIncident, Opened};
use crate::{
    incident::{IncidentClass, IncidentEvent, Severity, TimelineEntry},
    monitor::settings::MonitorSettings,
    state::RegionState,
    status::{is_blocked, is_down, is_up},
};

/// Begins or ends the domain's incident, by what its regions know after the check at `at`.
pub(super) fn judge(
    before: &mut Before,
    after: &mut After,
    key: &Key,
    settings: &MonitorSettings,
    at: OffsetDateTime,
) {
    let domain = key.0;
    let states: Vec<(&str, &RegionState)> = settings
        .regions
        .iter()
        .filter_map(|region| Some((region.as_str(), before.states.get(&(domain, region.clone()))?)))
        // One that has been silent for two intervals, was paused, or is refused to look has no vote.
        .filter(|(_, state)| state.holds(settings, at))
        .collect();
    let seen: Vec<&RegionState> = states.iter().map(|(_, state)| *state).collect();
    match (
        is_down(seen.iter().copied()),
        before.open_incidents.get(&domain).copied(),
    ) {
        (true, None) => {
            let severity = if is_blocked(&seen, settings, at) {
                Severity::Degraded
            } else {
                Severity::Outage
            };
            let (opened, growth, events) = open(domain, severity, &states, &key.1, at);
            let open = OpenIncident {
                id: opened.id,
                is_blocked: severity == Severity::Degraded,
                confirmed_at: at,
            };
            after.growth.insert(opened.id, growth);
            after
                .events
                .extend(events.into_iter().map(|event| (opened.id, event)));
            after.opened.push(opened);
            before.open_incidents.insert(domain, open);
        }
        // A failure that is not confirmed yet ends nothing.
        (false, Some(open)) if is_up(&seen).is_some() => {
            let passing_since = before.states.get(key).and_then(|state| state.passing_since);
            // Batches of two regions may come in the other order than their checks were made.
            let resolved_at = passing_since.unwrap_or(at).max(open.confirmed_at);
            before.open_incidents.remove(&domain);
            match after.opened.iter_mut().find(|opened| opened.id == open.id) {
                Some(opened) => opened.resolved_at = Some(resolved_at),
                None => after.resolved.push((open.id, resolved_at)),
            }
            let recovered = TimelineEntry {
                at: resolved_at,
                event: IncidentEvent::Recovered,
                region: Some(key.1.clone()),
                detail: None,
            };
            after.events.push((open.id, recovered));
        }
        (true, Some(_)) | (false, _) => {}
    }
}

/// An incident that the check of `region` at `at` confirms, with its course up to then.
fn open(
    domain: DomainId,
    severity: Severity,
    states: &[(&str, &RegionState)],
    region: &str,
    at: OffsetDateTime,
) -> (Opened, Growth, Vec<TimelineEntry>) {
    let mut down: Vec<(&str, &RegionState)> = states
        .iter()
        .filter(|(_, state)| state.is_down)
        .copied()
        .collect();
    down.sort_by_key(|(_, state)| state.since);
    let first = down.first().and_then(|(_, state)| state.failing.clone());
    let mut events: Vec<TimelineEntry> = down
        .iter()
        .zip(
            [IncidentEvent::FirstFailure]
                .into_iter()
                .chain(std::iter::repeat(IncidentEvent::RegionAdded)),
        )
        .map(|((region, state), event)| TimelineEntry {
            at: state.since,
            event,
            region: Some((*region).to_owned()),
            detail: state
                .failing
                .as_ref()
                .and_then(|failure| failure.error_message.clone()),
        })
        .collect();
    events.push(TimelineEntry {
        at,
        event: IncidentEvent::Confirmed,
        region: Some(region.to_owned()),
        detail: None,
    });
    let all: Vec<&RegionState> = states.iter().map(|(_, state)| *state).collect();
    let opened = Opened {
        id: IncidentId::generate(),
        domain,
        severity,
        class: first
            .as_ref()
            .map_or(IncidentClass::Unknown, |failure| failure.class),
        started_at: began(&all).unwrap_or(at).min(at),
        confirmed_at: at,
        resolved_at: None,
        failure: first,
    };
    let growth = Growth {
        checks_failed: down.iter().map(|(_, state)| state.consecutive_failures).sum(),
        during_maintenance: false,
    };
    (opened, growth, events)
}

/// When the region failed first that made it most of them.
fn began(states: &[&RegionState]) -> Option<OffsetDateTime> {
    let mut since: Vec<OffsetDateTime> = states
        .iter()
        .filter(|state| state.is_down)
        .map(|state| state.since)
        .collect();
    since.sort_unstable();
    // More than half, as `is_down` has it.
    since.get(states.len() / 2).copied()
}
