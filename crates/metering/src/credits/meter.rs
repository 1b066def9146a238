//! The meter of a node: the committer, the log, and the balances last seen.

use std::{io, sync::Arc, thread, time::Duration};

use async_trait::async_trait;
use moka::sync;
use pharos_domain::{
    credits::{LogEntry, Payer, SettleError},
    ledger::LedgerStore,
    store::StoreError,
};
use pharos_http::metering::{CreditMeter, CreditRefusal};
use pharos_supervisor::{Supervisor, Task};
use time::OffsetDateTime;
use tokio::{
    runtime::Builder,
    sync::{Mutex, mpsc, oneshot},
    task::JoinHandle,
};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::{
    committer::{self, COMMITTER, Committer, Pending},
    queues::Queues,
    seen::Seen,
    sink::{self, Sink},
};

/// The task that logs requests without a charge. While it is down its queue fills, and answers wait.
const SINK: Task = Task::needed("credit log");

/// How long a payer who was refused is asked about before the work is done, and not after.
const SUSPECTED_FOR: Duration = Duration::from_secs(60);

/// Charges and logs for one node.
pub struct Meter {
    /// Stops the tasks once the meter is gone, before the queues close: a task that ends before it is stopped begins anew.
    _stop: DropGuard,
    store: Arc<dyn LedgerStore>,
    /// The balances of workspaces, as last seen.
    seen: Seen,
    /// Payers whose allowance did not suffice.
    suspects: sync::Cache<Payer, ()>,
    charges: mpsc::Sender<Pending>,
    rows: mpsc::Sender<LogEntry>,
}

impl std::fmt::Debug for Meter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Meter")
            .field("charges_waiting", &(committer::QUEUE - self.charges.capacity()))
            .field("rows_waiting", &(sink::QUEUE - self.rows.capacity()))
            .finish_non_exhaustive()
    }
}

/// The tasks of a meter. They run until they are stopped, or the meter is gone.
#[derive(Debug)]
pub struct Running {
    stop: CancellationToken,
    committer: oneshot::Receiver<()>,
    sink: JoinHandle<()>,
    queues: Arc<Queues>,
}

impl Running {
    /// How much waits for them.
    #[must_use]
    pub fn queues(&self) -> Arc<Queues> {
        Arc::clone(&self.queues)
    }

    /// Settles and writes what is queued, and ends. To be called once nobody asks the meter any more.
    pub async fn stop(self) {
        self.stop.cancel();
        let _ = self.committer.await;
        let _ = self.sink.await;
    }
}

/// Runs the committer on a thread to itself: between two batches it has nobody to wait for.
fn alone(committer: impl Future<Output = ()> + Send + 'static) -> io::Result<oneshot::Receiver<()>> {
    let (ended, end) = oneshot::channel();
    let runtime = Builder::new_current_thread().enable_all().build()?;
    thread::Builder::new()
        .name("pharos-committer".to_owned())
        .spawn(move || {
            runtime.block_on(committer);
            // Nobody may wait for the end.
            let _ = ended.send(());
        })?;
    Ok(end)
}

impl Meter {
    /// Starts a meter on the runtime that it is called on, and its committer on a thread of its own.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn start(store: Arc<dyn LedgerStore>, supervisor: &Supervisor) -> io::Result<(Arc<Self>, Running)> {
        let stop = CancellationToken::new();
        let (charges, charge_queue) = mpsc::channel(committer::QUEUE);
        let (rows, row_queue) = mpsc::channel(sink::QUEUE);
        let seen = Seen::new();
        let committer = Committer::new(
            Arc::clone(&store),
            seen.clone(),
            charge_queue,
            stop.clone(),
            supervisor.clone(),
        );
        let sink = Sink::new(Arc::clone(&store), row_queue, stop.clone());
        let (committer, sink) = (Arc::new(Mutex::new(committer)), Arc::new(Mutex::new(sink)));
        let commit = move || {
            let committer = Arc::clone(&committer);
            async move { committer.lock().await.run().await }
        };
        let write = move || {
            let sink = Arc::clone(&sink);
            async move { sink.lock().await.run().await }
        };
        let (kept, stopping, gone) = (supervisor.clone(), stop.clone(), stop.clone().drop_guard());
        let running = Running {
            committer: alone(async move { kept.keep(COMMITTER, &stopping, commit).await })?,
            sink: supervisor.spawn(SINK, &stop, write),
            queues: Arc::new(Queues::new(charges.downgrade(), rows.downgrade())),
            stop,
        };
        let meter = Self {
            _stop: gone,
            store,
            seen,
            suspects: sync::Cache::builder()
                .max_capacity(100_000)
                .time_to_live(SUSPECTED_FOR)
                .build(),
            charges,
            rows,
        };
        Ok((Arc::new(meter), running))
    }
}

#[async_trait]
impl CreditMeter for Meter {
    async fn affords(&self, payer: Payer, cost: u32, now: OffsetDateTime) -> Result<(), CreditRefusal> {
        let seen = self.seen.last(payer.workspace).await;
        let is_enough = seen.is_none_or(|remaining| remaining >= u64::from(cost));
        if is_enough && !self.suspects.contains_key(&payer) {
            return Ok(());
        }
        let balance = self.store.balance(payer, now).await;
        let balance = balance.map_err(CreditRefusal::Unavailable)?;
        let Some(balance) = balance else {
            let gone = StoreError::Failed("the workspace that pays has no balance".into());
            return Err(CreditRefusal::Unavailable(gone));
        };
        self.seen.note(payer.workspace, balance.remaining()).await;
        if let Some(exhaustion) = balance.exhaustion(cost) {
            return Err(CreditRefusal::Exhausted(exhaustion));
        }
        self.suspects.invalidate(&payer);
        Ok(())
    }

    async fn settle(&self, entry: LogEntry) -> Result<u64, SettleError> {
        let payer = Payer {
            workspace: entry.workspace_id,
            user: entry.user_id,
        };
        let (answer, settled) = oneshot::channel();
        let gone = || SettleError::Store(committer::unavailable());
        self.charges
            .send(Pending { entry, answer })
            .await
            .map_err(|_| gone())?;
        let settled = settled.await.map_err(|_| gone())?;
        if let Err(SettleError::Exhausted(_)) = &settled {
            self.suspects.insert(payer, ());
        }
        settled
    }

    async fn log(&self, entry: LogEntry) {
        if self.rows.send(entry).await.is_err() {
            tracing::error!("a row of the credit log came after the end");
        }
    }

    async fn remaining(&self, payer: Payer, now: OffsetDateTime) -> Option<u64> {
        self.seen.shown(&self.store, payer, now).await
    }

    async fn saw(&self, payer: Payer, remaining: u64) {
        self.seen.note(payer.workspace, remaining).await;
    }
}
