//! The last ten days by hour.

use async_trait::async_trait;
use pharos_domain::{identity::DomainAccess, store::StoreError, time_range::TimeRange};
use time::{Duration, OffsetDateTime};

use super::figures::{Figures, SearchType};

/// How many hours are shown, and kept.
pub const HOURS: i64 = 240;

/// The last 240 hours, the present one included.
#[must_use]
pub fn newest_hours(now: OffsetDateTime) -> TimeRange {
    let into_hour = Duration::seconds(now.unix_timestamp().rem_euclid(3_600))
        + Duration::nanoseconds(now.nanosecond().into());
    let until = now - into_hour + Duration::HOUR;
    TimeRange::new(until - Duration::hours(HOURS), until)
}

/// Reads hours.
#[async_trait]
pub trait HourStore: Send + Sync {
    /// The hours of a domain that began in this range and have data, the oldest first.
    async fn hours(
        &self,
        domain: &DomainAccess,
        search_type: SearchType,
        range: TimeRange,
    ) -> Result<Vec<(OffsetDateTime, Figures)>, StoreError>;
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn the_present_hour_is_the_last_of_240() {
        let hours = newest_hours(datetime!(2026-03-31 09:15:30.5 UTC));
        assert_eq!(hours.until, datetime!(2026-03-31 10:00 UTC));
        assert_eq!(hours.from, datetime!(2026-03-21 10:00 UTC));
    }
}
