//! GET and PUT /domains/{domain_id}/rum/config

use pharos_domain::{
    collect::{BeaconStore, view::View},
    role::Role,
};
use serde_json::{Value, json};

use super::path;
use crate::harness::{Reply, TestApp};

async fn shown(app: &TestApp) -> Value {
    app.get(&path(app, "config"), &app.world.key).send().await.ok()
}

async fn put(app: &TestApp, body: Value) -> Reply {
    app.put(&path(app, "config"), &app.world.key, &body).send().await
}

#[tokio::test]
async fn a_change_keeps_what_it_does_not_name_and_reaches_collection() {
    let app = TestApp::start().await;
    let before = shown(&app).await;
    assert_eq!(
        [
            &before["enabled"],
            &before["sample_rate"],
            &before["respect_dnt"],
            &before["retention_months"],
            &before["updated_at"],
        ],
        [&json!(false), &json!(1.0), &json!(true), &json!(16), &Value::Null]
    );
    let first = put(
        &app,
        json!({ "sample_rate": 0.5, "ignored_query_params": ["modal"], "excluded_countries": ["FR"] }),
    )
    .await
    .ok();
    assert_eq!(
        (&first["enabled"], &first["site_key"]),
        (&json!(true), &before["site_key"])
    );
    let second = put(&app, json!({ "collect_errors": false, "excluded_countries": [] }))
        .await
        .ok();
    for (member, expected) in [
        ("sample_rate", json!(0.5)),
        ("ignored_query_params", json!(["modal"])),
        ("excluded_countries", json!([])),
        ("collect_errors", json!(false)),
        ("collect_resources", json!(true)),
    ] {
        assert_eq!(second[member], expected, "{member}");
    }
    assert_eq!(shown(&app).await, second);
    let collected = app.stores.ports.get::<dyn BeaconStore<View>>().unwrap();
    let settings = collected.settings(app.world.domain).await.unwrap().unwrap();
    assert_eq!(
        (
            settings.errors,
            settings.resources,
            settings.excluded_query_params
        ),
        (false, true, vec!["modal".to_owned()])
    );
    put(&app, json!({ "enabled": false })).await.ok();
    assert_eq!(collected.settings(app.world.domain).await.unwrap(), None);
}

#[tokio::test]
async fn all_faults_are_told_at_once_and_nothing_changes() {
    let app = TestApp::start().await;
    let refused = put(
        &app,
        json!({
            "collect_errors": false, "sample_rate": 1.5, "excluded_countries": ["Germany"],
            "url_groups": [{ "pattern": "p", "label": "/p" }],
        }),
    )
    .await;
    let mut faults = refused.faults();
    faults.dedup();
    assert_eq!(
        faults,
        ["/excluded_countries/0", "/sample_rate", "/url_groups/0/pattern"]
    );
    let unknown = json!({ "url_groups": [{ "pattern": "/p/*", "label": "/p/:product", "lable": "/p/:x" }] });
    assert_eq!(put(&app, unknown).await.faults(), ["/url_groups/0/lable"]);
    assert_eq!(shown(&app).await["updated_at"], Value::Null);
    let (member, _) = app.world.key_of(&app.stores, Role::Member, app.now()).await;
    let refused = app.put(&path(&app, "config"), &member, &json!({})).send().await;
    refused.problem(403, "insufficient-role");
}
