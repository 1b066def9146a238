//! Dates of sitemaps: the forms of W3C's note on date and time formats, and that of RSS.

use time::{
    Date, OffsetDateTime, PrimitiveDateTime, Time, UtcOffset,
    format_description::well_known::{Rfc2822, Rfc3339},
    macros::format_description,
};

/// A date with whatever it leaves open at its beginning, in UTC. `None` for anything else.
///
/// The forms are `YYYY`, `YYYY-MM`, `YYYY-MM-DD`, and that with `Thh:mm` and a zone, with seconds and fractions of one or
/// without.
pub(super) fn parse(text: &str) -> Option<OffsetDateTime> {
    if let Ok(moment) = OffsetDateTime::parse(text, &Rfc3339) {
        return utc(moment);
    }
    let midnight = |date: Date| utc(PrimitiveDateTime::new(date, Time::MIDNIGHT).assume_utc());
    match text.len() {
        4 => return date(&format!("{text}-01-01")).and_then(midnight),
        7 => return date(&format!("{text}-01")).and_then(midnight),
        10 => return date(text).and_then(midnight),
        _ => {}
    }
    // Without seconds: `2026-11-24T16:50+01:00`, `2026-11-24T16:50Z`.
    let (start, zone) = text.split_at_checked(16)?;
    OffsetDateTime::parse(&format!("{start}:00{zone}"), &Rfc3339)
        .ok()
        .and_then(utc)
}

/// A date of RSS (RFC 822 with years of four digits), in UTC.
pub(super) fn parse_rss(text: &str) -> Option<OffsetDateTime> {
    OffsetDateTime::parse(text, &Rfc2822).ok().and_then(utc)
}

/// The moment in UTC, if it lies in a year that can be written there.
fn utc(moment: OffsetDateTime) -> Option<OffsetDateTime> {
    let moment = moment.checked_to_offset(UtcOffset::UTC)?;
    (1..=9999).contains(&moment.year()).then_some(moment)
}

fn date(text: &str) -> Option<Date> {
    Date::parse(text, format_description!("[year]-[month]-[day]")).ok()
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    /// The examples of <https://www.w3.org/TR/NOTE-datetime>.
    #[test]
    fn the_forms_of_the_note_are_read() {
        for (text, moment) in [
            ("1997", datetime!(1997-01-01 00:00 UTC)),
            ("1997-07", datetime!(1997-07-01 00:00 UTC)),
            ("1997-07-16", datetime!(1997-07-16 00:00 UTC)),
            ("1997-07-16T19:20+01:00", datetime!(1997-07-16 18:20 UTC)),
            ("1997-07-16T19:20:30+01:00", datetime!(1997-07-16 18:20:30 UTC)),
            (
                "1997-07-16T19:20:30.45+01:00",
                datetime!(1997-07-16 18:20:30.45 UTC),
            ),
            ("1994-11-05T13:15:30Z", datetime!(1994-11-05 13:15:30 UTC)),
            ("1994-11-05T13:15Z", datetime!(1994-11-05 13:15 UTC)),
        ] {
            assert_eq!(parse(text), Some(moment), "{text}");
        }
    }

    #[test]
    fn other_forms_are_not() {
        for text in [
            "",
            "yesterday",
            "97",
            "1997-13",
            "1997-02-30",
            "16.07.1997",
            "1997-07-16 19:20",
            "1997-07-16T19:20",
            "+9999-07",
            "-001",
            "1997-07-16T25:00Z",
            "\u{664}\u{664}",
            "9999-12-31T23:59:59-23:59",
            "0000",
            "0000-12",
            "0000-12-31",
            "0000-01-01T00:00:00+14:00",
            "0000-12-31T23:59Z",
            "0001-01-01T00:00:00+00:01",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    /// Every zone, at both ends of the years that have four digits.
    #[test]
    fn whatever_is_read_has_a_year_that_can_be_written() {
        let ends = ["-01-01T00:00", "-01-01T12:00", "-12-31T23:59"];
        let zones =
            (0..24).flat_map(|hours| [0, 1, 30, 59].map(|minutes| format!("{hours:02}:{minutes:02}")));
        for zone in zones {
            for year in [0, 1, 2, 1582, 9998, 9999] {
                for end in ends {
                    for sign in ['+', '-'] {
                        let text = format!("{year:04}{end}{sign}{zone}");
                        let read = parse(&text);
                        let is_written = read.is_none_or(|moment| (1..=9999).contains(&moment.year()));
                        assert!(is_written, "{text}: {read:?}");
                        assert!(read.is_some() || !(2..9999).contains(&year), "{text}");
                    }
                }
            }
        }
    }

    #[test]
    fn rss_has_its_own() {
        assert_eq!(
            parse_rss("Tue, 24 Nov 2026 16:50:00 +0100"),
            Some(datetime!(2026-11-24 15:50 UTC))
        );
        assert_eq!(parse_rss("2026-11-24"), None);
    }
}
