//! What a batch of checks changes, worked out in memory between one read and one write of each table.

use std::collections::{HashMap, HashSet};

use pharos_domain::ids::IncidentId;
use pharos_uptime::{
    check::Outcome,
    incident::{Failure, IncidentClass, IncidentEvent, Severity, TimelineEntry},
    monitor::settings::MonitorSettings,
    state::{self, RegionState, Span, SpanState, observe},
    status::{is_blocked, is_down},
    store::FinishedCheck,
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{set_aside::SetAside, uptime::schedule::slots};

/// A region of a domain.
pub(super) type Key = (Uuid, String);

/// A span of a region: where it begins.
pub(super) type SpanKey = (Uuid, String, OffsetDateTime);

/// What was stored before the batch.
#[derive(Default)]
pub(super) struct Before {
    pub(super) settings: HashMap<Uuid, MonitorSettings>,
    pub(super) states: HashMap<Key, RegionState>,
    pub(super) last_spans: HashMap<Key, Span>,
    pub(super) open_incidents: HashMap<Uuid, OpenIncident>,
    /// What is known here can't be read: checks are kept, and change nothing of it.
    pub(super) unread_states: HashSet<Key>,
    /// What can't be read of all this.
    pub(super) unread: Vec<SetAside>,
}

/// An incident that has not ended.
#[derive(Clone, Copy)]
pub(super) struct OpenIncident {
    pub(super) id: Uuid,
    /// Whether the site refuses the prober alone.
    pub(super) is_wall: bool,
    pub(super) confirmed_at: OffsetDateTime,
}

/// An incident that began, and may have ended since.
#[derive(Debug, PartialEq)]
pub(super) struct Opened {
    pub(super) id: Uuid,
    pub(super) domain: Uuid,
    pub(super) severity: Severity,
    pub(super) class: IncidentClass,
    pub(super) started_at: OffsetDateTime,
    pub(super) confirmed_at: OffsetDateTime,
    pub(super) resolved_at: Option<OffsetDateTime>,
    /// Of its first failing check.
    pub(super) failure: Option<Failure>,
}

/// What checks added to an incident.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Growth {
    pub(super) checks_failed: u32,
    pub(super) during_maintenance: bool,
}

/// When a check that was due at one time is due next.
pub(super) struct Slot {
    pub(super) key: Key,
    pub(super) due_at: OffsetDateTime,
    pub(super) next_at: OffsetDateTime,
}

/// What is to be stored after it.
#[derive(Default)]
pub(super) struct After {
    pub(super) states: HashMap<Key, RegionState>,
    pub(super) spans: HashMap<SpanKey, Span>,
    /// What was suspect from then on was down.
    pub(super) confirmed: Vec<(Key, OffsetDateTime)>,
    pub(super) opened: Vec<Opened>,
    /// Of the incidents that were open before: when they ended.
    pub(super) resolved: Vec<(Uuid, OffsetDateTime)>,
    /// What came to incidents, those that began included.
    pub(super) growth: HashMap<Uuid, Growth>,
    /// The course of incidents, in order.
    pub(super) events: Vec<(Uuid, TimelineEntry)>,
    pub(super) slots: Vec<Slot>,
}

/// Takes in the checks of a batch, in the order of their time. Those that meet a wall against the prober learn it.
pub(super) fn fold(mut before: Before, finished: &mut [FinishedCheck], now: OffsetDateTime) -> After {
    let mut after = After::default();
    for done in finished {
        let key: Key = (done.check.domain_id.0, done.check.region.clone());
        let Some(settings) = before.settings.get(&key.0).cloned() else {
            continue;
        };
        // What a caller asked for comes on top of the schedule.
        if let Some(due_at) = done.due_at {
            after.slots.push(Slot {
                next_at: slots::next_after(now, done.check.domain_id, &key.1, settings.interval()),
                key: key.clone(),
                due_at,
            });
        }
        // The monitor was paused, or lost the region, while the check was under way; or nobody can say what it changes.
        if !settings.enabled || !settings.regions.contains(&key.1) || before.unread_states.contains(&key) {
            continue;
        }
        let known = before.states.get(&key);
        // A check that is stored already, or that came too late, changes nothing.
        if known.is_some_and(|state| {
            let held_until = state.paused_at.unwrap_or(state.last_check_at);
            held_until.max(state.last_check_at) >= done.check.checked_at
        }) {
            continue;
        }
        let open = before.open_incidents.get(&key.0).copied();
        let is_walled = open.is_some_and(|open| open.is_wall);
        if is_walled && done.check.outcome == Outcome::Down && done.check.status_code == Some(403) {
            done.check.outcome = Outcome::Blocked;
        }
        let was_down = known.is_some_and(|state| state.is_down);
        let observation = observe(known, done, &settings);
        for span in observation.spans {
            add_span(&mut before, &mut after, &key, span);
        }
        if let Some(since) = observation.confirmed_from {
            confirm(&mut before, &mut after, &key, since);
        }
        let (is_down_now, since) = (observation.state.is_down, observation.state.since);
        before.states.insert(key.clone(), observation.state.clone());
        after.states.insert(key.clone(), observation.state);
        if let Some(open) = open {
            let growth = after.growth.entry(open.id).or_default();
            growth.checks_failed += u32::from(matches!(done.check.outcome, Outcome::Down | Outcome::Blocked));
            growth.during_maintenance |= done.check.outcome == Outcome::Maintenance;
            let event = match (was_down, is_down_now) {
                (false, true) => Some(IncidentEvent::RegionAdded),
                (true, false) => Some(IncidentEvent::RegionRecovered),
                _ => None,
            };
            after.events.extend(event.map(|event| {
                let entry = TimelineEntry {
                    // The first check of those that were needed to be sure, as with the incident itself.
                    at: since,
                    event,
                    region: Some(key.1.clone()),
                    detail: done.check.error_message.clone(),
                };
                (open.id, entry)
            }));
        }
        judge(&mut before, &mut after, &key, &settings, done.check.checked_at);
    }
    after
}

