//! Rules that are evaluated: what fires, and when it is over.

use pharos_alerting::store::{Evaluated, Settled};
use pharos_due::work::{DueClaim, DueWork};
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};

use super::{evaluate, evaluate_later, evaluator, get, make, outage, path};
use crate::{
    harness::TestApp,
    uptime::{check, store},
};

/// An app whose site is watched, and up.
pub(super) async fn watched() -> TestApp {
    let app = TestApp::start().await;
    let config = path(&app, "uptime/config");
    app.put(&config, &app.world.key, &json!({})).send().await.ok();
    see(&app, 200).await;
    app
}

/// The site answers this now.
pub(super) async fn see(app: &TestApp, status: u16) {
    store(app, vec![check(app.world.domain, app.now(), status)]).await;
}

pub(super) async fn rule(app: &TestApp, made: &Value) -> Value {
    get(
        app,
        &path(app, &format!("alerts/rules/{}", made["id"].as_str().unwrap())),
    )
    .await
}

async fn history(app: &TestApp) -> Vec<Value> {
    let page = get(app, "/alerts/history").await;
    page["items"].as_array().unwrap().clone()
}

#[tokio::test]
async fn an_outage_fires_once_and_is_resolved() {
    let app = watched().await;
    let made = make(&app, outage()).await;
    evaluate(&app).await;
    let calm = rule(&app, &made).await;
    assert_eq!((&calm["state"], &calm["last_value"]), (&json!("ok"), &json!(0.0)));
    for _ in 0..2 {
        app.clock.advance(Duration::MINUTE);
        see(&app, 503).await;
    }
    for _ in 0..2 {
        evaluate_later(&app, 1).await;
    }
    let fired = history(&app).await;
    assert_eq!(fired.len(), 1, "one breach");
    let alert = &fired[0];
    assert_eq!(
        (
            &alert["value"],
            &alert["threshold_value"],
            &alert["severity"],
            &alert["resolved_at"]
        ),
        (&json!(2.0), &json!(2.0), &json!("critical"), &Value::Null)
    );
    assert_eq!(alert["title"], "shop.example: 2 failing checks in a row");
    let incidents = get(&app, &path(&app, "uptime/incidents")).await;
    let incident = &incidents["items"][0];
    assert_eq!(alert["context"]["incident_id"], incident["incident_id"]);
    assert_eq!(incident["alert_ids"], json!([alert["id"]]));
    let detail = format!("uptime/incidents/{}", incident["incident_id"].as_str().unwrap());
    assert_eq!(
        get(&app, &path(&app, &detail)).await["alert_ids"],
        json!([alert["id"]])
    );
    let firing = rule(&app, &made).await;
    assert_eq!(
        (&firing["state"], &firing["last_fired_at"]),
        (&json!("firing"), &alert["fired_at"])
    );

    see(&app, 200).await;
    see(&app, 200).await;
    evaluate_later(&app, 1).await;
    let over = history(&app).await;
    assert_eq!(over.len(), 1);
    assert_ne!(over[0]["resolved_at"], Value::Null);
    assert_eq!(rule(&app, &made).await["state"], "ok");
    let one = get(
        &app,
        &format!("/alerts/history/{}", alert["id"].as_str().unwrap()),
    )
    .await;
    assert_eq!(one, over[0]);
}

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

#[tokio::test]
async fn two_nodes_fire_one_alert_for_one_breach() {
    let app = watched().await;
    for _ in 0..40 {
        make(&app, outage()).await;
    }
    for _ in 0..2 {
        app.clock.advance(Duration::MINUTE);
        see(&app, 503).await;
    }
    let nodes = [
        evaluator(&app).await,
        evaluator(&app).await,
        evaluator(&app).await,
    ];
    for _ in 0..3 {
        app.clock.advance(Duration::MINUTE);
        let all = nodes
            .iter()
            .map(|node| async { while node.once().await.unwrap() > 0 {} });
        futures_util::future::join_all(all).await;
    }
    let fired = app
        .sql("SELECT count(*), count(DISTINCT rule_id), count(DISTINCT notification_id) FROM alert_history")
        .await;
    assert_eq!(fired, [["40", "40", "40"].map(|count| Some(count.to_owned()))]);
}

