//! From bytes to JSON, with the faults that no schema can name: a member that stands twice, the character U+0000.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::problem::Fault;

/// Up to here every whole number is a double.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// How serde_json says that values lie in more others than it reads.
const TOO_DEEP: &str = "recursion limit exceeded";

/// How serde_json begins to say that a number is larger than any double.
const OUT_OF_RANGE: &str = "number out of range";

/// Reads one value. A number without a fraction is a whole one, however it is written (`60.0`, `6e1`), as JSON Schema has
/// it.
pub(super) fn parse(bytes: &[u8]) -> Result<(Value, Vec<Fault>), Fault> {
    let (mut faults, mut broke_at) = (Vec::new(), None);
    let node = Node {
        at: &mut String::new(),
        faults: &mut faults,
        broke_at: &mut broke_at,
    };
    // serde_json stops at a depth of 128, so a deeply nested body can't exhaust the stack.
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = node.deserialize(&mut reader);
    match value.and_then(|value| reader.end().map(|()| value)) {
        Ok(value) => Ok((value, faults)),
        Err(_) if bytes.is_empty() => Err(Fault::pointer("", "empty; send a JSON object")),
        // It has no other word for that.
        Err(error) if error.to_string().starts_with(OUT_OF_RANGE) => {
            let why = "a number out of range: the largest is about 1.8e308";
            Err(Fault::pointer(broke_at.unwrap_or_default(), why))
        }
        Err(error) if error.to_string().starts_with(TOO_DEEP) => {
            Err(Fault::pointer("", "nested too deep: at most 127 levels are read"))
        }
        Err(error) => {
            let (line, column) = (error.line(), error.column());
            let why = format!("not well-formed JSON: see line {line}, column {column}");
            Err(Fault::pointer("", why))
        }
    }
}

/// A segment of a JSON Pointer (RFC 6901).
pub(super) fn segment(name: &str) -> String {
    format!("/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// A value that is about to be read.
struct Node<'n> {
    at: &'n mut String,
    faults: &'n mut Vec<Fault>,
    /// Where reading ended that could not go on.
    broke_at: &'n mut Option<String>,
}

impl Node<'_> {
    fn note(&mut self, why: &str) {
        self.faults.push(Fault::pointer(self.at.clone(), why));
    }

    /// Goes on to a value within this one, and comes back.
    fn within<T, E>(&mut self, name: &str, read: impl FnOnce(Node<'_>) -> Result<T, E>) -> Result<T, E> {
        let length = self.at.len();
        self.at.push_str(&segment(name));
        let result = read(Node {
            at: self.at,
            faults: self.faults,
            broke_at: self.broke_at,
        });
        if result.is_err() && self.broke_at.is_none() {
            *self.broke_at = Some(self.at.clone());
        }
        self.at.truncate(length);
        result
    }
}

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        if number.fract() == 0.0 && number.abs() <= EXACT {
            #[expect(clippy::cast_possible_truncation, reason = "it is whole, and far below 2^63")]
            let whole = number as i64;
            return Ok(whole.into());
        }
        Ok(Number::from_f64(number).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(mut self, text: &str) -> Result<Value, E> {
        // PostgreSQL could not store it.
        if text.contains('\0') {
            self.note("holds the character U+0000");
        }
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Value, A::Error> {
        let mut read = Vec::new();
        loop {
            let index = read.len().to_string();
            match self.within(&index, |item| items.next_element_seed(item))? {
                Some(item) => read.push(item),
                None => return Ok(read.into()),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<Value, A::Error> {
        let mut read = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            if name.contains('\0') {
                self.note("a member's name holds the character U+0000");
            }
            if read.contains_key(&name) {
                self.within(&name, |mut member| {
                    member.note("given more than once");
                    Ok(())
                })?;
            }
            let value = self.within(&name, |member| members.next_value_seed(member))?;
            read.insert(name, value);
        }
        Ok(read.into())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn pointers(json: &str) -> Vec<String> {
        let (_, faults) = parse(json.as_bytes()).unwrap();
        faults
            .into_iter()
            .map(|fault| fault.pointer.unwrap_or_default())
            .collect()
    }

    #[test]
    fn a_number_without_a_fraction_is_whole_however_it_is_written() {
        let read = |json: &str| parse(json.as_bytes()).unwrap().0;
        for whole in ["60", "60.0", "6e1", "600E-1"] {
            assert_eq!(read(whole), json!(60), "{whole}");
        }
        assert_eq!(read("-0.0"), json!(0));
        assert_eq!(read("60.5"), json!(60.5));
        assert_eq!(read("1e300"), json!(1e300));
    }

    #[test]
    fn what_stands_twice_or_holds_nul_is_named_wherever_it_is() {
        assert_eq!(
            pointers(r#"{"a":{"b":1,"b":2},"c":[{"d":"\u0000"},1],"a":3}"#),
            ["/a/b", "/c/0/d", "/a"]
        );
        assert_eq!(pointers(r#"{"a/b~":{"\u0000":1}}"#), ["/a~1b~0"]);
        assert!(pointers(r#"{"a":1,"b":[2,2],"c":{"a":1}}"#).is_empty());
    }

    #[test]
    fn a_number_that_no_double_holds_is_named_where_it_stands() {
        for (json, at) in [
            ("1e999", ""),
            (r#"{"a":1,"threshold_value":1e999,"b":2}"#, "/threshold_value"),
            (r#"{"a":[{"b/c":-1e400}]}"#, "/a/0/b~1c"),
        ] {
            let fault = parse(json.as_bytes()).unwrap_err();
            assert_eq!(fault.pointer.as_deref(), Some(at), "{json}");
            assert!(fault.detail.starts_with("a number out of range"), "{json}");
        }
        let fault = parse(br#"{"a":{"b":}}"#).unwrap_err();
        assert_eq!(fault.pointer.as_deref(), Some(""), "that is no JSON");
    }

    #[test]
    fn what_is_nested_too_deep_is_said_to_be() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(parse(nested(127).as_bytes()).is_ok());
        for deep in [nested(128), "[".repeat(5_000), "{\"a\":".repeat(5_000)] {
            let fault = parse(deep.as_bytes()).unwrap_err();
            assert_eq!(
                (fault.pointer.as_deref(), &*fault.detail),
                (Some(""), "nested too deep: at most 127 levels are read"),
                "{deep:.20}"
            );
        }
    }

    #[test]
    fn what_is_no_json_is_refused_whole() {
        let deep = format!("{}{}", "[".repeat(1_000), "]".repeat(1_000));
        for bad in ["", "{", "{}{}", "{'a':1}", "{\"a\":1,}", "NaN", "1e400", &deep] {
            assert!(parse(bad.as_bytes()).is_err(), "{bad:.20}");
        }
        assert!(parse(b"\"\xff\"").is_err());
    }
}
