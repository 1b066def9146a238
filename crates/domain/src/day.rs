//! A day on the wire: `YYYY-MM-DD`, UTC.

use serde::{Serialize, Serializer};
use time::{Date, macros::format_description};

/// A UTC day as the API writes it: `2026-03-31` (RFC 3339, `full-date`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = String, format = Date))]
pub struct Day(pub Date);

/// Why a text is no day. It says what would be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MalformedDay {
    /// It is not written as a day.
    #[error("not a day as YYYY-MM-DD, such as 2026-03-31; days are UTC")]
    Form,
    /// The month has no such day, or the year no such month.
    #[error("the calendar has no such day")]
    NoSuchDay,
}

impl std::str::FromStr for Day {
    type Err = MalformedDay;

    /// Ten characters exactly: no sign, no time, no shorter form.
    fn from_str(text: &str) -> Result<Self, MalformedDay> {
        let is_in_place = |(at, byte): (usize, u8)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        };
        if text.len() != 10 || !text.bytes().enumerate().all(is_in_place) {
            return Err(MalformedDay::Form);
        }
        Date::parse(text, format_description!("[year]-[month]-[day]"))
            .map(Self)
            .map_err(|_| MalformedDay::NoSuchDay)
    }
}

impl std::fmt::Display for Day {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    #[test]
    fn is_written_as_it_is_read() {
        for (text, day) in [
            ("2026-03-31", date!(2026 - 03 - 31)),
            ("2024-02-29", date!(2024 - 02 - 29)),
            ("0001-01-01", date!(0001 - 01 - 01)),
            ("9999-12-31", date!(9999 - 12 - 31)),
        ] {
            assert_eq!(text.parse(), Ok(Day(day)), "{text}");
            assert_eq!(Day(day).to_string(), text);
        }
        assert_eq!(
            serde_json::to_string(&Day(date!(2026 - 03 - 31))).unwrap(),
            r#""2026-03-31""#
        );
    }

    #[test]
    fn what_is_no_day_is_told_from_what_is_not_written_as_one() {
        for text in [
            "",
            "today",
            "2026-3-1",
            "2026-03-31T00:00:00Z",
            "2026-03-31 ",
            " 2026-03-31",
            "20260331",
            "2026/03/31",
            "31-03-2026",
            "+026-03-31",
            "-026-03-31",
            "2026-W14-2",
            "２０２６-03-31",
        ] {
            assert_eq!(text.parse::<Day>(), Err(MalformedDay::Form), "{text}");
        }
        for text in [
            "2026-02-31",
            "2026-02-29",
            "2026-13-01",
            "2026-00-10",
            "2026-04-00",
        ] {
            assert_eq!(text.parse::<Day>(), Err(MalformedDay::NoSuchDay), "{text}");
        }
    }
}
