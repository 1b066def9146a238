//! Rules whose metrics can't be read, or whose outcomes can't be stored.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_alerting::{catalogue::Catalogue, evaluator::Evaluator};
use pharos_domain::{
    alert_metric::{AlertModule, MetricAnswer, MetricQuery, MetricSource, ModuleMetrics},
    store::StoreError,
};
use pharos_due::work::{DueClaim, DueWork};
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};

use super::{
    evaluate, evaluate_later,
    evaluations::{rule, see, watched},
    evaluator, make, outage, path,
};
use crate::harness::TestApp;

/// Uptime's metrics, of which one can't be read.
struct Breaking {
    uptime: Arc<dyn MetricSource>,
    why: fn() -> StoreError,
}

#[async_trait]
impl MetricSource for Breaking {
    fn metrics(&self) -> ModuleMetrics {
        self.uptime.metrics()
    }

    async fn read(
        &self,
        queries: &[MetricQuery],
        now: OffsetDateTime,
    ) -> Result<Vec<MetricAnswer>, StoreError> {
        if queries.iter().any(|query| query.metric.name == "response_ms") {
            return Err((self.why)());
        }
        self.uptime.read(queries, now).await
    }
}

fn division_by_zero() -> StoreError {
    StoreError::Failed("division by zero".into())
}

fn too_long() -> StoreError {
    StoreError::TooLong("canceling statement due to statement timeout".into())
}

/// An evaluator that can't read one of uptime's metrics.
async fn breaking(app: &TestApp, why: fn() -> StoreError) -> Evaluator {
    let whole = evaluator(app).await;
    let uptime = Arc::clone(whole.catalogue.source(AlertModule::Uptime).unwrap());
    Evaluator {
        catalogue: Catalogue::new(vec![Arc::new(Breaking { uptime, why })]).unwrap(),
        ..whole
    }
}

async fn evaluate_breaking(app: &TestApp, why: fn() -> StoreError) {
    let breaking = breaking(app, why).await;
    while breaking.once().await.unwrap() > 0 {}
}

/// One whose read fails waits for a day and is noted. All others, before and behind it, are evaluated.
#[tokio::test]
async fn a_rule_whose_metric_can_not_be_read_stops_no_other() {
    let app = watched().await;
    let (first, bad, last) = (
        make(&app, outage()).await,
        make(&app, slow()).await,
        make(&app, outage()).await,
    );
    evaluate_breaking(&app, division_by_zero).await;
    for good in [&first, &last] {
        assert_eq!(rule(&app, good).await["last_value"], json!(0.0));
    }
    let id = bad["id"].as_str().unwrap().to_owned();
    let noted = app
        .sql("SELECT subject, reason FROM set_aside WHERE kind = 'alert_rule'")
        .await;
    assert_eq!(noted.len(), 1);
    assert_eq!(noted[0][0], Some(id.clone()));
    assert!(
        noted[0][1].as_ref().unwrap().contains("division by zero"),
        "{noted:?}"
    );
    let waits = app
        .sql(&format!(
            "SELECT next_evaluation_at > now() + interval '23 hours' AND leased_until IS NULL FROM alert_evaluations
             WHERE rule_id = '{id}'"
        ))
        .await;
    assert_eq!(waits, [[Some("t".to_owned())]]);
}

/// One whose outcome the store refuses waits for a day and is noted. Those that are settled with it are settled.
#[tokio::test]
async fn a_rule_whose_outcome_can_not_be_stored_stops_no_other() {
    let app = watched().await;
    let (first, bad, last) = (
        make(&app, outage()).await,
        make(&app, slow()).await,
        make(&app, outage()).await,
    );
    let id = bad["id"].as_str().unwrap();
    app.sql(&format!(
        "ALTER TABLE alert_evaluations ADD CONSTRAINT played CHECK (rule_id <> '{id}' OR last_evaluated_at IS NULL)"
    ))
    .await;
    evaluate(&app).await;
    for good in [&first, &last] {
        assert_eq!(rule(&app, good).await["last_value"], json!(0.0));
    }
    let noted = app.sql("SELECT kind, subject FROM set_aside").await;
    assert_eq!(noted, [["alert_rule", id].map(|cell| Some(cell.to_owned()))]);
    let waits = app
        .sql(
            "SELECT rule_id FROM alert_evaluations
             WHERE next_evaluation_at > now() + interval '23 hours' AND leased_until IS NULL",
        )
        .await;
    assert_eq!(waits, [[Some(id.to_owned())]]);
}

