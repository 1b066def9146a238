//! The address and the user agent of a visitor are nowhere once a request is answered.

use std::{
    fs::File,
    io::{Read, Write},
    os::unix::net::UnixStream,
    time::Duration,
};

use pharos_metering::testing::RedisServer;
use serde_json::json;

use super::{CHROME, Collecting};
use crate::harness::{Node, TestApp};

const ADDRESS: &str = "203.0.113.177";
const OF_CLIENT: &str = "198.51.100.233";
/// A user agent that no other test has.
const MARK: &str = "Zaphod/42.1977";

/// All rows of all tables, as text.
async fn dump(app: &TestApp) -> String {
    let tables = app
        .sql("SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')")
        .await;
    let mut dump = String::new();
    for table in tables {
        let table = table[0].clone().unwrap();
        for row in app.sql(&format!("SELECT t::text FROM {table} AS t")).await {
            dump.push_str(&format!("{table} {}\n", row[0].clone().unwrap_or_default()));
        }
    }
    dump
}

/// All keys of a Redis.
fn keys(url: &str) -> String {
    let mut stream = UnixStream::connect(url.strip_prefix("unix://").unwrap()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    stream.write_all(b"KEYS *\r\nQUIT\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_address_and_no_user_agent_is_left_behind() {
    let redis = RedisServer::start();
    let mut collecting = Collecting::start(&[]).await;
    let log = tempfile::NamedTempFile::new().unwrap();
    let environment = [
        ("PHAROS_DATABASE_URL", collecting.app.database.url()),
        ("PHAROS_REDIS_URL", &redis.url()),
        ("PHAROS_TRUSTED_HOPS", "1"),
        ("PHAROS_LOG", "warn,pharos=trace"),
        ("PHAROS_LOG_FORMAT", "json"),
    ];
    let file = File::create(log.path()).unwrap();
    collecting.node = Node::start_logging(&["--roles", "ingest"], &environment, file);
    let secret = collecting.site(&["--secret"])["secret"]
        .as_str()
        .unwrap()
        .to_owned();

    let agent = format!("{CHROME} {MARK}");
    let request = |beacon: &serde_json::Value| {
        crate::harness::Request::new(collecting.node.address, "POST", "//collect/events")
            .header("x-forwarded-for", ADDRESS)
            .header("user-agent", &agent)
            .json(beacon)
    };
    let of_server = collecting.beacon(&json!({"client": {"ip": OF_CLIENT, "user_agent": agent}}));
    let sound = collecting.beacon(&json!({}));
    let faulty = collecting.beacon(&json!({"load": MARK}));
    for (request, status) in [
        (request(&sound), 202),
        (request(&faulty), 400),
        (request(&of_server), 400),
        (request(&of_server).header("x-pharos-site-secret", &secret), 202),
    ] {
        assert_eq!(request.send_unchecked().await.status, status);
    }
    collecting.node.signal("TERM");
    let Collecting { app, node, .. } = collecting;
    assert_eq!(node.end(Duration::from_secs(60)), Some(0));

    let (rows, log, keys) = (
        dump(&app).await,
        std::fs::read_to_string(log.path()).unwrap(),
        keys(&redis.url()),
    );
    assert!(
        rows.contains("collect_sites") && log.contains("stopping") && keys.contains("collect"),
        "{keys}"
    );
    for (place, text) in [("the database", rows), ("the log", log), ("Redis", keys)] {
        for known in [ADDRESS, OF_CLIENT, MARK] {
            assert!(!text.contains(known), "{known} is in {place}");
        }
    }
}
