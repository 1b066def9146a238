//! The address and the user agent of a visitor are nowhere once a request is answered.

use std::{
    fs::File,
    io::{Read, Write},
    os::unix::net::UnixStream,
    time::Duration,
};

use pharos_domain::hex::hex;
use pharos_metering::testing::RedisServer;
use serde_json::{Value, json};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{CHROME, Collecting};
use crate::{
    analytics::reports::asked,
    harness::{Node, TestApp},
};

const ADDRESS: &str = "203.0.113.177";
const OF_CLIENT: &str = "198.51.100.233";
/// A user agent that no other test has.
const MARK: &str = "Zaphod/42.1977";

/// A view that takes so long to be painted can't be stored, and neither can a search.
const UNSTORABLE_MS: u32 = 701;
const UNSTORABLE: &str = "
    ALTER TABLE rum_views ADD CONSTRAINT no_such_view CHECK (lcp_ms IS DISTINCT FROM 701);
    ALTER TABLE analytics_hits ADD CONSTRAINT no_searches CHECK (kind <> 4)";
/// A report can't be stored, and its job is not tried again. PostgreSQL quotes the row that it refuses.
const UNREPORTABLE: &str = "
    ALTER TABLE wide_pull_rows ADD CONSTRAINT no_rows CHECK (false) NOT VALID;
    CREATE FUNCTION try_once() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN NEW.max_attempts := 1; RETURN NEW; END';
    CREATE TRIGGER try_once BEFORE INSERT ON jobs FOR EACH ROW EXECUTE FUNCTION try_once()";

/// All rows of a table, as text.
async fn rows_of(app: &TestApp, table: &str) -> String {
    let mut rows = String::new();
    for row in app.sql(&format!("SELECT t::text FROM {table} AS t")).await {
        rows.push_str(&format!("{table} {}\n", row[0].clone().unwrap_or_default()));
    }
    rows
}

/// All rows of all tables, as text.
pub(super) async fn dump(app: &TestApp) -> String {
    let tables = app
        .sql("SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')")
        .await;
    let mut dump = String::new();
    for table in tables {
        dump.push_str(&rows_of(app, table[0].as_ref().unwrap()).await);
    }
    dump
}

