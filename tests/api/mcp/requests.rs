//! Requests that are none of the protocol's, and what of the protocol is answered.

use serde_json::{Value, json};

use super::{ACCEPT, ask, message, refusal, tool};
use crate::harness::TestApp;

#[tokio::test]
async fn another_origin_a_query_and_other_methods_are_refused() {
    let app = TestApp::start().await;
    let own = format!("http://{}", app.address);
    for (origin, status) in [
        ("http://evil.example", 403),
        ("null", 403),
        ("http://127.0.0.1:1", 403),
        (own.as_str(), 200),
    ] {
        let request = message(&app, "ping", &json!({})).key(&app.world.key);
        let reply = request.header("origin", origin).send_unchecked().await;
        assert_eq!(reply.status, status, "{origin}");
    }
    let path = format!("//mcp?access_token={}", app.world.key.secret);
    let reply = app.request("POST", &path).json(&json!({})).send_unchecked().await;
    assert_eq!(reply.status, 400);
    for method in ["GET", "DELETE", "PUT"] {
        let reply = app
            .request(method, "//mcp")
            .key(&app.world.key)
            .send_unchecked()
            .await;
        assert_eq!(
            (reply.status, reply.header("allow")),
            (405, Some("POST")),
            "{method}"
        );
        let advice = &reply.json()["error"]["data"]["what_to_do"];
        assert_eq!(advice, "Send messages by POST.", "{method}");
    }
}

#[tokio::test]
async fn a_batch_and_what_is_broken_or_huge_are_refused() {
    let app = TestApp::start().await;
    let send = async |body: Vec<u8>| {
        let request = app.request("POST", "//mcp").key(&app.world.key);
        request
            .header("accept", ACCEPT)
            .body("application/json", body)
            .try_send()
            .await
    };
    let status_of = async |body: Vec<u8>| send(body).await.map(|reply| reply.status);
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    assert_eq!(status_of(json!([ping, ping]).to_string().into()).await, Some(400));
    for (broken, code) in [
        ("", -32700),
        ("{", -32700),
        ("null", -32600),
        ("\"x\"", -32600),
        (r#"{"jsonrpc":"1.0"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":1}"#, -32600),
    ] {
        let reply = send(broken.into()).await.unwrap();
        assert_eq!(reply.status, 400, "{broken}");
        assert_eq!(reply.json()["error"]["code"], code, "{broken}");
    }
    // It is JSON all the same.
    let (opened, closed) = ("[".repeat(5_000), "]".repeat(5_000));
    let deep = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"x":{opened}{closed}}}}}"#);
    let told = send(deep.into()).await.unwrap().json();
    let message = told["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("nested too deep"), "{told}");
    // The connection may end before all of it is sent.
    let status = status_of(vec![b' '; 10 * 1024 * 1024]).await;
    assert!(matches!(status, Some(413) | None), "{status:?}");
}

