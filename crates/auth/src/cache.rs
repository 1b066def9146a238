//! Identities by credential, dropped at once when anything they hold changes.
//!
//! There is one generation for all entries. A notification of the store raises it, and an entry of an older
//! generation is not used. The generation is read before the store is, so an entry can never be younger than
//! what it holds. While the store's notifications do not come through, nothing is used at all.

use std::{
    hash::Hash,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use moka::sync::Cache;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generation(u64);

#[derive(Clone)]
struct Entry<R> {
    generation: Generation,
    record: Option<R>,
}

/// What the store said of credentials, by what stands for each. That it knows none is remembered apart, so that random keys can't push
/// out those that work.
pub struct IdentityCache<K, R> {
    invalidation: Arc<Invalidation>,
    known: Cache<K, Entry<R>>,
    unknown: Cache<K, Entry<R>>,
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
        Self {
            invalidation,
            known: Cache::new(10_000),
            unknown: Cache::new(100_000),
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
        let entry = self.known.get(key).or_else(|| self.unknown.get(key))?;
        self.invalidation
            .upholds(entry.generation)
            .then_some(entry.record)
    }

    /// Keeps what the store said.
    pub fn put(&self, key: K, generation: Generation, record: Option<R>) {
        let side = if record.is_some() {
            &self.known
        } else {
            &self.unknown
        };
        side.insert(key, Entry { generation, record });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secret::SecretDigest;

    fn cache() -> (Arc<Invalidation>, IdentityCache<SecretDigest, ()>, SecretDigest) {
        let invalidation = Arc::new(Invalidation::default());
        let cache = IdentityCache::new(Arc::clone(&invalidation));
        (invalidation, cache, SecretDigest::of("key"))
    }

    #[test]
    fn an_entry_is_used_until_something_changes() {
        let (invalidation, cache, digest) = cache();
        invalidation.heard(Instant::now());
        cache.put(digest, cache.generation(), None);
        assert!(cache.get(&digest).is_some());
        invalidation.raise();
        assert!(cache.get(&digest).is_none());
    }

    #[test]
    fn a_read_that_began_before_a_change_is_not_kept() {
        let (invalidation, cache, digest) = cache();
        invalidation.heard(Instant::now());
        let generation = cache.generation();
        invalidation.raise();
        cache.put(digest, generation, None);
        assert!(cache.get(&digest).is_none());
    }

    #[test]
    fn without_notifications_nothing_is_used() {
        let (invalidation, cache, digest) = cache();
        cache.put(digest, cache.generation(), None);
        assert!(cache.get(&digest).is_none(), "never heard");
        invalidation.heard(Instant::now());
        assert!(cache.get(&digest).is_some());
        invalidation.heard(Instant::now().checked_sub(MOST_SILENCE).unwrap());
        assert!(cache.get(&digest).is_none(), "silent for too long");
        invalidation.heard(Instant::now());
        invalidation.deaf();
        assert!(cache.get(&digest).is_none(), "disconnected");
    }
}
