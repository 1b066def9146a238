//! Access tokens at the API.

use pharos_auth::oauth::resource::Resources;
use pharos_domain::{patch::Patch, role::Role, scope::Scope};
use time::Duration;

use super::{Client, Tokens, base_url, call, with};
use crate::harness::{TestApp, World, actor, all_scopes};

/// The specification, Resource binding: the API accepts both audiences.
#[tokio::test]
async fn the_api_accepts_tokens_for_itself_and_for_the_mcp_server() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let base = base_url(&app);
    for (asked, audience) in [
        (base.clone(), base.clone()),
        (format!("{base}/"), base.clone()),
        (format!("{base}/mcp"), format!("{base}/mcp")),
    ] {
        let handle = client
            .handle_of(&with(client.query(), &[("resource", &asked)]))
            .await;
        let code = client
            .code_for(&handle, app.world.owner, all_scopes(), vec![app.world.workspace])
            .await;
        let form = with(client.exchange_form(&code), &[("resource", &asked)]);
        let tokens = Tokens::of(&client.token(&form).await);
        assert_eq!(tokens.claims()["aud"], audience);
        let me = call(&app, "/me", &tokens.access).await.ok();
        assert_eq!(me["audience"], audience);
    }
}

/// A valid token whose audience this installation no longer has: its resource was renamed.
#[tokio::test]
async fn a_token_for_a_foreign_audience_is_told_apart() {
    let app = TestApp::start().await;
    let tokens = Client::register(&app).await.tokens().await;
    let resources = Resources {
        issuer: base_url(&app),
        ..Resources::at("https://elsewhere.example")
    };
    let renamed = app.sibling_for(resources).await;
    let header = format!("Bearer {}", tokens.access);
    let reply = renamed
        .request("GET", "/me")
        .header("authorization", header)
        .send()
        .await;
    reply.problem(401, "invalid-audience");
}

#[tokio::test]
async fn a_token_is_an_identity_like_a_key_s() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let tokens = client.tokens().await;
    let me = call(&app, "/me", &tokens.access).await;
    assert!(me.header("x-ratelimit-limit").is_some());
    let me = me.ok();
    assert_eq!(me["kind"], "oauth_token");
    assert_eq!(me["credential_id"], tokens.claims()["grant_id"]);
    assert_eq!(me["client_id"], client.id);
    let path = format!("/domains/{}/uptime/config", app.world.domain);
    call(&app, &path, &tokens.access).await.ok();
    let header = format!("Bearer {}", tokens.access);
    let put = app.request("PUT", &path).header("authorization", header);
    let refusal = put
        .json(&serde_json::json!({ "interval_seconds": 60 }))
        .send()
        .await;
    assert_eq!(
        refusal.problem(403, "insufficient-scope")["required_scope"],
        "write:uptime"
    );
    assert!(
        refusal
            .header("www-authenticate")
            .unwrap()
            .contains("error=\"insufficient_scope\"")
    );
}

#[tokio::test]
async fn roles_workspaces_and_domains_are_those_of_the_moment() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let world = &app.world;
    let other = World::create(&app.stores, app.now()).await;
    let put = async |role| {
        let members = &app.stores.members;
        members
            .put(
                other.workspace,
                world.owner,
                role,
                Patch::Keep,
                &actor(),
                app.now(),
            )
            .await
            .unwrap();
    };
    put(Role::Viewer).await;
    let write = [Scope::ReadUptime, Scope::WriteUptime, Scope::ReadDomains]
        .into_iter()
        .collect();
    let query = with(
        client.query(),
        &[("scope", "read:uptime write:uptime read:domains")],
    );
    let handle = client.handle_of(&query).await;
    // The first that was ticked is the default, though it is the younger.
    let code = client
        .code_for(
            &handle,
            world.owner,
            write,
            vec![other.workspace, world.workspace],
        )
        .await;
    let token = Tokens::of(&client.token(&client.exchange_form(&code)).await).access;
    let me = call(&app, "/me", &token).await.ok();
    assert_eq!(me["default_workspace_id"], other.workspace.to_string());

    let config = format!("/domains/{}/uptime/config", other.domain);
    let change = async || {
        let request = app
            .request("PUT", &config)
            .header("authorization", format!("Bearer {token}"));
        request
            .json(&serde_json::json!({ "interval_seconds": 60 }))
            .send()
            .await
    };
    change().await.problem(403, "insufficient-role");
    put(Role::Admin).await;
    change().await.ok();

    let members = &app.stores.members;
    members
        .remove(other.workspace, world.owner, &actor(), app.now())
        .await
        .unwrap();
    change().await.problem(404, "domain-not-found");
    let me = call(&app, "/me", &token).await.ok();
    assert_eq!(
        me["default_workspace_id"],
        world.workspace.to_string(),
        "the oldest of the rest"
    );
}

