//! Logs requests that cost nothing, in batches, without holding the answer. A full queue makes answers wait; no row is
//! lost for it.

use std::{sync::Arc, time::Duration};

use pharos_domain::{credits::LogEntry, ledger::LedgerStore};
use tokio::{
    sync::mpsc,
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;

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

/// Writes the rows of requests that cost nothing. Its state outlives a panic of the task that runs it.
pub(super) struct Sink {
    store: Arc<dyn LedgerStore>,
    queue: mpsc::Receiver<LogEntry>,
    stop: CancellationToken,
    in_hand: Vec<LogEntry>,
}

impl Sink {
    pub(super) fn new(
        store: Arc<dyn LedgerStore>,
        queue: mpsc::Receiver<LogEntry>,
        stop: CancellationToken,
    ) -> Self {
        Self {
            store,
            queue,
            stop,
            in_hand: Vec::with_capacity(MAX_BATCH),
        }
    }

    /// Writes what comes, until `stop` and the queue is empty.
    pub(super) async fn run(&mut self) {
        if !self.recover().await {
            return;
        }
        let Self {
            store,
            queue,
            stop,
            in_hand,
        } = self;
        loop {
            let received = tokio::select! {
                biased;
                received = queue.recv_many(in_hand, MAX_BATCH) => received,
                () = stop.cancelled(), if !queue.is_closed() => {
                    queue.close();
                    continue;
                }
            };
            if received == 0 {
                return;
            }
            if in_hand.len() < MAX_BATCH && !stop.is_cancelled() {
                let _ = timeout(GATHER, stop.cancelled()).await;
                while in_hand.len() < MAX_BATCH
                    && let Ok(entry) = queue.try_recv()
                {
                    in_hand.push(entry);
                }
            }
            if !write(&**store, in_hand, stop).await {
                return;
            }
            in_hand.clear();
        }
    }

    /// Writes what a panic left. A second panic over it loses it: the rows behind it matter as much.
    async fn recover(&mut self) -> bool {
        let left = std::mem::take(&mut self.in_hand);
        if left.is_empty() {
            return true;
        }
        tracing::error!(
            rows = left.len(),
            "rows of the credit log are tried a last time after a panic"
        );
        write(&*self.store, &left, &self.stop).await
    }
}

/// Writes a batch, without an end while the node serves; once it stops, the rest has a little time. Says whether it was
/// written.
async fn write(store: &dyn LedgerStore, batch: &[LogEntry], stop: &CancellationToken) -> bool {
    let written = timeout_at_end(stop, async {
        while let Err(error) = store.record(batch).await {
            tracing::warn!(%error, rows = batch.len(), "rows of the credit log can't be written at the moment");
            sleep(PAUSE).await;
        }
    });
    let is_written = written.await.is_some();
    if !is_written {
        let rows = batch.len();
        tracing::error!(rows, "the last rows of the credit log could not be written");
    }
    is_written
}

/// `None` where the work has not ended a little after `stop`.
async fn timeout_at_end<T>(stop: &CancellationToken, work: impl Future<Output = T>) -> Option<T> {
    tokio::select! {
        done = work => Some(done),
        () = async {
            stop.cancelled().await;
            sleep(LAST_WRITE).await;
        } => None,
    }
}
