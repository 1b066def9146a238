//! GET /domains/{domain_id}/uptime/incidents and /incidents/{incident_id}

use serde_json::{Value, json};
use time::Duration;

use super::{check, path, store};
use crate::harness::{TestApp, World};

/// The world's site fails two minutes and one minute ago, which is an incident; whatever comes next ends it.
pub(crate) async fn meet(app: &TestApp) {
    let failing = [2, 1].map(|minutes| check(app.world.domain, app.now() - Duration::minutes(minutes), 503));
    store(app, failing.into()).await;
    // Asked for otherwise than tests do that look at the cache.
    let listed = app
        .get(&path(app, "incidents?status=open"), &app.world.key)
        .send()
        .await;
    let id = listed.json()["items"][0]["incident_id"]
        .as_str()
        .and_then(|id| id.parse().ok());
    if let Some(id) = id {
        app.world.identify("incident_id", id);
    }
}

/// A monitor, and checks a minute apart, one for each status.
pub(super) async fn watched(settings: Value, statuses: &[u16]) -> TestApp {
    let app = TestApp::start().await;
    let created = app.put(&path(&app, "config"), &app.world.key, &settings);
    created.send().await.ok();
    for status in statuses {
        store(&app, vec![check(app.world.domain, app.now(), *status)]).await;
        app.clock.advance(Duration::MINUTE);
    }
    app
}

async fn list(app: &TestApp, query: &str) -> Value {
    let listed = app.get(&path(app, &format!("incidents?{query}")), &app.world.key);
    listed.send().await.ok()
}

