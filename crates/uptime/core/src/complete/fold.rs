//! Checks of a batch, taken in one by one.

use time::OffsetDateTime;

use super::{
    After, Before, Key, Slot,
    incidents::judge,
    spans::{add_span, confirm},
};
use crate::{
    check::Outcome,
    finished::FinishedCheck,
    incident::{IncidentEvent, TimelineEntry},
    monitor::settings::MonitorSettings,
    slots,
    state::{RECHECK, RegionState, glance, next_retry_index, observe},
};

/// The checks of a batch as [`fold`] takes them in: by their time, without times that can't have been measured.
#[must_use]
pub fn in_order(finished: &[FinishedCheck]) -> Vec<FinishedCheck> {
    let mut finished = finished.to_vec();
    for done in &mut finished {
        done.check.drop_impossible_times();
    }
    finished.sort_by_key(|done| done.check.checked_at);
    finished
}

/// Takes in the checks of a batch, in the order of their time. Those that fail because the prober is blocked become
/// blocked ones.
pub fn fold(mut before: Before, finished: &mut [FinishedCheck], now: OffsetDateTime) -> After {
    let mut after = After::default();
    for done in finished {
        let key: Key = (done.check.domain_id, done.check.region.clone());
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
        let next = || slots::next_after(now, key.0, &key.1, settings.interval());
        // A check that a caller asked for comes on top of the schedule.
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
    let is_blocked = open.is_some_and(|open| open.is_blocked);
    if is_blocked && done.check.outcome == Outcome::Down && done.check.status_code == Some(403) {
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
        let failed = matches!(done.check.outcome, Outcome::Down | Outcome::Blocked);
        growth.checks_failed += u32::from(failed && !done.check.is_refused());
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
    // A region that may not look takes its vote back, which neither begins an outage nor ends one: the others do by what they see.
    if !done.check.is_refused() {
        judge(before, after, key, settings, done.check.checked_at);
    }
}
