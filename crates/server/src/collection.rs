//! Collection on a node: its routes, the tasks behind them, and their end.

use std::{sync::Arc, time::Duration};

use anyhow::Context;
use pharos_domain::identity::TrustedHops;
use pharos_domain::{clock::Clock, hourly_limit::HourlyLimiter, ports::Ports};
use pharos_ingest::{
    client::Agents,
    collector::{Collector, Parts, Writers},
    queue::Bounds,
};
use pharos_ingest_api::Collection;
use pharos_persistence::pool::{Database, DatabaseOptions};
use pharos_supervisor::{Supervisor, Task};
use tokio::{task::JoinHandle, time::interval};
use tokio_util::sync::CancellationToken;

use crate::{
    config::Config,
    groups::{self, database_options, places},
};

const EVENTS: Task = Task::aside("events of visitors");
const VITALS: Task = Task::aside("vitals of pages");
const TIDYING: Task = Task::aside("salts and bots");

/// How often salts that are due are dropped, and counts of bots written.
const TIDY_EVERY: Duration = Duration::from_secs(10);
/// How long a statement may run.
const STORES_WITHIN: Duration = Duration::from_secs(15);

/// The tasks of collection.
#[derive(Debug)]
pub struct RunningCollection {
    collector: Arc<Collector>,
    database: Database,
    stop: CancellationToken,
    tasks: Vec<JoinHandle<()>>,
}

/// Connects to the database by connections of its own, and begins to store what comes.
///
/// # Errors
/// The database can't be used, or the database of countries can't be read.
pub async fn start(
    config: &Config,
    url: &str,
    limiter: Arc<dyn HourlyLimiter>,
    clock: &Arc<dyn Clock>,
    supervisor: &Supervisor,
) -> anyhow::Result<(Collection, RunningCollection)> {
    let options = DatabaseOptions {
        pool_size: config.collect_connections,
        statement_timeout: STORES_WITHIN,
        pools: "collection",
        ..database_options()
    };
    let database = Database::connect(url, &options)
        .await
        .context("the database can't be used")?;
    let (collector, writers) = Collector::new(parts(config, &groups::ports(&database), limiter, clock)?);
    let (collector, stop) = (Arc::new(collector), CancellationToken::new());
    // Takes some tenths of a second, for which nobody should wait.
    drop(tokio::task::spawn_blocking(Agents::prepare));
    let Writers { events, vitals } = writers;
    let (events, vitals) = (Arc::new(events), Arc::new(vitals));
    let (tidied, stopping) = (Arc::clone(&collector), stop.clone());
    let tasks = vec![
        supervisor.spawn(EVENTS, &stop, move || {
            let events = Arc::clone(&events);
            async move { events.run().await }
        }),
        supervisor.spawn(VITALS, &stop, move || {
            let vitals = Arc::clone(&vitals);
            async move { vitals.run().await }
        }),
        supervisor.spawn(TIDYING, &stop, move || {
            tidy(Arc::clone(&tidied), stopping.clone())
        }),
    ];
    let collection = Collection {
        collector: Arc::clone(&collector),
        addresses: config.addresses(),
        hops: TrustedHops(config.trusted_hops),
        country_header: config.country_header.clone(),
    };
    let running = RunningCollection {
        collector,
        database,
        stop,
        tasks,
    };
    Ok((collection, running))
}

fn parts(
    config: &Config,
    ports: &Ports,
    limiter: Arc<dyn HourlyLimiter>,
    clock: &Arc<dyn Clock>,
) -> anyhow::Result<Parts> {
    Ok(Parts {
        sites: ports.get()?,
        salts: ports.get()?,
        bots: ports.get()?,
        events: ports.get()?,
        vitals: ports.get()?,
        places: places(config)?,
        limiter,
        limits: config.into(),
        bounds: Bounds::default(),
        clock: Arc::clone(clock),
    })
}

async fn tidy(collector: Arc<Collector>, stop: CancellationToken) {
    let mut ticks = interval(TIDY_EVERY);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        if let Err(error) = collector.tidy().await {
            tracing::warn!(%error, "salts that are due can't be dropped at the moment");
        }
    }
}

impl RunningCollection {
    /// Takes beacons, for who samples its figures.
    #[must_use]
    pub fn collector(&self) -> Arc<Collector> {
        Arc::clone(&self.collector)
    }

    /// The connections that it stores by.
    #[must_use]
    pub fn database(&self) -> Database {
        self.database.clone()
    }

    /// Stores what waits, and ends. Nothing is answered any more.
    pub async fn stop(self) {
        // A writer whose queue is closed before ends too early.
        self.stop.cancel();
        self.collector.close();
        for task in self.tasks {
            let _ = task.await;
        }
        if let Err(error) = self.collector.tidy().await {
            tracing::warn!(%error, "how many beacons of bots there were can't be written");
        }
    }
}
