//! Times at which an outage is no outage.

use jiff::{Timestamp, ToSpan, Zoned, civil, tz::TimeZone};
use pharos_domain::{ids::MaintenanceWindowId, settings::Faults, time_range::TimeRange, wire_enum};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

wire_enum! {
    /// How a maintenance window comes back.
    Recurrence as "MaintenanceRecurrence" {
        /// Once.
        None = "none",
        /// Every day at the same local time.
        Daily = "daily",
        /// Every week, on `weekdays` or on the weekday that it first began on.
        Weekly = "weekly",
        /// Every month on the same day; a shorter month uses its last.
        Monthly = "monthly",
    }
}

/// A time at which an outage is no outage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MaintenanceWindow {
    /// By which answers name the window.
    pub id: MaintenanceWindowId,
    /// The words by which callers know it.
    pub name: String,
    /// When it (first) begins.
    #[serde(with = "time::serde::rfc3339")]
    pub starts_at: OffsetDateTime,
    /// When it (first) ends.
    #[serde(with = "time::serde::rfc3339")]
    pub ends_at: OffsetDateTime,
    /// How it comes back.
    pub recurrence: Recurrence,
    /// The days of a weekly window, Monday = 1 to Sunday = 7.
    pub weekdays: Vec<u8>,
    /// The IANA time zone that it comes back in.
    pub timezone: String,
}

impl MaintenanceWindow {
    /// Finds everything that is wrong with the window.
    pub fn check(&self, faults: &mut Faults) {
        if self.name.chars().count() > 100 {
            faults.add("name", "at most 100 characters");
        }
        if let Some(detail) = self.duration_fault() {
            faults.contradiction("ends_at", &["starts_at", "recurrence"], detail);
        }
        if let Some(detail) = self.weekdays_fault() {
            faults.contradiction("weekdays", &["recurrence"], detail);
        }
        if TimeZone::get(&self.timezone).is_err() {
            faults.add("timezone", "not an IANA time zone such as Europe/Berlin");
        }
    }

    fn duration_fault(&self) -> Option<String> {
        let longest = match self.recurrence {
            Recurrence::None => time::Duration::days(366),
            Recurrence::Daily => time::Duration::DAY,
            Recurrence::Weekly => time::Duration::WEEK,
            Recurrence::Monthly => time::Duration::days(28),
        };
        let duration = self.ends_at - self.starts_at;
        if !duration.is_positive() {
            Some("not after starts_at".to_owned())
        } else if duration > longest {
            let hours = longest.whole_hours();
            Some(format!("a window of this recurrence lasts at most {hours} hours"))
        } else {
            None
        }
    }

    fn weekdays_fault(&self) -> Option<String> {
        let days = &self.weekdays;
        let fault = if days.iter().any(|day| !(1..=7).contains(day)) {
            "a weekday is 1 (Monday) to 7 (Sunday)"
        } else if days.len() > 7 {
            "at most 7"
        } else if !days.is_empty() && self.recurrence != Recurrence::Weekly {
            "only a weekly window has weekdays"
        } else {
            return None;
        };
        Some(fault.to_owned())
    }

    /// When the occurrence that covers `now` began; `None` when none does.
    #[must_use]
    pub fn covering(&self, now: OffsetDateTime) -> Option<OffsetDateTime> {
        let occurrences = self.occurrences(TimeRange::new(now, now + time::Duration::SECOND));
        occurrences
            .into_iter()
            .find(|occurrence| occurrence.contains(now))
            .map(|occurrence| occurrence.from)
    }

    /// The occurrences that reach into a range, by their start.
    #[must_use]
    pub fn occurrences(&self, range: TimeRange) -> Vec<TimeRange> {
        let duration = self.ends_at - self.starts_at;
        let begins: Vec<OffsetDateTime> = match self.recurrence {
            Recurrence::None => vec![self.starts_at],
            _ => self
                .starts(TimeRange::new(range.from - duration, range.until))
                .unwrap_or_default(),
        };
        begins
            .into_iter()
            .map(|start| TimeRange::new(start, start + duration))
            .filter(|occurrence| occurrence.overlaps(range))
            .collect()
    }

