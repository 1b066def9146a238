//! The document refuses what the service refuses: at, just inside and just beyond every bound, enum, pattern and length
//! of every parameter and body member, a request is 400 exactly where its schema says so.
//!
//! No schema can say these, so they are tested where they belong: that a cursor is one of the list, that a day lies
//! before another or not ahead, that a URL is on the domain and leads outside, that a region or a time zone exists,
//! that a window's id is one that Pharos gave, that a header is not one of the check's own, that a keyword goes with GET and with its mode, that weekdays go with a
//! weekly window, that a robots.txt is counted in bytes, that a simulation has URLs, that a report's sections are those of the catalogue, how long a window may last; that a member stands once; that a text holds no U+0000.

use jsonschema::Validator;
use pharos_http::{
    operation::Operation,
    spec::{Idempotency, Verb},
};
use pharos_server::registry::registry;
use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::TestRunner,
};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::{
    fixtures,
    harness::{Contract, Request, TestApp},
};

/// The members of an experiment's design go together, and change in drafts alone.
const DESIGN: [&str; 8] = [
    "method",
    "primary_metric",
    "control_urls",
    "variant_urls",
    "pre_start_date",
    "pre_end_date",
    "post_start_date",
    "post_end_date",
];

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
fn around(member: &str, schema: &Value) -> Vec<Value> {
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

fn objects(member: &str, schema: &Value) -> Vec<Value> {
    let base = base_of(member);
    let mut values = vec![base.clone()];
    let with = |name: &str, value: Value| {
        let mut object = base.clone();
        object[name] = value;
        object
    };
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        // Both texts of a group are paths, which its schema does not say.
        if name == "url_groups" {
            continue;
        }
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
        "items" => json!({ "url": "https://shop.example/", "user_agent": "*", "expectation": "allowed" }),
        _ => json!({}),
    }
}

/// The members without which this one is refused, whatever its schema says.
fn beside(member: &str, value: &Value) -> Vec<(&'static str, Value)> {
    match member {
        "keyword_mode" if value.is_null() => vec![("keyword", json!(null))],
        "keyword_mode" => vec![("keyword", json!("in stock")), ("method", json!("GET"))],
        "keyword" => vec![("method", json!("GET"))],
        "method" => vec![("keyword", json!(null))],
        "content" => vec![("urls", json!(["https://shop.example/"]))],
        "weekdays" => vec![("recurrence", json!("weekly"))],
        "operator" if looks_at_the_past(value) => {
            vec![
                ("threshold_value", json!(20)),
                ("comparison_window", json!("previous_day")),
            ]
        }
        "operator" => vec![("threshold_value", json!(5))],
        "threshold_value" => vec![("operator", json!("gt"))],
        "comparison_window" if value.is_null() => {
            vec![("operator", json!("gt")), ("threshold_value", json!(5))]
        }
        "comparison_window" => vec![
            ("operator", json!("pct_increase")),
            ("threshold_value", json!(20)),
        ],
        _ => Vec::new(),
    }
}

fn looks_at_the_past(operator: &Value) -> bool {
    matches!(
        operator.as_str(),
        Some("pct_decrease" | "pct_increase" | "anomaly")
    )
}

/// Whether a change of a rule is refused for its metric, which no schema knows: `response_ms` is of the whole site, is never
/// compared for equality, and has no usual threshold.
fn is_of_another_metric(operation: &Operation, body: &Value) -> bool {
    let narrows = ["url", "form_factor", "search_type"];
    operation.spec.id == "updateAlertRule"
        && (narrows
            .iter()
            .any(|member| body.get(member).is_some_and(|value| !value.is_null()))
            || body["operator"] == "eq"
            || body.get("threshold_value").is_some_and(Value::is_null))
}

/// Whether a body names no page of the domain: no pattern tells one from another's, nor that it is either a page or an origin.
fn is_no_page(operation: &Operation, body: &Value) -> bool {
    let of_domain = |member: &str| {
        body[member]
            .as_str()
            .map(|url| url.starts_with("https://shop.example/"))
    };
    // A header holds ASCII.
    let is_no_header = |member: &str| body[member].as_str().is_some_and(|text| !text.is_ascii());
    match operation.spec.id {
        "createSyntheticUrl" => of_domain("url") != Some(true) || is_no_header("cookie"),
        "updateSyntheticUrl" => is_no_header("cookie"),
        "createCruxUrl" | "createSitemapFile" => of_domain("url") != Some(true),
        // A name of blanks is none.
        "createInspectorRun" => body["label"]
            .as_str()
            .is_some_and(|label| label.trim().is_empty()),
        // Each section once.
        "queryReportData" => body["sections"].as_array().is_some_and(|sections| {
            sections
                .iter()
                .enumerate()
                .any(|(at, section)| sections[..at].contains(section))
        }),
        "runCruxLookup" => of_domain("url") != Some(true) || !body["origin"].is_null(),
        _ => false,
    }
}

/// Whether a body names networks to leave out. No pattern tells an address from what is none, and no text that the bounds are
/// tried with is one.
fn has_networks(body: &Value) -> bool {
    body["excluded_ips"]
        .as_array()
        .is_some_and(|networks| !networks.is_empty())
}

/// Whether a body asks for a report that nobody can make: sections and widgets are those of the catalogue, a logo is a URL and a
/// colour has digits, and a schedule has the day that its frequency asks for, and no other.
fn is_no_report(body: &Value) -> bool {
    let is_text = |value: &Value| value.is_string();
    let (config, branding, schedule) = (&body["sections_config"], &body["branding"], &body["schedule"]);
    let days = |member: &str| schedule[member].is_number();
    let has_days = match schedule["frequency"].as_str() {
        Some("weekly") => days("weekday") && !days("day_of_month"),
        Some("monthly") => days("day_of_month") && !days("weekday"),
        _ => true,
    };
    config["sections"]
        .as_array()
        .is_some_and(|sections| !sections.is_empty())
        || is_text(&branding["logo_url"])
        || is_text(&branding["accent_color"])
        || !has_days
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
                    || is_no_page(operation, &body)
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

/// The parameters that a parameter of an operation goes with.
fn along(operation: &str, name: &str, value: &str) -> &'static str {
    match (operation, name) {
        ("listAnalyticsEventProperties", "event_name")
        | ("getRumDistribution", "metric")
        | ("getGscQuery", "query")
        | ("getGscPage", "url") => "",
        ("listAnalyticsEventProperties", _) => "&event_name=signup",
        ("getRumDistribution", _) => "&metric=lcp",
        ("getRumPage", "url") => "",
        ("getRumPage", _) => "&url=https://shop.example/",
        ("getAnalyticsFunnel", "step") => "",
        ("getAnalyticsFunnel", _) => "&step=page:/&step=event:signup",
        ("getGscQuery", _) => "&query=hats",
        ("getGscPage", _) => "&url=https://shop.example/hats",
        ("getCruxRecord", "scope") if value == "url" => "&url=https://shop.example/shoes",
        ("getCruxRecord", "url") => "&scope=url",
        ("getSyntheticTimeseries", _) => "",
        // A window of many days has too many hours.
        (operation, "granularity") if !operation.starts_with("getUptime") => "&start_date=2026-03-30",
        _ => "",
    }
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
            // A list with commas between its items has no schema of its own.
            if parameter["in"] != "query" || parameter["name"] == "metrics" {
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
