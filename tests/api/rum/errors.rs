//! GET /domains/{domain_id}/rum/errors and /errors/{error_id}

use pharos_domain::collect::{
    client::Device,
    view::{ErrorSource, ScriptError, View},
};
use serde_json::{Value, json};
use time::Duration;

use super::{bare_error, path, read, store, view};
use crate::harness::TestApp;

const STACK: &str = "TypeError: no price for ada@shop.example\n    at total (https://shop.example/cart.js:14:27)\n    \
                     at r (https://cdn.other.example/vue.js:6:1204)";

pub(super) fn error(message: &str) -> ScriptError {
    ScriptError {
        name: Some("TypeError".to_owned()),
        filename: Some("https://shop.example/cart.js".to_owned()),
        line: Some(14),
        column: Some(27),
        stack: Some(STACK.to_owned()),
        causes: vec!["no stock for ada@shop.example".to_owned()],
        ..bare_error(message)
    }
}

fn handled() -> ScriptError {
    ScriptError {
        message: "payment refused".to_owned(),
        source: ErrorSource::Custom,
        is_handled: true,
        stack: None,
        causes: Vec::new(),
        ..error("")
    }
}

fn with(app: &TestApp, load: i64, days: i64, errors: Vec<ScriptError>) -> View {
    let mut view = view(load, app.now() - Duration::days(days));
    view.errors = errors;
    view
}

/// Today a view with an error twice, which differs by a number, and a handled one; the day before a view with the first; of
/// long ago one too; and views without.
async fn some_views(app: &TestApp) {
    let views = [
        with(
            app,
            1,
            0,
            vec![error("no price for 17"), error("no price for 42"), handled()],
        ),
        with(app, 2, 1, vec![error("no price for 3")]),
        with(app, 3, 40, vec![error("no price for 5")]),
        with(app, 4, 0, Vec::new()),
        with(app, 5, 0, Vec::new()),
    ];
    store(app, views.map(|view| (Device::Desktop, view))).await;
}

#[tokio::test]
async fn errors_that_differ_by_numbers_are_one_group_with_figures_worked_out_by_hand() {
    let app = TestApp::start().await;
    some_views(&app).await;
    let found = read(&app, "errors?start_date=2026-03-30&end_date=2026-03-31").await;
    assert_eq!(
        found["totals"],
        json!({ "occurrences": 4, "affected_views": 2, "error_rate_pct": 50.0, "groups": 2 })
    );
    assert_eq!((&found["total"], &found["truncated"]), (&json!(2), &json!(false)));
    let items = found["items"].as_array().unwrap();
    for (name, wanted) in [
        ("type", json!("TypeError")),
        ("source", json!("source")),
        ("handling", json!("unhandled")),
        ("filename", json!("https://shop.example/cart.js")),
        ("line", json!(14)),
        ("column", json!(27)),
        ("occurrences", json!(3)),
        ("affected_views", json!(2)),
        ("affected_views_pct", json!(50.0)),
        ("is_new", json!(false)),
        ("is_third_party", json!(false)),
        ("script_error_opaque", json!(false)),
        ("top_url", json!("https://shop.example/")),
        ("top_browser", json!("Chrome")),
        ("trend", json!([1, 2])),
    ] {
        assert_eq!(items[0][name], wanted, "{name}");
    }
    assert_eq!(
        items[0]["first_seen_at"], "2026-02-19T09:15:00Z",
        "of its lifetime"
    );
    assert_eq!(
        (&items[1]["is_new"], &items[1]["trend"]),
        (&json!(true), &json!([0, 1]))
    );
}

#[tokio::test]
async fn groups_are_filtered_and_ordered() {
    let app = TestApp::start().await;
    some_views(&app).await;
    for (query, messages) in [
        ("handling=handled", vec!["payment refused"]),
        ("source=custom", vec!["payment refused"]),
        ("source=network", vec![]),
        ("url=https://shop.example/nowhere", vec![]),
        ("country=FR", vec![]),
    ] {
        let found = read(&app, &format!("errors?{query}")).await;
        let items = found["items"].as_array().unwrap();
        let told: Vec<_> = items
            .iter()
            .map(|item| item["message"].as_str().unwrap())
            .collect();
        assert_eq!(told, messages, "{query}");
        assert_eq!(found["totals"]["groups"], messages.len(), "{query}");
    }
    let ordered = read(&app, "errors?sort=affected_views").await;
    assert_eq!(ordered["items"][0]["affected_views"], 2);
    for wrong in ["sort=message", "handling=maybe", "source=nobody"] {
        let refused = app
            .get(&path(&app, &format!("errors?{wrong}")), &app.world.key)
            .send()
            .await;
        assert_eq!(refused.faults(), [wrong.split('=').next().unwrap()]);
    }
}

