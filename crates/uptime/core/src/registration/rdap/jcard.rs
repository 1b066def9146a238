//! Contact data as RDAP has it: jCard (RFC 7095).

use serde_json::Value;

/// The text of the first property of this name; `None` where there is none, or it is empty.
pub(super) fn text(card: &Value, name: &str) -> Option<String> {
    // ["vcard", [[name, parameters, type, value, …], …]]
    let properties = card.get(1)?.as_array()?;
    properties
        .iter()
        .filter(|property| {
            let named = property.get(0).and_then(Value::as_str);
            named.is_some_and(|named| named.eq_ignore_ascii_case(name))
        })
        .filter_map(|property| property.get(3)?.as_str())
        .map(str::trim)
        .find(|value| !value.is_empty())
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_property_is_found_by_its_name() {
        let card = json!([
            "vcard",
            [
                ["version", {}, "text", "4.0"],
                ["fn", {}, "text", " "],
                ["FN", {}, "text", "Example Registrar"],
                ["adr", {}, "text", ["", "", "123 Maple Ave"]],
            ]
        ]);
        assert_eq!(text(&card, "fn").as_deref(), Some("Example Registrar"));
        for absent in ["email", "adr"] {
            assert_eq!(text(&card, absent), None, "{absent}");
        }
        for other in [
            json!(null),
            json!([]),
            json!(["vcard"]),
            json!(["vcard", {"fn": 1}]),
        ] {
            assert_eq!(text(&other, "fn"), None, "{other}");
        }
    }
}
