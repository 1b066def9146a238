//! When a report is made by itself: by the clock of its readers, whatever the clocks do.

use jiff::{
    Timestamp, ToSpan,
    civil::{Date, DateTime, Weekday},
    tz::TimeZone,
};
use pharos_domain::settings::Faults;
use serde::{Deserialize, Serialize};
use time::{Month, OffsetDateTime};

use crate::format::ScheduleFrequency;

/// The days of a week: Monday is 1, Sunday 7 (ISO 8601).
pub const WEEKDAYS: std::ops::RangeInclusive<u32> = 1..=7;
/// The days of a month. One that a month does not have is its last.
pub const DAYS_OF_MONTH: std::ops::RangeInclusive<u32> = 1..=31;
/// The hours of a day.
pub const HOURS: std::ops::RangeInclusive<u32> = 0..=23;

/// When a report is made by itself.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Schedule {
    /// Whether it is.
    pub enabled: bool,
    /// How often.
    pub frequency: ScheduleFrequency,
    /// On which day of the week, Monday = 1; `None` where it is monthly.
    pub weekday: Option<u32>,
    /// On which day of the month; `None` where it is weekly. A month that has no such day has it on its last.
    pub day_of_month: Option<u32>,
    /// At which hour of that day.
    pub hour: u32,
    /// By the clock of which IANA time zone.
    pub timezone: String,
}

impl Schedule {
    /// Judges it: all faults at once.
    pub fn check(&self, faults: &mut Faults) {
        match self.frequency {
            ScheduleFrequency::Weekly => {
                match self.weekday {
                    None => faults.add("weekday", "must be given: 1 (Monday) to 7 (Sunday)"),
                    Some(weekday) => faults.in_range("weekday", weekday, WEEKDAYS),
                }
                if self.day_of_month.is_some() {
                    faults.contradiction("day_of_month", &["frequency"], "only with a monthly schedule");
                }
            }
            ScheduleFrequency::Monthly => {
                match self.day_of_month {
                    None => faults.add("day_of_month", "must be given: 1 to 31"),
                    Some(day) => faults.in_range("day_of_month", day, DAYS_OF_MONTH),
                }
                if self.weekday.is_some() {
                    faults.contradiction("weekday", &["frequency"], "only with a weekly schedule");
                }
            }
        }
        faults.in_range("hour", self.hour, HOURS);
        // jiff also knows zones that are none: `Etc/Unknown`, and the `Factory` of machines whose zone nobody has set.
        let is_zone = TimeZone::get(&self.timezone)
            .is_ok_and(|zone| !zone.is_unknown() && zone.iana_name() != Some("Factory"));
        if self.timezone.len() > 64 || !is_zone {
            faults.add("timezone", "an IANA time zone such as Europe/Berlin");
        }
    }

    /// The same with the name of its time zone as the IANA writes it, whatever the case in which it was given.
    #[must_use]
    pub fn with_zones_own_name(self) -> Self {
        let zone = TimeZone::get(&self.timezone).ok();
        let name = zone.as_ref().and_then(TimeZone::iana_name);
        Self {
            timezone: name.map_or_else(|| self.timezone.clone(), str::to_owned),
            ..self
        }
    }

    /// The first time after `after` at which a report is due; `None` where it is never. An hour that a change of the clocks
    /// leaves out is the moment after the change, and one that it repeats is its first.
    #[must_use]
    pub fn next_after(&self, after: OffsetDateTime) -> Option<OffsetDateTime> {
        if !self.enabled {
            return None;
        }
        let zone = TimeZone::get(&self.timezone).ok()?;
        let instant = Timestamp::from_second(after.unix_timestamp()).ok()?;
        let mut day = instant.to_zoned(zone.clone()).date();
        // Seven days in a row have the day of the week, and two months that of the month.
        for _ in 0..=62 {
            let due = self.due_on(&zone, day).filter(|due| *due > instant);
            if let Some(due) = due {
                return OffsetDateTime::from_unix_timestamp(due.as_second()).ok();
            }
            day = day.checked_add(1.day()).ok()?;
        }
        None
    }

