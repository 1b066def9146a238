//! GET /domains/{domain_id}/rum/lcp and what lies below it

use pharos_domain::collect::{client::Device, view::View};
use serde_json::{Value, json};
use time::Duration;

use super::{read, store, view};
use crate::harness::TestApp;

/// A view whose largest paint was an image: parts of 100, 200, 300 and 400 ms, times `slow`.
fn image(app: &TestApp, load: i64, slow: f64) -> View {
    let mut view = view(load, app.now());
    view.lcp_ms = Some(1_000.0 * slow);
    let lcp = &mut view.cause.lcp;
    lcp.element.selector = Some("main>img.hero".to_owned());
    lcp.element.class = Some("hero".to_owned());
    lcp.element.tag = Some("img".to_owned());
    lcp.resource_url = Some("https://cdn.shop.example/hero.avif".to_owned());
    lcp.initiator = Some("img".to_owned());
    lcp.ttfb_ms = Some(100.0 * slow);
    lcp.load_delay_ms = Some(200.0 * slow);
    lcp.load_duration_ms = Some(300.0 * slow);
    lcp.render_delay_ms = Some(400.0 * slow);
    lcp.bytes = Some(50_000);
    lcp.has_high_priority = Some(slow > 1.0);
    lcp.is_lazy = Some(false);
    view
}

/// A view whose largest paint was text, of 100 and 900 ms.
fn text(app: &TestApp, load: i64) -> View {
    let mut view = view(load, app.now());
    view.path = "/about".to_owned();
    let lcp = &mut view.cause.lcp;
    lcp.element.selector = Some("h1#user-ada@shop.example".to_owned());
    lcp.element.tag = Some("h1".to_owned());
    lcp.ttfb_ms = Some(100.0);
    lcp.render_delay_ms = Some(900.0);
    view
}

async fn some_views(app: &TestApp) {
    let mut before = image(app, 9, 1.0);
    before.at -= Duration::days(40);
    store(
        app,
        [
            (Device::Mobile, image(app, 1, 1.0)),
            (Device::Mobile, image(app, 2, 3.0)),
            (Device::Desktop, text(app, 3)),
            (Device::Desktop, before),
        ],
    )
    .await;
}

/// Worked out by hand. LCP of 1,000, 3,000 and 1,000 ms: the third quarter lies half-way between 1,000 and 3,000. The parts of
/// the resource are of the two images: three quarters of the way from 200 to 600, and from 300 to 900. Means with text at 0:
/// 500/3, 800/3, 1,200/3 and 2,500/3, in all 5,000/3.
#[tokio::test]
async fn parts_are_those_worked_out_by_hand() {
    let app = TestApp::start().await;
    some_views(&app).await;
    let found = read(&app, "lcp?start_date=2026-03-30&end_date=2026-03-31").await;
    assert_eq!(
        (&found["sample_count"], &found["low_sample"]),
        (&json!(3), &json!(true))
    );
    for (name, wanted) in [
        ("lcp_ms", 2_000.0),
        ("ttfb_ms", 200.0),
        ("resource_load_delay_ms", 500.0),
        ("resource_load_duration_ms", 750.0),
        ("element_render_delay_ms", 1_050.0),
        ("mean_ttfb_ms", 166.7),
        ("mean_resource_load_delay_ms", 266.7),
        ("mean_resource_load_duration_ms", 400.0),
        ("mean_element_render_delay_ms", 833.3),
        ("ttfb_share_pct", 10.0),
        ("resource_load_delay_share_pct", 16.0),
        ("resource_load_duration_share_pct", 24.0),
        ("element_render_delay_share_pct", 50.0),
        ("fetch_priority_high_pct", 50.0),
        ("lazy_loaded_pct", 0.0),
        ("preload_pct", 0.0),
    ] {
        assert_eq!(found[name], json!(wanted), "{name}");
    }
    assert_eq!(
        found["resource_types"],
        json!([
            { "type": "image", "pageviews": 2, "share_pct": 66.67, "lcp_ms": 2_500.0 },
            { "type": "text", "pageviews": 1, "share_pct": 33.33, "lcp_ms": 1_000.0 },
        ])
    );
    let devices = found["by_device"].as_array().unwrap();
    assert_eq!(
        (&devices[0]["device"], &devices[0]["pageviews"]),
        (&json!("mobile"), &json!(2))
    );
    assert_eq!(
        devices[1]["resource_load_delay_ms"],
        Value::Null,
        "text has no resource"
    );
    let items = found["items"].as_array().unwrap();
    assert_eq!(items.len(), 2);
    assert_eq!(
        (&items[0]["pageviews"], &items[0]["lcp_ms"]),
        (&json!(0), &Value::Null)
    );
    assert_eq!(
        (&items[1]["date"], &items[1]["lcp_ms"]),
        (&json!("2026-03-31"), &json!(2_000.0))
    );
    assert_eq!(found["meta"]["window_end"], "2026-04-01T00:00:00Z");
    assert_eq!(found["meta"]["percentile_method"], "exact");
}

