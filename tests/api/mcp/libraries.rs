//! The SDKs of the protocol, unmodified, from the first 401 to the end of the grant. Their user signs in and agrees in Chromium.

use std::ffi::OsStr;

use serde_json::json;

use crate::{
    console::chromium,
    harness::{Node, TestApp, python},
    oauth::libraries::Library,
};

/// Has an SDK register, its user agree, and the SDK call tools in this version of the protocol, refresh, and lose its grant.
async fn walks(program: &str, script: &str, version: &str) {
    let app = TestApp::start().await;
    let node = Node::start(&[], &[("PHAROS_DATABASE_URL", app.database.url())]);
    let base = format!("http://{}", node.address);
    let server = format!("{base}/mcp");
    let (link, browser) = (chromium::link(&app, &base).await, chromium::program());
    let told = [("LINK", OsStr::new(&link)), ("CHROMIUM", OsStr::new(&browser))];
    let mut user = Library::start_told("node", "../browser/consent.mjs", &[], &told);
    let ready = user.says().await;
    let callback = ready["callback"].as_str().unwrap();

    let mut sdk = Library::start(program, script, &[&server, &base, callback]);
    let authorize = sdk.says().await;
    user.hear(authorize["authorize"].as_str().unwrap()).await;
    let agreed = user.says().await;
    sdk.hear(agreed["back"].as_str().unwrap()).await;
    let called = sdk.says().await;
    assert_eq!(called["version"], version);
    let tools = called["tools"].as_array().unwrap();
    assert!(tools.contains(&json!("whats_wrong")), "{tools:?}");
    assert!(
        !tools.contains(&json!("run_check")),
        "clients ask for the read scopes alone: {tools:?}"
    );
    assert_eq!(called["domains"].as_array().unwrap().len(), 1);
    assert_eq!(sdk.says().await, json!({ "refreshed": true }));
    assert!(
        sdk.says().await["authorize"].is_string(),
        "once the grant is revoked"
    );
    assert_eq!(sdk.says().await, json!({ "ended": true }));
    assert!(sdk.child.wait().await.unwrap().success());
    user.close().await;
}

#[tokio::test]
async fn the_sdk_of_npm_walks_the_whole_way() {
    walks("node", "mcp_client.mjs", "2025-11-25").await;
}

#[tokio::test]
async fn the_sdk_of_pypi_walks_the_whole_way() {
    walks(&python(), "mcp_client.py", "2026-07-28").await;
}
