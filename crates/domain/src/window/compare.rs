//! The days that a window is compared with.

use super::{
    date_range::{DateRange, months_before},
    query::ResolvedWindow,
};
use crate::wire_enum;

wire_enum! {
    /// Which days a window is compared with.
    CompareMode {
        /// As many days, right before.
        PreviousPeriod = "previous_period",
        /// The same days of the month before; what a shorter month lacks is its last day.
        CalendarMonth = "calendar_month",
    }
}

/// The days that a window is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The days to compare with, not those of the window itself.
    pub window: DateRange,
    /// How they were chosen.
    pub mode: CompareMode,
    /// Whether the data of all of them is still kept. Where it is not, what was then is not known: null.
    pub is_kept: bool,
}

impl CompareMode {
    /// The days that `window` is compared with.
    #[must_use]
    pub fn of(self, window: DateRange) -> DateRange {
        match self {
            Self::PreviousPeriod => window.preceding(),
            Self::CalendarMonth => DateRange {
                first: months_before(window.first, 1),
                last: months_before(window.last, 1),
            },
        }
    }
}

impl ResolvedWindow {
    /// The comparison that was requested. Without a mode it is the calendar month for `this_month` and `last_month`,
    /// else the previous period.
    #[must_use]
    pub fn comparison(&self, mode: Option<CompareMode>) -> Comparison {
        let is_of_months = self.period.is_some_and(|period| period.is_of_months());
        let mode = mode.unwrap_or(if is_of_months {
            CompareMode::CalendarMonth
        } else {
            CompareMode::PreviousPeriod
        });
        let window = mode.of(self.window);
        Comparison {
            window,
            mode,
            is_kept: self.horizon.earliest <= window.first,
        }
    }

    /// The comparison for changes where none was requested: as many days, right before.
    #[must_use]
    pub fn preceding(&self) -> Comparison {
        self.comparison(Some(CompareMode::PreviousPeriod))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use time::{
        Date, Duration,
        macros::{date, datetime},
    };

    use super::*;
    use crate::{
        module::Module,
        window::{Horizon, WindowQuery},
    };

    fn window(first: Date, last: Date) -> DateRange {
        DateRange::new(first, last).unwrap()
    }

    #[test]
    fn a_calendar_month_back_stops_at_the_months_end() {
        for (of, against) in [
            // Month to date on the 15th: the same 15 days.
            (
                window(date!(2026 - 03 - 01), date!(2026 - 03 - 15)),
                window(date!(2026 - 02 - 01), date!(2026 - 02 - 15)),
            ),
            // On the 31st: February has 28 days, and 29 in a leap year.
            (
                window(date!(2026 - 03 - 01), date!(2026 - 03 - 31)),
                window(date!(2026 - 02 - 01), date!(2026 - 02 - 28)),
            ),
            (
                window(date!(2024 - 03 - 01), date!(2024 - 03 - 31)),
                window(date!(2024 - 02 - 01), date!(2024 - 02 - 29)),
            ),
            // From a shorter month both ends move as they are: 28 days of January.
            (
                window(date!(2026 - 02 - 01), date!(2026 - 02 - 28)),
                window(date!(2026 - 01 - 01), date!(2026 - 01 - 28)),
            ),
            // Over the turn of the year.
            (
                window(date!(2026 - 01 - 01), date!(2026 - 01 - 31)),
                window(date!(2025 - 12 - 01), date!(2025 - 12 - 31)),
            ),
            // Three days that February has not: its last.
            (
                window(date!(2026 - 03 - 29), date!(2026 - 03 - 31)),
                window(date!(2026 - 02 - 28), date!(2026 - 02 - 28)),
            ),
        ] {
            assert_eq!(CompareMode::CalendarMonth.of(of), against, "{of:?}");
        }
    }

    #[test]
    fn the_mode_follows_the_period() {
        let horizon = Horizon::of(Module::Analytics, datetime!(2026-03-31 09:15 UTC));
        for (period, mode) in [
            ("this_month", CompareMode::CalendarMonth),
            ("last_month", CompareMode::CalendarMonth),
            ("this_week", CompareMode::PreviousPeriod),
            ("last_week", CompareMode::PreviousPeriod),
            ("last_30_days", CompareMode::PreviousPeriod),
        ] {
            let query = WindowQuery {
                period: Some(period),
                ..WindowQuery::default()
            };
            let resolved = query.resolve(&horizon).unwrap();
            assert_eq!(resolved.comparison(None).mode, mode, "{period}");
            for asked in CompareMode::ALL {
                assert_eq!(resolved.comparison(Some(*asked)).mode, *asked, "{period}");
            }
            assert_eq!(
                resolved.preceding().window.end(),
                resolved.window.start(),
                "{period}"
            );
        }
    }

    #[test]
    fn what_is_no_longer_kept_whole_is_told() {
        let horizon = Horizon::of(Module::Uptime, datetime!(2026-03-31 09:15 UTC));
        let kept = |days| {
            let query = WindowQuery {
                period_days: Some(days),
                ..WindowQuery::default()
            };
            query.resolve(&horizon).unwrap().preceding().is_kept
        };
        // Kept since 2025-03-31. 183 days begin on 2025-09-30, the 183 before them on 2025-03-31.
        assert!(kept("30") && kept("183"));
        assert!(!kept("184") && !kept("365"));
    }

    proptest! {
        /// The reference is jiff, whose months are clipped to their length too.
        #[test]
        fn months_are_those_of_another_calendar(days in 0_i64..800_000, months in 0_u16..200) {
            let day = date!(0100 - 01 - 01) + Duration::days(days);
            let other = jiff::civil::date(day.year().try_into().unwrap(), u8::from(day.month()).try_into().unwrap(), day.day().try_into().unwrap());
            let other = other.checked_sub(jiff::Span::new().months(i64::from(months))).unwrap();
            prop_assert_eq!(months_before(day, months).to_string(), other.to_string());
        }

        #[test]
        fn the_previous_period_is_as_long_and_touches(days in 0_i64..3_000, length in 1_u32..400) {
            let of = DateRange::ending(date!(2020 - 01 - 01) + Duration::days(days), length);
            let against = CompareMode::PreviousPeriod.of(of);
            prop_assert_eq!(against.days(), of.days());
            prop_assert_eq!(against.end(), of.start());
        }

        /// A window compared with a month ago never grows and never turns round.
        #[test]
        fn a_month_ago_is_a_window(days in 0_i64..3_000, length in 1_u32..400) {
            let of = DateRange::ending(date!(2020 - 01 - 01) + Duration::days(days), length);
            let against = CompareMode::CalendarMonth.of(of);
            prop_assert!(against.first() <= against.last() && against.last() < of.last());
            prop_assert!(against.days() + 3 >= of.days() && against.days() <= of.days() + 3);
        }
    }
}
