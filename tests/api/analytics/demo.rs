//! The experiment of the demo.

use serde_json::json;

use crate::{
    harness::Request,
    processes::{data_folder, demo, has_history},
};

#[tokio::test(flavor = "multi_thread")]
async fn the_demo_has_an_experiment_with_a_verdict_once_its_history_is_there() {
    let folder = data_folder();
    let data = folder.path().join("data");
    let (node, key, path) = demo(&data);
    let experiments = path.replace("uptime/status", "analytics/experiments");
    has_history(&data).await;
    let request = Request::new(node.address, "GET", &experiments).key(&key);
    let list = request.send().await.ok();
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
    let latest = format!("{experiments}/{id}/evaluations/latest");
    let request = Request::new(node.address, "GET", &latest).key(&key);
    let found = request.send().await.ok();
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
