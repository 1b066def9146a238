//! The clock of the upstream: Pacific time.

use jiff::{Timestamp, tz::TimeZone};
use time::{Date, OffsetDateTime, UtcOffset};

/// Whose days the upstream's are.
pub const SOURCE_TIMEZONE: &str = "America/Los_Angeles";

/// The moment as clocks in California show it.
#[must_use]
pub fn local(moment: OffsetDateTime) -> OffsetDateTime {
    let zone = TimeZone::get(SOURCE_TIMEZONE).unwrap_or(TimeZone::UTC);
    let seconds =
        Timestamp::from_second(moment.unix_timestamp()).map_or(0, |moment| zone.to_offset(moment).seconds());
    moment.to_offset(UtcOffset::from_whole_seconds(seconds).unwrap_or(UtcOffset::UTC))
}

/// The day of the upstream at that moment.
#[must_use]
pub fn day(moment: OffsetDateTime) -> Date {
    local(moment).date()
}

/// When the day of the upstream at that moment is over.
#[must_use]
pub fn day_ends_at(moment: OffsetDateTime) -> OffsetDateTime {
    let now = local(moment);
    let next = now.date().next_day().unwrap_or(now.date()).midnight();
    // Clocks are changed at 2:00, so an hour beside midnight they show what they show at midnight.
    let about = local(next.assume_offset(now.offset()));
    next.assume_offset(about.offset()).to_offset(UtcOffset::UTC)
}

#[cfg(test)]
mod tests {
    use time::macros::{date, datetime};

    use super::*;

    /// The clocks of California went forward on 2026-03-08 at 10:00 UTC.
    #[test]
    fn days_begin_at_midnight_in_california() {
        for (now, want) in [
            (datetime!(2026-03-31 06:59 UTC), date!(2026 - 03 - 30)),
            (datetime!(2026-03-31 07:00 UTC), date!(2026 - 03 - 31)),
            (datetime!(2026-01-31 07:59 UTC), date!(2026 - 01 - 30)),
            (datetime!(2026-01-31 08:00 UTC), date!(2026 - 01 - 31)),
        ] {
            assert_eq!(day(now), want, "{now}");
        }
    }

    /// They go back on 2026-11-01 at 9:00 UTC.
    #[test]
    fn a_day_on_which_clocks_are_changed_ends_by_the_new_time() {
        for (now, want) in [
            (datetime!(2026-03-07 09:00 UTC), datetime!(2026-03-08 08:00 UTC)),
            (datetime!(2026-03-08 09:00 UTC), datetime!(2026-03-09 07:00 UTC)),
            (datetime!(2026-10-31 08:00 UTC), datetime!(2026-11-01 07:00 UTC)),
            (datetime!(2026-11-01 08:00 UTC), datetime!(2026-11-02 08:00 UTC)),
        ] {
            assert_eq!(day_ends_at(now), want, "{now}");
        }
    }
}
