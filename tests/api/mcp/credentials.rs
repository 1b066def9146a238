//! Whose credential is heard, and what its refusal is answered with.

use std::time::Duration;

use pharos_auth::{
    failures::MOST_FAILURES_A_MINUTE,
    keys::{
        manage::{self, KeyRequest},
        secret::Environment,
    },
};
use pharos_domain::scope::Scope;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use super::{ACCEPT, ask, ask_with, message};
use crate::{
    harness::{Key, TestApp, actor, all_scopes},
    oauth::Client,
};

fn resource(app: &TestApp) -> String {
    format!("http://{}/mcp", app.address)
}

fn metadata(app: &TestApp) -> String {
    format!(
        r#"resource_metadata="http://{}/.well-known/oauth-protected-resource/mcp""#,
        app.address
    )
}

#[tokio::test]
async fn without_a_credential_the_answer_says_where_to_get_one() {
    let app = TestApp::start().await;
    let reply = message(&app, "tools/list", &json!({})).send_unchecked().await;
    assert_eq!(reply.status, 401);
    let hint = reply.header("www-authenticate").unwrap();
    assert_eq!(hint, format!("Bearer {}", metadata(&app)));
    let document = app
        .request("GET", "//.well-known/oauth-protected-resource/mcp")
        .send()
        .await
        .ok();
    assert_eq!(document["resource"], resource(&app));
}

