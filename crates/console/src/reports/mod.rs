//! Reports of a domain: what is in them, who gets them, which were made. Everybody of the workspace sees them; members make and
//! change them; owners and admins say who gets them.

pub(crate) mod by_link;
pub(crate) mod download;
pub(crate) mod editor;
pub(crate) mod list;
mod made;
pub(crate) mod one;
mod recipients;

use pharos_domain::role::Role;
use pharos_reporting::{format::ScheduleFrequency, schedule::Schedule};

/// Who makes and changes templates: as by the API.
const EDITORS: Role = Role::Member;
/// Who says who gets reports.
const CHANGERS: Role = Role::Admin;
/// The days of a week: Monday is 1 (ISO 8601).
const WEEKDAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];

/// When a report is made by itself, in words.
fn when(schedule: Option<&Schedule>) -> String {
    let Some(schedule) = schedule.filter(|schedule| schedule.enabled) else {
        return "only when it is asked for".to_owned();
    };
    let weekday = schedule.weekday.and_then(|day| {
        let place = usize::try_from(day).ok()?.checked_sub(1)?;
        WEEKDAYS.get(place)
    });
    let day = match (schedule.frequency, weekday, schedule.day_of_month) {
        (ScheduleFrequency::Weekly, Some(weekday), _) => format!("every {weekday}"),
        (ScheduleFrequency::Weekly, None, _) => "every week".to_owned(),
        (ScheduleFrequency::Monthly, _, Some(day)) => format!("on day {day} of every month"),
        (ScheduleFrequency::Monthly, _, None) => "every month".to_owned(),
    };
    format!("{day} at {}:00, {}", schedule.hour, schedule.timezone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_is_told_in_words() {
        let weekly = Schedule {
            enabled: true,
            frequency: ScheduleFrequency::Weekly,
            weekday: Some(7),
            day_of_month: None,
            hour: 8,
            timezone: "Europe/Berlin".to_owned(),
        };
        assert_eq!(when(Some(&weekly)), "every Sunday at 8:00, Europe/Berlin");
        let monthly = Schedule {
            frequency: ScheduleFrequency::Monthly,
            weekday: None,
            day_of_month: Some(31),
            ..weekly.clone()
        };
        assert_eq!(
            when(Some(&monthly)),
            "on day 31 of every month at 8:00, Europe/Berlin"
        );
        let off = Schedule {
            enabled: false,
            ..weekly
        };
        assert_eq!(when(Some(&off)), when(None));
    }
}
