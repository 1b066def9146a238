//! Acknowledged beacons are stored, each once, while servers and PostgreSQL are killed.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use time::OffsetDateTime;
use tokio::{task::JoinSet, time::sleep};

use super::{
    CHROME,
    counted::{Kind, collecting_all, events_are, key_of, told, until_taken, vitals_are},
};
use crate::harness::{OwnPostgres, Request, World, free_address};

/// How many beacons of each kind are sent, unless `PHAROS_TEST_KILLED_BEACONS` says otherwise.
const BEACONS: usize = 10_000;
/// How many connections send beacons of each kind.
const SENDERS: usize = 32;
/// How many browsers they are of.
const BROWSERS: usize = 500;
const KILLS: usize = 8;
/// How long a beacon that is not taken waits until it is sent again.
const AGAIN_AFTER: Duration = Duration::from_millis(20);

struct Scene {
    address: SocketAddr,
    key: String,
    beacons: usize,
    taken: AtomicUsize,
}

/// Six kills of the server and two of PostgreSQL, evenly among all beacons. Each beacon is sent under its id until it is
/// acknowledged; in the end there is exactly what was sent.
#[tokio::test(flavor = "multi_thread")]
async fn no_kill_loses_an_acknowledged_beacon_or_stores_one_twice() {
    let mut postgres = OwnPostgres::start().await;
    let url = postgres.url().to_owned();
    let world = World::create(&postgres.stores().await, OffsetDateTime::now_utc()).await;
    let address = free_address();
    let mut node = collecting_all(address, &url);
    let key = key_of(address, &world).await;
    let beacons = beacons();
    let scene = Arc::new(Scene {
        address,
        key,
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
            node = collecting_all(address, &url);
        }
    }
    while let Some(ended) = senders.join_next().await {
        ended.unwrap();
    }
    node.signal("TERM");
    node.end(Duration::from_secs(60));

    let sum: usize = (0..beacons).map(told).sum();
    events_are(&url, [beacons, 2 * beacons, beacons, beacons, 100 * sum]).await;
    vitals_are(&url, [beacons, beacons, sum]).await;
}

fn beacons() -> usize {
    std::env::var("PHAROS_TEST_KILLED_BEACONS").map_or(BEACONS, |beacons| beacons.parse().unwrap())
}

/// Sends its share of the beacons, one after the other.
async fn send(scene: Arc<Scene>, kind: Kind, sender: usize) {
    let mut kept = None;
    for number in (sender..scene.beacons).step_by(SENDERS) {
        let request = Request::new(scene.address, "POST", kind.path())
            .header("user-agent", format!("{CHROME} {}", number % BROWSERS))
            .json(&kind.beacon(&scene.key, number));
        until_taken(&mut kept, &request, AGAIN_AFTER, || {}).await;
        scene.taken.fetch_add(1, Ordering::SeqCst);
    }
}
