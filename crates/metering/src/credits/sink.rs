//! Logs what costs nothing, in batches, without holding the answer. A full queue makes answers wait; no row is lost
//! for it.

use std::{sync::Arc, time::Duration};

use pharos_domain::credits::LogEntry;
use tokio::{
    sync::mpsc,
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use super::store::LedgerStore;

/// How many rows may wait.
pub(super) const QUEUE: usize = 65_536;
/// The largest batch.
const MAX_BATCH: usize = 4_096;
/// How long a batch waits for company.
const GATHER: Duration = Duration::from_millis(25);
/// How long to wait before a batch that could not be written is tried again.
const PAUSE: Duration = Duration::from_millis(500);
/// How long the last rows may take to be written.
const LAST_WRITE: Duration = Duration::from_secs(2);

/// Writes what comes, until `stop` and the queue is empty.
pub(super) async fn run(
    store: Arc<dyn LedgerStore>,
    mut queue: mpsc::Receiver<LogEntry>,
    stop: CancellationToken,
) {
    let mut batch = Vec::with_capacity(MAX_BATCH);
    loop {
        let received = tokio::select! {
            biased;
            received = queue.recv_many(&mut batch, MAX_BATCH) => received,
            () = stop.cancelled(), if !queue.is_closed() => {
                queue.close();
                continue;
            }
        };
        if received == 0 {
            return;
        }
        if batch.len() < MAX_BATCH && !stop.is_cancelled() {
            let _ = timeout(GATHER, stop.cancelled()).await;
            while batch.len() < MAX_BATCH
                && let Ok(entry) = queue.try_recv()
            {
                batch.push(entry);
            }
        }
        if timeout_at_end(&stop, write(&*store, &batch)).await.is_none() {
            tracing::error!(
                rows = batch.len(),
                "the last rows of the credit log could not be written"
            );
            return;
        }
        batch.clear();
    }
}

async fn write(store: &dyn LedgerStore, batch: &[LogEntry]) {
    while let Err(error) = store.record(batch).await {
        tracing::warn!(%error, rows = batch.len(), "rows of the credit log can't be written at the moment");
        sleep(PAUSE).await;
    }
}

/// Without an end while the node serves; once it stops, the rest has a little time.
async fn timeout_at_end<T>(stop: &CancellationToken, work: impl Future<Output = T>) -> Option<T> {
    tokio::select! {
        done = work => Some(done),
        () = async {
            stop.cancelled().await;
            sleep(LAST_WRITE).await;
        } => None,
    }
}
