//! GET /domains/{domain_id}/rum/has-data

use pharos_domain::collect::client::Device;
use serde_json::{Value, json};
use time::Duration;

use super::{path, store, view};
use crate::harness::TestApp;

async fn has_data(app: &TestApp) -> Value {
    app.get(&path(app, "has-data"), &app.world.key).send().await.ok()
}

#[tokio::test]
async fn a_domain_of_which_nothing_was_received_has_none() {
    let app = TestApp::start().await;
    let nothing = json!({
        "has_data": false, "first_seen_at": null, "last_seen_at": null, "pageviews_24h": 0, "beacon_version": null,
        "attribution_enabled": false, "data_through": null,
    });
    assert_eq!(has_data(&app).await, nothing);
}

#[tokio::test]
async fn views_of_the_last_day_are_counted() {
    let app = TestApp::start().await;
    let now = app.now();
    let views = [
        (1, Duration::hours(25)),
        (2, Duration::hours(23)),
        (3, Duration::MINUTE),
    ];
    store(
        &app,
        views.map(|(load, age)| (Device::Desktop, view(load, now - age))),
    )
    .await;
    let found = has_data(&app).await;
    assert_eq!(
        (&found["has_data"], &found["pageviews_24h"]),
        (&json!(true), &json!(2))
    );
    assert_eq!(found["beacon_version"], Value::Null, "no beacon told one");
    assert_eq!(found["first_seen_at"], "2026-03-30T08:15:00Z");
    assert_eq!(
        (&found["last_seen_at"], &found["data_through"]),
        (&json!("2026-03-31T09:14:00Z"), &json!("2026-03-31T09:14:00Z"))
    );
}

#[tokio::test]
async fn the_version_is_that_of_the_script_that_measured_last() {
    let app = TestApp::start().await;
    let told = async |load, age, version: Option<&str>| {
        let mut view = view(load, app.now() - age);
        view.version = version.map(str::to_owned);
        store(&app, [(Device::Desktop, view)]).await;
        has_data(&app).await["beacon_version"].clone()
    };
    assert_eq!(told(1, Duration::hours(3), None).await, Value::Null);
    assert_eq!(told(2, Duration::hours(4), Some("1.0.0")).await, "1.0.0");
    assert_eq!(told(3, Duration::hours(2), Some("1.1.0")).await, "1.1.0");
    // A visitor who had the page open for long, and a beacon of somebody's own.
    assert_eq!(told(4, Duration::hours(5), Some("1.0.0")).await, "1.1.0");
    assert_eq!(told(5, Duration::hours(1), None).await, "1.1.0");
}