/// Whatever is huge, or no arguments at all, is refused, and stays out of the answer.
#[tokio::test]
async fn huge_and_wrong_calls_are_refused_in_few_words() {
    let app = TestApp::start().await;
    let key = &app.world.key;
    let huge = "x".repeat(900_000);
    for (method, params, code) in [
        ("tools/call", json!({ "name": huge }), -32602),
        (
            "tools/call",
            json!({ "name": "domains", "arguments": [1] }),
            -32602,
        ),
        (
            "tools/call",
            json!({ "name": "domains", "arguments": "x" }),
            -32602,
        ),
        ("tools/call", json!({ "name": 1 }), -32602),
        ("tools/call", json!({}), -32602),
        ("resources/read", json!({ "uri": [1] }), -32602),
        ("initialize", json!({ "protocolVersion": 1 }), -32602),
        ("tools/list", json!({ "cursor": "none" }), -32602),
        ("resources/list", json!({ "cursor": "none" }), -32602),
        ("prompts/list", json!({ "cursor": "none" }), -32602),
        ("prompts/get", json!({ "name": huge, "arguments": [1] }), -32602),
        (huge.as_str(), json!({}), -32601),
    ] {
        let reply = ask(&app, key, method, &params).await;
        let named = &method[..method.len().min(20)];
        assert_eq!(reply.json()["error"]["code"], code, "{named}: {}", reply.json());
        assert!(reply.body.len() < 1_000, "{named}: {}", reply.body.len());
    }
    let domain = app.world.domain.to_string();
    for (arguments, problem) in [
        (
            json!({ "operation_id": "getMe", "body": { "x": 1 } }),
            "invalid-request",
        ),
        (
            json!({ "operation_id": "getMe", "body": { "x": huge } }),
            "invalid-request",
        ),
        (
            json!({ "operation_id": "getMe", "parameters": { huge.as_str(): 1 } }),
            "invalid-request",
        ),
        (
            json!({ "operation_id": "getUptimeConfig", "parameters": { "domain_id": huge } }),
            "invalid-request",
        ),
        (
            json!({ "operation_id": "getUptimeConfig", "parameters": { "domain_id": [domain, "x"] } }),
            "invalid-request",
        ),
        (json!({ "operation_id": huge }), "invalid-request"),
        (
            json!({ "operation_id": "getMe", "parameters": [1] }),
            "invalid-request",
        ),
        (
            json!({ "operation_id": "getMe", "body": huge }),
            "invalid-request",
        ),
    ] {
        let result = tool(&app, key, "call_operation", &arguments).await;
        assert_eq!(refusal(&result)["problem"], problem);
        assert!(result.to_string().len() < 5_000, "{}", result.to_string().len());
    }
    let call = json!({
        "operation_id": "runUptimeCheck", "parameters": { "domain_id": domain }, "body": { "regions": [huge] },
    });
    let result = tool(&app, key, "call_operation", &call).await;
    assert!(refusal(&result)["problem"].is_string());
    assert!(result.to_string().len() < 5_000);
}

/// A client that takes whatever comes, and an address with a slash at its end, are understood.
#[tokio::test]
async fn clients_that_are_nearly_right_are_answered() {
    let app = TestApp::start().await;
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    for (path, accept) in [
        ("//mcp/", ACCEPT),
        ("//mcp", "*/*"),
        ("//mcp", "text/html, */*;q=0.8"),
    ] {
        let request = app.request("POST", path).key(&app.world.key);
        let reply = request
            .header("accept", accept)
            .json(&ping)
            .send_unchecked()
            .await;
        assert!(reply.ok()["result"].is_object(), "{path} {accept}");
    }
}

/// Whatever refuses a request, a client reads why as an error of the protocol.
#[tokio::test]
async fn every_refusal_is_an_error_of_json_rpc() {
    let app = TestApp::start().await;
    let key = &app.world.key;
    let ping = message(&app, "ping", &json!({})).key(key);
    let versions = ping.header("mcp-protocol-version", "1.0").send_unchecked().await;
    let html = app
        .request("POST", "//mcp")
        .key(key)
        .header("accept", "text/html");
    let html = html
        .json(&json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }))
        .send_unchecked()
        .await;
    let none = message(&app, "tools/list", &json!({}));
    let none = none.send_unchecked().await;
    let malformed = message(&app, "ping", &json!({})).header("authorization", "Bearer a.b");
    let malformed = malformed.send_unchecked().await;
    let batch = app
        .request("POST", "//mcp")
        .key(key)
        .header("accept", ACCEPT)
        .json(&json!([]));
    let batch = batch.send_unchecked().await;
    for (reply, status, id) in [
        (versions, 400, json!(1)),
        (html, 406, json!(1)),
        // They are not read.
        (none, 401, Value::Null),
        (malformed, 401, Value::Null),
        (batch, 400, Value::Null),
    ] {
        assert_eq!(reply.status, status);
        let told = reply.json();
        let error = &told["error"];
        assert_eq!(error["code"], -32600, "{status}: {told}");
        assert!(error["message"].is_string(), "{status}: {told}");
        assert!(error["data"]["what_to_do"].is_string(), "{status}: {told}");
        assert_eq!(told["id"], id, "{status}: {told}");
    }
}

