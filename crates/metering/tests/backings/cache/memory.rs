//! The cache in memory alone: a size, and an end of all trust.

use std::{sync::Arc, time::Duration};

use pharos_domain::clock::SystemClock;
use pharos_http::metering::{CacheKey, Lookup, ResponseCache};
use pharos_metering::cache::memory::MemoryResponseCache;
use tokio::time::sleep;

use super::{Backing, MINUTE, answer, question};

/// Longer than the cache takes to do its housekeeping, which it does in passing.
const HOUSEKEEPING: Duration = Duration::from_millis(400);

/// A question whose parameters and answer are 5 kB each.
fn large() -> CacheKey {
    CacheKey {
        parameters: "p".repeat(5_000),
        ..question()
    }
}

async fn put(cache: &MemoryResponseCache, key: &CacheKey, bytes: usize) {
    let Lookup::Miss(ticket) = cache.get(key).await else {
        panic!("kept already");
    };
    cache.put(key, ticket, answer(vec![b'b'; bytes]), MINUTE).await;
}

async fn hits(cache: &MemoryResponseCache, keys: &[CacheKey]) -> usize {
    let mut hits = 0;
    for key in keys {
        hits += usize::from(matches!(cache.get(key).await, Lookup::Hit(..)));
    }
    hits
}

#[tokio::test]
async fn keys_and_bodies_together_stay_within_the_size() {
    let cache = MemoryResponseCache::new(1_000_000, Arc::new(SystemClock));
    let keys: Vec<_> = (0..1_000).map(|_| large()).collect();
    for key in &keys {
        put(&cache, key, 5_000).await;
    }
    sleep(HOUSEKEEPING).await;
    hits(&cache, &keys).await;
    let kept = hits(&cache, &keys).await;
    assert!((50..=100).contains(&kept), "{kept} answers of 10 kB in 1 MB");
}

#[tokio::test]
async fn an_answer_that_is_larger_than_the_cache_is_not_kept() {
    let cache = MemoryResponseCache::new(1_000_000, Arc::new(SystemClock));
    let (small, huge) = (question(), question());
    put(&cache, &small, 5_000).await;
    put(&cache, &huge, 2_000_000).await;
    sleep(HOUSEKEEPING).await;
    hits(&cache, &[small.clone(), huge.clone()]).await;
    assert_eq!(hits(&cache, &[huge]).await, 0);
    assert_eq!(hits(&cache, &[small]).await, 1);
}

#[tokio::test]
async fn nothing_is_served_after_a_change_may_have_been_missed() {
    let backing = Backing::in_memory();
    let key = question();
    let early = backing.miss(&key).await;
    backing.cache.put(&key, early, answer("kept"), MINUTE).await;
    backing.cache.distrust();
    let late = backing.miss(&key).await;
    assert_ne!(early, late);
    // Nor is what was being computed meanwhile.
    backing.cache.put(&key, early, answer("doubtful"), MINUTE).await;
    backing.miss(&key).await;
    backing.cache.put(&key, late, answer("fresh"), MINUTE).await;
    assert_eq!(backing.hit(&key).await, "fresh");
}

#[tokio::test]
async fn what_a_change_has_overtaken_does_not_take_the_place_of_what_came_after_it() {
    let backing = Backing::in_memory();
    let key = question();
    let early = backing.miss(&key).await;
    backing.cache.raise(key.domain.unwrap(), key.module).await;
    backing.keep(&key, "after", MINUTE).await;
    backing.cache.put(&key, early, answer("before"), MINUTE).await;
    assert_eq!(backing.hit(&key).await, "after");
}
