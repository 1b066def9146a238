//! /notifications and /domains/{domain_id}/notifications

use serde_json::{Value, json};

use super::{fixtures::Alerting, get, path, post};
use crate::{fixtures::Fixtures, harness::TestApp, uptime::fixtures::Uptime};

/// An app with alerts, and with nothing else that people are told of.
async fn told() -> TestApp {
    let app = TestApp::start().await;
    Uptime.fill(&app).await;
    Alerting.fill(&app).await;
    app
}

fn ids(page: &Value) -> Vec<&str> {
    let items = page["items"].as_array().unwrap();
    items.iter().map(|item| item["id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn an_alert_is_told_as_a_notification() {
    let app = told().await;
    let page = get(&app, "/notifications").await;
    let told = &page["items"][0];
    let alert = get(&app, told["resource_path"].as_str().unwrap()).await;
    assert_eq!(told["alert_id"], alert["id"]);
    assert_eq!(alert["notification_id"], told["id"]);
    for (member, of_alert) in [
        ("title", "title"),
        ("body", "message"),
        ("severity", "severity"),
        ("module", "module"),
        ("created_at", "fired_at"),
    ] {
        assert_eq!(told[member], alert[of_alert], "{member}");
    }
    assert_eq!((&told["type"], &told["read_at"]), (&json!("alert"), &Value::Null));
    for member in [
        "metric",
        "value",
        "threshold_value",
        "operator",
        "unit",
        "url",
        "rule_id",
    ] {
        assert_eq!(told["data"][member], alert[member], "{member}");
    }
    let own = get(&app, &path(&app, "notifications")).await;
    assert_eq!(
        (&own["items"], &own["unread_total"]),
        (&page["items"], &page["unread_total"])
    );
}

/// Two keys of one user share it; another user has not read it.
#[tokio::test]
async fn what_was_read_belongs_to_the_user() {
    let app = told().await;
    let page = get(&app, "/notifications").await;
    let all = ids(&page).len();
    assert_eq!(page["unread_total"], all);
    let one = ids(&page)[0].to_owned();
    let mark = async |body: Value| post(&app, &format!("notifications/{one}/read"), &body).await.ok();
    let read = mark(json!({})).await;
    assert_ne!(read["read_at"], Value::Null);
    app.clock.advance(time::Duration::MINUTE);
    assert_eq!(mark(json!({"read": true})).await, read, "it was read then");
    let other_key = app
        .world
        .another_key(&app.stores, app.world.owner, app.now())
        .await;
    let shared = app
        .get("/notifications?unread=true", &other_key)
        .send()
        .await
        .ok();
    assert_eq!(
        (ids(&shared).len(), &shared["unread_total"]),
        (all - 1, &json!(all - 1))
    );
    let read_ones = get(&app, "/notifications?unread=false").await;
    assert_eq!(ids(&read_ones), [one.as_str()]);
    assert_eq!(
        read_ones["unread_total"],
        all - 1,
        "how many are left, whichever are listed"
    );
    let (colleague, _) = app
        .world
        .key_of(&app.stores, pharos_domain::role::Role::Member, app.now())
        .await;
    let theirs = app.get("/notifications", &colleague).send().await.ok();
    assert_eq!(theirs["unread_total"], all);
    assert_eq!(mark(json!({"read": false})).await["read_at"], Value::Null);
    assert_eq!(get(&app, "/notifications").await["unread_total"], all);
    let stranger = format!("notifications/{}/read", uuid::Uuid::now_v7());
    post(&app, &stranger, &json!({}))
        .await
        .problem(404, "notification-not-found");
}

#[tokio::test]
async fn all_that_was_there_is_marked_at_once() {
    let app = told().await;
    let unread = get(&app, "/notifications").await["unread_total"].clone();
    let mark = async |body: Value| post(&app, "notifications/read-all", &body).await.ok()["updated"].clone();
    assert_eq!(mark(json!({"type": "report_ready"})).await, 0);
    assert_eq!(mark(json!({"before": "2026-03-01T00:00:00Z"})).await, 0);
    app.clock.advance(time::Duration::SECOND);
    assert_eq!(
        mark(json!({"before": "2999-01-01T00:00:00Z", "type": null})).await,
        unread
    );
    assert_eq!(mark(json!({})).await, 0, "again");
    assert_eq!(get(&app, "/notifications").await["unread_total"], 0);
}

#[tokio::test]
async fn lists_are_filtered() {
    let app = told().await;
    let all = ids(&get(&app, "/notifications").await).len();
    for list in ["/notifications".to_owned(), path(&app, "notifications")] {
        for (query, found, unread) in [
            ("type=alert", all, all),
            ("type=quota_warning", 0, 0),
            ("severity=warning", all, all),
            ("severity=info", 0, 0),
            ("module=uptime", all, all),
            ("module=gsc", 0, 0),
            ("unread=true&type=alert&severity=warning", all, all),
            ("unread=false", 0, all),
            ("unread=false&severity=info", 0, 0),
            ("limit=1", 1, all),
        ] {
            let page = get(&app, &format!("{list}?{query}")).await;
            assert_eq!(ids(&page).len(), found, "{list}?{query}");
            assert_eq!(page["unread_total"], unread, "{list}?{query}");
        }
    }
}

#[tokio::test]
async fn an_alert_on_a_measure_has_a_trend() {
    let app = told().await;
    let page = get(&app, "/notifications").await;
    let one = ids(&page)[0];
    let trend = get(&app, &path(&app, &format!("notifications/{one}/trend"))).await;
    assert_eq!(
        (&trend["metric"], &trend["unit"]),
        (&json!("response_ms"), &json!("ms"))
    );
    assert_eq!(trend["granularity"], "day");
    let points = trend["points"].as_array().unwrap();
    assert_eq!(points.len(), 22, "21 days before, and the day itself");
    assert_eq!(points[0]["value"], Value::Null);
    assert_eq!(points[21]["expected_low"], Value::Null, "there is no past");
    assert_ne!(points[21]["value"], Value::Null);
    let outage = super::make(&app, super::outage()).await;
    app.sql(&format!(
        "UPDATE alert_history SET metric = 'consecutive_failures' WHERE notification_id = '{one}'"
    ))
    .await;
    let none = app
        .get(&path(&app, &format!("notifications/{one}/trend")), &app.world.key)
        .send()
        .await;
    none.problem(404, "notification-trend-not-found");
    assert_eq!(outage["metric"], "consecutive_failures");
}
