//! POST …/robots/check

use serde_json::{Value, json};
use tokio::time::{Duration, Instant, sleep};

use super::{
    lab::{Lab, file},
    path,
};
use crate::harness::TestApp;

#[tokio::test]
async fn a_run_fetches_the_file_once() {
    let app = TestApp::start().await;
    let lab = Lab::open().await;
    lab.is_site_of(&app).await;
    lab.say(|_| file(b"User-agent: *\nDisallow: /cart\n"));
    let ask = || {
        app.request("POST", &path(&app, "check"))
            .key(&app.world.key)
            .header("idempotency-key", "first")
    };
    let reply = ask().send().await;
    assert_eq!(reply.status, 202);
    let run = reply.json();
    assert_eq!(
        (&run["kind"], &run["credits_charged"]),
        (&json!("robots_check"), &json!(25))
    );
    assert_eq!(ask().send().await.json(), run, "a replay");

    let _crew = lab.worker(&app).await;
    let poll = run["poll_path"]
        .as_str()
        .unwrap()
        .strip_prefix("/api/public/v1")
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(30);
    let check = loop {
        let checks = app.get(poll, &app.world.key).send().await.ok();
        if let Some(check) = checks["items"].get(0) {
            break check.clone();
        }
        assert!(Instant::now() < deadline, "the run has no check");
        sleep(Duration::from_millis(50)).await;
    };
    assert_eq!(
        (&check["run_id"], &check["outcome"]),
        (&run["run_id"], &json!("changed"))
    );
    assert_ne!(check["version_id"], Value::Null);
    assert_eq!(lab.heads.lock().unwrap().len(), 1);
}
