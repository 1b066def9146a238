//! What an installation needs from time to time, by whichever of its nodes.

use std::{sync::Arc, time::Duration};

use pharos_domain::{clock::Clock, store::StoreError};
use pharos_persistence::pool::Database;
use time::OffsetDateTime;
use tokio::time::interval;
use tokio_util::sync::CancellationToken;

/// How often.
const EVERY: Duration = Duration::from_secs(3_600);

/// Sees to it at once and then every hour, until `stop`: partitions ahead of their time, what retention takes away,
/// roll-ups.
pub(crate) async fn run(database: Database, clock: Arc<dyn Clock>, stop: CancellationToken) {
    let mut ticks = interval(EVERY);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        if let Err(error) = database.maintain(clock.now()).await {
            tracing::warn!(%error, "partitions and retention can't be seen to at the moment; the next hour will");
        }
        roll_up(&database, clock.now(), &stop).await;
    }
}

/// Rolls up the days of every domain that are closed and are not yet, month by month; a whole year where that is new.
/// Reads do without what fails: they look at every check then. Nodes share the work.
pub async fn roll_up(database: &Database, now: OffsetDateTime, stop: &CancellationToken) {
    let domains = database.behind_in_rollups(now).await.unwrap_or_else(|error| {
        tracing::warn!(%error, "checks can't be rolled up at the moment; the next hour will");
        Vec::new()
    });
    for domain in domains {
        loop {
            if stop.is_cancelled() {
                return;
            }
            match database.roll_up(domain, now).await {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    tracing::warn!(%error, %domain, "checks can't be rolled up at the moment; the next hour will");
                    if matches!(error, StoreError::Unavailable(_)) {
                        return;
                    }
                    break;
                }
            }
        }
    }
}
