//! The places of answers that are held at once, with a share of them for each of those on whose behalf servers are asked.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::Semaphore;

use super::answer::Place;

/// At most so many places, of which nobody gets more than a share.
pub(super) struct Places {
    all: Arc<Semaphore>,
    share: usize,
    /// The shares of those who hold a place or wait for one.
    shares: Mutex<HashMap<u128, Arc<Semaphore>>>,
}

impl Places {
    pub(super) fn new(at_once: usize, share: usize) -> Self {
        Self {
            all: Arc::new(Semaphore::new(at_once)),
            share,
            shares: Mutex::default(),
        }
    }

    /// Waits for a place. Whoever waits for one of a share stands in nobody's way.
    pub(super) async fn take(&self, share: Option<u128>) -> Place {
        // No semaphore is ever closed; without a place the request goes on all the same.
        let of_share = match share {
            Some(share) => self.of(share).acquire_owned().await.ok(),
            None => None,
        };
        let of_all = Arc::clone(&self.all).acquire_owned().await.ok();
        Place::new([of_share, of_all])
    }

    fn of(&self, share: u128) -> Arc<Semaphore> {
        let mut known = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever holds a place or waits for one holds the semaphore, too.
        known.retain(|_, places| Arc::strong_count(places) > 1);
        let places = known
            .entry(share)
            .or_insert_with(|| Arc::new(Semaphore::new(self.share)));
        Arc::clone(places)
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::{Duration, timeout};

    use super::*;

    #[tokio::test]
    async fn what_one_holds_leaves_places_for_others() {
        let places = Places::new(2, 1);
        let take = async |share| timeout(Duration::ZERO, places.take(share)).await.ok();
        let held = take(Some(1)).await;
        assert!(held.is_some());
        assert!(take(Some(1)).await.is_none(), "its share is taken");
        let others = take(Some(2)).await;
        assert!(others.is_some());
        drop(held);
        let again = take(Some(1)).await;
        assert!(again.is_some());
        assert!(take(None).await.is_none(), "all are taken");
        assert_eq!(places.shares.lock().unwrap().len(), 2);
        drop((others, again));
        assert!(take(Some(3)).await.is_some());
        assert_eq!(
            places.shares.lock().unwrap().len(),
            1,
            "nothing is left of the others"
        );
    }
}
