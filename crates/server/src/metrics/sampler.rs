//! Records what is only known when somebody looks: pools, queues, the process. Not at each scrape, so that a flood of
//! those costs nothing but its answers.

use std::{sync::Arc, time::Duration};

use futures_util::future::{BoxFuture, try_join};
use metrics::{Gauge, Unit, describe_gauge, gauge};
use metrics_exporter_prometheus::PrometheusHandle;
use metrics_process::Collector;
use pharos_domain::store::StoreError;
use pharos_ingest::collector::Collector as BeaconCollector;
use pharos_metering::credits::queues::Queues;
use pharos_persistence::{
    group::{DayQuota, DueKind},
    jobs::backlog::Backlog,
    listener::Listener,
    pool::Database,
};
use time::OffsetDateTime;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::groups::{day_quotas, due_kinds};

/// How often figures are sampled. Until then the recorder also keeps every value that histograms were told.
const EVERY: Duration = Duration::from_secs(5);
/// How often the database is asked.
const ASK_EVERY: Duration = Duration::from_secs(15);
/// How long it has to answer.
const ANSWER_WITHIN: Duration = Duration::from_secs(3);

const BUILD_INFO: &str = "pharos_build_info";
const DATABASE_SIZE: &str = "pharos_database_size_bytes";
const JOBS_DUE: &str = "pharos_jobs_due";
const OLDEST_DUE: &str = "pharos_jobs_oldest_due_age_seconds";
const WAITING: &str = "pharos_due_waiting";
const OLDEST_WAITING: &str = "pharos_due_oldest_age_seconds";
const QUOTA_USED: &str = "pharos_upstream_quota_used_ratio";

/// Describes the metrics of this crate and of the process.
pub(super) fn describe() {
    describe_gauge!(
        BUILD_INFO,
        Unit::Count,
        "Always 1; the label is the version of Pharos"
    );
    describe_gauge!(
        DATABASE_SIZE,
        Unit::Bytes,
        "How large the database is, indexes included; the same from every node"
    );
    describe_gauge!(
        JOBS_DUE,
        Unit::Count,
        "Jobs of the whole installation that wait for a worker, 10,000 of a region at most; the same from every node"
    );
    describe_gauge!(
        OLDEST_DUE,
        Unit::Seconds,
        "How long the oldest of these has been due; 0 where there is none"
    );
    describe_gauge!(
        WAITING,
        Unit::Count,
        "Things of the whole installation that are due again and again and that no node has claimed, by kind, 1,000 of a kind (checks: \
         of a region) at most; the same from every node"
    );
    describe_gauge!(
        OLDEST_WAITING,
        Unit::Seconds,
        "How long the oldest of these has been due, by kind; 0 where there is none"
    );
    describe_gauge!(
        QUOTA_USED,
        Unit::Count,
        "Used part of what an upstream grants for its day, by kind (inspections: of the property of which the most were used): 1 is \
         all; the same from every node"
    );
    Collector::default().describe();
}

/// The parts of a node whose figures are sampled.
#[derive(Clone)]
pub struct Sampled {
    /// The database, on the connections of requests.
    pub database: Database,
    /// The database, on the connections of background work.
    pub behind: Database,
    /// Hears of changes.
    pub listener: Arc<Listener>,
    /// The requests that wait to be charged and logged.
    pub queues: Arc<Queues>,
    /// The collector of beacons, and the connections that it stores them by, where the node collects.
    pub collection: Option<(Arc<BeaconCollector>, Database)>,
}

impl std::fmt::Debug for Sampled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sampled").finish_non_exhaustive()
    }
}

#[derive(Clone)]
pub(super) struct Sampler {
    recorder: PrometheusHandle,
    sampled: Sampled,
    process: Collector,
    size: Gauge,
    due: Gauge,
    oldest: Gauge,
    kinds: Vec<Waiting>,
    quotas: Vec<(DayQuota, Gauge)>,
}

/// The gauges of a kind of things that are due again and again.
#[derive(Clone)]
struct Waiting {
    kind: DueKind,
    waiting: Gauge,
    oldest: Gauge,
}

