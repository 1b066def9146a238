//! Any request gets a documented answer whose body fits its schema, and never a 5xx.

use pharos_http::{operation::Operation, spec::BASE_PATH};
use pharos_server::registry::registry;
use proptest::{
    prelude::*,
    test_runner::{Config, TestCaseError, TestRunner},
};
use serde_json::{Value, json};

use crate::harness::{Request, TestApp, World, filled};

/// The parts that a request is made of. Ids and keys are filled in when it is sent.
#[derive(Clone, Debug)]
struct Shape {
    method: &'static str,
    path: String,
    query: Vec<(String, String)>,
    credential: Credential,
    content_type: Option<&'static str>,
    header: Option<(&'static str, String)>,
    idempotency: Option<String>,
    body: String,
}

#[derive(Clone, Copy, Debug)]
enum Credential {
    None,
    Good,
    Foreign,
    Wrong,
    Twice,
}

/// `{own}` and `{foreign}` stand for ids that are only known when a world is.
fn id() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => Just("{own}".to_owned()),
        1 => Just("{foreign}".to_owned()),
        1 => Just("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11".to_owned()),
        1 => "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
        2 => encoded(),
    ]
}

/// Any text, percent-encoded, invalid UTF-8 included.
fn encoded() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>().prop_map(|text| form_urlencoded::byte_serialize(text.as_bytes()).collect()),
        prop::collection::vec(any::<u8>(), 0..8)
            .prop_map(|bytes| bytes.iter().map(|byte| format!("%{byte:02X}")).collect()),
        "[a-zA-Z0-9._~-]{0,40}",
    ]
}

/// Mostly a method that the path has.
fn method_and_path(
    operations: Vec<(&'static str, &'static str)>,
) -> impl Strategy<Value = (&'static str, String)> {
    let fill = |template: &str, id: &str| {
        filled(template, |parameter| match parameter {
            "workspace_id" => id.replace("{own}", "{own_workspace}"),
            _ => id.to_owned(),
        })
    };
    let known = (prop::sample::select(operations), id())
        .prop_map(move |((method, path), id)| (method, fill(path, &id)));
    let unknown = prop::collection::vec(encoded(), 0..5)
        .prop_map(|segments| ("GET", format!("/{}", segments.join("/"))));
    let asked = prop_oneof![14 => known, 1 => unknown];
    let others = vec!["GET", "PUT", "POST", "DELETE", "PATCH", "HEAD", "OPTIONS", "BREW"];
    let other = prop::option::weighted(0.1, prop::sample::select(others));
    (asked, other).prop_map(|((method, path), other)| (other.unwrap_or(method), path))
}

fn query() -> impl Strategy<Value = Vec<(String, String)>> {
    let names = [
        "limit",
        "cursor",
        "outcome",
        "region",
        "run_id",
        "workspace_id",
        "include_modules",
        "from",
        "period",
        "period_days",
        "start_date",
        "end_date",
        "compare_previous",
        "compare_mode",
    ];
    let name = prop_oneof![9 => prop::sample::select(names.to_vec()).prop_map(str::to_owned), 1 => encoded()];
    let good = [
        "1",
        "0",
        "-1",
        "true",
        "false",
        "up",
        "down",
        "local",
        "{own}",
        "{own_workspace}",
        "10000000000000000000000",
        "1e3",
        "2026-03-01",
        "0000-01-01",
        "9999-12-31",
        "2026-02-31",
        "last_month",
        "calendar_month",
        "",
    ];
    let value = prop_oneof![2 => prop::sample::select(good.to_vec()).prop_map(str::to_owned), 1 => encoded()];
    prop_oneof![2 => Just(Vec::new()), 3 => prop::collection::vec((name, value), 1..4)]
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (0_i64..100).prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        any::<String>().prop_map(Value::from),
        prop::sample::select(vec![
            "GET",
            "present",
            "https://shop.example/",
            "2xx",
            "200",
            "local",
            "UTC",
            "2026-04-05T02:00:00Z",
            "a\u{0}b",
        ])
        .prop_map(Value::from),
    ]
}

fn body(members: Vec<String>) -> impl Strategy<Value = String> {
    let value = leaf().prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map("[a-z_]{1,12}", inner, 0..4).prop_map(|map| json!(map)),
        ]
    });
    let name = prop_oneof![9 => prop::sample::select(members), 1 => any::<String>()];
    let object = prop::collection::hash_map(name, value, 0..5).prop_map(|map| json!(map).to_string());
    prop_oneof![8 => object, 1 => Just("{}".to_owned()), 1 => any::<String>()]
}

