//! The limits of the OAuth endpoints, for each source address.

use pharos_auth::{oauth::limits::OauthLimits, sign_in::desk::SignInLimits};
use serde_json::json;
use time::Duration;

use super::{Client, REDIRECT_URI, post_form, refused, register};
use crate::harness::TestApp;

#[tokio::test]
async fn the_21st_registration_of_an_hour_is_refused() {
    let app = TestApp::behind(1).await;
    let body = json!({ "redirect_uris": [REDIRECT_URI] });
    let from = async |address: &str| {
        let request = app.request("POST", "/oauth/register").json(&body);
        request.header("x-forwarded-for", address).send().await
    };
    for _ in 0..20 {
        assert_eq!(from("203.0.113.7").await.status, 201);
    }
    let reply = from("203.0.113.7").await;
    refused(&reply, 429, "temporarily_unavailable");
    let wait: i64 = reply.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=3_600 * 2).contains(&wait), "{wait}");
    assert_eq!(from("203.0.113.8").await.status, 201, "another address");
    app.clock.advance(Duration::seconds(wait));
    assert_eq!(from("203.0.113.7").await.status, 201, "as told");
}

#[tokio::test]
async fn each_endpoint_has_a_limit_of_its_own() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    for _ in 0..120 {
        assert_eq!(client.authorize(&client.query()).await.status, 302);
    }
    refused(
        &client.authorize(&client.query()).await,
        429,
        "temporarily_unavailable",
    );
    let form = [("token", "x".to_owned()), ("client_id", client.id.clone())];
    for _ in 0..600 {
        assert_eq!(post_form(&app, "/oauth/revoke", &form).await.status, 200);
    }
    let reply = post_form(&app, "/oauth/revoke", &form).await;
    refused(&reply, 429, "temporarily_unavailable");
    let body = json!({ "redirect_uris": [REDIRECT_URI] });
    assert_eq!(register(&app, &body).await.status, 201);
}

#[tokio::test]
async fn the_limits_are_what_is_configured() {
    let limits = OauthLimits {
        register: 2,
        authorize: 3,
        consent: 2,
        token: 4,
        revoke: 0,
    };
    let app = TestApp::limited(limits, SignInLimits::default()).await;
    let client = Client::register(&app).await;
    let body = json!({ "redirect_uris": [REDIRECT_URI] });
    assert_eq!(register(&app, &body).await.status, 201);
    refused(&register(&app, &body).await, 429, "temporarily_unavailable");
    for _ in 0..3 {
        assert_eq!(client.authorize(&client.query()).await.status, 302);
    }
    let reply = client.authorize(&client.query()).await;
    refused(&reply, 429, "temporarily_unavailable");
    for _ in 0..4 {
        refused(&client.refresh("prt_x").await, 400, "invalid_grant");
    }
    refused(&client.refresh("prt_x").await, 429, "temporarily_unavailable");
    let form = [("token", "x".to_owned()), ("client_id", client.id.clone())];
    let reply = post_form(&app, "/oauth/revoke", &form).await;
    refused(&reply, 429, "temporarily_unavailable");
}
