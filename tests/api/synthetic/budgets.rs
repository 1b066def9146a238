//! Budgets.

use serde_json::{Value, json};

use super::{MISSING, SHOP, get, measured, send, track};
use crate::harness::TestApp;

#[tokio::test]
async fn budgets_are_replaced_whole_and_judged_by_each_run() {
    let app = TestApp::start().await;
    let page = track(&app, "shoes").await;
    let other = track(&app, "hats").await;
    assert_eq!(get(&app, "budgets").await["items"], json!([]));
    let wanted = json!({ "items": [
        { "metric": "lcp_ms", "limit": 2_500 },
        { "metric": "performance_score", "limit": 40, "profile_id": "mobile", "url_id": page },
        { "metric": "third_party_requests", "limit": 0, "direction": "max" },
        { "metric": "image_bytes", "limit": 1, "url_id": other },
        { "metric": "inp_ms", "limit": 200 },
    ] });
    let made = send(&app, "PUT", "budgets", &wanted).await.ok();
    let first = &made["items"][0];
    assert_eq!(
        [
            &first["scope"],
            &first["direction"],
            &first["last_result"],
            &first["last_value"]
        ],
        [&json!("domain"), &json!("max"), &json!("unknown"), &Value::Null]
    );
    assert_eq!(
        (&made["items"][1]["scope"], &made["items"][1]["direction"]),
        (&json!("url"), &json!("min"))
    );
    let run = measured(&app, &page, SHOP).await;
    let results = get(&app, &format!("runs/{run}")).await["budget_results"].clone();
    // By hand: 9,648.4535 is 7,148.4535 over; 44 points are enough; one request is one too many; another page's is not asked.
    let told: Vec<Value> = results
        .as_array()
        .unwrap()
        .iter()
        .map(|result| {
            json!([
                result["metric"],
                result["passed"],
                result["over_by"],
                result["actual"]
            ])
        })
        .collect();
    assert_eq!(
        told,
        [
            json!(["lcp_ms", false, 7_148.453_5, 9_648.453_5]),
            json!(["performance_score", true, null, 44.0]),
            json!(["third_party_requests", false, 1.0, 1.0]),
            json!(["inp_ms", null, null, null]),
        ]
    );
    let listed = get(&app, "budgets").await;
    let states: Vec<&str> = listed["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|budget| budget["last_result"].as_str().unwrap())
        .collect();
    assert_eq!(states, ["failed", "passed", "failed", "unknown", "unknown"]);
    assert_eq!(listed["items"][0]["last_run_id"], json!(run));
    let overview = get(&app, "overview").await;
    assert_eq!(overview["budgets_exceeded"], json!(2));
    let of = |page: &str| {
        let rows = overview["items"].as_array().unwrap();
        rows.iter().find(|row| row["url_id"] == *page).unwrap()["budget_status"].clone()
    };
    assert_eq!((of(&page), of(&other)), (json!("exceeded"), json!("none")));
    // One that could not be measured says nothing of budgets.
    measured(&app, &page, MISSING).await;
    assert_eq!(get(&app, "budgets").await["items"], listed["items"]);
    // What stays keeps its id and its result; the rest is gone.
    let kept = send(
        &app,
        "PUT",
        "budgets",
        &json!({ "items": [{ "metric": "lcp_ms", "limit": 2_500 }] }),
    )
    .await
    .ok();
    assert_eq!(kept["items"], json!([listed["items"][0]]));
    assert_eq!(
        send(&app, "PUT", "budgets", &json!({ "items": [] })).await.ok()["items"],
        json!([])
    );
}

#[tokio::test]
async fn all_faults_of_budgets_are_told_at_once() {
    let app = TestApp::start().await;
    track(&app, "shoes").await;
    let bad = json!({ "items": [
        { "metric": "lcp_ms", "limit": 2_500 },
        { "metric": "lcp_ms", "limit": 3_000 },
        { "metric": "performance_score", "limit": 101 },
        { "metric": "cls", "limit": 0.1, "url_id": uuid::Uuid::now_v7() },
    ] });
    assert_eq!(
        send(&app, "PUT", "budgets", &bad).await.faults(),
        ["/items/1/metric", "/items/2/limit", "/items/3/url_id"]
    );
    let bad = json!({ "items": [{ "metric": "lcp_ms", "limit": -1 }, { "metric": "ttl", "limit": 1, "profile_id": "tablet" }] });
    assert_eq!(
        send(&app, "PUT", "budgets", &bad).await.faults(),
        ["/items/0/limit", "/items/1/metric", "/items/1/profile_id"]
    );
    let many: Vec<Value> = (0..201)
        .map(|limit| json!({ "metric": "lcp_ms", "limit": limit }))
        .collect();
    assert!(
        send(&app, "PUT", "budgets", &json!({ "items": many }))
            .await
            .faults()
            .contains(&"/items".to_owned())
    );
    assert_eq!(
        get(&app, "budgets").await["items"],
        json!([]),
        "nothing was changed"
    );
}
