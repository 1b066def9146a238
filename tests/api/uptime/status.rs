//! GET /domains/{domain_id}/uptime/status

use serde_json::{Value, json};
use time::Duration;

use super::{check, path, store};
use crate::harness::TestApp;

async fn status(app: &TestApp) -> Value {
    app.get(&path(app, "status"), &app.world.key).send().await.ok()
}

async fn monitored(settings: Value) -> TestApp {
    let app = TestApp::start().await;
    app.put(&path(&app, "config"), &app.world.key, &settings)
        .send()
        .await
        .ok();
    app
}

/// Checks once a minute, one for each status.
async fn checks(app: &TestApp, statuses: &[u16]) {
    for status in statuses {
        store(app, vec![check(app.world.domain, app.now(), *status)]).await;
        app.clock.advance(Duration::MINUTE);
    }
}

#[tokio::test]
async fn before_the_first_check_nothing_is_known() {
    let app = monitored(json!({})).await;
    let status = status(&app).await;
    assert_eq!(status["state"], "pending");
    for unknown in [
        "is_up",
        "last_check_at",
        "last_status_code",
        "last_response_ms",
        "uptime_24h_pct",
        "uptime_90d_pct",
    ] {
        assert_eq!(status[unknown], Value::Null, "{unknown}");
    }
    assert_eq!(status["next_check_at"], "2026-03-31T09:15:00Z");
}

#[tokio::test]
async fn a_site_that_answers_is_up() {
    let app = monitored(json!({})).await;
    checks(&app, &[200, 200]).await;
    let status = status(&app).await;
    assert_eq!((&status["state"], &status["is_up"]), (&json!("up"), &json!(true)));
    assert_eq!(
        (&status["last_status_code"], &status["last_response_ms"]),
        (&json!(200), &json!(120.5))
    );
    assert_eq!(status["uptime_24h_pct"], 100.0);
    assert_eq!(status["state_since"], "2026-03-31T09:15:00Z");
    assert_eq!(status["regions"][0]["region"], "local");
}

/// Worked out by hand: up 09:15 to 09:18 (3 min), failing checks 09:18 and 09:19 confirm an outage that began at
/// 09:18, passing again at 09:20 (2 min down), seen until 09:22: 2 more minutes up. 5 / 7 = 71.428571… %.
#[tokio::test]
async fn a_confirmed_outage_counts_from_its_first_failing_check_to_its_first_passing_one() {
    let app = monitored(json!({})).await;
    checks(&app, &[200, 200, 200, 500]).await;
    let suspected = status(&app).await;
    assert_eq!(
        (&suspected["state"], &suspected["consecutive_failures"]),
        (&json!("up"), &json!(1))
    );
    assert_eq!(suspected["open_incident_id"], Value::Null);
    assert_eq!(suspected["uptime_24h_pct"], 100.0);

    checks(&app, &[500]).await;
    let down = status(&app).await;
    assert_eq!((&down["state"], &down["is_up"]), (&json!("down"), &json!(false)));
    assert_eq!(
        (&down["last_status_code"], &down["last_response_ms"]),
        (&json!(500), &Value::Null)
    );
    assert_eq!(
        (&down["state_since"], &down["last_error_class"]),
        (&json!("2026-03-31T09:18:00Z"), &json!("http_status"))
    );
    assert!(down["open_incident_id"].is_string());

    checks(&app, &[200, 200]).await;
    let recovered = status(&app).await;
    assert_eq!(
        (&recovered["state"], &recovered["open_incident_id"]),
        (&json!("up"), &Value::Null)
    );
    let uptime = recovered["uptime_24h_pct"].as_f64().unwrap();
    assert!((uptime - 500.0 / 7.0).abs() < 1e-9, "{uptime}");
}

#[tokio::test]
async fn an_unconfirmed_failure_counts_as_up() {
    let app = monitored(json!({ "confirmation_checks": 3 })).await;
    checks(&app, &[200, 500, 500, 200]).await;
    assert_eq!(status(&app).await["uptime_24h_pct"], 100.0);
}

/// A state holds for two intervals at most: of the ten minutes since the only check, two are known.
#[tokio::test]
async fn time_without_checks_is_not_observed() {
    let app = monitored(json!({ "confirmation_checks": 1 })).await;
    checks(&app, &[500]).await;
    app.clock.advance(Duration::minutes(9));
    let stale = status(&app).await;
    assert_eq!(
        (&stale["state"], &stale["is_up"]),
        (&json!("unknown"), &Value::Null)
    );
    assert_eq!(stale["uptime_24h_pct"], 0.0);
    checks(&app, &[200]).await;
    // 2 minutes down, 8 unobserved, 1 up.
    let uptime = status(&app).await["uptime_24h_pct"].as_f64().unwrap();
    assert!((uptime - 100.0 / 3.0).abs() < 1e-9, "{uptime}");
}

#[tokio::test]
async fn a_paused_monitor_says_so() {
    let app = monitored(json!({})).await;
    checks(&app, &[200]).await;
    app.put(
        &path(&app, "config"),
        &app.world.key,
        &json!({ "enabled": false }),
    )
    .send()
    .await
    .ok();
    let status = status(&app).await;
    assert_eq!(
        (&status["state"], &status["is_up"]),
        (&json!("paused"), &Value::Null)
    );
    assert_eq!(status["next_check_at"], Value::Null);
}

#[tokio::test]
async fn a_maintenance_window_is_shown_while_it_is_open() {
    let window =
        json!({ "name": "deploy", "starts_at": "2026-03-31T09:10:00Z", "ends_at": "2026-03-31T09:20:00Z" });
    let app = monitored(json!({ "maintenance_windows": [window] })).await;
    let during = status(&app).await;
    assert_eq!(
        (&during["state"], &during["state_since"]),
        (&json!("maintenance"), &json!("2026-03-31T09:10:00Z"))
    );
    app.clock.advance(Duration::minutes(6));
    assert_eq!(status(&app).await["state"], "pending");
}
