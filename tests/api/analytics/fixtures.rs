//! A site that is measured, visits to it, and a report on them.

use async_trait::async_trait;
use pharos_analytics::{conformance, reports::AnalyticsReports};
use pharos_domain::{
    ids::RunId,
    wide_pull::{Filled, WidePullStore},
};
use serde_json::json;

use super::{experiments, path, reports, store};
use crate::{fixtures::Fixtures, harness::TestApp};

pub(crate) struct Analytics;

#[async_trait]
impl Fixtures for Analytics {
    async fn fill(&self, app: &TestApp) {
        let configured = app.put(&path(app, "config"), &app.world.key, &json!({}));
        configured.send().await.ok();
        store(app, &conformance::beacons(app.world.domain)).await;
        let run = reports::asked(app, &app.world.key, "pages_full", "fixture", &json!({})).await;
        let id: RunId = run.json()["run_id"].as_str().unwrap().parse().unwrap();
        let reports = app
            .stores
            .ports
            .get::<dyn WidePullStore<AnalyticsReports>>()
            .unwrap();
        assert_eq!(reports.fill(id).await.unwrap(), Filled::Done);
        // As a worker leaves it.
        app.sql(&format!(
            "UPDATE jobs SET state = 'succeeded', finished_at = now() WHERE run_id = '{id}'"
        ))
        .await;
        app.world.identify("run_id", id.0);
        // Some are deleted, the last has what others ask for.
        for name in ["first", "second", "third"] {
            let id = experiments::evaluated_experiment(app, name).await;
            app.world.identify("experiment_id", id);
        }
    }
}