/// One that takes too long waits for five minutes without data, and for an hour if it does so again. That is no fault, and all others
/// are evaluated.
#[tokio::test]
async fn a_rule_that_takes_too_long_to_read_stops_no_other() {
    let app = watched().await;
    let (first, late, last) = (
        make(&app, outage()).await,
        make(&app, slow()).await,
        make(&app, outage()).await,
    );
    let waits = async || {
        let waits =
            "SELECT extract(epoch FROM put_off_until - last_evaluated_at)::integer FROM alert_evaluations
            WHERE put_off_until IS NOT NULL AND next_evaluation_at = put_off_until AND leased_until IS NULL";
        app.sql(waits).await
    };
    for seconds in ["300", "3600"] {
        evaluate_breaking(&app, too_long).await;
        for good in [&first, &last] {
            assert_eq!(rule(&app, good).await["last_value"], json!(0.0));
        }
        assert_eq!(rule(&app, &late).await["state"], json!("no_data"));
        assert_eq!(waits().await, [[Some(seconds.to_owned())]]);
        app.clock.advance(Duration::minutes(5));
        // A site that nobody has looked at for a while is not known to be up.
        see(&app, 200).await;
    }
    let noted = app.sql("SELECT subject FROM set_aside").await;
    assert!(noted.is_empty(), "{noted:?}");
    // After the hour it is read as ever.
    app.clock.advance(Duration::minutes(54));
    see(&app, 200).await;
    evaluate_later(&app, 1).await;
    assert_eq!(rule(&app, &late).await["last_value"], json!(120.5));
    assert!(waits().await.is_empty());
}

/// An event of its site, before it is settled or after, makes it no quicker to read. A change of the rule may.
#[tokio::test]
async fn a_rule_that_takes_too_long_to_read_is_woken_by_a_change_of_it_alone() {
    let app = watched().await;
    app.clock.advance(OffsetDateTime::now_utc() - app.now());
    let (quick, late) = (make(&app, outage()).await, make(&app, slow()).await);
    let evaluator = breaking(&app, too_long).await;
    let claim = || DueClaim::of_now(app.now(), Duration::MINUTE, 10);
    let wake = "INSERT INTO alert_wakes (domain_id) SELECT DISTINCT domain_id FROM alert_rules";
    let is_due = async |made: &Value| {
        let id = made["id"].as_str().unwrap();
        let due = "SELECT next_evaluation_at <= now() FROM alert_evaluations";
        app.sql(&format!("{due} WHERE rule_id = '{id}'")).await[0][0] == Some("t".to_owned())
    };
    let held = evaluator.claim(&claim()).await.unwrap();
    app.sql(wake).await;
    let evaluated = evaluator.perform(&held[0]).await.unwrap();
    evaluator.settle(&[evaluated], app.now()).await.unwrap();
    assert_eq!((is_due(&quick).await, is_due(&late).await), (true, false));

    let later = "UPDATE alert_evaluations SET next_evaluation_at = now() + interval '1 minute' WHERE put_off_until IS NULL";
    app.sql(later).await;
    app.sql(wake).await;
    evaluator.claim(&claim()).await.unwrap();
    assert_eq!((is_due(&quick).await, is_due(&late).await), (true, false));

    let one = path(&app, &format!("alerts/rules/{}", late["id"].as_str().unwrap()));
    let change = json!({"threshold_value": 3_000});
    app.put(&one, &app.world.key, &change).send().await.ok();
    assert!(is_due(&late).await);
}

/// Then no rule is to blame: they are due again once their lease ends.
#[tokio::test]
async fn rules_are_not_set_aside_where_nothing_can_be_read() {
    let app = watched().await;
    make(&app, slow()).await;
    make(&app, slow()).await;
    evaluate_breaking(&app, division_by_zero).await;
    let noted = app
        .sql("SELECT subject FROM set_aside WHERE kind = 'alert_rule'")
        .await;
    assert!(noted.is_empty(), "{noted:?}");
    let waiting = app
        .sql("SELECT count(*) FROM alert_evaluations WHERE next_evaluation_at > now() + interval '1 hour'")
        .await;
    assert_eq!(waiting, [[Some("0".to_owned())]]);
}

fn slow() -> Value {
    json!({ "module": "uptime", "metric": "response_ms", "operator": "gt", "threshold_value": 2_000 })
}
