//! From the settings of a monitor to those that take their place: how the schedule and what is known follow.

use pharos_domain::ids::DomainId;
use time::OffsetDateTime;

use super::Key;
use crate::{monitor::settings::MonitorSettings, slots, state::RECHECK};

/// Settings that take the place of others.
#[derive(Clone, Copy, Debug)]
pub struct Transition<'a> {
    /// The domain of the monitor.
    pub domain: DomainId,
    /// The settings until now; `None` where the monitor is new.
    pub before: Option<&'a MonitorSettings>,
    /// The settings from now on.
    pub after: &'a MonitorSettings,
    /// Whether the domain is live: one that is deleted has no place on the schedule.
    pub is_live: bool,
}

impl<'a> Transition<'a> {
    /// The settings of before, where the maintenance windows change: spans are closed under them first, so that the past
    /// keeps the maintenance that it had.
    #[must_use]
    pub fn closes_under(&self) -> Option<&'a MonitorSettings> {
        self.watched_until_now().filter(|before| {
            self.after.enabled && before.maintenance_windows != self.after.maintenance_windows
        })
    }

    /// Where regions stop to observe the site: the settings that they did it with, and the regions that go on. Another URL is
    /// another site to all of them: nothing is known of it before its first check.
    #[must_use]
    pub fn paused(&self) -> Option<(&'a MonitorSettings, &'a [String])> {
        let before = self.watched_until_now()?;
        let is_another_site = before.url != self.after.url;
        let left = if is_another_site { &[] } else { self.watching() };
        let stops = !self.after.enabled || before.regions.iter().any(|region| !left.contains(region));
        stops.then_some((before, left))
    }

    /// The regions that are on the schedule from now on.
    #[must_use]
    pub fn scheduled(&self) -> &'a [String] {
        if self.is_live { self.watching() } else { &[] }
    }

    /// The latest times of the next checks: soon where a check asks or judges otherwise than before; with another interval,
    /// its first slots.
    #[must_use]
    pub fn sooner(&self, now: OffsetDateTime) -> Vec<(Key, OffsetDateTime)> {
        let interval = self.after.interval();
        let Some(before) = self.before else {
            return Vec::new();
        };
        let is_judged_otherwise = !before.checks_as(self.after);
        if before.interval() == interval && !is_judged_otherwise {
            return Vec::new();
        }
        let slot = |region: &String| {
            let at = if is_judged_otherwise {
                now + RECHECK
            } else {
                slots::next_after(now, self.domain, region, interval)
            };
            ((self.domain, region.clone()), at)
        };
        self.after.regions.iter().map(slot).collect()
    }

    /// The regions that may hold a claim from before, or have something new to claim. Settings that are the same as before
    /// concern nobody.
    #[must_use]
    pub fn concerned(&self) -> Vec<String> {
        if self.before == Some(self.after) {
            return Vec::new();
        }
        let before = self.before.map_or(&[][..], |before| &before.regions);
        [before, &self.after.regions].concat()
    }

    fn watched_until_now(&self) -> Option<&'a MonitorSettings> {
        self.before.filter(|before| before.enabled)
    }

    fn watching(&self) -> &'a [String] {
        if self.after.enabled {
            &self.after.regions
        } else {
            &[]
        }
    }
}

#[cfg(test)]
mod tests {
    use pharos_domain::ids::MaintenanceWindowId;
    use time::Duration;

    use super::*;
    use crate::{
        fixture::NOW,
        monitor::maintenance::{MaintenanceWindow, Recurrence},
    };

    fn settings(regions: &[&str]) -> MonitorSettings {
        let regions: Vec<String> = regions.iter().map(|region| (*region).to_owned()).collect();
        MonitorSettings::defaults(&"shop.example".parse().unwrap(), &regions)
    }

    fn transition<'a>(before: Option<&'a MonitorSettings>, after: &'a MonitorSettings) -> Transition<'a> {
        Transition {
            domain: DomainId::generate(),
            before,
            after,
            is_live: true,
        }
    }

