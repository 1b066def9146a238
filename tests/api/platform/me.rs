//! GET /me

use pharos_domain::{role::Role, scope::Scope};
use serde_json::json;

use crate::harness::TestApp;

#[tokio::test]
async fn me_tells_who_the_key_is() {
    let app = TestApp::start().await;
    let key = app
        .world
        .key(&app.stores, &[Scope::ReadDomains, Scope::ReadGsc], app.now())
        .await;
    let me = app.get("/me", &key).send().await.ok();
    let workspace = app.world.workspace.to_string();
    assert_eq!(
        me,
        json!({
            "kind": "api_key",
            "credential_id": key.id,
            "user_id": app.world.owner,
            "workspace_ids": [workspace],
            "default_workspace_id": workspace,
            "scopes": ["read:domains", "read:gsc"],
            "effective_scopes": ["read:domains", "read:gsc"],
            "roles": { workspace: "owner" },
            "client_id": null,
            "name": "test",
            "key_prefix": &key.secret[..16],
            "expires_at": null,
            "audience": null,
        })
    );
}

#[tokio::test]
async fn a_scope_is_effective_only_where_the_role_and_the_plan_allow_its_operations() {
    let app = TestApp::start().await;
    let (key, _) = app.world.key_of(&app.stores, Role::Viewer, app.now()).await;
    let effective = |me: serde_json::Value| me["effective_scopes"].to_string();
    let viewer = effective(app.get("/me", &key).send().await.ok());
    assert!(
        viewer.contains("read:uptime") && !viewer.contains("write:uptime"),
        "{viewer}"
    );
    let owner = effective(app.get("/me", &app.world.key).send().await.ok());
    assert!(owner.contains("write:uptime"), "{owner}");
    app.move_to_plan_without_uptime().await;
    let without = effective(app.get("/me", &app.world.key).send().await.ok());
    assert_eq!(without, r#"["read:domains","read:overview"]"#);
}
