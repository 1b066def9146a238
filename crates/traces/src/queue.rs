//! Spans that have ended, and wait to be sent.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio::sync::Notify;

use crate::{
    metrics::{Outcome, count},
    span::Finished,
};

/// The most spans that wait: some megabytes.
const CAPACITY: usize = 8_192;
/// The most that are sent at once.
pub const BATCH: usize = 512;

/// Spans that have ended.
#[derive(Debug, Default)]
pub struct Queue {
    spans: Mutex<VecDeque<Finished>>,
    has_batch: Notify,
}

impl Queue {
    /// Takes a span in, or drops it where there is no room: it never waits.
    pub(crate) fn push(&self, span: Finished) {
        let mut spans = self.lock();
        if spans.len() >= CAPACITY {
            drop(spans);
            count(Outcome::Dropped, 1);
            return;
        }
        spans.push_back(span);
        if spans.len() == BATCH {
            self.has_batch.notify_one();
        }
    }

    /// The oldest spans, as many as are sent at once.
    pub fn take(&self) -> Vec<Finished> {
        let mut spans = self.lock();
        let most = spans.len().min(BATCH);
        spans.drain(..most).collect()
    }

    /// Waits until so many spans wait as are sent at once.
    pub async fn fills(&self) {
        self.has_batch.notified().await;
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Finished>> {
        self.spans.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::tests::finished;

    #[test]
    fn a_full_queue_drops_what_is_new_and_gives_out_batches_in_order() {
        let queue = Queue::default();
        for at in 0..CAPACITY + 10 {
            queue.push(finished(at as u64));
        }
        let mut taken = Vec::new();
        loop {
            let batch = queue.take();
            if batch.is_empty() {
                break;
            }
            assert_eq!(batch.len(), BATCH);
            taken.extend(batch.into_iter().map(|span| span.id));
        }
        let want: Vec<u64> = (0..CAPACITY as u64).collect();
        assert_eq!(taken, want);
    }
}
