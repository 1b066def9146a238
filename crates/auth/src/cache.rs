//! Identities by digest, dropped at once when anything they hold changes.
//!
//! There is one generation for all entries. A notification of the store raises it, and an entry of an older
//! generation is not used. The generation is read before the store is, so an entry can never be younger than
//! what it holds. While the store's notifications do not come through, nothing is used at all.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use moka::sync::Cache;

use crate::{keys::secret::SecretDigest, store::KeyRecord};

/// How long the store may be silent before the cache is bypassed. It sends itself a heartbeat each second.
pub const MOST_SILENCE: Duration = Duration::from_secs(3);

/// Whether what is cached may be used. Whoever listens to the store tells it what was heard.
#[derive(Debug, Default)]
pub struct Invalidation {
    generation: AtomicU64,
    heard: Mutex<Option<Instant>>,
}

impl Invalidation {
    /// Something changed: what is cached now is not used again.
    pub fn raise(&self) {
        self.generation.fetch_add(1, Ordering::SeqCst);
    }

    /// The heartbeat came back, and with it everything that was sent before it.
    pub fn heard(&self, at: Instant) {
        *self.heard.lock().unwrap_or_else(PoisonError::into_inner) = Some(at);
    }

    /// The connection to the store broke: until the next heartbeat the cache is bypassed.
    pub fn deaf(&self) {
        *self.heard.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.raise();
    }

    fn is_listening(&self) -> bool {
        let heard = *self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.is_some_and(|at| at.elapsed() < MOST_SILENCE)
    }
}

/// The generation that a read of the store began in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generation(u64);

#[derive(Clone, Debug)]
struct Entry {
    generation: Generation,
    record: Option<Arc<KeyRecord>>,
}

/// What the store said of digests. That it knows none is remembered apart, so that random keys can't push
/// out those that work.
#[derive(Debug)]
pub struct IdentityCache {
    invalidation: Arc<Invalidation>,
    known: Cache<SecretDigest, Entry>,
    unknown: Cache<SecretDigest, Entry>,
}

impl IdentityCache {
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
        Generation(self.invalidation.generation.load(Ordering::SeqCst))
    }

    /// What the store said of the digest, if that still holds.
    #[must_use]
    pub fn get(&self, digest: &SecretDigest) -> Option<Option<Arc<KeyRecord>>> {
        if !self.invalidation.is_listening() {
            return None;
        }
        let entry = self.known.get(digest).or_else(|| self.unknown.get(digest))?;
        (entry.generation == self.generation()).then_some(entry.record)
    }

    /// Keeps what the store said.
    pub fn put(&self, digest: SecretDigest, generation: Generation, record: Option<Arc<KeyRecord>>) {
        let side = if record.is_some() {
            &self.known
        } else {
            &self.unknown
        };
        side.insert(digest, Entry { generation, record });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache() -> (Arc<Invalidation>, IdentityCache, SecretDigest) {
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
