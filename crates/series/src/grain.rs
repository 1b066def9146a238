//! The lengths of time that are rolled up.

use pharos_domain::{store::UnknownName, window::Granularity};
use time::{Duration, Month, OffsetDateTime};

/// How long a roll-up is. All begin where the hour, day, month or quarter of a year does, UTC; each consists of whole ones of
/// the grain before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grain {
    /// An hour.
    Hour,
    /// A UTC day.
    Day,
    /// A calendar month.
    Month,
    /// Three calendar months.
    Quarter,
}

impl Grain {
    /// Every grain, from the finest to the coarsest.
    pub const ALL: [Self; 4] = [Self::Hour, Self::Day, Self::Month, Self::Quarter];

    /// The name in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Hour => "hour",
            Self::Day => "day",
            Self::Month => "month",
            Self::Quarter => "quarter",
        }
    }

    /// When the hour, day, month or quarter that holds `at` began.
    #[must_use]
    pub fn start_of(self, at: OffsetDateTime) -> OffsetDateTime {
        let day = || Granularity::Day.start_of(at);
        // Every month has a first day, and every year these four months.
        let month = || day().replace_day(1).unwrap_or_else(|_| day());
        let first = match at.month() {
            Month::January | Month::February | Month::March => Month::January,
            Month::April | Month::May | Month::June => Month::April,
            Month::July | Month::August | Month::September => Month::July,
            Month::October | Month::November | Month::December => Month::October,
        };
        match self {
            Self::Hour => Granularity::Hour.start_of(at),
            Self::Day => day(),
            Self::Month => month(),
            Self::Quarter => month().replace_month(first).unwrap_or_else(|_| month()),
        }
    }

    /// When the one that holds `at` ends.
    #[must_use]
    pub fn end_of(self, at: OffsetDateTime) -> OffsetDateTime {
        let start = self.start_of(at);
        let after = |length| start.saturating_add(length);
        match self {
            Self::Hour => after(Duration::HOUR),
            Self::Day => after(Duration::DAY),
            Self::Month => after(Duration::days(start.month().length(start.year()).into())),
            Self::Quarter => (0..3).fold(start, |month, _| Self::Month.end_of(month)),
        }
    }
}

impl std::str::FromStr for Grain {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        const KNOWN: &[&str] = &[
            Grain::Hour.as_str(),
            Grain::Day.as_str(),
            Grain::Month.as_str(),
            Grain::Quarter.as_str(),
        ];
        Self::ALL
            .into_iter()
            .find(|grain| grain.as_str() == name)
            .ok_or_else(|| UnknownName::new("Grain", name, KNOWN))
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn a_grain_is_known_by_its_name_alone() {
        for grain in Grain::ALL {
            assert_eq!(grain.as_str().parse(), Ok(grain));
        }
        assert!("week".parse::<Grain>().is_err());
    }

    #[test]
    fn each_begins_and_ends_where_the_calendar_says() {
        let leap_day = datetime!(2028-02-29 23:15 UTC);
        let year = datetime!(2028-01-01 00:00 UTC);
        for (grain, begins, ends) in [
            (
                Grain::Hour,
                datetime!(2028-02-29 23:00 UTC),
                datetime!(2028-03-01 00:00 UTC),
            ),
            (
                Grain::Day,
                datetime!(2028-02-29 00:00 UTC),
                datetime!(2028-03-01 00:00 UTC),
            ),
            (
                Grain::Month,
                datetime!(2028-02-01 00:00 UTC),
                datetime!(2028-03-01 00:00 UTC),
            ),
            (Grain::Quarter, year, datetime!(2028-04-01 00:00 UTC)),
        ] {
            assert_eq!(grain.start_of(leap_day), begins, "{grain:?}");
            assert_eq!(grain.end_of(leap_day), ends, "{grain:?}");
            assert_eq!(grain.start_of(ends), ends, "{grain:?}");
        }
        let mut at = year;
        for month in [Month::April, Month::July, Month::October, Month::January] {
            at = Grain::Quarter.end_of(at);
            assert_eq!((at.month(), at.day()), (month, 1));
        }
        assert_eq!(at, datetime!(2029-01-01 00:00 UTC));
    }
}
