//! The pieces of a time series.

use pharos_domain::{window::DateRange, wire_enum};
use time::{Date, Duration};

use super::{days::History, figures::Figures};

wire_enum! {
    /// How long the pieces of a time series are.
    SeriesGranularity as "SearchGranularity" {
        /// A day.
        Day = "day",
        /// A week, Monday to Sunday.
        Week = "week",
        /// A month.
        Month = "month",
    }
}

/// A piece of a time series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The first day of its day, week or month, which may lie before the window.
    pub start: Date,
    /// The figures of its days in the window; `None` where nothing is known of any.
    pub figures: Option<Figures>,
    /// Whether all of them are final.
    pub is_final: bool,
}

impl SeriesGranularity {
    /// The first day of the day, week or month of `date`.
    #[must_use]
    pub fn start_of(self, date: Date) -> Date {
        match self {
            Self::Day => date,
            Self::Week => {
                date.saturating_sub(Duration::days(date.weekday().number_days_from_monday().into()))
            }
            Self::Month => date.replace_day(1).unwrap_or(date),
        }
    }
}

/// The pieces of a window, in order. `of` has the figures of a day.
pub fn points(
    history: &History,
    window: DateRange,
    granularity: SeriesGranularity,
    of: impl Fn(Date) -> Option<Figures>,
) -> Vec<Point> {
    let mut points: Vec<Point> = Vec::new();
    for date in window.dates() {
        let (start, figures, is_final) = (
            granularity.start_of(date),
            of(date),
            history.property().is_final(date),
        );
        match points.last_mut().filter(|point| point.start == start) {
            Some(point) => {
                point.figures = match (point.figures, figures) {
                    (Some(before), Some(more)) => Some([before, more].into_iter().sum()),
                    (before, more) => before.or(more),
                };
                point.is_final &= is_final;
            }
            None => points.push(Point {
                start,
                figures,
                is_final,
            }),
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;
    use crate::gsc::{
        days::tests::{figures, history, window},
        figures::SearchType,
    };

    /// 2026-03-01 is a Sunday.
    #[test]
    fn weeks_begin_on_monday_and_are_final_as_a_whole() {
        let history = history();
        let asked = window(date!(2026 - 03 - 01), date!(2026 - 03 - 05));
        let of = |date| history.day(SearchType::Web, date);
        let weeks = points(&history, asked, SeriesGranularity::Week, of);
        let expected = [
            (date!(2026 - 02 - 23), None, true),
            (date!(2026 - 03 - 02), Some(figures(4, 20)), false),
        ];
        assert_eq!(
            weeks
                .iter()
                .map(|point| (point.start, point.figures, point.is_final))
                .collect::<Vec<_>>(),
            expected
        );
        assert_eq!(points(&history, asked, SeriesGranularity::Day, of).len(), 5);
        let months = points(&history, asked, SeriesGranularity::Month, of);
        assert_eq!(months.len(), 1);
        assert_eq!(months[0].start, date!(2026 - 03 - 01));
    }
}
