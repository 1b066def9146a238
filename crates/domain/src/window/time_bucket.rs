//! The buckets of time that the figures of a window are told in.

use time::{Duration, OffsetDateTime, Time, UtcOffset};

use super::date_range::DateRange;
use crate::{time_range::TimeRange, wire_enum};

wire_enum! {
    /// How long the pieces of a time series are.
    Granularity {
        /// An hour.
        Hour = "hour",
        /// A UTC day.
        Day = "day",
        /// A week, Monday to Sunday (ISO 8601).
        Week = "week",
    }
}

/// An hour, a day or a week, as far as it lies in a window. The first and the last may lie in it only partly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBucket {
    /// When its hour, day or week begins; that of a first week may lie before the window.
    pub start: OffsetDateTime,
    /// The part of it that lies in the window.
    pub range: TimeRange,
}

impl Granularity {
    /// When the hour, day or week of `moment` began, UTC.
    #[must_use]
    pub fn start_of(self, moment: OffsetDateTime) -> OffsetDateTime {
        let moment = moment.to_offset(UtcOffset::UTC);
        let midnight = moment.replace_time(Time::MIDNIGHT);
        match self {
            Self::Hour => midnight.saturating_add(Duration::hours(moment.hour().into())),
            Self::Day => midnight,
            Self::Week => {
                midnight.saturating_sub(Duration::days(moment.weekday().number_days_from_monday().into()))
            }
        }
    }

    const fn length(self) -> Duration {
        match self {
            Self::Hour => Duration::HOUR,
            Self::Day => Duration::DAY,
            Self::Week => Duration::WEEK,
        }
    }
}

impl DateRange {
    /// Its buckets, in order, without gap or overlap. Those of days that hold today reach to midnight.
    pub fn buckets(self, granularity: Granularity) -> impl Iterator<Item = TimeBucket> {
        let (start, end) = (self.start(), self.end());
        let next = move |bucket: OffsetDateTime| bucket.saturating_add(granularity.length());
        std::iter::successors(Some(granularity.start_of(start)), move |bucket| {
            Some(next(*bucket))
        })
        .take_while(move |bucket| *bucket < end)
        .map(move |bucket| TimeBucket {
            start: bucket,
            range: TimeRange::new(bucket.max(start), next(bucket).min(end)),
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use time::macros::{date, datetime};

    use super::*;

    #[test]
    fn the_first_and_the_last_week_may_be_partial() {
        // Wednesday 2025-12-31 to Monday 2026-01-12.
        let window = DateRange::new(date!(2025 - 12 - 31), date!(2026 - 01 - 12)).unwrap();
        let weeks: Vec<TimeBucket> = window.buckets(Granularity::Week).collect();
        assert_eq!(
            weeks,
            [
                TimeBucket {
                    start: datetime!(2025-12-29 00:00 UTC),
                    range: TimeRange::new(datetime!(2025-12-31 00:00 UTC), datetime!(2026-01-05 00:00 UTC)),
                },
                TimeBucket {
                    start: datetime!(2026-01-05 00:00 UTC),
                    range: TimeRange::new(datetime!(2026-01-05 00:00 UTC), datetime!(2026-01-12 00:00 UTC)),
                },
                TimeBucket {
                    start: datetime!(2026-01-12 00:00 UTC),
                    range: TimeRange::new(datetime!(2026-01-12 00:00 UTC), datetime!(2026-01-13 00:00 UTC)),
                },
            ]
        );
    }

    #[test]
    fn hours_and_days_are_whole() {
        let window = DateRange::new(date!(2024 - 02 - 28), date!(2024 - 03 - 01)).unwrap();
        assert_eq!(window.buckets(Granularity::Day).count(), 3);
        assert_eq!(window.buckets(Granularity::Hour).count(), 72);
        let last = window.buckets(Granularity::Hour).last().unwrap();
        assert_eq!(
            (last.start, last.range.until),
            (datetime!(2024-03-01 23:00 UTC), window.end())
        );
    }

    #[test]
    fn a_moment_belongs_to_the_bucket_that_began_last() {
        let sunday = datetime!(2026-03-30 01:59:59.999 +2);
        assert_eq!(
            Granularity::Hour.start_of(sunday),
            datetime!(2026-03-29 23:00 UTC)
        );
        assert_eq!(Granularity::Day.start_of(sunday), datetime!(2026-03-29 00:00 UTC));
        assert_eq!(
            Granularity::Week.start_of(sunday),
            datetime!(2026-03-23 00:00 UTC)
        );
    }

    proptest! {
        /// The buckets add up to the window: no moment is lost, none counted twice.
        #[test]
        fn no_moment_is_lost(days in 0_i64..3_000, length in 1_u32..100, which in 0_usize..3) {
            let granularity = Granularity::ALL[which];
            let window = DateRange::ending(date!(2020 - 01 - 01) + Duration::days(days), length);
            let mut at = window.start();
            for bucket in window.buckets(granularity) {
                prop_assert_eq!(bucket.range.from, at);
                prop_assert!(bucket.start <= bucket.range.from && bucket.range.from < bucket.range.until);
                prop_assert_eq!(granularity.start_of(bucket.range.until - Duration::NANOSECOND), bucket.start);
                at = bucket.range.until;
            }
            prop_assert_eq!(at, window.end());
        }
    }
}
