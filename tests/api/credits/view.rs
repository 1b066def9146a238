//! GET /credits, GET /credits/workspaces

use pharos_domain::{role::Role, scope::Scope};
use serde_json::json;

use super::set_used;
use crate::harness::{TestApp, World};

#[tokio::test]
async fn a_balance_is_what_the_plan_grants_less_what_was_used() {
    let app = TestApp::start().await;
    app.grant(500).await;
    set_used(&app, 120).await;
    let balance = json!({
        "workspace_id": app.world.workspace,
        "granted": 500,
        "used": 120,
        "remaining": 380,
        "cycle_start": "2026-03-31T00:00:00Z",
        "cycle_end": "2026-04-30T00:00:00Z",
    });
    assert_eq!(app.get("/credits", &app.world.key).send().await.ok(), balance);
    let named = format!("/credits?workspace_id={}", app.world.workspace);
    assert_eq!(app.get(&named, &app.world.key).send().await.ok(), balance);
    let page = app.get("/credits/workspaces", &app.world.key).send().await.ok();
    assert_eq!(
        page,
        json!({ "items": [balance], "next_cursor": null, "has_more": false })
    );
}

#[tokio::test]
async fn another_workspace_has_no_balance_to_show() {
    let app = TestApp::start().await;
    let other = World::create(&app.stores, app.now()).await;
    set_used(&app, 7).await;
    for path in ["/credits", "/credits/log"] {
        for foreign in [other.workspace.to_string(), uuid::Uuid::now_v7().to_string()] {
            let path = format!("{path}?workspace_id={foreign}");
            let refused = app.get(&path, &app.world.key).send().await;
            refused.problem(404, "workspace-not-found");
        }
        let malformed = format!("{path}?workspace_id={}", app.world.workspace.0.simple());
        let refused = app.get(&malformed, &app.world.key).send().await;
        assert_eq!(refused.faults(), ["workspace_id"]);
    }
    let own = app.get("/credits", &other.key).send().await.ok();
    assert_eq!(
        (&own["workspace_id"], &own["used"]),
        (&json!(other.workspace), &json!(0))
    );
    let page = app.get("/credits/workspaces", &other.key).send().await.ok();
    assert_eq!(page["items"], json!([own]));
}

#[tokio::test]
async fn what_was_used_shows_when_nothing_is_left_and_costs_nothing() {
    let app = TestApp::start().await;
    app.grant(10).await;
    // The second is more than is granted: the plan had more when it was used.
    for used in [10, 25] {
        set_used(&app, used).await;
        for path in [
            "/credits",
            "/credits/log",
            "/credits/workspaces",
            "/credits/prices",
        ] {
            let reply = app.get(path, &app.world.key).send().await;
            assert_eq!(
                (reply.status, reply.header("x-credits-cost")),
                (200, Some("0")),
                "{path}"
            );
        }
        let balance = app.get("/credits", &app.world.key).send().await.ok();
        assert_eq!(
            (&balance["used"], &balance["remaining"]),
            (&json!(used), &json!(0))
        );
    }
    let charged = format!("/domains/{}/uptime/config", app.world.domain);
    app.get(&charged, &app.world.key)
        .send()
        .await
        .problem(402, "quota-exhausted");
}

#[tokio::test]
async fn any_credential_may_ask() {
    let app = TestApp::start().await;
    let narrow = app.world.key(&app.stores, &[Scope::ReadRobots], app.now()).await;
    let (viewer, _) = app.world.key_of(&app.stores, Role::Viewer, app.now()).await;
    let quotas = format!("/workspaces/{}/quotas", app.world.workspace);
    for key in [&narrow, &viewer] {
        for path in [
            "/credits",
            "/credits/log",
            "/credits/workspaces",
            "/credits/prices",
            &quotas,
        ] {
            app.get(path, key).send().await.ok();
        }
    }
}
