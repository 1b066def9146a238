//! The turns of a caller: no more of its heavy queries are under way from here at once than the API lets a credential have, and no
//! more of its results are shaped than its share.

use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::{
    sync::Semaphore,
    time::{Instant, timeout_at},
};

use crate::credential::Caller;

/// How many heavy queries of a caller are under way at once: one fewer than the API lets a credential have, so that its user gets
/// through beside them.
pub(crate) const HEAVY_AT_ONCE: usize = 4;
/// How many pieces of work of a caller are under way or wait, at most.
const MOST: usize = 100;

/// The queues of callers. Each is there for as long as work of its caller is under way or waits.
pub(crate) struct Turns {
    /// How much work of a caller is under way at once.
    at_once: usize,
    /// A queue is found by a digest, so that no credential lies here.
    digests: RandomState,
    queues: Mutex<HashMap<u64, Queue>>,
}

struct Queue {
    calls: usize,
    turns: Arc<Semaphore>,
}

/// A place in a caller's queue, which is given up when this is dropped.
struct Place<'a> {
    of: &'a Turns,
    digest: u64,
    turns: Arc<Semaphore>,
}

impl Turns {
    /// Turns of which a caller has so many at once.
    pub(crate) fn of(at_once: usize) -> Self {
        Self {
            at_once,
            digests: RandomState::new(),
            queues: Mutex::default(),
        }
    }

    /// Does the work in its caller's turn. `None`: too many wait already, or the turn does not come in time.
    pub(crate) async fn during<T>(
        &self,
        caller: &Caller,
        until: Instant,
        work: impl Future<Output = T>,
    ) -> Option<T> {
        let place = self.join(caller)?;
        let _turn = timeout_at(until, place.turns.acquire()).await.ok()?.ok()?;
        Some(work.await)
    }

    fn join(&self, caller: &Caller) -> Option<Place<'_>> {
        let digest = self.digests.hash_one(caller.credential());
        let mut queues = self.queues();
        let queue = queues.entry(digest).or_insert_with(|| Queue {
            calls: 0,
            turns: Arc::new(Semaphore::new(self.at_once)),
        });
        if queue.calls == MOST {
            return None;
        }
        queue.calls += 1;
        Some(Place {
            of: self,
            digest,
            turns: Arc::clone(&queue.turns),
        })
    }

    fn queues(&self) -> MutexGuard<'_, HashMap<u64, Queue>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut queues = self.of.queues();
        if let Some(queue) = queues.get_mut(&self.digest) {
            queue.calls -= 1;
            if queue.calls == 0 {
                queues.remove(&self.digest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicUsize, Ordering},
        time::Duration,
    };

    use futures_util::future::join_all;
    use tokio::time::sleep;

    use super::*;

    fn caller(credential: &str) -> Caller {
        Caller::with(credential, "").unwrap()
    }

    #[tokio::test]
    async fn a_caller_has_four_turns_at_once_and_no_queue_is_left_behind() {
        let (turns, caller) = (Turns::of(HEAVY_AT_ONCE), caller("svc_dev_a"));
        let (under_way, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = || async {
            most.fetch_max(under_way.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            sleep(Duration::from_millis(10)).await;
            under_way.fetch_sub(1, Ordering::SeqCst);
        };
        let until = Instant::now() + Duration::from_secs(60);
        let done = join_all((0..20).map(|_| turns.during(&caller, until, work()))).await;
        assert!(done.iter().all(Option::is_some));
        assert_eq!(most.load(Ordering::SeqCst), 4);
        assert!(turns.queues().is_empty());
    }

    #[tokio::test]
    async fn nobody_waits_for_others_too_long_or_behind_too_many() {
        let (turns, crowd, other) = (Turns::of(HEAVY_AT_ONCE), caller("svc_dev_a"), caller("svc_dev_b"));
        let soon = Instant::now() + Duration::from_millis(50);
        let waiting = (0..MOST).map(|_| turns.during(&crowd, soon, sleep(Duration::from_millis(200))));
        let late = async {
            // Polled after those before it, which are in the queue by then.
            let refused = turns.during(&crowd, soon, async {}).await;
            (refused, turns.during(&other, soon, async {}).await)
        };
        let (waited, late) = futures_util::future::join(join_all(waiting), late).await;
        assert_eq!(waited.iter().flatten().count(), 4);
        assert_eq!(late, (None, Some(())));
    }
}
