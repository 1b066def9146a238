//! Templates, and a report that was made.

use async_trait::async_trait;
use pharos_domain::{
    ids::{JobId, RunId},
    jobs::{ClaimedJob, JobHandler},
};
use serde_json::json;

use super::{asked, maker, template};
use crate::{fixtures::Fixtures, harness::TestApp};

pub(crate) struct Reporting;

#[async_trait]
impl Fixtures for Reporting {
    async fn fill(&self, app: &TestApp) {
        // Some are deleted, the last has what others ask for.
        let mut last = String::new();
        for name in ["First", "Second", "Third"] {
            last = template(app, &json!({ "name": name, "format": "json" })).await;
            app.world.identify("template_id", last.parse().unwrap());
        }
        let run = asked(app, &last, "a report of the fixtures", &json!({})).await;
        let id: RunId = run.json()["run_id"].as_str().unwrap().parse().unwrap();
        let maker = maker(app).await;
        let claimed = app
            .sql(&format!(
                "UPDATE jobs SET state = 'running', attempts = 1, started_at = now(), worker = gen_random_uuid(),
                     leased_until = now() + interval '1 minute'
                 WHERE run_id = '{id}'
                 RETURNING id::text"
            ))
            .await;
        let job = ClaimedJob {
            id: JobId(claimed[0][0].as_deref().unwrap().parse().unwrap()),
            kind: maker.kind(),
            payload: json!({ "run_id": id }),
            attempt: 1,
        };
        maker.run(&job).await.unwrap();
        // As a worker leaves it.
        app.sql(&format!(
            "UPDATE jobs SET state = 'succeeded', worker = NULL, leased_until = NULL, finished_at = now() WHERE run_id = '{id}'"
        ))
        .await;
        app.world.identify("reports/run_id", id.0);
    }
}
