//! A clock by which a bench begins when a day does.

use pharos_domain::clock::Clock;
use time::{Duration, OffsetDateTime, macros::time};

/// A clock that is ahead by as much as it takes to be a quarter past midnight, UTC, when it is made. The cost of a read
/// depends on how much of the day is over, and a figure should not depend on when it was measured: at this hour all days
/// before are rolled up, a month is read fastest, and a year costs most beside it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Daybreak {
    ahead: Duration,
}

impl Daybreak {
    /// The next one.
    pub(crate) fn next() -> Self {
        let now = OffsetDateTime::now_utc();
        let today = now.replace_time(time!(00:15));
        let next = if today < now { today + Duration::DAY } else { today };
        Self { ahead: next - now }
    }
}

impl Clock for Daybreak {
    fn now(&self) -> OffsetDateTime {
        OffsetDateTime::now_utc() + self.ahead
    }
}
