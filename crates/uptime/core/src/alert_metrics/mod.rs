//! The metrics of uptime that rules may watch, and their values.

mod catalogue;
mod parts;
mod site;
#[cfg(test)]
mod tests;

use std::{
    collections::{HashMap, HashSet},
    fmt,
    panic::resume_unwind,
    sync::Arc,
};

use async_trait::async_trait;
use pharos_domain::{
    alert_metric::{
        Attention, MetricAnswer, MetricQuery, MetricSource, MetricValue, MetricWindow, ModuleMetrics,
    },
    ids::DomainId,
    ports::{MissingPort, Ports},
    store::StoreError,
    time_range::TimeRange,
};
use time::OffsetDateTime;
use tokio::task::spawn_blocking;

pub use self::catalogue::{CATALOGUE, CERTIFICATE_CHANGED, INCIDENT_CHANGED, REGISTRATION_CHANGED};
use self::{parts::parts, site::Site};
use crate::{knowledge::MonitorKnowledge, monitor::settings::MonitorSettings};

/// Reads what metrics are made from, for many sites at once.
#[async_trait]
pub trait MetricStore: Send + Sync {
    /// The state of sites, with their spans and incidents since the given moments. Sites without a monitor, and those of
    /// deleted domains, are left out. The number of statements does not depend on that of sites.
    async fn known(
        &self,
        sites: &HashMap<DomainId, OffsetDateTime>,
    ) -> Result<HashMap<DomainId, MonitorKnowledge>, StoreError>;

    /// The settings of the monitors of sites, in one statement. The same sites are left out.
    async fn settings(&self, sites: &[DomainId]) -> Result<HashMap<DomainId, MonitorSettings>, StoreError>;

    /// The mean times of the checks of sites over time ranges, one answer each, in their order.
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

impl UptimeMetrics {
    /// Answers queries about few sites.
    async fn read_part(
        &self,
        queries: Vec<MetricQuery>,
        now: OffsetDateTime,
    ) -> Result<Vec<MetricAnswer>, StoreError> {
        let asked = Asked::of(&queries, now);
        let known = self.store.known(&asked.since).await?;
        let times = if asked.times.is_empty() {
            Vec::new()
        } else {
            self.store.times(&asked.times).await?
        };
        let summing = spawn_blocking(move || answers(&queries, &known, &asked.answered(times), now));
        summing.await.map_err(|ended| match ended.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            Err(stopped) => StoreError::Failed(Box::new(stopped)),
        })
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
        let mut answers = vec![MetricAnswer::default(); queries.len()];
        for part in parts(queries, now) {
            let (places, queries): (Vec<usize>, Vec<MetricQuery>) = part.into_iter().unzip();
            for (place, found) in places.into_iter().zip(self.read_part(queries, now).await?) {
                if let Some(answer) = answers.get_mut(place) {
                    *answer = found;
                }
            }
        }
        Ok(answers)
    }

    async fn attention(
        &self,
        domains: &[DomainId],
        now: OffsetDateTime,
    ) -> Result<HashMap<DomainId, Attention>, StoreError> {
        let settings = self.store.settings(domains).await?;
        Ok(settings
            .into_iter()
            .map(|(domain, settings)| (domain, site::attention_of_all(&settings, now)))
            .collect())
    }
}

/// All that queries need to know, each thing once.
#[derive(Default)]
struct Asked {
    /// How far back the spans and incidents of each site are needed.
    since: HashMap<DomainId, OffsetDateTime>,
    /// The ranges of which the checks are needed.
    times: Vec<(DomainId, TimeRange)>,
}

impl Asked {
    fn of(queries: &[MetricQuery], now: OffsetDateTime) -> Self {
        let mut asked = Self::default();
        let mut seen = HashSet::new();
        for query in queries {
            let timed = timed_ranges(query).map(|range| (query.domain, range));
            asked.times.extend(timed.filter(|timed| seen.insert(*timed)));
            let earliest = asked.since.entry(query.domain).or_insert(now);
            if !is_time(query.metric.name) {
                let begins = query.windows.iter().filter_map(range).map(|range| range.from);
                *earliest = begins.fold(*earliest, OffsetDateTime::min);
            }
        }
        asked
    }

    fn answered(&self, times: Vec<MeanTimes>) -> Times {
        self.times.iter().copied().zip(times).collect()
    }
}

/// The mean times of the checks of sites.
type Times = HashMap<(DomainId, TimeRange), MeanTimes>;

/// One answer a query. It may take long: a site that flaps has hundreds of thousands of spans.
fn answers(
    queries: &[MetricQuery],
    known: &HashMap<DomainId, MonitorKnowledge>,
    times: &Times,
    now: OffsetDateTime,
) -> Vec<MetricAnswer> {
    let mut shares: HashMap<DomainId, HashSet<TimeRange>> = HashMap::new();
    for query in queries.iter().filter(|query| query.metric.name == UPTIME_PCT) {
        let ranges = query.windows.iter().filter_map(range);
        shares.entry(query.domain).or_default().extend(ranges);
    }
    let sites: HashMap<DomainId, Site<'_>> = known
        .iter()
        .map(|(domain, known)| {
            let ranges = shares.remove(domain).unwrap_or_default();
            (*domain, Site::new(known, ranges, now))
        })
        .collect();
    let unknown = |query: &MetricQuery| MetricAnswer {
        values: vec![MetricValue::default(); query.windows.len()],
        ..MetricAnswer::default()
    };
    let answer = |query: &MetricQuery| match sites.get(&query.domain) {
        Some(site) => site.answer(query, times),
        None => unknown(query),
    };
    queries.iter().map(answer).collect()
}

fn range(window: &MetricWindow) -> Option<TimeRange> {
    match window {
        MetricWindow::Latest => None,
        MetricWindow::Over(range) => Some(*range),
    }
}

const UPTIME_PCT: &str = "uptime_pct";

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
