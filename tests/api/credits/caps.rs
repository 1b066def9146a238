//! The caller's own share in a balance.

use pharos_domain::{ids::UserId, patch::Patch, role::Role};
use serde_json::{Value, json};

use super::{set_used, set_used_by};
use crate::harness::{Key, TestApp, actor};

async fn cap(app: &TestApp, user: UserId, role: Role, cap: Patch<i64>) {
    app.stores
        .members
        .put(app.world.workspace, user, role, cap, &actor(), app.now())
        .await
        .unwrap();
}

async fn share(app: &TestApp, key: &Key) -> Option<Value> {
    let balance = app.get("/credits", key).send().await.ok();
    let page = app.get("/credits/workspaces", key).send().await.ok();
    assert_eq!(page["items"], json!([balance]));
    balance.get("member").cloned()
}

#[tokio::test]
async fn a_cap_is_the_user_s_over_all_credentials_and_nobody_else_s() {
    let app = TestApp::start().await;
    let (first, user) = app.world.key_of(&app.stores, Role::Admin, app.now()).await;
    let second = app.world.another_key(&app.stores, user, app.now()).await;
    cap(&app, user, Role::Member, Patch::Set(50)).await;
    set_used(&app, 90).await;
    set_used_by(&app, user, 20).await;
    set_used_by(&app, app.world.owner, 70).await;
    let own = Some(json!({ "granted": 50, "used": 20, "remaining": 30 }));
    assert_eq!(share(&app, &first).await, own);
    assert_eq!(share(&app, &second).await, own);
    assert_eq!(share(&app, &app.world.key).await, None);
}

#[tokio::test]
async fn a_cap_shows_as_soon_as_it_is_set_and_stays_until_it_is_taken_away() {
    let app = TestApp::start().await;
    let (key, user) = app.world.key_of(&app.stores, Role::Member, app.now()).await;
    set_used_by(&app, user, 20).await;
    assert_eq!(share(&app, &key).await, None);
    cap(&app, user, Role::Member, Patch::Set(5)).await;
    let beyond = Some(json!({ "granted": 5, "used": 20, "remaining": 0 }));
    assert_eq!(
        share(&app, &key).await,
        beyond,
        "it was lowered below what was used"
    );
    cap(&app, user, Role::Viewer, Patch::Keep).await;
    assert_eq!(share(&app, &key).await, beyond, "another role keeps the cap");
    cap(&app, user, Role::Viewer, Patch::Set(0)).await;
    let nothing = Some(json!({ "granted": 0, "used": 20, "remaining": 0 }));
    assert_eq!(share(&app, &key).await, nothing, "0 is a cap");
    cap(&app, user, Role::Viewer, Patch::Clear).await;
    assert_eq!(share(&app, &key).await, None);
}

#[tokio::test]
async fn what_is_charged_counts_for_the_user_from_the_first_credit() {
    let app = TestApp::start().await;
    let (key, user) = app.world.key_of(&app.stores, Role::Member, app.now()).await;
    let config = format!("/domains/{}/uptime/config", app.world.domain);
    for key in [&key, &key, &app.world.key] {
        app.get(&config, key).send().await.ok();
    }
    cap(&app, user, Role::Member, Patch::Set(2)).await;
    let balance = app.get("/credits", &key).send().await.ok();
    assert_eq!(
        (&balance["used"], &balance["member"]),
        (&json!(3), &json!({ "granted": 2, "used": 2, "remaining": 0 }))
    );
    let refused = app
        .get(&config, &key)
        .send()
        .await
        .problem(402, "quota-exhausted");
    assert_eq!((&refused["used"], &refused["limit"]), (&json!(2), &json!(2)));
    app.get(&config, &app.world.key).send().await.ok();
}

/// Whether a charge found out, or the balance did that was read after it; of a read and of a write.
#[tokio::test]
async fn who_is_refused_is_told_whose_credits_are_spent() {
    let app = TestApp::start().await;
    let (key, user) = app.world.key_of(&app.stores, Role::Admin, app.now()).await;
    let config = format!("/domains/{}/uptime/config", app.world.domain);
    let refusals = async |key: &Key| {
        let mut details = Vec::new();
        for request in [
            app.get(&config, key),
            app.get(&config, key),
            app.put(&config, key, &json!({})),
        ] {
            let problem = request.send().await.problem(402, "quota-exhausted");
            details.push(problem["detail"].as_str().unwrap().to_owned());
        }
        details
    };
    cap(&app, user, Role::Admin, Patch::Set(0)).await;
    let told = "0 of the 0 credits that the workspace allows you a cycle are used; the next cycle begins on";
    for detail in refusals(&key).await {
        assert!(detail.starts_with(told), "{detail}");
    }
    app.grant(7).await;
    set_used(&app, 7).await;
    let told = "7 of the 7 credits of the workspace are used; the next cycle begins on";
    for detail in refusals(&app.world.key).await {
        assert!(detail.starts_with(told), "{detail}");
    }
}
