//! GET /health

use pharos_domain::switches::Switch;
use serde_json::json;
use time::Duration;

use crate::harness::{TestApp, actor};

#[tokio::test]
async fn health_tells_the_server_s_clock() {
    let app = TestApp::start().await;
    let health = app.get("/health", &app.world.key).send().await.ok();
    assert_eq!(
        health,
        json!({ "status": "ok", "version": "1.0.0", "time": "2026-03-31T09:15:00Z", "mode": "normal" })
    );
    app.clock.advance(Duration::seconds(90));
    let health = app.get("/health", &app.world.key).send().await.ok();
    assert_eq!(health["time"], "2026-03-31T09:16:30Z");
}

#[tokio::test]
async fn health_says_that_writes_are_turned_off() {
    let app = TestApp::start().await;
    app.stores
        .switches
        .set(Switch::ReadOnlyMode, true, &actor(), app.now())
        .await
        .unwrap();
    assert_eq!(
        app.get("/health", &app.world.key).send().await.ok()["mode"],
        "read_only"
    );
}
