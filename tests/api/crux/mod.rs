//! Operations of the module `crux`.

mod alert_metrics;
mod collection;
pub(crate) mod fixtures;
mod health;
mod lookup;
mod official_client;
mod reads;
mod report;
mod urls;

use std::sync::Arc;

use pharos_domain::{clock::Clock, secret::Secret};
use pharos_egress::{address_policy::AddressPolicy, resolver::NameResolver, trust::TrustAnchors};
use pharos_vitals::crux::{client::CruxClient, store::CruxCollection, turns::CruxTurns, watch::CruxWatch};
use serde_json::Value;

use self::report::Report;
use crate::harness::{Reply, TestApp};

pub(crate) fn path(app: &TestApp, rest: &str) -> String {
    format!("/domains/{}/crux/{rest}", app.world.domain)
}

/// A client that talks to this report.
fn client(app: &TestApp, report: &Report) -> Arc<CruxClient> {
    let policy = AddressPolicy::public().permitting_exactly(report.address);
    let service = format!("http://{}/", report.address).parse().unwrap();
    let key = Secret::from("test-key".to_owned());
    let resolver = NameResolver::system().unwrap();
    Arc::new(CruxClient::new(resolver, policy, &TrustAnchors::web(), service, key, turns(app)).unwrap())
}

/// The turns of all nodes.
fn turns(app: &TestApp) -> Arc<dyn CruxTurns> {
    app.stores.ports.get().unwrap()
}

fn collection(app: &TestApp) -> Arc<dyn CruxCollection> {
    app.stores.ports.get().unwrap()
}

/// The watch that asks the report for this app.
fn watch(app: &TestApp, report: &Report) -> CruxWatch {
    let clock: Arc<dyn Clock> = app.clock.clone();
    CruxWatch {
        store: collection(app),
        client: client(app, report),
        clock,
    }
}

/// Has the app collect from a report that knows this.
async fn collected(app: &TestApp, known: &[&str]) -> Report {
    let report = Report::of(known).await;
    assert_eq!(watch(app, &report).round().await.unwrap(), 1);
    report
}

/// Follows pages, all of which are in the report.
pub(crate) async fn follows(app: &TestApp, pages: &[&str]) {
    // The origin is collected before a page can be followed.
    let report = collected(app, &["https://shop.example"]).await;
    for page in pages {
        let made = app.request("POST", &path(app, "urls")).key(&app.world.key);
        let body = serde_json::json!({ "url": page });
        made.json(&body).send().await.with_status(201);
        report.knows(page);
    }
    assert_eq!(watch(app, &report).round().await.unwrap(), pages.len());
}

async fn get(app: &TestApp, rest: &str) -> Value {
    app.get(&path(app, rest), &app.world.key).send().await.ok()
}

async fn try_get(app: &TestApp, rest: &str) -> Reply {
    app.get(&path(app, rest), &app.world.key).send().await
}
