//! Answers of one node, in its memory.

use std::{
    hash::{BuildHasher, RandomState},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use async_trait::async_trait;
use moka::{Expiry, sync::Cache};
use pharos_domain::{clock::Clock, ids::DomainId, module::Module};
use pharos_http::metering::{CacheKey, CachedAnswer, Lookup, ResponseCache, Ticket};
use time::OffsetDateTime;

use super::LONGEST;

/// How many generations there are. Two domains and modules that share one drop each other's answers, no more.
const GENERATIONS: usize = 4_096;
/// The bytes that an entry takes besides key, body and position, about.
const OVERHEAD: usize = 320;

/// An answer, and until when it holds.
#[derive(Clone)]
struct Kept {
    ticket: Ticket,
    answer: CachedAnswer,
    ttl: Duration,
    expires_at: OffsetDateTime,
}

/// Keeps answers in memory, up to a size.
pub struct MemoryResponseCache {
    kept: Cache<CacheKey, Kept>,
    clock: Arc<dyn Clock>,
    generations: Box<[AtomicU64]>,
    /// Raised when everything is to be forgotten.
    epoch: AtomicU64,
    hasher: RandomState,
}

impl MemoryResponseCache {
    /// An empty cache that holds `max_bytes` of keys and bodies at most. `clock` says when an answer is too old.
    #[must_use]
    pub fn new(max_bytes: u64, clock: Arc<dyn Clock>) -> Self {
        let kept = Cache::builder()
            .max_capacity(max_bytes)
            .weigher(|key: &CacheKey, kept: &Kept| {
                let CachedAnswer { body, next, .. } = &kept.answer;
                let next = next.as_ref().map_or(0, String::len);
                let bytes = key.parameters.len() + body.len() + next + OVERHEAD;
                u32::try_from(bytes).unwrap_or(u32::MAX)
            })
            .expire_after(ByTtl)
            .build();
        Self {
            kept,
            clock,
            generations: (0..GENERATIONS).map(|_| AtomicU64::new(0)).collect(),
            epoch: AtomicU64::new(0),
            hasher: RandomState::new(),
        }
    }

    /// The count of changes so far. Both numbers only grow, so their sum tells any two moments apart between
    /// which one of them was raised.
    fn present(&self, domain: Option<DomainId>, module: Module) -> Ticket {
        let generation = self.generation(domain, module).load(Ordering::SeqCst);
        Ticket(generation.wrapping_add(self.epoch.load(Ordering::SeqCst)))
    }

    fn generation(&self, domain: Option<DomainId>, module: Module) -> &AtomicU64 {
        let hash = self.hasher.hash_one((domain, module as u8));
        &self.generations[usize::try_from(hash).unwrap_or(0) % GENERATIONS]
    }
}

impl std::fmt::Debug for MemoryResponseCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MemoryResponseCache")
            .field("bytes", &self.kept.weighted_size())
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl ResponseCache for MemoryResponseCache {
    async fn get(&self, key: &CacheKey) -> Lookup {
        let present = self.present(key.domain, key.module);
        match self.kept.get(key) {
            Some(kept) if kept.ticket == present && self.clock.now() < kept.expires_at => {
                Lookup::Hit(kept.answer, present)
            }
            _ => Lookup::Miss(present),
        }
    }

    async fn put(&self, key: &CacheKey, ticket: Ticket, answer: CachedAnswer, ttl: Duration) {
        // An answer that a change has overtaken must not take the place of one that was computed after it.
        if ticket != self.present(key.domain, key.module) {
            return;
        }
        let ttl = ttl.min(LONGEST);
        let kept = Kept {
            ticket,
            answer,
            ttl,
            expires_at: self.clock.now() + ttl,
        };
        self.kept.insert(key.clone(), kept);
    }

    async fn raise(&self, domain: DomainId, module: Module) {
        self.generation(Some(domain), module)
            .fetch_add(1, Ordering::SeqCst);
    }

    fn distrust(&self) {
        self.epoch.fetch_add(1, Ordering::SeqCst);
        self.kept.invalidate_all();
    }

    fn is_available(&self) -> bool {
        true
    }
}

/// Frees the memory of what is too old. Whether it may be served is asked of the clock.
struct ByTtl;

impl Expiry<CacheKey, Kept> for ByTtl {
    fn expire_after_create(&self, _: &CacheKey, kept: &Kept, _: Instant) -> Option<Duration> {
        Some(kept.ttl)
    }

    fn expire_after_update(
        &self,
        _: &CacheKey,
        kept: &Kept,
        _: Instant,
        _: Option<Duration>,
    ) -> Option<Duration> {
        Some(kept.ttl)
    }
}
