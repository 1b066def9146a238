//! The TypeScript SDK of the protocol, unmodified, from the first 401 to the end of its grant. The user is played here.

use serde_json::json;

use crate::{
    harness::TestApp,
    oauth::libraries::{Library, agree},
};

#[tokio::test]
async fn the_sdk_of_npm_walks_the_whole_way() {
    let app = TestApp::start().await;
    let base = format!("http://{}", app.address);
    let server = format!("{base}/mcp");
    let mut sdk = Library::start("node", "mcp_client.mjs", &[&server, &base]);
    let authorize = sdk.says().await;
    let back = agree(&app, authorize["authorize"].as_str().unwrap()).await;
    sdk.hear(&back).await;
    let called = sdk.says().await;
    let tools = called["tools"].as_array().unwrap();
    assert!(tools.contains(&json!("whats_wrong")));
    assert!(
        !tools.contains(&json!("run_check")),
        "clients ask for the read scopes alone"
    );
    assert_eq!(called["domains"].as_array().unwrap().len(), 1);
    assert_eq!(sdk.says().await, json!({ "refreshed": true }));
    assert!(
        sdk.says().await["authorize"].is_string(),
        "once the grant is revoked"
    );
    assert_eq!(sdk.says().await, json!({ "ended": true }));
    assert!(sdk.child.wait().await.unwrap().success());
}
