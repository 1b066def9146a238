//! Identities by credential, dropped at once when anything they hold changes.
//!
//! There is one generation for all entries. A notification of the store raises it, and an entry of an older
//! generation is not used. The generation is read before the store is, so an entry can never be younger than
//! what it holds. While the store's notifications do not come through, nothing is used at all.

use std::{
    hash::Hash,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use moka::{Expiry, sync::Cache};
use pharos_domain::identity::Identity;

use crate::footprint::DomainLists;

/// How long the store may be silent before the cache is bypassed. It sends itself a heartbeat each second.
pub const MOST_SILENCE: Duration = Duration::from_secs(3);

/// Whether what is cached may be used. Whoever listens to the store tells it what was heard.
#[derive(Debug)]
pub struct Invalidation {
    generation: AtomicU64,
    /// What moments are counted from: earlier than any that still matters.
    began: Instant,
    /// When the last sign of life was sent, in nanoseconds after `began`; 0: never. Read by every request.
    heard: AtomicU64,
}

impl Default for Invalidation {
    fn default() -> Self {
        let now = Instant::now();
        Self {
            generation: AtomicU64::new(0),
            began: now.checked_sub(MOST_SILENCE * 2).unwrap_or(now),
            heard: AtomicU64::new(0),
        }
    }
}

impl Invalidation {
    /// Something changed: what is cached now is not used again.
    pub fn raise(&self) {
        self.generation.fetch_add(1, Ordering::SeqCst);
    }

    /// The heartbeat came back, and with it everything that was sent before it.
    pub fn heard(&self, at: Instant) {
        let after = at.saturating_duration_since(self.began).as_nanos();
        let after = u64::try_from(after).unwrap_or(u64::MAX).max(1);
        self.heard.store(after, Ordering::SeqCst);
    }

    /// The connection to the store broke: until the next heartbeat the cache is bypassed.
    pub fn deaf(&self) {
        self.heard.store(0, Ordering::SeqCst);
        self.raise();
    }

    /// The generation of what is read now; taken before the store is read.
    #[must_use]
    pub fn generation(&self) -> Generation {
        Generation(self.generation.load(Ordering::SeqCst))
    }

    /// Whether what was read in that generation still holds.
    #[must_use]
    pub fn upholds(&self, generation: Generation) -> bool {
        self.is_listening() && self.generation() == generation
    }

    fn is_listening(&self) -> bool {
        let heard = self.heard.load(Ordering::SeqCst);
        heard != 0 && self.began.elapsed().saturating_sub(Duration::from_nanos(heard)) < MOST_SILENCE
    }
}

/// The generation that a read of the store began in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Generation(u64);

/// How much what the store knows may take, lists of domains aside, in bytes.
const MOST_BYTES: u64 = 32 << 20;
/// What an entry takes besides its record, about.
const OVERHEAD: usize = 256;

/// What the store knows of a credential.
#[derive(Clone, Debug)]
pub struct Known<R> {
    /// That.
    pub record: R,
    /// How much it takes, in bytes, lists of domains aside.
    pub bytes: usize,
    /// When the credential ends; `None`: it does not. Later it is of no use to anybody.
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

/// What the store said of credentials, by what stands for each. That it knows none is remembered apart, so that random
/// keys can't push out those that work.
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

    /// What to pass to [`IdentityCache::put`], taken before the store is read.
    #[must_use]
    pub fn generation(&self) -> Generation {
        self.invalidation.generation()
    }

    /// What the store said of it, if that still holds.
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

    /// Has an identity hold the lists of domains that others of its generation hold already. What is kept of an older
    /// generation goes, since it would hold lists of its own; so does everything when the lists take too much.
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

    /// Keeps what the store said.
    pub fn put(&self, key: K, generation: Generation, said: Option<Known<R>>) {
        match said {
            Some(known) => self.known.insert(key, Entry { generation, known }),
            None => self.unknown.insert(key, generation),
        }
    }
}

#[cfg(test)]
mod tests;
