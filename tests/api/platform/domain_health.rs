//! GET /domains/{domain_id}/health

use pharos_domain::module::Module;
use serde_json::{Value, json};

use super::modules::{Fault, FaultyMonitors, monitor_for_100_hours, see_certificate_end_in};
use crate::{
    harness::{Reply, TestApp},
    uptime::{check, store},
};

async fn ask(app: &TestApp, query: &str) -> Reply {
    let path = format!("/domains/{}/health{query}", app.world.domain);
    app.get(&path, &app.world.key).send().await
}

/// The score and the row of uptime, computed now.
async fn uptime(app: &TestApp) -> (Value, Value) {
    let health = ask(app, "?freshness=live").await.ok();
    (health["score"].clone(), health["modules"][0].clone())
}

#[tokio::test]
async fn without_any_module_there_is_no_score() {
    let app = TestApp::start().await;
    let health = ask(&app, "").await.ok();
    assert_eq!(health["score"], Value::Null);
    let rows = Module::MONITORING.iter().map(|module| {
        json!({
            "module": module.as_str(),
            "score": null,
            "score_previous": null,
            "score_change": null,
            "status": "not_configured",
            "computed_at": null,
            "reasons": [],
        })
    });
    let rows: Vec<Value> = rows.collect();
    assert_eq!(health["modules"], json!(rows));
    assert_eq!(health["unavailable_modules"], json!([]));
    assert_eq!(
        (&health["compare_range_start"], &health["compare_range_end"]),
        (&json!("2026-02-04"), &json!("2026-03-03"))
    );
    assert_eq!(health["meta"]["range_start"], "2026-03-04");
}

/// Worked out by hand: 98 % (see `monitor_for_100_hours`) is 100 × (98 − 95) ÷ 5 = 60, and 40 with a certificate that
/// has 6 days. 28 days on, those 60 are the score of the window before, and one good check scores 100: 40 more.
#[tokio::test]
async fn uptime_is_scored_by_availability_and_certificate() {
    let app = TestApp::start().await;
    monitor_for_100_hours(&app).await;
    let low = json!({ "code": "low_uptime", "severity": "warning", "value": 98.0, "threshold": 99.5, "unit": "pct" });
    let (score, row) = uptime(&app).await;
    assert_eq!(score, 60.0);
    assert_eq!(
        row,
        json!({
            "module": "uptime",
            "score": 60.0,
            "score_previous": null,
            "score_change": null,
            "status": "warning",
            "computed_at": "2026-04-04T13:15:00Z",
            "reasons": [low],
        })
    );

    see_certificate_end_in(&app, time::Duration::hours(6 * 24 + 5)).await;
    let (score, row) = uptime(&app).await;
    assert_eq!((&score, &row["status"]), (&json!(40.0), &json!("critical")));
    let ends = json!({
        "code": "certificate_expiring", "severity": "warning", "value": 6.0, "threshold": 7.0, "unit": "days",
    });
    assert_eq!(row["reasons"], json!([low, ends]));

    see_certificate_end_in(&app, time::Duration::days(90)).await;
    app.clock.advance(time::Duration::days(28));
    let (score, row) = uptime(&app).await;
    assert_eq!((&score, &row["status"]), (&Value::Null, &json!("no_data")));
    assert_eq!(
        (&row["score_previous"], &row["score_change"]),
        (&json!(60.0), &Value::Null)
    );

    store(&app, vec![check(app.world.domain, app.now(), 200)]).await;
    see_certificate_end_in(&app, time::Duration::days(90)).await;
    app.clock.advance(time::Duration::HOUR);
    let (score, row) = uptime(&app).await;
    assert_eq!((&score, &row["status"]), (&json!(100.0), &json!("ok")));
    assert_eq!(
        (&row["score_previous"], &row["score_change"]),
        (&json!(60.0), &json!(40.0))
    );
    assert_eq!(row["reasons"], json!([]));
}

#[tokio::test]
async fn an_answer_says_whether_it_was_computed_or_kept() {
    let app = TestApp::start().await;
    let seen = |reply: &Reply| {
        let health = reply.ok();
        [
            health["freshness"].clone(),
            reply.header("x-cache").unwrap().into(),
            reply.header("x-credits-cost").unwrap().into(),
            health["meta"]["generated_at"].clone(),
        ]
    };
    let first = "2026-03-31T09:15:00Z";
    let second = "2026-03-31T09:25:00Z";
    assert_eq!(seen(&ask(&app, "").await), ["live", "MISS", "5", first]);
    app.clock.advance(time::Duration::minutes(10));
    assert_eq!(seen(&ask(&app, "").await), ["cached", "HIT", "0", first]);
    assert_eq!(
        seen(&ask(&app, "?freshness=cached").await),
        ["cached", "HIT", "0", first]
    );
    let live = ask(&app, "?freshness=live").await;
    assert_eq!(seen(&live), ["live", "MISS", "5", second]);
    // It took the place of the one before.
    app.clock.advance(time::Duration::minutes(10));
    assert_eq!(seen(&ask(&app, "").await), ["cached", "HIT", "0", second]);
    for wrong in ["?freshness=stale", "?freshness="] {
        assert_eq!(ask(&app, wrong).await.faults(), ["freshness"], "{wrong}");
    }
}

#[tokio::test]
async fn a_module_that_fails_has_its_row_and_the_answer_is_not_kept() {
    let faulty = FaultyMonitors::default();
    let app = TestApp::with_monitors(faulty.wrapper()).await;
    // A failure does not lose the answer that was kept before.
    ask(&app, "").await.ok();
    faulty.set(Fault::Fails);
    let reply = ask(&app, "?freshness=live").await;
    assert_eq!(reply.header("x-credits-cost"), Some("5"));
    let health = reply.ok();
    assert_eq!(health["unavailable_modules"], json!(["uptime"]));
    assert_eq!(
        (&health["modules"][0]["status"], &health["modules"][1]["status"]),
        (&json!("failed"), &json!("not_configured"))
    );
    let kept = ask(&app, "").await;
    assert_eq!(kept.header("x-cache"), Some("HIT"));
    assert_eq!(kept.ok()["unavailable_modules"], json!([]));
    app.clock.advance(time::Duration::HOUR + time::Duration::SECOND);
    for _ in 0..2 {
        assert_eq!(ask(&app, "").await.header("x-cache"), Some("MISS"));
    }
}
