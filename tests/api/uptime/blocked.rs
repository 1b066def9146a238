//! Sites that refuse the prober with 403: what status and overview say of them.

use pharos_uptime::history::RegionPlace;
use serde_json::{Value, json};
use time::Duration;

use super::{check, path, store};
use crate::harness::TestApp;

/// A monitor in these regions, and checks from all of them in the minutes given, by the clock that stands there then.
async fn refused(regions: &[&str], checks: &[(i64, u16)]) -> TestApp {
    let app = TestApp::start().await;
    for region in regions {
        let place = RegionPlace::unnamed(region);
        app.stores
            .schedule
            .register_region(&place, app.now())
            .await
            .unwrap();
    }
    let settings = json!({ "regions": regions });
    let configured = app.put(&path(&app, "config"), &app.world.key, &settings);
    configured.send().await.ok();
    let zero = app.now();
    for (minute, status) in checks {
        app.clock.advance(zero + Duration::minutes(*minute) - app.now());
        for region in regions {
            answer(&app, region, *status).await;
        }
    }
    app
}

/// Stores what a region finds now.
async fn answer(app: &TestApp, region: &str, status: u16) {
    let mut check = check(app.world.domain, app.now(), status);
    check.region = region.to_owned();
    store(app, vec![check]).await;
}

/// The state, whether status and overview say that it is blocked, and the severity of the incident.
async fn told(app: &TestApp) -> (Value, Value, Value, Value) {
    let ask = async |path: String| app.get(&path, &app.world.key).send().await.ok();
    let status = ask(path(app, "status")).await;
    let overview = ask(format!("/domains/{}/overview", app.world.domain)).await;
    let incidents = ask(path(app, "incidents")).await;
    (
        status["state"].clone(),
        status["is_blocked_403"].clone(),
        overview["uptime"]["is_blocked_403"].clone(),
        incidents["items"][0]["severity"].clone(),
    )
}

fn blocked() -> (Value, Value, Value, Value) {
    (json!("blocked"), json!(true), json!(true), json!("degraded"))
}

fn down() -> (Value, Value, Value, Value) {
    (json!("down"), json!(false), json!(false), json!("outage"))
}

#[tokio::test]
async fn two_regions_that_are_refused_after_an_answer_are_blocked_until_one_gets_in() {
    let app = refused(&["eu", "us"], &[(0, 200), (1, 403), (2, 403)]).await;
    assert_eq!(told(&app).await, blocked());
    app.clock.advance(Duration::MINUTE);
    answer(&app, "eu", 200).await;
    // The overview is kept for an hour.
    app.clock.advance(Duration::HOUR);
    let (_, status, overview, _) = told(&app).await;
    assert_eq!((status, overview), (json!(false), json!(false)));
}

/// An answer ten minutes before the second 403 is evidence, one of eleven minutes before it is not.
#[tokio::test]
async fn an_answer_is_evidence_for_ten_minutes() {
    let app = refused(&["eu", "us"], &[(0, 200), (9, 403), (10, 403)]).await;
    assert_eq!(told(&app).await, blocked());
    let app = refused(&["eu", "us"], &[(0, 200), (10, 403), (11, 403)]).await;
    assert_eq!(told(&app).await, down());
}

#[tokio::test]
async fn one_region_alone_or_mixed_failures_are_not_blocked() {
    let app = refused(&["eu"], &[(0, 200), (1, 403), (2, 403)]).await;
    assert_eq!(told(&app).await, down());
    let app = refused(&["eu", "us"], &[(0, 200), (1, 403), (2, 503)]).await;
    assert_eq!(told(&app).await, down());
    let app = refused(&["eu", "us"], &[(0, 200)]).await;
    for _ in 0..2 {
        app.clock.advance(Duration::MINUTE);
        answer(&app, "us", 503).await;
        answer(&app, "eu", 403).await;
    }
    assert_eq!(
        told(&app).await,
        down(),
        "one region is refused, the other finds an error"
    );
}
