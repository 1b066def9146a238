//! Times of the day at which people are left alone.

use std::{fmt, str::FromStr};

use jiff::{
    Timestamp, ToSpan,
    civil::{DateTime, Time},
    tz::TimeZone,
};
use serde::{Deserialize, Serialize};
use time::{Duration, OffsetDateTime};

/// When only what is critical is delivered, every day by the clock of a time zone. Read from and written as
/// `22:00-07:00 Europe/Berlin`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct QuietHours {
    from: Time,
    until: Time,
    timezone: String,
}

/// A text says no quiet hours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuietHoursFault {
    /// It has another form.
    #[error("quiet hours are two times and a time zone, such as 22:00-07:00 Europe/Berlin")]
    Form,
    /// They begin as they end.
    #[error("quiet hours end at another time than they begin")]
    Empty,
    /// Nobody knows the time zone.
    #[error("the time zone is not an IANA time zone such as Europe/Berlin")]
    TimeZone,
}

impl QuietHours {
    /// How long it takes until so much time has passed outside them, which is so much more by their share of a day.
    #[must_use]
    pub fn around(&self, time: Duration) -> Duration {
        const DAY: i32 = 24 * 60;
        let minute = |at: Time| i32::from(at.hour()) * 60 + i32::from(at.minute());
        let quiet = (minute(self.until) - minute(self.from)).rem_euclid(DAY);
        time * DAY / (DAY - quiet)
    }

    /// When the quiet hours that hold at `now` are over; `None`: it is not quiet. A time that a change of the clocks leaves
    /// out counts as the time after the change.
    #[must_use]
    pub fn end(&self, now: OffsetDateTime) -> Option<OffsetDateTime> {
        let zone = TimeZone::get(&self.timezone).ok()?;
        let instant = Timestamp::from_second(now.unix_timestamp()).ok()?;
        let local = instant.to_zoned(zone.clone()).datetime();
        let (time, today) = (local.time(), local.date());
        let end = if self.from < self.until {
            (self.from <= time && time < self.until).then_some(today)?
        } else if time >= self.from {
            today.checked_add(1.day()).ok()?
        } else if time < self.until {
            today
        } else {
            return None;
        };
        let end = zone.into_ambiguous_zoned(DateTime::from_parts(end, self.until));
        // Where an hour is repeated, they end in it when the clock shows their end for the first time from now on.
        let first = end
            .clone()
            .compatible()
            .ok()
            .filter(|end| end.timestamp() > instant);
        let end = first.or_else(|| end.later().ok())?;
        OffsetDateTime::from_unix_timestamp(end.timestamp().as_second()).ok()
    }
}

impl FromStr for QuietHours {
    type Err = QuietHoursFault;

    fn from_str(text: &str) -> Result<Self, QuietHoursFault> {
        let (times, timezone) = text.trim().split_once(' ').ok_or(QuietHoursFault::Form)?;
        let (from, until) = times.split_once('-').ok_or(QuietHoursFault::Form)?;
        let (from, until) = (time_of_day(from)?, time_of_day(until)?);
        let timezone = timezone.trim();
        if from == until {
            return Err(QuietHoursFault::Empty);
        }
        if TimeZone::get(timezone).is_err() {
            return Err(QuietHoursFault::TimeZone);
        }
        Ok(Self {
            from,
            until,
            timezone: timezone.to_owned(),
        })
    }
}

impl TryFrom<String> for QuietHours {
    type Error = QuietHoursFault;

    fn try_from(text: String) -> Result<Self, QuietHoursFault> {
        text.parse()
    }
}

impl From<QuietHours> for String {
    fn from(hours: QuietHours) -> Self {
        hours.to_string()
    }
}

impl fmt::Display for QuietHours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            from,
            until,
            timezone,
        } = self;
        write!(
            f,
            "{:02}:{:02}-{:02}:{:02} {timezone}",
            from.hour(),
            from.minute(),
            until.hour(),
            until.minute()
        )
    }
}

