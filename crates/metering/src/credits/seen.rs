//! The balances that a node saw last, for answers that only show them.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::{
    FutureExt,
    future::{BoxFuture, Shared},
};
use moka::{future, sync};
use pharos_domain::{credits::Payer, ids::WorkspaceId, ledger::LedgerStore, log_pace::LogPace};
use time::OffsetDateTime;
use tokio::{task::AbortHandle, time::timeout_at};

/// How old a balance may be that an answer shows.
const SHOWN_FOR: Duration = Duration::from_secs(5);
/// From this age on it is read anew, while the old one is still shown.
const READ_ANEW_AFTER: Duration = Duration::from_secs(2);
/// How long answers wait for a balance, counted from when it was requested. It only tells what is left, so an answer that cost
/// nothing goes without it rather than late; the description of the header says so.
const SHOW_WITHIN: Duration = Duration::from_secs(2);
/// Longer than the store lets a read take.
const FORGET_READ_AFTER: Duration = Duration::from_secs(60);

/// The balances of workspaces, as this node last saw them. Cheap to clone.
#[derive(Clone)]
pub(super) struct Seen {
    balances: future::Cache<WorkspaceId, SeenBalance>,
    reads: sync::Cache<WorkspaceId, Read>,
}

#[derive(Clone, Copy)]
struct SeenBalance {
    remaining: u64,
    at: Instant,
}

/// A read under way, which goes on whoever still waits for it.
#[derive(Clone)]
struct Read {
    since: Instant,
    task: AbortHandle,
    outcome: Shared<BoxFuture<'static, Option<u64>>>,
}

impl Seen {
    pub(super) fn new() -> Self {
        Self {
            balances: future::Cache::builder()
                .max_capacity(100_000)
                .time_to_live(SHOWN_FOR)
                .build(),
            reads: sync::Cache::builder()
                .max_capacity(100_000)
                .time_to_live(FORGET_READ_AFTER)
                .build(),
        }
    }

    pub(super) async fn note(&self, workspace: WorkspaceId, remaining: u64) {
        let at = Instant::now();
        self.balances
            .insert(workspace, SeenBalance { remaining, at })
            .await;
    }

    pub(super) async fn last(&self, workspace: WorkspaceId) -> Option<u64> {
        Some(self.balances.get(&workspace).await?.remaining)
    }

    /// The balance for an answer's headers; `None` where none was seen lately, and the store does not tell in time.
    pub(super) async fn shown(
        &self,
        store: &Arc<dyn LedgerStore>,
        payer: Payer,
        now: OffsetDateTime,
    ) -> Option<u64> {
        let balance = self.balances.get(&payer.workspace).await;
        if let Some(SeenBalance { remaining, at }) = balance {
            if at.elapsed() >= READ_ANEW_AFTER {
                self.read(store, payer, now);
            }
            return Some(remaining);
        }
        let Read { since, outcome, .. } = self.read(store, payer, now);
        // Whoever comes later waits no longer than whoever came first.
        timeout_at((since + SHOW_WITHIN).into(), outcome)
            .await
            .ok()
            .flatten()
    }

    /// Reads the balance, unless that is being done.
    fn read(&self, store: &Arc<dyn LedgerStore>, payer: Payer, now: OffsetDateTime) -> Read {
        let under_way = self.reads.get(&payer.workspace);
        if let Some(read) = under_way.filter(|read| !read.task.is_finished()) {
            return read;
        }
        let (store, seen) = (Arc::clone(store), self.clone());
        // Not the caller's: a read that ended with whoever lost patience first would never end on a busy node.
        let read = tokio::spawn(async move {
            match store.balance(payer, now).await {
                Ok(balance) => {
                    let remaining = balance?.remaining();
                    seen.note(payer.workspace, remaining).await;
                    Some(remaining)
                }
                Err(error) => {
                    static PACE: LogPace = LogPace::new();
                    if let Some(held_back) = PACE.turn() {
                        tracing::warn!(%error, held_back, "a balance can't be read at the moment");
                    }
                    None
                }
            }
        });
        let read = Read {
            since: Instant::now(),
            task: read.abort_handle(),
            outcome: read.map(|outcome| outcome.ok().flatten()).boxed().shared(),
        };
        self.reads.insert(payer.workspace, read.clone());
        read
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use async_trait::async_trait;
    use pharos_domain::{
        credits::{self, LogEntry},
        ids::UserId,
        ledger::{LedgerFailure, Verdict},
        store::StoreError,
    };
    use time::macros::datetime;
    use tokio::sync::Semaphore;

    use super::*;

    /// Tells a balance once it is let to.
    struct Slow {
        reads: AtomicUsize,
        leave: Semaphore,
    }

    #[async_trait]
    impl LedgerStore for Slow {
        async fn settle(&self, _: &[LogEntry], _: bool) -> Result<Vec<Verdict>, LedgerFailure> {
            Ok(Vec::new())
        }

        async fn record(&self, _: &[LogEntry]) -> Result<(), StoreError> {
            Ok(())
        }

        async fn balance(
            &self,
            payer: Payer,
            now: OffsetDateTime,
        ) -> Result<Option<credits::Balance>, StoreError> {
            self.reads.fetch_add(1, Ordering::SeqCst);
            self.leave.acquire().await.unwrap().forget();
            Ok(Some(credits::Balance {
                workspace_id: payer.workspace,
                granted: 10,
                used: 3,
                cycle_start: now,
                cycle_end: now,
                member: None,
            }))
        }
    }

    /// A store that tells nothing yet, once as itself.
    fn slow() -> (Arc<Slow>, Arc<dyn LedgerStore>) {
        let slow = Arc::new(Slow {
            reads: AtomicUsize::new(0),
            leave: Semaphore::new(0),
        });
        (Arc::clone(&slow), slow)
    }

    fn payer() -> Payer {
        Payer {
            workspace: WorkspaceId::generate(),
            user: UserId::generate(),
        }
    }

    /// A charge tells the balance with its own answer, so free answers after it wait for no store.
    #[tokio::test]
    async fn what_a_charge_told_is_shown_however_slow_the_store_is() {
        let (slow, store) = slow();
        let (seen, payer, now) = (Seen::new(), payer(), datetime!(2026-03-31 09:15 UTC));
        seen.note(payer.workspace, 5).await;
        assert_eq!(seen.shown(&store, payer, now).await, Some(5));
        assert_eq!(slow.reads.load(Ordering::SeqCst), 0);
    }

    #[tokio::test]
    async fn a_read_goes_on_when_whoever_asked_for_it_has_gone() {
        let (slow, store) = slow();
        let (seen, payer, now) = (Seen::new(), payer(), datetime!(2026-03-31 09:15 UTC));
        for _ in 0..3 {
            // Each hangs up as soon as it would have to wait.
            assert_eq!(seen.shown(&store, payer, now).now_or_never(), None);
            tokio::task::yield_now().await;
        }
        slow.leave.add_permits(1);
        let outcome = seen.reads.get(&payer.workspace).unwrap().outcome;
        assert_eq!(outcome.await, Some(7));
        assert_eq!(seen.shown(&store, payer, now).await, Some(7));
        assert_eq!(slow.reads.load(Ordering::SeqCst), 1);
    }
}
