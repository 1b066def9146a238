//! The reads of an origin. The figures are those of `report.rs`.

use serde_json::{Value, json};

use super::{collected, get, report::Report, try_get, watch};
use crate::harness::TestApp;

async fn with_origin() -> TestApp {
    let app = TestApp::start().await;
    collected(&app, &["https://shop.example"]).await;
    app
}

#[tokio::test]
async fn an_origin_has_its_figures_by_device() {
    let app = with_origin().await;
    let overview = get(&app, "overview").await;
    assert_eq!(
        (
            &overview["origin"],
            &overview["origin_source"],
            &overview["eligible"]
        ),
        (&json!("https://shop.example"), &json!("exact"), &json!(true))
    );
    assert_eq!(
        (
            &overview["collection_period_start"],
            &overview["collection_period_end"]
        ),
        (&json!("2026-03-02"), &json!("2026-03-29"))
    );
    let vitals = json!({
        "lcp_ms": 2_900.0, "inp_ms": 140.0, "cls": 0.05, "fcp_ms": 1_400.0, "ttfb_ms": 900.0, "rtt_ms": 118.0,
    });
    assert_eq!(overview["mobile"], vitals);
    assert_eq!(overview["desktop"]["lcp_ms"], 1_900.0);
    assert_eq!(overview["tablet"], Value::Null);
    assert_eq!(
        overview["assessment"]["mobile"],
        json!({ "status": "failed", "failing": ["lcp"], "first_passed_on": null })
    );
    // The week before the last has no figures: the run of passes begins after it.
    assert_eq!(
        overview["assessment"]["desktop"],
        json!({ "status": "passed", "failing": [], "first_passed_on": "2026-03-28" })
    );
    assert_eq!(
        overview["form_factors"],
        json!({ "mobile_pct": 60.0, "desktop_pct": 35.0, "tablet_pct": 5.0 })
    );
    assert_eq!(overview["comparison"], Value::Null, "nothing ended on 2026-03-01");
}

#[tokio::test]
async fn figures_are_compared_with_those_that_ended_four_weeks_earlier() {
    let app = with_origin().await;
    app.sql(
        "INSERT INTO crux_figures SELECT target_id, form_factor, grain, '2026-03-01',
            jsonb_set(figures, '{metrics,lcp,p75}', '2500') FROM crux_figures
        WHERE grain = 'day' AND form_factor = 'mobile'",
    )
    .await;
    let comparison = get(&app, "overview").await["comparison"].clone();
    assert_eq!(
        comparison["mobile"]["lcp"],
        json!({ "current": 2_900.0, "previous": 2_500.0, "change": 400.0, "change_pct": 16.0 })
    );
    assert_eq!(
        comparison["desktop"]["lcp"],
        json!({ "current": 1_900.0, "previous": null, "change": null, "change_pct": null })
    );
}

#[tokio::test]
async fn a_record_has_its_histograms() {
    let app = with_origin().await;
    let record = get(&app, "record").await;
    assert_eq!(
        record["key"],
        json!({ "scope": "origin", "origin": "https://shop.example", "url": null, "form_factor": "all" })
    );
    assert_eq!(
        record["metrics"]["cls"],
        json!({
            "p75": 0.05, "unit": "none", "rating": "good",
            "histogram": [
                { "start": 0.0, "end": 0.1, "density": 0.95, "count": null },
                { "start": 0.1, "end": 0.25, "density": 0.03, "count": null },
                { "start": 0.25, "end": null, "density": 0.02, "count": null },
            ],
            "good_pct": 95.0, "needs_improvement_pct": 3.0, "poor_pct": 2.0,
        })
    );
    assert_eq!(record["metrics"]["rtt"]["rating"], Value::Null);
    for (metric, p75, rating, good_pct) in [
        ("fcp", 1_400.0, "good", 80.0),
        ("ttfb", 900.0, "needs_improvement", 70.0),
    ] {
        let figures = &record["metrics"][metric];
        assert_eq!(
            (&figures["p75"], &figures["rating"], &figures["good_pct"]),
            (&json!(p75), &json!(rating), &json!(good_pct)),
            "{metric}"
        );
    }
    assert_eq!(
        (
            &record["lcp_resource_types"],
            &record["form_factors"]["mobile_pct"],
            &record["last_run"]
        ),
        (
            &json!({ "image_pct": 70.0, "text_pct": 30.0 }),
            &json!(60.0),
            &Value::Null
        )
    );
    let mobile = get(&app, "record?form_factor=mobile").await;
    assert_eq!(
        (&mobile["metrics"]["lcp"]["rating"], &mobile["form_factors"]),
        (&json!("needs_improvement"), &Value::Null)
    );
    let tablet = get(&app, "record?form_factor=tablet").await;
    assert_eq!(
        (
            &tablet["eligible"],
            &tablet["metrics"],
            &tablet["collection_period_end"]
        ),
        (&json!(false), &json!({}), &Value::Null)
    );
}

