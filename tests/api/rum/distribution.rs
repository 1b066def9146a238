//! GET /domains/{domain_id}/rum/distribution

use pharos_domain::collect::client::Device;
use serde_json::{Value, json};

use super::{path, store, view};
use crate::harness::TestApp;

async fn distribution(app: &TestApp, query: &str) -> Value {
    app.get(&path(app, &format!("distribution?{query}")), &app.world.key)
        .send()
        .await
        .ok()
}

/// Worked out by hand. Two bins of a CLS: from 0 to 0.25, and beyond. 0.25 itself is of the second, and not poor.
#[tokio::test]
async fn values_lie_in_bins_and_bands() {
    let app = TestApp::start().await;
    let views = [(1, 0.0), (2, 0.1), (3, 0.25), (4, 0.9)].map(|(load, cls)| {
        let mut view = view(load, app.now());
        view.cls = Some(cls);
        (Device::Mobile, view)
    });
    store(&app, views).await;
    let found = distribution(&app, "metric=cls&bins=2&country=DE").await;
    assert_eq!(
        found["bins"],
        json!([
            { "start": 0.0, "end": 0.25, "density": 0.5, "count": 2 },
            { "start": 0.25, "end": null, "density": 0.5, "count": 2 },
        ])
    );
    assert_eq!(
        (&found["overflow_count"], &found["sample_count"], &found["unit"]),
        (&json!(2), &json!(4), &json!("none"))
    );
    // Ranks 1.5 and 2.25 of the four.
    assert_eq!(
        (&found["percentiles"]["p50"], &found["percentiles"]["p75"]),
        (&json!(0.175), &json!(0.4125))
    );
    assert_eq!(
        found["rating_split"],
        json!({ "good_pct": 50.0, "needs_improvement_pct": 25.0, "poor_pct": 25.0, "sample_count": 4 })
    );
    assert_eq!(
        (&found["good_threshold"], &found["poor_threshold"]),
        (&json!(0.1), &json!(0.25))
    );
    assert_eq!(found["meta"]["percentile_method"], "exact");

    let found = distribution(&app, "metric=cls").await;
    assert_eq!(found["bins"].as_array().unwrap().len(), 50);
    assert_eq!(
        (&found["sample_count"], &found["overflow_count"]),
        (&json!(4), &json!(1))
    );
    assert_eq!(found["meta"]["percentile_method"], "histogram");
    let found = distribution(&app, "metric=inp").await;
    assert_eq!(
        (&found["percentiles"]["p75"], &found["rating_split"]["good_pct"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(found["bins"][0]["density"], 0.0);
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
    let found = distribution(&app, "metric=lcp").await;
    assert_eq!(found["meta"]["percentile_method"], "histogram");
    assert_eq!(found["rating_split"]["good_pct"], 100.0);
    assert_eq!(
        (&found["percentiles"]["p5"], &found["percentiles"]["p99"]),
        (&json!(2_500.0), &json!(2_500.0))
    );
}

#[tokio::test]
async fn a_metric_and_a_sensible_number_of_bins_are_needed() {
    let app = TestApp::start().await;
    for (query, fault) in [
        ("", "metric"),
        ("metric=fid", "metric"),
        ("metric=lcp&bins=0", "bins"),
        ("metric=lcp&bins=101", "bins"),
    ] {
        let refused = app
            .get(&path(&app, &format!("distribution?{query}")), &app.world.key)
            .send()
            .await;
        assert_eq!(refused.faults(), [fault], "{query}");
    }
}
