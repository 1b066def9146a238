//! The module in the health of its domain.

use serde_json::{Value, json};
use time::Duration;

use super::{MISSING, measured, measured_as, scored, send, track};
use crate::harness::TestApp;

async fn module(app: &TestApp) -> Value {
    let path = format!("/domains/{}/health?freshness=live", app.world.domain);
    let told = app.get(&path, &app.world.key).send().await.ok();
    let modules = told["modules"].as_array().unwrap();
    modules
        .iter()
        .find(|module| module["module"] == "synthetic")
        .unwrap()
        .clone()
}

#[tokio::test]
async fn the_score_is_the_median_of_the_newest_and_reasons_are_told() {
    let app = TestApp::start().await;
    assert_eq!(module(&app).await["status"], json!("not_configured"));
    let (shoes, hats) = (track(&app, "shoes").await, track(&app, "hats").await);
    let slow = track(&app, "slow").await;
    assert_eq!(module(&app).await["status"], json!("no_data"));
    measured_as(&app, &shoes, "mobile", scored(98.0)).await;
    measured_as(&app, &hats, "mobile", scored(91.0)).await;
    measured_as(&app, &slow, "mobile", scored(10.0)).await;
    let told = module(&app).await;
    assert_eq!(
        (&told["score"], &told["status"], &told["reasons"]),
        (&json!(91.0), &json!("ok"), &json!([]))
    );
    send(
        &app,
        "PUT",
        "budgets",
        &json!({ "items": [{ "metric": "performance_score", "limit": 95, "url_id": hats }] }),
    )
    .await
    .ok();
    app.clock.advance(Duration::MINUTE);
    measured_as(&app, &hats, "mobile", scored(91.0)).await;
    for _ in 0..2 {
        app.clock.advance(Duration::MINUTE);
        measured(&app, &shoes, MISSING).await;
    }
    // The median of the two that have a score.
    let told = module(&app).await;
    let codes: Vec<&Value> = told["reasons"]
        .as_array()
        .unwrap()
        .iter()
        .map(|reason| &reason["code"])
        .collect();
    assert_eq!(
        (&told["score"], codes),
        (
            &json!(50.5),
            vec![&json!("budgets_exceeded"), &json!("lab_tests_failed")]
        )
    );
    assert_eq!(told["status"], json!("warning"));
}
