//! A site at a moment, and what it answers.

use std::collections::HashMap;

use pharos_domain::{
    alert_metric::{Attention, MetricAnswer, MetricQuery, MetricValue, Reading},
    time_range::TimeRange,
};
use serde_json::{Map, json};
use time::OffsetDateTime;

use super::{MeanTimes, Times, UPTIME_PCT, catalogue::LONGEST_OVER, is_time, range};
use crate::{
    availability::{Availability, past::Past},
    error_class::ErrorClass,
    knowledge::{IncidentSpan, MonitorKnowledge},
    monitor::settings::MonitorSettings,
    state::RegionState,
};

/// The attention that a site with a monitor gets from the rules of uptime: while that is paused nobody watches it.
fn attention(settings: &MonitorSettings, now: OffsetDateTime) -> Attention {
    if settings.enabled {
        attention_of_all(settings, now)
    } else {
        Attention::Paused
    }
}

/// The attention that it gets from the rules of all modules. Work on the site is announced to all of them, so a paused monitor
/// takes nothing of that back.
pub(super) fn attention_of_all(settings: &MonitorSettings, now: OffsetDateTime) -> Attention {
    let mut windows = settings.maintenance_windows.iter();
    if windows.any(|window| window.covering(now).is_some()) {
        Attention::Silenced
    } else if settings.enabled {
        Attention::Watched
    } else {
        Attention::Paused
    }
}

/// The metrics of which somebody will ask why the site fails.
const FAILURES: [&str; 7] = [
    "consecutive_failures",
    UPTIME_PCT,
    "incident_count",
    "incident_duration_seconds",
    "blocked_403",
    "regions_down",
    "ssl_invalid",
];

/// A site at a moment: all that takes going through its past is made once, however many queries there are.
pub(super) struct Site<'a> {
    known: &'a MonitorKnowledge,
    open_incident: Option<&'a IncidentSpan>,
    /// When its incidents began, ascending.
    begun: Vec<OffsetDateTime>,
    /// Its availability in percent over each range that is requested.
    uptime_pct: HashMap<TimeRange, Option<f64>>,
    attention: Attention,
    now: OffsetDateTime,
}

impl<'a> Site<'a> {
    /// The site, with its availability over `ranges`.
    pub(super) fn new(
        known: &'a MonitorKnowledge,
        ranges: impl IntoIterator<Item = TimeRange>,
        now: OffsetDateTime,
    ) -> Self {
        let ranges: Vec<TimeRange> = ranges.into_iter().collect();
        let sums = if ranges.is_empty() {
            Vec::new()
        } else {
            Past::new(known, now).availabilities(&ranges)
        };
        let mut begun: Vec<_> = known
            .incidents
            .iter()
            .map(|incident| incident.started_at)
            .collect();
        begun.sort_unstable();
        Self {
            known,
            open_incident: known.open_incident(),
            begun,
            uptime_pct: ranges
                .into_iter()
                .zip(sums.into_iter().map(Availability::uptime_pct))
                .collect(),
            attention: attention(&known.monitor.settings, now),
            now,
        }
    }

    pub(super) fn answer(&self, query: &MetricQuery, times: &Times) -> MetricAnswer {
        let name = query.metric.name;
        let values = query.windows.iter().zip(0..).map(|(window, number)| {
            let Some(range) = range(window) else {
                return MetricValue {
                    reading: self.now(name),
                    sample: None,
                };
            };
            let times = times.get(&(query.domain, range));
            if is_time(name) {
                return times.map_or_else(MetricValue::default, |times| timed(name, *times));
            }
            MetricValue {
                reading: self.over(name, range),
                // Nobody asked for that of the past, though another query may have.
                sample: times
                    .filter(|_| query.needs_sample && number == 0)
                    .map(|times| times.checks),
            }
        });
        let values = values.collect();
        let mut context = Map::new();
        if let Some(open) = self.open_incident {
            context.insert("incident_id".to_owned(), json!(open.id));
        }
        if let Some(reason) = self.last_error().filter(|_| FAILURES.contains(&name)) {
            context.insert("reason".to_owned(), json!(reason));
        }
        MetricAnswer {
            values,
            context,
            attention: self.attention,
            ..MetricAnswer::default()
        }
    }

