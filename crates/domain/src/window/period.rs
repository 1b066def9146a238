//! Named periods.

use time::{Date, Duration};

use super::date_range::DateRange;
use crate::wire_enum;

wire_enum! {
    /// A window by name. Weeks begin on Monday (ISO 8601).
    Period {
        /// Seven days that end today.
        Last7Days = "last_7_days",
        /// Thirty days that end today.
        Last30Days = "last_30_days",
        /// Ninety days that end today.
        Last90Days = "last_90_days",
        /// From Monday to today.
        ThisWeek = "this_week",
        /// The last complete week, Monday to Sunday.
        LastWeek = "last_week",
        /// From the first of the month to today.
        ThisMonth = "this_month",
        /// The last complete calendar month.
        LastMonth = "last_month",
    }
}

impl Period {
    /// Its days, as seen on `today`.
    #[must_use]
    pub fn window(self, today: Date) -> DateRange {
        let monday = today.saturating_sub(Duration::days(today.weekday().number_days_from_monday().into()));
        let first = first_of_month(today);
        let before = |day: Date| day.saturating_sub(Duration::DAY);
        match self {
            Self::Last7Days => DateRange::ending(today, 7),
            Self::Last30Days => DateRange::ending(today, 30),
            Self::Last90Days => DateRange::ending(today, 90),
            Self::ThisWeek => DateRange {
                first: monday,
                last: today,
            },
            Self::LastWeek => DateRange::ending(before(monday), 7),
            Self::ThisMonth => DateRange { first, last: today },
            Self::LastMonth => DateRange {
                first: first_of_month(before(first)),
                last: before(first),
            },
        }
    }

    /// Whether it is compared with the month before where a caller does not say with what.
    pub(super) const fn is_of_months(self) -> bool {
        matches!(self, Self::ThisMonth | Self::LastMonth)
    }
}

fn first_of_month(day: Date) -> Date {
    // Every month has a first day.
    day.replace_day(1).unwrap_or(day)
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    /// The days of each period, by a printed calendar.
    fn assert_days(today: Date, expected: [(Period, Date, Date); 7]) {
        for (period, first, last) in expected {
            assert_eq!(
                period.window(today),
                DateRange { first, last },
                "{period} on {today}"
            );
        }
    }

    #[test]
    fn on_the_last_of_march_a_tuesday() {
        assert_days(
            date!(2026 - 03 - 31),
            [
                (Period::Last7Days, date!(2026 - 03 - 25), date!(2026 - 03 - 31)),
                (Period::Last30Days, date!(2026 - 03 - 02), date!(2026 - 03 - 31)),
                (Period::Last90Days, date!(2026 - 01 - 01), date!(2026 - 03 - 31)),
                (Period::ThisWeek, date!(2026 - 03 - 30), date!(2026 - 03 - 31)),
                (Period::LastWeek, date!(2026 - 03 - 23), date!(2026 - 03 - 29)),
                (Period::ThisMonth, date!(2026 - 03 - 01), date!(2026 - 03 - 31)),
                (Period::LastMonth, date!(2026 - 02 - 01), date!(2026 - 02 - 28)),
            ],
        );
    }

    /// A Friday, in a week that began in the year before.
    #[test]
    fn on_the_second_day_of_a_year() {
        assert_days(
            date!(2026 - 01 - 02),
            [
                (Period::Last7Days, date!(2025 - 12 - 27), date!(2026 - 01 - 02)),
                (Period::Last30Days, date!(2025 - 12 - 04), date!(2026 - 01 - 02)),
                (Period::Last90Days, date!(2025 - 10 - 05), date!(2026 - 01 - 02)),
                (Period::ThisWeek, date!(2025 - 12 - 29), date!(2026 - 01 - 02)),
                (Period::LastWeek, date!(2025 - 12 - 22), date!(2025 - 12 - 28)),
                (Period::ThisMonth, date!(2026 - 01 - 01), date!(2026 - 01 - 02)),
                (Period::LastMonth, date!(2025 - 12 - 01), date!(2025 - 12 - 31)),
            ],
        );
    }

    /// A Sunday is the last day of its week, which is not complete before it is over.
    #[test]
    fn on_a_sunday_and_on_a_monday() {
        let sunday = date!(2024 - 03 - 03);
        assert_eq!(Period::ThisWeek.window(sunday), DateRange::ending(sunday, 7));
        assert_eq!(
            Period::LastWeek.window(sunday),
            DateRange::ending(date!(2024 - 02 - 25), 7)
        );
        let monday = date!(2024 - 03 - 04);
        assert_eq!(Period::ThisWeek.window(monday), DateRange::ending(monday, 1));
        assert_eq!(Period::LastWeek.window(monday), DateRange::ending(sunday, 7));
    }

    #[test]
    fn a_month_has_the_days_that_it_has() {
        // A leap year's February.
        assert_eq!(Period::LastMonth.window(date!(2024 - 03 - 01)).days(), 29);
        assert_eq!(Period::ThisMonth.window(date!(2024 - 03 - 01)).days(), 1);
        assert_eq!(Period::ThisMonth.window(date!(2024 - 02 - 29)).days(), 29);
    }
}
