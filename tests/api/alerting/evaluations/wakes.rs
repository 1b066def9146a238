//! Rules that are evaluated at once, whatever their next time is.

use pharos_alerting::store::{Evaluated, Settled};
use pharos_due::work::{DueClaim, DueWork};
use time::{Duration, OffsetDateTime};

use super::{
    super::{evaluate, evaluator, make, outage},
    firing_now, see, watched,
};

/// An incident has the rules of its domain evaluated at once, however long it is until their next time.
#[tokio::test]
async fn an_incident_wakes_the_rules_of_its_domain() {
    let app = watched().await;
    make(&app, outage()).await;
    evaluate(&app).await;
    for _ in 0..2 {
        app.clock.advance(Duration::SECOND);
        see(&app, 503).await;
    }
    app.sql("UPDATE alert_evaluations SET next_evaluation_at = now() + interval '1 hour'")
        .await;
    evaluate(&app).await;
    // By the database's clock, which is ahead of this app's.
    let due = app
        .sql("SELECT next_evaluation_at <= now() FROM alert_evaluations")
        .await;
    assert_eq!(due, [[Some("t".to_owned())]]);
}

/// An event between a claim and its settlement counts at once, for the rules of that domain alone.
#[tokio::test]
async fn rules_that_are_woken_while_they_are_evaluated_are_due_again() {
    let app = watched().await;
    for _ in 0..3 {
        make(&app, outage()).await;
    }
    let store = evaluator(&app).await.store;
    let claim = DueClaim::of_now(app.now(), Duration::MINUTE, 10);
    let claimed = store.claim(&claim).await.unwrap();
    assert_eq!(claimed.len(), 3);
    // By the database's clock, which is ahead of this app's.
    let later = OffsetDateTime::now_utc() + Duration::DAY;
    let evaluated: Vec<Evaluated> = claimed
        .iter()
        .map(|rule| Evaluated {
            rule: rule.id,
            updated_at: rule.updated_at,
            due_at: rule.due_at,
            leased_until: rule.leased_until,
            standing: rule.standing,
            counted_through: None,
            alert: None,
            end: None,
            evaluated_at: app.now(),
            next_evaluation_at: later,
            is_put_off: false,
        })
        .collect();
    let (first, rest) = evaluated.split_first().unwrap();
    let woken = "INSERT INTO alert_wakes (domain_id) SELECT";
    app.sql(&format!("{woken} gen_random_uuid()")).await;
    store.settle(std::slice::from_ref(first)).await.unwrap();
    app.sql(&format!("{woken} '{}'", app.world.domain)).await;
    store.settle(rest).await.unwrap();
    let due = app
        .sql(
            "SELECT count(*), count(*) FILTER (WHERE next_evaluation_at <= now()), count(leased_until), count(last_evaluated_at)
             FROM alert_evaluations",
        )
        .await;
    assert_eq!(due, [["3", "2", "0", "3"].map(|count| Some(count.to_owned()))]);
    // The claims are gone: the same once more changes nothing.
    let again = store.settle(&evaluated).await.unwrap();
    assert_eq!(again, Settled::default());
}

/// Something happens while a node evaluates the rule, and another claim takes the wake away: it is evaluated again at once.
#[tokio::test]
async fn a_wake_is_not_lost_to_a_claim_that_can_not_have_the_rule() {
    let app = firing_now().await;
    let evaluator = evaluator(&app).await;
    let claim = || DueClaim::of_now(app.now(), Duration::MINUTE, 10);
    let held = evaluator.claim(&claim()).await.unwrap();
    assert_eq!(held.len(), 1);
    app.sql("INSERT INTO alert_wakes (domain_id) SELECT domain_id FROM alert_rules")
        .await;
    assert_eq!(evaluator.claim(&claim()).await.unwrap().len(), 0, "it is held");
    assert_eq!(
        app.sql("SELECT count(*) FROM alert_wakes").await[0],
        [Some("0".to_owned())]
    );
    let evaluated = evaluator.perform(&held[0]).await.unwrap();
    evaluator.settle(&[evaluated], app.now()).await.unwrap();
    let due = "SELECT next_evaluation_at <= now() FROM alert_evaluations";
    assert_eq!(app.sql(due).await[0], [Some("t".to_owned())]);
}
