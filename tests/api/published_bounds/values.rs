//! Values at, just inside and just beyond what a schema says.

use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::TestRunner,
};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{exceptions::beside, resolve, validator};

/// Texts that mean something where not any text does, of a length if that can be had.
fn text_of(member: &str, length: Option<usize>) -> Option<String> {
    let start = match member {
        "url" | "urls" => "https://shop.example/",
        "timezone" => return length.is_none().then(|| "Europe/Berlin".to_owned()),
        "regions" | "region" => return length.is_none().then(|| "local".to_owned()),
        "cursor" => return None,
        _ => "",
    };
    let length = length.unwrap_or(start.len() + 1);
    let rest = length.checked_sub(start.len())?;
    // Two bytes each: what is counted are characters. In a URL they would become longer, and a robots.txt is counted in bytes.
    let sign = if matches!(member, "url" | "urls" | "content") {
        "x"
    } else {
        "é"
    };
    Some(format!("{start}{}", sign.repeat(rest)))
}

/// Values around everything that a schema says.
pub(super) fn around(member: &str, schema: &Value) -> Vec<Value> {
    let schema = resolve(schema);
    let mut values = vec![
        json!(null),
        json!(true),
        json!(-7.25),
        json!([[]]),
        json!({ "colour": "red" }),
    ];
    for choice in schema["oneOf"].as_array().into_iter().flatten() {
        values.extend(around(member, choice));
    }
    for value in schema["enum"].as_array().into_iter().flatten() {
        values.push(value.clone());
        match value {
            Value::Number(number) => {
                let number = number.as_f64().unwrap();
                values.extend([
                    json!(number),
                    json!(number + 1.0),
                    json!(number - 1.0),
                    json!(number + 0.5),
                ]);
            }
            _ => values.extend([
                json!(value.as_str().unwrap().to_uppercase()),
                json!("no-such-value"),
            ]),
        }
    }
    let kinds = schema["type"]
        .as_array()
        .cloned()
        .unwrap_or_else(|| vec![schema["type"].clone()]);
    for kind in kinds {
        match kind.as_str() {
            Some("integer" | "number") if schema["enum"].is_null() => values.extend(numbers(schema)),
            Some("string") if schema["enum"].is_null() => values.extend(texts(member, schema)),
            Some("array") => values.extend(lists(member, schema)),
            Some("object") => values.extend(objects(member, schema)),
            _ => {}
        }
    }
    values
}

fn numbers(schema: &Value) -> Vec<Value> {
    let bounds = ["minimum", "maximum"].map(|bound| schema[bound].as_f64());
    let mut values = vec![json!("7"), json!(1e30), json!(-1e30)];
    for bound in bounds.into_iter().flatten() {
        for at in [-1.0, -0.5, 0.0, 0.5, 1.0] {
            let value = bound + at;
            // Written as a whole number where it is one, and with a fraction of nothing: 60.0.
            values.push(json!(value));
            if value.fract() == 0.0 {
                let whole: i64 = format!("{value}").parse().unwrap();
                values.push(json!(whole));
            }
        }
    }
    values
}

fn texts(member: &str, schema: &Value) -> Vec<Value> {
    let bound = |name: &str| schema[name].as_u64().map(|bound| usize::try_from(bound).unwrap());
    // Which pairs of letters are countries no pattern says.
    if schema["format"] == "country" {
        return ["DE", "us", "xK", "USA", "U1", "D", "D ", "é", ""]
            .map(Value::from)
            .into();
    }
    if let Some(pattern) = schema["pattern"].as_str() {
        let inner = pattern.trim_start_matches('^').trim_end_matches('$');
        let matching = proptest::string::string_regex(inner).unwrap();
        let mut runner = TestRunner::deterministic();
        let mut texts: Vec<String> = (0..8)
            .map(|_| matching.new_tree(&mut runner).unwrap().current())
            .collect();
        texts.extend(
            [
                "", "é", "a b", "a\tb", "a\u{7f}", "600", "2x", "2xx ", " 2xx", "2Xx",
            ]
            .map(str::to_owned),
        );
        texts.extend(
            bound("maxLength")
                .into_iter()
                .flat_map(|most| ["x".repeat(most), "x".repeat(most + 1)]),
        );
        return texts.into_iter().map(Value::from).collect();
    }
    match schema["format"].as_str() {
        Some("uuid") => vec![
            json!("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11"),
            json!("0190F3C2-7A4E-7C31-9D52-3F1F0B6A8E11"),
            json!("0190f3c27a4e7c319d523f1f0b6a8e11"),
            json!("{0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11}"),
            json!(""),
        ],
        Some("date") => ["2026-03-30", "2026-02-31", "2026-3-1", "2026-03-30T00:00:00Z", ""]
            .map(Value::from)
            .into(),
        Some("date-time") => [
            "2026-04-05T02:10:00Z",
            "2026-04-05T02:10:00.5Z",
            "2026-04-05",
            "2026-04-05 02:10",
            "",
        ]
        .map(Value::from)
        .into(),
        _ => {
            let (least, most) = (bound("minLength"), bound("maxLength"));
            let lengths = [
                None,
                least,
                least.and_then(|least| least.checked_sub(1)),
                most,
                most.map(|most| most + 1),
            ];
            let texts = lengths
                .into_iter()
                .enumerate()
                .filter(|(at, length)| *at == 0 || length.is_some())
                .filter_map(|(_, length)| text_of(member, length));
            texts.map(Value::from).collect()
        }
    }
}