/// A credential that the API refuses is refused alike, whether or not the message has to do with the API.
#[tokio::test]
async fn a_refused_credential_is_told_in_one_way() {
    let app = TestApp::start().await;
    let ask = async |method: &str| {
        let request = message(&app, method, &json!({})).header("authorization", "Bearer svc_dev_0");
        let reply = request.send_unchecked().await;
        assert_eq!(reply.status, 401, "{method}");
        let mut told = reply.json();
        // Each request of the API has its own.
        told["error"]["data"]["request_id"].take();
        told
    };
    let (ping, list) = (ask("ping").await, ask("tools/list").await);
    assert_eq!(ping["error"]["data"]["problem"], "invalid-credential", "{ping}");
    assert_eq!(ping, list);
}

/// The protocol's crate would tell the name of the method, which its client knows.
#[tokio::test]
async fn methods_that_there_are_none_of_are_refused_in_one_way() {
    let app = TestApp::start().await;
    let reference = json!({ "type": "ref/prompt", "name": "x" });
    for (method, params) in [
        ("none", json!({})),
        ("logging/setLevel", json!({ "level": "info" })),
        (
            "completion/complete",
            json!({ "ref": reference, "argument": { "name": "x", "value": "y" } }),
        ),
        ("resources/subscribe", json!({ "uri": "x:y" })),
        ("resources/unsubscribe", json!({ "uri": "x:y" })),
    ] {
        let told = ask(&app, &app.world.key, method, &params).await.json();
        let error = &told["error"];
        assert_eq!(error["code"], -32601, "{method}: {told}");
        assert_eq!(error["message"], "There is no such method.", "{method}: {told}");
        assert!(error["data"]["what_to_do"].is_string(), "{method}: {told}");
    }
}

/// There are no sessions: one that is named means nothing, whoever's it is.
#[tokio::test]
async fn no_session_is_kept() {
    let app = TestApp::start().await;
    let params = json!({
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" },
    });
    let begun = ask(&app, &app.world.key, "initialize", &params).await;
    assert!(begun.header("mcp-session-id").is_none());
    assert_eq!(begun.ok()["result"]["protocolVersion"], "2025-11-25");
    let request = message(&app, "tools/list", &json!({}))
        .key(&app.world.key)
        .header("mcp-session-id", "0190f3c2-9c60-7e53-8f74-5b3b2d8c0a33");
    request.send_unchecked().await.ok();
}

/// The stateless protocol of 2026-07-28: no handshake, and each request says what it speaks.
#[tokio::test]
async fn the_newest_protocol_is_spoken() {
    let app = TestApp::start().await;
    let params = json!({ "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "t", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    } });
    let request = message(&app, "server/discover", &params)
        .key(&app.world.key)
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "server/discover");
    let found = request.send_unchecked().await.ok();
    let versions = found["result"]["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2026-07-28")), "{versions:?}");
}

#[tokio::test]
async fn guides_and_prompts_are_there() {
    let app = TestApp::start().await;
    let key = &app.world.key;
    let result =
        async |method: &str, params: Value| ask(&app, key, method, &params).await.ok()["result"].clone();
    let listed = result("resources/list", json!({})).await;
    let uri = listed["resources"][0]["uri"].clone();
    let read = result("resources/read", json!({ "uri": uri })).await;
    assert!(read["contents"][0]["text"].as_str().unwrap().starts_with("# "));
    let prompts = result("prompts/list", json!({})).await;
    let name = prompts["prompts"][0]["name"].clone();
    let prompt = json!({ "name": name, "arguments": { "domain": "shop.example" } });
    let made = result("prompts/get", prompt).await;
    let text = made["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(text.contains("shop.example"));
    for (method, params) in [
        ("resources/read", json!({ "uri": "file:///etc/passwd" })),
        ("prompts/get", json!({ "name": "none" })),
        ("prompts/get", json!({ "name": name })),
        ("tools/call", json!({ "name": "none" })),
        ("none", json!({})),
    ] {
        let reply = ask(&app, key, method, &params).await.json();
        assert!(reply["error"]["message"].is_string(), "{method}: {reply}");
    }
}