impl Waiting {
    fn of(kind: DueKind) -> Self {
        Self {
            kind,
            waiting: gauge!(WAITING, "kind" => kind.name),
            oldest: gauge!(OLDEST_WAITING, "kind" => kind.name),
        }
    }

    /// Sets both; to NaN where the database did not answer.
    fn set(&self, backlog: Option<Backlog>) {
        let (due, age) = figures(backlog);
        self.waiting.set(due);
        self.oldest.set(age);
    }
}

/// How many are due, and for how long: NaN where nobody knows, since a zero would say that nothing waits.
fn figures(backlog: Option<Backlog>) -> (f64, f64) {
    backlog.map_or((f64::NAN, f64::NAN), |Backlog { due, age }| {
        (
            f64::from(u32::try_from(due).unwrap_or(u32::MAX)),
            age.unwrap_or(0.0),
        )
    })
}

impl Sampler {
    pub(super) fn new(recorder: PrometheusHandle, sampled: Sampled) -> Self {
        gauge!(BUILD_INFO, "version" => env!("CARGO_PKG_VERSION")).set(1);
        Self {
            recorder,
            sampled,
            process: Collector::default(),
            size: gauge!(DATABASE_SIZE),
            due: gauge!(JOBS_DUE),
            oldest: gauge!(OLDEST_DUE),
            kinds: due_kinds().map(Waiting::of).collect(),
            quotas: day_quotas()
                .map(|quota| (quota, gauge!(QUOTA_USED, "kind" => quota.name)))
                .collect(),
        }
    }

    /// Looks now and then, until `stop`.
    pub(super) async fn run(self, stop: CancellationToken) {
        let mut ticks = interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut ask_at = Instant::now();
        while stop.run_until_cancelled(ticks.tick()).await.is_some() {
            self.look();
            if ask_at <= Instant::now() {
                ask_at = Instant::now() + ASK_EVERY;
                self.ask().await;
                self.ask_what_waits().await;
            }
        }
    }

    fn look(&self) {
        let Sampled {
            database,
            behind,
            listener,
            queues,
            collection,
        } = &self.sampled;
        database.sample();
        behind.sample();
        if let Some((collector, database)) = collection {
            collector.sample();
            database.sample();
        }
        listener.sample();
        queues.sample();
        self.process.collect();
        self.recorder.run_upkeep();
    }

    /// Sets the gauges of the database.
    async fn ask(&self) {
        let asked = async {
            let database = &self.sampled.behind;
            try_join(database.job_backlog(), database.facts()).await
        };
        let (jobs, facts) = match timeout(ANSWER_WITHIN, asked).await {
            Ok(Ok((jobs, facts))) => (Some(jobs), Some(facts)),
            Ok(Err(_)) | Err(_) => (None, None),
        };
        let (due, oldest) = figures(jobs);
        self.due.set(due);
        self.oldest.set(oldest);
        self.size.set(facts.map_or(f64::NAN, |facts| facts.size()));
    }

    /// Sets the gauges of what is due again and again and of quotas, one after the other, so that looking takes one connection at
    /// most.
    async fn ask_what_waits(&self) {
        let (database, deadline) = (&self.sampled.behind, Instant::now() + ANSWER_WITHIN);
        for waiting in &self.kinds {
            waiting.set(answer_by(deadline, (waiting.kind.backlog)(database)).await);
        }
        for (quota, used) in &self.quotas {
            let answer = answer_by(deadline, (quota.used)(database, OffsetDateTime::now_utc())).await;
            used.set(answer.unwrap_or(f64::NAN));
        }
    }
}

/// The answer of the database until then; `None` where none comes. Once it is late nothing more is asked, since each statement that is
/// given up costs its connection.
async fn answer_by<T>(deadline: Instant, asked: BoxFuture<'_, Result<T, StoreError>>) -> Option<T> {
    if deadline <= Instant::now() {
        return None;
    }
    timeout_at(deadline, asked).await.ok()?.ok()
}
