//! Charges reads in batches: all that queued while the last batch was being committed make the next.

use std::{collections::HashMap, sync::Arc, time::Duration};

use pharos_domain::{
    credits::{LogEntry, SettleError},
    ledger::{LedgerFailure, LedgerStore, Verdict},
    log_pace::LogPace,
    store::StoreError,
};
use pharos_supervisor::{Supervisor, Task};
use tokio::{
    sync::{mpsc, oneshot},
    task::yield_now,
    time::{Instant, sleep_until},
};
use tokio_util::sync::CancellationToken;

use super::seen::Seen;
use crate::metrics::BatchMetrics;

/// The largest batch. Larger ones hold the balances longer than they save commits.
const MAX_BATCH: usize = 512;
/// How many charges may wait.
pub(super) const QUEUE: usize = 8_192;
/// The task that charges reads.
pub(super) const COMMITTER: Task = Task::needed("charges");
/// How long to wait before a batch in doubt is looked into again.
const PAUSE: Duration = Duration::from_millis(100);

/// A read that waits for its charge.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) entry: LogEntry,
    pub(super) answer: oneshot::Sender<Result<u64, SettleError>>,
}

/// Charges that are settled together.
struct ChargeBatch {
    entries: Vec<LogEntry>,
    answers: Vec<oneshot::Sender<Result<u64, SettleError>>>,
}

/// A batch whose outcome is known.
struct Settled {
    batch: ChargeBatch,
    outcome: Result<Vec<Verdict>, StoreError>,
}

impl Settled {
    /// Tells those who wait, and notes in `seen` what is left to the workspaces.
    async fn tell(self, seen: &Seen) {
        let Self {
            batch: ChargeBatch { entries, answers },
            outcome,
        } = self;
        let verdicts = match outcome {
            Ok(verdicts) => verdicts,
            Err(error) => {
                static PACE: LogPace = LogPace::new();
                if let Some(held_back) = PACE.turn() {
                    let charges = answers.len();
                    tracing::warn!(%error, charges, held_back, "charges can't be settled at the moment");
                }
                for answer in answers {
                    let _ = answer.send(Err(SettleError::Store(unavailable())));
                }
                return;
            }
        };
        let left: HashMap<_, _> = entries
            .iter()
            .zip(&verdicts)
            .filter_map(|(entry, verdict)| match verdict {
                Verdict::Settled { remaining } => Some((entry.workspace_id, *remaining)),
                Verdict::Refused(_) | Verdict::Unsettled => None,
            })
            .collect();
        for (workspace, remaining) in left {
            seen.note(workspace, remaining).await;
        }
        for (answer, verdict) in answers.into_iter().zip(verdicts) {
            // Whoever asked may have gone; the charge stands.
            let _ = answer.send(match verdict {
                Verdict::Settled { remaining } => Ok(remaining),
                Verdict::Refused(exhaustion) => Err(SettleError::Exhausted(exhaustion)),
                Verdict::Unsettled => Err(SettleError::Store(unavailable())),
            });
        }
    }
}

/// Settles charges batch by batch. Its state outlives a panic of the task that runs it.
pub(super) struct Committer {
    store: Arc<dyn LedgerStore>,
    seen: Seen,
    queue: mpsc::Receiver<Pending>,
    stop: CancellationToken,
    supervisor: Supervisor,
    metrics: BatchMetrics,
    /// The batch that is being settled.
    in_hand: Option<ChargeBatch>,
    /// The batch before it, while it is not answered.
    last: Option<Settled>,
}

impl Committer {
    pub(super) fn new(
        store: Arc<dyn LedgerStore>,
        seen: Seen,
        queue: mpsc::Receiver<Pending>,
        stop: CancellationToken,
        supervisor: Supervisor,
    ) -> Self {
        Self {
            store,
            seen,
            queue,
            stop,
            supervisor,
            metrics: BatchMetrics::new(),
            in_hand: None,
            last: None,
        }
    }

