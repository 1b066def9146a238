//! Operations of the modules `alerts` and `notifications`.

mod alerts;
mod defaults;
pub(crate) mod deliveries;
mod evaluations;
pub(crate) mod fixtures;
mod late_data;
mod notices;
mod notifications;
mod processes;
mod rules;
mod unreadable;
mod words;

use std::sync::Arc;

use pharos_alerting::evaluator::Evaluator;
use pharos_persistence::pool::{Database, DatabaseOptions};
use pharos_server::groups::{alert_metrics, database_options, ports};
use serde_json::{Value, json};

use crate::harness::{Reply, TestApp};

/// A path below the world's domain.
fn path(app: &TestApp, rest: &str) -> String {
    format!("/domains/{}/{rest}", app.world.domain)
}

/// An evaluator on connections of its own, as another node has one.
async fn evaluator(app: &TestApp) -> Evaluator {
    let options = DatabaseOptions {
        pool_size: 2,
        ..database_options()
    };
    let database = Database::connect(app.database.url(), &options).await.unwrap();
    let ports = ports(&database);
    Evaluator {
        store: ports.get().unwrap(),
        catalogue: alert_metrics(&ports).unwrap(),
        clock: app.clock.clone(),
        bell: Arc::default(),
    }
}

/// Evaluates all rules that are due.
pub(crate) async fn evaluate(app: &TestApp) {
    let evaluator = evaluator(app).await;
    while evaluator.once().await.unwrap() > 0 {}
}

/// The same a minute later, when every rule is due.
pub(crate) async fn evaluate_later(app: &TestApp, minutes: i64) {
    app.clock.advance(time::Duration::minutes(minutes));
    evaluate(app).await;
}

async fn post(app: &TestApp, rest: &str, body: &Value) -> Reply {
    let request = app.request("POST", &path(app, rest)).key(&app.world.key);
    request.json(body).send().await
}

async fn get(app: &TestApp, target: &str) -> Value {
    app.get(target, &app.world.key).send().await.ok()
}

/// Makes a rule, and answers it.
pub(crate) async fn make(app: &TestApp, rule: Value) -> Value {
    let made = post(app, "alerts/rules", &rule).await;
    assert_eq!(made.status, 201, "{:?}", made.json());
    made.json()
}

/// A rule that fires once the site fails twice in a row.
fn outage() -> Value {
    json!({
        "module": "uptime", "metric": "consecutive_failures", "operator": "gte", "threshold_value": 2,
        "severity": "critical",
    })
}
