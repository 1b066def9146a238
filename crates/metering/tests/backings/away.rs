//! Redis away: frozen or killed under load, and back.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use pharos_domain::hourly_limit::{HourlyAdmission, HourlyLimit, HourlyLimiter, HourlyRequest};
use pharos_http::metering::{Admission, LimitBucket, Lookup, RateLimiter, ResponseCache};
use pharos_metering::{cache::redis::RedisResponseCache, limits::redis::RedisRateLimiter, redis::Redis};
use pharos_supervisor::{Supervisor, testing::panic_at_a_warning_of};
use tokio::{
    task::JoinHandle,
    time::{error::Elapsed, sleep, timeout},
};

use crate::{
    cache::question,
    harness::RedisServer,
    limits::{CHEAP, Client, HEAVY, NOON},
};

/// A command gives up on its reply after 250 ms; whether Redis is there is looked for at least every 500 ms.
const SOON: Duration = Duration::from_secs(30);

/// Requests that come without end, from sixteen clients at once. None is held up.
struct Load {
    stop: Arc<AtomicBool>,
    counts: Arc<Counts>,
    tasks: Vec<JoinHandle<()>>,
}

#[derive(Default)]
struct Counts {
    judged: AtomicU64,
    open: AtomicU64,
}

impl Load {
    fn start(limiter: &Arc<RedisRateLimiter>) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let counts = Arc::new(Counts::default());
        let tasks = (0..16)
            .map(|_| {
                let (limiter, stop, counts) = (Arc::clone(limiter), Arc::clone(&stop), Arc::clone(&counts));
                tokio::spawn(async move {
                    while !stop.load(Ordering::Relaxed) {
                        let client = Client::new();
                        let admission = timeout(SOON, limiter.admit(&client.asks(&CHEAP, NOON))).await;
                        let count = match admission.expect("a request is held up") {
                            Admission::Open => &counts.open,
                            _ => &counts.judged,
                        };
                        count.fetch_add(1, Ordering::Relaxed);
                        sleep(Duration::from_millis(1)).await;
                    }
                })
            })
            .collect();
        Self { stop, counts, tasks }
    }

    /// Waits until so many more were judged.
    async fn is_judged(&self, more: u64) {
        grows(&self.counts.judged, more, SOON)
            .await
            .expect("requests are judged");
    }

    /// Waits until so many more were let in unjudged, without waiting for Redis.
    async fn is_let_in(&self, more: u64) {
        grows(&self.counts.open, more, HELD_UP)
            .await
            .expect("requests are let in at once");
    }

    async fn end(self) {
        self.stop.store(true, Ordering::Relaxed);
        for task in self.tasks {
            task.await.unwrap();
        }
    }
}

