//! Who waits for an answer on a connection, and since when.
//!
//! PostgreSQL ends a statement that takes too long. Where PostgreSQL itself is stopped, or the machine that it runs on,
//! nothing is said any more, and no timeout of the socket tells: so each connection is watched from this side.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use diesel::connection::InstrumentationEvent;
use tokio::time::{Instant, sleep, sleep_until};

/// Watches a connection from outside of its statements: since when it is in use, and what has not ended.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    uses: Mutex<Uses>,
    /// Statements that were begun and have not ended. Those of a future that was dropped never end.
    unfinished: AtomicUsize,
    is_closed: AtomicBool,
}

#[derive(Debug, Default)]
struct Uses {
    /// The number of the next.
    next: u64,
    /// When each began. The first is the oldest.
    began: BTreeMap<u64, Instant>,
}

/// A use of a connection; over when this is dropped.
#[derive(Debug)]
pub(crate) struct Use {
    watch: Arc<Watch>,
    number: u64,
}

impl Drop for Use {
    fn drop(&mut self) {
        self.watch.uses().began.remove(&self.number);
    }
}

impl Watch {
    /// Begins a use.
    pub(crate) fn begin(self: &Arc<Self>) -> Use {
        let mut uses = self.uses();
        let number = uses.next;
        uses.next += 1;
        uses.began.insert(number, Instant::now());
        drop(uses);
        Use {
            watch: Arc::clone(self),
            number,
        }
    }

    /// Follows the statements of a connection that has one use at a time: each has the whole time anew.
    pub(crate) fn follow(self: &Arc<Self>) -> impl FnMut(InstrumentationEvent<'_>) + Send + use<> {
        let watch = Arc::clone(self);
        move |event| match event {
            InstrumentationEvent::StartQuery { .. } => {
                watch.unfinished.fetch_add(1, Ordering::AcqRel);
                let now = Instant::now();
                watch.uses().began.values_mut().for_each(|began| *began = now);
            }
            InstrumentationEvent::FinishQuery { .. } => {
                watch.unfinished.fetch_sub(1, Ordering::AcqRel);
            }
            _ => {}
        }
    }

    /// Whether a statement was begun that has not ended.
    pub(crate) fn has_unfinished(&self) -> bool {
        self.unfinished.load(Ordering::Acquire) > 0
    }

    /// Returns once a use has lasted for `within`. From then on the connection counts as closed.
    pub(crate) async fn silence(&self, within: Duration) {
        loop {
            let oldest = self.uses().began.values().next().copied();
            match oldest {
                Some(began) if began.elapsed() >= within => return self.close(),
                Some(began) => sleep_until(began + within).await,
                // Whoever begins meanwhile has at least that long.
                None => sleep(within).await,
            }
        }
    }

    /// The connection is lost.
    pub(crate) fn close(&self) {
        self.is_closed.store(true, Ordering::Release);
    }

    /// Whether it is lost, as far as is known.
    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Acquire)
    }

    /// Nothing is left half-done where a thread dies, so a poisoned lock is as good as any.
    fn uses(&self) -> MutexGuard<'_, Uses> {
        self.uses.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::timeout;

    use super::*;

    async fn is_silent(watch: &Watch, within: Duration) -> bool {
        timeout(Duration::from_millis(50), watch.silence(within))
            .await
            .is_ok()
    }

    #[tokio::test]
    async fn a_use_that_lasts_too_long_is_silence_and_those_that_ended_are_not() {
        let watch = Arc::<Watch>::default();
        let (first, second) = (watch.begin(), watch.begin());
        assert!(!is_silent(&watch, Duration::from_secs(3_600)).await);
        drop((first, second));
        assert!(!is_silent(&watch, Duration::from_millis(1)).await);
        assert!(!watch.is_closed());
        let third = watch.begin();
        // However busy the machine is.
        watch.silence(Duration::from_millis(1)).await;
        assert!(watch.is_closed());
        drop(third);
    }
}
