//! GET /domains/{domain_id}/uptime/availability, /response-times and /regions

use serde_json::{Value, json};

use super::{incidents::watched, path};
use crate::harness::TestApp;

async fn read(app: &TestApp, rest: &str) -> Value {
    app.get(&path(app, rest), &app.world.key).send().await.ok()
}

/// Worked out by hand: from 09:15 to 09:19 up, down, down, up: 120 of 240 seconds.
#[tokio::test]
async fn availability_is_weighted_by_time() {
    let app = watched(json!({ "sla_target_pct": 99.9 }), &[200, 503, 503, 200]).await;
    let mut found = read(&app, "availability?period_days=1").await;
    let meta = found["meta"].take();
    assert_eq!(
        found,
        json!({
            "uptime_pct": 50.0, "downtime_seconds": 120, "maintenance_seconds": 0, "unobserved_seconds": 0,
            "checks_total": 4, "checks_up": 2, "checks_down": 2, "checks_degraded": 0,
            "incident_count": 1, "longest_incident_seconds": 120, "mttr_seconds": 120.0, "mtbf_seconds": null,
            "avg_response_ms": 120.5, "p95_response_ms": 120.5, "sla_target_pct": 99.9, "sla_met": false,
            "items": [{
                "bucket_start": "2026-03-31T00:00:00Z", "uptime_pct": 50.0, "downtime_seconds": 120,
                "incident_count": 1, "checks_total": 4,
            }],
            "meta": null,
        })
    );
    assert_eq!(
        (&meta["range_start"], &meta["data_through"]),
        (&json!("2026-03-31"), &json!("2026-03-31T09:18:00Z"))
    );
}

/// The last check began at 09:18, and twenty seconds are over since.
#[tokio::test]
async fn data_is_complete_up_to_the_last_check_and_no_later() {
    let app = watched(json!({}), &[200, 503, 503, 200]).await;
    app.clock.advance(time::Duration::seconds(20));
    let through = async |rest: &str| read(&app, rest).await["meta"]["data_through"].take();
    for rest in ["availability", "incidents", "response-times", "regions"] {
        assert_eq!(through(rest).await, "2026-03-31T09:18:00Z", "{rest}");
    }
    assert_eq!(
        through("response-times?region=nowhere").await,
        Value::Null,
        "no region of that name has checked"
    );
    assert_eq!(
        through("availability?end_date=2026-03-30").await,
        "2026-03-31T00:00:00Z",
        "all of a window that is over is known"
    );
}

#[tokio::test]
async fn a_comparison_is_there_when_it_is_asked_for() {
    let app = watched(json!({}), &[200, 503, 503, 200]).await;
    let found = read(&app, "availability?period_days=7&compare_previous=true").await;
    let comparison = &found["comparison"];
    assert_eq!(
        comparison["uptime_pct"],
        json!({ "current": 50.0, "previous": null, "change": null, "change_pct": null })
    );
    assert_eq!(found["items"].as_array().unwrap().len(), 7);
    assert_eq!(
        found["items"][0]["uptime_pct"],
        Value::Null,
        "nothing was observed then"
    );
    assert_eq!(found["meta"]["compare_range_end"], "2026-03-24");
}

/// A window from 09:16 to 09:17:30 takes a minute and a half out of an outage from 09:16 to 09:18.
#[tokio::test]
async fn maintenance_within_an_outage_is_no_downtime() {
    let window = json!({
        "name": "deploy", "starts_at": "2026-03-31T09:16:00Z", "ends_at": "2026-03-31T09:17:30Z",
        "recurrence": "none", "weekdays": [], "timezone": "UTC",
    });
    let app = watched(json!({ "maintenance_windows": [window] }), &[503, 503, 503, 200]).await;
    let found = read(&app, "availability?period_days=1").await;
    // 09:15 to 09:16 down, to 09:17:30 maintenance, to 09:18 down, to 09:19 up.
    assert_eq!(
        (&found["downtime_seconds"], &found["maintenance_seconds"]),
        (&json!(90), &json!(90))
    );
    assert_eq!(found["uptime_pct"], 40.0);
}

#[tokio::test]
async fn response_times_are_those_of_answers_alone() {
    let app = watched(json!({}), &[200, 503, 503, 200]).await;
    let found = read(&app, "response-times?period_days=1").await;
    assert_eq!(
        (&found["summary"]["sample_count"], &found["summary"]["p99_ms"]),
        (&json!(2), &json!(120.5))
    );
    // 50 of 115.375, to a tenth.
    assert_eq!(found["phases"]["ttfb"]["share_pct"], 43.3);
    let items = found["items"].as_array().unwrap();
    assert_eq!(items.len(), 10, "the hours of today up to now");
    assert_eq!(
        (&items[0]["sample_count"], &items[0]["avg_ms"]),
        (&json!(0), &Value::Null)
    );
    assert_eq!(
        (&items[9]["bucket_start"], &items[9]["sample_count"]),
        (&json!("2026-03-31T09:00:00Z"), &json!(2))
    );
    let elsewhere = read(&app, "response-times?period_days=1&granularity=day&region=mars").await;
    assert_eq!(elsewhere["summary"]["sample_count"], 0);
}

#[tokio::test]
async fn each_region_has_its_own_figures() {
    let app = watched(json!({}), &[200, 503, 503, 200]).await;
    let found = read(&app, "regions?period_days=1").await;
    assert_eq!(
        found["items"],
        json!([{
            "region": "local", "name": "local", "continent": "unknown", "country": null, "active": true,
            "uptime_pct": 50.0, "avg_response_ms": 120.5, "p95_response_ms": 120.5, "checks_total": 4,
            "checks_down": 2, "incident_count": 1, "last_check_at": "2026-03-31T09:18:00Z", "last_outcome": "up",
        }])
    );
}

#[tokio::test]
async fn without_a_monitor_there_is_no_history() {
    let app = TestApp::start().await;
    for rest in ["availability", "response-times", "regions"] {
        app.get(&path(&app, rest), &app.world.key)
            .send()
            .await
            .problem(404, "uptime-not-found");
    }
}
