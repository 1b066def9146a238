//! Failed attempts by source address: 600 in a minute, then no more are looked into.

use std::{
    hash::{BuildHasher, RandomState},
    sync::{Arc, Mutex, PoisonError},
};

use moka::sync::Cache;
use pharos_domain::{authenticator::Refusal, identity::Source};
use time::OffsetDateTime;

/// How many attempts may fail in a minute.
pub const MOST_FAILURES_A_MINUTE: u32 = 600;
const WINDOW_SECONDS: i64 = 60;

#[derive(Debug, Default)]
struct Count {
    window: i64,
    current: u32,
    previous: u32,
}

impl Count {
    /// Moves on to the window of `now`.
    fn advance(&mut self, now: i64) {
        let window = now.div_euclid(WINDOW_SECONDS);
        if window != self.window {
            self.previous = if window == self.window + 1 {
                self.current
            } else {
                0
            };
            self.current = 0;
            self.window = window;
        }
    }

    /// The failures of the last minute: this window's, and of the one before the share that is not over a minute old.
    fn estimate(&self, now: i64) -> u32 {
        let elapsed = u64::try_from(now.rem_euclid(WINDOW_SECONDS)).unwrap_or(0);
        let left = u64::from(self.previous) * (60 - elapsed) / 60;
        self.current
            .saturating_add(u32::try_from(left).unwrap_or(u32::MAX))
    }
}

/// Counts failed attempts. Networks are hashed under a secret of this process, and never kept.
#[derive(Debug)]
pub struct Failures {
    hasher: RandomState,
    counts: Cache<u64, Arc<Mutex<Count>>>,
}

impl Default for Failures {
    fn default() -> Self {
        let counts = Cache::builder()
            .max_capacity(100_000)
            .time_to_idle(std::time::Duration::from_secs(2 * WINDOW_SECONDS.unsigned_abs()))
            .build();
        Self {
            hasher: RandomState::new(),
            counts,
        }
    }
}

impl Failures {
    /// Refuses a source that has failed too often.
    ///
    /// # Errors
    /// It has.
    pub fn admit(&self, source: Source, now: OffsetDateTime) -> Result<(), Refusal> {
        match self.refusal(source, now) {
            Some(retry_after_seconds) => Err(Refusal::TooManyFailures { retry_after_seconds }),
            None => Ok(()),
        }
    }

    /// Counts an attempt that failed, and says how it is refused.
    pub fn refuse(&self, source: Source, now: OffsetDateTime) -> Refusal {
        if let Err(refusal) = self.admit(source, now) {
            return refusal;
        }
        self.count(source, now);
        Refusal::Invalid
    }

    /// Seconds until the next attempt is heard, if the source has failed too often.
    #[must_use]
    pub fn refusal(&self, source: Source, now: OffsetDateTime) -> Option<u32> {
        let count = self.counts.get(&self.key(source))?;
        let mut count = count.lock().unwrap_or_else(PoisonError::into_inner);
        let now = now.unix_timestamp();
        count.advance(now);
        let wait = u32::try_from(WINDOW_SECONDS - now.rem_euclid(WINDOW_SECONDS)).unwrap_or(60);
        (count.estimate(now) >= MOST_FAILURES_A_MINUTE).then_some(wait)
    }

    /// Counts a failure.
    pub fn count(&self, source: Source, now: OffsetDateTime) {
        let count = self.counts.get_with(self.key(source), Arc::default);
        let mut count = count.lock().unwrap_or_else(PoisonError::into_inner);
        count.advance(now.unix_timestamp());
        count.current = count.current.saturating_add(1);
    }

    fn key(&self, source: Source) -> u64 {
        self.hasher.hash_one(source.network())
    }
}

#[cfg(test)]
mod tests {
    use time::{Duration, macros::datetime};

    use super::*;

    fn from(address: &str) -> Source {
        Source(Some(address.parse().unwrap()))
    }

    #[test]
    fn the_601st_failure_of_a_minute_is_refused_and_a_minute_later_heard_again() {
        let failures = Failures::default();
        let now = datetime!(2026-03-31 09:15:00 UTC);
        let source = from("203.0.113.7");
        for _ in 0..MOST_FAILURES_A_MINUTE {
            assert_eq!(failures.refusal(source, now), None);
            failures.count(source, now);
        }
        assert_eq!(failures.refusal(source, now + Duration::seconds(20)), Some(40));
        assert_eq!(failures.refusal(from("203.0.113.8"), now), None);
        assert_eq!(failures.refusal(source, now + Duration::seconds(61)), None);
    }

    #[test]
    fn an_ipv6_network_counts_as_one() {
        let failures = Failures::default();
        let now = datetime!(2026-03-31 09:15:00 UTC);
        for _ in 0..MOST_FAILURES_A_MINUTE {
            failures.count(from("2001:db8:1:2::1"), now);
        }
        assert!(failures.refusal(from("2001:db8:1:2:ffff::9"), now).is_some());
        assert!(failures.refusal(from("2001:db8:1:3::1"), now).is_none());
    }
}
