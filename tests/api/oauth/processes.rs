//! Many at once, and more than one node.

use futures_util::future::join_all;

use super::{Client, Tokens, call, refused};
use crate::harness::{TestApp, actor};

/// The contract, 28: at most one 200, and afterwards no token of the grant works.
#[tokio::test]
async fn a_refresh_raced_by_sixteen_gives_one_at_most_and_ends_the_grant() {
    for _ in 0..5 {
        let app = TestApp::start().await;
        let client = Client::register(&app).await;
        let tokens = client.tokens().await;
        let replies = join_all((0..16).map(|_| client.refresh(&tokens.refresh))).await;
        let (won, lost): (Vec<_>, Vec<_>) = replies.iter().partition(|reply| reply.status == 200);
        assert!(won.len() <= 1, "{} of 16", won.len());
        for reply in lost {
            refused(reply, 400, "invalid_grant");
        }
        for tokens in won.into_iter().map(Tokens::of).chain([tokens]) {
            call(&app, "/me", &tokens.access)
                .await
                .problem(401, "grant-revoked");
            refused(&client.refresh(&tokens.refresh).await, 400, "invalid_grant");
        }
    }
}

/// RFC 6749, section 4.1.2, under a race.
#[tokio::test]
async fn a_code_raced_by_sixteen_gives_one_at_most_and_ends_the_grant() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let code = client.owners_code().await;
    let form = client.exchange_form(&code);
    let replies = join_all((0..16).map(|_| client.token(&form))).await;
    let won: Vec<_> = replies.iter().filter(|reply| reply.status == 200).collect();
    assert_eq!(won.len(), 1);
    let tokens = Tokens::of(won[0]);
    call(&app, "/me", &tokens.access)
        .await
        .problem(401, "grant-revoked");
}

/// Revocation shows on the next call on every node; each node has caches of its own.
#[tokio::test]
async fn a_grant_that_is_revoked_on_one_node_ends_on_the_other_at_once() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let sibling = app.sibling().await;
    for _ in 0..5 {
        let tokens = client.tokens().await;
        let there = async || {
            let header = format!("Bearer {}", tokens.access);
            sibling
                .request("GET", "/me")
                .header("authorization", header)
                .send()
                .await
        };
        there().await.ok();
        there().await.ok();
        let form = [
            ("token", tokens.refresh.clone()),
            ("client_id", client.id.clone()),
        ];
        assert_eq!(super::post_form(&app, "/oauth/revoke", &form).await.status, 200);
        there().await.problem(401, "grant-revoked");
    }
}

#[tokio::test]
async fn a_client_that_is_verified_is_so_on_every_node_at_once() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let sibling = app.sibling().await;
    let handle = client.handle().await;
    let nodes = [app.authorization(), sibling.authorization()];
    for is_verified in [false, true, false, true] {
        let id = client.id.parse().unwrap();
        let clients = &app.stores.oauth_clients;
        let found = clients.set_verified(id, is_verified, &actor(), app.now()).await;
        assert!(found.unwrap());
        for node in &nodes {
            let consent = node.consent(&handle, app.world.owner).await.unwrap();
            assert_eq!(consent.client.is_verified, is_verified);
        }
    }
}
