//! The fields of a partial update.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One field of a partial update. With `#[serde(default)]` an absent member is `Keep`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Patch<T> {
    /// Absent: the field stays as it is.
    #[default]
    Keep,
    /// `null`: the field is emptied. Only where the field may be null.
    Clear,
    /// A value.
    Set(T),
}

/// Lays a change over a field that is never empty: `None` is an absent member. That null is none of its values its schema
/// says (`nullable = false`), which a body is checked against first.
pub fn set<T>(change: Option<T>, field: &mut T) {
    if let Some(value) = change {
        *field = value;
    }
}

impl<T> Patch<T> {
    /// Whether the member is absent: `skip_serializing_if` asks.
    #[must_use]
    pub const fn is_kept(&self) -> bool {
        matches!(self, Self::Keep)
    }

    /// Lays the patch over a field that may be empty.
    pub fn apply(self, field: &mut Option<T>) {
        match self {
            Self::Keep => {}
            Self::Clear => *field = None,
            Self::Set(value) => *field = Some(value),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(deserializer)?.map_or(Self::Clear, Self::Set))
    }
}

/// `Keep` has no form of its own; the field's `skip_serializing_if` leaves it out.
impl<T: Serialize> Serialize for Patch<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Keep | Self::Clear => serializer.serialize_none(),
            Self::Set(value) => serializer.serialize_some(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Update {
        #[serde(default)]
        keyword: Patch<String>,
    }

    #[test]
    fn absent_null_and_a_value_are_told_apart() {
        let parse = |json| serde_json::from_str::<Update>(json).unwrap().keyword;
        assert_eq!(parse("{}"), Patch::Keep);
        assert_eq!(parse(r#"{"keyword":null}"#), Patch::Clear);
        assert_eq!(
            parse(r#"{"keyword":"in stock"}"#),
            Patch::Set("in stock".to_owned())
        );
    }
}
