//! Operations of the module `synthetic`.

mod alerts;
mod budgets;
mod echoes;
mod files;
pub(crate) mod fixtures;
mod health;
mod load;
mod pagespeed;
mod planner;
pub(crate) mod real;
mod runs;
mod series;
mod truth;
mod truth_parts;
mod urls;

use std::sync::Arc;

use pharos_artefacts::store::Artefacts;
use pharos_domain::ids::RunId;
use pharos_synthetic::{
    kept,
    lhr::{self, Load},
    result::{Filmstrip, Frame, Lists, Picture, Summary},
    store::{Ended, LabSchedule, Measured},
};
use serde_json::{Value, json};

use crate::harness::{Reply, TestApp};

/// Results of a real Lighthouse: see the README beside them.
pub(crate) const SHOP: &str = include_str!("../../../crates/synthetic/core/tests/fixtures/shop.json");
pub(crate) const MISSING: &str = include_str!("../../../crates/synthetic/core/tests/fixtures/missing.json");

pub(crate) fn path(app: &TestApp, rest: &str) -> String {
    format!("/domains/{}/synthetic/{rest}", app.world.domain)
}

pub(crate) async fn get(app: &TestApp, rest: &str) -> Value {
    try_get(app, rest).await.ok()
}

async fn try_get(app: &TestApp, rest: &str) -> Reply {
    app.get(&path(app, rest), &app.world.key).send().await
}

async fn send(app: &TestApp, method: &str, rest: &str, body: &Value) -> Reply {
    app.request(method, &path(app, rest))
        .key(&app.world.key)
        .json(body)
        .send()
        .await
}

/// Tracks a page of the shop, and says its id.
pub(crate) async fn track(app: &TestApp, page: &str) -> String {
    let body = json!({ "url": format!("https://shop.example/{page}"), "schedule": "manual" });
    let made = send(app, "POST", "urls", &body).await.with_status(201);
    made["id"].as_str().unwrap().to_owned()
}

/// Asks for a run.
pub(crate) async fn ask(app: &TestApp, url_id: &str, body: &Value) -> Reply {
    app.request("POST", &path(app, &format!("urls/{url_id}/run")))
        .key(&app.world.key)
        .header("idempotency-key", uuid::Uuid::now_v7().to_string())
        .json(body)
        .send()
        .await
}

fn schedule(app: &TestApp) -> Arc<dyn LabSchedule> {
    app.stores.ports.get().unwrap()
}

/// A run of a page that came to this result of Lighthouse, with one picture in the end and one before, and the result itself.
pub(crate) async fn measured(app: &TestApp, url_id: &str, result: &str) -> String {
    let load = Load {
        report: Some(result.to_owned().into()),
        ..lhr::read(result.as_bytes()).unwrap()
    };
    measured_as(app, url_id, "mobile", load).await
}

/// The same of a page with a password, of which the result itself is not kept.
pub(crate) async fn measured_by_password(app: &TestApp, url_id: &str, result: &str) -> String {
    measured_as(app, url_id, "mobile", lhr::read(result.as_bytes()).unwrap()).await
}

async fn measured_as(app: &TestApp, url_id: &str, profile: &str, load: Load) -> String {
    let run = ask(app, url_id, &json!({ "profile_id": profile }))
        .await
        .with_status(202);
    let id = run["run_id"].as_str().unwrap().to_owned();
    end(app, &id, load).await;
    id
}

/// Records a result of a run, as whoever does its job would.
pub(crate) async fn end(app: &TestApp, run: &str, load: Load) {
    let id: RunId = run.parse().unwrap();
    assert!(schedule(app).begin(id, app.now()).await.unwrap().is_some());
    let artefacts: Arc<Artefacts> = app.stores.ports.get().unwrap();
    let mut filmstrip = Filmstrip::default();
    if let Some(last) = load.images.last {
        let keep = async |name: &str| {
            let key = kept::key(app.world.domain, id, name).unwrap();
            artefacts.put(&key, last.content.clone()).await.unwrap();
            Picture {
                key: key.to_string(),
                width: last.width,
                height: last.height,
            }
        };
        filmstrip.final_screenshot = Some(keep(kept::LAST).await);
        filmstrip.frames = vec![Frame {
            timing_ms: 375,
            picture: keep("frame-0.jpg").await,
        }];
    }
    if let Some(report) = load.report {
        let key = kept::key(app.world.domain, id, kept::REPORT).unwrap();
        artefacts.put(&key, report).await.unwrap();
        filmstrip.report = Some(key.to_string());
    }
    let lists = Lists {
        filmstrip,
        ..load.lists
    };
    ended(app, id, load.summary, lists).await;
}

/// Records a result of a run that has begun.
async fn ended(app: &TestApp, run: RunId, summary: Summary, lists: Lists) {
    let measured = Measured::new(summary, lists, app.now());
    let ended = Ended::Measured(Box::new(measured));
    assert!(schedule(app).end(run, &ended, app.now()).await.unwrap());
}

/// The shop's result with another score of performance.
fn scored(score: f64) -> Load {
    let mut load = lhr::read(SHOP.as_bytes()).unwrap();
    load.summary.figures.insert("performance_score".to_owned(), score);
    load
}