    /// A metric that is measured over time.
    fn over(&self, name: &str, range: TimeRange) -> Reading {
        // Nothing is known of the time before the monitor was there.
        if range.until <= self.known.monitor.created_at {
            return Reading::NoData;
        }
        match name {
            UPTIME_PCT => Reading::of(self.uptime_pct.get(&range).copied().flatten()),
            "incident_count" => {
                let before = |moment| self.begun.partition_point(|begun| *begun < moment);
                let begun = before(range.until).saturating_sub(before(range.from));
                Reading::of(u32::try_from(begun).ok().map(f64::from))
            }
            _ => Reading::NoData,
        }
    }

    /// The states of the regions whose last check is recent enough to count.
    fn judged(&self) -> impl Iterator<Item = &RegionState> {
        let (settings, now) = (&self.known.monitor.settings, self.now);
        let regions = self.known.regions.iter();
        let states = regions.filter_map(|region| region.state.as_ref());
        states.filter(move |state| settings.enabled && state.holds(settings, now))
    }

    /// Why the newest check failed that did, of those that are the last of their regions.
    fn last_error(&self) -> Option<&str> {
        let failing = self.judged().filter(|state| state.last_error_message.is_some());
        let newest = failing.max_by_key(|state| state.last_check_at)?;
        newest.last_error_message.as_deref()
    }

    /// A metric as it stands now.
    fn now(&self, name: &str) -> Reading {
        let most =
            |figure: fn(&RegionState) -> u32| Reading::of(self.judged().map(figure).max().map(f64::from));
        let count = |holds: fn(&RegionState) -> bool| {
            let known = self.judged().count() > 0;
            let found = u32::try_from(self.judged().filter(|state| holds(state)).count()).ok();
            Reading::of(found.filter(|_| known).map(f64::from))
        };
        match name {
            "consecutive_failures" => most(|state| state.consecutive_failures),
            "blocked_403" => most(|state| state.consecutive_forbidden),
            "regions_down" => count(|state| state.is_down),
            "ssl_invalid" => count(|state| {
                matches!(
                    state.last_error_class,
                    Some(ErrorClass::TlsExpired | ErrorClass::TlsNameMismatch | ErrorClass::TlsUntrusted)
                )
            }),
            "response_ms" => Reading::of(
                self.judged()
                    .max_by_key(|state| state.last_check_at)
                    .and_then(RegionState::passed_in_ms),
            ),
            "incident_duration_seconds" => self.open_incident.map_or(Reading::Nothing, |open| {
                Reading::of(Some(
                    (self.now - open.started_at).as_seconds_f64().max(0.0).floor(),
                ))
            }),
            "ssl_days_remaining" => {
                Reading::of(self.known.certificate_ends_at().map(|at| self.days_until(at)))
            }
            "domain_days_remaining" => {
                Reading::of(self.known.registration_ends_at.map(|at| self.days_until(at)))
            }
            _ => Reading::NoData,
        }
    }

    /// Whole days, as the API tells them, but for what is over for longer than anybody counts.
    fn days_until(&self, at: OffsetDateTime) -> f64 {
        let days = ((at - self.now).as_seconds_f64() / 86_400.0).floor();
        days.max(-LONGEST_OVER)
    }
}

fn timed(name: &str, times: MeanTimes) -> MetricValue {
    let mean = if name == "ttfb_ms" {
        times.ttfb_ms
    } else {
        times.response_ms
    };
    MetricValue {
        reading: Reading::of(mean),
        sample: Some(times.checks),
    }
}
