//! The life of a key.

use pharos_auth::keys::{
    manage::{self, Grace, KeyError, KeyRequest},
    secret::Environment,
};
use pharos_domain::{patch::Patch, role::Role};
use time::Duration;

use crate::harness::{Key, Reply, TestApp, World, actor, all_scopes};

async fn me(app: &TestApp, key: &Key) -> Reply {
    app.get("/me", key).send().await
}

pub(crate) fn request(world: &World, allowlist: Option<Vec<String>>) -> KeyRequest {
    KeyRequest {
        workspace: world.workspace,
        creator: world.owner,
        name: "test".to_owned(),
        scopes: all_scopes(),
        expires_at: None,
        allowlist,
    }
}

pub(crate) async fn create(app: &TestApp, request: &KeyRequest) -> Result<Key, KeyError> {
    let made = manage::create(
        &*app.stores.keys,
        Environment::Development,
        request,
        &actor(),
        app.now(),
    )
    .await;
    made.map(|(key, secret)| Key {
        id: key.id,
        secret: secret.reveal().to_owned(),
    })
}

#[tokio::test]
async fn a_revoked_key_is_refused_on_the_next_call() {
    let app = TestApp::start().await;
    me(&app, &app.world.key).await.ok();
    app.stores
        .keys
        .revoke(app.world.key.id, &actor(), app.now())
        .await
        .unwrap();
    me(&app, &app.world.key).await.problem(401, "invalid-credential");
}

#[tokio::test]
async fn a_key_ends_at_its_expiry() {
    let app = TestApp::start().await;
    let expires_at = Some(app.now() + Duration::HOUR);
    let key = create(
        &app,
        &KeyRequest {
            expires_at,
            ..request(&app.world, None)
        },
    )
    .await
    .unwrap();
    assert_eq!(me(&app, &key).await.ok()["expires_at"], "2026-03-31T10:15:00Z");
    app.clock.advance(Duration::HOUR - Duration::SECOND);
    me(&app, &key).await.ok();
    app.clock.advance(Duration::SECOND);
    me(&app, &key).await.problem(401, "invalid-credential");
    let past = KeyRequest {
        expires_at: Some(app.now()),
        ..request(&app.world, None)
    };
    assert!(matches!(create(&app, &past).await, Err(KeyError::Expiry)));
}

#[tokio::test]
async fn after_a_rotation_the_old_secret_works_for_the_grace_and_no_longer() {
    for grace in Grace::ALL {
        let app = TestApp::start().await;
        let old = app.world.key.clone();
        let keys = &*app.stores.keys;
        let rotated =
            manage::rotate(keys, Environment::Development, old.id, grace, &actor(), app.now()).await;
        let (details, secret) = rotated.unwrap();
        let new = Key {
            id: details.id,
            secret: secret.reveal().to_owned(),
        };
        assert_eq!(new.id, old.id, "rotation keeps the credential's id");
        if grace != Grace::None {
            app.clock.advance(grace.duration() - Duration::SECOND);
            me(&app, &old).await.ok();
            app.clock.advance(Duration::SECOND);
        }
        me(&app, &old).await.problem(401, "invalid-credential");
        me(&app, &new).await.ok();
    }
}

#[tokio::test]
async fn a_workspace_holds_ten_live_keys() {
    let app = TestApp::start().await;
    let request = request(&app.world, None);
    for _ in 1..10 {
        create(&app, &request).await.unwrap();
    }
    assert!(matches!(create(&app, &request).await, Err(KeyError::TooMany(10))));
    app.stores
        .keys
        .revoke(app.world.key.id, &actor(), app.now())
        .await
        .unwrap();
    create(&app, &request).await.unwrap();
}

#[tokio::test]
async fn only_an_owner_or_admin_creates_keys() {
    let app = TestApp::start().await;
    let other = World::create(&app.stores, app.now()).await;
    let stranger = KeyRequest {
        creator: other.owner,
        ..request(&app.world, None)
    };
    assert!(matches!(create(&app, &stranger).await, Err(KeyError::NotAdmin)));
    let (_, member) = app.world.key_of(&app.stores, Role::Member, app.now()).await;
    let member = KeyRequest {
        creator: member,
        ..request(&app.world, None)
    };
    assert!(matches!(create(&app, &member).await, Err(KeyError::NotAdmin)));
}

#[tokio::test]
async fn an_allowlist_lets_in_its_addresses_alone() {
    let app = TestApp::start().await;
    let inside = create(&app, &request(&app.world, Some(vec!["127.0.0.0/8".to_owned()])))
        .await
        .unwrap();
    me(&app, &inside).await.ok();
    let outside = create(
        &app,
        &request(&app.world, Some(vec!["203.0.113.0/24".to_owned()])),
    )
    .await
    .unwrap();
    me(&app, &outside).await.problem(401, "invalid-credential");
    let forged = app
        .get("/me", &outside)
        .header("x-forwarded-for", "203.0.113.7")
        .send()
        .await;
    forged.problem(401, "invalid-credential");
    let bad = request(&app.world, Some(vec!["office".to_owned()]));
    assert!(matches!(create(&app, &bad).await, Err(KeyError::Allowlist(entry)) if entry == "office"));
}

