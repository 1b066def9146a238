//! The signing keys as this node holds them.

use std::sync::{Arc, PoisonError, RwLock};

use pharos_domain::{
    invalidation::{Generation, Invalidation},
    store::StoreError,
};
use time::OffsetDateTime;

use super::{
    signing::{KeySet, StoredKey},
    store::SigningKeyStore,
};

/// Reads the keys once, and again when something changed.
pub struct KeyRing {
    store: Arc<dyn SigningKeyStore>,
    invalidation: Arc<Invalidation>,
    held: RwLock<Option<(Generation, KeySet)>>,
}

impl std::fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KeyRing").finish_non_exhaustive()
    }
}

impl KeyRing {
    /// A ring that `invalidation` governs.
    #[must_use]
    pub fn new(store: Arc<dyn SigningKeyStore>, invalidation: Arc<Invalidation>) -> Self {
        Self {
            store,
            invalidation,
            held: RwLock::default(),
        }
    }

    /// The keys. The first node that asks makes the first of them.
    ///
    /// # Errors
    /// They can't be read.
    pub async fn keys(&self, now: OffsetDateTime) -> Result<KeySet, StoreError> {
        if let Some(keys) = self.held() {
            return Ok(keys);
        }
        let generation = self.invalidation.generation();
        let stored = self.store.load(&|| StoredKey::generate(now).ok()).await?;
        let keys = KeySet::new(stored).map_err(|error| StoreError::Corrupt(error.to_string()))?;
        let mut held = self.held.write().unwrap_or_else(PoisonError::into_inner);
        *held = Some((generation, keys.clone()));
        Ok(keys)
    }

    fn held(&self) -> Option<KeySet> {
        let held = self.held.read().unwrap_or_else(PoisonError::into_inner);
        let (generation, keys) = held.as_ref()?;
        self.invalidation.upholds(*generation).then(|| keys.clone())
    }
}
