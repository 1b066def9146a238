//! The document refuses what the service refuses: at, just inside and just beyond every bound, enum, pattern and length
//! of every parameter and body member, a request is 400 exactly where its schema says so.
//!
//! No schema can say these, so they are tested where they belong: that a cursor is one of the list, that a day lies
//! before another or not ahead, that a URL is on the domain and leads outside, that a region, a country or a time zone exists,
//! that a window's id is one that Pharos gave, that a header is not one of the check's own, that a keyword goes with GET
//! and with its mode, that weekdays go with a weekly window, that a robots.txt is counted in bytes, that a simulation has
//! URLs, that a report's sections are those of the catalogue, how long a window may last, that a member stands once,
//! that a text holds no U+0000.

mod exceptions;
mod values;

use jsonschema::Validator;
use pharos_http::{
    operation::Operation,
    spec::{Idempotency, Verb},
};
use pharos_server::registry::registry;
use serde_json::{Value, json};

use self::{
    exceptions::{DESIGN, along, breaks_a_rule_of_its_own, has_networks, is_no_report, is_of_another_metric},
    values::{around, objects},
};
use crate::{
    fixtures,
    harness::{Contract, Request, TestApp},
};

fn validator(schema: &Value) -> Validator {
    let mut schema = schema.clone();
    schema["components"] = Contract::get().document["components"].clone();
    let options = jsonschema::draft202012::options().should_validate_formats(true);
    options.build(&schema).unwrap()
}

fn resolve(schema: &Value) -> &Value {
    match schema["$ref"].as_str() {
        Some(reference) => {
            let found = Contract::get()
                .document
                .pointer(reference.trim_start_matches('#'));
            resolve(found.unwrap())
        }
        None => schema,
    }
}

fn ask(app: &TestApp, operation: &Operation, query: &str) -> Request {
    // Below every limit.
    app.clock.advance(time::Duration::seconds(4));
    let target = format!("{}{query}", app.world.path(operation.spec.path));
    let request = app
        .request(operation.spec.method.as_str(), &target)
        .key(&app.world.key);
    if operation.spec.idempotency == Idempotency::Required {
        return request.header("idempotency-key", uuid::Uuid::now_v7().to_string());
    }
    request
}

fn described<'d>(operation: &Operation) -> &'d Value {
    let path = format!("{}{}", pharos_http::spec::BASE_PATH, operation.spec.path);
    &Contract::get().document["paths"][path][operation.spec.method.as_str().to_ascii_lowercase()]
}

#[tokio::test]
async fn bodies_are_refused_exactly_where_their_schemas_say_so() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let mut asked = 0;
    for operation in registry().unwrap().operations() {
        let Some(content) = described(operation)["requestBody"]["content"].as_object() else {
            continue;
        };
        let schema = &content["application/json"]["schema"];
        let fits = validator(schema);
        for body in objects("", resolve(schema)) {
            if operation.spec.id == "updateExperiment"
                && DESIGN.iter().any(|member| body.get(member).is_some())
            {
                continue;
            }
            let request = ask(&app, operation, "");
            let reply = request.json(&body).send().await;
            let told = String::from_utf8_lossy(&reply.body).into_owned();
            assert_eq!(
                reply.status == 400,
                !fits.is_valid(&body)
                    || is_of_another_metric(operation, &body)
                    || breaks_a_rule_of_its_own(operation, &body)
                    || has_networks(&body)
                    || is_no_report(&body),
                "{}: {body:.300}: {told:.600}",
                operation.spec.id
            );
            assert!(reply.status < 500, "{body:.300}");
            asked += 1;
        }
    }
    assert!(asked > 200, "{asked}");
}

/// A list of texts as a query has it: the parameter once for each.
fn repeated(name: &str, list: &Value) -> Option<String> {
    let texts: Option<Vec<&str>> = list.as_array()?.iter().map(Value::as_str).collect();
    let pairs = texts?.into_iter().map(|text| (name, text));
    let encoded = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(pairs)
        .finish();
    Some(format!("?{encoded}"))
}

