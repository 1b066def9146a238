//! Time on the wire: RFC 3339, UTC with `Z`, whole seconds.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use time::{OffsetDateTime, UtcOffset, format_description::well_known::Rfc3339};

/// A moment as the API writes it: `2026-03-31T09:15:00Z`. A fraction of a second is cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
pub struct Timestamp(OffsetDateTime);

impl Timestamp {
    /// The moment, in UTC and whole seconds.
    #[must_use]
    pub const fn moment(self) -> OffsetDateTime {
        self.0
    }
}

impl From<OffsetDateTime> for Timestamp {
    fn from(moment: OffsetDateTime) -> Self {
        let moment = moment.to_offset(UtcOffset::UTC);
        Self(moment.replace_nanosecond(0).unwrap_or(moment))
    }
}

impl std::fmt::Display for Timestamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.format(&Rfc3339).map_err(|_| std::fmt::Error)?)
    }
}

impl std::str::FromStr for Timestamp {
    type Err = time::error::Parse;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        OffsetDateTime::parse(text, &Rfc3339).map(Self::from)
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
        text.parse()
            .map_err(|_| de::Error::custom("not an RFC 3339 time such as 2026-03-31T09:15:00Z"))
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn is_written_in_utc_and_whole_seconds() {
        let at = Timestamp::from(datetime!(2026-03-31 11:15:00.75 +2));
        assert_eq!(at.to_string(), "2026-03-31T09:15:00Z");
        assert_eq!(at.to_string().parse::<Timestamp>().unwrap(), at);
    }
}
