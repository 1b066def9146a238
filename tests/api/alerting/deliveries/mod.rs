//! Deliveries: nodes that send, and receivers that verify what arrives.

mod admin;
mod channels;
mod doctor;
mod ends;
mod failures;
pub(crate) mod receivers;
mod unsubscribe;

use std::process::Command;

use serde_json::Value;
use time::OffsetDateTime;

use self::receivers::{Language, Receiver, Recorder};
use super::{
    evaluations::{see, watched},
    make, outage,
};
use crate::harness::{Node, TestApp, binary, clients, free_address, openssl::Vault};

/// Runs `pharos admin channel`, and gives its answer.
fn channel(app: &TestApp, arguments: &[&str]) -> Result<Value, String> {
    let output = Command::new(binary())
        .env("PHAROS_DATABASE_URL", app.database.url())
        .args(["admin", "--json", "channel"])
        .args(arguments)
        .output()
        .unwrap();
    if output.status.success() {
        Ok(serde_json::from_slice(&output.stdout).unwrap())
    } else {
        Err(String::from_utf8(output.stderr).unwrap())
    }
}

/// Creates a channel of the world's workspace.
fn create(app: &TestApp, name: &str, target: &[&str]) -> Value {
    let workspace = app.world.workspace.to_string();
    let arguments = [&["create", workspace.as_str(), "--name", name], target].concat();
    channel(app, &arguments).unwrap()
}

/// A channel that posts to a port of this machine.
fn webhook(app: &TestApp, name: &str, port: u16) -> Value {
    let url = format!("http://127.0.0.1:{port}/hook");
    create(app, name, &["webhook", "--url", &url])
}

/// A node that sends, and may reach this machine.
pub(super) fn sender(app: &TestApp, environment: &[(&str, &str)]) -> Node {
    let mut all = vec![
        ("PHAROS_DATABASE_URL", app.database.url()),
        ("PHAROS_PROBE_NETWORKS", "[\"127.0.0.0/8\"]"),
        ("PHAROS_BASE_URL", "https://pharos.example"),
    ];
    all.extend_from_slice(environment);
    Node::start(&["--roles", "api,worker"], &all)
}

/// An app whose site is up, whose clock says what that of the nodes says, and whose rule fires at two failures in a row.
async fn watched_now() -> TestApp {
    let app = watched().await;
    see_now(&app, 200).await;
    let mut rule = outage();
    rule["cooldown_minutes"] = 0.into();
    make(&app, rule).await;
    app
}

/// The site answers this twice, now.
pub(super) async fn see_now(app: &TestApp, status: u16) {
    for _ in 0..2 {
        app.clock.advance(OffsetDateTime::now_utc() - app.now());
        see(app, status).await;
    }
}

/// Has everything that waits sent now.
async fn hurry(app: &TestApp) {
    app.sql("UPDATE alert_channels SET next_send_at = NULL").await;
    app.sql("UPDATE jobs SET run_at = now() WHERE state = 'queued'")
        .await;
    app.sql("SELECT pg_notify('pharos_jobs', 'alert_delivery')").await;
}
