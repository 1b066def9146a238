//! What an installation needs from time to time, by whichever of its nodes.

use std::{sync::Arc, time::Duration};

use pharos_domain::clock::Clock;
use pharos_persistence::pool::Database;
use tokio::time::interval;
use tokio_util::sync::CancellationToken;

/// How often.
const EVERY: Duration = Duration::from_secs(3_600);

/// Sees to it at once and then every hour, until `stop`: partitions ahead of their time, what retention takes away.
pub(crate) async fn run(database: Database, clock: Arc<dyn Clock>, stop: CancellationToken) {
    let mut ticks = interval(EVERY);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        if let Err(error) = database.maintain(clock.now()).await {
            tracing::warn!(%error, "partitions and retention can't be seen to at the moment; the next hour will");
        }
    }
}
