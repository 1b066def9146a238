//! Rules, and an alert of one with its notification; and channels as nodes know them.

use async_trait::async_trait;
use pharos_alerting::delivery::{
    channel::{Channel, ChannelStore},
    target::Target,
};
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
                "module": "uptime", "metric": "response_ms", "operator": "gt", "threshold_value": 0,
                "evaluation_window": "7d",
            });
            app.world.identify("rule_id", id(&make(app, rule).await["id"]));
        }
        // A check at this very moment belongs to the next window.
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

/// The channels of the world's workspace with their secrets, the oldest first.
pub(crate) async fn channels(app: &TestApp) -> Vec<Channel> {
    let store = app.stores.ports.get::<dyn ChannelStore>().unwrap();
    store.list(&[app.world.workspace]).await.unwrap()
}

/// The secret that signs the webhooks of its one channel, and the one before, which signs too.
pub(crate) async fn signing_secrets(app: &TestApp) -> (String, Option<String>) {
    match &channels(app).await[0].settings.target {
        Target::Webhook { secret, previous, .. } => (
            secret.reveal().to_owned(),
            previous
                .as_ref()
                .map(|previous| previous.secret.reveal().to_owned()),
        ),
        other => panic!("{other:?}"),
    }
}

fn id(value: &Value) -> Uuid {
    value.as_str().unwrap().parse().unwrap()
}
