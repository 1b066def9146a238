//! What an installation needs from time to time, by whichever of its nodes.

use std::{sync::Arc, time::Duration};

use pharos_domain::{clock::Clock, ids::DomainId, jobs::JobQueue, store::StoreError};
use pharos_persistence::pool::Database;
use pharos_supervisor::{Panic, caught};
use pharos_uptime_pg::rollups;
use time::OffsetDateTime;
use tokio::{
    sync::Mutex,
    time::{Interval, interval},
};
use tokio_util::sync::CancellationToken;

/// How often.
const EVERY: Duration = Duration::from_secs(3_600);

/// What upkeep sees to.
#[derive(Clone)]
pub struct Upkeep {
    /// Partitions, retention and roll-ups.
    database: Database,
    /// Jobs that are no longer kept.
    jobs: Arc<dyn JobQueue>,
    /// What time it is.
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
    /// old jobs, roll-ups. What fails or panics keeps nothing else from being done.
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
            let done = [
                caught(maintain(&database, clock.now())).await,
                caught(clean_up(&*jobs, clock.now())).await,
                caught(roll_up(&database, clock.now(), &stop)).await,
            ];
            if let Some(panic) = done.into_iter().find_map(Result::err) {
                panic.resume();
            }
        }
    }
}

async fn maintain(database: &Database, now: OffsetDateTime) {
    if let Err(error) = database.maintain(now).await {
        tracing::warn!(%error, "partitions and retention can't be seen to at the moment; the next hour will");
    }
}

async fn clean_up(jobs: &dyn JobQueue, now: OffsetDateTime) {
    match jobs.clean_up(now).await {
        Ok(deleted) => tracing::debug!(deleted, "old jobs are deleted"),
        Err(error) => tracing::warn!(%error, "old jobs can't be deleted at the moment; the next hour will"),
    }
}

/// Rolls up the days of every domain that are closed and are not yet, month by month; a whole year where that is new.
/// Reads do without what fails: they look at every check then. Nodes share the work.
///
/// # Panics
/// The days of a domain brought about a panic. Those of the others are rolled up.
pub async fn roll_up(database: &Database, now: OffsetDateTime, stop: &CancellationToken) {
    let domains = rollups::behind_in_rollups(database, now)
        .await
        .unwrap_or_else(|error| {
            tracing::warn!(%error, "checks can't be rolled up at the moment; the next hour will");
            Vec::new()
        });
    let mut panicked: Option<Panic> = None;
    for domain in domains {
        match caught(roll_up_all(database, domain, now, stop)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                tracing::warn!(%error, %domain, "checks can't be rolled up at the moment; the next hour will");
                if matches!(error, StoreError::Unavailable(_)) {
                    break;
                }
            }
            Err(panic) => {
                tracing::error!(%panic, %domain, "checks brought about a panic as they were rolled up");
                panicked = Some(panic);
            }
        }
    }
    if let Some(panic) = panicked {
        panic.resume();
    }
}

/// Rolls up the days of one domain.
async fn roll_up_all(
    database: &Database,
    domain: DomainId,
    now: OffsetDateTime,
    stop: &CancellationToken,
) -> Result<(), StoreError> {
    while !stop.is_cancelled() && rollups::roll_up(database, domain, now).await? {}
    Ok(())
}