    /// The day of its readers on which a report was last due by `until`, that moment included; `None` where none was.
    #[must_use]
    pub fn last_day(&self, until: OffsetDateTime) -> Option<time::Date> {
        let zone = TimeZone::get(&self.timezone).ok()?;
        let instant = Timestamp::from_second(until.unix_timestamp()).ok()?;
        let mut day = instant.to_zoned(zone.clone()).date();
        for _ in 0..=62 {
            if self.due_on(&zone, day).is_some_and(|due| due <= instant) {
                let month = Month::try_from(u8::try_from(day.month()).ok()?).ok()?;
                let number = u8::try_from(day.day()).ok()?;
                return time::Date::from_calendar_date(day.year().into(), month, number).ok();
            }
            day = day.checked_sub(1.day()).ok()?;
        }
        None
    }

    /// When a report is due on this day; `None` where none is.
    fn due_on(&self, zone: &TimeZone, day: Date) -> Option<Timestamp> {
        if !self.is_on(day) {
            return None;
        }
        let hour = i8::try_from(self.hour).ok()?;
        let at = DateTime::from_parts(day, jiff::civil::time(hour, 0, 0, 0));
        Some(zone.to_ambiguous_zoned(at).compatible().ok()?.timestamp())
    }

    fn is_on(&self, day: Date) -> bool {
        match self.frequency {
            ScheduleFrequency::Weekly => {
                let weekday = self.weekday.and_then(|weekday| i8::try_from(weekday).ok());
                let weekday = weekday.and_then(|weekday| Weekday::from_monday_one_offset(weekday).ok());
                weekday == Some(day.weekday())
            }
            ScheduleFrequency::Monthly => {
                let last = i8::try_from(self.day_of_month.unwrap_or(1)).map_or(i8::MAX, |wanted| wanted);
                day.day() == last.min(day.days_in_month())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use time::macros::{date, datetime};

    use super::*;

    fn weekly(weekday: u32, hour: u32, timezone: &str) -> Schedule {
        Schedule {
            enabled: true,
            frequency: ScheduleFrequency::Weekly,
            weekday: Some(weekday),
            day_of_month: None,
            hour,
            timezone: timezone.to_owned(),
        }
    }

    fn monthly(day: u32, hour: u32) -> Schedule {
        Schedule {
            frequency: ScheduleFrequency::Monthly,
            weekday: None,
            day_of_month: Some(day),
            ..weekly(1, hour, "Europe/Berlin")
        }
    }

    /// In Berlin the clocks went from 2:00 to 3:00 on 29 March 2026, and go from 3:00 to 2:00 on 25 October.
    #[test]
    fn reports_come_at_the_readers_hour_in_summer_and_in_winter() {
        let mondays = weekly(1, 8, "Europe/Berlin");
        let before = mondays.next_after(datetime!(2026-03-20 12:00 UTC));
        assert_eq!(before, Some(datetime!(2026-03-23 07:00 UTC)), "winter: UTC+1");
        assert_eq!(
            mondays.next_after(before.unwrap()),
            Some(datetime!(2026-03-30 06:00 UTC)),
            "summer: UTC+2"
        );
        let autumn = mondays.next_after(datetime!(2026-10-20 00:00 UTC));
        assert_eq!(autumn, Some(datetime!(2026-10-26 07:00 UTC)));
    }

    #[test]
    fn an_hour_that_is_left_out_or_repeated_is_one_report() {
        let sundays = weekly(7, 2, "Europe/Berlin");
        let skipped = sundays.next_after(datetime!(2026-03-28 12:00 UTC)).unwrap();
        assert_eq!(
            skipped,
            datetime!(2026-03-29 01:00 UTC),
            "3:00, for there is no 2:00"
        );
        assert_eq!(sundays.next_after(skipped), Some(datetime!(2026-04-05 00:00 UTC)));
        let first = sundays.next_after(datetime!(2026-10-24 12:00 UTC)).unwrap();
        assert_eq!(
            first,
            datetime!(2026-10-25 00:00 UTC),
            "the first 2:00, of summer"
        );
        assert_eq!(
            sundays.next_after(first),
            Some(datetime!(2026-11-01 01:00 UTC)),
            "the second 2:00 is none"
        );
    }

    #[test]
    fn a_month_without_the_day_has_its_last() {
        let last = monthly(31, 6);
        let mut at = datetime!(2026-01-31 05:00 UTC);
        let mut days = Vec::new();
        for _ in 0..4 {
            at = last.next_after(at).unwrap();
            days.push(at);
        }
        assert_eq!(
            days,
            [
                datetime!(2026-02-28 05:00 UTC),
                datetime!(2026-03-31 04:00 UTC),
                datetime!(2026-04-30 04:00 UTC),
                datetime!(2026-05-31 04:00 UTC),
            ]
        );
        assert_eq!(
            monthly(29, 6).next_after(datetime!(2028-02-10 00:00 UTC)),
            Some(datetime!(2028-02-29 05:00 UTC))
        );
    }

    #[test]
    fn a_report_is_due_on_a_day_of_its_readers() {
        let first = Schedule {
            timezone: "Pacific/Auckland".to_owned(),
            ..monthly(1, 8)
        };
        let due = first.next_after(datetime!(2026-11-10 00:00 UTC)).unwrap();
        assert_eq!(due, datetime!(2026-11-30 19:00 UTC), "UTC+13");
        let day = |until| first.last_day(until).unwrap();
        assert_eq!(day(due), date!(2026 - 12 - 01));
        assert_eq!(day(due - time::Duration::SECOND), date!(2026 - 11 - 01));
        // Until the next one is due it is the same, however late the report is made.
        assert_eq!(day(datetime!(2026-12-31 18:59:59 UTC)), date!(2026 - 12 - 01));
        let west = weekly(7, 20, "America/Los_Angeles");
        let due = west.next_after(datetime!(2026-11-28 00:00 UTC)).unwrap();
        assert_eq!(due, datetime!(2026-11-30 04:00 UTC), "UTC-8");
        assert_eq!(west.last_day(due), Some(date!(2026 - 11 - 29)));
    }

    #[test]
    fn a_schedule_that_is_off_is_never_due() {
        let off = Schedule {
            enabled: false,
            ..monthly(1, 0)
        };
        assert_eq!(off.next_after(datetime!(2026-03-20 12:00 UTC)), None);
    }

    #[test]
    fn all_faults_are_told_at_once() {
        let mut faults = Faults::default();
        Schedule {
            weekday: Some(8),
            day_of_month: Some(3),
            hour: 24,
            timezone: "Mars/Olympus".to_owned(),
            ..weekly(1, 0, "")
        }
        .check(&mut faults);
        let found = faults.or(|| ()).unwrap_err();
        let pointers: Vec<&str> = found.iter().map(|fault| fault.pointer.as_str()).collect();
        assert_eq!(pointers, ["/weekday", "/day_of_month", "/hour", "/timezone"]);
    }

    #[test]
    fn a_zone_that_is_none_is_refused() {
        for (timezone, faults) in [
            ("Etc/UTC", 0),
            ("Etc/Unknown", 1),
            ("etc/unknown", 1),
            ("Factory", 1),
            ("factory", 1),
            ("", 1),
        ] {
            let mut found = Faults::default();
            weekly(1, 8, timezone).check(&mut found);
            let found = found.or(|| ()).err().unwrap_or_default();
            assert_eq!(found.len(), faults, "{timezone:?}: {found:?}");
        }
    }
}
