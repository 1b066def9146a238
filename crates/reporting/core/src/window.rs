//! The days that a caller asks a report about.

use pharos_domain::{
    module::Module,
    report_widget::ReportWindow,
    settings::SettingFault,
    window::{Horizon, Period, ResolvedWindow, WindowQuery},
};
use time::{Date, OffsetDateTime};

/// How many days a report may be about.
pub const MOST_DAYS: u32 = 400;

/// The days as a caller gives them: a named period, or dates.
#[derive(Clone, Copy, Debug, Default)]
pub struct AskedWindow<'a> {
    /// A named period.
    pub period: Option<Period>,
    /// The first day.
    pub start_date: Option<&'a str>,
    /// The last day, which counts.
    pub end_date: Option<&'a str>,
    /// Whether the days before are shown beside; `None`: as the template says.
    pub compare_previous: Option<bool>,
}

/// The window by the template.
#[derive(Clone, Copy, Debug)]
pub struct UsualWindow {
    /// The period.
    pub period: Period,
    /// Whether the days before are shown beside.
    pub compares: bool,
}

impl UsualWindow {
    /// The window of a report that is due on this day of its readers. Its days are UTC days: a period that ends on the readers'
    /// day ends on the UTC day of `now` where theirs has not begun by UTC.
    #[must_use]
    pub fn on(self, day: Date, now: OffsetDateTime) -> ReportWindow {
        let today = Horizon::of(Module::Reports, now).today;
        let theirs = self.period.window(day);
        let days = if theirs.last() <= today {
            theirs
        } else {
            self.period.window(today)
        };
        ReportWindow {
            days,
            period: Some(self.period),
            compares: self.compares,
            now,
        }
    }
}

impl AskedWindow<'_> {
    /// The days that are meant; without any, the period of the template.
    ///
    /// # Errors
    /// All faults: a period beside a date, a malformed date, a start after the end or after today, more than 400 days, days of
    /// which no module keeps anything.
    pub fn resolve(
        &self,
        usual: UsualWindow,
        now: OffsetDateTime,
    ) -> Result<(ReportWindow, ResolvedWindow), Vec<SettingFault>> {
        let has_dates = self.start_date.is_some() || self.end_date.is_some();
        let period = self.period.or((!has_dates).then_some(usual.period));
        let query = WindowQuery {
            period_days: None,
            start_date: self.start_date,
            end_date: self.end_date,
            period: period.map(Period::as_str),
        };
        let resolved = query
            .resolve(&Horizon::of(Module::Reports, now))
            .map_err(|faults| {
                let faults = faults.into_iter();
                faults
                    .map(|fault| SettingFault::new(format!("/{}", fault.parameter), fault.detail))
                    .collect::<Vec<_>>()
            })?;
        // Cut off, they would be other days than those that are asked for, and paid.
        if resolved.clamped_from.is_some() {
            let earliest = resolved.horizon.earliest;
            let member = match self.start_date {
                Some(_) => "/start_date",
                None => "/end_date",
            };
            let detail = format!("before {earliest}: of no earlier day is anything kept");
            return Err(vec![SettingFault::new(member, detail)]);
        }
        if resolved.window.days() > MOST_DAYS {
            let detail = format!("a report is about {MOST_DAYS} days at most");
            return Err(vec![SettingFault::new("/start_date", detail)]);
        }
        let window = ReportWindow {
            days: resolved.window,
            period: resolved.period,
            compares: self.compare_previous.unwrap_or(usual.compares),
            now,
        };
        Ok((window, resolved))
    }
}

#[cfg(test)]
mod tests {
    use pharos_domain::window::DateRange;
    use time::macros::{date, datetime};

    use super::*;

    fn resolved(
        start_date: Option<&str>,
        end_date: Option<&str>,
    ) -> Result<(ReportWindow, ResolvedWindow), Vec<String>> {
        let asked = AskedWindow {
            start_date,
            end_date,
            ..AskedWindow::default()
        };
        let usual = UsualWindow {
            period: Period::Last30Days,
            compares: true,
        };
        let now = datetime!(2026-11-27 08:00 UTC);
        asked.resolve(usual, now).map_err(|faults| {
            let pointers = faults.into_iter().map(|fault| fault.pointer);
            pointers.collect()
        })
    }

    #[test]
    fn days_of_which_nothing_is_kept_are_refused_and_not_cut_off() {
        let earliest = Horizon::of(Module::Reports, datetime!(2026-11-27 08:00 UTC)).earliest;
        let first = earliest.to_string();
        let before = earliest.previous_day().unwrap().to_string();
        for (start, end, at) in [
            (Some("0001-01-01"), Some("0001-01-01"), "/start_date"),
            (Some("0001-01-01"), None, "/start_date"),
            (Some(before.as_str()), Some(first.as_str()), "/start_date"),
            (None, Some("0001-02-03"), "/end_date"),
            (None, Some(first.as_str()), "/end_date"),
        ] {
            assert_eq!(resolved(start, end).unwrap_err(), [at], "{start:?} {end:?}");
        }
        let (window, _) = resolved(Some(&first), Some(&first)).unwrap();
        assert_eq!(window.days.first(), earliest);
    }

    #[test]
    fn an_end_without_a_start_ends_thirty_days() {
        let (window, _) = resolved(None, Some("2026-03-31")).unwrap();
        assert_eq!(
            (window.days.first(), window.days.last()),
            (date!(2026 - 03 - 02), date!(2026 - 03 - 31))
        );
    }

    fn on(period: Period, day: Date, now: OffsetDateTime) -> (DateRange, bool) {
        let usual = UsualWindow {
            period,
            compares: false,
        };
        let window = usual.on(day, now);
        let meta = window.resolved(Module::Reports).meta(None, None);
        (window.days, meta.range_end_partial)
    }

    fn days(first: Date, last: Date) -> DateRange {
        DateRange::new(first, last).unwrap()
    }

    /// 08:00 on Tuesday, 1 December in Auckland.
    #[test]
    fn readers_who_are_ahead_have_the_month_that_is_over_for_them_though_its_last_day_is_not_by_utc() {
        let (day, now) = (date!(2026 - 12 - 01), datetime!(2026-11-30 19:00 UTC));
        let november = days(date!(2026 - 11 - 01), date!(2026 - 11 - 30));
        assert_eq!(on(Period::LastMonth, day, now), (november, true));
        let made_late = datetime!(2026-12-01 00:00 UTC);
        assert_eq!(on(Period::LastMonth, day, made_late), (november, false));
    }

    #[test]
    fn no_report_is_about_a_day_that_has_not_begun() {
        let (day, now) = (date!(2026 - 12 - 01), datetime!(2026-11-30 19:00 UTC));
        let week = days(date!(2026 - 11 - 24), date!(2026 - 11 - 30));
        assert_eq!(on(Period::Last7Days, day, now), (week, true));
        let november = days(date!(2026 - 11 - 01), date!(2026 - 11 - 30));
        assert_eq!(on(Period::ThisMonth, day, now), (november, true));
    }

    /// 20:00 on Sunday, 29 November in Los Angeles, where it is Monday by UTC.
    #[test]
    fn readers_who_are_behind_have_the_week_that_is_not_over_for_them() {
        let (day, now) = (date!(2026 - 11 - 29), datetime!(2026-11-30 04:00 UTC));
        let this = days(date!(2026 - 11 - 23), date!(2026 - 11 - 29));
        assert_eq!(on(Period::ThisWeek, day, now), (this, false));
        assert_eq!(on(Period::LastWeek, day, now), (this.preceding(), false));
    }
}
