//! Nodes whose clocks are wrong.

use serde_json::json;
use time::{Duration, OffsetDateTime};

use super::{
    super::{evaluate, evaluator, get, path},
    firing_now,
};

#[tokio::test]
async fn a_node_whose_clock_is_a_day_ahead_fires_nothing_in_the_future() {
    let app = firing_now().await;
    app.clock.advance(Duration::DAY);
    evaluate(&app).await;
    let late = "SELECT count(*), bool_or(fired_at > now()) FROM alert_history";
    assert_eq!(
        app.sql(late).await[0],
        [Some("1".to_owned()), Some("f".to_owned())]
    );
    let standing = "SELECT last_fired_at <= now(), next_evaluation_at <= now() + interval '1 hour' FROM alert_evaluations";
    assert_eq!(app.sql(standing).await[0], vec![Some("t".to_owned()); 2]);

    let rules = get(&app, &path(&app, "alerts/rules")).await;
    let rule = path(
        &app,
        &format!("alerts/rules/{}", rules["items"][0]["id"].as_str().unwrap()),
    );
    app.put(
        &rule,
        &app.world.key,
        &json!({ "operator": "gte", "threshold_value": 1 }),
    )
    .send()
    .await
    .ok();
    app.clock.advance(Duration::MINUTE);
    evaluate(&app).await;
    let over =
        "SELECT count(*), bool_or(resolved_at > now()) FROM alert_history WHERE resolved_at IS NOT NULL";
    assert_eq!(
        app.sql(over).await[0],
        [Some("1".to_owned()), Some("f".to_owned())]
    );
    let told = "SELECT bool_or(resolved_at > now()) FROM notifications";
    assert_eq!(app.sql(told).await[0], [Some("f".to_owned())]);
    let standing = "SELECT last_evaluated_at <= now() FROM alert_evaluations";
    assert_eq!(app.sql(standing).await[0], [Some("t".to_owned())]);
}

#[tokio::test]
async fn rules_that_a_clock_has_put_out_of_reach_are_brought_back() {
    let app = firing_now().await;
    let evaluator = evaluator(&app).await;
    for ahead in [
        "next_evaluation_at = now() + interval '2 days'",
        "leased_until = now() + interval '1 day'",
        "last_fired_at = now() + interval '1 day', next_evaluation_at = now() + interval '59 minutes'",
    ] {
        app.sql(&format!("UPDATE alert_evaluations SET {ahead}")).await;
        assert_eq!(evaluator.once().await.unwrap(), 0, "{ahead}");
        evaluator.store.bring_back().await.unwrap();
        app.clock.advance(OffsetDateTime::now_utc() - app.now());
        assert_eq!(evaluator.once().await.unwrap(), 1, "{ahead}");
        // A rule that was never fired, or is disabled, stays so.
        let nothing =
            "last_fired_at = NULL, leased_until = now() + interval '1 day', next_evaluation_at = NULL";
        app.sql(&format!("UPDATE alert_evaluations SET {nothing}")).await;
        evaluator.store.bring_back().await.unwrap();
        let kept = "SELECT last_fired_at IS NULL AND next_evaluation_at IS NULL FROM alert_evaluations";
        assert_eq!(app.sql(kept).await[0], [Some("t".to_owned())]);
        app.sql("UPDATE alert_evaluations SET next_evaluation_at = now()")
            .await;
    }
}
