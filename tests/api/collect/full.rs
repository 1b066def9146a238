//! A queue that is full while PostgreSQL is silent.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use pharos_ingest::queue::Bounds;
use serde_json::{Value, json};
use time::OffsetDateTime;
use tokio::{task::JoinSet, time::sleep};

use super::{
    CHROME,
    counted::{Kind, collecting_all, events_are, key_of, told, until_taken, vitals_are},
};
use crate::harness::{OwnPostgres, Request, World, free_address};

/// The largest body of a beacon, in bytes.
const BODY: usize = 64 * 1024;
/// How many connections send beacons of each kind for which there is no room.
const BEYOND: usize = 32;
/// How long such a beacon waits until it is sent again.
const AGAIN_AFTER: Duration = Duration::from_millis(250);
const EVENTS: usize = 20;
const RESOURCES: usize = 20;
/// Read as JSON they are some 800 kB, so that the node has twice its bound where the beacons that wait keep them.
const UNREAD_LISTS: usize = 5_000;

/// How often the bytes of a beacon that waits are in memory: as its body and in the buffer of its connection, of which the first may
/// have twice the room that it needs, and as what is stored of it.
const COPIES: usize = 4;
/// Memory for all else: beacons that are refused, batches on their way to the store, and what the allocator does not give back.
const MARGIN: usize = 128 * 1024 * 1024;

/// The beacons of one kind.
struct Flood {
    kind: Kind,
    address: SocketAddr,
    key: String,
    refused: AtomicUsize,
}

impl Flood {
    /// Sends the beacon of that number until it is acknowledged.
    async fn send(&self, number: usize) {
        let request = Request::new(self.address, "POST", self.kind.path())
            .header("user-agent", CHROME)
            .body("text/plain", large(self.kind, &self.key, number));
        let refused = || {
            self.refused.fetch_add(1, Ordering::SeqCst);
        };
        until_taken(&mut None, &request, AGAIN_AFTER, refused).await;
    }
}

/// The beacon of that number, as large as one may be, with many rows and with a member that nobody reads.
fn large(kind: Kind, key: &str, number: usize) -> String {
    let mut beacon = kind.beacon(key, number);
    let address = |place: usize| format!("https://shop.example/{place}/{}", "x".repeat(900));
    match kind {
        Kind::Events => {
            let events = beacon["events"].as_array_mut().unwrap();
            let view = |place: usize| json!({"type": "pageview", "url": address(place)});
            let places = events.len()..EVENTS;
            events.extend(places.map(view));
        }
        Kind::Vitals => {
            let resources = (0..RESOURCES).map(|place| json!({"name": address(place), "duration": 1}));
            beacon["view"]["resources"] = Value::Array(resources.collect());
        }
    }
    let mut body = beacon.to_string();
    body.pop();
    body.push_str(r#","unread":["#);
    body.push_str(&"[1],".repeat(UNREAD_LISTS));
    body.push_str("[1]]}");
    body.push_str(&" ".repeat(BODY - body.len()));
    body
}

/// A site may have a share of the queue, beside the batch that is on its way to the store. Whatever comes beyond that is told to come
/// again; it is never kept. Once PostgreSQL goes on, all are stored, each once.
#[tokio::test(flavor = "multi_thread")]
async fn what_finds_no_room_is_to_come_again_and_takes_no_memory() {
    let postgres = OwnPostgres::start().await;
    let url = postgres.url().to_owned();
    let world = World::create(&postgres.stores().await, OffsetDateTime::now_utc()).await;
    let address = free_address();
    let node = collecting_all(address, &url);
    let key = key_of(address, &world).await;
    let floods = [Kind::Events, Kind::Vitals].map(|kind| {
        Arc::new(Flood {
            kind,
            address,
            key: key.clone(),
            refused: AtomicUsize::new(0),
        })
    });
    // The node knows the site, and the salt of the day, before it can't ask for them.
    for flood in &floods {
        flood.send(0).await;
    }
    let bounds = Bounds::default();
    let share = bounds.bytes / bounds.share;
    let waiting = share + bounds.batch_bytes;
    let beacons = waiting / BODY + BEYOND;
    let at_rest = node.memory();

    postgres.freeze(true);
    let mut senders = JoinSet::new();
    for number in 1..=beacons {
        for flood in &floods {
            let flood = Arc::clone(flood);
            senders.spawn(async move { flood.send(number).await });
        }
        // A connection has some seconds to be heard, for which a node without optimisation has much to do otherwise.
        sleep(Duration::from_millis(5)).await;
    }
    let mut most = 0;
    while floods
        .iter()
        .any(|flood| flood.refused.load(Ordering::SeqCst) < share / BODY)
    {
        tokio::select! {
            Some(ended) = senders.join_next() => panic!("nothing can be stored: {ended:?}"),
            () = sleep(Duration::from_millis(10)) => most = most.max(node.memory()),
        }
    }
    postgres.freeze(false);
    let grown = most.saturating_sub(at_rest);
    let bound = floods.len() * waiting * COPIES + MARGIN;
    assert!(
        grown < bound,
        "{grown} bytes more than at rest; {bound} are enough"
    );

    while let Some(ended) = senders.join_next().await {
        ended.unwrap();
    }
    for flood in &floods {
        flood.send(beacons + 1).await;
    }
    node.signal("TERM");
    node.end(Duration::from_secs(60));
    let all = beacons + 2;
    let sum: usize = (0..all).map(told).sum();
    events_are(&url, [all, EVENTS * all, (EVENTS - 1) * all, all, 100 * sum]).await;
    vitals_are(&url, [all, all, sum]).await;
}
