//! From a caller's parameters to a window.

use time::Date;

use super::{date_range::DateRange, horizon::Horizon, period::Period};
use crate::{day::Day, whole_number::whole_number};

/// How many days a window has where `period_days` is left out.
pub const DEFAULT_PERIOD_DAYS: u16 = 30;

/// How many days a window has where `days` is left out.
pub const DEFAULT_DAYS: u16 = 7;

const MOST_PERIOD_DAYS: u16 = 365;
const MOST_DAYS: u16 = 30;

/// A window as a caller asks for it: the parameters as they were given. One that an operation does not take stays
/// `None`.
#[derive(Clone, Copy, Debug, Default)]
pub struct WindowQuery<'a> {
    /// `period_days`: 1 to 365 days.
    pub period_days: Option<&'a str>,
    /// `start_date`: the first day. It overrides `period_days`.
    pub start_date: Option<&'a str>,
    /// `end_date`: the last day.
    pub end_date: Option<&'a str>,
    /// `period`: a [`Period`]. It overrides `period_days`, and is refused beside a date.
    pub period: Option<&'a str>,
}

/// A window with what its answer says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResolvedWindow {
    /// The days that are answered.
    pub window: DateRange,
    /// The named period that was requested.
    pub period: Option<Period>,
    /// The first day that was requested, where it lies before what is kept.
    pub clamped_from: Option<Date>,
    /// The bounds that it was resolved against.
    pub horizon: Horizon,
}

/// A parameter that is not as it must be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{parameter}: {detail}")]
pub struct WindowFault {
    /// The name of the parameter at fault.
    pub parameter: &'static str,
    /// The fault, and what would be right.
    pub detail: String,
}

impl WindowFault {
    fn new(parameter: &'static str, detail: impl Into<String>) -> Self {
        Self {
            parameter,
            detail: detail.into(),
        }
    }
}

impl WindowQuery<'_> {
    /// The window that is meant. Days before the retention are cut off; a window that lies wholly before it becomes
    /// the first day that is kept.
    ///
    /// # Errors
    /// All faults at once: a value that is malformed or out of range (even where another parameter overrides it), a
    /// period beside a date, a start after today, an end before the start.
    pub fn resolve(&self, horizon: &Horizon) -> Result<ResolvedWindow, Vec<WindowFault>> {
        let mut faults = Vec::new();
        let mut note = |fault| faults.push(fault);
        let days = read(
            "period_days",
            self.period_days,
            |text| parse_days(text, MOST_PERIOD_DAYS),
            &mut note,
        );
        let start = read("start_date", self.start_date, parse_day, &mut note);
        let end = read("end_date", self.end_date, parse_day, &mut note);
        let period = read(
            "period",
            self.period,
            |text| text.parse().map_err(|_| unknown_period()),
            &mut note,
        );
        if self.period.is_some() && (self.start_date.is_some() || self.end_date.is_some()) {
            note(WindowFault::new(
                "period",
                "can't be combined with start_date or end_date; give either",
            ));
        }
        if let Some(start) = start {
            check_order(start, end, horizon, &mut note);
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let last = match (end, start) {
            (Some(end), _) => end.min(horizon.today),
            // It can't end before it begins.
            (None, Some(start)) if start > horizon.default_end => horizon.today,
            (None, _) => horizon.default_end,
        };
        let asked = match (period, start) {
            (Some(period), _) => Period::window(period, horizon.today),
            (None, Some(first)) => DateRange { first, last },
            (None, None) => DateRange::ending(last, days.unwrap_or(DEFAULT_PERIOD_DAYS).into()),
        };
        Ok(ResolvedWindow {
            period,
            ..ResolvedWindow::kept(asked, horizon)
        })
    }
}

impl ResolvedWindow {
    /// The window of the parameter `days`: 1 to 30 days that end today, 7 where it is left out.
    ///
    /// # Errors
    /// The value is no whole number within bounds.
    pub fn days(given: Option<&str>, horizon: &Horizon) -> Result<Self, WindowFault> {
        let days = given.map_or(Ok(DEFAULT_DAYS), |text| parse_days(text, MOST_DAYS));
        let days = days.map_err(|detail| WindowFault::new("days", detail))?;
        Ok(Self::fixed(days, horizon))
    }

    /// A window that no parameter changes: so many days that end where windows without an end do.
    #[must_use]
    pub fn fixed(days: u16, horizon: &Horizon) -> Self {
        Self::kept(DateRange::ending(horizon.default_end, days.into()), horizon)
    }

    /// `asked`, cut to the days whose data is kept.
    pub(crate) fn kept(asked: DateRange, horizon: &Horizon) -> Self {
        let earliest = horizon.earliest;
        Self {
            window: DateRange {
                first: asked.first.max(earliest),
                last: asked.last.max(earliest),
            },
            period: None,
            clamped_from: (asked.first < earliest).then_some(asked.first),
            horizon: *horizon,
        }
    }
}

fn read<T>(
    parameter: &'static str,
    given: Option<&str>,
    parse: impl FnOnce(&str) -> Result<T, String>,
    note: &mut impl FnMut(WindowFault),
) -> Option<T> {
    match given.map(parse)? {
        Ok(value) => Some(value),
        Err(detail) => {
            note(WindowFault::new(parameter, detail));
            None
        }
    }
}

fn check_order(start: Date, end: Option<Date>, horizon: &Horizon, note: &mut impl FnMut(WindowFault)) {
    let today = horizon.today;
    if start > today {
        note(WindowFault::new(
            "start_date",
            format!("lies after today, {today} UTC"),
        ));
    }
    if end.is_some_and(|end| end < start) {
        note(WindowFault::new(
            "end_date",
            format!("lies before start_date, {start}"),
        ));
    }
}

fn parse_day(text: &str) -> Result<Date, String> {
    text.parse()
        .map(|Day(day)| day)
        .map_err(|malformed: crate::day::MalformedDay| malformed.to_string())
}

/// Reads a number of days, 1 to `most`; signs and spaces are refused.
fn parse_days(text: &str, most: u16) -> Result<u16, String> {
    // It lies within the bounds, so it fits.
    whole_number(text, 1..=most.into()).map(|days| u16::try_from(days).unwrap_or(most))
}

fn unknown_period() -> String {
    let known: Vec<&str> = Period::ALL.iter().map(|period| period.as_str()).collect();
    format!("not one of {}", known.join(", "))
}

#[cfg(test)]
mod tests;
