//! The traces of a node, as a collector receives them: read by OpenTelemetry's own classes.

use std::{
    collections::HashMap,
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    thread::JoinHandle,
    time::Duration,
};

use serde_json::{Value, json};
use time::OffsetDateTime;

use crate::{
    doctor::{findings, only},
    harness::{Node, Request, Site, TestApp, clients, python},
    uptime::check::watch,
};

/// A value of a query that has no place in a trace.
const MARK: &str = "whisper3d9c";
const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN: &str = "00f067aa0ba902b7";

/// A collector, and the lines that it prints.
struct Collector {
    process: Child,
    url: String,
    lines: Option<JoinHandle<Vec<String>>>,
}

impl Collector {
    fn start() -> Self {
        let mut process = Command::new(python())
            .arg(clients("receive_traces.py"))
            .stdout(Stdio::piped())
            .spawn()
            .expect("run `cargo xtask test`");
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let port = lines.next().unwrap().unwrap();
        Self {
            process,
            url: format!("http://127.0.0.1:{port}/v1/traces"),
            // Read all the time, so that it never waits to be heard.
            lines: Some(std::thread::spawn(move || lines.map(Result::unwrap).collect())),
        }
    }

    /// Ends the process, and returns what it received, as text and as spans.
    fn received(mut self) -> (String, Vec<Value>) {
        self.process.kill().unwrap();
        let lines = self.lines.take().unwrap().join().unwrap();
        let spans = lines
            .iter()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        (lines.join("\n"), spans)
    }
}

