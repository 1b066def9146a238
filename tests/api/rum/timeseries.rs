//! GET /domains/{domain_id}/rum/timeseries

use pharos_domain::collect::{
    client::Device,
    view::{FrameKind, LongFrame},
};
use serde_json::{Value, json};
use time::Duration;

use super::{path, store, view};
use crate::harness::TestApp;

async fn timeseries(app: &TestApp, query: &str) -> Value {
    app.get(&path(app, &format!("timeseries?{query}")), &app.world.key)
        .send()
        .await
        .ok()
}

fn frame(blocking_ms: f64) -> LongFrame {
    LongFrame {
        kind: FrameKind::LongTask,
        start_ms: 10.0,
        duration_ms: blocking_ms + 50.0,
        blocking_ms,
        style_layout_ms: None,
        scripts: Vec::new(),
    }
}

/// Worked out by hand: two views an hour ago, of 1,000 and 3,000 ms, one of them poor; and one of yesterday. The median of
/// blocking times of 100 and 300 ms is 200.
#[tokio::test]
async fn pieces_have_what_their_views_come_to_and_nulls_without_any() {
    let app = TestApp::start().await;
    let now = app.now();
    let mut slow = view(2, now - Duration::HOUR);
    (slow.lcp_ms, slow.inp_ms) = (Some(3_000.0), Some(600.0));
    slow.long_frames = Some(vec![frame(300.0)]);
    let mut fast = view(1, now - Duration::HOUR);
    fast.long_frames = Some(vec![frame(60.0), frame(40.0)]);
    let yesterday = view(3, now - Duration::DAY);
    store(&app, [fast, slow, yesterday].map(|view| (Device::Mobile, view))).await;

    let found = timeseries(&app, "start_date=2026-03-29&end_date=2026-03-31&percentile=p50").await;
    assert_eq!(
        (&found["percentile"], &found["granularity"]),
        (&json!("p50"), &json!("day"))
    );
    let series = found["series"].as_array().unwrap();
    assert_eq!(series.len(), 6);
    assert_eq!(
        (&series[0]["metric"], &series[0]["unit"]),
        (&json!("lcp_ms"), &json!("ms"))
    );
    let lcp = &series[0]["points"];
    assert_eq!(
        lcp[0],
        json!({ "bucket_start": "2026-03-29T00:00:00Z", "value": null, "sample_count": 0 })
    );
    let today = lcp[2]["value"].as_f64().unwrap();
    assert!((today / 2_000.0 - 1.0).abs() < 0.01, "{today}");
    assert_eq!(lcp[2]["sample_count"], 2);
    assert_eq!(series[1]["points"][1]["value"], Value::Null, "nobody interacted");
    assert_eq!(
        series[5]["points"][0]["value"], 0.0,
        "no view is a number of views"
    );
    assert_eq!(found["meta"]["percentile_method"], "histogram");
    assert_eq!(found["meta"]["window_end"], "2026-04-01T00:00:00Z");

    let hours = "granularity=hour&start_date=2026-03-31&percentile=p50&metrics=long_task_ms,lcp_ms,good_views_pct,lcp_ms";
    let found = timeseries(&app, hours).await;
    let series = found["series"].as_array().unwrap();
    assert_eq!(series.len(), 3, "each once");
    let points = series[0]["points"].as_array().unwrap();
    // From midnight to the hour of 09:15.
    assert_eq!(points.len(), 10);
    assert_eq!(
        points[8],
        json!({ "bucket_start": "2026-03-31T08:00:00Z", "value": 200.0, "sample_count": 2 })
    );
    assert_eq!(points[9]["value"], Value::Null);
    assert_eq!(
        (&series[1]["points"][8]["value"], &series[2]["points"][8]["value"]),
        (&json!(2_000.0), &json!(50.0))
    );
    assert_eq!(found["meta"]["percentile_method"], "exact");

    for (percentile, value) in [
        ("p50", 2_000.0),
        ("p75", 2_500.0),
        ("p90", 2_800.0),
        ("p95", 2_900.0),
        ("p99", 2_980.0),
    ] {
        let hours = format!("granularity=hour&start_date=2026-03-31&percentile={percentile}&metrics=lcp_ms");
        let found = timeseries(&app, &hours).await;
        assert_eq!(found["percentile"], percentile);
        assert_eq!(found["series"][0]["points"][8]["value"], value, "{percentile}");
    }
}

/// The bucket of 2,499 ms stands for 2,521 ms, which is beyond the bound of the good band.
#[tokio::test]
async fn a_percentile_of_counted_values_lies_in_their_band() {
    let app = TestApp::start().await;
    let views = (1..=20).map(|load| {
        let mut view = view(load, app.now());
        view.lcp_ms = Some(2_499.0);
        (Device::Mobile, view)
    });
    store(&app, views).await;
    let found = timeseries(&app, "start_date=2026-03-31&metrics=lcp_ms").await;
    assert_eq!(found["meta"]["percentile_method"], "histogram");
    assert_eq!(found["series"][0]["points"][0]["value"], 2_500.0);
    let shown = super::read(&app, "overview?start_date=2026-03-31").await;
    assert_eq!(shown["vitals"]["all"]["lcp_ms"], 2_500.0);
}

#[tokio::test]
async fn views_are_those_of_a_page_whatever_its_query() {
    let app = TestApp::start().await;
    let mut cart = view(2, app.now());
    (cart.path, cart.lcp_ms) = ("/cart".to_owned(), Some(4_000.0));
    store(
        &app,
        [view(1, app.now()), cart].map(|view| (Device::Mobile, view)),
    )
    .await;
    for (url, views) in [
        ("https://shop.example/cart?coupon=x", 1.0),
        ("https://shop.example/car", 0.0),
        ("https://shop.example", 1.0),
    ] {
        let found = timeseries(
            &app,
            &format!("start_date=2026-03-31&metrics=pageviews&url={url}"),
        )
        .await;
        assert_eq!(found["series"][0]["points"][0]["value"], views, "{url}");
        assert_eq!(found["meta"]["percentile_method"], "exact");
    }
}

#[tokio::test]
async fn all_that_is_wrong_is_told() {
    let app = TestApp::start().await;
    for (query, faults) in [
        ("percentile=p76", &["percentile"][..]),
        ("metrics=lcp", &["metrics"]),
        ("metrics=", &["metrics"]),
        ("percentile=p76&metrics=x", &["metrics", "percentile"]),
        (
            "granularity=hour&start_date=2026-03-17&end_date=2026-03-31&metrics=x",
            &["granularity", "metrics"],
        ),
    ] {
        let refused = app
            .get(&path(&app, &format!("timeseries?{query}")), &app.world.key)
            .send()
            .await;
        assert_eq!(refused.faults(), faults, "{query}");
    }
    let fourteen = "granularity=hour&start_date=2026-03-18&end_date=2026-03-31";
    assert_eq!(
        timeseries(&app, fourteen).await["series"][0]["points"]
            .as_array()
            .unwrap()
            .len(),
        13 * 24 + 10
    );
}
