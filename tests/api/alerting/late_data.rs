//! Rules of data that come days late: each day and each period is told once, however often it is looked at.

use pharos_search::gsc::figures::SearchType;
use serde_json::{Value, json};
use time::{Duration, macros::date};

use super::{evaluate, evaluate_later, get, make, notifications::trend_of_the_newest};
use crate::{
    crux,
    harness::TestApp,
    search::{day, days, hit, link},
};

/// This member of the context of each alert, the newest first.
async fn told(app: &TestApp, member: &str) -> Vec<Value> {
    let page = get(app, "/alerts/history").await;
    let alerts = page["items"].as_array().unwrap().iter();
    alerts.map(|alert| alert["context"][member].clone()).collect()
}

/// Evaluates all rules three times within a day, an hour apart.
async fn evaluate_all_day(app: &TestApp) {
    evaluate(app).await;
    for _ in 0..2 {
        evaluate_later(app, 61).await;
    }
}

#[tokio::test]
async fn a_day_of_search_is_told_once() {
    let app = TestApp::start().await;
    let (first, second) = (date!(2026 - 03 - 27), date!(2026 - 03 - 28));
    let shoes = hit("red shoes", "https://shop.example/shoes/", 3, 40, 4.5);
    let stored = [first, second].map(|date| (date, day(true, &[shoes])));
    link(&app, &[SearchType::Web], date!(2025 - 12 - 01), Some(first)).await;
    days(&app, SearchType::Web, stored).await;
    let few = json!({
        "module": "gsc", "metric": "clicks", "operator": "lt", "threshold_value": 100, "cooldown_minutes": 1,
    });
    make(&app, few).await;
    evaluate_all_day(&app).await;
    assert_eq!(told(&app, "date").await, ["2026-03-27"]);
    link(&app, &[SearchType::Web], date!(2025 - 12 - 01), Some(second)).await;
    for _ in 0..2 {
        evaluate_later(&app, 61).await;
    }
    assert_eq!(told(&app, "date").await, ["2026-03-28", "2026-03-27"]);
    // The day that the rule looked at is the last of the course: nothing is known of the three since.
    let trend = trend_of_the_newest(&app).await;
    assert_eq!(trend["window_end"], "2026-03-29T00:00:00Z");
    let points = trend["points"].as_array().unwrap();
    let values: Vec<_> = points[19..].iter().map(|point| &point["value"]).collect();
    assert_eq!(values, [&Value::Null, &json!(3.0), &json!(3.0)]);
}

#[tokio::test]
async fn a_collection_period_is_told_once() {
    let app = TestApp::start().await;
    crux::follows(&app, &[]).await;
    let slow = json!({
        "module": "crux", "metric": "lcp_ms", "operator": "gt", "threshold_value": 1000, "cooldown_minutes": 1,
    });
    make(&app, slow).await;
    evaluate_all_day(&app).await;
    assert_eq!(told(&app, "collection_period_end").await, ["2026-03-29"]);
    assert_eq!(told(&app, "collection_period_start").await, ["2026-03-02"]);
    app.sql("UPDATE crux_figures SET period_end = period_end + 1 WHERE grain = 'day'")
        .await;
    for _ in 0..2 {
        app.clock.advance(Duration::HOUR);
        evaluate(&app).await;
    }
    assert_eq!(
        told(&app, "collection_period_end").await,
        ["2026-03-30", "2026-03-29"]
    );
}
