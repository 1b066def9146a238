//! Time on the wire: RFC 3339, UTC with `Z`, whole seconds.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use time::{OffsetDateTime, UtcOffset, format_description::well_known::Rfc3339, macros::datetime};

/// The first and the last moment that can be written.
const FIRST: OffsetDateTime = datetime!(0000-01-01 00:00:00 UTC);
const LAST: OffsetDateTime = datetime!(9999-12-31 23:59:59 UTC);

/// A moment as the API writes it: `2026-03-31T09:15:00Z`. A fraction of a second is cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
pub struct Timestamp(OffsetDateTime);

/// A text that is no time of RFC 3339, or one whose year in UTC has not four digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an RFC 3339 time such as 2026-03-31T09:15:00Z, of the years 0000 to 9999 in UTC")]
pub struct InvalidTimestamp;

/// The moment in UTC; `None` where its year there has not four digits: no text of RFC 3339 says it.
#[must_use]
pub fn in_utc(moment: OffsetDateTime) -> Option<OffsetDateTime> {
    moment
        .checked_to_offset(UtcOffset::UTC)
        .filter(|moment| (0..=9_999).contains(&moment.year()))
}

impl Timestamp {
    /// The moment, in UTC and whole seconds.
    #[must_use]
    pub const fn moment(self) -> OffsetDateTime {
        self.0
    }
}

impl From<OffsetDateTime> for Timestamp {
    /// A moment that can't be written becomes the nearest one that can.
    fn from(moment: OffsetDateTime) -> Self {
        let nearest = if moment.year() > 0 { LAST } else { FIRST };
        let moment = in_utc(moment).unwrap_or(nearest);
        Self(moment.replace_nanosecond(0).unwrap_or(moment))
    }
}

impl std::fmt::Display for Timestamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // As long as the shape above: an answer may hold hundreds, and none is worth an allocation.
        let mut text = [0; "2026-03-31T09:15:00Z".len()];
        let written = self.0.format_into(&mut text.as_mut_slice(), &Rfc3339);
        let length = written.map_err(|_| std::fmt::Error)?;
        f.write_str(std::str::from_utf8(&text[..length]).map_err(|_| std::fmt::Error)?)
    }
}

impl std::str::FromStr for Timestamp {
    type Err = InvalidTimestamp;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let moment = OffsetDateTime::parse(text, &Rfc3339).map_err(|_| InvalidTimestamp)?;
        // Its offset may move it out of the years that can be written.
        in_utc(moment).map(Self::from).ok_or(InvalidTimestamp)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use time::macros::offset;

    use super::*;

    #[test]
    fn every_moment_can_be_written() {
        for (moment, text) in [
            (LAST.replace_offset(offset!(-1)), "9999-12-31T23:59:59Z"),
            (FIRST.replace_offset(offset!(+1)), "0000-01-01T00:00:00Z"),
            (datetime!(-9999-01-01 00:00 +25), "0000-01-01T00:00:00Z"),
            (
                datetime!(9999-12-31 23:59:59.999999999 -25),
                "9999-12-31T23:59:59Z",
            ),
        ] {
            assert_eq!(Timestamp::from(moment).to_string(), text);
        }
    }

    #[test]
    fn is_written_in_utc_and_whole_seconds() {
        let at = Timestamp::from(datetime!(2026-03-31 11:15:00.75 +2));
        assert_eq!(at.to_string(), "2026-03-31T09:15:00Z");
        assert_eq!(at.to_string().parse::<Timestamp>().unwrap(), at);
    }

    #[test]
    fn a_time_that_cannot_be_written_is_not_read() {
        for good in ["0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z"] {
            assert_eq!(good.parse::<Timestamp>().unwrap().to_string(), good);
        }
        for bad in [
            "9999-12-31T23:59:59-01:00",
            "0000-01-01T00:00:00+01:00",
            "2026-02-31T00:00:00Z",
            "2026-03-31",
        ] {
            assert_eq!(bad.parse::<Timestamp>(), Err(InvalidTimestamp), "{bad}");
        }
    }
}
