//! GET /domains/{domain_id}/rum/overview

use pharos_domain::collect::{client::Device, view::Navigation};
use serde_json::{Value, json};
use time::Duration;

use super::{bare_error, path, read, store, view};
use crate::harness::TestApp;

async fn overview(app: &TestApp, query: &str) -> Value {
    let path = path(
        app,
        &format!("overview?start_date=2026-03-30&end_date=2026-03-31{query}"),
    );
    app.get(&path, &app.world.key).send().await.ok()
}

/// Four views of today, on two phones and two desktops, one of them poor in each way; and one of the days before.
async fn some_views(app: &TestApp) {
    let now = app.now();
    let mut slow = view(2, now);
    (slow.lcp_ms, slow.inp_ms, slow.cls) = (Some(5_000.0), Some(700.0), Some(0.3));
    slow.navigation = Navigation::BackForward;
    slow.errors = vec![bare_error("x is undefined")];
    let mut restored = view(3, now);
    (restored.lcp_ms, restored.cls) = (Some(2_000.0), Some(0.2));
    restored.navigation = Navigation::BackForwardCache;
    let mut bare = view(4, now);
    (bare.lcp_ms, bare.cls, bare.fcp_ms, bare.ttfb_ms) = (None, None, None, None);
    let mut before = view(5, now - Duration::days(2));
    before.lcp_ms = Some(500.0);
    store(
        app,
        [
            (Device::Mobile, view(1, now)),
            (Device::Mobile, slow),
            (Device::Desktop, restored),
            (Device::Desktop, bare),
            (Device::Desktop, before),
        ],
    )
    .await;
}

fn near(value: &Value, wanted: f64) {
    let value = value.as_f64().unwrap();
    assert!((value / wanted - 1.0).abs() < 0.01, "{value} and not {wanted}");
}

/// Worked out by hand. The 75th percentile of 1,000, 2,000 and 5,000 ms lies half-way between the last two. Three views have a
/// core metric, one of them is good in all; one of four has an error; one of two that went back was restored.
#[tokio::test]
async fn figures_are_those_worked_out_by_hand() {
    let app = TestApp::start().await;
    some_views(&app).await;
    let found = overview(&app, "").await;
    assert_eq!(found["pageviews"], 4);
    assert_eq!(
        found["sample_counts"],
        json!({ "lcp": 3, "inp": 1, "cls": 3, "fcp": 3, "ttfb": 3 })
    );
    near(&found["vitals"]["all"]["lcp_ms"], 3_500.0);
    near(&found["vitals"]["all"]["inp_ms"], 700.0);
    near(&found["vitals"]["all"]["cls"], 0.25);
    near(&found["vitals"]["mobile"]["lcp_ms"], 4_000.0);
    near(&found["vitals"]["desktop"]["lcp_ms"], 2_000.0);
    assert_eq!(
        found["vitals"]["desktop"]["inp_ms"],
        Value::Null,
        "nobody interacted"
    );
    assert_eq!(found["vitals"]["tablet"], Value::Null);
    let lcp =
        json!({ "good_pct": 66.67, "needs_improvement_pct": 0.0, "poor_pct": 33.33, "sample_count": 3 });
    assert_eq!(found["ratings"]["lcp"], lcp);
    let cls =
        json!({ "good_pct": 33.33, "needs_improvement_pct": 33.33, "poor_pct": 33.33, "sample_count": 3 });
    assert_eq!(found["ratings"]["cls"], cls);
    assert_eq!(found["passes_core_web_vitals"], false);
    assert_eq!(
        (&found["good_views_pct"], &found["js_error_rate_pct"]),
        (&json!(33.33), &json!(25.0))
    );
    assert_eq!(found["bfcache_hit_pct"], 50.0);
    assert_eq!(found["items"].as_array().unwrap().len(), 2);
    assert_eq!(
        (&found["items"][0]["date"], &found["items"][0]["pageviews"]),
        (&json!("2026-03-30"), &json!(0))
    );
    assert_eq!(found["items"][0]["lcp_ms"], Value::Null);
    near(&found["items"][1]["lcp_ms"], 3_500.0);
    assert_eq!(found["meta"]["window_end"], "2026-04-01T00:00:00Z");
    assert_eq!(found["meta"]["percentile_method"], "histogram");
    assert!(found.get("comparison").is_none());
}

