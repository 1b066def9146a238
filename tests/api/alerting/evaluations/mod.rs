//! Rules that are evaluated: what fires, and when it is over.

mod clocks;
mod ends;
mod silence;
mod wakes;

use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};

use super::{evaluate, evaluate_later, evaluator, get, make, outage, path};
use crate::{
    harness::TestApp,
    uptime::{check, store},
};

/// An app whose site is watched, and up.
pub(super) async fn watched() -> TestApp {
    let app = TestApp::start().await;
    let config = path(&app, "uptime/config");
    app.put(&config, &app.world.key, &json!({})).send().await.ok();
    see(&app, 200).await;
    app
}

/// The site answers this now.
pub(super) async fn see(app: &TestApp, status: u16) {
    store(app, vec![check(app.world.domain, app.now(), status)]).await;
}

pub(super) async fn rule(app: &TestApp, made: &Value) -> Value {
    get(
        app,
        &path(app, &format!("alerts/rules/{}", made["id"].as_str().unwrap())),
    )
    .await
}

async fn history(app: &TestApp) -> Vec<Value> {
    let page = get(app, "/alerts/history").await;
    page["items"].as_array().unwrap().clone()
}

#[tokio::test]
async fn an_outage_fires_once_and_is_resolved() {
    let app = watched().await;
    let made = make(&app, outage()).await;
    evaluate(&app).await;
    let calm = rule(&app, &made).await;
    assert_eq!((&calm["state"], &calm["last_value"]), (&json!("ok"), &json!(0.0)));
    for _ in 0..2 {
        app.clock.advance(Duration::MINUTE);
        see(&app, 503).await;
    }
    for _ in 0..2 {
        evaluate_later(&app, 1).await;
    }
    let fired = history(&app).await;
    assert_eq!(fired.len(), 1, "one breach");
    let alert = &fired[0];
    assert_eq!(
        (
            &alert["value"],
            &alert["threshold_value"],
            &alert["severity"],
            &alert["resolved_at"]
        ),
        (&json!(2.0), &json!(2.0), &json!("critical"), &Value::Null)
    );
    assert_eq!(alert["title"], "shop.example: 2 failing checks in a row");
    let incidents = get(&app, &path(&app, "uptime/incidents")).await;
    let incident = &incidents["items"][0];
    assert_eq!(alert["context"]["incident_id"], incident["incident_id"]);
    assert_eq!(alert["context"]["reason"], "answered 503");
    let message = alert["message"].as_str().unwrap();
    assert!(message.ends_with(" The last error: answered 503."), "{message}");
    assert_eq!(incident["alert_ids"], json!([alert["id"]]));
    let detail = format!("uptime/incidents/{}", incident["incident_id"].as_str().unwrap());
    assert_eq!(
        get(&app, &path(&app, &detail)).await["alert_ids"],
        json!([alert["id"]])
    );
    let firing = rule(&app, &made).await;
    assert_eq!(
        (&firing["state"], &firing["last_fired_at"]),
        (&json!("firing"), &alert["fired_at"])
    );

    see(&app, 200).await;
    see(&app, 200).await;
    evaluate_later(&app, 1).await;
    let over = history(&app).await;
    assert_eq!(over.len(), 1);
    assert_ne!(over[0]["resolved_at"], Value::Null);
    assert_eq!(rule(&app, &made).await["state"], "ok");
    let one = get(
        &app,
        &format!("/alerts/history/{}", alert["id"].as_str().unwrap()),
    )
    .await;
    assert_eq!(one, over[0]);
}

#[tokio::test]
async fn two_nodes_fire_one_alert_for_one_breach() {
    let app = watched().await;
    for _ in 0..40 {
        make(&app, outage()).await;
    }
    for _ in 0..2 {
        app.clock.advance(Duration::MINUTE);
        see(&app, 503).await;
    }
    let nodes = [
        evaluator(&app).await,
        evaluator(&app).await,
        evaluator(&app).await,
    ];
    for _ in 0..3 {
        app.clock.advance(Duration::MINUTE);
        let all = nodes
            .iter()
            .map(|node| async { while node.once().await.unwrap() > 0 {} });
        futures_util::future::join_all(all).await;
    }
    let fired = app
        .sql("SELECT count(*), count(DISTINCT rule_id), count(DISTINCT notification_id) FROM alert_history")
        .await;
    assert_eq!(fired, [["40", "40", "40"].map(|count| Some(count.to_owned()))]);
}

