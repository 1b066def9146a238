//! Requests that no client sends by intent.

use super::{Client, encoded, refused};
use crate::harness::TestApp;

const FORM: &str = "application/x-www-form-urlencoded";

#[tokio::test]
async fn another_method_is_told_which_to_use() {
    let app = TestApp::start().await;
    for (method, path, allow) in [
        ("GET", "/oauth/token", "OPTIONS, POST"),
        ("GET", "/oauth/register", "OPTIONS, POST"),
        ("PUT", "/oauth/revoke", "OPTIONS, POST"),
        ("POST", "/oauth/authorize", "GET, HEAD, OPTIONS"),
    ] {
        let reply = app.request(method, path).send().await;
        reply.problem(405, "method-not-allowed");
        assert_eq!(reply.header("allow"), Some(allow));
    }
    let preflight = app.request("OPTIONS", "/oauth/token").send().await;
    assert_eq!(
        (preflight.status, preflight.header("access-control-allow-origin")),
        (204, Some("*"))
    );
}

#[tokio::test]
async fn a_body_of_another_type_is_told_which_to_send() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let form = encoded(&client.refresh_form("prt_x"));
    for path in ["/oauth/token", "/oauth/revoke"] {
        for kind in ["application/json", "multipart/form-data", "text/plain"] {
            let reply = app.request("POST", path).body(kind, form.clone()).send().await;
            assert!(refused(&reply, 400, "invalid_request").contains(FORM));
        }
        let with_charset = app
            .request("POST", path)
            .body("Application/X-WWW-Form-Urlencoded; charset=utf-8", form.clone());
        assert!([200, 400].contains(&with_charset.send().await.status));
    }
    let reply = app
        .request("POST", "/oauth/register")
        .body(FORM, "redirect_uris=x")
        .send()
        .await;
    refused(&reply, 400, "invalid_request");
}

#[tokio::test]
async fn parameters_twice_are_refused_by_name() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let code = client.owners_code().await;
    let form = client.exchange_form(&code);
    for name in ["grant_type", "code", "redirect_uri", "client_id", "code_verifier"] {
        let mut twice = form.clone();
        twice.push((name, "x".to_owned()));
        let description = refused(&client.token(&twice).await, 400, "invalid_request");
        assert!(description.contains(name), "{description}");
    }
    let mut twice = form.clone();
    twice.push(("resource", super::base_url(&app)));
    refused(&client.token(&twice).await, 400, "invalid_target");
}

#[tokio::test]
async fn what_is_too_large_is_told() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let form = super::with(
        client.refresh_form("prt_x"),
        &[("refresh_token", &"a".repeat(300_000))],
    );
    refused(&client.token(&form).await, 413, "invalid_request");
    // Longer than any token, and still within what a head may have.
    let token = format!("{0}.{0}.{0}", "a".repeat(2_000));
    let header = format!("Bearer {token}");
    let reply = app
        .request("GET", "/me")
        .header("authorization", header)
        .send()
        .await;
    reply.problem(401, "invalid-credential");
    let header = format!("Bearer {}", "a.".repeat(500_000));
    let reply = app
        .request("GET", "/me")
        .header("authorization", header)
        .try_send()
        .await;
    assert!(reply.is_none_or(|reply| [400, 431].contains(&reply.status)));
}

/// RFC 6749, section 5.2: printable ASCII without quotes and backslashes.
#[tokio::test]
async fn a_description_never_has_what_the_rfc_forbids() {
    let app = TestApp::start().await;
    let body = serde_json::json!({ "redirect_uris": ["https://a.example/\"\\\u{202e}é"] });
    let reply = super::register(&app, &body).await;
    let description = refused(&reply, 400, "invalid_redirect_uri");
    assert!(
        description
            .chars()
            .all(|c| matches!(c, ' '..='~') && c != '"' && c != '\\'),
        "{description}"
    );
}
