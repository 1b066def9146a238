//! GET /workspaces, GET /workspaces/{workspace_id}

use pharos_domain::identity::SubscriptionStatus;
use serde_json::json;

use crate::harness::{TestApp, World, actor};

#[tokio::test]
async fn a_key_sees_its_one_workspace() {
    let app = TestApp::start().await;
    World::create(&app.stores, app.now()).await;
    let page = app.get("/workspaces", &app.world.key).send().await.ok();
    let workspace = json!({
        "id": app.world.workspace,
        "name": "Example",
        "role": "owner",
        "plan": "default",
        "subscription_status": "active",
        "writable": true,
        "domain_count": 1,
        "member_count": 1,
        "created_at": "2026-03-31T09:15:00Z",
    });
    assert_eq!(
        page,
        json!({ "items": [workspace], "next_cursor": null, "has_more": false })
    );
    let one = app
        .get(&format!("/workspaces/{}", app.world.workspace), &app.world.key)
        .send()
        .await
        .ok();
    assert_eq!(one, workspace);
}

#[tokio::test]
async fn another_workspace_is_not_found() {
    let app = TestApp::start().await;
    let other = World::create(&app.stores, app.now()).await;
    let path = format!("/workspaces/{}", other.workspace);
    app.get(&path, &app.world.key)
        .send()
        .await
        .problem(404, "workspace-not-found");
    app.get(&path, &other.key).send().await.ok();
}

#[tokio::test]
async fn a_subscription_that_ended_leaves_the_workspace_readable() {
    let app = TestApp::start().await;
    let ended = SubscriptionStatus::Canceled;
    app.stores
        .workspace_admin
        .set_subscription(app.world.workspace, ended, &actor(), app.now())
        .await
        .unwrap();
    let path = format!("/workspaces/{}", app.world.workspace);
    let workspace = app.get(&path, &app.world.key).send().await.ok();
    assert_eq!(
        (&workspace["subscription_status"], &workspace["writable"]),
        (&json!("canceled"), &json!(false))
    );
    let config = format!("/domains/{}/uptime/config", app.world.domain);
    app.get(&config, &app.world.key).send().await.ok();
    app.put(&config, &app.world.key, &json!({}))
        .send()
        .await
        .problem(402, "workspace-not-writable");
}
