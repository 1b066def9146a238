//! /domains/{domain_id}/alerts/rules and /alerts/rules

use serde_json::{Value, json};

use super::{get, make, outage, path, post};
use crate::{fixtures, harness::TestApp};

#[tokio::test]
async fn a_rule_takes_what_it_does_not_name_from_the_catalogue() {
    let app = TestApp::start().await;
    let made = make(&app, outage()).await;
    let (world, now) = (&app.world, made["created_at"].clone());
    assert_eq!(
        made,
        json!({
            "id": made["id"], "domain_id": world.domain, "domain_name": "shop.example", "workspace_id": world.workspace,
            "name": null, "module": "uptime", "metric": "consecutive_failures", "operator": "gte", "threshold_value": 2.0,
            "comparison_window": null, "evaluation_window": "latest", "min_sample": null, "url": null, "form_factor": null,
            "search_type": null, "severity": "critical", "enabled": true, "cooldown_minutes": 60, "last_evaluated_at": null,
            "last_fired_at": null, "last_value": null, "state": "ok", "created_at": now, "updated_at": now,
            "created_by": world.owner,
        })
    );
    let one = path(&app, &format!("alerts/rules/{}", made["id"].as_str().unwrap()));
    assert_eq!(get(&app, &one).await, made);
    for list in [path(&app, "alerts/rules"), "/alerts/rules".to_owned()] {
        assert_eq!(get(&app, &list).await["items"], json!([made]));
    }
}

#[tokio::test]
async fn lists_are_filtered_and_paged() {
    let app = TestApp::start().await;
    let mut made = Vec::new();
    for number in 0..5 {
        let mut rule = outage();
        rule["enabled"] = json!(number % 2 == 0);
        made.push(make(&app, rule).await["id"].clone());
        app.clock.advance(time::Duration::SECOND);
    }
    let ids = |page: &Value| -> Vec<Value> {
        page["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|rule| rule["id"].clone())
            .collect()
    };
    for list in [path(&app, "alerts/rules"), "/alerts/rules".to_owned()] {
        let newest_first: Vec<Value> = made.iter().rev().cloned().collect();
        let mut found = Vec::new();
        let mut page = get(&app, &format!("{list}?limit=2")).await;
        loop {
            found.extend(ids(&page));
            let Some(cursor) = page["next_cursor"].as_str() else {
                break;
            };
            page = get(&app, &format!("{list}?limit=2&cursor={cursor}")).await;
        }
        assert_eq!(found, newest_first, "{list}");
        let disabled = get(&app, &format!("{list}?enabled=false")).await;
        assert_eq!(ids(&disabled), [made[3].clone(), made[1].clone()]);
        assert_eq!(disabled["items"][0]["state"], "disabled");
        assert_eq!(
            ids(&get(&app, &format!("{list}?module=rum")).await),
            Vec::<Value>::new()
        );
        assert_eq!(ids(&get(&app, &format!("{list}?module=uptime")).await).len(), 5);
    }
    let elsewhere = app
        .get("/alerts/rules?module=weather", &app.world.key)
        .send()
        .await;
    assert_eq!(elsewhere.faults(), ["module"]);
    let stranger = format!("/alerts/rules?workspace_id={}", uuid::Uuid::now_v7());
    app.get(&stranger, &app.world.key)
        .send()
        .await
        .problem(404, "workspace-not-found");
}

/// A newer version made it: it is left out, wherever it stands, and what comes after it is not lost.
#[tokio::test]
async fn a_row_that_can_not_be_read_is_left_out_of_lists_and_noted() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    for (list, table, kind) in [
        ("/alerts/rules", "alert_rules", "alert_rule"),
        ("/alerts/history", "alert_history", "alert"),
        ("/notifications", "notifications", "notification"),
    ] {
        let all = every(&app, list).await;
        assert!(all.len() > 3, "{list}");
        // The last of the first page, where pages have two.
        let strange = all[1].clone();
        app.sql(&format!(
            "UPDATE {table} SET module = 'weather' WHERE id = {}",
            quoted(&strange)
        ))
        .await;
        let rest: Vec<Value> = all.into_iter().filter(|id| *id != strange).collect();
        assert_eq!(every(&app, list).await, rest, "{list}");
        let noted = format!("SELECT subject FROM set_aside WHERE kind = '{kind}'");
        assert_eq!(app.sql(&noted).await, [[strange.as_str().map(str::to_owned)]]);
    }
}

fn quoted(id: &Value) -> String {
    format!("'{}'", id.as_str().unwrap())
}

/// The ids of all that a list has, two a page.
async fn every(app: &TestApp, list: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let mut page = get(app, &format!("{list}?limit=2")).await;
    loop {
        found.extend(
            page["items"]
                .as_array()
                .unwrap()
                .iter()
                .map(|item| item["id"].clone()),
        );
        let Some(cursor) = page["next_cursor"].as_str() else {
            return found;
        };
        page = get(app, &format!("{list}?limit=2&cursor={cursor}")).await;
    }
}

