//! The clock of the upstream: Pacific time.

use jiff::{Timestamp, tz::TimeZone};
use time::{Date, OffsetDateTime, UtcOffset};

use super::property::SOURCE_TIMEZONE;

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
}
