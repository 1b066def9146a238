//! Hourly upkeep of an installation, by whichever of its nodes.

use std::{ops::ControlFlow, sync::Arc, time::Duration};

use futures_util::FutureExt;
use pharos_domain::{clock::Clock, jobs::JobQueue};
use pharos_persistence::{pool::Database, upkeep_failures::Outcomes};
use pharos_supervisor::each;
use time::OffsetDateTime;
use tokio::{
    sync::Mutex,
    time::{Interval, interval},
};
use tokio_util::sync::CancellationToken;

/// The time between two rounds.
const EVERY: Duration = Duration::from_secs(3_600);

/// Upkeep, as one node runs it.
#[derive(Clone)]
pub struct Upkeep {
    /// Partitions, retention and roll-ups.
    database: Database,
    /// Jobs that are no longer kept.
    jobs: Arc<dyn JobQueue>,
    /// The clock of partitions, retention and roll-ups.
    clock: Arc<dyn Clock>,
    /// When it is time. A round that panicked is over like any other: the next is due when it would have been.
    ticks: Arc<Mutex<Interval>>,
}

impl std::fmt::Debug for Upkeep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Upkeep").finish_non_exhaustive()
    }
}

impl Upkeep {
    /// Upkeep whose first round is due at once. Called on a runtime of tokio.
    #[must_use]
    pub fn new(database: Database, jobs: Arc<dyn JobQueue>, clock: Arc<dyn Clock>) -> Self {
        Self {
            database,
            jobs,
            clock,
            ticks: Arc::new(Mutex::new(interval(EVERY))),
        }
    }

    /// Sees to it at once and then every hour, until `stop`: partitions ahead of their time, what retention takes away,
    /// old jobs, roll-ups. A step that fails or panics keeps no other from being done.
    ///
    /// # Panics
    /// Something of it panicked. All else of this round is done.
    pub async fn run(self, stop: CancellationToken) {
        let Self {
            database,
            jobs,
            clock,
            ticks,
        } = self;
        let mut ticks = ticks.lock().await;
        while stop.run_until_cancelled(ticks.tick()).await.is_some() {
            // A clock that is ahead would take away what is to be kept.
            let now = match database.not_ahead(clock.now()).await {
                Ok(now) => now,
                Err(error) => {
                    tracing::warn!(%error, "upkeep can't be done at the moment; the next hour will");
                    continue;
                }
            };
            let works = [
                ("retention", maintain(&database, now).boxed()),
                ("old jobs", clean_up(&database, &*jobs, now).boxed()),
                ("roll-ups", database.roll_up(now, &stop).boxed()),
            ];
            each(works, |work, outcome| {
                if let Err(panic) = outcome {
                    tracing::error!(%panic, work, "upkeep panicked");
                }
                ControlFlow::Continue(())
            })
            .await;
        }
    }
}

async fn maintain(database: &Database, now: OffsetDateTime) {
    if let Err(error) = database.maintain(now).await {
        tracing::warn!(%error, "partitions and retention can't be seen to at the moment; the next hour will");
    }
}

async fn clean_up(database: &Database, jobs: &dyn JobQueue, now: OffsetDateTime) {
    let why = match jobs.clean_up(now).await {
        Ok(deleted) => {
            tracing::debug!(deleted, "old jobs are deleted");
            None
        }
        Err(error) => {
            tracing::warn!(%error, "old jobs can't be deleted at the moment; the next hour will");
            Some(error.to_string())
        }
    };
    database.note_upkeep(&Outcomes::from([("old jobs", why)])).await;
}
