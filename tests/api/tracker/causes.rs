//! Slow pages in a real Chromium, each by one cause, and what the API says that it is.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::node;
use crate::harness::{Node, Request, TestApp};

/// The site of the world.
const HOST: &str = "shop.example";
/// The page and metric, and the cause that it was built with.
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

/// The suspected causes of the impact list, by page and metric.
fn causes(impact: &Value) -> BTreeMap<(String, String), Value> {
    let rows = impact["items"].as_array().unwrap().iter();
    rows.map(|row| {
        let text = |name: &str| row[name].as_str().unwrap().to_owned();
        ((text("url"), text("metric")), row["suspected_cause"].clone())
    })
    .collect()
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

    let wanted: BTreeMap<(String, String), Value> = CAUSES
        .into_iter()
        .map(|(page, metric, cause)| {
            let url = format!("http://{HOST}/{page}");
            ((url, metric.to_owned()), json!(cause))
        })
        .collect();
    // What a browser was told is taken in is stored, and the script ends after that.
    let found = causes(&ask("GET", "impact").send().await.ok());
    for (page, cause) in &wanted {
        assert_eq!(found.get(page), Some(cause), "{page:?} in {found:?}");
    }

    let of_redirects = format!("ttfb?url=http://{HOST}/arrived");
    let ttfb = ask("GET", &of_redirects).send().await.ok();
    assert_eq!(ttfb["redirected_pct"], 100.0, "{ttfb}");
    assert!(ttfb["waiting_ms"].as_f64().unwrap() >= 3_000.0, "{ttfb}");
    let elements = format!("lcp/elements?url=http://{HOST}/slow-image");
    let elements = ask("GET", &elements).send().await.ok();
    assert_eq!(elements["items"][0]["element"], "#hero", "{elements}");
    assert_eq!(
        elements["items"][0]["resource_url"],
        format!("http://{HOST}/slow.png")
    );
    let clicked = format!("inp/elements?url=http://{HOST}/long-click");
    let clicked = ask("GET", &clicked).send().await.ok();
    assert_eq!(clicked["items"][0]["interaction_type"], "pointer", "{clicked}");
    let work = clicked["items"][0]["processing_duration_ms"].as_f64();
    assert!(work >= Some(500.0), "the work of the listener: {clicked}");
    let shifted = format!("cls/elements?url=http://{HOST}/late-banner");
    let shifted = ask("GET", &shifted).send().await.ok();
    assert_eq!(shifted["items"][0]["element"], "#content", "{shifted}");
    let failed = format!("requests?url=http://{HOST}/failing-fetch");
    let failed = ask("GET", &failed).send().await.ok();
    let row = &failed["items"][0];
    assert_eq!(
        (&row["path_template"], &row["status_4xx"]),
        (&json!("/api/carts/:id"), &json!(1)),
        "{failed}"
    );
    assert_eq!(row["failure_rate_pct"], 100.0);
    assert_eq!(row["method"], Value::Null, "browsers tell none");
}
