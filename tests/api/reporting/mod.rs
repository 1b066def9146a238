//! Operations of the module `reports`.

mod bad_input;
mod data;
pub(crate) mod fixtures;
mod mails;
mod pdf;
mod runs;
mod schedules;
mod summary;
mod templates;
mod truth;

use std::{sync::Arc, time::Duration};

use pharos_artefacts::store::Artefacts;
use pharos_domain::{clock::Clock, runs::RunStore};
use pharos_egress::{address_policy::AddressPolicy, resolver::NameResolver, trust::TrustAnchors};
use pharos_reporting::{
    generate::ReportMaker, logo::LogoClient, render::pdf::Printer, results::Results, store::ReportWork,
};
use pharos_server::{
    config::Config,
    groups::{report_catalogue, reporters},
    worker::WorkerPace,
};
use serde_json::{Value, json};

use crate::{
    harness::{Reply, TestApp},
    jobs::{Crew, connect},
};

/// How long the modules of a report may take in tests, whose machine may be busy.
const PATIENCE: Duration = Duration::from_secs(300);

pub(crate) fn path(app: &TestApp, rest: &str) -> String {
    format!("/domains/{}/reports/{rest}", app.world.domain)
}

pub(crate) async fn get(app: &TestApp, rest: &str) -> Reply {
    app.get(&path(app, rest), &app.world.key).send().await
}

async fn post(app: &TestApp, rest: &str, body: &Value) -> Reply {
    app.request("POST", &path(app, rest))
        .key(&app.world.key)
        .json(body)
        .send()
        .await
}

/// Makes a template, and gives its id.
pub(crate) async fn template(app: &TestApp, body: &Value) -> String {
    let made = post(app, "templates", body).await.with_status(201);
    made["id"].as_str().unwrap().to_owned()
}

/// Asks for a report.
pub(crate) async fn asked(app: &TestApp, template: &str, key: &str, body: &Value) -> Reply {
    app.request("POST", &path(app, &format!("{template}/generate")))
        .key(&app.world.key)
        .header("idempotency-key", key)
        .json(body)
        .send()
        .await
}

/// Where the app has its results.
fn results(app: &TestApp) -> Results {
    Results::new(Artefacts::clone(&*app.stores.ports.get::<Artefacts>().unwrap()))
}

/// Makes the reports of an app, as a worker does.
pub(crate) async fn maker(app: &TestApp) -> ReportMaker {
    let ports = app
        .stores
        .ports
        .clone()
        .with(Arc::clone(&app.clock) as Arc<dyn Clock>);
    let ports = ports
        .clone()
        .with(Arc::new(reporters(&ports).unwrap().within(PATIENCE)));
    let resolver = NameResolver::system().unwrap();
    ReportMaker {
        store: ports.get::<dyn ReportWork>().unwrap(),
        runs: ports.get::<dyn RunStore>().unwrap(),
        catalogue: Arc::new(report_catalogue(&ports).unwrap().within(PATIENCE)),
        results: results(app),
        logos: Arc::new(LogoClient::new(resolver, AddressPolicy::public(), &TrustAnchors::web()).unwrap()),
        read_within: PATIENCE,
        printer: Printer::new(Config::default().printing_browser(), 1),
        clock: Arc::clone(&app.clock) as Arc<dyn Clock>,
    }
}

pub(crate) async fn worker(app: &TestApp) -> Crew {
    let database = connect(app.database.url()).await;
    Crew::start(
        &database,
        "local",
        WorkerPace::default(),
        vec![Arc::new(maker(app).await)],
    )
    .await
}

/// Has a report made, and gives its run once it is done.
async fn made(app: &TestApp, template: &str, body: &Value) -> Value {
    let key = uuid::Uuid::now_v7().to_string();
    let reply = asked(app, template, &key, body).await;
    assert_eq!(reply.status, 202, "{}", reply.json());
    let id = reply.json()["run_id"].as_str().unwrap().to_owned();
    app.reaches(&format!(
        "(SELECT finished_at IS NOT NULL FROM runs WHERE id = '{id}')"
    ))
    .await;
    let run = get(app, &format!("runs/{id}")).await.ok();
    assert_eq!(run["status"], "succeeded", "{run}");
    run
}

/// The bytes that a link of a result leads to.
async fn download(app: &TestApp, url: &str) -> Reply {
    let path = url
        .split_once("/artefacts/")
        .map(|(_, rest)| format!("//artefacts/{rest}"))
        .unwrap();
    app.request("GET", &path).send().await
}

/// A configuration with one widget of one section.
fn only(section: &str, widget: &str, config: &Value) -> Value {
    json!({ "version": 1, "sections": [
        { "section": section, "widgets": [{ "widget": widget, "config": config }] }
    ] })
}
