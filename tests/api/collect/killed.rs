//! Acknowledged beacons are stored, each once, while servers and PostgreSQL are killed.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use pharos_persistence::testing::look;
use serde_json::{Value, json};
use time::OffsetDateTime;
use tokio::{
    task::JoinSet,
    time::{sleep, timeout},
};
use uuid::Uuid;

use super::CHROME;
use crate::harness::{Connection, Node, OwnPostgres, Request, World, free_address};

/// How many beacons of each kind are sent, unless `PHAROS_TEST_KILLED_BEACONS` says otherwise.
const BEACONS: usize = 10_000;
/// How many connections send beacons of each kind.
const SENDERS: usize = 32;
/// How many browsers they are of.
const BROWSERS: usize = 500;
const KILLS: usize = 8;
/// How long one beacon is sent again and again.
const AT_MOST: Duration = Duration::from_secs(240);

/// The kind of a beacon.
#[derive(Clone, Copy)]
enum Kind {
    /// A page view and an order.
    Events,
    /// How fast a page was.
    Vitals,
}

impl Kind {
    fn path(self) -> &'static str {
        match self {
            Self::Events => "//collect/events",
            Self::Vitals => "//collect/vitals",
        }
    }

    /// The beacon of that number, with an id of its own.
    fn beacon(self, site: &str, number: usize) -> Value {
        let beacon = Uuid::new_v4();
        match self {
            Self::Events => json!({
                "site": site,
                "beacon": beacon,
                "events": [
                    {"type": "pageview", "url": "https://shop.example/"},
                    {
                        "type": "event", "url": "https://shop.example/thanks", "name": "purchase",
                        "properties": {"value": told(number)},
                    },
                ],
            }),
            Self::Vitals => json!({
                "site": site,
                "beacon": beacon,
                "load": format!("{number:016x}"),
                "view": {"url": "https://shop.example/", "lcp": {"value": told(number)}},
            }),
        }
    }
}

/// The number that a beacon tells: what was paid, or the milliseconds of its largest paint.
fn told(number: usize) -> usize {
    1 + number % 1_000
}

struct Scene {
    address: SocketAddr,
    key: String,
    beacons: usize,
    taken: AtomicUsize,
}

/// Counts what is stored of events: beacons, hits, page views and events of sessions, and what was paid in hundredths.
const EVENTS: &str = "SELECT
    (SELECT count(*) FROM analytics_beacons), (SELECT count(*) FROM analytics_hits),
    (SELECT sum(pageviews) FROM analytics_sessions), (SELECT sum(events) FROM analytics_sessions),
    (SELECT sum(value_cents) FROM analytics_commerce)";
/// Counts what is stored of vitals: beacons, views, and the milliseconds of their largest paints.
const VITALS: &str =
    "SELECT (SELECT count(*) FROM rum_beacons), count(*), sum(lcp_ms)::bigint FROM rum_views";

/// Six kills of the server and two of PostgreSQL, evenly among all beacons. Each beacon is sent under its id until it is
/// acknowledged; in the end there is exactly what was sent.
#[tokio::test(flavor = "multi_thread")]
async fn no_kill_loses_an_acknowledged_beacon_or_stores_one_twice() {
    let mut postgres = OwnPostgres::start().await;
    let url = postgres.url().to_owned();
    let world = World::create(&postgres.stores().await, OffsetDateTime::now_utc()).await;
    let address = free_address();
    let mut node = serve(address, &url);
    let config = |module: &str, settings: Value| {
        let path = format!("/domains/{}/{module}/config", world.domain);
        let request = Request::new(address, "PUT", &path);
        request.key(&world.key).json(&settings).send()
    };
    config("rum", json!({})).await.ok();
    let answer = config("analytics", json!({ "enabled": true })).await;
    let beacons = beacons();
    let scene = Arc::new(Scene {
        address,
        key: answer.ok()["site_key"].as_str().unwrap().to_owned(),
        beacons,
        taken: AtomicUsize::new(0),
    });
    let mut senders = JoinSet::new();
    for kind in [Kind::Events, Kind::Vitals] {
        for sender in 0..SENDERS {
            senders.spawn(send(Arc::clone(&scene), kind, sender));
        }
    }

    for kill in 0..KILLS {
        let due = 2 * beacons * (kill + 1) / (KILLS + 1);
        while scene.taken.load(Ordering::SeqCst) < due {
            tokio::select! {
                Some(ended) = senders.join_next() => ended.unwrap(),
                () = sleep(Duration::from_millis(10)) => {}
            }
        }
        if kill % 4 == 2 {
            postgres.kill();
            postgres.restart().await;
        } else {
            node.signal("KILL");
            node.end(Duration::from_secs(30));
            node = serve(address, &url);
        }
    }
    while let Some(ended) = senders.join_next().await {
        ended.unwrap();
    }
    node.signal("TERM");
    node.end(Duration::from_secs(60));

    let sum: usize = (0..beacons).map(told).sum();
    let events = look(&url, EVENTS).await.unwrap();
    assert_eq!(
        events,
        [row(&[beacons, 2 * beacons, beacons, beacons, 100 * sum])]
    );
    let vitals = look(&url, VITALS).await.unwrap();
    assert_eq!(vitals, [row(&[beacons, beacons, sum])]);
}

fn beacons() -> usize {
    std::env::var("PHAROS_TEST_KILLED_BEACONS").map_or(BEACONS, |beacons| beacons.parse().unwrap())
}

fn row(numbers: &[usize]) -> Vec<Option<String>> {
    numbers.iter().map(|number| Some(number.to_string())).collect()
}

fn serve(address: SocketAddr, url: &str) -> Node {
    Node::start_at(
        address,
        &["--roles", "api,ingest"],
        &[
            ("PHAROS_DATABASE_URL", url),
            ("PHAROS_LOG", "error"),
            ("PHAROS_COLLECT_ROWS_PER_HOUR", "1000000000"),
            ("PHAROS_COLLECT_ROWS_OF_SITE_PER_HOUR", "1000000000"),
        ],
    )
}

/// Sends its share of the beacons, one after the other.
async fn send(scene: Arc<Scene>, kind: Kind, sender: usize) {
    let mut kept = None;
    for number in (sender..scene.beacons).step_by(SENDERS) {
        let request = Request::new(scene.address, "POST", kind.path())
            .header("user-agent", format!("{CHROME} {}", number % BROWSERS))
            .json(&kind.beacon(&scene.key, number));
        until_taken(&mut kept, &request).await;
        scene.taken.fetch_add(1, Ordering::SeqCst);
    }
}

/// Sends a beacon until it is acknowledged. A connection that breaks is part of the test.
async fn until_taken(kept: &mut Option<Connection>, request: &Request) {
    let begun = Instant::now();
    loop {
        if kept.is_none() {
            *kept = Connection::open(request).await;
        }
        let reply = match kept {
            Some(connection) => timeout(Duration::from_secs(40), connection.send(request.clone())).await,
            None => Ok(None),
        };
        match reply.ok().flatten() {
            Some(reply) if reply.status == 202 => return,
            Some(reply) => {
                assert_eq!(reply.status, 503, "what a beacon was answered");
                assert!(reply.header("retry-after").is_some(), "{reply:?}");
            }
            None => *kept = None,
        }
        assert!(begun.elapsed() < AT_MOST, "the service is not back");
        sleep(Duration::from_millis(20)).await;
    }
}
