//! The MCP server, through HTTP.

mod at_once;
mod binary;
mod conformance;
mod credentials;
mod libraries;
mod log;
mod requests;
mod runs;
mod strangers;
mod tools;

use std::net::SocketAddr;

use serde_json::{Value, json};

use crate::harness::{Key, Reply, Request, TestApp};

const ACCEPT: &str = "application/json, text/event-stream";

/// A message to the server, without a credential.
fn message(app: &TestApp, method: &str, params: &Value) -> Request {
    message_to(app.address, method, params)
}

/// The same to the server of a node.
pub(crate) fn message_to(address: SocketAddr, method: &str, params: &Value) -> Request {
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    Request::new(address, "POST", "//mcp")
        .header("accept", ACCEPT)
        .json(&message)
}

/// The answer to a message that a key sends.
async fn ask(app: &TestApp, key: &Key, method: &str, params: &Value) -> Reply {
    message(app, method, params).key(key).send_unchecked().await
}

/// The answer to a message that a token sends.
async fn ask_with(app: &TestApp, token: &str, method: &str, params: &Value) -> Reply {
    message(app, method, params)
        .header("authorization", format!("Bearer {token}"))
        .send_unchecked()
        .await
}

/// The result of a tool.
async fn tool(app: &TestApp, key: &Key, name: &str, arguments: &Value) -> Value {
    let params = json!({ "name": name, "arguments": arguments });
    ask(app, key, "tools/call", &params).await.ok()["result"].clone()
}

/// The findings of a tool.
#[track_caller]
pub(crate) fn found(result: &Value) -> &Value {
    assert_eq!(result["isError"], false, "{result}");
    &result["structuredContent"]
}

/// The refusal of a tool.
#[track_caller]
fn refusal(result: &Value) -> Value {
    assert_eq!(result["isError"], true, "{result}");
    serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap()
}

/// The names of the tools that a key is shown.
async fn names(app: &TestApp, key: &Key) -> Vec<String> {
    let listed = ask(app, key, "tools/list", &json!({})).await.ok();
    let tools = listed["result"]["tools"].as_array().unwrap();
    tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap().to_owned())
        .collect()
}