#[tokio::test]
async fn parameters_are_refused_exactly_where_their_schemas_say_so() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let mut asked = 0;
    for operation in registry().unwrap().operations() {
        if operation.spec.method != Verb::Get {
            continue;
        }
        for parameter in described(operation)["parameters"]
            .as_array()
            .into_iter()
            .flatten()
        {
            if parameter["in"] != "query" {
                continue;
            }
            let (name, schema) = (parameter["name"].as_str().unwrap(), &parameter["schema"]);
            let fits = validator(schema);
            let kind = resolve(schema)["type"].as_str().unwrap();
            for value in around(name, schema) {
                if kind == "array" {
                    let Some(query) = repeated(name, &value) else {
                        continue;
                    };
                    let reply = ask(&app, operation, &query).send().await;
                    assert_eq!(
                        reply.status == 400,
                        !fits.is_valid(&value),
                        "{query:.300}: {:?}",
                        reply.body
                    );
                    asked += 1;
                    continue;
                }
                // A query holds text. A number is written with digits alone.
                let (text, meant) = match (kind, value) {
                    ("string", Value::String(text)) => (text.clone(), json!(text)),
                    ("integer", Value::Number(number)) if number.is_i64() => {
                        (number.to_string(), json!(number))
                    }
                    ("boolean", Value::Bool(flag)) => (flag.to_string(), json!(flag)),
                    (_, Value::String(text)) => (text.clone(), json!(text)),
                    ("boolean", Value::Number(number)) => (number.to_string(), json!(number.to_string())),
                    _ => continue,
                };
                // Profiles of the lab are those of its list.
                if name == "profile_id" {
                    continue;
                }
                // Digits are a number, wherever they come from.
                if kind == "integer" && text.bytes().all(|byte| byte.is_ascii_digit()) && meant.is_string() {
                    continue;
                }
                let text: String = form_urlencoded::byte_serialize(text.as_bytes()).collect();
                let query = format!("?{name}={text}{}", along(operation.spec.id, name, &text));
                let reply = ask(&app, operation, &query).send().await;
                assert_eq!(
                    reply.status == 400,
                    !fits.is_valid(&meant),
                    "{} {name}={text:.300}: {:?}",
                    operation.spec.id,
                    reply.body
                );
                asked += 1;
            }
        }
    }
    assert!(asked > 60, "{asked}");
}

#[tokio::test]
async fn an_idempotency_key_is_refused_exactly_where_its_schema_says_so() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    for operation in registry().unwrap().operations() {
        if operation.spec.idempotency != Idempotency::Required {
            continue;
        }
        let parameters = described(operation)["parameters"].as_array().unwrap();
        let header = parameters
            .iter()
            .find(|parameter| parameter["in"] == "header")
            .unwrap();
        let fits = validator(&header["schema"]);
        // Below the limit of runs.
        app.clock.advance(time::Duration::HOUR);
        for key in ["k", "a b", "", "a\tb", "é", &"k".repeat(255), &"k".repeat(256)] {
            let target = app.world.path(operation.spec.path);
            let request = app
                .request(operation.spec.method.as_str(), &target)
                .key(&app.world.key)
                .header("idempotency-key", key);
            let request = match &operation.shapes.body {
                Some(body) => request.json(&body.example),
                None => request,
            };
            let reply = request.send().await;
            assert_eq!(reply.status == 400, !fits.is_valid(&json!(key)), "{key:?}");
        }
    }
}

/// Callers are not shown a regular expression: each has its words beside it.
#[test]
fn every_pattern_of_a_request_is_told_in_words() {
    fn look(schema: &Value, place: &str, found: &mut Vec<String>) {
        match schema {
            Value::Object(members) => {
                if members.get("pattern").is_some_and(Value::is_string)
                    && members.get("type") == Some(&json!("string"))
                {
                    let words = members.get("description").and_then(Value::as_str);
                    found.extend(words.is_none().then(|| place.to_owned()));
                }
                for (name, member) in members {
                    look(member, &format!("{place}/{name}"), found);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| look(item, place, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    look(&Contract::get().document["components"]["schemas"], "", &mut found);
    assert!(found.is_empty(), "without words: {found:?}");
}
