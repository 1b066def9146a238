//! Acknowledged beacons are stored, each once, while servers and PostgreSQL are killed.

use std::{
    net::{SocketAddr, TcpListener},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use pharos_persistence::testing::look;
use serde_json::json;
use time::OffsetDateTime;
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use super::CHROME;
use crate::harness::{Node, OwnPostgres, Request, World};

/// How long beacons are sent at least.
const FOR: Duration = Duration::from_secs(20);
/// How many must have been taken, so that something is proved. A busy machine takes longer for them, but no longer than
/// `AT_MOST`.
const BEACONS: usize = 2_000;
const AT_MOST: Duration = Duration::from_secs(240);
const SENDERS: usize = 12;

struct Scene {
    address: SocketAddr,
    key: String,
    over: AtomicBool,
    taken: AtomicUsize,
}

/// Counts what is stored: beacons, hits, page views and events of sessions, and what was paid in hundredths.
const STORED: &str = "SELECT
    (SELECT count(*) FROM analytics_beacons), (SELECT count(*) FROM analytics_hits),
    (SELECT sum(pageviews) FROM analytics_sessions), (SELECT sum(events) FROM analytics_sessions),
    (SELECT sum(value_cents) FROM analytics_commerce)";

/// Six kills of the server and two of PostgreSQL under load. Each beacon is sent under its id until it is acknowledged; in the
/// end there is exactly what was sent.
#[tokio::test(flavor = "multi_thread")]
async fn no_kill_loses_an_acknowledged_beacon_or_stores_one_twice() {
    let mut postgres = OwnPostgres::start().await;
    let url = postgres.url().to_owned();
    let world = World::create(&postgres.stores().await, OffsetDateTime::now_utc()).await;
    let address = free_address();
    let mut node = serve(address, &url);
    let path = format!("/domains/{}/analytics/config", world.domain);
    let config = Request::new(address, "PUT", &path)
        .key(&world.key)
        .json(&json!({ "enabled": true }));
    let key = config.send().await.ok()["site_key"].as_str().unwrap().to_owned();
    let scene = Arc::new(Scene {
        address,
        key,
        over: AtomicBool::new(false),
        taken: AtomicUsize::new(0),
    });
    let senders: Vec<_> = (0..SENDERS)
        .map(|sender| tokio::spawn(send(Arc::clone(&scene), sender)))
        .collect();

    let begun = Instant::now();
    for round in 0..8_u32 {
        let due = FOR * (round + 1) / 9;
        sleep(due.saturating_sub(begun.elapsed())).await;
        if round % 4 == 2 {
            postgres.kill();
            postgres.restart().await;
        } else {
            node.signal("KILL");
            node.end(Duration::from_secs(30));
            node = serve(address, &url);
        }
    }
    sleep(FOR.saturating_sub(begun.elapsed())).await;
    while scene.taken.load(Ordering::SeqCst) < BEACONS {
        assert!(begun.elapsed() < AT_MOST, "{:?} beacons", scene.taken);
        sleep(Duration::from_millis(100)).await;
    }
    scene.over.store(true, Ordering::SeqCst);
    let (mut beacons, mut units) = (0, 0);
    for sender in senders {
        let (sent, paid) = sender.await.unwrap();
        beacons += sent;
        units += paid;
    }
    node.signal("TERM");
    node.end(Duration::from_secs(60));

    let stored = look(&url, STORED).await.unwrap();
    let wanted = [beacons, 2 * beacons, beacons, beacons, 100 * units];
    let wanted: Vec<Option<String>> = wanted.iter().map(|number| Some(number.to_string())).collect();
    assert_eq!(stored, [wanted]);
}

fn free_address() -> SocketAddr {
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    socket.local_addr().unwrap()
}

fn serve(address: SocketAddr, url: &str) -> Node {
    Node::start_at(
        address,
        &["--roles", "api,ingest"],
        &[
            ("PHAROS_DATABASE_URL", url),
            ("PHAROS_LOG", "error"),
            ("PHAROS_COLLECT_BEACONS_PER_HOUR", "1000000"),
        ],
    )
}

/// Sends beacons of a page view and an order each, one after the other, and says how many there were and what was paid.
async fn send(scene: Arc<Scene>, sender: usize) -> (usize, usize) {
    let (mut beacons, mut units) = (0, 0);
    while !scene.over.load(Ordering::SeqCst) {
        let paid = 1 + (beacons * SENDERS + sender) % 1_000;
        let beacon = json!({
            "site": scene.key,
            "beacon": Uuid::new_v4().to_string(),
            "events": [
                {"type": "pageview", "url": "https://shop.example/"},
                {
                    "type": "event", "url": "https://shop.example/thanks", "name": "purchase",
                    "properties": {"value": paid},
                },
            ],
        });
        let request = Request::new(scene.address, "POST", "//collect/events")
            .header("user-agent", format!("{CHROME} {sender}"))
            .json(&beacon);
        until_taken(&request).await;
        beacons += 1;
        units += paid;
        scene.taken.fetch_add(1, Ordering::SeqCst);
    }
    (beacons, units)
}

/// Sends a beacon until it is acknowledged. A connection that breaks is part of the test.
async fn until_taken(request: &Request) {
    let begun = Instant::now();
    loop {
        let reply = timeout(Duration::from_secs(40), request.clone().try_send()).await;
        match reply.ok().flatten().map(|reply| reply.status) {
            Some(202) => return,
            Some(503) | None => {}
            Some(status) => panic!("a beacon was answered {status}"),
        }
        assert!(begun.elapsed() < AT_MOST, "the service is not back");
        sleep(Duration::from_millis(20)).await;
    }
}
