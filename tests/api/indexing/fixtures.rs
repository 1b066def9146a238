//! A linked property with URLs that were inspected, one that changed, and a run.

use async_trait::async_trait;
use serde_json::json;

use super::{
    add, link, path,
    played::{Played, not_indexed},
    rotation,
};
use crate::{fixtures::Fixtures, harness::TestApp};

pub(crate) struct Indexing;

#[async_trait]
impl Fixtures for Indexing {
    async fn fill(&self, app: &TestApp) {
        link(app).await;
        let played = Played::new();
        let urls: Vec<String> = (1..=4)
            .map(|page| format!("https://shop.example/page-{page}"))
            .collect();
        let named: Vec<&str> = urls.iter().map(String::as_str).collect();
        let added = add(app, &named).await.with_status(201);
        rotation(app, &played).round().await.unwrap();
        // The next inspection finds changes that happened within a moment.
        app.sql("UPDATE indexing_urls SET inspected_at = inspected_at - interval '1 hour', next_inspection_at = created_at")
            .await;
        app.sql("UPDATE indexing_sites SET next_round_at = next_round_at - interval '1 day'")
            .await;
        played.says(
            &urls[0],
            not_indexed("Crawled - currently not indexed", "SUCCESSFUL"),
        );
        rotation(app, &played).round().await.unwrap();
        for item in added["items"].as_array().unwrap() {
            app.world.identify(
                "indexing/url_id",
                item["url_id"].as_str().unwrap().parse().unwrap(),
            );
        }
        let run = app
            .request("POST", &path(app, "inspector/runs"))
            .key(&app.world.key)
            .header("idempotency-key", "inspector-fixture")
            .json(&json!({ "urls": ["https://shop.example/page-1"] }))
            .send()
            .await
            .with_status(202);
        app.world.identify(
            "indexing/run_id",
            run["run_id"].as_str().unwrap().parse().unwrap(),
        );
    }
}
