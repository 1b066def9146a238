//! Operations of the module `analytics`.

mod alert_metrics;
mod bad_input;
mod block;
mod config;
mod cut;
mod evaluations;
mod experiments;
pub(crate) mod fixtures;
mod funnel;
mod parts;
pub(crate) mod reads;
mod report_rows;
pub(crate) mod reports;

use pharos_analytics::conformance;
use pharos_domain::collect::{Beacon, BeaconStore, event::Events};
use serde_json::json;

use crate::harness::TestApp;

/// A path below analytics of the world's domain.
fn path(app: &TestApp, rest: &str) -> String {
    format!("/domains/{}/analytics/{rest}", app.world.domain)
}

/// Stores beacons one by one, since what comes together is put into sessions by its time, however late it is.
async fn store(app: &TestApp, beacons: &[Beacon<Events>]) {
    let store = app.stores.ports.get::<dyn BeaconStore<Events>>().unwrap();
    for beacon in beacons {
        store.store(std::slice::from_ref(beacon)).await.unwrap();
    }
}

/// An app that was told the log, at its end.
pub(crate) async fn told() -> TestApp {
    let app = TestApp::start().await;
    let settings = app.put(
        &path(&app, "config"),
        &app.world.key,
        &json!({ "currency": "EUR" }),
    );
    settings.send().await.ok();
    store(&app, &conformance::beacons(app.world.domain)).await;
    app.clock.advance(conformance::NOW - app.now());
    app
}