/// The specification's table of resource binding.
#[tokio::test]
async fn a_token_for_the_api_alone_is_refused_and_one_for_this_server_is_handed_on() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let for_the_api = client.tokens().await;
    let reply = ask_with(&app, &for_the_api.access, "tools/list", &json!({})).await;
    assert_eq!(reply.status, 401);
    let hint = reply.header("www-authenticate").unwrap();
    assert!(hint.contains(r#"error="invalid_token""#), "{hint}");

    let tokens = client.tokens_for(&resource(&app)).await;
    let listed = ask_with(&app, &tokens.access, "tools/list", &json!({}))
        .await
        .ok();
    assert!(!listed["result"]["tools"].as_array().unwrap().is_empty());
    let called = json!({ "name": "domains", "arguments": {} });
    let result = ask_with(&app, &tokens.access, "tools/call", &called).await.ok();
    let identity = &result["result"]["structuredContent"]["identity"];
    assert_eq!(identity["audience"], resource(&app));

    client.revoke(&tokens).await;
    let reply = ask_with(&app, &tokens.access, "tools/call", &called).await;
    assert_eq!(reply.status, 401, "revocation is the API's");
    let hint = reply.header("www-authenticate").unwrap();
    assert!(hint.contains(&metadata(&app)), "{hint}");
}

/// A token that says that it is for this server, and that nobody signed.
#[tokio::test]
async fn a_token_that_lies_of_its_audience_is_refused_by_the_api() {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    let app = TestApp::start().await;
    let claims = URL_SAFE_NO_PAD.encode(json!({ "aud": resource(&app) }).to_string());
    let header = URL_SAFE_NO_PAD.encode(r#"{"alg":"none","typ":"at+jwt"}"#);
    let initialize = json!({
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" },
    });
    for (method, params) in [
        ("initialize", initialize),
        ("tools/list", json!({})),
        ("resources/list", json!({})),
        ("prompts/list", json!({})),
        ("tools/call", json!({ "name": "domains", "arguments": {} })),
    ] {
        let reply = ask_with(&app, &format!("{header}.{claims}.c2ln"), method, &params).await;
        assert_eq!(reply.status, 401, "{method}");
    }
}

#[tokio::test]
async fn a_grant_that_lacks_a_scope_is_told_which_and_a_key_gets_a_result() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let tokens = client.tokens_for(&resource(&app)).await;
    let change = json!({ "name": "call_operation", "arguments": {
        "operation_id": "updateUptimeConfig",
        "parameters": { "domain_id": app.world.domain.to_string() },
        "body": { "interval_seconds": 60 },
    } });
    let reply = ask_with(&app, &tokens.access, "tools/call", &change).await;
    assert_eq!(reply.status, 403);
    let hint = reply.header("www-authenticate").unwrap();
    assert!(
        hint.contains(r#"error="insufficient_scope", scope="write:uptime""#),
        "{hint}"
    );

    let read = [Scope::ReadUptime];
    let key = app.world.key(&app.stores, &read, app.now()).await;
    let reply = ask(&app, &key, "tools/call", &change).await;
    let refused = super::refusal(&reply.ok()["result"]);
    assert_eq!(refused["problem"], "insufficient-scope");
    assert_eq!(refused["required_scope"], "write:uptime");
    assert!(refused["what_to_do"].is_string());
}

/// Also what has nothing to do with the API is not answered to whom the API does not know.
#[tokio::test]
async fn whatever_is_sent_the_credential_is_judged_first() {
    let app = TestApp::start().await;
    let nobody = Key {
        id: app.world.key.id,
        secret: "svc_dev_0000000000000000000000000000000000000000000".to_owned(),
    };
    let request = |method: &str, params: serde_json::Value| {
        json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string()
    };
    let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    for body in [
        request("ping", json!({})),
        request("resources/templates/list", json!({})),
        request("none", json!({})),
        request("tools/call", json!({ "name": "none" })),
        request("tools/call", json!({ "name": 1 })),
        request("tools/call", json!({ "name": "uptime", "arguments": { "x": 1 } })),
        initialized.to_string(),
        "{".to_owned(),
        "[]".to_owned(),
    ] {
        let status = async |key: &Key| {
            let request = app.request("POST", "//mcp").key(key).header("accept", ACCEPT);
            let request = request.body("application/json", body.clone());
            request.send_unchecked().await.status
        };
        assert_eq!(status(&nobody).await, 401, "{body}");
        assert_ne!(status(&app.world.key).await, 401, "{body}");
    }
}

#[tokio::test]
async fn what_is_no_credential_is_refused() {
    let app = TestApp::start().await;
    let unknown = Key {
        id: app.world.key.id,
        secret: "svc_dev_0000000000000000000000000000000000000000000".to_owned(),
    };
    let reply = ask(&app, &unknown, "tools/list", &json!({})).await;
    assert_eq!(reply.status, 401);
    for header in ["Basic YTpi", "Bearer", "Bearer a.b.c", "Bearer a.b"] {
        let reply = message(&app, "tools/list", &json!({}))
            .header("authorization", header)
            .send_unchecked()
            .await;
        assert_eq!(reply.status, 401, "{header}");
    }
}

/// Whoever is refused is so before what it sends is read: here it sends no more than the beginning.
#[tokio::test]
async fn a_credential_is_judged_before_a_long_message_is_read() {
    let app = TestApp::start().await;
    let (long, spaces) = ("content-length: 10485760\r\n\r\n", " ".repeat(0x19000));
    let chunked = format!("transfer-encoding: chunked\r\n\r\n19000\r\n{spaces}\r\n");
    let nobody = "svc_dev_0000000000000000000000000000000000000000000";
    for (credential, message, status) in [
        (None, long, 401),
        (Some(nobody), long, 401),
        (Some(nobody), chunked.as_str(), 401),
        (Some(app.world.key.secret.as_str()), long, 413),
    ] {
        let credential = credential.map(|credential| format!("authorization: Bearer {credential}\r\n"));
        let request = format!(
            "POST /mcp HTTP/1.1\r\nhost: {}\r\n{}accept: {ACCEPT}\r\ncontent-type: application/json\r\n{message}",
            app.address,
            credential.unwrap_or_default(),
        );
        let mut stream = TcpStream::connect(app.address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        // A read fills the room that there is.
        let mut answer = Vec::with_capacity(4096);
        let read = timeout(Duration::from_secs(8), stream.read_buf(&mut answer)).await;
        read.expect("an answer before the message").unwrap();
        let answer = String::from_utf8_lossy(&answer);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
        assert_eq!(answer.contains("www-authenticate"), status == 401, "{answer}");
    }
}

/// The address of a caller is its own and not that of this server, for allowlists as for limits.
#[tokio::test]
async fn a_caller_is_judged_by_its_own_address() {
    let app = TestApp::behind(1).await;
    let request = KeyRequest {
        workspace: app.world.workspace,
        creator: app.world.owner,
        name: "office".to_owned(),
        scopes: all_scopes(),
        expires_at: None,
        allowlist: Some(vec!["203.0.113.7".to_owned()]),
    };
    let (keys, actor) = (&*app.stores.keys, actor());
    let made = manage::create(keys, Environment::Development, &request, &actor, app.now()).await;
    let (_, secret) = made.unwrap();
    let from = async |address: &str, secret: &str| {
        message(&app, "tools/list", &json!({}))
            .header("authorization", format!("Bearer {secret}"))
            .header("x-forwarded-for", address)
            .send_unchecked()
            .await
            .status
    };
    assert_eq!(from("203.0.113.7", secret.reveal()).await, 200);
    assert_eq!(from("198.51.100.1", secret.reveal()).await, 401);
    // Whoever does not share the secret of the servers names nobody.
    let forged = app
        .request("GET", "/me")
        .header("authorization", format!("Bearer {}", secret.reveal()))
        .header("x-forwarded-for", "198.51.100.1")
        .header("pharos-on-behalf-of", "203.0.113.7 AAAA")
        .send()
        .await;
    forged.problem(401, "invalid-credential");

    let mut guess = secret.reveal().to_owned();
    let last = if guess.pop() == Some('A') { 'B' } else { 'A' };
    guess.push(last);
    assert_eq!(from("198.51.100.1", &guess).await, 401);
    for _ in 0..MOST_FAILURES_A_MINUTE {
        from("198.51.100.1", &guess).await;
    }
    let of_the_api = async |address: &str| {
        app.request("GET", "/me")
            .header("authorization", format!("Bearer {guess}"))
            .header("x-forwarded-for", address)
            .send()
            .await
            .status
    };
    assert_eq!(
        of_the_api("198.51.100.1").await,
        429,
        "who guesses is not heard any more"
    );
    let long = message(&app, "ping", &json!({ "x": " ".repeat(100_000) }))
        .header("authorization", format!("Bearer {guess}"))
        .header("x-forwarded-for", "198.51.100.1")
        .send_unchecked()
        .await;
    assert_eq!(long.status, 429);
    assert!(long.header("retry-after").is_some());
    assert!(long.json()["error"]["data"]["what_to_do"].is_string());
    assert_eq!(of_the_api("203.0.113.7").await, 401);
    assert_eq!(from("203.0.113.7", &guess).await, 401, "others are");
}