impl Drop for Collector {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn ended(node: Node) {
    node.signal("TERM");
    assert_eq!(node.end(Duration::from_secs(60)), Some(0));
}

fn traceparent() -> String {
    format!("00-{TRACE}-{SPAN}-01")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_is_a_trace_with_its_statements_and_without_secrets() {
    let app = TestApp::start().await;
    app.clock.advance(OffsetDateTime::now_utc() - app.now());
    let site =
        Site::saying(|_| "HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_owned())
            .await;
    watch(&app, &site, &["local"]).await;
    let collector = Collector::start();
    let node = Node::start(
        &["--roles", "api,worker"],
        &[
            ("PHAROS_DATABASE_URL", app.database.url()),
            ("PHAROS_PROBE_NETWORKS", "[\"127.0.0.0/8\"]"),
            ("PHAROS_REGION", "local"),
            ("PHAROS_TRACES_URL", &collector.url),
            ("PHAROS_TRACES_HEADER", "Authorization: Bearer of-the-collector"),
            ("PHAROS_TRACES_PER_MILLE", "1000"),
        ],
    );
    let key = &app.world.key;
    let ask = |path: &str| Request::new(node.address, "GET", path).header("traceparent", traceparent());
    let health = format!("/domains/{}/health?freshness=live", app.world.domain);
    assert_eq!(ask(&health).key(key).send_unchecked().await.status, 200);
    let faulty = format!("/me?about={MARK}");
    assert_eq!(ask(&faulty).key(key).send_unchecked().await.status, 400);
    let unknown = ask("/domains").header("authorization", format!("Bearer {MARK}"));
    assert_eq!(unknown.send_unchecked().await.status, 401);
    let check = format!("/domains/{}/uptime/check", app.world.domain);
    let check = Request::new(node.address, "POST", &check)
        .key(key)
        .header("idempotency-key", "traced")
        .json(&json!({}));
    assert_eq!(check.send().await.status, 202);
    app.reaches("EXISTS (SELECT FROM jobs WHERE state = 'succeeded')")
        .await;
    ended(node);
    let (text, spans) = collector.received();

    for secret in [MARK, key.secret.as_str(), TRACE, SPAN, "shop.example"] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
    let by_id: HashMap<&str, &Value> = spans
        .iter()
        .map(|span| (span["id"].as_str().unwrap(), span))
        .collect();
    assert_eq!(by_id.len(), spans.len(), "no span is sent twice");
    for span in &spans {
        assert_eq!(span["authorization"], "Bearer of-the-collector");
        assert_eq!(span["scope"], "pharos");
        let resource = &span["resource"];
        assert_eq!(resource["service.name"], "pharos");
        assert_eq!(resource["service.version"], env!("CARGO_PKG_VERSION"));
        assert!(resource["service.instance.id"].is_string(), "{resource}");
        let (begin, end) = (span["begin"].as_u64().unwrap(), span["end"].as_u64().unwrap());
        assert!(0 < begin && begin <= end, "{span}");
        let parent = span["parent"].as_str().unwrap();
        if parent.is_empty() {
            assert_ne!(span["kind"], "SPAN_KIND_CLIENT", "{span}");
        } else {
            let parent = by_id.get(parent).unwrap_or_else(|| panic!("no parent: {span}"));
            assert_eq!(span["trace"], parent["trace"], "{span}");
            assert_ne!(parent["kind"], "SPAN_KIND_CLIENT", "{span}");
        }
    }

    let of = |operation: &str| {
        let found = spans
            .iter()
            .find(|span| span["attributes"]["pharos.operation"] == operation);
        found.unwrap_or_else(|| panic!("{operation}: {text}"))
    };
    let request = of("getDomainHealth");
    let attributes = &request["attributes"];
    assert_eq!(request["name"], "GET /domains/{domain_id}/health");
    assert_eq!(request["kind"], "SPAN_KIND_SERVER");
    assert_eq!(request["status"], "STATUS_CODE_UNSET");
    assert_eq!(attributes["http.request.method"], "GET");
    assert_eq!(attributes["http.route"], "/domains/{domain_id}/health");
    assert_eq!(attributes["http.response.status_code"], 200);
    assert_eq!(attributes["pharos.credential_id"], key.id.to_string());
    let statements: Vec<&Value> = spans
        .iter()
        .filter(|span| span["parent"] == request["id"])
        .collect();
    let is_named = |span: &&&Value| span["name"].as_str().unwrap().starts_with("pharos_");
    assert!(statements.iter().any(|span| is_named(&span)), "{text}");
    for statement in statements {
        assert_eq!(statement["kind"], "SPAN_KIND_CLIENT");
        assert_eq!(statement["attributes"]["db.system.name"], "postgresql");
        assert_eq!(statement["attributes"]["db.query.summary"], statement["name"]);
    }
    let refused = &of("listDomains")["attributes"];
    assert_eq!(refused["http.response.status_code"], 401);
    assert_eq!(refused["pharos.credential_id"], Value::Null);
    let is_job = |span: &&Value| span["kind"] == "SPAN_KIND_CONSUMER";
    let job = spans.iter().find(is_job).unwrap_or_else(|| panic!("{text}"));
    assert!(job["name"].as_str().unwrap().starts_with("job "), "{job}");
    assert!(job["attributes"]["pharos.job_id"].is_string(), "{job}");
    let is_done = |span: &Value| is_job(&span) && span["status"] == "STATUS_CODE_UNSET";
    assert!(spans.iter().any(is_done), "{text}");
}

/// By a node that samples nothing of its own accord.
#[tokio::test(flavor = "multi_thread")]
async fn what_proxies_say_of_a_trace_counts_where_it_is_theirs() {
    let app = TestApp::start().await;
    let traced = async |from_proxies: &str| {
        let collector = Collector::start();
        let node = Node::start(
            &["--roles", "api"],
            &[
                ("PHAROS_DATABASE_URL", app.database.url()),
                ("PHAROS_TRUSTED_HOPS", "1"),
                ("PHAROS_TRACES_URL", &collector.url),
                ("PHAROS_TRACES_PER_MILLE", "0"),
                ("PHAROS_TRACES_FROM_PROXIES", from_proxies),
            ],
        );
        let me = || Request::new(node.address, "GET", "/me").key(&app.world.key);
        me().send().await.ok();
        me().header("traceparent", traceparent()).send().await.ok();
        ended(node);
        let (_, spans) = collector.received();
        let requests = spans.iter().filter(|span| span["kind"] == "SPAN_KIND_SERVER");
        requests
            .map(|span| (span["trace"].clone(), span["parent"].clone()))
            .collect::<Vec<_>>()
    };
    assert!(traced("false").await.is_empty());
    assert_eq!(traced("true").await, [(json!(TRACE), json!(SPAN))]);
}

/// Nothing listens on its port.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_answers_and_ends_without_its_collector() {
    let app = TestApp::start().await;
    let node = Node::start(
        &["--roles", "api"],
        &[
            ("PHAROS_DATABASE_URL", app.database.url()),
            ("PHAROS_TRACES_URL", "http://127.0.0.1:9/v1/traces"),
            ("PHAROS_TRACES_PER_MILLE", "1000"),
        ],
    );
    for _ in 0..3 {
        Request::new(node.address, "GET", "/me")
            .key(&app.world.key)
            .send()
            .await
            .ok();
    }
    ended(node);
}

#[test]
fn doctor_asks_the_collector() {
    let told = |traces: &[(&str, &str)]| {
        let database = ("PHAROS_DATABASE_URL", "postgres://127.0.0.1:9/pharos");
        let environment: Vec<_> = [database].into_iter().chain(traces.iter().copied()).collect();
        only(findings(&environment, "traces"))
    };
    let (is_well, none) = told(&[]);
    assert!(is_well && none.contains("traces_url is not set"), "{none}");
    let collector = Collector::start();
    let (is_well, takes) = told(&[("PHAROS_TRACES_URL", &collector.url)]);
    assert!(is_well, "{takes}");
    let elsewhere = collector.url.replace("/v1/traces", "/");
    let (is_well, lost) = told(&[("PHAROS_TRACES_URL", &elsewhere)]);
    assert!(!is_well && lost.contains("answers 404"), "{lost}");
    let (is_well, away) = told(&[("PHAROS_TRACES_URL", "http://127.0.0.1:9/v1/traces")]);
    assert!(!is_well && away.contains("check PHAROS_TRACES_URL"), "{away}");
}