#[tokio::test]
async fn what_can_be_no_rule_is_refused_with_everything_that_is_wrong() {
    let app = TestApp::start().await;
    let refused = async |rule: Value| post(&app, "alerts/rules", &rule).await.faults();
    let with = |members: Value| {
        let mut rule = outage();
        for (name, value) in members.as_object().unwrap() {
            rule[name] = value.clone();
        }
        rule
    };
    assert_eq!(refused(json!({})).await, ["/metric", "/module", "/operator"]);
    assert_eq!(refused(with(json!({"metric": "lcp_ms"}))).await, ["/metric"]);
    assert_eq!(
        refused(with(
            json!({"operator": "pct_increase", "comparison_window": "previous_day"})
        ))
        .await,
        ["/operator"],
        "the metric has no such operator"
    );
    assert_eq!(refused(with(json!({"module": "rum"}))).await, ["/metric"]);
    assert_eq!(
        refused(with(json!({"operator": "anomaly", "threshold_value": 3}))).await,
        ["/comparison_window", "/operator"]
    );
    assert_eq!(
        refused(with(json!({"operator": "eq", "threshold_value": null}))).await,
        ["/threshold_value"],
        "the catalogue's is for gte"
    );
    assert_eq!(
        refused(with(json!({"threshold_value": 1e16}))).await,
        ["/threshold_value"]
    );
    assert_eq!(
        refused(with(json!({"threshold_value": 1e300}))).await,
        ["/threshold_value"]
    );
    // A number that JSON can't write makes the body no JSON.
    for number in ["NaN", "Infinity", "1e999", "-1e999"] {
        let body = with(json!({"threshold_value": 77}))
            .to_string()
            .replace("77", number);
        let request = app
            .request("POST", &path(&app, "alerts/rules"))
            .key(&app.world.key);
        let reply = request.body("application/json", body).send().await;
        reply.problem(400, "invalid-request");
    }
    assert_eq!(
        refused(with(json!({"threshold_value": "2"}))).await,
        ["/threshold_value"]
    );
    assert_eq!(
        refused(with(json!({"threshold_value": 0}))).await,
        ["/threshold_value"],
        "a count is never less"
    );
    assert_eq!(
        refused(with(json!({"url": "https://shop.example/"}))).await,
        ["/url"]
    );
    // Nobody follows a page of another site.
    assert_eq!(
        refused(json!({
            "module": "crux", "metric": "lcp_ms", "operator": "gt", "threshold_value": 2500, "url": "https://other.example/",
        }))
        .await,
        ["/url"]
    );
    assert_eq!(
        refused(with(json!({"form_factor": "mobile"}))).await,
        ["/form_factor"]
    );
    assert_eq!(
        refused(with(json!({"name": "x".repeat(10_000)}))).await,
        ["/name"]
    );
    assert_eq!(
        refused(with(json!({"name": "<b>two</b>\nlines"}))).await,
        ["/name"]
    );
    assert_eq!(
        refused(with(json!({"evaluation_window": "24h"}))).await,
        ["/evaluation_window"]
    );
    assert_eq!(refused(with(json!({"colour": "red"}))).await, ["/colour"]);
    assert_eq!(refused(with(json!({"min_sample": 10}))).await, ["/min_sample"]);
    let found = refused(with(
        json!({"metric": "uptime_pct", "operator": "pct_decrease", "threshold_value": null}),
    ))
    .await;
    assert_eq!(found, ["/comparison_window", "/threshold_value"]);
    let rules = get(&app, &path(&app, "alerts/rules")).await;
    assert_eq!(rules["items"], json!([]), "nothing was made");
}

#[tokio::test]
async fn a_rule_of_three_members_takes_the_rest_from_the_catalogue() {
    let app = TestApp::start().await;
    let made = make(
        &app,
        json!({"module": "uptime", "metric": "response_ms", "operator": "gt"}),
    )
    .await;
    assert_eq!(
        (
            &made["threshold_value"],
            &made["comparison_window"],
            &made["evaluation_window"],
            &made["cooldown_minutes"],
        ),
        (&json!(2000.0), &Value::Null, &json!("1h"), &json!(120))
    );
    let other = json!({"module": "uptime", "metric": "response_ms", "operator": "lt"});
    let refused = post(&app, "alerts/rules", &other).await;
    assert_eq!(refused.faults(), ["/threshold_value"]);
    // A comparison that the request lacks is not filled in from elsewhere.
    let change = json!({"module": "analytics", "metric": "visitors", "operator": "pct_decrease"});
    let refused = post(&app, "alerts/rules", &change).await;
    assert_eq!(refused.faults(), ["/comparison_window"]);
}

