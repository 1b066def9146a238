//! The clients as this node knows them.

use std::sync::Arc;

use moka::sync::Cache;
use pharos_domain::{
    ids::ClientId,
    invalidation::{Generation, Invalidation},
    store::StoreError,
};

use super::{client::Client, store::ClientStore};

/// How many clients a node remembers.
const MOST_CLIENTS: u64 = 10_000;

/// Reads each client once, and again when something changed.
pub struct ClientBook {
    store: Arc<dyn ClientStore>,
    invalidation: Arc<Invalidation>,
    held: Cache<ClientId, (Generation, Arc<Client>)>,
}

impl std::fmt::Debug for ClientBook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ClientBook").finish_non_exhaustive()
    }
}

impl ClientBook {
    /// A book that `invalidation` governs.
    #[must_use]
    pub fn new(store: Arc<dyn ClientStore>, invalidation: Arc<Invalidation>) -> Self {
        Self {
            store,
            invalidation,
            held: Cache::new(MOST_CLIENTS),
        }
    }

    /// Stores a new client.
    ///
    /// # Errors
    /// The store failed.
    pub async fn register(&self, client: &Client) -> Result<(), StoreError> {
        self.store.register(client).await
    }

    /// The client of that id.
    ///
    /// # Errors
    /// The store failed.
    pub async fn find(&self, id: ClientId) -> Result<Option<Arc<Client>>, StoreError> {
        if let Some((generation, client)) = self.held.get(&id)
            && self.invalidation.upholds(generation)
        {
            return Ok(Some(client));
        }
        let generation = self.invalidation.generation();
        let found = self.store.find(id).await?.map(Arc::new);
        if let Some(client) = &found {
            self.held.insert(id, (generation, Arc::clone(client)));
        }
        Ok(found)
    }
}
