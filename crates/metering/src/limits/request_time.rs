//! The time of a request in the units that limits count in: slices of five seconds, days.

use time::OffsetDateTime;

/// How many slices a minute is counted in.
pub(super) const SLICES_A_MINUTE: u8 = 12;
/// The same, to count with.
pub(super) const SLICES: i64 = SLICES_A_MINUTE as i64;
/// How long a slice is.
pub(super) const SLICE_MS: i64 = 60_000 / SLICES;
/// How long a day is, in UTC.
pub(super) const DAY_MS: i64 = 86_400_000;

/// When a request came, in whole milliseconds of the Unix epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RequestTime {
    ms: i64,
}

impl RequestTime {
    pub(super) fn of(now: OffsetDateTime) -> Self {
        Self {
            // Times reach to the year 9999, which is far from what 64 bits hold.
            ms: now.unix_timestamp() * 1_000 + i64::from(now.millisecond()),
        }
    }

    pub(super) const fn ms(self) -> i64 {
        self.ms
    }

    /// The slice that it lies in.
    pub(super) const fn slice(self) -> i64 {
        self.ms.div_euclid(SLICE_MS)
    }

    /// The UTC day that it lies in.
    pub(super) const fn day(self) -> i64 {
        self.ms.div_euclid(DAY_MS)
    }

    /// Whole seconds until `ms`, at least one.
    pub(super) fn seconds_until(self, ms: i64) -> u32 {
        let seconds = (ms - self.ms).max(1).unsigned_abs().div_ceil(1_000);
        u32::try_from(seconds).unwrap_or(u32::MAX)
    }
}

/// When what was counted in `slice` counts no more, in milliseconds of the Unix epoch.
pub(super) const fn slice_leaves_at(slice: i64) -> i64 {
    (slice + SLICES) * SLICE_MS
}

/// When `day` ends, in milliseconds of the Unix epoch.
pub(super) const fn day_ends_at(day: i64) -> i64 {
    (day + 1) * DAY_MS
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn a_slice_begins_with_its_first_millisecond() {
        let before = RequestTime::of(datetime!(2026-03-31 09:15:04.999_999 UTC));
        let at = RequestTime::of(datetime!(2026-03-31 09:15:05 UTC));
        assert_eq!(before.slice() + 1, at.slice());
        assert_eq!(slice_leaves_at(before.slice()), before.slice() * 5_000 + 60_000);
    }

    #[test]
    fn a_wait_is_rounded_up_and_never_nothing() {
        let now = RequestTime { ms: 10_001 };
        assert_eq!(now.seconds_until(11_001), 1);
        assert_eq!(now.seconds_until(11_002), 2);
        assert_eq!(now.seconds_until(10_001), 1);
        assert_eq!(now.seconds_until(0), 1);
    }

    #[test]
    fn times_before_the_epoch_have_slices_and_days() {
        let moment = RequestTime::of(datetime!(1969-12-31 23:59:59.999 UTC));
        assert_eq!((moment.ms(), moment.slice(), moment.day()), (-1, -1, -1));
        assert_eq!(day_ends_at(moment.day()), 0);
    }
}