    #[test]
    fn a_new_monitor_is_scheduled_and_ends_nothing() {
        let after = settings(&["eu", "us"]);
        let new = transition(None, &after);
        assert!(new.closes_under().is_none() && new.paused().is_none());
        assert_eq!(new.scheduled(), ["eu", "us"]);
        assert_eq!(new.sooner(NOW), []);
        assert_eq!(new.concerned(), ["eu", "us"]);
        let deleted = Transition {
            is_live: false,
            ..new
        };
        assert!(deleted.scheduled().is_empty());
    }

    #[test]
    fn a_region_that_is_removed_stops_and_the_others_go_on() {
        let (before, after) = (settings(&["eu", "us"]), settings(&["us", "asia"]));
        let changed = transition(Some(&before), &after);
        let (by, left) = changed.paused().unwrap();
        assert_eq!((by, left), (&before, &after.regions[..]));
        assert_eq!(changed.concerned(), ["eu", "us", "us", "asia"]);
        let grown = settings(&["eu", "us", "asia"]);
        assert!(transition(Some(&before), &grown).paused().is_none());
    }

    #[test]
    fn a_monitor_that_is_disabled_stops_all_regions_once() {
        let before = settings(&["eu"]);
        let disabled = MonitorSettings {
            enabled: false,
            ..before.clone()
        };
        let paused = transition(Some(&before), &disabled);
        assert!(paused.paused().is_some_and(|(_, left)| left.is_empty()));
        assert!(paused.scheduled().is_empty());
        assert!(transition(Some(&disabled), &disabled).paused().is_none());
    }

    #[test]
    fn other_maintenance_closes_what_was_observed_of_a_monitor_that_stays_enabled() {
        let before = settings(&["eu"]);
        let after = MonitorSettings {
            maintenance_windows: vec![MaintenanceWindow {
                id: MaintenanceWindowId::generate(),
                name: "Upgrade".to_owned(),
                starts_at: NOW,
                ends_at: NOW + Duration::HOUR,
                recurrence: Recurrence::None,
                weekdays: Vec::new(),
                timezone: "UTC".to_owned(),
            }],
            ..before.clone()
        };
        assert_eq!(transition(Some(&before), &after).closes_under(), Some(&before));
        assert_eq!(transition(Some(&before), &before).closes_under(), None);
        let disabled = MonitorSettings {
            enabled: false,
            ..after
        };
        assert_eq!(transition(Some(&before), &disabled).closes_under(), None);
        assert_eq!(transition(Some(&disabled), &before).closes_under(), None);
    }

    #[test]
    fn another_interval_lets_the_next_checks_come_by_its_first_slots() {
        let before = settings(&["eu"]);
        let after = MonitorSettings {
            interval_seconds: 30,
            ..before.clone()
        };
        let changed = transition(Some(&before), &after);
        let sooner = changed.sooner(NOW);
        let [((domain, region), at)] = &sooner[..] else {
            panic!("one region: {sooner:?}");
        };
        assert_eq!((*domain, region.as_str()), (changed.domain, "eu"));
        assert!(NOW < *at && *at <= NOW + Duration::seconds(30));
        assert_eq!(transition(Some(&before), &before).sooner(NOW), []);
    }

    /// A new URL is another site: it is pending until its first check, which comes soon. Other codes judge the same site.
    #[test]
    fn what_is_asked_or_judged_otherwise_is_checked_soon() {
        let before = settings(&["eu"]);
        let mut after = before.clone();
        after.expected_status_codes = vec!["201".to_owned()];
        let judged = transition(Some(&before), &after);
        assert!(judged.paused().is_none());
        let [(_, at)] = judged.sooner(NOW)[..] else {
            panic!("one region");
        };
        assert_eq!(at, NOW + RECHECK);
        after.url = "https://shop.example/new".to_owned();
        let moved = transition(Some(&before), &after);
        assert_eq!(moved.paused(), Some((&before, &[][..])));
        assert_eq!(moved.scheduled(), ["eu"]);
        let mut named = before.clone();
        named.sla_target_pct = Some(99.0);
        assert_eq!(transition(Some(&before), &named).sooner(NOW), []);
    }
}
