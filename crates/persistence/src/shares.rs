//! Shares of the connections for long reads: whoever asks for many at once waits for their own.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use pharos_domain::store::StoreError;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};
use uuid::Uuid;

/// The shares that are taken, by whose they are. Clones are one.
#[derive(Clone, Debug)]
pub(crate) struct Shares {
    most: usize,
    taken: Arc<Mutex<HashMap<Uuid, Arc<Semaphore>>>>,
}

/// A share, until it is dropped.
#[derive(Debug)]
pub struct Share {
    shares: Shares,
    of: Uuid,
    /// `None` once it is given back.
    permit: Option<OwnedSemaphorePermit>,
}

impl Shares {
    /// A quarter of so many connections each.
    pub(crate) fn among(connections: usize) -> Self {
        Self {
            most: (connections / 4).max(1),
            taken: Arc::default(),
        }
    }

    /// A share, once one of theirs is free.
    ///
    /// # Errors
    /// None was within that time.
    pub(crate) async fn take(&self, of: Uuid, patience: Duration) -> Result<Share, StoreError> {
        let theirs = Arc::clone(
            self.lock()
                .entry(of)
                .or_insert_with(|| Arc::new(Semaphore::new(self.most))),
        );
        let waited = timeout(patience, theirs.acquire_owned()).await;
        let permit = waited.map_err(|_| {
            StoreError::Unavailable("as many long reads are under way as one workspace may have".into())
        })?;
        Ok(Share {
            shares: self.clone(),
            of,
            permit: Some(permit.map_err(|closed| StoreError::Failed(Box::new(closed)))?),
        })
    }

    /// A poisoned lock is as good as any: what is in it is whole.
    fn lock(&self) -> MutexGuard<'_, HashMap<Uuid, Arc<Semaphore>>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        drop(self.permit.take());
        let mut taken = self.shares.lock();
        // Nobody holds another, or waits for one.
        if taken
            .get(&self.of)
            .is_some_and(|theirs| Arc::strong_count(theirs) == 1)
        {
            taken.remove(&self.of);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn whoever_reads_much_leaves_connections_to_others() {
        let shares = Shares::among(16);
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let patience = Duration::from_secs(600);
        let mut held = Vec::new();
        for _ in 0..4 {
            held.push(shares.take(one, patience).await.unwrap());
        }
        let refused = shares.take(one, Duration::ZERO).await.unwrap_err();
        assert!(matches!(refused, StoreError::Unavailable(_)), "{refused}");
        let free = shares.take(other, Duration::ZERO).await.unwrap();
        held.pop();
        held.push(shares.take(one, patience).await.unwrap());
        drop((held, free));
        assert!(shares.lock().is_empty(), "nothing is kept of who reads nothing");
        assert_eq!(Shares::among(1).most, 1);
    }
}
