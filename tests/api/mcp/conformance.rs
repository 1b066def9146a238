//! The conformance suite of the protocol's own project, and the command line of its inspector, both of npm and unmodified.

use std::{collections::BTreeSet, ffi::OsStr, net::TcpListener};

use serde_json::Value;
use tokio::process::Command;

use crate::{
    harness::{Node, TestApp, clients, newer_node},
    oauth::libraries::Library,
};

/// The scenarios that hold for any server.
const APPLY: &[&str] = &[
    "server-initialize",
    "ping",
    "tools-list",
    "resources-list",
    "prompts-list",
    "dns-rebinding-protection",
];

/// The scenarios that do not apply, and why. Most are for servers that were made for the suite: they want its own tools.
const DO_NOT_APPLY: &[(&str, &str)] = &[
    ("logging-set-level", "clients are sent no logs"),
    ("tools-call-with-logging", "clients are sent no logs"),
    ("completion-complete", "there are no completions"),
    ("tools-call-simple-text", "wants the tool test_simple_text"),
    ("tools-call-image", "wants the tool test_image_content"),
    ("tools-call-audio", "wants the tool test_audio_content"),
    (
        "tools-call-embedded-resource",
        "wants the tool test_embedded_resource",
    ),
    (
        "tools-call-mixed-content",
        "wants the tool test_multiple_content_types",
    ),
    ("tools-call-error", "wants the tool test_error_handling"),
    (
        "tools-call-with-progress",
        "wants the tool test_tool_with_progress",
    ),
    ("tools-call-sampling", "no client's model is asked for anything"),
    ("tools-call-elicitation", "no client's user is asked for anything"),
    (
        "elicitation-sep1034-defaults",
        "no client's user is asked for anything",
    ),
    (
        "elicitation-sep1330-enums",
        "no client's user is asked for anything",
    ),
    ("json-schema-2020-12", "wants the tool json_schema_2020_12_tool"),
    ("server-sse-polling", "there are no sessions"),
    ("server-sse-multiple-streams", "there are no sessions"),
    ("resources-read-text", "wants the resource test://static-text"),
    ("resources-read-binary", "wants the resource test://static-binary"),
    ("resources-templates-read", "there are no templates of resources"),
    ("resources-subscribe", "there are no subscriptions"),
    ("resources-unsubscribe", "there are no subscriptions"),
    ("prompts-get-simple", "wants the prompt test_simple_prompt"),
    (
        "prompts-get-with-args",
        "wants the prompt test_prompt_with_arguments",
    ),
    (
        "prompts-get-embedded-resource",
        "wants the prompt test_prompt_with_embedded_resource",
    ),
    (
        "prompts-get-with-image",
        "wants the prompt test_prompt_with_image",
    ),
];

/// Whether something of a scenario was found to hold, and nothing else.
fn holds(checks: &Value) -> bool {
    let statuses: Vec<&str> = checks
        .as_array()
        .unwrap()
        .iter()
        .map(|check| check["status"].as_str().unwrap())
        .collect();
    let is_good = |status: &&str| ["SUCCESS", "INFO"].contains(status);
    statuses.iter().all(is_good) && statuses.contains(&"SUCCESS")
}

/// A node behind the proxy by which the suite calls it: the address that it has for clients is that of the proxy.
#[tokio::test]
async fn every_scenario_of_the_conformance_suite_that_applies_holds() {
    let app = TestApp::start().await;
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = socket.local_addr().unwrap().port();
    drop(socket);
    let resource = format!("http://127.0.0.1:{port}/mcp");
    let settings = [
        ("PHAROS_DATABASE_URL", app.database.url()),
        ("PHAROS_MCP_RESOURCE", resource.as_str()),
    ];
    let node = Node::start(&["--roles", "api,mcp"], &settings);
    let mut suite = Library::start_told(
        newer_node().to_str().unwrap(),
        "mcp_conformance.mjs",
        &[&format!("http://{}", node.address), &port.to_string()],
        &[("CREDENTIAL", OsStr::new(&app.world.key.secret))],
    );
    let told = suite.says().await;
    let scenarios = told["scenarios"].as_array().unwrap();
    let listed: BTreeSet<&str> = scenarios.iter().filter_map(Value::as_str).collect();
    let others = DO_NOT_APPLY.iter().map(|(name, _)| *name);
    let known: BTreeSet<&str> = APPLY.iter().copied().chain(others).collect();
    assert_eq!(listed, known, "a scenario applies, or it is said why not");
    for name in APPLY {
        let checks = &told["checks"][name];
        assert!(holds(checks), "{name}: {checks}");
    }
    for (name, why) in DO_NOT_APPLY {
        assert!(
            !holds(&told["checks"][name]),
            "{name} holds, though it is said: {why}"
        );
    }
}

/// Runs the inspector's command line; its output where it succeeds.
async fn inspect(app: &TestApp, credential: &str, told: &[&str]) -> Option<Value> {
    let folder = clients("node_modules/@modelcontextprotocol/inspector-cli/build");
    let output = Command::new(newer_node())
        .arg("cli.js")
        .args(["--cli", &format!("http://{}/mcp", app.address)])
        .args(["--transport", "http"])
        .args(["--header", &format!("Authorization: Bearer {credential}")])
        .args(told)
        // It looks for its own package.json from there.
        .current_dir(folder)
        .output()
        .await
        .unwrap();
    let printed = || serde_json::from_slice(&output.stdout).expect("JSON");
    output.status.success().then(printed)
}

/// The same with the key of the app's world, which has to succeed.
async fn inspected(app: &TestApp, told: &[&str]) -> Value {
    inspect(app, &app.world.key.secret, told)
        .await
        .unwrap_or_else(|| panic!("{told:?} failed"))
}

#[tokio::test]
async fn the_inspectors_command_line_lists_calls_and_reads() {
    let app = TestApp::start().await;
    let listed = inspected(&app, &["--method", "tools/list"]).await;
    let tools = listed["tools"].as_array().unwrap();
    assert!(tools.iter().any(|tool| tool["name"] == "whats_wrong"));
    let called = ["--method", "tools/call", "--tool-name", "domains"];
    let result = inspected(&app, &called).await;
    let domains = &result["structuredContent"]["domains"]["items"];
    assert_eq!(domains[0]["domain"], "shop.example");
    let called = [
        "--method",
        "tools/call",
        "--tool-name",
        "describe_operation",
        "--tool-arg",
        "operation_id=getMe",
    ];
    let result = inspected(&app, &called).await;
    assert_eq!(result["structuredContent"]["operation"]["operation_id"], "getMe");

    let listed = inspected(&app, &["--method", "resources/list"]).await;
    let uri = listed["resources"][0]["uri"].as_str().unwrap();
    let read = inspected(&app, &["--method", "resources/read", "--uri", uri]).await;
    assert_eq!(read["contents"][0]["uri"], uri);
    let listed = inspected(&app, &["--method", "prompts/list"]).await;
    let prompt = listed["prompts"][0]["name"].as_str().unwrap();
    let asked = [
        "--method",
        "prompts/get",
        "--prompt-name",
        prompt,
        "--prompt-args",
        "domain=shop.example",
    ];
    let made = inspected(&app, &asked).await;
    let text = &made["messages"][0]["content"]["text"];
    assert!(text.as_str().unwrap().contains("shop.example"), "{text}");

    let refused = inspect(&app, "svc_dev_0", &["--method", "tools/list"]).await;
    assert!(refused.is_none(), "{refused:?}");
}
