//! Whole days in a row.

use time::{Date, Duration, Month, OffsetDateTime, macros::date};

use crate::time_range::TimeRange;

/// The first day that has four digits for its year, as days on the wire do.
const FIRST_DAY: Date = date!(0000 - 01 - 01);

/// Whole UTC days, both ends inclusive; at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DateRange {
    pub(super) first: Date,
    pub(super) last: Date,
}

impl DateRange {
    /// The days from `first` to `last`; `None` where `last` lies before `first`.
    #[must_use]
    pub fn new(first: Date, last: Date) -> Option<Self> {
        (first <= last).then_some(Self { first, last })
    }

    /// The `days` days that end with `last`, which counts; fewer where the calendar of the wire begins between. 0 is taken
    /// as 1.
    #[must_use]
    pub fn ending(last: Date, days: u32) -> Self {
        let before = Duration::days(i64::from(days.saturating_sub(1)));
        Self {
            first: last.saturating_sub(before).max(FIRST_DAY).min(last),
            last,
        }
    }

    /// The first day.
    #[must_use]
    pub const fn first(self) -> Date {
        self.first
    }

    /// The last day.
    #[must_use]
    pub const fn last(self) -> Date {
        self.last
    }

    /// How many days it has: 1 or more.
    #[must_use]
    pub fn days(self) -> u32 {
        // `time` knows some seven million days.
        u32::try_from((self.last - self.first).whole_days() + 1).unwrap_or(u32::MAX)
    }

    /// Each of them, in order.
    pub fn dates(self) -> impl Iterator<Item = Date> {
        std::iter::successors(Some(self.first), |day| day.next_day()).take_while(move |day| *day <= self.last)
    }

    /// Whether the day is one of them.
    #[must_use]
    pub fn contains(self, day: Date) -> bool {
        self.first <= day && day <= self.last
    }

    /// The moment that it begins.
    #[must_use]
    pub const fn start(self) -> OffsetDateTime {
        self.first.midnight().assume_utc()
    }

    /// The moment that it is over: midnight after its last day, exclusive.
    #[must_use]
    pub fn end(self) -> OffsetDateTime {
        self.last.midnight().assume_utc().saturating_add(Duration::DAY)
    }

    /// From the first midnight to the last.
    #[must_use]
    pub fn time_range(self) -> TimeRange {
        TimeRange::new(self.start(), self.end())
    }

    /// As many days, right before.
    #[must_use]
    pub fn preceding(self) -> Self {
        Self::ending(self.first.saturating_sub(Duration::DAY), self.days())
    }
}

/// The same day of the month `months` before; the last of a month that is too short.
pub(super) fn months_before(day: Date, months: u16) -> Date {
    let (year, month, number) = day.to_calendar_date();
    let since_year_0 = year * 12 + i32::from(u8::from(month)) - 1 - i32::from(months);
    let year = since_year_0.div_euclid(12);
    let back = u8::try_from(since_year_0.rem_euclid(12)).unwrap_or(0);
    let month = Month::January.nth_next(back);
    Date::from_calendar_date(year, month, number.min(month.length(year))).unwrap_or(Date::MIN)
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn both_ends_count() {
        let day = DateRange::new(date!(2026 - 03 - 31), date!(2026 - 03 - 31)).unwrap();
        assert_eq!(day.days(), 1);
        assert_eq!(day.start(), datetime!(2026-03-31 00:00 UTC));
        assert_eq!(day.end(), datetime!(2026-04-01 00:00 UTC));
        assert_eq!(day, DateRange::ending(date!(2026 - 03 - 31), 1));
        // The leap day is one of them: 28 and 29 February, 1 March.
        let leap = DateRange::ending(date!(2024 - 03 - 01), 3);
        assert_eq!((leap.first(), leap.days()), (date!(2024 - 02 - 28), 3));
        assert!(leap.contains(date!(2024 - 02 - 29)) && !leap.contains(date!(2024 - 03 - 02)));
        assert_eq!(DateRange::new(date!(2026 - 03 - 31), date!(2026 - 03 - 30)), None);
    }

    #[test]
    fn no_window_begins_on_a_day_that_cannot_be_written() {
        let first = date!(0000 - 01 - 01);
        assert_eq!(
            DateRange::ending(first, 30),
            DateRange::new(first, first).unwrap()
        );
        assert_eq!(DateRange::ending(date!(0000 - 01 - 31), 365).days(), 31);
        assert_eq!(DateRange::ending(date!(0000 - 01 - 31), 30).days(), 30);
    }

    #[test]
    fn the_preceding_days_end_where_it_begins() {
        let march = DateRange::new(date!(2026 - 03 - 01), date!(2026 - 03 - 31)).unwrap();
        let before = march.preceding();
        // 28 days of February and the last three of January.
        assert_eq!(
            (before.first(), before.last()),
            (date!(2026 - 01 - 29), date!(2026 - 02 - 28))
        );
        assert_eq!(before.end(), march.start());
    }
}