#[tokio::test]
async fn a_change_that_ends_the_breach_resolves_it_and_one_that_does_not_leaves_it_open() {
    let app = watched().await;
    let made = make(&app, outage()).await;
    for _ in 0..2 {
        app.clock.advance(Duration::MINUTE);
        see(&app, 503).await;
    }
    evaluate_later(&app, 1).await;
    let one = path(&app, &format!("alerts/rules/{}", made["id"].as_str().unwrap()));
    let put = async |body: Value| {
        app.clock.advance(Duration::SECOND);
        app.put(&one, &app.world.key, &body).send().await.ok();
        evaluate(&app).await;
        history(&app).await
    };
    let still = put(json!({"threshold_value": 1})).await;
    assert_eq!((still.len(), &still[0]["resolved_at"]), (1, &Value::Null));
    assert_eq!(still[0]["context"]["end_reason"], Value::Null);
    let over = put(json!({"threshold_value": 5})).await;
    assert_eq!(over.len(), 1);
    assert_ne!(over[0]["resolved_at"], Value::Null);
    assert_eq!(over[0]["context"]["end_reason"], "rule_changed");
}

/// By hand, at once: nobody evaluates it any more.
#[tokio::test]
async fn disabling_or_deleting_a_rule_resolves_its_alert() {
    for way in ["disable", "delete", "delete the domain"] {
        let app = watched().await;
        let made = make(&app, outage()).await;
        for _ in 0..2 {
            app.clock.advance(Duration::MINUTE);
            see(&app, 503).await;
        }
        evaluate_later(&app, 1).await;
        let one = path(&app, &format!("alerts/rules/{}", made["id"].as_str().unwrap()));
        match way {
            "disable" => {
                app.put(&one, &app.world.key, &json!({"enabled": false}))
                    .send()
                    .await
                    .ok();
            }
            "delete" => {
                app.request("DELETE", &one).key(&app.world.key).send().await.ok();
            }
            _ => {
                let (domains, actor) = (&app.stores.domain_admin, crate::harness::actor());
                domains.delete(app.world.domain, &actor, app.now()).await.unwrap();
            }
        }
        let open = app
            .sql("SELECT count(*) FROM alert_history WHERE resolved_at IS NULL")
            .await;
        assert_eq!(open, [[Some("0".to_owned())]], "{way}");
        let told = app
            .sql("SELECT count(*) FROM notifications WHERE resolved_at IS NULL")
            .await;
        assert_eq!(told, [[Some("0".to_owned())]], "{way}");
        evaluate_later(&app, 1).await;
        let fired = app.sql("SELECT count(*) FROM alert_history").await;
        assert_eq!(fired, [[Some("1".to_owned())]], "{way}: nothing fires any more");
    }
}

/// Nobody watches the site any more, so nobody learns when it is up again.
#[tokio::test]
async fn pausing_the_monitor_closes_its_alerts() {
    let app = watched().await;
    let made = make(&app, outage()).await;
    for _ in 0..2 {
        app.clock.advance(Duration::MINUTE);
        see(&app, 503).await;
    }
    evaluate_later(&app, 1).await;
    assert_eq!(rule(&app, &made).await["state"], "firing");
    let config = path(&app, "uptime/config");
    app.put(&config, &app.world.key, &json!({"enabled": false}))
        .send()
        .await
        .ok();
    evaluate_later(&app, 1).await;
    let over = history(&app).await;
    assert_eq!(over.len(), 1);
    assert_ne!(over[0]["resolved_at"], Value::Null);
    assert_eq!(over[0]["context"]["end_reason"], "monitor_paused");
    assert_eq!(rule(&app, &made).await["state"], "no_data");
    let told = app
        .sql("SELECT count(*) FROM notifications WHERE resolved_at IS NULL")
        .await;
    assert_eq!(told, [[Some("0".to_owned())]]);
}

/// Events are counted whenever a node comes to it, each by every rule, and none twice.
#[tokio::test]
async fn events_are_counted_once_however_long_no_node_was_there() {
    let app = watched().await;
    let rule = json!({
        "module": "uptime", "metric": "ssl_certificate_changed", "operator": "gte", "threshold_value": 1,
    });
    for _ in 0..2 {
        make(&app, rule.clone()).await;
    }
    evaluate(&app).await;
    assert_eq!(history(&app).await.len(), 0);
    let changed = format!(
        "INSERT INTO metric_events (domain_id, module, metric, at, context)
         VALUES ('{}', 'uptime', 'ssl_certificate_changed', now(), '{{}}')",
        app.world.domain
    );
    for _ in 0..3 {
        app.sql(&changed).await;
    }
    evaluate_later(&app, 600).await;
    let fired = history(&app).await;
    let values: Vec<&Value> = fired.iter().map(|alert| &alert["value"]).collect();
    assert_eq!(values, [&json!(3.0), &json!(3.0)]);
    assert!(
        fired
            .iter()
            .all(|alert| alert["resolved_at"] == alert["fired_at"]),
        "they are over as they are told"
    );
    evaluate_later(&app, 1).await;
    assert_eq!(history(&app).await.len(), 2);
    app.sql(&changed).await;
    evaluate_later(&app, 1).await;
    assert_eq!(history(&app).await.len(), 4);
}

