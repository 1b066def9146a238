//! Slow pages in a real Chromium, each by one cause, and what the API says that it is.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::node;
use crate::harness::{Node, Request, TestApp};

/// The site of the world.
const HOST: &str = "shop.example";
/// The page, the metric, and the cause that it was built with.
const CAUSES: [(&str, &str, &str); 10] = [
    ("late-image", "lcp", "late_discovery"),
    ("slow-image", "lcp", "slow_resource"),
    ("render-blocking", "lcp", "render_delay"),
    ("slow-server", "lcp", "slow_ttfb"),
    ("arrived", "lcp", "slow_ttfb"),
    ("late-banner", "cls", "late_content_shift"),
    ("late-font", "cls", "late_content_shift"),
    ("long-click", "inp", "long_processing"),
    ("busy-click", "inp", "long_input_delay"),
    ("long-frame", "inp", "long_presentation"),
];
/// The page, the read of its metric, and the part that took longest.
const PARTS: [(&str, &str, &str); 8] = [
    ("late-image", "lcp", "resource_load_delay"),
    ("slow-image", "lcp", "resource_load_duration"),
    ("render-blocking", "lcp", "element_render_delay"),
    ("slow-server", "lcp", "ttfb"),
    ("arrived", "lcp", "ttfb"),
    ("long-click", "inp", "processing_duration"),
    ("busy-click", "inp", "input_delay"),
    ("long-frame", "inp", "presentation_delay"),
];
/// How long each cause but the work of clicks takes, in milliseconds, less what timers are exact to.
const SLOW: f64 = 4_990.0;
/// The same of the work of clicks.
const WORK: f64 = 1_990.0;

/// The suspected causes of the impact list, by page and metric.
fn causes(impact: &Value) -> BTreeMap<(String, String), Value> {
    let rows = impact["items"].as_array().unwrap().iter();
    rows.map(|row| {
        let text = |name: &str| row[name].as_str().unwrap().to_owned();
        ((text("url"), text("metric")), row["suspected_cause"].clone())
    })
    .collect()
}

fn at_least(least: f64, figure: &Value, within: &Value) {
    assert!(figure.as_f64() >= Some(least), "{figure} in {within}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_api_names_the_cause_of_each_slow_page() {
    let app = TestApp::start().await;
    let pharos = Node::start(
        &["--roles", "api,ingest"],
        &[("PHAROS_DATABASE_URL", app.database.url())],
    );
    let path = |rest: &str| format!("/domains/{}/rum/{rest}", app.world.domain);
    let ask =
        |method: &str, rest: &str| Request::new(pharos.address, method, &path(rest)).key(&app.world.key);
    let settings = ask("PUT", "config")
        .json(&json!({ "enabled": true }))
        .send()
        .await;
    let key = settings.ok()["site_key"].as_str().unwrap().to_owned();
    let script = format!("http://{}/js/{key}.js", pharos.address);
    node(
        &["tracker/causes.mjs"],
        &[("SCRIPT", script.as_str()), ("HOST", HOST)],
    )
    .await;

    // A browser's beacon is stored before its answer says that it was taken in, and the script ends after that.
    let found = causes(&ask("GET", "impact").send().await.ok());
    for (page, metric, cause) in CAUSES {
        let row = (format!("http://{HOST}/{page}"), metric.to_owned());
        assert_eq!(found.get(&row), Some(&json!(cause)), "{row:?} in {found:?}");
    }
    let read = async |operation: &str, page: &str| {
        let rest = format!("{operation}?url=http://{HOST}/{page}");
        ask("GET", &rest).send().await.ok()
    };
    for (page, metric, part) in PARTS {
        let report = read(metric, page).await;
        at_least(50.0, &report[format!("{part}_share_pct")], &report);
    }

    let ttfb = read("ttfb", "arrived").await;
    assert_eq!(ttfb["redirected_pct"], 100.0, "{ttfb}");
    at_least(SLOW, &ttfb["waiting_ms"], &ttfb);
    let ttfb = read("ttfb", "slow-server").await;
    assert_eq!(ttfb["redirected_pct"], 0.0, "{ttfb}");
    at_least(SLOW, &ttfb["request_ms"], &ttfb);

    for (page, resource) in [("late-image", "hero.png"), ("slow-image", "slow.png")] {
        let elements = read("lcp/elements", page).await;
        let row = &elements["items"][0];
        assert_eq!(
            (&row["element"], &row["resource_url"]),
            (&json!("#hero"), &json!(format!("http://{HOST}/{resource}"))),
            "{elements}"
        );
    }
    for page in ["late-banner", "late-font"] {
        let shifted = read("cls/elements", page).await;
        assert_eq!(shifted["items"][0]["element"], "#content", "{shifted}");
    }

    for (page, phase) in [
        ("long-click", "processing_duration"),
        ("busy-click", "input_delay"),
        ("long-frame", "presentation_delay"),
    ] {
        let clicked = read("inp/elements", page).await;
        let row = &clicked["items"][0];
        assert_eq!(
            (&row["element"], &row["element_id"], &row["interaction_type"]),
            (&json!("#buy"), &json!("buy"), &json!("pointer")),
            "{clicked}"
        );
        at_least(WORK, &row[format!("{phase}_ms")], &clicked);
        let scripts = read("inp/scripts", page).await;
        assert_eq!(scripts["items"][0]["subpart"], phase, "{scripts}");
    }

    let failed = read("requests", "failing-fetch").await;
    let row = &failed["items"][0];
    assert_eq!(
        (&row["path_template"], &row["status_4xx"]),
        (&json!("/api/carts/:id"), &json!(1)),
        "{failed}"
    );
    assert_eq!(row["failure_rate_pct"], 100.0);
    assert_eq!(row["method"], Value::Null, "browsers tell none");
}
