//! /domains/{domain_id}/gsc/config

use serde_json::{Value, json};
use time::macros::date;

use super::{link, path, read};
use crate::harness::{Reply, TestApp};

async fn put(app: &TestApp, body: Value) -> Reply {
    app.request("PUT", &path(app, "config"))
        .key(&app.world.key)
        .json(&body)
        .send()
        .await
}

#[tokio::test]
async fn a_change_is_partial_and_begins_with_the_defaults() {
    let app = TestApp::start().await;
    let all = json!(["web", "discover", "news", "google_news", "image", "video"]);
    assert_eq!(
        read(&app, "config").await,
        json!({
            "brand_terms": [], "brand_regex": null, "search_types": all, "excluded_paths": [], "min_impressions": 10,
            "updated_at": null, "updated_by": null,
        })
    );
    let body =
        json!({ "brand_terms": ["Shop Example"], "brand_regex": "sh[o0]p", "excluded_paths": ["/cart*"] });
    let changed = put(&app, body).await.ok();
    assert_eq!(changed["brand_regex"], "sh[o0]p");
    assert_eq!(changed["search_types"], all);
    assert_eq!(changed["updated_by"], json!(app.world.owner));
    let changed = put(&app, json!({ "brand_regex": null, "min_impressions": 0 }))
        .await
        .ok();
    assert_eq!(changed["brand_regex"], Value::Null);
    assert_eq!(changed["brand_terms"], json!(["Shop Example"]));
    assert_eq!(read(&app, "config").await, changed);
    let repeated =
        json!({ "brand_terms": ["demo", "demo", " demo ", "DEMO"], "excluded_paths": ["/a", "/a"] });
    let changed = put(&app, repeated).await.ok();
    assert_eq!(
        (&changed["brand_terms"], &changed["excluded_paths"]),
        (&json!(["demo"]), &json!(["/a"]))
    );
}

#[tokio::test]
async fn all_faults_are_told_at_once_and_nothing_is_changed() {
    let app = TestApp::start().await;
    let lookahead = json!({ "brand_regex": "(?=shop)" });
    let said = put(&app, lookahead).await.problem(400, "invalid-request");
    assert_eq!(said["errors"][0]["pointer"], "/brand_regex");
    let detail = said["errors"][0]["detail"].as_str().unwrap();
    assert!(
        detail.contains("RE2") && detail.contains("look-around"),
        "{detail}"
    );
    let body = json!({
        "brand_terms": [" "], "brand_regex": "a".repeat(1_001), "search_types": [], "excluded_paths": ["cart"],
        "min_impressions": 1_000_001, "brand": "shop",
    });
    let said = put(&app, body).await.problem(400, "invalid-request");
    let errors = said["errors"].as_array().unwrap();
    let mut pointers: Vec<&str> = errors
        .iter()
        .map(|error| error["pointer"].as_str().unwrap())
        .collect();
    pointers.sort_unstable();
    pointers.dedup();
    assert_eq!(
        pointers,
        [
            "/brand",
            "/brand_regex",
            "/brand_terms/0",
            "/excluded_paths/0",
            "/min_impressions",
            "/search_types"
        ]
    );
    assert_eq!(read(&app, "config").await["updated_at"], Value::Null);
}

/// Paths with a query were taken before, and never fitted.
#[tokio::test]
async fn a_path_that_was_taken_before_keeps_nobody_from_changing_the_rest() {
    let app = TestApp::start().await;
    app.sql(&format!(
        "INSERT INTO search_configs (domain_id, settings, created_at, updated_at)
        VALUES ('{}', '{{\"brand_terms\": [], \"brand_regex\": null, \"search_types\": [\"web\"],
            \"excluded_paths\": [\"/cart?step=2\"], \"min_impressions\": 10}}', '2026-03-01Z', '2026-03-01Z')",
        app.world.domain
    ))
    .await;
    let changed = put(&app, json!({ "min_impressions": 20 })).await.ok();
    assert_eq!(
        (&changed["min_impressions"], &changed["excluded_paths"]),
        (&json!(20), &json!(["/cart?step=2"]))
    );
    // A body is held against the document, which has no such path, whatever is stored.
    let sent = put(&app, json!({ "excluded_paths": ["/cart?step=2", "/shoes"] })).await;
    let said = sent.problem(400, "invalid-request");
    assert_eq!(said["errors"].as_array().unwrap().len(), 1);
    assert_eq!(said["errors"][0]["pointer"], "/excluded_paths/0");
    let changed = put(&app, json!({ "excluded_paths": ["/shoes"] })).await.ok();
    assert_eq!(changed["excluded_paths"], json!(["/shoes"]));
}

/// It takes more than half a MiB once it is compiled.
#[tokio::test]
async fn an_expression_of_letters_of_all_scripts_is_stored_and_read() {
    let app = TestApp::start().await;
    let stored = put(&app, json!({ "brand_regex": r"\w{12}" })).await.ok();
    assert_eq!(stored["brand_regex"], r"\w{12}");
    assert_eq!(read(&app, "config").await, stored);
}

#[tokio::test]
async fn a_linked_property_follows_the_search_types() {
    use pharos_search::gsc::figures::SearchType;

    let app = TestApp::start().await;
    link(&app, &[SearchType::Web], date!(2025 - 12 - 01), None).await;
    put(&app, json!({ "search_types": ["news", "web", "news"] }))
        .await
        .ok();
    assert_eq!(
        read(&app, "property").await["search_types"],
        json!(["web", "news"])
    );
}
