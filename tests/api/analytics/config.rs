//! GET and PUT /domains/{domain_id}/analytics/config

use pharos_domain::{
    collect::{BeaconStore, event::Events},
    role::Role,
};
use serde_json::{Value, json};

use super::path;
use crate::harness::{Reply, TestApp};

async fn put(app: &TestApp, body: Value) -> Reply {
    app.put(&path(app, "config"), &app.world.key, &body).send().await
}

#[tokio::test]
async fn without_settings_the_defaults_are_shown_disabled_and_reads_find_nothing() {
    let app = TestApp::start().await;
    let config = app.get(&path(&app, "config"), &app.world.key).send().await.ok();
    assert_eq!(config["enabled"], false);
    assert_eq!(config["currency"], "USD");
    assert_eq!(config["session_timeout_minutes"], 30);
    assert_eq!(config["ecommerce_enabled"], false);
    assert_eq!(config["updated_at"], Value::Null);
    assert!(config["site_key"].as_str().unwrap().starts_with("pst_"));
    for read in ["overview", "pages", "realtime"] {
        let answer = app.get(&path(&app, read), &app.world.key).send().await;
        let problem = answer.problem(404, "analytics-not-found");
        let why = problem["detail"].as_str().unwrap();
        assert!(why.contains("PUT …/analytics/config"), "{read}: {why}");
    }
}

#[tokio::test]
async fn a_change_keeps_what_it_does_not_name_and_shows_no_network() {
    let app = TestApp::start().await;
    let first = put(
        &app,
        json!({ "currency": "EUR", "excluded_ips": ["192.0.2.7/24", "2001:db8::1"], "store_search_terms": true }),
    )
    .await
    .ok();
    assert_eq!(
        (&first["enabled"], &first["currency"]),
        (&json!(true), &json!("EUR"))
    );
    assert_eq!(first["excluded_ips_count"], 2);
    assert!(!first.to_string().contains("192.0.2"), "{first}");
    assert_eq!(first["updated_by"], json!(app.world.owner));
    let second = put(&app, json!({ "excluded_paths": ["/admin/*"] })).await.ok();
    assert_eq!(second["currency"], "EUR");
    assert_eq!(second["excluded_ips_count"], 2);
    assert_eq!(second["site_key"], first["site_key"]);
    let shown = app.get(&path(&app, "config"), &app.world.key).send().await.ok();
    assert_eq!(shown, second);
    // Collection has the settings too.
    let collected = app.stores.ports.get::<dyn BeaconStore<Events>>().unwrap();
    let settings = collected.settings(app.world.domain).await.unwrap().unwrap();
    assert_eq!(settings.excluded_networks[0].to_string(), "192.0.2.0/24");
    assert_eq!(settings.excluded_paths, ["/admin/*"]);
    put(&app, json!({ "enabled": false })).await.ok();
    assert_eq!(collected.settings(app.world.domain).await.unwrap(), None);
}

#[tokio::test]
async fn a_member_sees_the_settings_and_changes_none() {
    let app = TestApp::start().await;
    let (member, _) = app.world.key_of(&app.stores, Role::Member, app.now()).await;
    let refused = app.put(&path(&app, "config"), &member, &json!({})).send().await;
    refused.problem(403, "insufficient-role");
    let shown = app.get(&path(&app, "config"), &member).send().await.ok();
    assert_eq!(
        (&shown["enabled"], &shown["updated_at"]),
        (&json!(false), &Value::Null)
    );
}

#[tokio::test]
async fn three_letters_that_are_no_currency_are_refused() {
    let app = TestApp::start().await;
    let refused = put(&app, json!({ "currency": "ZZZ" })).await;
    assert_eq!(refused.faults(), ["/currency"]);
}

#[tokio::test]
async fn what_a_value_should_be_goes_on_within_a_sentence() {
    let app = TestApp::start().await;
    let refused = put(&app, json!({ "currency": "eur" })).await;
    assert_eq!(
        refused.problem(400, "invalid-request")["detail"],
        "Member /currency: not the code of a currency in use by ISO 4217: three capital letters."
    );
}

#[tokio::test]
async fn hosts_may_stand_for_all_below_them() {
    let app = TestApp::start().await;
    let hosts = json!(["pay.example", "*.cdn.example"]);
    let config = put(&app, json!({ "allowed_hosts": hosts })).await.ok();
    assert_eq!(config["allowed_hosts"], hosts);
}

#[tokio::test]
async fn all_faults_are_told_at_once_and_nothing_changes() {
    let app = TestApp::start().await;
    let answer = put(
        &app,
        json!({ "currency": "EUR", "excluded_ips": ["here"], "allowed_hosts": ["https://shop.example"] }),
    )
    .await;
    assert_eq!(answer.status, 400);
    let problem = answer.json();
    let mut pointers: Vec<&str> = problem["errors"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|fault| fault["pointer"].as_str())
        .collect();
    pointers.sort_unstable();
    assert_eq!(pointers, ["/allowed_hosts/0", "/excluded_ips/0"]);
    let config = app.get(&path(&app, "config"), &app.world.key).send().await.ok();
    assert_eq!(config["updated_at"], Value::Null);
}
