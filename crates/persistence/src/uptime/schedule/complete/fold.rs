//! What a batch of checks changes, worked out in memory between one read and one write of each table.

use std::collections::HashMap;

use pharos_domain::ids::IncidentId;
use pharos_uptime::{
    monitor::settings::MonitorSettings,
    state::{RegionState, Span, SpanState, observe},
    status::is_down,
    store::FinishedCheck,
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::uptime::schedule::slots;

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
}

/// An outage that has not ended.
#[derive(Clone, Copy)]
pub(super) struct OpenIncident {
    pub(super) id: Uuid,
    pub(super) confirmed_at: OffsetDateTime,
}

/// An outage that began, and may have ended since.
#[derive(Debug, PartialEq)]
pub(super) struct Opened {
    pub(super) id: Uuid,
    pub(super) domain: Uuid,
    pub(super) started_at: OffsetDateTime,
    pub(super) confirmed_at: OffsetDateTime,
    pub(super) resolved_at: Option<OffsetDateTime>,
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
    /// Of the outages that were open before: when they ended.
    pub(super) resolved: Vec<(Uuid, OffsetDateTime)>,
    pub(super) slots: Vec<Slot>,
}

/// Takes in the checks of a batch, in the order of their time.
pub(super) fn fold(mut before: Before, finished: &[FinishedCheck], now: OffsetDateTime) -> After {
    let mut after = After::default();
    for done in finished {
        let check = &done.check;
        let key: Key = (check.domain_id.0, check.region.clone());
        let Some(settings) = before.settings.get(&key.0).cloned() else {
            continue;
        };
        // What a caller asked for comes on top of the schedule.
        if let Some(due_at) = done.due_at {
            after.slots.push(Slot {
                next_at: slots::next_after(now, check.domain_id, &check.region, settings.interval()),
                key: key.clone(),
                due_at,
            });
        }
        // The monitor was paused, or lost the region, while the check was under way.
        if !settings.enabled || !settings.regions.contains(&check.region) {
            continue;
        }
        let known = before.states.get(&key);
        // A check that is stored already, or that came too late, changes nothing.
        if known.is_some_and(|state| state.last_check_at >= check.checked_at) {
            continue;
        }
        let observation = observe(known, check, done.certificate_valid_until, &settings);
        if let Some(span) = observation.span {
            add_span(&mut before, &mut after, &key, span);
        }
        if let Some(since) = observation.confirmed_from {
            confirm(&mut before, &mut after, &key, since);
        }
        before.states.insert(key.clone(), observation.state.clone());
        after.states.insert(key.clone(), observation.state);
        judge(&mut before, &mut after, key.0, &settings, check.checked_at);
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

/// Begins or ends the domain's outage, by what its regions know after the check at `at`.
fn judge(
    before: &mut Before,
    after: &mut After,
    domain: Uuid,
    settings: &MonitorSettings,
    at: OffsetDateTime,
) {
    let states: Vec<&RegionState> = settings
        .regions
        .iter()
        .filter_map(|region| before.states.get(&(domain, region.clone())))
        .collect();
    match (
        is_down(states.iter().copied()),
        before.open_incidents.get(&domain).copied(),
    ) {
        (true, None) => {
            let id = IncidentId::generate().0;
            after.opened.push(Opened {
                id,
                domain,
                started_at: began(&states).unwrap_or(at).min(at),
                confirmed_at: at,
                resolved_at: None,
            });
            let open = OpenIncident { id, confirmed_at: at };
            before.open_incidents.insert(domain, open);
        }
        (false, Some(open)) => {
            // Batches of two regions may come in the other order than their checks were made.
            let resolved_at = at.max(open.confirmed_at);
            before.open_incidents.remove(&domain);
            match after.opened.iter_mut().find(|opened| opened.id == open.id) {
                Some(opened) => opened.resolved_at = Some(resolved_at),
                None => after.resolved.push((open.id, resolved_at)),
            }
        }
        (true, Some(_)) | (false, None) => {}
    }
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
