//! Operations of the module `rum`.

mod alert_metrics;
mod bfcache;
mod cls;
mod config;
mod distribution;
mod engagement;
mod errors;
pub(crate) mod fixtures;
mod has_data;
mod impact;
mod inp;
mod lcp;
mod limits;
mod loads;
mod low_sample;
mod overview;
mod page_detail;
mod pages;
mod pageviews;
mod releases;
mod slices;
mod source_maps;
mod timeseries;
mod ttfb;

use std::sync::Arc;

use pharos_domain::collect::{
    Beacon, BeaconStore, PageLoadId, VisitorId,
    client::{Client, Device},
    view::{Cause, Engagement, ErrorSource, Navigation, ScriptError, View},
};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::harness::TestApp;

pub(crate) fn path(app: &TestApp, rest: &str) -> String {
    format!("/domains/{}/rum/{rest}", app.world.domain)
}

/// The answer of a read.
pub(crate) async fn read(app: &TestApp, rest: &str) -> Value {
    app.get(&path(app, rest), &app.world.key).send().await.ok()
}

/// An error of a script of which nothing is known but its message.
pub(crate) fn bare_error(message: &str) -> ScriptError {
    ScriptError {
        message: message.to_owned(),
        name: None,
        source: ErrorSource::Source,
        is_handled: false,
        filename: None,
        line: None,
        column: None,
        stack: None,
        causes: Vec::new(),
    }
}

/// A view of a phone in Germany: good in all, without an interaction.
pub(crate) fn view(load: i64, at: OffsetDateTime) -> View {
    View {
        load: PageLoadId(load),
        at,
        revision: 0,
        origin: "https://shop.example".to_owned(),
        host: "shop.example".to_owned(),
        path: "/".to_owned(),
        referrer: None,
        navigation: Navigation::Navigate,
        was_hidden: false,
        lcp_ms: Some(1_000.0),
        inp_ms: None,
        cls: Some(0.0),
        fcp_ms: Some(800.0),
        ttfb_ms: Some(200.0),
        dom_content_loaded_ms: None,
        load_ms: None,
        cause: Box::new(Cause::default()),
        version: None,
        viewport: None,
        connection: None,
        rtt_ms: None,
        protocol: None,
        device_memory: None,
        engagement: Engagement::default(),
        errors: Vec::new(),
        resources: Vec::new(),
        long_frames: None,
        not_restored: None,
    }
}

/// A beacon of a view.
pub(crate) fn beacon(app: &TestApp, device: Device, view: View) -> Beacon<View> {
    Beacon {
        id: Uuid::new_v4(),
        domain: app.world.domain,
        visitor: VisitorId(1),
        received_at: view.at,
        client: Client {
            device,
            browser: Some("Chrome".to_owned()),
            browser_version: Some("140".to_owned()),
            os: None,
            os_version: None,
            country: Some("DE".to_owned()),
            region: None,
            city: None,
            screen: None,
        },
        content: view,
    }
}

pub(crate) async fn store(app: &TestApp, views: impl IntoIterator<Item = (Device, View)>) {
    let views = views.into_iter();
    let beacons: Vec<Beacon<View>> = views.map(|(device, view)| beacon(app, device, view)).collect();
    store_beacons(app, &beacons).await;
}

pub(crate) async fn store_beacons(app: &TestApp, beacons: &[Beacon<View>]) {
    let store: Arc<dyn BeaconStore<View>> = app.stores.ports.get().unwrap();
    store.store(beacons).await.unwrap();
}
