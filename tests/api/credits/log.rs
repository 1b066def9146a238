//! GET /credits/log: what a row says, and which rows there are.

use std::time::Duration;

use pharos_domain::{role::Role, scope::Scope};
use serde_json::{Value, json};
use time::macros::datetime;

use super::paging::fill;
use crate::harness::{Key, Reply, TestApp, World};

/// The row of a call. Rows that cost nothing are written a moment after their answer, so they are waited for.
async fn row(app: &TestApp, key: &Key, call: &Reply) -> Value {
    let id = call.header("x-request-id").unwrap();
    for _ in 0..200 {
        let page = app.get("/credits/log?limit=1000", key).send().await.ok();
        let rows = page["items"].as_array().unwrap();
        if let Some(row) = rows.iter().find(|row| row["id"] == id) {
            return row.clone();
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("the log has no row of {id}");
}

#[tokio::test]
async fn a_call_is_shown_with_its_route_and_what_it_cost() {
    let app = TestApp::start().await;
    let key = &app.world.key;
    let config = format!("/domains/{}/uptime/config", app.world.domain);
    let call = app.put(&config, key, &json!({})).send().await;
    let id = call.header("x-request-id").unwrap();
    let want = json!({
        "id": id,
        "occurred_at": "2026-03-31T09:15:00Z",
        "workspace_id": app.world.workspace,
        "credential_id": key.id,
        "method": "PUT",
        "route": "/domains/{domain_id}/uptime/config",
        "status": 200,
        "cost": 1,
        "cache": "miss",
        "request_id": id,
        "domain_id": app.world.domain,
    });
    assert_eq!(row(&app, key, &call).await, want);
}

#[tokio::test]
async fn what_cost_nothing_is_shown_too() {
    let app = TestApp::start().await;
    let key = app.world.key(&app.stores, &[Scope::ReadUptime], app.now()).await;
    let config = format!("/domains/{}/uptime/config", app.world.domain);
    let calls = [
        (app.get("/me", &key).send().await, json!(["/me", 200, 0, null])),
        (
            app.put(&config, &key, &json!({})).send().await,
            json!(["/domains/{domain_id}/uptime/config", 403, 0, app.world.domain]),
        ),
        (
            app.get(
                "/domains/0190f3c2-9c60-7e53-8f74-5b3b2d8c0a33/uptime/config",
                &key,
            )
            .send()
            .await,
            json!(["/domains/{domain_id}/uptime/config", 404, 0, null]),
        ),
    ];
    for (call, want) in calls {
        let row = row(&app, &key, &call).await;
        assert_eq!(
            json!([row["route"], row["status"], row["cost"], row["domain_id"]]),
            want
        );
    }
}

#[tokio::test]
async fn all_credentials_of_a_workspace_share_its_log_and_no_other_workspace_does() {
    let app = TestApp::start().await;
    let other = World::create(&app.stores, app.now()).await;
    let (second, _) = app.world.key_of(&app.stores, Role::Member, app.now()).await;
    let config = format!("/domains/{}/uptime/config", app.world.domain);
    let call = app.get(&config, &second).send().await;
    let seen = row(&app, &app.world.key, &call).await;
    assert_eq!(seen["credential_id"], json!(second.id));
    let page = app.get("/credits/log", &other.key).send().await.ok();
    let rows = page["items"].as_array().unwrap();
    assert!(
        rows.iter()
            .all(|row| row["workspace_id"] == json!(other.workspace)),
        "{page}"
    );
}

#[tokio::test]
async fn the_costs_of_the_cycle_add_up_to_what_was_used() {
    let app = TestApp::start().await;
    let key = &app.world.key;
    let config = format!("/domains/{}/uptime/config", app.world.domain);
    for interval in [60, 7, 120] {
        app.put(&config, key, &json!({ "interval_seconds": interval }))
            .send()
            .await;
        app.get(&config, key).send().await.ok();
    }
    let page = app.get("/credits/log?limit=1000", key).send().await.ok();
    let costs = page["items"].as_array().unwrap().iter();
    let logged: u64 = costs.map(|row| row["cost"].as_u64().unwrap()).sum();
    let balance = app.get("/credits", key).send().await.ok();
    assert_eq!(
        (logged, &balance["used"]),
        (5, &json!(5)),
        "one of the writes was refused"
    );
}

#[tokio::test]
async fn only_the_present_cycle_is_shown() {
    let app = TestApp::start().await;
    let start = datetime!(2026-03-31 00:00 UTC);
    let microsecond = time::Duration::microseconds(1);
    let before = fill(&app, &[start - microsecond]).await;
    let within = fill(&app, &[start, datetime!(2026-04-29 23:59:59.999999 UTC)]).await;
    let after = fill(&app, &[datetime!(2026-04-30 00:00 UTC)]).await;
    let shown = async || {
        let page = app
            .get("/credits/log?limit=1000", &app.world.key)
            .send()
            .await
            .ok();
        let rows = page["items"].as_array().unwrap().iter();
        let filled = rows.filter(|row| row["route"] != "/credits/log");
        filled
            .map(|row| row["id"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        shown().await,
        [&*within[1], &within[0]],
        "neither {before:?} nor {after:?}"
    );
    app.clock.advance(datetime!(2026-04-30 00:00 UTC) - app.now());
    assert_eq!(shown().await, after);
}

#[tokio::test]
async fn a_call_of_an_operation_that_this_version_lacks_is_shown_by_its_id() {
    let app = TestApp::start().await;
    let id = fill(&app, &[datetime!(2026-03-31 09:00 UTC)]).await.remove(0);
    app.sql(&format!(
        "UPDATE credit_log SET operation = 'getYesterday' WHERE request_id = '{id}'"
    ))
    .await;
    let page = app.get("/credits/log", &app.world.key).send().await.ok();
    let rows = page["items"].as_array().unwrap();
    let row = rows.iter().find(|row| row["id"] == *id).unwrap();
    assert_eq!(
        (&row["method"], &row["route"]),
        (&json!(""), &json!("getYesterday"))
    );
}
