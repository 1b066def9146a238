//! A clock by which a bench begins at noon.

use pharos_domain::clock::Clock;
use time::{Duration, OffsetDateTime, macros::time};

/// A clock that is ahead by as much as it takes to be noon, UTC, when it is made: what a read costs depends on how much of
/// the day is over, and a figure should not depend on when it was measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Noon {
    ahead: Duration,
}

impl Noon {
    /// The next one.
    pub(crate) fn next() -> Self {
        let now = OffsetDateTime::now_utc();
        let today = now.replace_time(time!(12:00));
        let noon = if today < now { today + Duration::DAY } else { today };
        Self { ahead: noon - now }
    }
}

impl Clock for Noon {
    fn now(&self) -> OffsetDateTime {
        OffsetDateTime::now_utc() + self.ahead
    }
}
