//! Identities by credential, dropped at once when anything they hold changes.
//!
//! There is one generation for all entries. A notification of the store raises it, and an entry of an older
//! generation is not used. The generation is read before the store is, so an entry can never be younger than
//! what it holds. While the store's notifications do not come through, nothing is used at all.

use std::{
    hash::Hash,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use moka::{Expiry, sync::Cache};
use pharos_domain::{
    identity::Identity,
    invalidation::{Generation, Invalidation},
};

use crate::footprint::DomainLists;

/// How much known records may take together, in bytes, without their lists of domains.
const MOST_BYTES: u64 = 32 << 20;
/// The overhead of an entry in bytes, about.
const OVERHEAD: usize = 256;

/// A credential that the store knows.
#[derive(Clone, Debug)]
pub struct Known<R> {
    /// Its record.
    pub record: R,
    /// How much it takes, in bytes, without its lists of domains.
    pub bytes: usize,
    /// How long the credential still holds, and with it the entry; `None`: without an end.
    pub ends_in: Option<Duration>,
}

#[derive(Clone)]
struct Entry<R> {
    generation: Generation,
    known: Known<R>,
}

/// An entry goes with its credential.
struct ByEnd;

impl<K, R> Expiry<K, Entry<R>> for ByEnd {
    fn expire_after_create(&self, _: &K, entry: &Entry<R>, _: Instant) -> Option<Duration> {
        entry.known.ends_in
    }

    fn expire_after_update(
        &self,
        _: &K,
        entry: &Entry<R>,
        _: Instant,
        _: Option<Duration>,
    ) -> Option<Duration> {
        entry.known.ends_in
    }
}

/// The lists of domains of what is known in one generation.
struct Shelf {
    generation: Generation,
    lists: DomainLists,
}

/// The store's answers about credentials, by a key for each. Answers that there is none are remembered apart, so that
/// random keys can't push out those that work.
pub struct IdentityCache<K, R> {
    invalidation: Arc<Invalidation>,
    known: Cache<K, Entry<R>>,
    unknown: Cache<K, Generation>,
    shelf: Mutex<Shelf>,
}

impl<K, R> std::fmt::Debug for IdentityCache<K, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IdentityCache").finish_non_exhaustive()
    }
}

impl<K: Hash + Eq + Send + Sync + 'static, R: Clone + Send + Sync + 'static> IdentityCache<K, R> {
    /// An empty cache.
    #[must_use]
    pub fn new(invalidation: Arc<Invalidation>) -> Self {
        let shelf = Shelf {
            generation: invalidation.generation(),
            lists: DomainLists::default(),
        };
        Self {
            invalidation,
            known: Cache::builder()
                .max_capacity(MOST_BYTES)
                .weigher(|_, entry: &Entry<R>| {
                    u32::try_from(entry.known.bytes + OVERHEAD).unwrap_or(u32::MAX)
                })
                .expire_after(ByEnd)
                .build(),
            unknown: Cache::new(100_000),
            shelf: Mutex::new(shelf),
        }
    }

    /// The generation to pass to [`IdentityCache::put`]; callers take it before they read the store.
    #[must_use]
    pub fn generation(&self) -> Generation {
        self.invalidation.generation()
    }

    /// The store's answer about a credential, if that still holds; `Some(None)`: the store knows none.
    #[must_use]
    pub fn get(&self, key: &K) -> Option<Option<R>> {
        if let Some(Entry { generation, known }) = self.known.get(key) {
            return self
                .invalidation
                .upholds(generation)
                .then_some(Some(known.record));
        }
        let generation = self.unknown.get(key)?;
        self.invalidation.upholds(generation).then_some(None)
    }

    /// Has an identity hold the lists of domains that others of its generation hold already. Lists of an older
    /// generation go, since it would hold lists of its own; so does everything when the lists take too much.
    pub fn share(&self, generation: Generation, identity: &mut Identity) {
        let mut shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        if generation < shelf.generation {
            // It will not be used again.
            return;
        }
        if generation > shelf.generation || shelf.lists.are_too_large() {
            self.known.invalidate_all();
            *shelf = Shelf {
                generation,
                lists: DomainLists::default(),
            };
        }
        shelf.lists.share(identity);
    }

    /// Keeps the store's answer.
    pub fn put(&self, key: K, generation: Generation, said: Option<Known<R>>) {
        match said {
            Some(known) => self.known.insert(key, Entry { generation, known }),
            None => self.unknown.insert(key, generation),
        }
    }
}

#[cfg(test)]
mod tests;