#[tokio::test]
async fn a_change_is_partial_and_an_operator_of_another_kind_needs_its_fields() {
    let app = TestApp::start().await;
    let rule = json!({
        "module": "uptime", "metric": "response_ms", "operator": "gt", "threshold_value": 2000, "name": "Slow",
    });
    let made = make(&app, rule).await;
    let one = path(&app, &format!("alerts/rules/{}", made["id"].as_str().unwrap()));
    let put = async |body: Value| app.put(&one, &app.world.key, &body).send().await;
    app.clock.advance(time::Duration::MINUTE);
    let changed = put(json!({"threshold_value": 1500, "name": null})).await.ok();
    assert_eq!(
        (&changed["threshold_value"], &changed["name"]),
        (&json!(1500.0), &Value::Null)
    );
    assert_eq!(
        (&changed["operator"], &changed["created_at"]),
        (&made["operator"], &made["created_at"])
    );
    assert_ne!(changed["updated_at"], made["updated_at"]);
    let refused = put(json!({"operator": "pct_increase"})).await;
    assert_eq!(refused.faults(), ["/comparison_window", "/threshold_value"]);
    let anomaly = put(json!({"operator": "anomaly", "comparison_window": "same_day_last_week"}))
        .await
        .ok();
    assert_eq!(anomaly["threshold_value"], 3.0);
    let sampled = put(json!({"min_sample": 10, "evaluation_window": "latest"})).await;
    assert_eq!(sampled.faults(), ["/min_sample"]);
    let problem = sampled.problem(400, "invalid-request").to_string();
    assert!(problem.contains("latest is a single value"), "{problem}");
    assert_eq!(
        put(json!({"metric": "ttfb_ms"})).await.faults(),
        ["/metric"],
        "that is another rule"
    );
    let stranger = path(&app, &format!("alerts/rules/{}", uuid::Uuid::now_v7()));
    app.put(&stranger, &app.world.key, &json!({}))
        .send()
        .await
        .problem(404, "alert-rule-not-found");
}

/// Whatever it names, the usual is that of its hours or days. It has to name one all the same, and is shown it.
#[tokio::test]
async fn an_anomaly_has_the_window_that_it_names() {
    let app = TestApp::start().await;
    let mut rule = json!({"module": "uptime", "metric": "response_ms", "operator": "anomaly"});
    let refused = post(&app, "alerts/rules", &rule).await;
    assert_eq!(refused.faults(), ["/comparison_window"]);
    for window in [
        "previous_day",
        "same_day_last_week",
        "previous_7_days",
        "previous_28_days",
    ] {
        rule["comparison_window"] = json!(window);
        let made = make(&app, rule.clone()).await;
        let one = path(&app, &format!("alerts/rules/{}", made["id"].as_str().unwrap()));
        for shown in [&made, &get(&app, &one).await] {
            assert_eq!(shown["comparison_window"], window);
            assert_eq!(shown["threshold_value"], 3.0);
        }
        let null = json!({"comparison_window": null});
        let refused = app.put(&one, &app.world.key, &null).send().await;
        assert_eq!(refused.faults(), ["/comparison_window"]);
    }
}

#[tokio::test]
async fn a_domain_has_500_rules_at_most() {
    let app = TestApp::start().await;
    let made = make(&app, outage()).await;
    app.sql(&format!(
        "INSERT INTO alert_rules SELECT gen_random_uuid(), r.domain_id, r.workspace_id, r.name, r.module, r.metric, r.operator,
             r.threshold, r.comparison_window, r.evaluation_window, r.min_sample, r.url, r.form_factor, r.search_type,
             r.severity, r.enabled, r.cooldown_minutes, r.created_at, r.updated_at, r.created_by
         FROM alert_rules AS r, generate_series(1, 498) WHERE r.id = '{}'",
        made["id"].as_str().unwrap()
    ))
    .await;
    make(&app, outage()).await;
    let refused = post(&app, "alerts/rules", &outage()).await;
    let problem = refused.problem(400, "invalid-request");
    assert!(problem.to_string().contains("500 rules"), "{problem}");
}

#[tokio::test]
async fn a_rule_that_is_deleted_is_gone() {
    let app = TestApp::start().await;
    let made = make(&app, outage()).await;
    let one = path(&app, &format!("alerts/rules/{}", made["id"].as_str().unwrap()));
    let deleted = app.request("DELETE", &one).key(&app.world.key).send().await.ok();
    assert_eq!(deleted["id"], made["id"]);
    assert_eq!(
        (&deleted["deleted"], &deleted["history_retained"]),
        (&json!(true), &json!(true))
    );
    for method in ["GET", "DELETE"] {
        let again = app.request(method, &one).key(&app.world.key).send().await;
        again.problem(404, "alert-rule-not-found");
    }
}
