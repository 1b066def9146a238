//! Charges: how much, to whom, and what callers are told of it.

use pharos_domain::role::Role;
use serde_json::json;

use super::ledger;
use crate::harness::{TestApp, World, filler};

#[tokio::test]
async fn a_success_costs_its_price_and_everything_else_nothing() {
    let app = TestApp::with(vec![filler::heavy()]).await;
    let domain = app.world.domain;
    let key = &app.world.key;
    let cost = async |path: String| {
        let reply = app.get(&path, key).send_unchecked().await;
        let remaining = reply
            .header("x-credits-remaining")
            .unwrap()
            .parse::<i64>()
            .unwrap();
        (
            reply.status,
            reply.header("x-credits-cost").unwrap().to_owned(),
            remaining,
        )
    };
    assert_eq!(
        cost(format!("/domains/{domain}/uptime/config")).await,
        (200, "1".to_owned(), 999_999)
    );
    assert_eq!(
        cost(format!("/domains/{domain}/heavy")).await,
        (200, "5".to_owned(), 999_994)
    );
    assert_eq!(cost("/me".to_owned()).await, (200, "0".to_owned(), 999_994));
    assert_eq!(
        cost(format!("/domains/{domain}/heavy?colour=red")).await,
        (400, "0".to_owned(), 999_994)
    );
    assert_eq!(
        cost(format!("/domains/{domain}/uptime/status")).await.0,
        404,
        "no monitor"
    );
    let changed = app
        .put(&format!("/domains/{domain}/uptime/config"), key, &json!({}))
        .send()
        .await;
    assert_eq!(
        (changed.status, changed.header("x-credits-remaining")),
        (200, Some("999993"))
    );
    let refused = app
        .put(
            &format!("/domains/{domain}/uptime/config"),
            key,
            &json!({ "interval_seconds": 7 }),
        )
        .send()
        .await;
    refused.problem(400, "invalid-request");
    assert_eq!(ledger(&app, 7).await, (7, 7));
    let rows = app
        .sql("SELECT operation, status, cost FROM credit_log ORDER BY request_id")
        .await;
    let rows: Vec<String> = rows
        .into_iter()
        .map(|row| row.into_iter().flatten().collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(
        rows,
        [
            "getUptimeConfig 200 1",
            "getHeavy 200 5",
            "getMe 200 0",
            "getHeavy 400 0",
            "getUptimeStatus 404 0",
            "updateUptimeConfig 200 1",
            "updateUptimeConfig 400 0",
        ]
    );
}

#[tokio::test]
async fn a_spent_allowance_refuses_with_its_figures_and_leaves_what_is_free() {
    let app = TestApp::with(vec![filler::heavy()]).await;
    app.grant(6).await;
    let (heavy, config) = (
        format!("/domains/{}/heavy", app.world.domain),
        format!("/domains/{}/uptime/config", app.world.domain),
    );
    let key = &app.world.key;
    assert_eq!(app.get(&heavy, key).send_unchecked().await.status, 200);
    let refused = app.get(&heavy, key).send_unchecked().await;
    let problem = refused.problem(402, "quota-exhausted");
    assert_eq!(
        (&problem["used"], &problem["limit"], &problem["resets_on"]),
        (&json!(5), &json!(6), &json!("2026-04-30"))
    );
    assert_eq!(refused.header("x-credits-cost"), Some("0"));
    app.get(&config, key).send().await.ok();
    app.get(&config, key).send().await.problem(402, "quota-exhausted");
    let write = app.put(&config, key, &json!({})).send().await;
    write.problem(402, "quota-exhausted");
    app.get("/me", key).send().await.ok();
    app.get("/credits", key).send().await.ok();
    assert_eq!(
        app.sql("SELECT count(*) FROM uptime_monitors").await[0][0].as_deref(),
        Some("0"),
        "a write that can't be paid has no effect"
    );
}

#[tokio::test]
async fn an_allowance_that_grows_is_seen_at_once_and_a_new_cycle_begins_anew() {
    let app = TestApp::start().await;
    app.grant(1).await;
    let config = format!("/domains/{}/uptime/config", app.world.domain);
    app.get(&config, &app.world.key).send().await.ok();
    app.get(&config, &app.world.key)
        .send()
        .await
        .problem(402, "quota-exhausted");
    app.grant(2).await;
    app.get(&config, &app.world.key).send().await.ok();
    app.get(&config, &app.world.key)
        .send()
        .await
        .problem(402, "quota-exhausted");
    // The workspace was created on the 31st; April has 30 days.
    app.clock.advance(time::Duration::days(30));
    let reply = app.get(&config, &app.world.key).send().await;
    reply.ok();
    assert_eq!(reply.header("x-credits-remaining"), Some("1"));
    let balance = app.get("/credits", &app.world.key).send().await.ok();
    assert_eq!(
        (&balance["used"], &balance["cycle_start"], &balance["cycle_end"]),
        (
            &json!(1),
            &json!("2026-04-30T00:00:00Z"),
            &json!("2026-05-31T00:00:00Z")
        )
    );
}

#[tokio::test]
async fn a_members_cap_counts_all_their_credentials_and_nobody_elses() {
    let app = TestApp::start().await;
    let config = format!("/domains/{}/uptime/config", app.world.domain);
    let (capped, member) = app.world.key_of(&app.stores, Role::Admin, app.now()).await;
    let second = app.world.another_key(&app.stores, member, app.now()).await;
    app.sql(&format!(
        "UPDATE members SET credit_cap = 3 WHERE user_id = '{member}'"
    ))
    .await;
    for key in [&capped, &second, &capped] {
        app.get(&config, key).send().await.ok();
    }
    for key in [&second, &capped] {
        let problem = app.get(&config, key).send().await.problem(402, "quota-exhausted");
        assert_eq!((&problem["used"], &problem["limit"]), (&json!(3), &json!(3)));
    }
    app.get(&config, &app.world.key).send().await.ok();
    assert_eq!(ledger(&app, 6).await, (4, 4));
}

#[tokio::test]
async fn the_workspace_whose_data_is_read_pays() {
    let app = TestApp::start().await;
    let other = World::create(&app.stores, app.now()).await;
    let config = format!("/domains/{}/uptime/config", other.domain);
    app.get(&config, &app.world.key)
        .send()
        .await
        .problem(404, "domain-not-found");
    app.get(&config, &other.key).send().await.ok();
    assert_eq!(
        ledger(&app, 1).await,
        (0, 0),
        "the refusal is logged where the caller belongs"
    );
    let used = format!(
        "SELECT used FROM credit_balances WHERE workspace_id = '{}'",
        other.workspace
    );
    assert_eq!(app.sql(&used).await[0][0].as_deref(), Some("1"));
}
