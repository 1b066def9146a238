//! An origin and pages in the report.

use async_trait::async_trait;
use serde_json::json;

use super::{collected, path};
use crate::{fixtures::Fixtures, harness::TestApp};

pub(crate) struct Crux;

#[async_trait]
impl Fixtures for Crux {
    async fn fill(&self, app: &TestApp) {
        collected(app, &["https://shop.example"]).await;
        for page in ["shoes", "hats", "coats"] {
            let body = json!({ "url": format!("https://shop.example/{page}") });
            let made = app
                .request("POST", &path(app, "urls"))
                .key(&app.world.key)
                .json(&body)
                .send()
                .await
                .with_status(201);
            app.world
                .identify("url_id", made["id"].as_str().unwrap().parse().unwrap());
        }
    }
}
