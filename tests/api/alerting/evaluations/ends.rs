//! Alerts that are over before their condition is: by hand, with their monitor, with the plan.

use serde_json::{Value, json};
use time::Duration;

use super::{
    super::{evaluate, evaluate_later, make, outage, path},
    history, rule, see, watched,
};

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
