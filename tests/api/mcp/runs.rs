//! Tools that wait for a run: what is told meanwhile, and to whom.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::{
    io::AsyncWriteExt,
    net::TcpStream,
    time::{Instant, sleep},
};

use super::{ACCEPT, ask, found, tools::used};
use crate::harness::TestApp;

/// To start a run costs that.
const START: u64 = 25;

/// An app whose domain is checked by nobody: a run of it stays queued.
async fn watched() -> TestApp {
    let app = TestApp::start().await;
    let path = format!("/domains/{}/uptime/config", app.world.domain);
    app.put(&path, &app.world.key, &json!({})).send().await.ok();
    app
}

fn check(app: &TestApp, wait_seconds: u64) -> Value {
    let domain = app.world.domain.to_string();
    let arguments = json!({ "domain": domain, "check": "uptime", "wait_seconds": wait_seconds });
    json!({ "name": "run_check", "arguments": arguments })
}

/// Whoever names a token hears how far the run is, in a stream whose last message is the result.
#[tokio::test]
async fn progress_is_told_to_whoever_asks_for_it() {
    let app = watched().await;
    let mut params = check(&app, 6);
    params["_meta"] = json!({ "progressToken": "of this run" });
    let reply = ask(&app, &app.world.key, "tools/call", &params).await;
    assert_eq!(reply.status, 200);
    let kind = reply.header("content-type").unwrap();
    assert!(kind.starts_with("text/event-stream"), "{kind}");
    let text = String::from_utf8_lossy(&reply.body);
    let messages: Vec<Value> = text
        .lines()
        .filter_map(|line| line.strip_prefix("data:"))
        .filter_map(|data| serde_json::from_str(data.trim()).ok())
        .collect();
    let (last, told) = messages.split_last().unwrap();
    let progress = &told.last().unwrap()["params"];
    assert_eq!(progress["progressToken"], "of this run");
    assert_eq!(progress["total"], 100.0);
    assert!(found(&last["result"])["still_running"].is_string(), "{last}");
}

/// Each look at a run costs a credit, so there is none for whoever has gone.
#[tokio::test]
async fn a_run_is_not_looked_at_for_a_caller_that_hung_up() {
    let app = watched().await;
    let plain = check(&app, 60);
    let mut with_progress = plain.clone();
    with_progress["_meta"] = json!({ "progressToken": 1 });
    for params in [plain, with_progress] {
        let message =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string();
        let request = format!(
            "POST /mcp HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\naccept: {ACCEPT}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{message}",
            app.address,
            app.world.key.secret,
            message.len()
        );
        let before = used(&app).await;
        let mut stream = TcpStream::connect(app.address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        while used(&app).await < before + START {
            assert!(Instant::now() < deadline, "the run is not started");
            sleep(Duration::from_millis(50)).await;
        }
        drop(stream);
        sleep(Duration::from_millis(500)).await;
        let gone = used(&app).await;
        // Longer than from any look to the next.
        sleep(Duration::from_secs(9)).await;
        assert_eq!(used(&app).await, gone, "{message}");
    }
}
