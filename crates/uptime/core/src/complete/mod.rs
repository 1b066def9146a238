//! The changes that finished checks make to states, spans, incidents and the schedule.
//!
//! A store reads what is known of the sites of a batch ([`Before`]), this module computes the changes that the batch makes, and
//! the store writes them ([`After`]): one read and one write of each table, however many checks there are.

mod clock;
mod fold;
mod incidents;
mod outdated;
mod spans;
mod stop;
#[cfg(test)]
mod tests;
mod transition;

use std::collections::{HashMap, HashSet};

use pharos_domain::{
    ids::{DomainId, IncidentId},
    time_range::TimeRange,
};
use time::OffsetDateTime;

pub use self::{
    clock::stamp,
    fold::{fold, in_order},
    outdated::{Changed, anew},
    stop::{close, pause},
    transition::Transition,
};
use crate::{
    finished::FinishedCheck,
    incident::{Failure, IncidentClass, Severity, TimelineEntry},
    monitor::settings::MonitorSettings,
    state::{RegionState, SKEW, StateSpan},
};

/// A region of a domain.
pub type Key = (DomainId, String);

/// A span of a region: where it begins.
pub type SpanKey = (DomainId, String, OffsetDateTime);

/// The stored knowledge before the batch. It has no states that lie ahead of the present.
#[derive(Clone, Debug)]
pub struct Before {
    /// The time by the database's clock.
    pub present: OffsetDateTime,
    /// The settings of the monitors, by domain.
    pub settings: HashMap<DomainId, MonitorSettings>,
    /// The states of all regions of those domains.
    pub states: HashMap<Key, RegionState>,
    /// The last span of each region that checked.
    pub last_spans: HashMap<Key, StateSpan>,
    /// The incident of a domain that is open: there is one at most.
    pub open_incidents: HashMap<DomainId, OpenIncident>,
    /// The regions whose states can't be read. Checks from there are stored, and change no state.
    pub unread_states: HashSet<Key>,
}

impl Before {
    /// Nothing is stored yet at that time.
    #[must_use]
    pub fn at(present: OffsetDateTime) -> Self {
        Self {
            present,
            settings: HashMap::new(),
            states: HashMap::new(),
            last_spans: HashMap::new(),
            open_incidents: HashMap::new(),
            unread_states: HashSet::new(),
        }
    }

    /// The checks of the schedule whose monitor is unknown or can't be read, and when they were due.
    #[must_use]
    pub fn unknown(&self, finished: &[FinishedCheck]) -> Vec<(Key, OffsetDateTime)> {
        finished
            .iter()
            .filter(|done| !self.settings.contains_key(&done.check.domain_id))
            .filter_map(|done| Some(((done.check.domain_id, done.check.region.clone()), done.due_at?)))
            .collect()
    }

    /// Moves the confirmation of open incidents to the present if the clock that confirmed them was ahead of it, and returns
    /// their ids.
    pub fn bring_back(&mut self) -> Vec<IncidentId> {
        let present = self.present;
        self.open_incidents
            .values_mut()
            .filter(|open| open.confirmed_at > present + SKEW)
            .map(|open| {
                open.confirmed_at = present;
                open.id
            })
            .collect()
    }
}

/// An incident that has not ended.
#[derive(Clone, Copy, Debug)]
pub struct OpenIncident {
    /// The incident that goes on.
    pub id: IncidentId,
    /// Whether the prober alone is blocked.
    pub is_blocked: bool,
    /// The check that confirmed it.
    pub confirmed_at: OffsetDateTime,
}

/// An incident that began, and may have ended since.
#[derive(Debug, PartialEq)]
pub struct Opened {
    /// The incident.
    pub id: IncidentId,
    /// The domain whose site has it.
    pub domain: DomainId,
    /// How bad it is.
    pub severity: Severity,
    /// The class of its first failing check.
    pub class: IncidentClass,
    /// Its first failing check.
    pub started_at: OffsetDateTime,
    /// The check that confirmed it.
    pub confirmed_at: OffsetDateTime,
    /// Its end, where that is in the same batch.
    pub resolved_at: Option<OffsetDateTime>,
    /// Its first failing check.
    pub failure: Option<Failure>,
}

/// The part that checks added to an incident.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Growth {
    /// How many of them failed.
    pub checks_failed: u32,
    /// Whether one of them failed within a maintenance window.
    pub during_maintenance: bool,
}

/// When a check that was due at one time is due next.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// The region that checks.
    pub key: Key,
    /// When it was due.
    pub due_at: OffsetDateTime,
    /// When it is due next.
    pub next_at: OffsetDateTime,
}

/// The changes that the batch makes, to be stored.
#[derive(Debug, Default)]
pub struct After {
    /// The states of the regions that checked.
    pub states: HashMap<Key, RegionState>,
    /// New spans, and those that grew or were cut.
    pub spans: HashMap<SpanKey, StateSpan>,
    /// Ranges that a region has seen again. Spans that begin after the beginning of such a range, and lie in it, are deleted.
    pub superseded: Vec<(Key, TimeRange)>,
    /// The moments from which suspect and pending spans of a region are downtime.
    pub confirmed: Vec<(Key, OffsetDateTime)>,
    /// The incidents that began.
    pub opened: Vec<Opened>,
    /// When incidents ended that were open before.
    pub resolved: Vec<(IncidentId, OffsetDateTime)>,
    /// How incidents grew, those that began included.
    pub growth: HashMap<IncidentId, Growth>,
    /// The course of incidents, in order.
    pub events: Vec<(IncidentId, TimelineEntry)>,
    /// When the checks of the schedule are due next.
    pub slots: Vec<Slot>,
    /// Checks that come no later than this.
    pub sooner: Vec<(Key, OffsetDateTime)>,
}
