//! The log of a node, as an operator reads it.

use std::{
    fs::File,
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use serde_json::{Value, json};
use time::OffsetDateTime;

use crate::harness::{Node, OwnPostgres, Request, TestApp, World};

/// A value of a query that has no place in a log.
const MARK: &str = "whisper7b1f";

#[tokio::test(flavor = "multi_thread")]
async fn a_request_is_one_line_without_secrets() {
    let app = TestApp::start().await;
    let log = tempfile::NamedTempFile::new().unwrap();
    let environment = [
        ("PHAROS_DATABASE_URL", app.database.url()),
        ("PHAROS_LOG_FORMAT", "json"),
    ];
    let file = File::create(log.path()).unwrap();
    let node = Node::start_logging(&["--roles", "api"], &environment, file);
    let key = &app.world.key;
    let ask = |path: &str| Request::new(node.address, "GET", path);
    let health = format!("/domains/{}/health?freshness=live", app.world.domain);
    assert_eq!(ask(&health).key(key).send_unchecked().await.status, 200);
    let faulty = format!("/me?about={MARK}");
    assert_eq!(ask(&faulty).key(key).send_unchecked().await.status, 400);
    let unknown = ask("/me").header("authorization", format!("Bearer {MARK}"));
    assert_eq!(unknown.send_unchecked().await.status, 401);
    node.signal("TERM");
    assert_eq!(node.end(Duration::from_secs(60)), Some(0));

    let text = std::fs::read_to_string(log.path()).unwrap();
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect();
    let requests = lines.iter().filter(|line| line["message"] == "answered");
    let told: Vec<Value> = requests
        .map(|line| {
            assert!(
                line["micros"].is_u64() && line["request_id"].is_string(),
                "{line}"
            );
            json!([
                line["level"],
                line["operation"],
                line["method"],
                line["status"],
                line["credential_id"],
                line["cost"]
            ])
        })
        .collect();
    let id = key.id.to_string();
    assert_eq!(
        told,
        [
            json!(["INFO", "getDomainHealth", "GET", 200, id, 5]),
            json!(["INFO", "getMe", "GET", 400, id, 0]),
        ],
        "nobody known sent the third"
    );
    for secret in [MARK, key.secret.as_str()] {
        assert!(!text.contains(secret), "{text}");
    }
}

/// Lab tests would wait for such a node in vain, and nothing else says why.
#[tokio::test(flavor = "multi_thread")]
async fn a_lab_without_anything_to_measure_by_says_so_once() {
    let app = TestApp::start().await;
    let log = tempfile::NamedTempFile::new().unwrap();
    let node = Node::start_logging(
        &["--roles", "api,lab"],
        &[("PHAROS_DATABASE_URL", app.database.url())],
        File::create(log.path()).unwrap(),
    );
    let said = || std::fs::read_to_string(log.path()).unwrap();
    let words = "neither lab_folder nor pagespeed_api_key is set";
    let deadline = Instant::now() + Duration::from_secs(30);
    while !said().contains(words) {
        assert!(Instant::now() < deadline, "{}", said());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    node.signal("TERM");
    assert_eq!(node.end(Duration::from_secs(60)), Some(0));
    assert_eq!(said().matches(words).count(), 1);
}

/// Without a restart, and a mistake in the file changes nothing.
#[tokio::test(flavor = "multi_thread")]
async fn the_filter_of_the_log_is_read_anew_on_sighup() {
    let app = TestApp::start().await;
    let folder = tempfile::tempdir().unwrap();
    let (settings, log) = (folder.path().join("pharos.toml"), folder.path().join("log"));
    let filter_is = |filter: &str| std::fs::write(&settings, filter).unwrap();
    filter_is("log = \"warn\"\n");
    let node = Node::start_logging(
        &["--roles", "api", "--config", settings.to_str().unwrap()],
        &[("PHAROS_DATABASE_URL", app.database.url())],
        File::create(&log).unwrap(),
    );
    let said = || std::fs::read_to_string(&log).unwrap();
    let says = async |words: &str| {
        let deadline = Instant::now() + Duration::from_secs(30);
        while !said().contains(words) {
            assert!(Instant::now() < deadline, "{words}: {}", said());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let ask = async || {
        let me = Request::new(node.address, "GET", "/me").key(&app.world.key);
        me.send().await.ok();
    };
    ask().await;
    assert!(!said().contains("getMe"), "{}", said());

    filter_is("log = \"warn,pharos=info\"\n");
    node.signal("HUP");
    says("was read anew").await;
    ask().await;
    says("getMe").await;

    // It says by name that the other changes wait.
    filter_is("log = \"warn,pharos=info\"\nregion = \"mars\"\n");
    node.signal("HUP");
    says("wait for a restart").await;
    let log = said();
    let line = log
        .lines()
        .find(|line| line.contains("wait for a restart"))
        .unwrap();
    assert!(line.contains("settings=\"region\""), "{line}");

    filter_is("logg = \"off\"\n");
    node.signal("HUP");
    says("everything stays as it was").await;
    ask().await;
    node.signal("TERM");
    assert_eq!(node.end(Duration::from_secs(60)), Some(0));
}

/// Each request fails alike while PostgreSQL is away: so many lines would hide all others, and fill a disk.
#[tokio::test(flavor = "multi_thread")]
async fn what_fails_with_every_request_is_told_now_and_then_with_a_count() {
    let mut postgres = OwnPostgres::start().await;
    let world = World::create(&postgres.stores().await, OffsetDateTime::now_utc()).await;
    let log = tempfile::NamedTempFile::new().unwrap();
    let environment = [
        ("PHAROS_DATABASE_URL", postgres.url()),
        ("PHAROS_LOG_FORMAT", "json"),
    ];
    let node = Node::start_logging(
        &["--roles", "api"],
        &environment,
        File::create(log.path()).unwrap(),
    );
    postgres.stop();
    let ask = || Request::new(node.address, "GET", "/me").key(&world.key).send();
    let told = || -> Vec<u64> {
        let text = std::fs::read_to_string(log.path()).unwrap();
        // The last line may be half written.
        let whole = text
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let refusals = whole.filter(|line| line["message"] == "the credential store can't be read");
        let counts = refusals.map(|line| line["held_back"].as_u64().unwrap_or_else(|| panic!("{line}")));
        counts.collect()
    };
    let deadline = Instant::now() + Duration::from_secs(60);
    let mut sent = 0;
    loop {
        for reply in join_all((0..20).map(|_| ask())).await {
            reply.problem(503, "credit-balance-unavailable");
            sent += 1;
        }
        let told = told();
        let lines = u64::try_from(told.len()).unwrap();
        let held_back: u64 = told.iter().sum();
        assert!(lines + held_back <= sent, "{told:?} of {sent}");
        if held_back > 0 {
            assert!(lines < sent, "{told:?} of {sent}");
            break;
        }
        assert!(Instant::now() < deadline, "{told:?} of {sent}");
    }
}