#[tokio::test]
async fn a_history_has_a_null_where_the_report_has_nothing() {
    let app = with_origin().await;
    let history = get(&app, "history?form_factor=mobile&metrics=lcp,cls,lcp&periods=3").await;
    assert_eq!(
        history,
        json!({
            "form_factor": "mobile",
            "period_count": 3,
            "periods": [
                { "collection_period_start": "2026-02-15", "collection_period_end": "2026-03-14" },
                { "collection_period_start": "2026-02-22", "collection_period_end": "2026-03-21" },
                { "collection_period_start": "2026-03-01", "collection_period_end": "2026-03-28" },
            ],
            "series": {
                "lcp": {
                    "p75": [2_900.0, null, 2_900.0], "good_pct": [70.0, null, 70.0],
                    "needs_improvement_pct": [20.0, null, 20.0], "poor_pct": [10.0, null, 10.0],
                },
                "cls": {
                    "p75": [0.05, null, 0.05], "good_pct": [95.0, null, 95.0],
                    "needs_improvement_pct": [3.0, null, 3.0], "poor_pct": [2.0, null, 2.0],
                },
            },
        })
    );
    assert_eq!(get(&app, "history").await["period_count"], 25);
    assert_eq!(get(&app, "history?periods=40").await["period_count"], 40);
}

/// Worked out by hand: 600, 300, 900 and 200 of 2,000 ms.
#[tokio::test]
async fn the_parts_of_lcp_are_shares_of_their_sum() {
    let app = with_origin().await;
    let found = get(&app, "lcp-breakdown?form_factor=mobile").await;
    assert_eq!(
        found["shares"],
        json!({
            "ttfb_pct": 30.0, "resource_load_delay_pct": 15.0, "resource_load_duration_pct": 45.0,
            "element_render_delay_pct": 10.0,
        })
    );
    assert_eq!(
        (&found["dominant_subpart"], &found["lcp_ms"], &found["image_pct"]),
        (&json!("resource_load_duration"), &json!(2_900.0), &json!(70.0))
    );
    assert_eq!(found["history"].as_array().unwrap().len(), 25);
    assert_eq!(found["history"][24]["shares"]["ttfb_pct"], Value::Null);
}

#[tokio::test]
async fn restored_and_prerendered_pages_are_there_at_once() {
    let app = with_origin().await;
    let found = get(&app, "navigation-types?periods=2").await;
    assert_eq!(
        (
            &found["current"]["prerender_pct"],
            &found["instant_pct"],
            &found["bfcache_share_of_back_forward_pct"]
        ),
        (&json!(6.0), &json!(18.0), &json!(66.67))
    );
    assert_eq!(found["history"][0]["current"], Value::Null);
    assert_eq!(found["history"][1]["instant_pct"], 20.0);
}

#[tokio::test]
async fn an_origin_that_is_not_in_the_report_is_not_eligible() {
    let app = TestApp::start().await;
    collected(&app, &[]).await;
    let overview = get(&app, "overview").await;
    assert_eq!(
        (
            &overview["eligible"],
            &overview["all"],
            &overview["collection_period_end"]
        ),
        (&json!(false), &Value::Null, &Value::Null)
    );
    assert_eq!(overview["assessment"]["mobile"]["status"], "insufficient_data");
    let record = get(&app, "record").await;
    assert_eq!(
        (&record["eligible"], &record["metrics"]),
        (&json!(false), &json!({}))
    );
    assert_eq!(get(&app, "history").await["period_count"], 0);
    assert_eq!(get(&app, "lcp-breakdown").await["dominant_subpart"], Value::Null);
    assert_eq!(get(&app, "navigation-types").await["current"], Value::Null);
}

#[tokio::test]
async fn without_a_key_nothing_is_collected_and_every_read_says_how_to_get_one() {
    let app = TestApp::start().await;
    for read in [
        "overview",
        "record",
        "history",
        "lcp-breakdown",
        "navigation-types",
        "urls",
    ] {
        let problem = try_get(&app, read).await.problem(404, "crux-not-found");
        assert!(
            problem["detail"].as_str().unwrap().contains("crux_api_key"),
            "{read}"
        );
    }
}

#[tokio::test]
async fn an_origin_that_could_not_be_asked_for_is_not_told_that_a_key_is_missing() {
    let app = TestApp::start().await;
    let report = Report::of(&["https://shop.example"]).await;
    let refusal = r#"{"error": {"code": 403, "status": "PERMISSION_DENIED"}}"#;
    report.answers(403, "", refusal);
    assert_eq!(watch(&app, &report).round().await.unwrap(), 1);
    let problem = try_get(&app, "overview").await.problem(404, "crux-not-found");
    let detail = problem["detail"].as_str().unwrap();
    assert!(
        detail.contains("could not be asked") && !detail.contains("crux_api_key"),
        "{detail}"
    );
}

#[tokio::test]
async fn a_page_and_an_origin_are_told_apart() {
    let app = with_origin().await;
    for read in [
        "record?scope=url",
        "record?url=https://shop.example/",
        "history?metrics=lcp,fid",
        "history?metrics=lcp,%20cls",
        "history?periods=0",
        "history?periods=41",
        "record?form_factor=phone",
    ] {
        try_get(&app, read).await.problem(400, "invalid-request");
    }
    for (read, faults) in [
        ("history?metrics=lcp,fid&periods=0", ["metrics", "periods"]),
        ("record?scope=url&form_factor=phone", ["form_factor", "url"]),
    ] {
        assert_eq!(try_get(&app, read).await.faults(), faults, "{read}");
    }
    for read in [
        "record?scope=url&url=https://shop.example/blue",
        "record?scope=url&url=https://other.example/",
        "lcp-breakdown?url=/blue",
    ] {
        try_get(&app, read).await.problem(404, "crux-url-not-found");
    }
}
