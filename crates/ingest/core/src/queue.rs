//! Beacons that wait to be stored: bounded, and fair among sites.

use std::{
    collections::{HashMap, VecDeque},
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
};

use pharos_domain::{collect::Beacon, ids::DomainId};
use tokio::sync::{Notify, oneshot};

/// The bounds of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Arrivals of all sites.
    pub arrivals: usize,
    /// Their bytes.
    pub bytes: usize,
    /// How many parts of either one site may have: 4 is a quarter.
    pub share: usize,
    /// Arrivals that are stored together.
    pub batch: usize,
    /// Their bytes: once there are so many, the others wait for the next batch. A batch is stored or not as a whole, in the time
    /// that a statement has, so that the largest beacons of one site must not fill one.
    pub batch_bytes: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            arrivals: 16_384,
            bytes: 64 * 1024 * 1024,
            share: 4,
            batch: 512,
            batch_bytes: 2 * 1024 * 1024,
        }
    }
}

/// The queue, or the site's share of it, is full; or the node ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("more beacons wait to be stored than may")]
pub struct Full;

/// Beacons that came in one request, and who waits for them. It may be two: what was before midnight, and what came after.
pub(crate) struct Arrival<T> {
    pub(crate) beacons: Vec<Beacon<T>>,
    pub(crate) bytes: usize,
    /// Told once they are durable. Dropped without a word, they are not.
    pub(crate) stored: oneshot::Sender<()>,
}

struct OfSite<T> {
    waiting: VecDeque<Arrival<T>>,
    bytes: usize,
}

struct State<T> {
    sites: HashMap<DomainId, OfSite<T>>,
    /// The sites that have something waiting, in the order of their turns.
    turns: VecDeque<DomainId>,
    arrivals: usize,
    bytes: usize,
    is_closed: bool,
}

/// Beacons that wait to be stored.
pub struct Queue<T> {
    bounds: Bounds,
    state: Mutex<State<T>>,
    changed: Notify,
}

impl<T> fmt::Debug for Queue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (arrivals, bytes) = self.waiting();
        f.debug_struct("Queue")
            .field("arrivals", &arrivals)
            .field("bytes", &bytes)
            .finish_non_exhaustive()
    }
}

impl<T> Queue<T> {
    /// An empty queue.
    #[must_use]
    pub fn new(bounds: Bounds) -> Self {
        Self {
            bounds,
            state: Mutex::new(State {
                sites: HashMap::new(),
                turns: VecDeque::new(),
                arrivals: 0,
                bytes: 0,
                is_closed: false,
            }),
            changed: Notify::new(),
        }
    }

    /// Takes the beacons of one request, of so many bytes, and returns what tells when they are durable. They are stored
    /// whether or not anybody waits for that.
    ///
    /// # Errors
    /// There is no room.
    pub fn push(
        &self,
        site: DomainId,
        beacons: Vec<Beacon<T>>,
        bytes: usize,
    ) -> Result<oneshot::Receiver<()>, Full> {
        let (stored, when_stored) = oneshot::channel();
        let mut state = self.state();
        let Bounds {
            arrivals,
            bytes: most_bytes,
            share,
            ..
        } = self.bounds;
        let of_site = state.sites.get(&site);
        let (site_arrivals, site_bytes) = of_site.map_or((0, 0), |site| (site.waiting.len(), site.bytes));
        let is_full = state.is_closed
            || state.arrivals >= arrivals
            || state.bytes + bytes > most_bytes
            || site_arrivals >= arrivals / share
            || site_bytes + bytes > most_bytes / share;
        if is_full {
            return Err(Full);
        }
        state.arrivals += 1;
        state.bytes += bytes;
        if site_arrivals == 0 {
            state.turns.push_back(site);
        }
        let of_site = state.sites.entry(site).or_insert_with(|| OfSite {
            waiting: VecDeque::new(),
            bytes: 0,
        });
        of_site.bytes += bytes;
        of_site.waiting.push_back(Arrival {
            beacons,
            bytes,
            stored,
        });
        drop(state);
        self.changed.notify_one();
        Ok(when_stored)
    }

