//! Sites that were not seen up yet.

use pharos_uptime::history::RegionPlace;
use serde_json::{Value, json};
use time::Duration;

use super::{check, path, store};
use crate::harness::TestApp;

async fn read(app: &TestApp, path: String) -> Value {
    app.get(&path, &app.world.key).send().await.ok()
}

async fn status(app: &TestApp) -> Value {
    read(app, path(app, "status")).await
}

async fn monitored(settings: Value) -> TestApp {
    let app = TestApp::start().await;
    set(&app, settings).await;
    app
}

async fn set(app: &TestApp, settings: Value) {
    app.put(&path(app, "config"), &app.world.key, &settings)
        .send()
        .await
        .ok();
}

/// Checks once a minute, one for each status.
async fn checks(app: &TestApp, statuses: &[u16]) {
    for status in statuses {
        store(app, vec![check(app.world.domain, app.now(), *status)]).await;
        app.clock.advance(Duration::MINUTE);
    }
}

#[tokio::test]
async fn a_site_that_never_answered_is_pending_and_nothing_calls_it_up() {
    let app = monitored(json!({ "confirmation_checks": 3 })).await;
    checks(&app, &[500, 500]).await;
    let pending = status(&app).await;
    assert_eq!(
        (
            &pending["state"],
            &pending["is_up"],
            &pending["regions"][0]["state"]
        ),
        (&json!("pending"), &Value::Null, &json!("pending"))
    );
    assert_eq!(pending["state_since"], "2026-03-31T09:15:00Z");
    for uptime in [
        "uptime_24h_pct",
        "uptime_7d_pct",
        "uptime_30d_pct",
        "uptime_90d_pct",
    ] {
        assert_eq!(pending[uptime], Value::Null, "{uptime}");
    }
    let availability = read(&app, path(&app, "availability?period_days=1")).await;
    assert_eq!(
        ["uptime_pct", "downtime_seconds", "unobserved_seconds"].map(|name| &availability[name]),
        [&Value::Null, &json!(0), &json!(0)],
    );
    let regions = read(&app, path(&app, "regions?period_days=1")).await;
    assert_eq!(regions["items"][0]["uptime_pct"], Value::Null);
    let overview = read(&app, format!("/domains/{}/overview", app.world.domain)).await;
    assert_eq!(overview["uptime"]["uptime_pct"], Value::Null);
    let health = read(&app, format!("/domains/{}/health", app.world.domain)).await;
    assert_eq!(
        (&health["score"], &health["modules"][0]["status"]),
        (&Value::Null, &json!("no_data"))
    );

    // Once it is confirmed it was down from the first.
    checks(&app, &[500]).await;
    let down = status(&app).await;
    assert_eq!((&down["state"], &down["is_up"]), (&json!("down"), &json!(false)));
    assert_eq!(
        (&down["state_since"], &down["uptime_24h_pct"]),
        (&json!("2026-03-31T09:15:00Z"), &json!(0.0))
    );
}

/// A minute of failing that nobody confirmed, then a minute up.
#[tokio::test]
async fn what_was_never_confirmed_before_the_first_answer_counts_as_nothing() {
    let app = monitored(json!({})).await;
    checks(&app, &[500, 200]).await;
    let up = status(&app).await;
    assert_eq!(
        (&up["state"], &up["state_since"], &up["uptime_24h_pct"]),
        (&json!("up"), &json!("2026-03-31T09:16:00Z"), &json!(100.0))
    );
    let hour = read(&app, path(&app, "availability?period_days=1&granularity=hour")).await;
    assert_eq!(
        (
            &hour["uptime_pct"],
            &hour["downtime_seconds"],
            &hour["unobserved_seconds"]
        ),
        (&json!(100.0), &json!(0), &json!(0))
    );
}

#[tokio::test]
async fn after_a_pause_the_first_answer_is_waited_for_as_after_the_beginning() {
    let app = monitored(json!({})).await;
    checks(&app, &[200]).await;
    for is_enabled in [false, true] {
        set(&app, json!({ "enabled": is_enabled })).await;
        app.clock.advance(Duration::MINUTE);
    }
    checks(&app, &[500]).await;
    let pending = status(&app).await;
    assert_eq!(
        (&pending["state"], &pending["uptime_24h_pct"]),
        (&json!("pending"), &json!(100.0))
    );
    checks(&app, &[500]).await;
    assert_eq!(status(&app).await["state"], "down");
}

#[tokio::test]
async fn a_pending_site_in_maintenance_is_not_up() {
    let window =
        json!({ "name": "deploy", "starts_at": "2026-03-31T09:16:00Z", "ends_at": "2026-03-31T09:30:00Z" });
    let app = monitored(json!({ "maintenance_windows": [window], "confirmation_checks": 3 })).await;
    checks(&app, &[500]).await;
    let during = status(&app).await;
    assert_eq!(
        (&during["state"], &during["is_up"]),
        (&json!("maintenance"), &Value::Null)
    );
}

/// One region is sure that it is down, the other is not yet: neither up nor down.
#[tokio::test]
async fn a_region_that_is_not_sure_has_no_say_for_the_site() {
    let app = TestApp::start().await;
    for region in ["eu", "us"] {
        let place = RegionPlace::unnamed(region);
        app.stores
            .schedule
            .register_region(&place, app.now())
            .await
            .unwrap();
    }
    set(&app, json!({ "regions": ["eu", "us"] })).await;
    for (region, statuses) in [("eu", &[500, 500][..]), ("us", &[500])] {
        for (minute, status) in (0..).zip(statuses) {
            let at = app.now() + Duration::minutes(minute);
            let mut check = check(app.world.domain, at, *status);
            check.region = region.to_owned();
            store(&app, vec![check]).await;
        }
    }
    app.clock.advance(Duration::seconds(90));
    let unsure = status(&app).await;
    assert_eq!(
        (&unsure["state"], &unsure["uptime_24h_pct"]),
        (&json!("pending"), &Value::Null)
    );
    let mut regions: Vec<&Value> = unsure["regions"].as_array().unwrap().iter().collect();
    regions.sort_by_key(|region| region["region"].to_string());
    assert_eq!(
        (&regions[0]["state"], &regions[1]["state"]),
        (&json!("down"), &json!("pending"))
    );
}
