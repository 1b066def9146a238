//! The cache in Redis alone: other nodes, keys that end or are dropped, changes that it has not heard of yet.

use std::time::{Duration, Instant};

use pharos_domain::module::Module;
use pharos_http::metering::{CacheKey, Lookup, ResponseCache, Ticket};
use pharos_metering::{cache::redis::RedisResponseCache, redis::Redis};
use pharos_supervisor::Supervisor;
use tokio::time::sleep;

use super::{MINUTE, answer, question};
use crate::harness::RedisServer;

async fn node(server: &RedisServer) -> RedisResponseCache {
    RedisResponseCache::new(server.connect().await)
}

/// One that soon takes the server for away.
async fn impatient_node(server: &RedisServer) -> RedisResponseCache {
    RedisResponseCache::new(
        Redis::connect(&server.url(), &Supervisor::default())
            .await
            .unwrap(),
    )
}

async fn miss(cache: &RedisResponseCache, key: &CacheKey) -> Ticket {
    match cache.get(key).await {
        Lookup::Miss(ticket) => ticket,
        other => panic!("not a miss: {other:?}"),
    }
}

async fn keep(cache: &RedisResponseCache, key: &CacheKey) -> Ticket {
    let ticket = miss(cache, key).await;
    cache.put(key, ticket, answer("kept"), MINUTE).await;
    ticket
}

#[tokio::test]
async fn what_one_node_keeps_another_finds_and_takes_away() {
    let server = RedisServer::start();
    let (here, there) = (node(&server).await, node(&server).await);
    let key = question();
    let ticket = keep(&here, &key).await;
    let expected = Lookup::Hit(answer("kept"), ticket);
    assert_eq!(there.get(&key).await, expected);
    there.raise(key.domain.unwrap(), Module::Uptime).await;
    miss(&here, &key).await;
}

#[tokio::test]
async fn a_generation_that_redis_drops_brings_no_old_answer_back() {
    let server = RedisServer::start();
    let cache = node(&server).await;
    let key = question();
    let drop_generation = || {
        let generation = server.command(&["--scan", "--pattern", "pharos:cache:*:generation:*"]);
        assert_eq!(server.command(&["DEL", &generation]), "1");
    };
    for _ in 0..3 {
        keep(&cache, &key).await;
        drop_generation();
        miss(&cache, &key).await;
        keep(&cache, &key).await;
        drop_generation();
        cache.raise(key.domain.unwrap(), Module::Uptime).await;
        miss(&cache, &key).await;
    }
}

#[tokio::test]
async fn keys_are_short_and_end() {
    let server = RedisServer::start();
    let cache = node(&server).await;
    let key = CacheKey {
        parameters: "shop.example".repeat(10_000),
        ..question()
    };
    keep(&cache, &key).await;
    let keys = server.keys();
    assert_eq!(keys.len(), 3, "body, generation, heartbeat: {keys:?}");
    for (key, lives) in keys {
        assert!(key.starts_with("pharos:") && key.len() < 100, "{key}");
        assert!(lives > 0, "{key} lives {lives}");
        // A generation outlives what was kept before it.
        assert!(
            !key.contains("generation") || lives > 3_600,
            "{key} lives {lives}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_redis_could_not_be_told_of_is_told_when_it_is_back() {
    let server = RedisServer::start();
    let (cache, other_node) = (impatient_node(&server).await, node(&server).await);
    let (changed, changed_later, unchanged) = (question(), question(), question());
    for key in [&changed, &changed_later, &unchanged] {
        keep(&cache, key).await;
    }
    server.freeze();
    // Redis is told of the first and does not answer; of the others it is not even told.
    cache.raise(changed.domain.unwrap(), Module::Uptime).await;
    assert!(!cache.is_available());
    for _ in 0..3 {
        cache.raise(changed_later.domain.unwrap(), Module::Uptime).await;
    }
    assert_eq!(cache.get(&changed_later).await, Lookup::Unavailable);
    server.thaw();
    for key in [&changed, &changed_later] {
        // From the first answer on: never what was kept before the change.
        let begun = Instant::now();
        loop {
            match cache.get(key).await {
                Lookup::Unavailable => {}
                Lookup::Miss(_) => break,
                Lookup::Hit(..) => panic!("from before the change"),
            }
            assert!(begun.elapsed() < Duration::from_secs(20), "never back");
            sleep(Duration::from_millis(2)).await;
        }
        miss(&other_node, key).await;
        // Nothing is owed any more.
        keep(&cache, key).await;
        sleep(Duration::from_millis(300)).await;
        assert!(matches!(cache.get(key).await, Lookup::Hit(..)));
    }
    assert!(matches!(cache.get(&unchanged).await, Lookup::Hit(..)));
}