#[tokio::test]
async fn a_group_is_shown_with_its_frames_and_nothing_that_names_a_person() {
    let app = TestApp::start().await;
    some_views(&app).await;
    let listed = read(&app, "errors").await;
    let id = listed["items"][0]["error_id"].as_str().unwrap();
    let found = read(&app, &format!("errors/{id}")).await;
    assert!(!found.to_string().contains("ada@"), "{found}");
    assert_eq!(
        found["frames"],
        json!([
            {
                "function": "total", "filename": "https://shop.example/cart.js", "line": 14, "column": 27,
                "in_app": true,
            },
            {
                "function": "r", "filename": "https://cdn.other.example/vue.js", "line": 6, "column": 1204,
                "in_app": false,
            },
        ])
    );
    let all = |key: Value| json!([{ "key": key, "occurrences": 3, "affected_views": 2, "share_pct": 100.0 }]);
    assert_eq!(found["by_browser"], all(json!("Chrome")));
    assert_eq!(found["by_os"], all(Value::Null));
    assert_eq!(found["by_url"], all(json!("https://shop.example/")));
    assert_eq!(found["by_country"], all(json!("DE")));
    assert_eq!(found["causes"], json!(["no stock for [redacted]"]));
    let timeline = found["timeline"].as_array().unwrap();
    assert_eq!(timeline.len(), 30);
    assert_eq!(
        timeline[29],
        json!({ "date": "2026-03-31", "occurrences": 2, "affected_views": 1 })
    );
    assert_eq!(
        (&found["occurrences"], &found["affected_views_pct"]),
        (&json!(3), &json!(50.0))
    );
    assert_eq!(found["first_seen_at"], "2026-02-19T09:15:00Z");

    let nobody = path(&app, "errors/019aa5e2-7b6c-7d10-8e9f-0123456789ab");
    let refused = app.get(&nobody, &app.world.key).send().await;
    refused.problem(404, "rum-error-not-found");
}

#[tokio::test]
async fn errors_of_others_and_those_that_say_nothing_are_marked() {
    let app = TestApp::start().await;
    let theirs = ScriptError {
        filename: Some("https://cdn.other.example/vue.js".to_owned()),
        ..bare_error("x is undefined")
    };
    let view = with(&app, 1, 0, vec![theirs, bare_error("Script error.")]);
    store(&app, [(Device::Desktop, view)]).await;
    let listed = read(&app, "errors").await;
    let mut marks = Vec::new();
    for item in listed["items"].as_array().unwrap() {
        let id = item["error_id"].as_str().unwrap();
        let shown = read(&app, &format!("errors/{id}")).await;
        for found in [item, &shown] {
            marks.push(json!([
                found["message"],
                found["is_third_party"],
                found["script_error_opaque"]
            ]));
        }
    }
    marks.sort_by_key(ToString::to_string);
    let nameless = json!(["Script error.", false, true]);
    let theirs = json!(["x is undefined", true, false]);
    assert_eq!(marks, [nameless.clone(), nameless, theirs.clone(), theirs]);
}

/// Nodes are upgraded one by one: one of the next version may know a source that this one has no name for.
#[tokio::test]
async fn a_group_of_a_source_of_a_later_version_is_left_out() {
    let app = TestApp::start().await;
    some_views(&app).await;
    app.sql("UPDATE rum_error_groups SET source = 99 WHERE message = 'payment refused'")
        .await;
    let found = read(&app, "errors?start_date=2026-03-30&end_date=2026-03-31").await;
    assert_eq!(found["totals"]["groups"], 2);
    let items = found["items"].as_array().unwrap();
    assert_eq!((items.len(), &items[0]["source"]), (1, &json!("source")));
}

#[tokio::test]
async fn every_source_is_a_group_of_its_own_and_can_be_asked_for() {
    let app = TestApp::start().await;
    let told = |source| ScriptError {
        source,
        ..error("no price")
    };
    let sources = [
        ErrorSource::Source,
        ErrorSource::Network,
        ErrorSource::Console,
        ErrorSource::Report,
        ErrorSource::Custom,
    ];
    let view = with(&app, 1, 0, sources.map(told).to_vec());
    store(&app, [(Device::Desktop, view)]).await;
    for source in sources {
        let found = read(&app, &format!("errors?source={}", source.as_str())).await;
        let items = found["items"].as_array().unwrap();
        assert_eq!((items.len(), &items[0]["source"]), (1, &json!(source.as_str())));
    }
}