    /// The next arrivals to store: one a site in turns, up to a batch; waits for the first. `None` once the queue is closed and
    /// empty. For one taker at a time.
    pub(crate) async fn take(&self) -> Option<Vec<Arrival<T>>> {
        loop {
            // Asked for before the look, so that what comes in between is heard.
            let changed = self.changed.notified();
            let (batch, is_closed) = {
                let mut state = self.state();
                (state.next(self.bounds), state.is_closed)
            };
            if !batch.is_empty() {
                return Some(batch);
            }
            if is_closed {
                return None;
            }
            changed.await;
        }
    }

    /// Takes nothing more. Arrivals that wait are still stored.
    pub fn close(&self) {
        self.state().is_closed = true;
        self.changed.notify_one();
    }

    /// How many arrivals wait, and their bytes.
    #[must_use]
    pub fn waiting(&self) -> (usize, usize) {
        let state = self.state();
        (state.arrivals, state.bytes)
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> State<T> {
    fn next(&mut self, bounds: Bounds) -> Vec<Arrival<T>> {
        let (mut batch, mut bytes) = (Vec::new(), 0);
        while batch.len() < bounds.batch
            && bytes < bounds.batch_bytes
            && let Some(site) = self.turns.pop_front()
            && let Some(of_site) = self.sites.get_mut(&site)
            && let Some(arrival) = of_site.waiting.pop_front()
        {
            self.arrivals -= 1;
            self.bytes -= arrival.bytes;
            of_site.bytes -= arrival.bytes;
            bytes += arrival.bytes;
            if of_site.waiting.is_empty() {
                self.sites.remove(&site);
            } else {
                self.turns.push_back(site);
            }
            batch.push(arrival);
        }
        batch
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use uuid::Uuid;

    use super::*;
    use crate::testing::beacon;

    fn site(number: u128) -> DomainId {
        DomainId(Uuid::from_u128(number))
    }

    const BOUNDS: Bounds = Bounds {
        arrivals: 8,
        bytes: 800,
        share: 2,
        batch: 4,
        batch_bytes: 450,
    };

    fn push(queue: &Queue<()>, number: u128, bytes: usize) -> Result<oneshot::Receiver<()>, Full> {
        queue.push(site(number), vec![beacon(site(number), ())], bytes)
    }

    async fn sites(queue: &Queue<()>) -> Vec<DomainId> {
        let batch = queue.take().await.unwrap();
        batch.iter().map(|arrival| arrival.beacons[0].domain).collect()
    }

    #[tokio::test]
    async fn one_sites_flood_leaves_room_and_turns_to_the_others() {
        let queue = Queue::new(BOUNDS);
        for _ in 0..4 {
            push(&queue, 1, 10).unwrap();
        }
        assert_eq!(
            push(&queue, 1, 10).err(),
            Some(Full),
            "half of the queue is the site's share"
        );
        push(&queue, 2, 10).unwrap();
        push(&queue, 3, 10).unwrap();
        assert_eq!(sites(&queue).await, [site(1), site(2), site(3), site(1)]);
        assert_eq!(sites(&queue).await, [site(1), site(1)]);
        assert_eq!(queue.waiting(), (0, 0));
    }

    #[tokio::test]
    async fn bytes_are_bounded_for_a_site_and_for_all() {
        let queue = Queue::new(BOUNDS);
        push(&queue, 1, 400).unwrap();
        assert!(push(&queue, 1, 1).is_err());
        push(&queue, 2, 300).unwrap();
        assert!(push(&queue, 3, 101).is_err());
        push(&queue, 3, 100).unwrap();
        sites(&queue).await;
        push(&queue, 1, 400).unwrap();
    }

    #[tokio::test]
    async fn a_batch_ends_once_it_has_its_bytes() {
        let queue = Queue::new(BOUNDS);
        push(&queue, 1, 200).unwrap();
        push(&queue, 1, 200).unwrap();
        push(&queue, 2, 300).unwrap();
        assert_eq!(sites(&queue).await, [site(1), site(2)]);
        assert_eq!(sites(&queue).await, [site(1)]);
        assert_eq!(queue.waiting(), (0, 0));
    }

    #[tokio::test]
    async fn a_closed_queue_gives_out_what_waits_and_takes_nothing() {
        let queue = Queue::new(BOUNDS);
        let heard = push(&queue, 1, 1).unwrap();
        queue.close();
        assert!(push(&queue, 2, 1).is_err());
        let batch = queue.take().await.unwrap();
        assert!(queue.take().now_or_never().unwrap().is_none());
        drop(batch);
        assert!(heard.await.is_err(), "what was not stored is not told as stored");
    }
}
