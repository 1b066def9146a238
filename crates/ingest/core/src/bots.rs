//! How many beacons of bots a site had: counted, and not stored otherwise.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;
use pharos_domain::{ids::DomainId, store::StoreError};

/// How many sites are counted between two writes. The bots of any more are in the metric alone.
const MOST_SITES: usize = 10_000;

/// Keeps the counts by site and UTC day.
#[async_trait]
pub trait BotStore: Send + Sync {
    /// Adds to the counts of the day, by the database's clock.
    async fn add(&self, counts: &[(DomainId, u32)]) -> Result<(), StoreError>;
}

/// The counts that are still to be written.
pub struct Bots {
    store: Arc<dyn BotStore>,
    counts: Mutex<HashMap<DomainId, u32>>,
}

impl fmt::Debug for Bots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bots").finish_non_exhaustive()
    }
}

impl Bots {
    /// Counts of a store.
    #[must_use]
    pub fn new(store: Arc<dyn BotStore>) -> Self {
        Self {
            store,
            counts: Mutex::default(),
        }
    }

    /// Counts one.
    pub fn count(&self, site: DomainId) {
        let mut counts = self.counts();
        if counts.len() < MOST_SITES || counts.contains_key(&site) {
            let count = counts.entry(site).or_default();
            *count = count.saturating_add(1);
        }
    }

    /// Writes the counts. Those that can't be written are kept and counted on.
    ///
    /// # Errors
    /// The store failed.
    pub async fn flush(&self) -> Result<(), StoreError> {
        let mut counts: Vec<_> = self.counts().drain().collect();
        if counts.is_empty() {
            return Ok(());
        }
        // Two nodes that write at once lock the rows in one order.
        counts.sort_unstable();
        let added = self.store.add(&counts).await;
        if added.is_err() {
            let mut kept = self.counts();
            for (site, count) in counts {
                let sum = kept.entry(site).or_default();
                *sum = sum.saturating_add(count);
            }
        }
        added
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<DomainId, u32>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
