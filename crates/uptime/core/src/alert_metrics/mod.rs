//! The metrics of uptime that rules may watch, and their values.

mod catalogue;
#[cfg(test)]
mod tests;

use std::{collections::HashMap, fmt, sync::Arc};

use async_trait::async_trait;
use pharos_domain::{
    alert_metric::{MetricAnswer, MetricQuery, MetricSource, MetricValue, ModuleMetrics, Reading, Window},
    ids::DomainId,
    ports::{MissingPort, Ports},
    store::StoreError,
    time_range::TimeRange,
};
use serde_json::{Map, json};
use time::OffsetDateTime;

pub use self::catalogue::{CATALOGUE, CERTIFICATE_CHANGED, INCIDENT_CHANGED, REGISTRATION_CHANGED};
use crate::{availability::past::Past, knowledge::MonitorKnowledge, probe::ErrorClass, state::RegionState};

/// Reads what metrics are made from, for many sites at once.
#[async_trait]
pub trait MetricStore: Send + Sync {
    /// What is known of sites, with their spans and incidents since the given moments. Sites without a monitor, and those of
    /// deleted domains, are left out. The number of statements does not depend on that of sites.
    async fn known(
        &self,
        sites: &HashMap<DomainId, OffsetDateTime>,
    ) -> Result<HashMap<DomainId, MonitorKnowledge>, StoreError>;

    /// What the checks of sites come to over time ranges, one answer each, in their order.
    async fn times(&self, asked: &[(DomainId, TimeRange)]) -> Result<Vec<MeanTimes>, StoreError>;
}

/// How long answers took, over those of all regions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeanTimes {
    /// How many checks there were, failed ones included.
    pub checks: u64,
    /// The mean time of answers in milliseconds.
    pub response_ms: Option<f64>,
    /// The mean time to their first byte in milliseconds.
    pub ttfb_ms: Option<f64>,
}

/// The values of the metrics of uptime.
#[derive(Clone)]
pub struct UptimeMetrics {
    store: Arc<dyn MetricStore>,
}

impl fmt::Debug for UptimeMetrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UptimeMetrics").finish_non_exhaustive()
    }
}

impl UptimeMetrics {
    /// The metrics, read through the ports.
    ///
    /// # Errors
    /// Nobody implements [`MetricStore`].
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self { store: ports.get()? })
    }
}

#[async_trait]
impl MetricSource for UptimeMetrics {
    fn metrics(&self) -> ModuleMetrics {
        catalogue::CATALOGUE
    }

    async fn read(
        &self,
        queries: &[MetricQuery],
        now: OffsetDateTime,
    ) -> Result<Vec<MetricAnswer>, StoreError> {
        let mut since: HashMap<DomainId, OffsetDateTime> = HashMap::new();
        let mut timed = Vec::new();
        for query in queries {
            timed.extend(timed_ranges(query).map(|range| (query.domain, range)));
            let earliest = since.entry(query.domain).or_insert(now);
            if !is_time(query.metric.name) {
                let begins = query.windows.iter().filter_map(range).map(|range| range.from);
                *earliest = begins.fold(*earliest, OffsetDateTime::min);
            }
        }
        let known = self.store.known(&since).await?;
        let times = if timed.is_empty() {
            Vec::new()
        } else {
            self.store.times(&timed).await?
        };
        let pasts: HashMap<DomainId, Past<'_>> = known
            .iter()
            .map(|(domain, known)| (*domain, Past::new(known, now)))
            .collect();
        let mut times = times.into_iter();
        let answers = queries.iter().map(|query| {
            let site = known.get(&query.domain).zip(pasts.get(&query.domain));
            // The times were asked for in the order of queries, whether there is a site or not.
            let times = times.by_ref().take(timed_ranges(query).count()).collect();
            site.map_or_else(
                || MetricAnswer {
                    values: vec![MetricValue::default(); query.windows.len()],
                    ..MetricAnswer::default()
                },
                |(known, past)| Site { known, past, now }.answer(query, times),
            )
        });
        Ok(answers.collect())
    }
}

fn range(window: &Window) -> Option<TimeRange> {
    match window {
        Window::Latest => None,
        Window::Over(range) => Some(*range),
    }
}

fn is_time(metric: &str) -> bool {
    matches!(metric, "response_ms" | "ttfb_ms")
}

/// The time ranges whose checks a query needs: all of a metric of times, and the first of others where its sample counts.
fn timed_ranges(query: &MetricQuery) -> impl Iterator<Item = TimeRange> {
    let needed = if is_time(query.metric.name) {
        query.windows.len()
    } else {
        usize::from(query.needs_sample)
    };
    query.windows.iter().take(needed).filter_map(range)
}

/// A site at a moment.
struct Site<'a> {
    known: &'a MonitorKnowledge,
    past: &'a Past<'a>,
    now: OffsetDateTime,
}

impl Site<'_> {
    fn answer(&self, query: &MetricQuery, times: Vec<MeanTimes>) -> MetricAnswer {
        let mut times = times.into_iter();
        let name = query.metric.name;
        let values = query.windows.iter().map(|window| match range(window) {
            Some(_) if is_time(name) => times
                .next()
                .map_or_else(MetricValue::default, |times| timed(name, times)),
            Some(range) => MetricValue {
                reading: self.over(name, range),
                sample: times.next().map(|times| times.checks),
            },
            None => MetricValue {
                reading: self.now(name),
                sample: None,
            },
        });
        let values = values.collect();
        let mut context = Map::new();
        if let Some(open) = self.known.open_incident() {
            context.insert("incident_id".to_owned(), json!(open.id));
        }
        let settings = &self.known.monitor.settings;
        let mut windows = settings.maintenance_windows.iter();
        MetricAnswer {
            values,
            context,
            is_silenced: !settings.enabled || windows.any(|window| window.covering(self.now).is_some()),
        }
    }

    /// A metric that is measured over time.
    fn over(&self, name: &str, range: TimeRange) -> Reading {
        // Nothing is known of the time before the monitor was there.
        if range.until <= self.known.monitor.created_at {
            return Reading::NoData;
        }
        match name {
            "uptime_pct" => Reading::of(self.past.availability(range).uptime_pct()),
            "incident_count" => {
                let begun = self
                    .known
                    .incidents
                    .iter()
                    .filter(|incident| range.contains(incident.started_at));
                Reading::of(u32::try_from(begun.count()).ok().map(f64::from))
            }
            _ => Reading::NoData,
        }
    }

    /// A metric as it stands now.
    fn now(&self, name: &str) -> Reading {
        let settings = &self.known.monitor.settings;
        let judged = || {
            let states = self
                .known
                .regions
                .iter()
                .filter_map(|region| region.state.as_ref());
            states.filter(|state| {
                settings.enabled && state.paused_at.is_none() && self.now <= state.holds_until(settings)
            })
        };
        let most = |figure: fn(&RegionState) -> u32| Reading::of(judged().map(figure).max().map(f64::from));
        let count = |holds: fn(&RegionState) -> bool| {
            let known = judged().count() > 0;
            let found = u32::try_from(judged().filter(|state| holds(state)).count()).ok();
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
                judged()
                    .max_by_key(|state| state.last_check_at)
                    .and_then(RegionState::passed_in_ms),
            ),
            "incident_duration_seconds" => self.known.open_incident().map_or(Reading::Nothing, |open| {
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

    /// Whole days, as the API tells them.
    fn days_until(&self, at: OffsetDateTime) -> f64 {
        ((at - self.now).as_seconds_f64() / 86_400.0).floor()
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
