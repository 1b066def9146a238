//! The documents that clients find before they know anything.

use pharos_domain::scope::{Scope, Tier};
use serde_json::{Value, json};

use super::{Client, base_url};
use crate::harness::{Reply, TestApp};

async fn get(app: &TestApp, path: &str) -> Reply {
    app.request("GET", &format!("/{path}")).send().await
}

/// RFC 8414, section 2, and what OAuth 2.1 clients need of it.
#[tokio::test]
async fn the_server_s_metadata_names_every_endpoint() {
    let app = TestApp::start().await;
    let base = base_url(&app);
    let reply = get(&app, "/.well-known/oauth-authorization-server").await;
    assert_eq!(reply.header("content-type"), Some("application/json"));
    assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
    let metadata = reply.ok();
    assert_eq!(metadata["issuer"], base);
    for (name, path) in [
        ("authorization_endpoint", "/api/public/v1/oauth/authorize"),
        ("token_endpoint", "/api/public/v1/oauth/token"),
        ("registration_endpoint", "/api/public/v1/oauth/register"),
        ("revocation_endpoint", "/api/public/v1/oauth/revoke"),
        ("jwks_uri", "/.well-known/jwks.json"),
    ] {
        assert_eq!(metadata[name], format!("{base}{path}"), "{name}");
    }
    assert_eq!(metadata["code_challenge_methods_supported"], json!(["S256"]));
    assert_eq!(metadata["response_types_supported"], json!(["code"]));
    assert_eq!(metadata["authorization_response_iss_parameter_supported"], true);
    let scopes: Vec<&str> = Scope::ALL.iter().map(|scope| scope.as_str()).collect();
    assert_eq!(metadata["scopes_supported"], json!(scopes));
}

/// RFC 9728, sections 2 and 3.1.
#[tokio::test]
async fn each_resource_has_metadata_at_the_root_or_with_its_path_inserted() {
    let app = TestApp::start().await;
    let base = base_url(&app);
    for (path, resource) in [
        ("/.well-known/oauth-protected-resource", base.clone()),
        ("/.well-known/oauth-protected-resource/mcp", format!("{base}/mcp")),
    ] {
        let metadata = get(&app, path).await.ok();
        assert_eq!(metadata["resource"], resource);
        assert_eq!(metadata["authorization_servers"], json!([base]));
        assert_eq!(metadata["bearer_methods_supported"], json!(["header"]));
        // Clients that know no better ask for all of these.
        assert_eq!(metadata["scopes_supported"], json!(Tier::Read.scopes()));
    }
    let unauthorized = app.request("GET", "/me").send().await;
    let hint = unauthorized.header("www-authenticate").unwrap().to_owned();
    assert_eq!(
        hint,
        format!(r#"Bearer resource_metadata="{base}/.well-known/oauth-protected-resource""#)
    );
}

/// RFC 7517: the key that signed a token is there under its id, and the private half is not.
#[tokio::test]
async fn the_keys_are_public() {
    let app = TestApp::start().await;
    let tokens = Client::register(&app).await.tokens().await;
    let header = tokens.access.split('.').next().unwrap();
    let header = base64::Engine::decode(&base64::engine::general_purpose::URL_SAFE_NO_PAD, header).unwrap();
    let header: Value = serde_json::from_slice(&header).unwrap();
    let keys = get(&app, "/.well-known/jwks.json").await.ok();
    let [key] = &keys["keys"].as_array().unwrap()[..] else {
        panic!("one key: {keys}");
    };
    assert_eq!(key["kid"], header["kid"]);
    assert_eq!(
        (&key["kty"], &key["crv"], &key["alg"]),
        (&json!("EC"), &json!("P-256"), &json!("ES256"))
    );
    assert!(key["d"].is_null());
}

const DOCUMENTS: [&str; 6] = [
    "/.well-known/oauth-authorization-server",
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
    "/.well-known/jwks.json",
    "/openapi.json",
    "/docs",
];

/// Clients in browsers send a header of their own with discovery, and ask before.
#[tokio::test]
async fn discovery_answers_head_and_options() {
    let app = TestApp::start().await;
    for path in DOCUMENTS {
        let got = get(&app, path).await;
        let head = app.request("HEAD", &format!("/{path}")).send().await;
        assert_eq!(head.status, 200, "{path}");
        assert!(head.body.is_empty(), "{path}");
        for name in ["content-type", "content-length", "cache-control"] {
            assert_eq!(head.header(name), got.header(name), "{path} {name}");
        }
        let other = app.request("POST", &format!("/{path}")).send().await;
        assert_eq!(other.status, 405, "{path}");
        let is_for_scripts = path != "/docs";
        let allow = if is_for_scripts {
            "GET, HEAD, OPTIONS"
        } else {
            "GET, HEAD"
        };
        assert_eq!(other.header("allow"), Some(allow), "{path}");
        let options = app.request("OPTIONS", &format!("/{path}")).send().await;
        assert_eq!(options.status == 204, is_for_scripts, "{path}");
        for reply in [&got, &head, &options].into_iter().filter(|_| is_for_scripts) {
            assert_eq!(reply.header("access-control-allow-origin"), Some("*"), "{path}");
        }
    }
}

#[tokio::test]
async fn scripts_may_send_the_header_of_mcp() {
    let app = TestApp::start().await;
    for path in DOCUMENTS.iter().take(5).map(|path| format!("/{path}")).chain([
        "/me".to_owned(),
        "/oauth/register".to_owned(),
        "/oauth/token".to_owned(),
    ]) {
        let reply = app.request("OPTIONS", &path).send().await;
        let allowed = reply.header("access-control-allow-headers").unwrap();
        let mut allowed = allowed.split(", ");
        assert!(allowed.any(|name| name == "MCP-Protocol-Version"), "{path}");
    }
}

/// RFC 6750, section 3.1: the error of a credential that was brought; none where there was none.
#[tokio::test]
async fn the_hint_of_a_401_says_what_is_wrong_with_a_token() {
    let app = TestApp::start().await;
    let client = Client::register(&app).await;
    let tokens = client.tokens().await;
    let hint = async |authorization: &str| {
        let request = app.request("GET", "/me").header("authorization", authorization);
        let reply = request.send().await;
        assert_eq!(reply.status, 401);
        reply.header("www-authenticate").unwrap().to_owned()
    };
    let metadata = format!("{}/.well-known/oauth-protected-resource", base_url(&app));
    let invalid = format!(r#"Bearer resource_metadata="{metadata}", error="invalid_token""#);
    assert_eq!(hint("Bearer svc_dev_x").await, invalid);
    assert_eq!(hint("Bearer a.b.c").await, invalid);
    let form = [
        ("token", tokens.refresh.clone()),
        ("client_id", client.id.clone()),
    ];
    super::post_form(&app, "/oauth/revoke", &form).await.ok();
    assert_eq!(hint(&format!("Bearer {}", tokens.access)).await, invalid);
}
