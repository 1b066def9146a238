//! Pages with a run that was measured, and a budget.

use async_trait::async_trait;
use serde_json::json;

use super::{SHOP, measured, send, track};
use crate::{fixtures::Fixtures, harness::TestApp};

pub(crate) struct Synthetic;

#[async_trait]
impl Fixtures for Synthetic {
    async fn fill(&self, app: &TestApp) {
        for page in ["shoes", "hats", "coats"] {
            let id = track(app, page).await;
            app.world.identify("synthetic/url_id", id.parse().unwrap());
            if page == "shoes" {
                let budgets = json!({ "items": [{ "metric": "lcp_ms", "limit": 2_500 }] });
                send(app, "PUT", "budgets", &budgets).await.ok();
                let run = measured(app, &id, SHOP).await;
                app.world.identify("synthetic/run_id", run.parse().unwrap());
            }
        }
    }
}