    /// Settles what comes, until `stop` and the queue is empty. The database waits for nothing but charges: a batch is
    /// answered while it is at work on the next, or at once where nothing is queued.
    pub(super) async fn run(&mut self) {
        self.recover().await;
        let Self {
            store,
            seen,
            queue,
            stop,
            supervisor,
            metrics,
            in_hand,
            last,
        } = self;
        let mut pending = Vec::with_capacity(MAX_BATCH);
        loop {
            let received = tokio::select! {
                biased;
                received = queue.recv_many(&mut pending, MAX_BATCH) => received,
                () = stop.cancelled(), if !queue.is_closed() => {
                    queue.close();
                    continue;
                }
            };
            if received == 0 {
                return;
            }
            let (entries, answers) = pending
                .drain(..)
                .map(|Pending { entry, answer }| (entry, answer))
                .unzip();
            let ChargeBatch { entries, .. } = in_hand.insert(ChargeBatch { entries, answers });
            let tell_last = async {
                if let Some(settled) = last.take() {
                    // The next batch leaves first.
                    yield_now().await;
                    settled.tell(seen).await;
                }
            };
            let (charges, begun) = (entries.len(), Instant::now());
            let (outcome, ()) = tokio::join!(settle(&**store, entries, queue, supervisor, false), tell_last);
            if outcome.is_ok() {
                metrics.settled(charges, begun.elapsed());
            }
            let settled = in_hand.take().map(|batch| Settled { batch, outcome });
            if !queue.is_empty() {
                *last = settled;
            } else if let Some(settled) = settled {
                settled.tell(seen).await;
            }
        }
    }

    /// Ends what a panic left. The batch in hand may be committed, so it is looked into; one that brings about a second
    /// panic is given up, and refused to those who wait.
    async fn recover(&mut self) {
        if let Some(settled) = self.last.take() {
            settled.tell(&self.seen).await;
        }
        if let Some(batch) = self.in_hand.take() {
            let ids: Vec<_> = batch.entries.iter().map(|entry| entry.request_id).collect();
            tracing::error!(?ids, "charges are looked into after a panic");
            let outcome = settle(
                &*self.store,
                &batch.entries,
                &mut self.queue,
                &self.supervisor,
                true,
            )
            .await;
            Settled { batch, outcome }.tell(&self.seen).await;
        }
    }
}

/// Settles a batch. One that is in doubt is looked into until its outcome is known, however long that takes: an answer before
/// that could be a refusal that was charged (ADR 41). Charges that queue up meanwhile are refused, since none of them was begun.
async fn settle(
    store: &dyn LedgerStore,
    entries: &[LogEntry],
    queue: &mut mpsc::Receiver<Pending>,
    supervisor: &Supervisor,
    mut in_doubt: bool,
) -> Result<Vec<Verdict>, StoreError> {
    let mut stuck = None;
    loop {
        let error = match store.settle(entries, in_doubt).await {
            Ok(verdicts) => {
                if in_doubt {
                    tracing::warn!(
                        charges = entries.len(),
                        "a batch of charges is no longer in doubt"
                    );
                }
                return Ok(verdicts);
            }
            Err(LedgerFailure::Nothing(error)) if !in_doubt => return Err(error),
            Err(LedgerFailure::Nothing(error) | LedgerFailure::InDoubt(error)) => error,
        };
        warn_of_doubt(&error, entries.len());
        in_doubt = true;
        stuck.get_or_insert_with(|| {
            supervisor.is_stuck(
                COMMITTER,
                "whether a batch of charges was committed is not known yet",
            )
        });
        let again_at = Instant::now() + PAUSE;
        loop {
            tokio::select! {
                () = sleep_until(again_at) => break,
                Some(Pending { answer, .. }) = queue.recv() => {
                    let _ = answer.send(Err(SettleError::Store(unavailable())));
                }
            }
        }
    }
}

fn warn_of_doubt(error: &StoreError, charges: usize) {
    static PACE: LogPace = LogPace::new();
    if let Some(held_back) = PACE.turn() {
        tracing::warn!(%error, charges, held_back, "a batch of charges is in doubt; looking into it");
    }
}

pub(super) fn unavailable() -> StoreError {
    StoreError::Unavailable("the ledger can't be written at the moment".into())
}
