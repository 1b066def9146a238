//! Tools that wait for a run: what is told meanwhile, and to whom.

use std::time::Duration;

use futures_util::future::join;
use pharos_synthetic::lhr;
use serde_json::{Value, json};
use tokio::{
    io::AsyncWriteExt,
    net::TcpStream,
    time::{Instant, sleep},
};

use super::{ACCEPT, ask, found, tool, tools::used};
use crate::{
    harness::{Site, TestApp},
    reporting, robots, sitemap, synthetic, uptime,
};

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
    let values: Vec<f64> = told
        .iter()
        .map(|message| message["params"]["progress"].as_f64().unwrap())
        .collect();
    assert!(values.is_sorted_by(|before, after| before < after), "{values:?}");
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

/// The findings of a run that a tool waited for to its end: they tell the outcome, and the cost, which is no more than was said.
async fn ended(app: &TestApp, name: &str, arguments: &Value) -> Value {
    let listed = ask(app, &app.world.key, "tools/list", &json!({})).await.ok();
    let tools = listed["result"]["tools"].as_array().unwrap();
    let described = tools.iter().find(|tool| tool["name"] == name).unwrap();
    let most = described["_meta"]["pharos/credits"].as_u64().unwrap();
    let before = used(app).await;
    let result = tool(app, &app.world.key, name, arguments).await;
    let found = found(&result).clone();
    assert_eq!(found["credits"]["cost"], used(app).await - before, "{found}");
    assert!(found["credits"]["cost"].as_u64().unwrap() <= most, "{found}");
    for absent in ["still_running", "not_known", "unavailable"] {
        assert_eq!(found.get(absent), None, "{found}");
    }
    assert_eq!(found["run"]["credits_charged"], START, "{found}");
    assert_ne!(found["run"]["status"], "queued", "{found}");
    found
}

/// A check of the domain, as a worker does it.
async fn checked(app: &TestApp, check: &str) -> Value {
    let arguments = json!({ "domain": app.world.domain.to_string(), "check": check, "wait_seconds": 110 });
    ended(app, "run_check", &arguments).await
}

/// It is not taken to have ended because two looks find the same.
#[tokio::test(flavor = "multi_thread")]
async fn a_check_of_a_site_ends_with_its_last_region() {
    let site = Site::open().await;
    let app = TestApp::start().await;
    uptime::check::watch(&app, &site, &["local", "us"]).await;
    let _here = uptime::check::worker(&app, &site, "local").await;
    let late = async {
        // Two looks have found one check by then.
        sleep(Duration::from_secs(7)).await;
        uptime::check::worker(&app, &site, "us").await
    };
    let (found, _there) = join(checked(&app, "uptime"), late).await;
    assert_eq!(found["run"]["total_items"], 2);
    let checks = found["outcome"]["items"].as_array().unwrap();
    let outcomes: Vec<&Value> = checks.iter().map(|check| &check["outcome"]).collect();
    assert_eq!(outcomes, ["up", "up"], "{found}");
    for check in checks {
        assert_eq!(check["run_id"], found["run"]["run_id"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_of_robots_txt_tells_what_came_of_it() {
    let app = TestApp::start().await;
    let lab = robots::lab::Lab::open().await;
    lab.is_site_of(&app).await;
    lab.say(|_| robots::lab::file(b"User-agent: *\nDisallow: /cart\n"));
    let _worker = lab.worker(&app).await;
    let found = checked(&app, "robots").await;
    let check = &found["outcome"]["items"][0];
    assert_eq!(
        (&check["outcome"], &check["run_id"]),
        (&json!("changed"), &found["run"]["run_id"]),
        "{found}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_of_sitemaps_tells_what_came_of_it() {
    let app = TestApp::start().await;
    let site = sitemap::lab::Site::of(&app).await;
    site.pages("/sitemap.xml", &[("/1", "")]);
    let _worker = site.worker(&app).await;
    let found = checked(&app, "sitemap").await;
    let outcome = &found["outcome"];
    assert_eq!(
        (&outcome["last_run"]["status"], &outcome["last_run"]["run_id"]),
        (&json!("succeeded"), &found["run"]["run_id"]),
        "{found}"
    );
    assert_eq!(outcome["items"].as_array().unwrap().len(), 1, "{found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lab_test_tells_its_scores_and_what_would_save_time() {
    let app = TestApp::start().await;
    let page = synthetic::track(&app, "shoes").await;
    let arguments = json!({
        "domain": app.world.domain.to_string(), "url_id": page, "profile_id": "mobile", "wait_seconds": 110,
    });
    let done = async {
        app.reaches("EXISTS (SELECT FROM synthetic_runs)").await;
        let rows = app.sql("SELECT id::text FROM synthetic_runs").await;
        let load = lhr::read(synthetic::SHOP.as_bytes()).unwrap();
        synthetic::end(&app, rows[0][0].as_deref().unwrap(), load).await;
    };
    let (found, ()) = join(ended(&app, "run_lab_test", &arguments), done).await;
    let outcome = &found["outcome"];
    assert_eq!(
        (&outcome["status"], &outcome["profile_id"]),
        (&json!("succeeded"), &json!("mobile")),
        "{found}"
    );
    assert!(outcome["metrics"]["lcp_ms"].is_number(), "{found}");
    assert!(found["result"]["items"].is_array(), "{found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_is_made_and_its_file_linked() {
    let app = TestApp::start().await;
    let template = reporting::template(&app, &json!({ "name": "Of March", "format": "pdf" })).await;
    let _worker = reporting::worker(&app).await;
    let arguments = json!({
        "domain": app.world.domain.to_string(), "template_id": template, "format": "json",
        "start_date": "2026-03-01", "end_date": "2026-03-31", "wait_seconds": 110,
    });
    let found = ended(&app, "generate_report", &arguments).await;
    let outcome = &found["outcome"];
    assert_eq!(
        (&outcome["status"], &outcome["range_start"]),
        (&json!("succeeded"), &json!("2026-03-01")),
        "{found}"
    );
    let link = found["result"]["download_url"].as_str().unwrap();
    assert!(link.contains("/artefacts/"), "{link}");
}
