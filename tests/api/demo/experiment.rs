//! The experiment of the demo.

use serde_json::json;

use super::Demo;

pub(super) async fn has_a_verdict(demo: &Demo) {
    let list = demo.ask("analytics/experiments").await;
    let experiment = &list["items"][0];
    assert_eq!(experiment["status"], "ready", "{experiment}");
    assert!(
        experiment["hypothesis"]
            .as_str()
            .unwrap()
            .contains("nobody made these visits"),
        "{experiment}"
    );
    let id = experiment["id"].as_str().unwrap();
    let found = demo
        .ask(&format!("analytics/experiments/{id}/evaluations/latest"))
        .await;
    assert_eq!(
        (&found["status"], &found["verdict"], &found["post_days"]),
        (&json!("completed"), &json!("improved"), &json!(28)),
        "{found}"
    );
    // The picture of the console has both.
    assert!(
        found["ci_low"].as_f64() > Some(0.0) && found["ci_high"].is_number(),
        "{found}"
    );
}
