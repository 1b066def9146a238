//! Where "now" comes from.

use std::sync::Mutex;

use time::{Duration, OffsetDateTime};

/// Tells the time, UTC. Handlers and rules ask it, never the system, so that tests can set it.
pub trait Clock: Send + Sync + 'static {
    /// The present moment.
    fn now(&self) -> OffsetDateTime;
}

/// The system's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> OffsetDateTime {
        OffsetDateTime::now_utc()
    }
}

/// A clock that stands still until it is moved. For tests.
#[derive(Debug)]
pub struct ManualClock(Mutex<OffsetDateTime>);

impl ManualClock {
    /// A clock that stands at `now`.
    #[must_use]
    pub fn at(now: OffsetDateTime) -> Self {
        Self(Mutex::new(now))
    }

    /// Moves the clock forward (or, with a negative duration, back).
    pub fn advance(&self, by: Duration) {
        *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner) += by;
    }
}

impl Clock for ManualClock {
    fn now(&self) -> OffsetDateTime {
        *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
