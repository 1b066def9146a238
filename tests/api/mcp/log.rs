//! The log of the MCP server, at its finest.

use std::{fs::File, time::Duration};

use serde_json::{Value, json};

use super::message_to;
use crate::{
    harness::{Node, TestApp},
    oauth::Client,
};

/// Whatever the level, no log has the credential that a caller sent, accepted or refused.
#[tokio::test(flavor = "multi_thread")]
async fn no_credential_is_logged_even_where_everything_is() {
    let app = TestApp::start().await;
    let resource = format!("http://{}/mcp", app.address);
    let issuer = format!("http://{}", app.address);
    let log = tempfile::NamedTempFile::new().unwrap();
    let environment = [
        ("PHAROS_DATABASE_URL", app.database.url()),
        ("PHAROS_BASE_URL", issuer.as_str()),
        ("PHAROS_LOG", "trace"),
    ];
    // The node has another clock than the test, by which the token lapsed long ago, and its client is forgotten.
    let client = Client::register(&app).await;
    let tokens = client.tokens_for(&resource).await;
    let file = File::create(log.path()).unwrap();
    let node = Node::start_logging(&["--roles", "api,mcp"], &environment, file);
    let refused = format!("{}x", tokens.access);
    let called = json!({ "name": "domains", "arguments": {} });
    let send = async |credential: &str, method: &str, params: &Value| {
        message_to(node.address, method, params)
            .header("authorization", format!("Bearer {credential}"))
            .send_unchecked()
            .await
            .status
    };
    let key = app.world.key.secret.as_str();
    for (credential, status) in [(key, 200), (refused.as_str(), 401)] {
        assert_eq!(send(credential, "tools/call", &called).await, status);
        assert_eq!(send(credential, "tools/list", &json!({})).await, status);
    }
    assert_eq!(send(&tokens.access, "tools/call", &called).await, 401);
    node.signal("TERM");
    assert_eq!(node.end(Duration::from_secs(60)), Some(0));
    let text = std::fs::read_to_string(log.path()).unwrap();
    assert!(text.lines().count() > 10, "something is logged: {text}");
    let signature = tokens.access.rsplit('.').next().unwrap();
    for secret in [key, tokens.access.as_str(), signature] {
        assert!(!text.contains(secret), "{text}");
    }
}
