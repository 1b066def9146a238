//! The lengths of time that are rolled up.

use pharos_domain::{store::StoreError, window::Granularity};
use time::{Duration, OffsetDateTime};

/// How long a roll-up is, from the finest to the coarsest. All begin where the hour, day or month does, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::uptime) enum Grain {
    Hour,
    Day,
    Month,
}

impl Grain {
    pub(in crate::uptime) const ALL: [Self; 3] = [Self::Hour, Self::Day, Self::Month];

    pub(in crate::uptime) const fn as_str(self) -> &'static str {
        match self {
            Self::Hour => "hour",
            Self::Day => "day",
            Self::Month => "month",
        }
    }

    /// When the one that holds `at` began.
    pub(in crate::uptime) fn start_of(self, at: OffsetDateTime) -> OffsetDateTime {
        let day = Granularity::Day.start_of(at);
        match self {
            Self::Hour => Granularity::Hour.start_of(at),
            Self::Day => day,
            Self::Month => day.replace_day(1).unwrap_or(day),
        }
    }

    /// When it ends.
    pub(in crate::uptime) fn end_of(self, at: OffsetDateTime) -> OffsetDateTime {
        let start = self.start_of(at);
        start.saturating_add(match self {
            Self::Hour => Duration::HOUR,
            Self::Day => Duration::DAY,
            Self::Month => Duration::days(start.month().length(start.year()).into()),
        })
    }
}

impl std::str::FromStr for Grain {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Self, StoreError> {
        Self::ALL
            .into_iter()
            .find(|grain| grain.as_str() == text)
            .ok_or_else(|| StoreError::Corrupt(format!("{text:?} is no length of time")))
    }
}