#[tokio::test]
async fn behind_a_proxy_the_allowlist_sees_the_client() {
    let app = TestApp::behind(1).await;
    let key = create(&app, &request(&app.world, Some(vec!["203.0.113.7".to_owned()])))
        .await
        .unwrap();
    let from = async |forwarded: &str| {
        app.get("/me", &key)
            .header("x-forwarded-for", forwarded)
            .send()
            .await
            .status
    };
    assert_eq!(from("203.0.113.7").await, 200);
    assert_eq!(
        from("198.51.100.1, 203.0.113.7").await,
        200,
        "the proxy's own entry is the last"
    );
    assert_eq!(
        from("203.0.113.7, 198.51.100.1").await,
        401,
        "what the client wrote means nothing"
    );
    assert_eq!(
        app.get("/me", &key).send().await.status,
        401,
        "an unknown address denies"
    );
}

#[tokio::test]
async fn a_creator_who_is_demoted_removed_or_disabled_takes_the_key_along() {
    let app = TestApp::start().await;
    let (key, user) = app.world.key_of(&app.stores, Role::Member, app.now()).await;
    let config = format!("/domains/{}/uptime/config", app.world.domain);
    app.put(&config, &key, &serde_json::json!({}))
        .send()
        .await
        .problem(403, "insufficient-role");
    app.stores
        .members
        .put(
            app.world.workspace,
            user,
            Role::Admin,
            Patch::Keep,
            &actor(),
            app.now(),
        )
        .await
        .unwrap();
    app.put(&config, &key, &serde_json::json!({})).send().await.ok();
    app.stores
        .users
        .set_disabled(user, true, &actor(), app.now())
        .await
        .unwrap();
    me(&app, &key).await.problem(401, "invalid-credential");
    app.stores
        .users
        .set_disabled(user, false, &actor(), app.now())
        .await
        .unwrap();
    me(&app, &key).await.ok();
    app.stores
        .members
        .remove(app.world.workspace, user, &actor(), app.now())
        .await
        .unwrap();
    me(&app, &key).await.problem(401, "invalid-credential");
}

#[tokio::test]
async fn all_refusals_look_the_same() {
    let app = TestApp::start().await;
    let outside = create(&app, &request(&app.world, Some(vec!["203.0.113.7".to_owned()])))
        .await
        .unwrap();
    let revoked = create(&app, &request(&app.world, None)).await.unwrap();
    app.stores
        .keys
        .revoke(revoked.id, &actor(), app.now())
        .await
        .unwrap();
    let with = |secret: String| Key {
        id: app.world.key.id,
        secret,
    };
    let live = with(app.world.key.secret.replace("svc_dev_", "svc_live_"));
    let mut bodies = Vec::new();
    for key in [
        outside,
        revoked,
        live,
        with(format!("svc_dev_{}", "0".repeat(43))),
        with("x".to_owned()),
    ] {
        let mut problem = me(&app, &key).await.problem(401, "invalid-credential");
        problem["request_id"] = serde_json::Value::Null;
        bodies.push(problem);
    }
    assert!(bodies.windows(2).all(|pair| pair[0] == pair[1]), "{bodies:?}");
}

#[tokio::test]
async fn too_many_failures_from_one_address_are_no_longer_heard_but_known_keys_are() {
    let app = TestApp::start().await;
    me(&app, &app.world.key).await.ok();
    let unknown = Key {
        id: app.world.key.id,
        secret: "x".to_owned(),
    };
    for _ in 0..600 {
        assert_eq!(me(&app, &unknown).await.status, 401);
    }
    let refused = me(&app, &unknown).await;
    let problem = refused.problem(429, "rate-limited");
    assert_eq!(problem["bucket"], "general");
    assert_eq!(
        refused.header("retry-after"),
        Some(problem["retry_after_seconds"].to_string().as_str())
    );
    me(&app, &app.world.key).await.ok();
    app.clock.advance(Duration::minutes(2));
    me(&app, &unknown).await.problem(401, "invalid-credential");
}

#[tokio::test]
async fn last_used_is_written_at_most_once_a_minute() {
    let app = TestApp::start().await;
    let last_used = async || {
        app.app.last_used().flush(&*app.stores.credentials).await.unwrap();
        app.stores.keys.list(app.world.workspace).await.unwrap()[0].last_used_at
    };
    assert_eq!(last_used().await, None);
    let first = app.now();
    me(&app, &app.world.key).await.ok();
    assert_eq!(last_used().await, Some(first));
    app.clock.advance(Duration::seconds(59));
    me(&app, &app.world.key).await.ok();
    assert_eq!(last_used().await, Some(first));
    app.clock.advance(Duration::seconds(1));
    me(&app, &app.world.key).await.ok();
    assert_eq!(last_used().await, Some(first + Duration::MINUTE));
}
