//! /notifications and /domains/{domain_id}/notifications

use serde_json::{Value, json};
use time::Duration;

use super::{
    evaluate_later,
    evaluations::{see, watched},
    fixtures::Alerting,
    get, make, outage, path, post,
};
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
    // As a node would see it that does not know the metric.
    app.sql(&format!(
        "UPDATE alert_history SET metric = 'response_days' WHERE notification_id = '{one}'"
    ))
    .await;
    let none = app
        .get(&path(&app, &format!("notifications/{one}/trend")), &app.world.key)
        .send()
        .await;
    none.problem(404, "notification-trend-not-found");
}

/// The trend of the newest alert.
pub(super) async fn trend_of_the_newest(app: &TestApp) -> Value {
    let page = get(app, "/notifications?type=alert").await;
    let one = ids(&page)[0].to_owned();
    get(app, &path(app, &format!("notifications/{one}/trend"))).await
}

/// Nothing is kept of failures in a row but what the alert says.
#[tokio::test]
async fn an_alert_on_a_state_without_a_past_has_the_value_that_it_fired_by() {
    let app = watched().await;
    make(&app, outage()).await;
    for _ in 0..2 {
        app.clock.advance(Duration::MINUTE);
        see(&app, 503).await;
    }
    evaluate_later(&app, 1).await;
    let trend = trend_of_the_newest(&app).await;
    for (member, value) in [
        ("metric", json!("consecutive_failures")),
        ("granularity", json!("day")),
        ("threshold_value", json!(2.0)),
        ("baseline_value", Value::Null),
        ("window_start", json!("2026-03-10T00:00:00Z")),
        ("window_end", json!("2026-04-01T00:00:00Z")),
    ] {
        assert_eq!(trend[member], value, "{member}");
    }
    let points = trend["points"].as_array().unwrap();
    assert_eq!(points.len(), 22);
    for point in points {
        let is_fired = point["bucket_start"] == "2026-03-31T00:00:00Z";
        let value = if is_fired { json!(2.0) } else { Value::Null };
        assert_eq!(point["value"], value, "{point}");
        assert_eq!(
            (&point["expected_low"], &point["expected_high"]),
            (&Value::Null, &Value::Null)
        );
    }
}

/// 100 URLs were in the index for 90 days, and 60 are today. With a past that never differs a deviation is one percent of it.
#[tokio::test]
async fn an_alert_on_a_state_with_a_past_has_its_course_and_what_was_to_be_expected() {
    for (operator, threshold, granularity, points, since) in [
        ("pct_decrease", 10, "day", 22, "2026-03-31T00:00:00Z"),
        // By the hours of the week, as the rule itself judges: from midnight on there are 60.
        ("anomaly", 5, "hour", 37, "2026-03-31T00:00:00Z"),
    ] {
        let app = TestApp::start().await;
        app.sql(&format!(
            "INSERT INTO indexing_days (domain_id, day, inspected, indexed, unknown, by_reason, fetch_errors,
                 canonical_mismatches, rich_result_errors)
             SELECT '{}', '{}'::date - n, 100, CASE n WHEN 0 THEN 60 ELSE 100 END, 0, '{{}}', 0, 0, 0
             FROM generate_series(0, 90) AS n",
            app.world.domain,
            app.now().date()
        ))
        .await;
        let rule = json!({
            "module": "indexing", "metric": "indexed_urls", "operator": operator, "threshold_value": threshold,
            "comparison_window": "previous_7_days",
        });
        make(&app, rule).await;
        evaluate_later(&app, 1).await;
        let trend = trend_of_the_newest(&app).await;
        assert_eq!(trend["granularity"], granularity, "{operator}");
        assert_eq!(trend["baseline_value"], 100.0, "{operator}");
        let found = trend["points"].as_array().unwrap();
        assert_eq!(found.len(), points, "{operator}");
        let (low, high) = if operator == "anomaly" {
            (95.0, 105.0)
        } else {
            (97.0, 103.0)
        };
        for point in found {
            let is_less = point["bucket_start"].as_str().unwrap() >= since;
            let value = if is_less { 60.0 } else { 100.0 };
            assert_eq!(point["value"], value, "{operator}: {point}");
            assert_eq!(point["expected_low"], low, "{operator}: {point}");
            assert_eq!(point["expected_high"], high, "{operator}: {point}");
        }
    }
}