#[tokio::test]
async fn a_token_ends_after_an_hour() {
    let app = TestApp::start().await;
    let tokens = Client::register(&app).await.tokens().await;
    app.clock.advance(Duration::seconds(3_629));
    call(&app, "/me", &tokens.access).await.ok();
    app.clock.advance(Duration::SECOND);
    call(&app, "/me", &tokens.access)
        .await
        .problem(401, "invalid-credential");
}

#[tokio::test]
async fn a_token_in_the_query_or_a_cookie_is_no_credential() {
    let app = TestApp::start().await;
    let tokens = Client::register(&app).await.tokens().await;
    let path = format!("/me?access_token={}", tokens.access);
    app.request("GET", &path)
        .send()
        .await
        .problem(401, "missing-credential");
    let cookie = app
        .request("GET", "/me")
        .header("cookie", format!("pharos_session={}", tokens.access));
    cookie.send().await.problem(401, "missing-credential");
}

/// The use of a grant is noted as a key's is.
#[tokio::test]
async fn the_last_use_of_an_app_is_noted() {
    let app = TestApp::start().await;
    let tokens = Client::register(&app).await.tokens().await;
    let last_used =
        async || app.stores.oauth_grants.connected(app.world.owner).await.unwrap()[0].last_used_at;
    assert_eq!(last_used().await, None);
    call(&app, "/me", &tokens.access).await.ok();
    app.app.last_used().flush(&*app.stores.credentials).await.unwrap();
    assert_eq!(last_used().await, Some(app.now()));
}

/// An operator's emergency: every access token ends, refresh tokens go on.
#[tokio::test]
async fn keys_are_changed_with_overlap_or_at_once() {
    use pharos_auth::oauth::signing::{PUBLISHED_FOR, StoredKey};
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let tokens = client.tokens().await;
    let rotate = async |at_once: bool| {
        let signs_from = if at_once {
            app.now()
        } else {
            app.now() + PUBLISHED_FOR
        };
        let next = StoredKey::generate(signs_from).unwrap();
        let keys = &app.stores.oauth_signing_keys;
        keys.rotate(&next, at_once, &actor(), app.now()).await.unwrap();
        next.kid
    };
    let published = async || {
        let keys = app.request("GET", "//.well-known/jwks.json").send().await.ok();
        keys["keys"].as_array().unwrap().len()
    };
    rotate(false).await;
    assert_eq!(published().await, 2);
    call(&app, "/me", &tokens.access).await.ok();
    app.clock.advance(PUBLISHED_FOR);
    let next = Tokens::of(&client.refresh(&tokens.refresh).await);
    call(&app, "/me", &next.access).await.ok();
    call(&app, "/me", &tokens.access).await.ok();

    rotate(true).await;
    assert_eq!(published().await, 1);
    for access in [&next.access, &tokens.access] {
        call(&app, "/me", access).await.problem(401, "invalid-credential");
    }
    let last = Tokens::of(&client.refresh(&next.refresh).await);
    call(&app, "/me", &last.access).await.ok();
}
