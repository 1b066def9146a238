//! JSON that lies deeper within itself than is read: a page decides how long its chains of requests are, and a reader of JSON gives
//! up where more than 127 levels lie within each other.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Value};

/// How many levels of a value are read. They lie within a few others.
const LEVELS: usize = 100;

/// The value, as far as it is read; deeper down there are nulls. `None`: it is null.
///
/// # Errors
/// It is no JSON.
pub(crate) fn value<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    let value = Levels(LEVELS).deserialize(deserializer)?;
    Ok(Some(value).filter(|value| !value.is_null()))
}

/// So many levels of a value.
struct Levels(usize);

impl Levels {
    /// Those of what lies within it.
    const fn within(&self) -> Self {
        Self(self.0.saturating_sub(1))
    }
}

impl<'de> DeserializeSeed<'de> for Levels {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        if self.0 == 0 {
            // This is passed over without a level of its own for each.
            IgnoredAny::deserialize(deserializer).map(|_| Value::Null)
        } else {
            deserializer.deserialize_any(self)
        }
    }
}

impl<'de> Visitor<'de> for Levels {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self.within())? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            object.insert(name, members.next_value_seed(self.within())?);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Value> {
        value(&mut serde_json::Deserializer::from_str(text)).unwrap()
    }

    #[test]
    fn a_value_is_read_as_it_is() {
        let text = r#"{"a":[1,-1,1.5,true,null,"b"],"c":{}}"#;
        assert_eq!(read(text), Some(serde_json::from_str(text).unwrap()));
        assert_eq!(read("null"), None);
    }

    #[test]
    fn the_rest_is_passed_over_however_deep_it_lies() {
        let text = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        let mut found = &read(&text).unwrap();
        let mut levels = 0;
        while let Some(within) = found.get(0) {
            (found, levels) = (within, levels + 1);
        }
        assert_eq!((found, levels), (&Value::Null, LEVELS));
    }
}