fn shape() -> impl Strategy<Value = Shape> {
    let registry = registry().unwrap();
    let operations = registry.operations();
    let asked: Vec<_> = operations
        .iter()
        .map(|operation: &Operation| (operation.spec.method.as_str(), operation.spec.path))
        .collect();
    // PUT has the most to get wrong.
    let put = asked.iter().copied().filter(|(method, _)| *method == "PUT");
    let asked = asked.iter().copied().chain(put.clone()).chain(put).collect();
    let members = operations.iter().filter_map(|operation| {
        let name = operation
            .shapes
            .body
            .as_ref()?
            .schema
            .ref_location
            .rsplit('/')
            .next()?
            .to_owned();
        let schema = serde_json::to_value(&operation.shapes.components[&name]).unwrap();
        Some(
            schema["properties"]
                .as_object()?
                .keys()
                .cloned()
                .collect::<Vec<_>>(),
        )
    });
    let members = members.flatten().collect();
    let credential = prop_oneof![
        16 => Just(Credential::Good),
        1 => prop::sample::select(vec![Credential::None, Credential::Foreign, Credential::Wrong, Credential::Twice]),
    ];
    let kind = prop_oneof![
        9 => Just(Some("application/json")),
        1 => prop::sample::select(vec![None, Some("text/plain"), Some("application/json; charset=utf-8")]),
    ];
    let names = vec![
        "accept",
        "accept-encoding",
        "origin",
        "x-forwarded-for",
        "if-none-match",
        "range",
    ];
    let header = prop::option::weighted(0.3, (prop::sample::select(names), "[ -~]{0,40}"));
    (
        method_and_path(asked),
        query(),
        credential,
        kind,
        header,
        prop::option::weighted(0.8, "[!-~]{1,3}"),
        body(members),
    )
        .prop_map(
            |((method, path), query, credential, content_type, header, idempotency, body)| Shape {
                method,
                path,
                query,
                credential,
                content_type,
                header,
                idempotency,
                body,
            },
        )
}

fn request(app: &TestApp, other: &World, shape: &Shape) -> Option<Request> {
    let fill = |text: &str| {
        text.replace("{own}", &app.world.domain.to_string())
            .replace("{own_workspace}", &app.world.workspace.to_string())
            .replace("{foreign}", &other.domain.to_string())
    };
    let query: Vec<String> = shape
        .query
        .iter()
        .map(|(name, value)| format!("{name}={}", fill(value)))
        .collect();
    let mark = if query.is_empty() { "" } else { "?" };
    let target = format!("{}{mark}{}", fill(&shape.path), query.join("&"));
    // A target that is no URI at all never leaves a client.
    format!("{BASE_PATH}{target}").parse::<http::Uri>().ok()?;
    let mut request = app.request(shape.method, &target);
    request = match shape.credential {
        Credential::None => request,
        Credential::Good => request.key(&app.world.key),
        Credential::Foreign => request.key(&other.key),
        Credential::Wrong => request.header("authorization", "Bearer svc_dev_nothing"),
        Credential::Twice => request.key(&app.world.key).key(&other.key),
    };
    if let Some((name, value)) = &shape.header {
        request = request.header(name, value.trim());
    }
    if shape.method == "POST"
        && let Some(key) = &shape.idempotency
    {
        request = request.header("idempotency-key", key);
    }
    Some(match shape.content_type {
        Some(kind) if matches!(shape.method, "PUT" | "POST") => request.body(kind, shape.body.clone()),
        _ => request,
    })
}

#[test]
fn any_request_gets_a_documented_answer() {
    let cases = std::env::var("PHAROS_TEST_PROPERTY_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(500);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (app, other) = runtime.block_on(async {
        let app = TestApp::start().await;
        let other = World::create(&app.stores, app.now()).await;
        (app, other)
    });
    let mut statuses = std::collections::BTreeMap::<u16, u32>::new();
    let seen = std::cell::RefCell::new(&mut statuses);
    let mut runner = TestRunner::new(Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    });
    let outcome = runner.run(&shape(), |shape| {
        let Some(request) = request(&app, &other, &shape) else {
            return Ok(());
        };
        // Five requests a second stay below every limit.
        app.clock.advance(time::Duration::milliseconds(200));
        // The contract is checked as it is sent: status, media type, schema, headers.
        let reply = runtime.block_on(request.send());
        *seen.borrow_mut().entry(reply.status).or_default() += 1;
        if reply.status >= 500 {
            return Err(TestCaseError::fail(format!("{} {:?}", reply.status, reply.body)));
        }
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
    println!("{cases} cases: {statuses:?}");
    for reached in [200, 204, 400, 401, 404, 405] {
        assert!(
            cases < 500 || statuses.contains_key(&reached),
            "the generator no longer reaches {reached}: {statuses:?}"
        );
    }
}
