//! A change of settings and the past: what it changes of earlier outages and figures, and what stays.

use pharos_uptime::finished::FinishedCheck;
use serde_json::{Value, json};
use time::Duration;

use super::{check, path, store};
use crate::harness::TestApp;

async fn set(app: &TestApp, settings: &Value) {
    app.put(&path(app, "config"), &app.world.key, settings)
        .send()
        .await
        .ok();
}

/// Up, maintenance and unobserved time of today, in whole percents and seconds.
async fn today(app: &TestApp, days: u32) -> [Value; 3] {
    let query = path(app, &format!("availability?period_days={days}"));
    let found = app.get(&query, &app.world.key).send().await.ok();
    ["uptime_pct", "maintenance_seconds", "unobserved_seconds"].map(|name| found[name].clone())
}

/// A check an hour, the last half an hour ago: a shorter interval from now on does not make that half hour unobserved.
#[tokio::test]
async fn a_shorter_interval_leaves_observed_time_as_it_was() {
    let app = TestApp::start().await;
    set(&app, &json!({ "interval_seconds": 3600 })).await;
    store(&app, vec![check(app.world.domain, app.now(), 200)]).await;
    app.clock.advance(Duration::minutes(30));
    let before = today(&app, 1).await;
    assert_eq!(before, [json!(100.0), json!(0), json!(0)]);
    set(&app, &json!({ "interval_seconds": 30 })).await;
    assert_eq!(today(&app, 2).await, before);
    store(&app, vec![check(app.world.domain, app.now(), 200)]).await;
    app.clock.advance(Duration::MINUTE);
    assert_eq!(today(&app, 3).await, before);
}

/// A check each half a minute, the last an hour ago: a longer interval does not fill the gap.
#[tokio::test]
async fn a_longer_interval_leaves_unobserved_time_as_it_was() {
    let app = TestApp::start().await;
    set(&app, &json!({ "interval_seconds": 30 })).await;
    store(&app, vec![check(app.world.domain, app.now(), 200)]).await;
    app.clock.advance(Duration::HOUR);
    let gap = json!(3_540);
    assert_eq!(today(&app, 1).await[2], gap);
    set(&app, &json!({ "interval_seconds": 3600 })).await;
    assert_eq!(today(&app, 2).await[2], gap);
    let status = app.get(&path(&app, "status"), &app.world.key).send().await.ok();
    assert_eq!(status["state"], "unknown");
    store(&app, vec![check(app.world.domain, app.now(), 200)]).await;
    app.clock.advance(Duration::MINUTE);
    assert_eq!(today(&app, 3).await[2], gap);
}

/// A window that goes, or comes, after its time changes nothing of it.
#[tokio::test]
async fn maintenance_that_is_over_stays_as_it_was() {
    let app = TestApp::start().await;
    let window = |from: &str, to: &str| json!({ "name": "deploy", "starts_at": format!("2026-03-31T{from}Z"), "ends_at": format!("2026-03-31T{to}Z") });
    let settings =
        json!({ "interval_seconds": 3600, "maintenance_windows": [window("09:20:00", "09:30:00")] });
    set(&app, &settings).await;
    store(&app, vec![check(app.world.domain, app.now(), 200)]).await;
    app.clock.advance(Duration::minutes(30));
    assert_eq!(today(&app, 1).await[1], json!(600));
    set(
        &app,
        &json!({ "maintenance_windows": [window("09:35:00", "09:40:00")] }),
    )
    .await;
    assert_eq!(today(&app, 2).await[1], json!(600));
    app.clock.advance(Duration::minutes(10));
    store(&app, vec![check(app.world.domain, app.now(), 200)]).await;
    assert_eq!(today(&app, 3).await, [json!(100.0), json!(600), json!(0)]);
}

#[tokio::test]
async fn overview_and_health_tell_of_a_change_at_once() {
    let app = TestApp::start().await;
    set(&app, &json!({ "confirmation_checks": 1 })).await;
    for what in ["overview", "health"] {
        let path = format!("/domains/{}/{what}", app.world.domain);
        let cache = async || {
            let reply = app.get(&path, &app.world.key).send().await;
            reply.ok();
            reply.header("x-cache").unwrap().to_owned()
        };
        assert_eq!(cache().await, "MISS", "{what}");
        assert_eq!(cache().await, "HIT", "{what}");
        set(&app, &json!({ "recovery_checks": 2 })).await;
        assert_eq!(cache().await, "MISS", "{what}");
    }
}

/// The certificate of then had three days left at the end of the window before; that of now has ninety.
#[tokio::test]
async fn the_earlier_score_goes_by_the_certificate_of_its_time() {
    let app = TestApp::start().await;
    set(&app, &json!({ "interval_seconds": 3600 })).await;
    store(&app, vec![check(app.world.domain, app.now(), 200)]).await;
    app.clock.advance(Duration::days(28));
    let later: FinishedCheck = super::finished(check(app.world.domain, app.now(), 200));
    app.stores.schedule.complete(&[later], app.now()).await.unwrap();
    app.clock.advance(Duration::MINUTE);
    // Today is 28 April; the window before ended with 31 March.
    app.sql(&format!(
        "INSERT INTO uptime_certificate_history (domain_id, fingerprint, first_seen_at, last_seen_at, replaced_at,
             valid_from, valid_until, names_count)
         VALUES ('{0}', repeat('a', 64), '2026-03-01Z', '2026-04-02Z', '2026-04-02Z', '2026-01-01Z', '2026-04-04Z', 1),
             ('{0}', repeat('b', 64), '2026-04-02Z', '2026-04-28Z', NULL, '2026-04-02Z', '2026-07-27Z', 1);
         UPDATE uptime_region_states SET state = jsonb_set(state, '{{certificate_valid_until}}', '\"2026-07-27T00:00:00Z\"')",
        app.world.domain
    ))
    .await;
    let path = format!("/domains/{}/health", app.world.domain);
    let health = app.get(&path, &app.world.key).send().await.ok();
    let uptime = &health["modules"][0];
    assert_eq!(
        (&uptime["score"], &uptime["score_previous"]),
        (&json!(100.0), &json!(80.0)),
        "{uptime}"
    );
}
