//! What a batch of checks changes, worked out in memory between one read and one write of each table.

use std::collections::{HashMap, HashSet};

use pharos_persistence::set_aside::SetAside;
use pharos_uptime::{
    availability::Stretch,
    check::Outcome,
    incident::{Failure, IncidentClass, IncidentEvent, Severity, TimelineEntry},
    monitor::settings::MonitorSettings,
    state::{self, RECHECK, RegionState, Span, SpanState, glance, next_retry_index, observe},
    store::FinishedCheck,
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::judge::judge;
use crate::schedule::slots;

/// A region of a domain.
pub(super) type Key = (Uuid, String);

/// A span of a region: where it begins.
pub(super) type SpanKey = (Uuid, String, OffsetDateTime);

/// What was stored before the batch. States that lie ahead of the present are not among it.
pub(super) struct Before {
    /// What the database's clock says.
    pub(super) present: OffsetDateTime,
    pub(super) settings: HashMap<Uuid, MonitorSettings>,
    pub(super) states: HashMap<Key, RegionState>,
    pub(super) last_spans: HashMap<Key, Span>,
    pub(super) open_incidents: HashMap<Uuid, OpenIncident>,
    /// What is known here can't be read: checks are kept, and change nothing of it.
    pub(super) unread_states: HashSet<Key>,
    /// What can't be read of all this.
    pub(super) unread: Vec<SetAside>,
}

impl Before {
    /// Nothing, at that time.
    pub(super) fn at(present: OffsetDateTime) -> Self {
        Self {
            present,
            settings: HashMap::new(),
            states: HashMap::new(),
            last_spans: HashMap::new(),
            open_incidents: HashMap::new(),
            unread_states: HashSet::new(),
            unread: Vec::new(),
        }
    }
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
    /// What lies within these stretches, and began after them, is seen anew.
    pub(super) superseded: Vec<(Key, Stretch)>,
    /// What was suspect, or pending, from then on was down.
    pub(super) confirmed: Vec<(Key, OffsetDateTime)>,
    pub(super) opened: Vec<Opened>,
    /// Of the incidents that were open before: when they ended.
    pub(super) resolved: Vec<(Uuid, OffsetDateTime)>,
    /// What came to incidents, those that began included.
    pub(super) growth: HashMap<Uuid, Growth>,
    /// The course of incidents, in order.
    pub(super) events: Vec<(Uuid, TimelineEntry)>,
    pub(super) slots: Vec<Slot>,
    /// Checks that come no later than this.
    pub(super) sooner: Vec<(Key, OffsetDateTime)>,
}

/// Takes in the checks of a batch, in the order of their time. Those that meet a wall against the prober learn it.
pub(super) fn fold(mut before: Before, finished: &mut [FinishedCheck], now: OffsetDateTime) -> After {
    let mut after = After::default();
    for done in finished {
        let key: Key = (done.check.domain_id.0, done.check.region.clone());
        let Some(settings) = before.settings.get(&key.0).cloned() else {
            continue;
        };
        // A check changes nothing where the monitor was paused, or lost the region, while it was under way; nor where
        // nobody can say what it changes.
        let is_known = settings.regions.contains(&key.1)
            && !before.unread_states.contains(&key)
            && is_news(before.states.get(&key), done);
        if is_known && settings.enabled {
            take_in(&mut before, &mut after, &key, &settings, done, now);
        } else if is_known && done.check.run_id.is_some() {
            let state = glance(before.states.get(&key), done, &settings);
            before.states.insert(key.clone(), state.clone());
            after.states.insert(key.clone(), state);
        }
        let soon = before
            .states
            .get(&key)
            .filter(|state| state.is_undecided())
            .map(|_| now + RECHECK.min(settings.interval()));
        let next = || slots::next_after(now, done.check.domain_id, &key.1, settings.interval());
        // What a caller asked for comes on top of the schedule.
        match (done.due_at, soon) {
            (Some(due_at), soon) => after.slots.push(Slot {
                due_at,
                next_at: soon.unwrap_or_else(next),
                key,
            }),
            (None, Some(soon)) => after.sooner.push((key, soon)),
            (None, None) => {}
        }
    }
    after
}

/// Whether a check tells more than is known. One that is stored already, or that came too late, does not.
fn is_news(known: Option<&RegionState>, done: &FinishedCheck) -> bool {
    known.is_none_or(|state| {
        let held_until = state.paused_at.unwrap_or(state.last_check_at);
        held_until.max(state.last_check_at) < done.check.checked_at
    })
}

/// Takes in a check of a monitor that is enabled, from one of its regions.
fn take_in(
    before: &mut Before,
    after: &mut After,
    key: &Key,
    settings: &MonitorSettings,
    done: &mut FinishedCheck,
    now: OffsetDateTime,
) {
    let known = before.states.get(key);
    done.check.retry_index = next_retry_index(known);
    let open = before.open_incidents.get(&key.0).copied();
    let is_walled = open.is_some_and(|open| open.is_wall);
    if is_walled && done.check.outcome == Outcome::Down && done.check.status_code == Some(403) {
        done.check.outcome = Outcome::Blocked;
    }
    let was_down = known.is_some_and(|state| state.is_down);
    let observation = observe(known, done, settings);
    for span in observation.spans {
        add_span(before, after, key, span);
    }
    if let Some(since) = observation.confirmed_from {
        confirm(before, after, key, since);
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
    if was_down != is_down_now {
        // An outage is what most regions see, so those that saw otherwise look again.
        let others = settings.regions.iter().map(|region| (key.0, region.clone()));
        let differing = others.filter(|other| {
            before.states.get(other).is_some_and(|state| {
                state.paused_at.is_none() && state.is_down != is_down_now && !state.is_undecided()
            })
        });
        after.sooner.extend(differing.map(|other| (other, now)));
    }
    judge(before, after, key, settings, done.check.checked_at);
}

/// Stops what all regions but those `left` know of a domain's site at `now`: they don't observe it from here on.
pub(super) fn pause(mut before: Before, domain: Uuid, left: &[String], now: OffsetDateTime) -> After {
    let mut after = After::default();
    rest(
        &mut before,
        &mut after,
        state::pause,
        |region| !left.contains(region),
        now,
    );
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

/// Closes the spans of all regions of a domain at `now`: they were cut by settings that end here.
pub(super) fn close(mut before: Before, now: OffsetDateTime) -> After {
    let mut after = After::default();
    rest(&mut before, &mut after, state::close, |_| true, now);
    after
}

/// Writes the spans of those regions up to `now`, and what is kept of their states.
fn rest(
    before: &mut Before,
    after: &mut After,
    keep: impl Fn(&RegionState, &str, &MonitorSettings, OffsetDateTime) -> (Vec<Span>, RegionState),
    is_meant: impl Fn(&String) -> bool,
    now: OffsetDateTime,
) {
    let states: Vec<(Key, RegionState)> = before
        .states
        .iter()
        .filter(|((_, region), state)| state.paused_at.is_none() && is_meant(region))
        .map(|(key, state)| (key.clone(), state.clone()))
        .collect();
    for (key, state) in states {
        let Some(settings) = before.settings.get(&key.0) else {
            continue;
        };
        let (spans, kept) = keep(&state, &key.1, settings, now);
        for span in spans {
            add_span(before, after, &key, span);
        }
        after.states.insert(key, kept);
    }
}

/// Lengthens the region's last span, or begins a new one. Spans never overlap: where a clock that was ahead has written
/// what is seen only now, the new one counts.
fn add_span(before: &mut Before, after: &mut After, key: &Key, span: Span) {
    let span = match before.last_spans.get(key) {
        Some(last) if last.state == span.state && last.touches(&span) => Span {
            started_at: last.started_at,
            ..span
        },
        Some(last) if last.started_at < span.started_at && last.ended_at > span.started_at => {
            let cut = Span {
                ended_at: span.started_at,
                ..last.clone()
            };
            after.spans.insert((key.0, key.1.clone(), cut.started_at), cut);
            span
        }
        Some(last) if last.started_at > span.started_at => {
            after
                .superseded
                .push((key.clone(), (span.started_at, span.ended_at)));
            span
        }
        _ => span,
    };
    after
        .spans
        .insert((key.0, key.1.clone(), span.started_at), span.clone());
    before.last_spans.insert(key.clone(), span);
}

/// What was suspect, or pending, from `since` on was down.
fn confirm(before: &mut Before, after: &mut After, key: &Key, since: OffsetDateTime) {
    let relabel = |span: &mut Span| {
        if matches!(span.state, SpanState::Suspect | SpanState::Pending) && span.started_at >= since {
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