/// Events are counted whenever a node comes to it, each by every rule, and none twice.
#[tokio::test]
async fn events_are_counted_once_however_long_no_node_was_there() {
    let app = watched().await;
    let rule = json!({
        "module": "uptime", "metric": "ssl_certificate_changed", "operator": "gte", "threshold_value": 1,
    });
    for _ in 0..2 {
        make(&app, rule.clone()).await;
    }
    evaluate(&app).await;
    assert_eq!(history(&app).await.len(), 0);
    let changed = format!(
        "INSERT INTO metric_events (domain_id, module, metric, at, context)
         VALUES ('{}', 'uptime', 'ssl_certificate_changed', now(), '{{}}')",
        app.world.domain
    );
    for _ in 0..3 {
        app.sql(&changed).await;
    }
    evaluate_later(&app, 600).await;
    let fired = history(&app).await;
    let values: Vec<&Value> = fired.iter().map(|alert| &alert["value"]).collect();
    assert_eq!(values, [&json!(3.0), &json!(3.0)]);
    assert!(
        fired
            .iter()
            .all(|alert| alert["resolved_at"] == alert["fired_at"]),
        "they are over as they are told"
    );
    evaluate_later(&app, 1).await;
    assert_eq!(history(&app).await.len(), 2);
    app.sql(&changed).await;
    evaluate_later(&app, 1).await;
    assert_eq!(history(&app).await.len(), 4);
}

/// A change that changes nothing leaves a rule as it is.
#[tokio::test]
async fn a_rule_that_is_put_as_it_is_was_not_changed() {
    let app = firing_now().await;
    app.sql("UPDATE alert_rules SET updated_at = updated_at - interval '1 hour'")
        .await;
    let rules = get(&app, &path(&app, "alerts/rules")).await;
    let before = rules["items"][0].clone();
    let rule = path(&app, &format!("alerts/rules/{}", before["id"].as_str().unwrap()));
    for same in [json!({}), json!({"threshold_value": 0, "cooldown_minutes": 60})] {
        let put = app.put(&rule, &app.world.key, &same).send().await.ok();
        assert_eq!(put, before);
    }
    let other = app
        .put(&rule, &app.world.key, &json!({"cooldown_minutes": 61}))
        .send()
        .await
        .ok();
    assert_ne!(other["updated_at"], before["updated_at"]);
}

/// 499 alerts of the hour before, and a rule that has fired in it: it fires for the 500th, and then waits.
#[tokio::test]
async fn a_domain_that_fires_without_end_is_held_back_and_says_so() {
    let app = firing_now().await;
    app.sql("UPDATE alert_rules SET cooldown_minutes = 1").await;
    evaluate(&app).await;
    app.sql(
        "INSERT INTO alert_history (id, domain_id, workspace_id, notification_id, module, metric, metric_label, unit, operator,
             threshold, evaluation_window, value, severity, title, message, context, fired_at, resolved_at, end_reason)
         SELECT gen_random_uuid(), h.domain_id, h.workspace_id, h.notification_id, h.module, h.metric, h.metric_label, h.unit,
             h.operator, h.threshold, h.evaluation_window, h.value, h.severity, h.title, h.message, h.context,
             h.fired_at, h.fired_at, 'over'
         FROM alert_history AS h, generate_series(1, 498)",
    )
    .await;
    let fired = async || {
        // The rule is due, and has not fired for as long as its cooldown is.
        app.sql("UPDATE alert_evaluations SET next_evaluation_at = now(), last_fired_at = now() - interval '5 minutes'")
            .await;
        app.clock.advance(OffsetDateTime::now_utc() - app.now());
        evaluate(&app).await;
        let told = "SELECT count(*)::text, count(*) FILTER (WHERE message LIKE '%alert number 500%')::text FROM alert_history";
        app.sql(told).await[0].clone()
    };
    let counts = |all: &str, told: &str| vec![Some(all.to_owned()), Some(told.to_owned())];
    assert_eq!(fired().await, counts("500", "1"));
    assert_eq!(fired().await, counts("500", "1"), "it waits");
    app.sql("UPDATE alert_history SET fired_at = fired_at - interval '2 hours', resolved_at = fired_at WHERE rule_id IS NULL")
        .await;
    assert_eq!(fired().await, counts("501", "1"), "there are fewer");
}

/// A rule that fires as long as the site is up, on an app whose clock is right.
async fn firing_now() -> TestApp {
    let app = watched().await;
    app.clock.advance(OffsetDateTime::now_utc() - app.now());
    see(&app, 200).await;
    let rule = json!({
        "module": "uptime", "metric": "consecutive_failures", "operator": "lte", "threshold_value": 0,
        "cooldown_minutes": 60,
    });
    make(&app, rule).await;
    app
}