/// Stops what all regions but those `left` know of a domain's site at `now`: they don't observe it from here on.
pub(super) fn pause(mut before: Before, domain: Uuid, left: &[String], now: OffsetDateTime) -> After {
    let mut after = After::default();
    let Some(settings) = before.settings.get(&domain).cloned() else {
        return after;
    };
    let states: Vec<(Key, RegionState)> = before
        .states
        .iter()
        .filter(|((_, region), state)| state.paused_at.is_none() && !left.contains(region))
        .map(|(key, state)| (key.clone(), state.clone()))
        .collect();
    for (key, state) in states {
        let (spans, paused) = state::pause(&state, &key.1, &settings, now);
        for span in spans {
            add_span(&mut before, &mut after, &key, span);
        }
        after.states.insert(key, paused);
    }
    if left.is_empty()
        && let Some(open) = before.open_incidents.remove(&domain)
    {
        let resolved_at = now.max(open.confirmed_at);
        after.resolved.push((open.id, resolved_at));
        let ended = TimelineEntry {
            at: resolved_at,
            event: IncidentEvent::Recovered,
            region: None,
            detail: Some("The monitor was paused.".to_owned()),
        };
        after.events.push((open.id, ended));
    }
    after
}

/// Lengthens the region's last span, or begins a new one.
fn add_span(before: &mut Before, after: &mut After, key: &Key, span: Span) {
    let span = match before.last_spans.get(key) {
        Some(last) if last.state == span.state && last.ended_at == span.started_at => Span {
            started_at: last.started_at,
            ..span
        },
        _ => span,
    };
    after
        .spans
        .insert((key.0, key.1.clone(), span.started_at), span.clone());
    before.last_spans.insert(key.clone(), span);
}

/// What was suspect from `since` on was down.
fn confirm(before: &mut Before, after: &mut After, key: &Key, since: OffsetDateTime) {
    let relabel = |span: &mut Span| {
        if span.state == SpanState::Suspect && span.started_at >= since {
            span.state = SpanState::Down;
        }
    };
    if let Some(last) = before.last_spans.get_mut(key) {
        relabel(last);
    }
    for ((domain, region, _), span) in &mut after.spans {
        if *domain == key.0 && *region == key.1 {
            relabel(span);
        }
    }
    after.confirmed.push((key.clone(), since));
}

/// Begins or ends the domain's incident, by what its regions know after the check at `at`.
fn judge(before: &mut Before, after: &mut After, key: &Key, settings: &MonitorSettings, at: OffsetDateTime) {
    let domain = key.0;
    let states: Vec<(&str, &RegionState)> = settings
        .regions
        .iter()
        .filter_map(|region| Some((region.as_str(), before.states.get(&(domain, region.clone()))?)))
        // One that has been silent for two intervals, or was paused, has no vote.
        .filter(|(_, state)| state.paused_at.is_none() && at - state.last_check_at <= settings.interval() * 2)
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
                is_wall: severity == Severity::Degraded,
                confirmed_at: at,
            };
            after.growth.insert(opened.id, growth);
            after
                .events
                .extend(events.into_iter().map(|event| (opened.id, event)));
            after.opened.push(opened);
            before.open_incidents.insert(domain, open);
        }
        (false, Some(open)) => {
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
        (true, Some(_)) | (false, None) => {}
    }
}

/// An incident that the check of `region` at `at` confirms, with its course up to then.
fn open(
    domain: Uuid,
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
        id: IncidentId::generate().0,
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
