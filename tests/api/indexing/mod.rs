//! Operations of the module `indexing`.

pub(crate) mod fixtures;
mod played;
pub(crate) mod reads;
mod rotation;
pub(crate) mod runs;
mod spent;
mod urls;

use std::sync::Arc;

use pharos_domain::clock::Clock;
use pharos_search::indexing::rotation::Rotation;
use serde_json::{Value, json};

use self::played::Played;
use crate::harness::{Reply, TestApp};

pub(crate) fn path(app: &TestApp, rest: &str) -> String {
    format!("/domains/{}/indexing/{rest}", app.world.domain)
}

/// Links the world's domain to the property of its name, of which nothing is imported.
pub(crate) async fn link(app: &TestApp) {
    app.sql(&format!(
        "INSERT INTO search_properties (domain_id, workspace_id, site_url, permission, status, linked_at)
        VALUES ('{}', '{}', 'sc-domain:shop.example', 'owner', 'connected', '2026-01-01Z')
        ON CONFLICT DO NOTHING",
        app.world.domain, app.world.workspace,
    ))
    .await;
}

/// The rotation of this app, which asks what is played.
fn rotation(app: &TestApp, played: &Arc<Played>) -> Rotation {
    let clock: Arc<dyn Clock> = app.clock.clone();
    Rotation {
        store: app.stores.ports.get().unwrap(),
        inspector: played.clone(),
        sitemaps: app.stores.ports.get().unwrap(),
        visits: app.stores.ports.get().unwrap(),
        addresses: app.stores.ports.get().unwrap(),
        answers: app.answers(),
        clock,
    }
}

async fn get(app: &TestApp, rest: &str) -> Value {
    try_get(app, rest).await.ok()
}

async fn try_get(app: &TestApp, rest: &str) -> Reply {
    app.get(&path(app, rest), &app.world.key).send().await
}

async fn add(app: &TestApp, urls: &[&str]) -> Reply {
    app.request("POST", &path(app, "urls"))
        .key(&app.world.key)
        .json(&json!({ "urls": urls }))
        .send()
        .await
}

/// The id of a URL among items.
fn id_of(items: &Value, url: &str) -> String {
    let items = items["items"].as_array().unwrap();
    let found = items.iter().find(|item| item["url"] == url).unwrap();
    found["url_id"].as_str().unwrap().to_owned()
}