fn lists(member: &str, schema: &Value) -> Vec<Value> {
    let fits = validator(&schema["items"]);
    let items = around(member, &schema["items"]);
    let good: Vec<&Value> = items.iter().filter(|item| fits.is_valid(item)).collect();
    let mut values: Vec<Value> = items.iter().map(|item| json!([item])).collect();
    values.push(json!([]));
    let Some(&first) = good.first() else {
        // No value that is tried fits an item: lists are tried with what does not.
        return values;
    };
    values.push(json!([first, first]));
    for bound in ["minItems", "maxItems"] {
        let Some(bound) = schema[bound].as_u64() else {
            continue;
        };
        let bound = usize::try_from(bound).unwrap();
        for count in [bound.saturating_sub(1), bound, bound + 1] {
            values.push(json!(vec![first; count]));
        }
    }
    values
}

pub(super) fn objects(member: &str, schema: &Value) -> Vec<Value> {
    let base = base_of(member);
    let mut values = vec![base.clone()];
    let with = |name: &str, value: Value| {
        let mut object = base.clone();
        object[name] = value;
        object
    };
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        // Whether a window of that id exists no schema can say.
        let may_exist =
            |value: &Value| name != "id" || value.as_str().is_none_or(|id| id.parse::<Uuid>().is_err());
        values.extend(around(name, property).into_iter().filter(may_exist).map(|value| {
            let needed = beside(name, &value);
            let mut object = with(name, value);
            for (other, needed) in needed {
                object[other] = needed;
            }
            object
        }));
    }
    for name in schema["required"].as_array().into_iter().flatten() {
        let mut object = base.clone();
        object.as_object_mut().unwrap().remove(name.as_str().unwrap());
        values.push(object);
    }
    if schema["additionalProperties"].is_object() {
        let named = |names: Vec<String>| -> Value {
            names
                .into_iter()
                .map(|name| (name, json!("a")))
                .collect::<Map<_, _>>()
                .into()
        };
        let most = usize::try_from(schema["maxProperties"].as_u64().unwrap()).unwrap();
        values.extend([most, most + 1].map(|count| named((0..count).map(|at| format!("X-{at}")).collect())));
        for name in texts("", &schema["propertyNames"]) {
            values.push(named(vec![name.as_str().unwrap().to_owned()]));
        }
        values.extend(
            around("", &schema["additionalProperties"])
                .into_iter()
                .map(|value| json!({ "X-A": value })),
        );
    }
    values
}

/// An object that is in order, to be changed in one member.
fn base_of(member: &str) -> Value {
    match member {
        "maintenance_windows" => json!({
            "name": "deploys", "starts_at": "2026-04-05T02:00:00Z", "ends_at": "2026-04-05T02:30:00Z",
        }),
        "schedule" => json!({ "frequency": "weekly", "weekday": 1, "hour": 8, "timezone": "Europe/Berlin" }),
        "url_groups" => json!({ "pattern": "/p/*", "label": "/p/:product" }),
        "items" => json!({ "url": "https://shop.example/", "user_agent": "*", "expectation": "allowed" }),
        _ => json!({}),
    }
}