#[tokio::test]
async fn an_incident_is_told_from_its_first_failure_to_its_first_pass() {
    let app = watched(json!({}), &[200, 503, 503, 200]).await;
    let page = list(&app, "").await;
    let incident = &page["items"][0];
    let id = incident["incident_id"].as_str().unwrap();
    assert_eq!(
        *incident,
        json!({
            "incident_id": id, "class": "http_5xx", "severity": "outage", "status": "resolved",
            "started_at": "2026-03-31T09:16:00Z", "confirmed_at": "2026-03-31T09:17:00Z",
            "resolved_at": "2026-03-31T09:18:00Z", "duration_seconds": 120,
            "regions_affected": ["local"], "status_code": 503, "error_message": "answered 503",
            "checks_failed": 2, "during_maintenance": false, "alert_ids": [],
        })
    );
    assert_eq!(
        (&page["scanned"], &page["window_truncated"]),
        (&json!(1), &json!(false))
    );
    assert_eq!(page["class_counts"]["http_5xx"], 1);
    assert_eq!(page["class_counts"]["dns"], 0, "a class that was not seen");
    let detail = app.get(&path(&app, &format!("incidents/{id}")), &app.world.key);
    let detail = detail.send().await.ok();
    let course: Vec<(&str, &str)> = detail["timeline"]
        .as_array()
        .unwrap()
        .iter()
        .map(|moment| (moment["at"].as_str().unwrap(), moment["event"].as_str().unwrap()))
        .collect();
    assert_eq!(
        course,
        [
            ("2026-03-31T09:16:00Z", "first_failure"),
            ("2026-03-31T09:17:00Z", "confirmed"),
            ("2026-03-31T09:18:00Z", "region_recovered"),
            ("2026-03-31T09:18:00Z", "recovered"),
        ]
    );
    let failed: Vec<&Value> = detail["checks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|check| &check["status_code"])
        .collect();
    assert_eq!(failed, [503, 503]);
    assert_eq!(
        (&detail["resolved_ip"], &detail["response_headers"]),
        (&json!("203.0.113.7"), &Value::Null)
    );
}

#[tokio::test]
async fn lists_hold_what_their_filters_let_through_and_count_all_classes() {
    let app = watched(json!({}), &[503, 503, 200, 404, 404]).await;
    let classes = |page: &Value| -> Vec<String> {
        let items = page["items"].as_array().unwrap().iter();
        items
            .map(|item| item["class"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(classes(&list(&app, "").await), ["http_4xx", "http_5xx"]);
    assert_eq!(classes(&list(&app, "status=open").await), ["http_4xx"]);
    let of_class = list(&app, "class=http_5xx").await;
    assert_eq!(classes(&of_class), ["http_5xx"]);
    assert_eq!(
        (&of_class["scanned"], &of_class["class_counts"]["http_4xx"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(
        classes(&list(&app, "end_date=2026-03-30").await),
        Vec::<String>::new()
    );
    let first = list(&app, "limit=1").await;
    let cursor = first["next_cursor"].as_str().unwrap();
    let second = list(&app, &format!("limit=1&cursor={cursor}")).await;
    assert_eq!(
        (classes(&first), classes(&second)),
        (vec!["http_4xx".to_owned()], vec!["http_5xx".to_owned()])
    );
    assert_eq!(second["has_more"], false);
}

/// 2,001 outages of one class, and three of another before them.
#[tokio::test]
async fn class_counts_claim_no_more_than_was_read() {
    let app = watched(json!({}), &[]).await;
    app.sql(&format!(
        "INSERT INTO uptime_incidents (id, domain_id, class, severity, started_at, confirmed_at, resolved_at,
             checks_failed, response_headers, during_maintenance)
         SELECT gen_random_uuid(), '{}', CASE WHEN n <= 3 THEN 'tls' ELSE 'dns' END, 'outage',
             timestamptz '2026-03-20Z' + n * interval '1 minute', timestamptz '2026-03-20Z' + n * interval '1 minute',
             timestamptz '2026-03-20Z' + n * interval '1 minute', 2, '{{}}', false
         FROM generate_series(1, 2004) AS n",
        app.world.domain
    ))
    .await;
    let all = list(&app, "limit=1").await;
    assert_eq!(
        (&all["scanned"], &all["window_truncated"], &all["class_counts"]),
        (&json!(2_000), &json!(true), &json!({ "dns": 2_000 }))
    );
    let of_class = list(&app, "class=tls").await;
    assert_eq!(of_class["items"].as_array().unwrap().len(), 3);
    // Nothing is said of the classes that may lie further back: neither a zero, nor that there are none.
    assert_eq!(
        (
            &of_class["scanned"],
            &of_class["window_truncated"],
            &of_class["class_counts"]
        ),
        (&json!(3), &json!(true), &json!({ "dns": 2_000, "tls": 3 }))
    );
    let few = list(&app, "class=tls&end_date=2026-03-19").await;
    assert_eq!(
        (&few["scanned"], &few["window_truncated"]),
        (&json!(0), &json!(false))
    );
    assert_eq!(few["class_counts"]["dns"], 0);
}

/// 09:16:00.9 to 09:18:00.1 is shown as 09:16:00 to 09:18:00.
#[tokio::test]
async fn an_incident_lasts_from_the_stamp_that_is_shown_to_the_other() {
    let app = watched(json!({}), &[200]).await;
    for (second, status) in [(0.9, 503), (60.5, 503), (120.1, 200)] {
        let at = app.now() + Duration::seconds_f64(second);
        store(&app, vec![check(app.world.domain, at, status)]).await;
    }
    app.clock.advance(Duration::minutes(5));
    let incident = &list(&app, "").await["items"][0];
    assert_eq!(
        (
            &incident["started_at"],
            &incident["resolved_at"],
            &incident["duration_seconds"]
        ),
        (
            &json!("2026-03-31T09:16:00Z"),
            &json!("2026-03-31T09:18:00Z"),
            &json!(120)
        )
    );
    let availability = app
        .get(&path(&app, "availability"), &app.world.key)
        .send()
        .await
        .ok();
    assert_eq!(availability["longest_incident_seconds"], 120);
    assert_eq!(availability["mttr_seconds"], 120.0);
}

#[tokio::test]
async fn an_incident_of_another_domain_is_not_found() {
    let app = watched(json!({}), &[503, 503]).await;
    let id = list(&app, "").await["items"][0]["incident_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let other = World::create(&app.stores, app.now()).await;
    let target = format!("/domains/{}/uptime/incidents/{id}", other.domain);
    app.get(&target, &other.key)
        .send()
        .await
        .problem(404, "incident-not-found");
}

#[tokio::test]
async fn without_a_monitor_there_are_no_incidents() {
    let app = TestApp::start().await;
    let listed = app.get(&path(&app, "incidents"), &app.world.key);
    listed.send().await.problem(404, "uptime-not-found");
}

/// Paused at 09:17, resumed at 09:47: the outage ends with the pause, and the half hour counts as nothing.
#[tokio::test]
async fn a_pause_ends_an_incident_and_counts_as_nothing() {
    let app = watched(json!({}), &[503, 503]).await;
    let set = async |enabled: bool| {
        let change = app.put(
            &path(&app, "config"),
            &app.world.key,
            &json!({ "enabled": enabled }),
        );
        change.send().await.ok();
    };
    set(false).await;
    app.clock.advance(Duration::minutes(30));
    set(true).await;
    store(&app, vec![check(app.world.domain, app.now(), 200)]).await;
    app.clock.advance(Duration::MINUTE);
    let incident = &list(&app, "").await["items"][0];
    assert_eq!(
        (&incident["resolved_at"], &incident["duration_seconds"]),
        (&json!("2026-03-31T09:17:00Z"), &json!(120))
    );
    let availability = app.get(&path(&app, "availability?period_days=1"), &app.world.key);
    let availability = availability.send().await.ok();
    // Down 09:15 to 09:17, up 09:47 to 09:48.
    assert_eq!(availability["downtime_seconds"], 120);
    assert_eq!(availability["unobserved_seconds"], 0);
    let uptime = availability["uptime_pct"].as_f64().unwrap();
    assert!((uptime - 100.0 * 60.0 / 180.0).abs() < 1e-9, "{uptime}");
}

/// A newer version wrote them: they are left out, and all else is shown.
#[tokio::test]
async fn what_can_not_be_read_is_left_out_of_lists_and_noted() {
    let app = watched(json!({}), &[200, 503, 503, 200, 503, 503, 200]).await;
    app.sql("ALTER TABLE uptime_checks DROP CONSTRAINT uptime_checks_outcome_check")
        .await;
    app.sql(
        "UPDATE uptime_checks SET outcome = 'weather'
         WHERE checked_at = (SELECT max(checked_at) FROM uptime_checks WHERE status_code = 503)",
    )
    .await;
    app.sql(
        "UPDATE uptime_incidents SET class = 'weather'
         WHERE started_at = (SELECT min(started_at) FROM uptime_incidents)",
    )
    .await;
    let page = list(&app, "").await;
    let incidents = page["items"].as_array().unwrap();
    assert_eq!(incidents.len(), 1, "{page}");
    let checks = app.get(&path(&app, "checks"), &app.world.key).send().await.ok();
    assert_eq!(checks["items"].as_array().unwrap().len(), 6);
    let id = incidents[0]["incident_id"].as_str().unwrap();
    let detail = app.get(&path(&app, &format!("incidents/{id}")), &app.world.key);
    let detail = detail.send().await.ok();
    assert_eq!(
        detail["checks"].as_array().unwrap().len(),
        1,
        "of two failing ones"
    );
    let noted = app.sql("SELECT DISTINCT kind FROM set_aside ORDER BY kind").await;
    assert_eq!(
        noted,
        [["check"], ["incident"]].map(|row| row.map(|kind| Some(kind.to_owned())))
    );
}