/// Has a report of all pages made, by a job that ends in that state.
async fn report(app: &TestApp, state: &str) {
    let idempotency = Uuid::new_v4().to_string();
    let run = asked(app, &app.world.key, "pages_full", &idempotency, &json!({})).await;
    assert_eq!(run.status, 202, "{:?}", run.body);
    app.reaches(&format!("EXISTS (SELECT FROM jobs WHERE state = '{state}')"))
        .await;
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
    let clock = &collecting.app.clock;
    clock.advance(OffsetDateTime::now_utc() - collecting.app.now());
    let world = &collecting.app.world;
    for (module, config) in [("analytics", json!({ "enabled": true })), ("rum", json!({}))] {
        let path = format!("/domains/{}/{module}/config", world.domain);
        collecting.app.put(&path, &world.key, &config).send().await.ok();
    }
    let log = tempfile::NamedTempFile::new().unwrap();
    let environment = [
        ("PHAROS_DATABASE_URL", collecting.app.database.url()),
        ("PHAROS_REDIS_URL", &redis.url()),
        ("PHAROS_TRUSTED_HOPS", "1"),
        ("PHAROS_LOG", "warn,pharos=trace"),
        ("PHAROS_LOG_FORMAT", "json"),
    ];
    let file = File::create(log.path()).unwrap();
    collecting.node = Node::start_logging(&["--roles", "ingest,worker"], &environment, file);
    let secret = collecting.site(&["--secret"])["secret"]
        .as_str()
        .unwrap()
        .to_owned();

    let agent = format!("{CHROME} {MARK}");
    let request = |kind: &str, beacon: &Value| {
        crate::harness::Request::new(collecting.node.address, "POST", &format!("//collect/{kind}"))
            .header("x-forwarded-for", ADDRESS)
            .header("user-agent", &agent)
            .json(beacon)
    };
    // A page that says them itself, wherever it can.
    let page_of = |address: &str| format!("https://shop.example/from/{address}/{agent}");
    let beacon = |address: &str, mut event: Value| {
        event["url"] = json!(page_of(address));
        collecting.beacon(&json!({ "beacon": Uuid::new_v4(), "events": [event] }))
    };
    let of_server = |event: Value| {
        let mut beacon = beacon(OF_CLIENT, event);
        beacon["client"] = json!({ "ip": OF_CLIENT, "user_agent": agent });
        beacon
    };
    let said = json!({
        "type": "event", "name": "said", "properties": { "address": ADDRESS, "agent": agent, ADDRESS: true },
    });
    let view = json!({ "type": "pageview", "title": format!("{OF_CLIENT} {agent}") });
    let search = json!({ "type": "search", "term": format!("{ADDRESS} {agent}") });
    let felt = |lcp_ms: u32| {
        json!({
            "site": collecting.key, "beacon": Uuid::new_v4(), "load": format!("{lcp_ms:016x}"),
            "view": {
                "url": page_of(ADDRESS),
                "lcp": { "value": lcp_ms, "attribution": { "target": format!("#{ADDRESS}") } },
                "errors": [{
                    "message": format!("no luck for {ADDRESS} by {agent}"),
                    "stack": format!("Error: {agent}\n    at pay (https://shop.example/{ADDRESS}.js:1:2)"),
                    "causes": [agent],
                }],
            },
        })
    };
    collecting.app.sql(UNSTORABLE).await;
    let unstorable = request("vitals", &felt(UNSTORABLE_MS));
    assert_eq!(unstorable.send_unchecked().await.status, 202);
    // The note about the search takes its place.
    let noted = rows_of(&collecting.app, "set_aside").await;
    assert!(noted.contains("no_such_view"), "{noted}");
    for (request, status) in [
        (request("events", &beacon(ADDRESS, said)), 202),
        (request("events", &beacon(ADDRESS, search)), 202),
        (request("vitals", &felt(700)), 202),
        (
            request("events", &collecting.beacon(&json!({ "load": MARK }))),
            400,
        ),
        (request("events", &of_server(view.clone())), 400),
        (
            request("events", &of_server(view)).header("x-pharos-site-secret", &secret),
            202,
        ),
    ] {
        assert_eq!(request.send_unchecked().await.status, status);
    }
    for stored in [
        "(SELECT count(*) FROM analytics_hits) = 2",
        "(SELECT count(*) FROM rum_views) = 1",
        "(SELECT count(*) FROM rum_errors) = 1",
        "(SELECT count(*) FROM set_aside WHERE payload IS NOT NULL AND times = 2) = 1",
    ] {
        collecting.app.reaches(stored).await;
    }
    report(&collecting.app, "succeeded").await;
    collecting.app.sql(UNREPORTABLE).await;
    report(&collecting.app, "dead").await;
    collecting.node.signal("TERM");
    let Collecting { app, node, .. } = collecting;
    assert_eq!(node.end(Duration::from_secs(60)), Some(0));

    let (rows, log, keys) = (
        dump(&app).await,
        std::fs::read_to_string(log.path()).unwrap(),
        keys(&redis.url()),
    );
    for looked_through in ["collect_sites", "jobs", "wide_pull_rows"] {
        assert!(
            rows.contains(&format!("public.{looked_through} (")),
            "{looked_through}"
        );
    }
    assert!(
        rows.contains("[redacted]") && log.contains("stopping") && keys.contains("collect"),
        "{keys}"
    );
    for (place, text) in [
        ("the database", rows),
        ("a note about a view", noted),
        ("the log", log),
        ("Redis", keys),
    ] {
        for known in [ADDRESS, OF_CLIENT, MARK] {
            // As the database shows a column of bytes, too.
            for form in [known.to_owned(), hex(known.as_bytes())] {
                assert!(!text.contains(&form), "{known} is in {place} as {form}");
            }
        }
    }
}
