//! GET /domains, GET /domains/{domain_id}

use serde_json::json;

use crate::harness::{TestApp, World, actor};

#[tokio::test]
async fn the_domains_in_reach_are_listed_with_their_active_modules() {
    let app = TestApp::start().await;
    World::create(&app.stores, app.now()).await;
    let domain = json!({
        "id": app.world.domain,
        "workspace_id": app.world.workspace,
        "domain": "shop.example",
        "display_name": null,
        "verified": false,
        "timezone_hint": null,
        "active_modules": [],
        "created_at": "2026-03-31T09:15:00Z",
    });
    let page = app.get("/domains", &app.world.key).send().await.ok();
    assert_eq!(
        page,
        json!({ "items": [domain], "next_cursor": null, "has_more": false })
    );

    let path = format!("/domains/{}", app.world.domain);
    app.put(&format!("{path}/uptime/config"), &app.world.key, &json!({}))
        .send()
        .await
        .ok();
    assert_eq!(
        app.get(&path, &app.world.key).send().await.ok()["active_modules"],
        json!(["uptime"])
    );
    app.put(
        &format!("{path}/uptime/config"),
        &app.world.key,
        &json!({ "enabled": false }),
    )
    .send()
    .await
    .ok();
    assert_eq!(
        app.get(&path, &app.world.key).send().await.ok()["active_modules"],
        json!([])
    );
}

#[tokio::test]
async fn modules_can_be_left_out() {
    let app = TestApp::start().await;
    let page = app
        .get("/domains?include_modules=false", &app.world.key)
        .send()
        .await
        .ok();
    assert!(page["items"][0].get("active_modules").is_none(), "{page}");
    let faults = app
        .get("/domains?include_modules=maybe", &app.world.key)
        .send()
        .await
        .faults();
    assert_eq!(faults, ["include_modules"]);
}

#[tokio::test]
async fn domains_are_filtered_by_workspace() {
    let app = TestApp::start().await;
    let other = World::create(&app.stores, app.now()).await;
    let mine = format!("/domains?workspace_id={}", app.world.workspace);
    assert_eq!(
        app.get(&mine, &app.world.key).send().await.ok()["items"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let foreign = format!("/domains?workspace_id={}", other.workspace);
    app.get(&foreign, &app.world.key)
        .send()
        .await
        .problem(404, "workspace-not-found");
}

#[tokio::test]
async fn a_deleted_domain_is_gone_at_once_and_back_when_restored() {
    let app = TestApp::start().await;
    let path = format!("/domains/{}", app.world.domain);
    app.get(&path, &app.world.key).send().await.ok();
    app.stores
        .domain_admin
        .delete(app.world.domain, &actor(), app.now())
        .await
        .unwrap();
    app.get(&path, &app.world.key)
        .send()
        .await
        .problem(404, "domain-not-found");
    assert_eq!(
        app.get("/domains", &app.world.key).send().await.ok()["items"],
        json!([])
    );
    app.stores
        .domain_admin
        .restore(app.world.domain, &actor(), app.now())
        .await
        .unwrap();
    app.get(&path, &app.world.key).send().await.ok();
}
