//! Rules, and an alert of one with its notification.

use async_trait::async_trait;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{evaluate, make};
use crate::{fixtures::Fixtures, harness::TestApp};

pub(crate) struct Alerting;

#[async_trait]
impl Fixtures for Alerting {
    async fn fill(&self, app: &TestApp) {
        for _ in 0..4 {
            let rule = json!({
                "module": "uptime", "metric": "response_ms", "operator": "gt", "threshold_value": -1,
                "evaluation_window": "7d",
            });
            app.world.identify("rule_id", id(&make(app, rule).await["id"]));
        }
        // What happens at this very moment is of the next window.
        app.clock.advance(time::Duration::SECOND);
        evaluate(app).await;
        let rows = app.sql("SELECT id, notification_id FROM alert_history").await;
        for row in rows {
            let cell = |at: usize| row[at].as_deref().unwrap().parse().unwrap();
            app.world.identify("alert_id", cell(0));
            app.world.identify("notification_id", cell(1));
        }
    }
}

fn id(value: &Value) -> Uuid {
    value.as_str().unwrap().parse().unwrap()
}