#[tokio::test]
async fn nothing_fires_while_a_maintenance_window_is_open() {
    let app = watched().await;
    let slow = json!({"module": "uptime", "metric": "response_ms", "operator": "gt", "threshold_value": 1});
    make(&app, slow).await;
    let (starts_at, ends_at) = (app.now() - Duration::HOUR, app.now() + Duration::hours(2));
    let stamp = |at| pharos_domain::timestamp::Timestamp::from(at).to_string();
    let window = json!({"maintenance_windows": [{"name": "Work", "starts_at": stamp(starts_at), "ends_at": stamp(ends_at)}]});
    let config = path(&app, "uptime/config");
    app.put(&config, &app.world.key, &window).send().await.ok();
    evaluate_later(&app, 1).await;
    assert_eq!(history(&app).await.len(), 0);
    app.put(&config, &app.world.key, &json!({"maintenance_windows": []}))
        .send()
        .await
        .ok();
    evaluate_later(&app, 1).await;
    assert_eq!(history(&app).await.len(), 1);
}

/// The window stands in uptime's settings and is meant for the site: rules of other modules hold back too, and so do those that
/// count events, which are told once it is over. A paused monitor is uptime's alone.
#[tokio::test]
async fn a_maintenance_window_silences_every_module_and_events() {
    let app = watched().await;
    for (module, metric) in [
        ("uptime", "ssl_certificate_changed"),
        ("robots", "content_changed"),
    ] {
        let rule = json!({"module": module, "metric": metric, "operator": "gte", "threshold_value": 1});
        make(&app, rule).await;
    }
    evaluate(&app).await;
    let domain = app.world.domain;
    let happened = format!(
        "INSERT INTO metric_events (domain_id, module, metric, at, context)
         VALUES ('{domain}', 'uptime', 'ssl_certificate_changed', now(), '{{}}'),
             ('{domain}', 'robots', 'content_changed', now(), '{{}}')"
    );
    let (starts_at, ends_at) = (app.now() - Duration::HOUR, app.now() + Duration::hours(2));
    let stamp = |at| pharos_domain::timestamp::Timestamp::from(at).to_string();
    let window = json!({"maintenance_windows": [{"name": "Work", "starts_at": stamp(starts_at), "ends_at": stamp(ends_at)}]});
    let config = path(&app, "uptime/config");
    app.put(&config, &app.world.key, &window).send().await.ok();
    app.sql(&happened).await;
    evaluate_later(&app, 1).await;
    assert_eq!(history(&app).await.len(), 0);
    app.put(&config, &app.world.key, &json!({"maintenance_windows": []}))
        .send()
        .await
        .ok();
    evaluate_later(&app, 1).await;
    assert_eq!(history(&app).await.len(), 2);
    app.put(&config, &app.world.key, &json!({"enabled": false}))
        .send()
        .await
        .ok();
    app.sql(&happened).await;
    evaluate_later(&app, 1).await;
    let told = history(&app).await;
    assert_eq!(told.len(), 3);
    assert_eq!(told[0]["module"], "robots");
    // The site is worked on while its monitor is paused: that was announced to the others no less.
    app.put(&config, &app.world.key, &window).send().await.ok();
    app.sql(&happened).await;
    evaluate_later(&app, 1).await;
    assert_eq!(history(&app).await.len(), 3);
    app.put(&config, &app.world.key, &json!({"maintenance_windows": []}))
        .send()
        .await
        .ok();
    evaluate_later(&app, 1).await;
    let told = history(&app).await;
    assert_eq!(told.len(), 4);
    assert_eq!(told[0]["module"], "robots");
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

/// A change that changes nothing leaves a rule as it is.
#[tokio::test]
async fn a_rule_that_is_put_as_it_is_was_not_changed() {
    let app = firing_now().await;
    app.sql("UPDATE alert_rules SET updated_at = updated_at - interval '1 hour'")
        .await;
    let rules = get(&app, &path(&app, "alerts/rules")).await;
    let before = rules["items"][0].clone();
    let rule = path(&app, &format!("alerts/rules/{}", before["id"].as_str().unwrap()));
    for same in [json!({}), json!({"threshold_value": 0, "cooldown_minutes": 60})] {
        let put = app.put(&rule, &app.world.key, &same).send().await.ok();
        assert_eq!(put, before);
    }
    let other = app
        .put(&rule, &app.world.key, &json!({"cooldown_minutes": 61}))
        .send()
        .await
        .ok();
    assert_ne!(other["updated_at"], before["updated_at"]);
}

/// 499 alerts of the hour before, and a rule that has fired in it: it fires for the 500th, and then waits.
#[tokio::test]
async fn a_domain_that_fires_without_end_is_held_back_and_says_so() {
    let app = firing_now().await;
    app.sql("UPDATE alert_rules SET cooldown_minutes = 1").await;
    evaluate(&app).await;
    app.sql(
        "INSERT INTO alert_history (id, domain_id, workspace_id, notification_id, module, metric, metric_label, unit, operator,
             threshold, evaluation_window, value, severity, title, message, context, fired_at, resolved_at, end_reason)
         SELECT gen_random_uuid(), h.domain_id, h.workspace_id, h.notification_id, h.module, h.metric, h.metric_label, h.unit,
             h.operator, h.threshold, h.evaluation_window, h.value, h.severity, h.title, h.message, h.context,
             h.fired_at, h.fired_at, 'over'
         FROM alert_history AS h, generate_series(1, 498)",
    )
    .await;
    let fired = async || {
        // The rule is due, and has not fired for as long as its cooldown is.
        app.sql("UPDATE alert_evaluations SET next_evaluation_at = now(), last_fired_at = now() - interval '5 minutes'")
            .await;
        app.clock.advance(OffsetDateTime::now_utc() - app.now());
        evaluate(&app).await;
        let told = "SELECT count(*)::text, count(*) FILTER (WHERE message LIKE '%alert number 500%')::text FROM alert_history";
        app.sql(told).await[0].clone()
    };
    let counts = |all: &str, told: &str| vec![Some(all.to_owned()), Some(told.to_owned())];
    assert_eq!(fired().await, counts("500", "1"));
    assert_eq!(fired().await, counts("500", "1"), "it waits");
    app.sql("UPDATE alert_history SET fired_at = fired_at - interval '2 hours', resolved_at = fired_at WHERE rule_id IS NULL")
        .await;
    assert_eq!(fired().await, counts("501", "1"), "there are fewer");
}

