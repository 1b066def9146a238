//! /alerts/metrics, /alerts/history and /domains/{domain_id}/alerts/history

use serde_json::{Value, json};

use super::{get, path};
use crate::{
    fixtures,
    harness::{TestApp, World},
};

#[tokio::test]
async fn the_catalogue_has_what_can_be_evaluated_and_nothing_else() {
    let app = TestApp::start().await;
    let catalogue = get(&app, "/alerts/metrics").await;
    let modules = catalogue["modules"].as_array().unwrap();
    let names: Vec<&Value> = modules.iter().map(|module| &module["module"]).collect();
    assert_eq!(
        names,
        [
            "uptime",
            "rum",
            "crux",
            "synthetic",
            "gsc",
            "indexing",
            "robots",
            "sitemap",
            "analytics"
        ]
    );
    let counts: Vec<usize> = modules
        .iter()
        .map(|module| module["metrics"].as_array().unwrap().len())
        .collect();
    assert_eq!(counts, [13, 12, 10, 14, 10, 9, 9, 8, 12]);
    assert_eq!(
        modules[0]["metrics"][2],
        json!({
            "metric": "response_ms", "label": "Response time",
            "description": "The mean time of answers. Failed checks are not among them.", "unit": "milliseconds",
            "display_unit": "ms", "default_operator": "gt", "default_threshold": 2000.0,
            "default_comparison_window": null, "default_cooldown_minutes": 120,
            "operators": ["gt", "gte", "lt", "lte", "pct_decrease", "pct_increase", "anomaly"],
            "direction": "higher_is_worse", "supports_url": false, "supports_form_factor": false,
            "evaluation_window": "1h", "data_lag_hours": 0,
        })
    );
}

#[tokio::test]
async fn history_is_of_what_the_credential_reaches() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let all = get(&app, "/alerts/history").await;
    let count = |page: &Value| page["items"].as_array().unwrap().len();
    assert!(count(&all) >= 4);
    let own = format!(
        "/alerts/history?workspace_id={}&domain_id={}",
        app.world.workspace, app.world.domain
    );
    assert_eq!(get(&app, &own).await["items"], all["items"]);
    let as_told = get(&app, &path(&app, "alerts/history")).await;
    assert_eq!(count(&as_told), count(&all));
    assert_eq!(as_told["items"][0]["alert_id"], all["items"][0]["id"]);
    let other = World::create(&app.stores, app.now()).await;
    let theirs = app.get("/alerts/history", &other.key).send().await.ok();
    assert_eq!(theirs["items"], json!([]));
    for (query, suffix) in [
        (
            format!("workspace_id={}", app.world.workspace),
            "workspace-not-found",
        ),
        (format!("domain_id={}", app.world.domain), "domain-not-found"),
    ] {
        let refused = app
            .get(&format!("/alerts/history?{query}"), &other.key)
            .send()
            .await;
        refused.problem(404, suffix);
    }
    let one = format!("/alerts/history/{}", all["items"][0]["id"].as_str().unwrap());
    app.get(&one, &other.key)
        .send()
        .await
        .problem(404, "alert-history-not-found");
    let (domains, actor) = (&app.stores.domain_admin, crate::harness::actor());
    domains.delete(app.world.domain, &actor, app.now()).await.unwrap();
    assert_eq!(
        get(&app, "/alerts/history").await["items"],
        json!([]),
        "of live domains alone"
    );
}