    /// The starts of a recurring window on all local days that a range touches. `None` for a time zone that is not known,
    /// or a time that no calendar has.
    fn starts(&self, range: TimeRange) -> Option<Vec<OffsetDateTime>> {
        let zone = TimeZone::get(&self.timezone).ok()?;
        let first = timestamp(self.starts_at)?.to_zoned(zone.clone());
        let local = |at: OffsetDateTime| Some(timestamp(at)?.to_zoned(zone.clone()).date());
        let (earliest, latest) = (local(range.from)?.max(first.date()), local(range.until)?);
        let days = earliest
            .series(1.day())
            .take_while(|date| *date <= latest)
            .filter(|date| self.comes_back_on(*date, &first));
        let starts = days.filter_map(|date| {
            let start = date.to_datetime(first.time()).to_zoned(zone.clone()).ok()?;
            OffsetDateTime::from_unix_timestamp(start.timestamp().as_second()).ok()
        });
        Some(starts.collect())
    }

    fn comes_back_on(&self, date: civil::Date, first: &Zoned) -> bool {
        match self.recurrence {
            Recurrence::None => date == first.date(),
            Recurrence::Daily => true,
            Recurrence::Weekly => match self.weekdays.as_slice() {
                [] => date.weekday() == first.weekday(),
                days => days.contains(&date.weekday().to_monday_one_offset().unsigned_abs()),
            },
            Recurrence::Monthly => date.day() == first.day().min(date.days_in_month()),
        }
    }
}

fn timestamp(at: OffsetDateTime) -> Option<Timestamp> {
    Timestamp::from_second(at.unix_timestamp()).ok()
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    fn window(
        recurrence: Recurrence,
        starts_at: OffsetDateTime,
        ends_at: OffsetDateTime,
    ) -> MaintenanceWindow {
        MaintenanceWindow {
            id: MaintenanceWindowId::generate(),
            name: "nightly".to_owned(),
            starts_at,
            ends_at,
            recurrence,
            weekdays: Vec::new(),
            timezone: "Europe/Berlin".to_owned(),
        }
    }

    #[test]
    fn a_single_window_covers_its_time_and_no_other() {
        let once = window(
            Recurrence::None,
            datetime!(2026-03-10 01:00 UTC),
            datetime!(2026-03-10 02:00 UTC),
        );
        assert_eq!(
            once.covering(datetime!(2026-03-10 01:00 UTC)),
            Some(datetime!(2026-03-10 01:00 UTC))
        );
        assert_eq!(once.covering(datetime!(2026-03-10 02:00 UTC)), None);
        assert_eq!(once.covering(datetime!(2026-03-11 01:30 UTC)), None);
    }

    /// Berlin moves from UTC+1 to UTC+2 on 2026-03-29, so 03:00 local moves from 02:00 UTC to 01:00 UTC.
    #[test]
    fn a_daily_window_keeps_its_local_time_over_a_clock_change() {
        let nightly = window(
            Recurrence::Daily,
            datetime!(2026-03-27 02:00 UTC),
            datetime!(2026-03-27 02:30 UTC),
        );
        assert!(nightly.covering(datetime!(2026-03-28 02:10 UTC)).is_some());
        assert!(nightly.covering(datetime!(2026-03-30 01:10 UTC)).is_some());
        assert!(nightly.covering(datetime!(2026-03-30 02:10 UTC)).is_none());
        assert!(
            nightly.covering(datetime!(2026-03-26 02:10 UTC)).is_none(),
            "before the first"
        );
    }

    #[test]
    fn a_window_reaches_over_midnight() {
        let night = window(
            Recurrence::Daily,
            datetime!(2026-01-05 22:30 UTC),
            datetime!(2026-01-06 01:30 UTC),
        );
        assert_eq!(
            night.covering(datetime!(2026-01-09 00:15 UTC)),
            Some(datetime!(2026-01-08 22:30 UTC))
        );
    }

    #[test]
    fn weekly_and_monthly_windows_come_back_on_their_days() {
        // 2026-01-05 is a Monday.
        let mut weekly = window(
            Recurrence::Weekly,
            datetime!(2026-01-05 10:00 UTC),
            datetime!(2026-01-05 11:00 UTC),
        );
        assert!(weekly.covering(datetime!(2026-01-12 10:30 UTC)).is_some());
        assert!(weekly.covering(datetime!(2026-01-13 10:30 UTC)).is_none());
        weekly.weekdays = vec![2];
        assert!(weekly.covering(datetime!(2026-01-13 10:30 UTC)).is_some());
        let monthly = window(
            Recurrence::Monthly,
            datetime!(2026-01-31 10:00 UTC),
            datetime!(2026-01-31 11:00 UTC),
        );
        assert!(monthly.covering(datetime!(2026-02-28 10:30 UTC)).is_some());
        assert!(monthly.covering(datetime!(2026-03-30 09:30 UTC)).is_none());
    }
}
