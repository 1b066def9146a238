//! What a batch of checks changes, worked out in memory between one read and one write of each table.

use std::collections::HashMap;

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

/// What was stored before the batch.
#[derive(Default)]
pub(super) struct Before {
    pub(super) settings: HashMap<Uuid, MonitorSettings>,
    pub(super) states: HashMap<Key, RegionState>,
    pub(super) last_spans: HashMap<Key, Span>,
    pub(super) open_incidents: HashMap<Uuid, Uuid>,
}

/// An outage that began.
#[derive(Debug, PartialEq)]
pub(super) struct Opened {
    pub(super) id: Uuid,
    pub(super) domain: Uuid,
    pub(super) started_at: OffsetDateTime,
    pub(super) confirmed_at: OffsetDateTime,
    pub(super) resolved_at: Option<OffsetDateTime>,
}

/// What is to be stored after it.
#[derive(Default)]
pub(super) struct After {
    pub(super) states: HashMap<Key, RegionState>,
    pub(super) spans: HashMap<(Uuid, String, OffsetDateTime), Span>,
    pub(super) confirmed: Vec<(Uuid, String, OffsetDateTime)>,
    pub(super) opened: Vec<Opened>,
    pub(super) resolved: Vec<(Uuid, OffsetDateTime)>,
    /// Domain, region, when it was due, when it is due next.
    pub(super) next: Vec<(Uuid, String, OffsetDateTime, OffsetDateTime)>,
}

pub(super) fn fold(mut before: Before, finished: &[FinishedCheck], now: OffsetDateTime) -> After {
    let mut after = After::default();
    for done in finished {
        let check = &done.check;
        let key: Key = (check.domain_id.0, check.region.clone());
        let Some(settings) = before.settings.get(&key.0).cloned() else { continue };
        let known = before.states.get(&key);
        let next = slots::next_after(now, check.domain_id, &check.region, settings.interval());
        after.next.push((key.0, key.1.clone(), done.due_at, next));
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
        let regions = settings.regions.iter().filter_map(|region| before.states.get(&(key.0, region.clone())));
        match (is_down(regions), before.open_incidents.get(&key.0).copied()) {
            (true, None) => {
                let id = Uuid::now_v7();
                before.open_incidents.insert(key.0, id);
                after.opened.push(Opened {
                    id,
                    domain: key.0,
                    started_at: observation.confirmed_from.unwrap_or(check.checked_at),
                    confirmed_at: check.checked_at,
                    resolved_at: None,
                });
            }
            (false, Some(id)) => {
                before.open_incidents.remove(&key.0);
                match after.opened.iter_mut().find(|opened| opened.id == id) {
                    Some(opened) => opened.resolved_at = Some(check.checked_at),
                    None => after.resolved.push((id, check.checked_at)),
                }
            }
            (true, Some(_)) | (false, None) => {}
        }
    }
    after
}

/// Lengthens the region's last span, or begins a new one.
fn add_span(before: &mut Before, after: &mut After, key: &Key, span: Span) {
    let span = match before.last_spans.get(key) {
        Some(last) if last.state == span.state && last.ended_at == span.started_at => {
            Span { started_at: last.started_at, ..span }
        }
        _ => span,
    };
    after.spans.insert((key.0, key.1.clone(), span.started_at), span.clone());
    before.last_spans.insert(key.clone(), span);
}

/// What was suspect from `since` on was down.
fn confirm(before: &mut Before, after: &mut After, key: &Key, since: OffsetDateTime) {
    let relabel = |span: &mut Span| {
        if span.state == SpanState::Suspect && span.started_at >= since {
            span.state = SpanState::Down;
        }
    };
    before.last_spans.get_mut(key).map(relabel);
    for (_, span) in after.spans.iter_mut().filter(|((domain, region, _), _)| (*domain, region) == (key.0, &key.1)) {
        relabel(span);
    }
    after.confirmed.push((key.0, key.1.clone(), since));
}
