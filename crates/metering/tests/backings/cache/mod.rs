//! One suite for every response cache.

mod memory;
mod redis;
mod suite;

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use pharos_domain::{
    clock::ManualClock,
    ids::{DomainId, WorkspaceId},
    module::Module,
};
use pharos_http::{
    metering::{CacheKey, CachedAnswer, Lookup, ResponseCache, Ticket},
    validator::EntityTag,
};
use pharos_metering::cache::{memory::MemoryResponseCache, redis::RedisResponseCache};
use time::macros::datetime;

use crate::harness::RedisServer;

pub(crate) const MINUTE: Duration = Duration::from_secs(60);

/// A cache, and what it keeps answers in.
pub(crate) struct Backing {
    pub(crate) cache: Arc<dyn ResponseCache>,
    time: Time,
}

/// How time passes for an answer that is kept.
enum Time {
    /// The clock is moved.
    Injected(Arc<ManualClock>),
    /// Redis has its own.
    Real(#[expect(dead_code, reason = "held, since it ends when it is dropped")] RedisServer),
}

impl Backing {
    pub(crate) fn in_memory() -> Self {
        let clock = Arc::new(ManualClock::at(datetime!(2026-03-31 12:00:00 UTC)));
        Self {
            cache: Arc::new(MemoryResponseCache::new(1 << 20, clock.clone())),
            time: Time::Injected(clock),
        }
    }

    pub(crate) async fn in_redis() -> Self {
        let server = RedisServer::start();
        Self {
            cache: Arc::new(RedisResponseCache::new(server.connect().await)),
            time: Time::Real(server),
        }
    }

    pub(crate) async fn pass(&self, span: Duration) {
        match &self.time {
            Time::Injected(clock) => clock.advance(span.try_into().unwrap()),
            Time::Real(_) => tokio::time::sleep(span).await,
        }
    }

    /// Keeps an answer as a request would: after a look-up that found none.
    pub(crate) async fn keep(&self, key: &CacheKey, body: &'static str, ttl: Duration) {
        let ticket = self.miss(key).await;
        self.cache.put(key, ticket, answer(body), ttl).await;
    }

    pub(crate) async fn miss(&self, key: &CacheKey) -> Ticket {
        match self.cache.get(key).await {
            Lookup::Miss(ticket) => ticket,
            other => panic!("not a miss: {other:?}"),
        }
    }

    pub(crate) async fn hit(&self, key: &CacheKey) -> Bytes {
        match self.cache.get(key).await {
            Lookup::Hit(answer, _) => answer.body,
            other => panic!("not a hit: {other:?}"),
        }
    }
}

/// An answer of this body that has no next page.
pub(crate) fn answer(body: impl Into<Bytes>) -> CachedAnswer {
    let body = body.into();
    CachedAnswer {
        tag: EntityTag::of(&body),
        body,
        next: None,
    }
}

/// A question about a domain that nobody has asked about.
pub(crate) fn question() -> CacheKey {
    CacheKey {
        operation: "getUptimeStatus",
        module: Module::Uptime,
        workspace: WorkspaceId::generate(),
        domain: Some(DomainId::generate()),
        parameters: "4:days1:7".to_owned(),
    }
}