#[tokio::test]
async fn what_was_painted_is_told_by_its_element_and_its_resource() {
    let app = TestApp::start().await;
    let painted = [
        (Some("img"), true),
        (Some("video"), true),
        (Some("div"), true),
        (Some("p"), false),
        (None, true),
    ];
    let views = (1..).zip(painted).map(|(load, (tag, has_resource))| {
        let mut view = view(load, app.now());
        let lcp = &mut view.cause.lcp;
        lcp.element.tag = tag.map(str::to_owned);
        lcp.element.selector = tag.map(str::to_owned);
        lcp.resource_url = has_resource.then(|| "https://shop.example/hero".to_owned());
        (Device::Mobile, view)
    });
    store(&app, views).await;
    let found = read(&app, "lcp").await;
    let types = found["resource_types"].as_array().unwrap();
    let mut types: Vec<_> = types
        .iter()
        .map(|row| (row["type"].as_str().unwrap(), row["pageviews"].as_u64().unwrap()))
        .collect();
    types.sort_unstable();
    let wanted = ["background_image", "image", "text", "unknown", "video_frame"];
    assert_eq!(types, wanted.map(|kind| (kind, 1)));
}

#[tokio::test]
async fn nothing_measured_is_null_and_pages_are_filtered_without_their_query() {
    let app = TestApp::start().await;
    some_views(&app).await;
    let found = read(&app, "lcp?url=https://shop.example/about?utm_source=x").await;
    assert_eq!(
        (&found["sample_count"], &found["lcp_ms"]),
        (&json!(1), &json!(1_000.0))
    );
    let found = read(&app, "lcp?url=https://shop.example/nowhere").await;
    assert_eq!(found["sample_count"], 0);
    for name in ["lcp_ms", "mean_ttfb_ms", "ttfb_share_pct", "lazy_loaded_pct"] {
        assert_eq!(found[name], Value::Null, "{name}");
    }
    assert_eq!(found["by_device"], json!([]));
}

#[tokio::test]
async fn elements_are_those_of_most_views_first_and_redacted() {
    let app = TestApp::start().await;
    some_views(&app).await;
    let found = read(&app, "lcp/elements").await;
    assert_eq!((&found["total"], &found["truncated"]), (&json!(2), &json!(false)));
    let items = found["items"].as_array().unwrap();
    let image = &items[0];
    for (name, wanted) in [
        ("element", json!("main>img.hero")),
        ("element_id", Value::Null),
        ("element_class", json!("hero")),
        ("resource_url", json!("https://cdn.shop.example/hero.avif")),
        ("resource_type", json!("image")),
        ("pageviews", json!(2)),
        ("share_pct", json!(66.67)),
        ("lcp_ms", json!(2_500.0)),
        ("resource_load_delay_ms", json!(500.0)),
        ("avg_bytes", json!(50_000.0)),
        ("pages_count", json!(1)),
        ("sample_url", json!("https://shop.example/")),
    ] {
        assert_eq!(image[name], wanted, "{name}");
    }
    let text = &items[1];
    assert_eq!(
        (&text["resource_url"], &text["avg_bytes"]),
        (&Value::Null, &Value::Null)
    );
    assert!(!text["element"].as_str().unwrap().contains("ada@"), "{text}");
}

/// Nodes are upgraded one by one: one of the next version may have stored a device, or what was painted, that this one has no name for.
#[tokio::test]
async fn numbers_of_a_later_version_are_left_out() {
    let app = TestApp::start().await;
    some_views(&app).await;
    app.sql("UPDATE rum_lcp SET kind = 99 WHERE load_id = 3").await;
    app.sql("UPDATE rum_views SET device = 99 WHERE load_id = 3")
        .await;
    let found = read(&app, "lcp?start_date=2026-03-30&end_date=2026-03-31").await;
    assert_eq!(found["sample_count"], 3);
    for (list, name, wanted) in [
        ("resource_types", "type", "image"),
        ("by_device", "device", "mobile"),
    ] {
        let told = found[list].as_array().unwrap();
        assert_eq!((told.len(), &told[0][name]), (1, &json!(wanted)), "{list}");
    }
    let elements = read(&app, "lcp/elements").await;
    assert_eq!(elements["items"].as_array().unwrap().len(), 1);
}
