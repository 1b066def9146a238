//! The knowledge of a site: its monitor, and what its regions found.

use pharos_domain::{ids::IncidentId, window::DateRange};
use time::OffsetDateTime;

use crate::{
    incident::Severity,
    monitor::{Monitor, settings::MonitorSettings},
    state::{RegionState, StateSpan},
};

/// A site as it is known: its monitor, and what its regions found.
#[derive(Clone, Debug)]
pub struct MonitorKnowledge {
    /// The settings by which it is checked, and since when.
    pub monitor: Monitor,
    /// Its regions: what they know, and when they check next.
    pub regions: Vec<RegionKnowledge>,
    /// The spans of all regions, by start.
    pub spans: Vec<StateSpan>,
    /// The incidents that reach into the time of the spans.
    pub incidents: Vec<IncidentSpan>,
    /// When the registration of the domain's name ends.
    pub registration_ends_at: Option<OffsetDateTime>,
}

impl MonitorKnowledge {
    /// The incident that is open: of a domain there is one at most.
    #[must_use]
    pub fn open_incident(&self) -> Option<&IncidentSpan> {
        self.incidents
            .iter()
            .find(|incident| incident.resolved_at.is_none())
    }

    /// The state of the region whose check is the newest.
    #[must_use]
    pub fn newest(&self) -> Option<&RegionState> {
        let states = self.regions.iter().filter_map(|region| region.state.as_ref());
        states.max_by_key(|state| state.last_check_at)
    }

    /// The end of the certificate that the newest check saw.
    #[must_use]
    pub fn certificate_ends_at(&self) -> Option<OffsetDateTime> {
        self.newest()?.certificate_valid_until
    }

    /// When the next check is due; `None` while the monitor is not enabled.
    #[must_use]
    pub fn next_check_at(&self) -> Option<OffsetDateTime> {
        let due = self.regions.iter().filter_map(|region| region.next_check_at);
        due.min().filter(|_| self.monitor.settings.enabled)
    }

    /// The failing checks up to now, in the region that has the most.
    #[must_use]
    pub fn consecutive_failures(&self) -> u32 {
        let states = self.regions.iter().filter_map(|region| region.state.as_ref());
        states.map(|state| state.consecutive_failures).max().unwrap_or(0)
    }

    /// Up to when the figures of a window are complete: what is known of the regions that are requested, or the end of the
    /// window.
    #[must_use]
    pub fn data_through(
        &self,
        region: Option<&str>,
        window: DateRange,
        now: OffsetDateTime,
    ) -> Option<OffsetDateTime> {
        self.checked_through(region, now)
            .map(|through| through.min(window.end()))
    }

    /// Up to when it is known what the regions that check now found: the last check of the one that is furthest behind,
    /// of `region` alone where one is named. Where none checks now, the last of all. `None` before the first.
    #[must_use]
    pub fn checked_through(&self, region: Option<&str>, now: OffsetDateTime) -> Option<OffsetDateTime> {
        let asked = self
            .regions
            .iter()
            .filter(|known| region.is_none_or(|region| known.region == region));
        let checked = |known: &RegionKnowledge| Some(known.state.as_ref()?.last_check_at);
        let active = asked
            .clone()
            .filter(|known| known.is_active(&self.monitor.settings, now));
        let last = active.filter_map(checked).min();
        last.or_else(|| asked.filter_map(checked).max())
            .map(|at| at.min(now))
    }
}

/// When an incident was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IncidentSpan {
    /// The incident that it is the time of.
    pub id: IncidentId,
    /// How bad it is.
    pub severity: Severity,
    /// Its first failing check.
    pub started_at: OffsetDateTime,
    /// Its first passing check; `None` while it goes on.
    pub resolved_at: Option<OffsetDateTime>,
}

/// A site as one region knows it.
#[derive(Clone, Debug)]
pub struct RegionKnowledge {
    /// The key of the region.
    pub region: String,
    /// The state of the site; `None` before its first check.
    pub state: Option<RegionState>,
    /// When it checks next.
    pub next_check_at: Option<OffsetDateTime>,
}

impl RegionKnowledge {
    /// Whether the region checks the site now: its last check, or where there is none the time of its first, lies two
    /// intervals back at most.
    #[must_use]
    pub fn is_active(&self, settings: &MonitorSettings, now: OffsetDateTime) -> bool {
        let checked = self.state.as_ref().filter(|state| state.paused_at.is_none());
        let until = checked
            .map(|state| state.holds_until(settings))
            .or_else(|| self.next_check_at.map(|first| first + settings.interval() * 2));
        settings.enabled && until.is_some_and(|until| now <= until)
    }
}

#[cfg(test)]
mod tests {
    use time::Duration;

    use super::*;
    use crate::fixture::{NOW, knowledge};

    /// Both check now; a third has been silent for an hour and keeps nobody waiting.
    #[test]
    fn it_is_known_what_the_region_furthest_behind_has_found() {
        let known = knowledge(&[("asia", 3_600), ("eu", 5), ("us", 50)]);
        let ago = |seconds| Some(NOW - Duration::seconds(seconds));
        assert_eq!(known.checked_through(None, NOW), ago(50));
        assert_eq!(known.checked_through(Some("eu"), NOW), ago(5));
        assert_eq!(known.checked_through(Some("asia"), NOW), ago(3_600));
        assert_eq!(known.checked_through(Some("mars"), NOW), None);
        let later = NOW + Duration::HOUR;
        assert_eq!(known.checked_through(None, later), ago(5), "none checks any more");
    }

    /// Its clock may be ahead of this node's.
    #[test]
    fn nothing_is_known_of_what_is_to_come() {
        assert_eq!(knowledge(&[("eu", -3)]).checked_through(None, NOW), Some(NOW));
        assert_eq!(knowledge(&[]).checked_through(None, NOW), None);
    }

    #[test]
    fn figures_are_complete_until_the_window_ends() {
        let known = knowledge(&[("eu", 5)]);
        let window = |day| DateRange::new(day, day).unwrap();
        let today = NOW.date();
        let through = |day| known.data_through(None, window(day), NOW);
        assert_eq!(through(today), Some(NOW - Duration::seconds(5)));
        let yesterday = today - Duration::DAY;
        assert_eq!(through(yesterday), Some(window(yesterday).end()));
        assert_eq!(knowledge(&[]).data_through(None, window(today), NOW), None);
    }

    #[test]
    fn the_newest_check_says_what_the_certificate_is() {
        let mut known = knowledge(&[("eu", 50), ("us", 5)]);
        for (at, region) in known.regions.iter_mut().enumerate() {
            let days = Duration::days(30 + i64::try_from(at).unwrap());
            region.state.as_mut().unwrap().certificate_valid_until = Some(NOW + days);
            region.next_check_at = Some(NOW + days);
        }
        assert_eq!(known.certificate_ends_at(), Some(NOW + Duration::days(31)));
        assert_eq!(known.next_check_at(), Some(NOW + Duration::days(30)));
        known.monitor.settings.enabled = false;
        assert_eq!(known.next_check_at(), None);
    }
}
