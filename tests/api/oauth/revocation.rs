//! POST /oauth/revoke, and grants that end otherwise.

use pharos_http::spec::BASE_PATH;

use super::{Client, Tokens, call, post_form, refused};
use crate::harness::{Contract, TestApp, actor};

async fn revoke(client: &Client<'_>, token: &str, id: &str) -> u16 {
    let form = [("token", token.to_owned()), ("client_id", id.to_owned())];
    post_form(client.app, "/oauth/revoke", &form).await.status
}

/// The specification: always 200, and the whole grant ends.
#[tokio::test]
async fn either_token_ends_the_whole_grant() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let token_of: [fn(&Tokens) -> String; 2] =
        [|tokens| tokens.access.clone(), |tokens| tokens.refresh.clone()];
    for token in token_of {
        let tokens = client.tokens().await;
        let next = Tokens::of(&client.refresh(&tokens.refresh).await);
        call(&app, "/me", &next.access).await.ok();
        assert_eq!(revoke(&client, &token(&next), &client.id).await, 200);
        for access in [&tokens.access, &next.access] {
            call(&app, "/me", access).await.problem(401, "grant-revoked");
        }
        refused(&client.refresh(&next.refresh).await, 400, "invalid_grant");
        assert_eq!(revoke(&client, &token(&next), &client.id).await, 200, "again");
    }
}

/// RFC 7009, section 2.2.
#[tokio::test]
async fn what_is_unknown_or_another_s_changes_nothing_and_is_200() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let other = Client::register(&app).await;
    let tokens = client.tokens().await;
    for token in [&tokens.access, &tokens.refresh] {
        assert_eq!(revoke(&client, token, &other.id).await, 200);
        assert_eq!(
            revoke(&client, token, &uuid::Uuid::now_v7().to_string()).await,
            200
        );
    }
    for unknown in ["x", "prt_x", "a.b.c"] {
        assert_eq!(revoke(&client, unknown, &client.id).await, 200);
    }
    call(&app, "/me", &tokens.access).await.ok();
    let without = post_form(&app, "/oauth/revoke", &[("client_id", client.id.clone())]).await;
    refused(&without, 400, "invalid_request");
}

/// The document declares the 401, and its hint goes to those alone who sent the header.
#[tokio::test]
async fn a_header_that_is_not_http_basic_is_refused() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let tokens = client.tokens().await;
    let form = super::encoded(&[("token", tokens.refresh), ("client_id", client.id.clone())]);
    for header in ["Bearer x", "Basic !"] {
        let request = app.request("POST", "/oauth/revoke");
        let request = request.body("application/x-www-form-urlencoded", form.clone());
        let reply = request.header("authorization", header).send().await;
        refused(&reply, 401, "invalid_client");
        assert_eq!(reply.header("www-authenticate"), Some(r#"Basic realm="pharos""#));
    }
    call(&app, "/me", &tokens.access).await.ok();
    let path = format!("{BASE_PATH}/oauth/revoke");
    let declared = &Contract::get().document["paths"][&path]["post"]["responses"];
    assert!(declared["401"].is_object(), "{declared}");
}

/// Whoever hears 200 takes the grant for ended.
#[tokio::test]
async fn a_store_that_fails_is_not_answered_with_200() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let tokens = client.tokens().await;
    app.sql("ALTER TABLE oauth_clients RENAME TO elsewhere").await;
    // A node that has not met the client yet.
    let sibling = app.sibling().await;
    let form = super::encoded(&[("token", tokens.refresh), ("client_id", client.id.clone())]);
    let request = sibling.request("POST", "/oauth/revoke");
    let reply = request
        .body("application/x-www-form-urlencoded", form)
        .send()
        .await;
    refused(&reply, 500, "server_error");
}

#[tokio::test]
async fn a_user_sees_connected_apps_and_ends_one() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let (one, other) = (client.tokens().await, client.tokens().await);
    let grants = &app.stores.oauth_grants;
    let connected = grants.connected(app.world.owner).await.unwrap();
    assert_eq!(connected.len(), 2);
    assert_eq!(connected[0].client_name.as_deref(), Some("Site report"));
    assert_eq!(connected[0].workspaces, ["Example"]);
    let grant = one.claims()["grant_id"].as_str().unwrap().parse().unwrap();
    let stranger = crate::harness::World::create(&app.stores, app.now()).await.owner;
    let revoke = async |user| {
        grants
            .revoke_of_user(grant, user, &actor(), app.now())
            .await
            .unwrap()
    };
    assert!(!revoke(stranger).await, "not the stranger's");
    call(&app, "/me", &one.access).await.ok();
    assert!(revoke(app.world.owner).await);
    call(&app, "/me", &one.access).await.problem(401, "grant-revoked");
    call(&app, "/me", &other.access).await.ok();
    assert_eq!(grants.connected(app.world.owner).await.unwrap().len(), 1);
}