async fn grows(count: &AtomicU64, more: u64, within: Duration) -> Result<(), Elapsed> {
    let wanted = count.load(Ordering::Relaxed) + more;
    let reached = async {
        while count.load(Ordering::Relaxed) < wanted {
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(within, reached).await
}

async fn limiter(server: &RedisServer) -> (Redis, Arc<RedisRateLimiter>) {
    let redis = Redis::connect(&server.url(), &Supervisor::default())
        .await
        .unwrap();
    let limiter = Arc::new(RedisRateLimiter::new(redis.clone(), &[7; 32]));
    (redis, limiter)
}

/// Waits until Redis is known to be there, or to be away.
async fn known(redis: &Redis, is_available: bool) {
    let changed = async {
        while redis.is_available() != is_available {
            sleep(Duration::from_millis(1)).await;
        }
    };
    timeout(SOON, changed).await.expect("it is soon known");
}

async fn back(redis: &Redis) {
    known(redis, true).await;
}

/// Sixteen clients that each waited as long as a reply may take would be let in 64 times a second: these many in
/// twice [`HELD_UP`].
const MANY: u64 = 1_000;
const HELD_UP: Duration = Duration::from_secs(8);

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_freezes_holds_up_nobody_once_that_is_known() {
    let server = RedisServer::start();
    let (redis, limiter) = limiter(&server).await;
    let load = Load::start(&limiter);
    load.is_judged(100).await;

    server.freeze();
    known(&redis, false).await;
    let judged = load.counts.judged.load(Ordering::Relaxed);
    load.is_let_in(MANY).await;
    assert_eq!(load.counts.judged.load(Ordering::Relaxed), judged);

    server.thaw();
    back(&redis).await;
    load.is_judged(100).await;
    load.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_is_killed_is_open_at_once_and_found_when_it_is_back() {
    let mut server = RedisServer::start();
    let (redis, limiter) = limiter(&server).await;
    let load = Load::start(&limiter);
    load.is_judged(100).await;

    server.kill();
    load.is_let_in(MANY).await;

    server.restart();
    back(&redis).await;
    // The new server knows no script yet.
    load.is_judged(100).await;
    load.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_is_away_from_the_start_is_found_later() {
    let mut server = RedisServer::start();
    server.kill();
    let (redis, limiter) = limiter(&server).await;
    assert!(!redis.is_available());
    let cache = RedisResponseCache::new(redis.clone());
    assert_eq!(cache.get(&question()).await, Lookup::Unavailable);
    let request = Client::new().asks(&CHEAP, NOON);
    assert!(matches!(limiter.admit(&request).await, Admission::Open));
    server.restart();
    back(&redis).await;
    assert!(matches!(
        limiter.admit(&request).await,
        Admission::Admitted { .. }
    ));
    assert!(matches!(cache.get(&question()).await, Lookup::Miss(_)));
}

#[tokio::test]
async fn a_keeper_that_panicked_finds_redis_again_and_is_told_of() {
    let mut server = RedisServer::start();
    let supervisor = Supervisor::default();
    let redis = Redis::connect(&server.url(), &supervisor).await.unwrap();
    back(&redis).await;
    // Nobody asks, so the keeper itself finds out.
    let _log = panic_at_a_warning_of("pharos_metering::redis::line");
    server.kill();
    known(&redis, false).await;
    server.restart();
    back(&redis).await;
    let failing = supervisor.failing();
    let [failing] = failing.as_slice() else {
        panic!("{failing:?}");
    };
    assert_eq!(
        (failing.task.name, failing.panics, failing.is_down),
        ("Redis connection", 1, false)
    );
}

/// A limit that bounds guesses is never open: each node goes on with what it let in itself, in Redis and without.
#[tokio::test(flavor = "multi_thread")]
async fn a_limit_an_hour_holds_while_redis_is_away() {
    let mut server = RedisServer::start();
    let (redis, limiter) = limiter(&server).await;
    let admits = async |subject: &[u8]| {
        let request = HourlyRequest {
            limit: HourlyLimit {
                name: "test",
                per_hour: 4,
            },
            subject,
            weight: 1,
            now: NOON,
        };
        limiter.admit_hourly(&request).await == HourlyAdmission::Admitted
    };
    assert!(admits(b"a").await && admits(b"a").await);
    server.kill();
    assert!(admits(b"a").await && admits(b"a").await);
    assert!(!admits(b"a").await);
    assert!(admits(b"b").await);
    server.restart();
    back(&redis).await;
    // The new server has counted nothing.
    for _ in 0..4 {
        assert!(admits(b"a").await);
    }
    assert!(!admits(b"a").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_takes_no_writes_is_away() {
    let server = RedisServer::start();
    let (redis, limiter) = limiter(&server).await;
    server.command(&["REPLICAOF", "127.0.0.1", "1"]);
    known(&redis, false).await;
    let request = Client::new().asks(&CHEAP, NOON);
    // However often it is looked for: it can be reached, which is not enough.
    for _ in 0..750 {
        assert!(!redis.is_available());
        assert!(matches!(limiter.admit(&request).await, Admission::Open));
        sleep(Duration::from_millis(2)).await;
    }
    server.command(&["REPLICAOF", "NO", "ONE"]);
    back(&redis).await;
    assert!(matches!(
        limiter.admit(&request).await,
        Admission::Admitted { .. }
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn permits_that_were_given_back_while_redis_was_frozen_are_free_when_it_is_back() {
    let server = RedisServer::start();
    let (redis, limiter) = limiter(&server).await;
    let request = Client::new().asks(&HEAVY, NOON);
    let mut permits = Vec::new();
    for _ in 0..3 {
        match limiter.admit(&request).await {
            Admission::Admitted { permit, .. } => permits.push(permit),
            other => panic!("{other:?}"),
        }
    }
    server.freeze();
    // Two that are requested, and get no answer; Redis may yet count them.
    let (one, other) = tokio::join!(limiter.admit(&request), limiter.admit(&request));
    assert!(matches!((one, other), (Admission::Open, Admission::Open)));
    drop(permits);
    server.thaw();
    back(&redis).await;
    sleep(Duration::from_millis(500)).await;
    let mut permits = Vec::new();
    for _ in 0..5 {
        match limiter.admit(&request).await {
            Admission::Admitted { permit, .. } => permits.push(permit),
            other => panic!("a permit is lost: {other:?}"),
        }
    }
    assert!(matches!(
        limiter.admit(&request).await,
        Admission::Refused {
            bucket: LimitBucket::HeavyQueriesAtOnce,
            ..
        }
    ));
}

#[tokio::test]
async fn a_password_shows_nowhere() {
    for url in [
        "redis://:s3cret@127.0.0.1:1/0",
        "redis://user:s3cret@127.0.0.1:1/none",
        "http://:s3cret@127.0.0.1",
        "s3cret",
        "rediss://:s3cret@127.0.0.1:1#nonsense",
        "unix:///nowhere?pass=s3cret&db=none",
    ] {
        let shown = match Redis::connect(url, &Supervisor::default()).await {
            Ok(redis) => {
                let limiter = RedisRateLimiter::new(redis.clone(), &[7; 32]);
                let cache = RedisResponseCache::new(redis.clone());
                format!("{redis:?} {limiter:?} {cache:?}")
            }
            Err(error) => format!("{error} {error:?}"),
        };
        assert!(!shown.contains("s3cret"), "{shown}");
    }
}

/// Redis ends connections that say nothing for a second, those of the threads too.
#[tokio::test]
async fn a_server_that_ends_idle_connections_is_not_away_after_a_pause() {
    let server = RedisServer::start();
    server.command(&["CONFIG", "SET", "timeout", "1"]);
    let limiter = RedisRateLimiter::new(server.connect().await, &[7; 32]);
    let ask = async || limiter.admit(&Client::new().asks(&CHEAP, NOON)).await;
    for _ in 0..20 {
        assert!(!matches!(ask().await, Admission::Open));
        // The thread's own connection opens meanwhile.
        sleep(Duration::from_millis(10)).await;
    }
    sleep(Duration::from_secs(4)).await;
    assert!(!matches!(ask().await, Admission::Open));
}