/// A rule that fires as long as the site is up, on an app whose clock is right.
async fn firing_now() -> TestApp {
    let app = watched().await;
    app.clock.advance(OffsetDateTime::now_utc() - app.now());
    see(&app, 200).await;
    let rule = json!({
        "module": "uptime", "metric": "consecutive_failures", "operator": "lte", "threshold_value": 0,
        "cooldown_minutes": 60,
    });
    make(&app, rule).await;
    app
}

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
    app.put(&rule, &app.world.key, &json!({ "threshold_value": -1 }))
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

/// Open alerts are over, and nothing fires until the plan has the module again.
#[tokio::test]
async fn a_plan_that_loses_a_module_ends_its_alerts() {
    let app = watched().await;
    let mut rule = outage();
    rule["cooldown_minutes"] = json!(0);
    make(&app, rule).await;
    for _ in 0..2 {
        app.clock.advance(Duration::MINUTE);
        see(&app, 503).await;
    }
    evaluate_later(&app, 1).await;
    let open = "SELECT resolved_at IS NULL, end_reason FROM alert_history";
    assert_eq!(app.sql(open).await, [[Some("t".to_owned()), None]]);
    let modules = app
        .sql("SELECT modules FROM plans WHERE key = (SELECT plan_key FROM workspaces LIMIT 1)")
        .await[0][0]
        .clone()
        .unwrap();
    // Without alerts nobody could disable the rule, either.
    for lost in ["uptime", "alerts"] {
        app.sql(&format!(
            "UPDATE plans SET modules = array_remove(modules, '{lost}')"
        ))
        .await;
        for _ in 0..2 {
            evaluate_later(&app, 1).await;
            let newest = app.sql(&format!("{open} ORDER BY fired_at DESC LIMIT 1")).await;
            let over = [Some("f".to_owned()), Some("module_off".to_owned())];
            assert_eq!(newest, [over], "{lost}");
        }
        app.sql(&format!("UPDATE plans SET modules = '{modules}'")).await;
        // The site fails still.
        see(&app, 503).await;
        evaluate_later(&app, 1).await;
        let again = app
            .sql("SELECT count(*) FROM alert_history WHERE resolved_at IS NULL")
            .await;
        let stands = app.sql("SELECT to_jsonb(e) FROM alert_evaluations AS e").await;
        assert_eq!(again, [[Some("1".to_owned())]], "{lost}: {stands:?}");
    }
}