/// A time as `HH:MM`.
fn time_of_day(text: &str) -> Result<Time, QuietHoursFault> {
    let digits = text.len() == 5 && text.bytes().all(|byte| byte == b':' || byte.is_ascii_digit());
    let (hour, minute) = text
        .split_once(':')
        .filter(|_| digits)
        .ok_or(QuietHoursFault::Form)?;
    let (hour, minute) = hour
        .parse()
        .ok()
        .zip(minute.parse().ok())
        .ok_or(QuietHoursFault::Form)?;
    Time::new(hour, minute, 0, 0).map_err(|_| QuietHoursFault::Form)
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn quiet_hours_end_at_their_time_of_the_day_also_over_midnight() {
        let night: QuietHours = "22:00-07:00 Europe/Berlin".parse().unwrap();
        let noon: QuietHours = "12:00-13:30 UTC".parse().unwrap();
        let table = [
            // 21:59 and 22:00 in Berlin, in winter.
            (&night, datetime!(2026-01-10 20:59:59 UTC), None),
            (
                &night,
                datetime!(2026-01-10 21:00 UTC),
                Some(datetime!(2026-01-11 06:00 UTC)),
            ),
            (
                &night,
                datetime!(2026-01-11 05:59:59 UTC),
                Some(datetime!(2026-01-11 06:00 UTC)),
            ),
            (&night, datetime!(2026-01-11 06:00 UTC), None),
            // The clocks go forward in this night, and back in the other.
            (
                &night,
                datetime!(2026-03-28 22:30 UTC),
                Some(datetime!(2026-03-29 05:00 UTC)),
            ),
            (
                &night,
                datetime!(2026-10-24 20:30 UTC),
                Some(datetime!(2026-10-25 06:00 UTC)),
            ),
            (
                &noon,
                datetime!(2026-01-10 12:00 UTC),
                Some(datetime!(2026-01-10 13:30 UTC)),
            ),
            (&noon, datetime!(2026-01-10 13:30 UTC), None),
        ];
        for (hours, now, end) in table {
            assert_eq!(hours.end(now), end, "{hours} at {now}");
        }
    }

    #[test]
    fn time_outside_of_quiet_hours_is_longer_by_their_share_of_a_day() {
        for (hours, around) in [
            ("20:00-08:00 UTC", Duration::hours(48)),
            ("12:00-18:00 UTC", Duration::hours(32)),
            ("00:00-23:00 UTC", Duration::hours(576)),
            ("23:00-00:00 UTC", Duration::minutes(1_502)),
        ] {
            let hours: QuietHours = hours.parse().unwrap();
            assert_eq!(
                hours.around(Duration::DAY).whole_minutes(),
                around.whole_minutes(),
                "{hours}"
            );
        }
    }

    #[test]
    fn a_time_that_the_clocks_leave_out_is_the_one_after_it() {
        let hours: QuietHours = "01:00-02:30 Europe/Berlin".parse().unwrap();
        let end = hours.end(datetime!(2026-03-29 00:30 UTC));
        assert_eq!(end, Some(datetime!(2026-03-29 01:30 UTC)));
    }

    #[test]
    fn other_texts_are_refused_with_the_reason() {
        let refused = [
            ("", QuietHoursFault::Form),
            ("22:00-07:00", QuietHoursFault::Form),
            ("22-07 UTC", QuietHoursFault::Form),
            ("24:00-07:00 UTC", QuietHoursFault::Form),
            ("+2:00-07:00 UTC", QuietHoursFault::Form),
            ("22:00-22:00 UTC", QuietHoursFault::Empty),
            ("22:00-07:00 Europe/Atlantis", QuietHoursFault::TimeZone),
        ];
        for (text, fault) in refused {
            assert_eq!(text.parse::<QuietHours>(), Err(fault), "{text}");
        }
        let hours: QuietHours = "22:00-07:00 Europe/Berlin".parse().unwrap();
        assert_eq!(hours.to_string(), "22:00-07:00 Europe/Berlin");
    }

    #[test]
    fn an_end_in_an_hour_that_is_repeated_lies_ahead() {
        let hours: QuietHours = "22:00-02:30 Europe/Berlin".parse().unwrap();
        // The clocks are set back at 01:00 UTC: 02:30 comes at 00:30 UTC and at 01:30 UTC.
        let end = |now| hours.end(now);
        let (first, second) = (datetime!(2026-10-25 00:30 UTC), datetime!(2026-10-25 01:30 UTC));
        assert_eq!(end(datetime!(2026-10-25 00:10 UTC)), Some(first));
        assert_eq!(end(datetime!(2026-10-25 01:01 UTC)), Some(second));
        assert_eq!(end(second), None);
    }
}
