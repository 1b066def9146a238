//! Whether what a node keeps in memory of the store still holds.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

/// How long the store may be silent before the cache is bypassed. It sends itself a heartbeat each second.
pub const MOST_SILENCE: Duration = Duration::from_secs(3);

/// Whether what is cached may be used. Whoever listens to the store tells it what was heard.
#[derive(Debug)]
pub struct Invalidation {
    generation: AtomicU64,
    /// The moment that others are counted from: earlier than any that still matters.
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

    /// Whether changes are heard, and so whether what is kept in memory may be used at all.
    #[must_use]
    pub fn is_listening(&self) -> bool {
        let heard = self.heard.load(Ordering::SeqCst);
        heard != 0 && self.began.elapsed().saturating_sub(Duration::from_nanos(heard)) < MOST_SILENCE
    }
}

/// The generation that a read of the store began in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Generation(u64);
