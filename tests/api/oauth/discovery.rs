//! What clients find before they know anything.

use pharos_domain::scope::Scope;
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
