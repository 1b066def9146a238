//! Stores waiting beacons, batch by batch: those that came while a batch was being committed make the next one.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use pharos_domain::collect::{Beacon, BeaconStore};
use tokio::sync::oneshot;

use crate::{
    beacon::Content,
    metrics,
    queue::{Arrival, Queue},
};

/// A batch on its way to the store.
struct BeaconBatch<T> {
    beacons: Vec<Beacon<T>>,
    waiting: Mutex<Vec<oneshot::Sender<()>>>,
}

impl<T> BeaconBatch<T> {
    fn of(arrivals: Vec<Arrival<T>>) -> Self {
        let (beacons, waiting): (Vec<_>, Vec<_>) = arrivals
            .into_iter()
            .map(|arrival| (arrival.beacons, arrival.stored))
            .unzip();
        Self {
            beacons: beacons.into_iter().flatten().collect(),
            waiting: Mutex::new(waiting),
        }
    }
}

/// Stores the beacons of one kind. The batch in hand outlives a panic of the task that runs this.
pub struct Writer<T> {
    queue: Arc<Queue<T>>,
    store: Arc<dyn BeaconStore<T>>,
    in_hand: Mutex<Option<Arc<BeaconBatch<T>>>>,
}

impl<T> fmt::Debug for Writer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer")
            .field("queue", &self.queue)
            .finish_non_exhaustive()
    }
}

impl<T: Content> Writer<T> {
    /// Stores what comes by `queue`.
    #[must_use]
    pub fn new(queue: Arc<Queue<T>>, store: Arc<dyn BeaconStore<T>>) -> Self {
        Self {
            queue,
            store,
            in_hand: Mutex::new(None),
        }
    }

    /// Stores beacons until the queue is closed and empty. Those who wait hear once a batch is durable. If the store fails they
    /// hear nothing, and the senders come again with the same ids.
    pub async fn run(&self) {
        // A panic left this batch. It may be stored already; storing it again changes nothing then. A batch that panics again
        // is given up.
        if let Some(batch) = self.in_hand(None) {
            tracing::error!(
                kind = T::KIND,
                beacons = batch.beacons.len(),
                "beacons are stored again after a panic"
            );
            self.store(&batch).await;
        }
        while let Some(arrivals) = self.queue.take().await {
            let batch = Arc::new(BeaconBatch::of(arrivals));
            self.in_hand(Some(Arc::clone(&batch)));
            self.store(&batch).await;
            self.in_hand(None);
        }
    }

    async fn store(&self, batch: &BeaconBatch<T>) {
        let begun = Instant::now();
        let beacons = batch.beacons.len();
        match self.store.store(&batch.beacons).await {
            Ok(()) => {
                metrics::stored(T::KIND, beacons, begun.elapsed());
                for waiting in lock(&batch.waiting).drain(..) {
                    // The sender may have gone; the beacon is stored all the same.
                    let _ = waiting.send(());
                }
            }
            Err(error) => {
                metrics::unstored(T::KIND, beacons);
                tracing::warn!(kind = T::KIND, beacons, %error, "beacons can't be stored at the moment");
            }
        }
    }

    /// Puts a batch in hand, and returns the previous one.
    fn in_hand(&self, batch: Option<Arc<BeaconBatch<T>>>) -> Option<Arc<BeaconBatch<T>>> {
        std::mem::replace(&mut *lock(&self.in_hand), batch)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use pharos_domain::{collect::event::Events, ids::DomainId};
    use tokio_util::sync::CancellationToken;
    use uuid::Uuid;

    use super::*;
    use crate::{
        queue::Bounds,
        testing::{MemoryStore, beacon},
    };

    fn parts() -> (Arc<Queue<Events>>, Arc<MemoryStore>, Arc<Writer<Events>>) {
        let (queue, store) = (
            Arc::new(Queue::new(Bounds::default())),
            Arc::<MemoryStore>::default(),
        );
        let writer = Writer::new(
            Arc::clone(&queue),
            Arc::clone(&store) as Arc<dyn BeaconStore<Events>>,
        );
        (queue, store, Arc::new(writer))
    }

    fn push(queue: &Queue<Events>) -> oneshot::Receiver<()> {
        let site = DomainId(Uuid::from_u128(1));
        queue
            .push(site, vec![beacon(site, Events(Vec::new()))], 1)
            .unwrap()
    }

    #[tokio::test]
    async fn what_queued_up_while_a_batch_was_committed_is_the_next_batch() {
        let (queue, store, writer) = parts();
        let first = push(&queue);
        let turn = store.hold();
        let running = tokio::spawn(async move { writer.run().await });
        store.asked(1).await;
        let (second, gone) = (push(&queue), push(&queue));
        drop(gone);
        drop(turn);
        first.await.unwrap();
        second.await.unwrap();
        queue.close();
        running.await.unwrap();
        assert_eq!(store.batches(), [1, 2], "whoever hung up is stored, too");
    }

    #[tokio::test]
    async fn where_the_store_fails_nobody_is_told_that_it_did_not() {
        let (queue, store, writer) = parts();
        store.fail(1);
        let (refused, running) = (push(&queue), tokio::spawn(async move { writer.run().await }));
        assert!(refused.await.is_err());
        push(&queue).await.unwrap();
        queue.close();
        running.await.unwrap();
        assert_eq!(store.batches(), [1]);
    }

    #[tokio::test]
    async fn a_panic_loses_nothing_and_one_more_gives_the_batch_up() {
        for (panics, is_stored) in [(1, true), (2, false)] {
            let (queue, store, writer) = parts();
            store.panic(panics);
            let (told, stop) = (push(&queue), CancellationToken::new());
            let supervisor = pharos_supervisor::Supervisor::default();
            let task = pharos_supervisor::Task::aside("writer of a test");
            let running = supervisor.spawn(task, &stop, move || {
                let writer = Arc::clone(&writer);
                async move { writer.run().await }
            });
            assert_eq!(told.await.is_ok(), is_stored);
            push(&queue).await.unwrap();
            stop.cancel();
            queue.close();
            running.await.unwrap();
        }
    }
}