/// Worked out by hand: a quarter of the way from 200 to 201 ms, which are of one bucket, whose middle is good; then 201 ms, of
/// which counts of bands tell enough.
#[tokio::test]
async fn whether_a_percentile_is_good_is_the_same_wherever_it_is_read() {
    let app = TestApp::start().await;
    let with_inp = |load, inp_ms| {
        let mut view = view(load, app.now());
        view.inp_ms = Some(inp_ms);
        (Device::Mobile, view)
    };
    let inps = [(1, 200.0), (2, 200.0), (3, 200.0), (4, 201.0)];
    store(&app, inps.map(|(load, inp_ms)| with_inp(load, inp_ms))).await;
    let found = overview(&app, "").await;
    assert_eq!(
        (
            &found["vitals"]["all"]["inp_ms"],
            &found["passes_core_web_vitals"]
        ),
        (&json!(200.3), &json!(false))
    );
    let types = read(&app, "navigation-types?start_date=2026-03-30&end_date=2026-03-31").await;
    assert_eq!(types["items"][0]["inp_ms"], 200.3);
    store(&app, [with_inp(5, 201.0)]).await;
    let found = overview(&app, "&device=mobile").await;
    near(&found["vitals"]["all"]["inp_ms"], 201.0);
    assert_eq!(found["passes_core_web_vitals"], false);
}

#[tokio::test]
async fn a_filter_leaves_views_out_and_makes_percentiles_exact() {
    let app = TestApp::start().await;
    some_views(&app).await;
    let found = overview(&app, "&country=de&device=mobile").await;
    assert_eq!(
        (&found["pageviews"], &found["vitals"]["all"]["lcp_ms"]),
        (&json!(2), &json!(4_000.0))
    );
    assert_eq!(found["meta"]["percentile_method"], "exact");
    let found = overview(&app, "&navigation_type=back_forward_cache").await;
    assert_eq!(
        (&found["pageviews"], &found["vitals"]["all"]["lcp_ms"]),
        (&json!(1), &json!(2_000.0))
    );
    let found = overview(&app, "&url_prefix=https://other.example/").await;
    assert_eq!(
        (&found["pageviews"], &found["vitals"]["all"]),
        (&json!(0), &Value::Null)
    );
    assert_eq!(found["good_views_pct"], Value::Null);
    for wrong in ["device=tv", "connection=5g", "navigation_type=teleport"] {
        let path = path(&app, &format!("overview?{wrong}"));
        let refused = app.get(&path, &app.world.key).send().await;
        assert_eq!(refused.faults(), [wrong.split('=').next().unwrap()]);
    }
}

#[tokio::test]
async fn the_days_before_are_compared_with() {
    let app = TestApp::start().await;
    some_views(&app).await;
    let found = overview(&app, "&compare_previous=true").await;
    let comparison = &found["comparison"];
    assert_eq!(
        comparison["pageviews"],
        json!({ "current": 4.0, "previous": 1.0, "change": 3.0, "change_pct": 300.0 })
    );
    near(&comparison["lcp_ms"]["previous"], 500.0);
    assert_eq!(comparison["inp_ms"]["change"], Value::Null);
    assert_eq!(found["meta"]["compare_range_start"], "2026-03-28");
}

/// The block of the domain's overview, and its score.
#[tokio::test]
async fn a_domain_shows_its_vitals_by_device() {
    let app = TestApp::start().await;
    some_views(&app).await;
    let path = format!("/domains/{}/overview", app.world.domain);
    let found: Value = app.get(&path, &app.world.key).send().await.ok();
    near(&found["rum"]["mobile"]["lcp_ms"], 4_000.0);
    assert_eq!(found["rum"]["desktop"]["inp_ms"], Value::Null);
}
