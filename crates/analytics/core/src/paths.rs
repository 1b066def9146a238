//! Which ways visitors take: journeys, and how many come back.

use std::{collections::BTreeMap, ops::RangeInclusive};

use pharos_domain::{window::DateRange, wire_enum};
use time::{Date, Duration, OffsetDateTime};

use crate::{
    filter::Filters,
    timeseries::{first_of_month, monday},
};

/// The most journeys that are listed.
pub const MOST_JOURNEYS: u32 = 100;

/// How many days journeys look back.
pub const JOURNEY_DAYS: u16 = 28;

/// How many pages a journey has at most: the choices.
pub const DEPTHS: RangeInclusive<u8> = 2..=6;

/// How many pages a journey has at most where nobody says.
pub const USUAL_DEPTH: u8 = 3;

/// How long the periods of retention are where nobody says.
pub const USUAL_GRANULARITY: RetentionGranularity = RetentionGranularity::Week;

/// The name of the property by which a site says who somebody is.
pub const USER_PROPERTY: &str = "user";

/// How many days retention tells by the day at most: each day has a figure for every day after it.
pub const MOST_DAYS_BY_DAY: u32 = 400;

/// The question for journeys.
#[derive(Clone, Copy, Debug)]
pub struct JourneysQuery<'a> {
    /// The days that the sessions are of.
    pub window: DateRange,
    /// Which sessions.
    pub filters: &'a Filters,
    /// How many pages a journey has at most.
    pub depth: u8,
    /// The page at whose first view journeys begin; `None`: at the first page of the session.
    pub start: Option<&'a str>,
}

/// Sessions that took one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Journey {
    /// The pages, in order.
    pub path: Vec<String>,
    /// How many sessions.
    pub sessions: u64,
    /// How long they were, in milliseconds, added up.
    pub duration_ms: u64,
    /// How many ended with the last page of the way.
    pub exits: u64,
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Journeys {
    /// The ways that the most sessions took, those first.
    pub journeys: Vec<Journey>,
    /// How many there are in all.
    pub total: u64,
    /// How many sessions took them.
    pub sessions: u64,
    /// The newest moment of which anything was received; `None`: nothing ever was.
    pub last_at: Option<OffsetDateTime>,
}

wire_enum! {
    /// How long the periods of retention are.
    RetentionGranularity as "AnalyticsRetentionGranularity" {
        /// A UTC day.
        Day = "day",
        /// A week, Monday to Sunday (ISO 8601).
        Week = "week",
        /// A calendar month.
        Month = "month",
    }
}

impl RetentionGranularity {
    /// The first day of a day's period.
    #[must_use]
    pub fn start_of(self, day: Date) -> Date {
        match self {
            Self::Day => day,
            Self::Week => monday(day),
            Self::Month => first_of_month(day),
        }
    }

    /// The first day of the period after the one that begins with `start`.
    fn next(self, start: Date) -> Date {
        let days = match self {
            Self::Day => 1,
            Self::Week => 7,
            Self::Month => i64::from(start.month().length(start.year())),
        };
        start.saturating_add(Duration::days(days))
    }

    /// The periods of a window, in order.
    fn periods(self, window: DateRange) -> Vec<Date> {
        std::iter::successors(Some(self.start_of(window.first())), |start| {
            Some(self.next(*start))
        })
        .take_while(|start| *start <= window.last())
        .collect()
    }
}

/// The visitors who come back, as a store reads them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Returns {
    /// The period in which visitors were first seen, one in which they were, and how many.
    pub counts: Vec<(Date, Date, u64)>,
    /// The newest moment of which anything was received; `None`: nothing ever was.
    pub last_at: Option<OffsetDateTime>,
}

/// Those who were first seen in one period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cohort {
    /// The first day of the period; it may lie before the window.
    pub start: Date,
    /// How many they are.
    pub visitors: u64,
    /// How many were seen in that period and in each after it, up to the window's end.
    pub returning: Vec<u64>,
}

impl Returns {
    /// Every period of the window with those who were first seen in it; `None` where the site identifies nobody.
    #[must_use]
    pub fn cohorts(&self, window: DateRange, granularity: RetentionGranularity) -> Option<Vec<Cohort>> {
        if self.counts.is_empty() {
            return None;
        }
        let known: BTreeMap<(Date, Date), u64> = self
            .counts
            .iter()
            .map(|(first, seen, visitors)| ((*first, *seen), *visitors))
            .collect();
        let periods = granularity.periods(window);
        let of = |first: Date, seen: Date| known.get(&(first, seen)).copied().unwrap_or(0);
        let cohorts = periods.iter().enumerate().map(|(place, start)| Cohort {
            start: *start,
            visitors: of(*start, *start),
            returning: periods.iter().skip(place).map(|seen| of(*start, *seen)).collect(),
        });
        Some(cohorts.collect())
    }
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    /// 31 December to 2 February: three months, of which the last has begun.
    #[test]
    fn every_period_has_a_cohort_as_long_as_the_window_goes_on() {
        let window = DateRange::new(date!(2025 - 12 - 31), date!(2026 - 02 - 02)).unwrap();
        let (december, january, february) = (
            date!(2025 - 12 - 01),
            date!(2026 - 01 - 01),
            date!(2026 - 02 - 01),
        );
        let returns = Returns {
            counts: vec![
                (december, december, 5),
                (december, february, 2),
                (february, february, 1),
            ],
            last_at: None,
        };
        let cohort = |start, visitors, returning: &[u64]| Cohort {
            start,
            visitors,
            returning: returning.to_vec(),
        };
        assert_eq!(
            returns.cohorts(window, RetentionGranularity::Month).unwrap(),
            [
                cohort(december, 5, &[5, 0, 2]),
                cohort(january, 0, &[0, 0]),
                cohort(february, 1, &[1]),
            ]
        );
        assert_eq!(
            Returns::default().cohorts(window, RetentionGranularity::Week),
            None
        );
        assert_eq!(RetentionGranularity::Week.periods(window).len(), 6);
    }
}
