//! Settles outcomes in batches.

use std::{sync::Arc, time::Duration};

use pharos_domain::clock::Clock;
use tokio::{
    sync::{Notify, mpsc},
    time::{Instant, sleep, timeout_at},
};

use crate::work::DueWork;

/// How long an urgent outcome waits for others.
const PROMPTLY: Duration = Duration::from_millis(50);
/// The pause before another attempt at a store that is away, the first time and at most.
const SHORTEST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Gathers outcomes and settles them, in the order that they came.
pub(crate) struct Settler<W> {
    pub(crate) work: Arc<W>,
    pub(crate) clock: Arc<dyn Clock>,
    /// The most outcomes that are settled at once.
    pub(crate) batch: usize,
    /// How long an outcome waits for others.
    pub(crate) gather: Duration,
    /// Told after each batch: things may be due again soon.
    pub(crate) settled: Arc<Notify>,
}

impl<W: DueWork> Settler<W> {
    /// Works until nobody can send any more. A store that is away is waited for.
    pub(crate) async fn run(self, mut outcomes: mpsc::Receiver<W::Outcome>) {
        while let Some(first) = outcomes.recv().await {
            let batch = self.gather(first, &mut outcomes).await;
            let mut pause = SHORTEST_PAUSE;
            while let Err(error) = self.work.settle(&batch, self.clock.now()).await {
                let (work, outcomes) = (W::NAME, batch.len());
                tracing::warn!(work, outcomes, %error, "what came of them can't be stored at the moment");
                sleep(pause).await;
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
            self.settled.notify_one();
        }
    }

    async fn gather(&self, first: W::Outcome, outcomes: &mut mpsc::Receiver<W::Outcome>) -> Vec<W::Outcome> {
        let wait = |outcome: &W::Outcome| {
            let is_urgent = self.work.is_urgent(outcome);
            Instant::now()
                + if is_urgent {
                    PROMPTLY.min(self.gather)
                } else {
                    self.gather
                }
        };
        let mut until = wait(&first);
        let mut batch = vec![first];
        while batch.len() < self.batch
            && let Ok(Some(next)) = timeout_at(until, outcomes.recv()).await
        {
            until = until.min(wait(&next));
            batch.push(next);
        }
        batch
    }
}
