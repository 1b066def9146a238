//! Beacons with known sums, which are sent until they are acknowledged, and what is stored of them.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use pharos_persistence::testing::look;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use crate::harness::{Connection, Node, Request, World};

/// How long one beacon is sent again and again.
const AT_MOST: Duration = Duration::from_secs(240);

/// The kind of a beacon.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// A page view and an order.
    Events,
    /// How fast a page was.
    Vitals,
}

impl Kind {
    pub(super) fn path(self) -> &'static str {
        match self {
            Self::Events => "//collect/events",
            Self::Vitals => "//collect/vitals",
        }
    }

    /// The beacon of that number, with an id of its own.
    pub(super) fn beacon(self, site: &str, number: usize) -> Value {
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
pub(super) fn told(number: usize) -> usize {
    1 + number % 1_000
}

/// A node with the API that takes beacons of one address and site however many come.
pub(super) fn collecting_all(address: SocketAddr, url: &str) -> Node {
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

/// Has beacons of both kinds stored, and gives the key of their site.
pub(super) async fn key_of(address: SocketAddr, world: &World) -> String {
    let config = |module: &str, settings: Value| {
        let path = format!("/domains/{}/{module}/config", world.domain);
        let request = Request::new(address, "PUT", &path);
        request.key(&world.key).json(&settings).send()
    };
    config("rum", json!({})).await.ok();
    let answer = config("analytics", json!({ "enabled": true })).await;
    answer.ok()["site_key"].as_str().unwrap().to_owned()
}

/// Sends a beacon until it is acknowledged; `refused` hears each time that it is to come again. A connection that breaks is no fault.
pub(super) async fn until_taken(
    kept: &mut Option<Connection>,
    request: &Request,
    again_after: Duration,
    refused: impl Fn(),
) {
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
                refused();
            }
            None => *kept = None,
        }
        assert!(begun.elapsed() < AT_MOST, "the service is not back");
        sleep(again_after).await;
    }
}

/// Asserts how many beacons of events are stored, and their hits, page views and events, and what was paid in hundredths.
pub(super) async fn events_are(url: &str, wanted: [usize; 5]) {
    let stored = "SELECT
        (SELECT count(*) FROM analytics_beacons), (SELECT count(*) FROM analytics_hits),
        (SELECT sum(pageviews) FROM analytics_sessions), (SELECT sum(events) FROM analytics_sessions),
        (SELECT sum(value_cents) FROM analytics_commerce)";
    assert_eq!(look(url, stored).await.unwrap(), [row(&wanted)]);
}

/// Asserts how many beacons of vitals are stored, and their views, and the milliseconds of the largest paints.
pub(super) async fn vitals_are(url: &str, wanted: [usize; 3]) {
    let stored = "SELECT (SELECT count(*) FROM rum_beacons), count(*), sum(lcp_ms)::bigint FROM rum_views";
    assert_eq!(look(url, stored).await.unwrap(), [row(&wanted)]);
}

fn row(numbers: &[usize]) -> Vec<Option<String>> {
    numbers.iter().map(|number| Some(number.to_string())).collect()
}
