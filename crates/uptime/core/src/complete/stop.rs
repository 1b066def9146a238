//! Regions stop to observe a site where its monitor is paused or its settings change.

use pharos_domain::ids::DomainId;
use time::OffsetDateTime;

use super::{After, Before, Key, spans::add_span};
use crate::{
    incident::{IncidentEvent, TimelineEntry},
    monitor::settings::MonitorSettings,
    state::{self, RegionState, StateSpan},
};

/// Stops what all regions but those `left` know of a domain's site at `now`: they don't observe it from here on.
#[must_use]
pub fn pause(mut before: Before, domain: DomainId, left: &[String], now: OffsetDateTime) -> After {
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
#[must_use]
pub fn close(mut before: Before, now: OffsetDateTime) -> After {
    let mut after = After::default();
    rest(&mut before, &mut after, state::close, |_| true, now);
    after
}

/// Writes the spans of those regions up to `now`, and what is kept of their states.
fn rest(
    before: &mut Before,
    after: &mut After,
    keep: impl Fn(&RegionState, &str, &MonitorSettings, OffsetDateTime) -> (Vec<StateSpan>, RegionState),
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
