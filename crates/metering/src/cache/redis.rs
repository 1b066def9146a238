//! Answers that several nodes share, in Redis.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use ::redis::{Cmd, cmd};
use async_trait::async_trait;
use bytes::Bytes;
use pharos_domain::{ids::DomainId, module::Module};
use pharos_http::metering::{CacheKey, Lookup, ResponseCache, Ticket};
use ring::digest;
use uuid::Uuid;

use super::LONGEST;
use crate::redis::{Failure, Redis};

/// The beginning of all keys of this layout. Another layout needs another number.
const PREFIX: &str = "pharos:cache:1";
/// How long a generation is remembered at least: longer than any answer that was kept before it.
const GENERATION_LIVES_S: u64 = 2 * LONGEST.as_secs();
/// The ticket stands before the body.
const TICKET_BYTES: usize = 8;

/// Generations that are to be raised as soon as Redis is back, and how often that was asked for meanwhile.
type Owed = Arc<Mutex<HashMap<(DomainId, Module), u64>>>;

/// Keeps answers in Redis. A generation is a random number, not a count: if Redis drops one to make room, the next one
/// is still unlike any that an old answer was kept under.
#[derive(Debug)]
pub struct RedisResponseCache {
    redis: Redis,
    owed: Owed,
}

impl RedisResponseCache {
    /// A cache that is shared with all others on this Redis.
    #[must_use]
    pub fn new(redis: Redis) -> Self {
        Self {
            redis,
            owed: Owed::default(),
        }
    }

    async fn find(&self, key: &CacheKey) -> Result<Lookup, Failure> {
        let generation = generation_key(key.domain, key.module);
        let both = cmd("MGET").arg(&generation).arg(body_key(key)).take();
        let (present, kept): (Option<u64>, Option<Bytes>) = self.redis.ask(&both).await?;
        let Some(present) = present else {
            return self.begin(&generation).await;
        };
        Ok(match kept {
            Some(mut kept) if kept.starts_with(&present.to_le_bytes()) => {
                Lookup::Hit(kept.split_off(TICKET_BYTES), Ticket(present))
            }
            _ => Lookup::Miss(Ticket(present)),
        })
    }

    /// The first generation, of whichever node is the first to need it.
    async fn begin(&self, generation: &str) -> Result<Lookup, Failure> {
        let mut first = set_generation(generation);
        self.redis.ask::<()>(first.arg("NX")).await?;
        let present: Option<u64> = self.redis.ask(cmd("GET").arg(generation)).await?;
        Ok(present.map_or(Lookup::Unavailable, |present| Lookup::Miss(Ticket(present))))
    }

    fn owes(&self, domain: Option<DomainId>, module: Module) -> bool {
        domain.is_some_and(|domain| lock(&self.owed).contains_key(&(domain, module)))
    }
}

#[async_trait]
impl ResponseCache for RedisResponseCache {
    async fn get(&self, key: &CacheKey) -> Lookup {
        if self.owes(key.domain, key.module) {
            return Lookup::Unavailable;
        }
        self.find(key).await.unwrap_or(Lookup::Unavailable)
    }

    async fn put(&self, key: &CacheKey, ticket: Ticket, body: Bytes, ttl: Duration) {
        let kept = [&ticket.0.to_le_bytes(), body.as_ref()].concat();
        let ttl = u64::try_from(ttl.min(LONGEST).as_millis()).unwrap_or(0);
        if ttl == 0 {
            return;
        }
        let put = cmd("SET").arg(body_key(key)).arg(kept).arg("PX").arg(ttl).take();
        // An answer that could not be kept is computed again.
        let _ = self.redis.ask::<()>(&put).await;
    }

    async fn raise(&self, domain: DomainId, module: Module) {
        let raise = set_generation(&generation_key(Some(domain), module));
        if self.redis.ask::<()>(&raise).await.is_ok() {
            return;
        }
        let about = (domain, module);
        let is_first = {
            let mut owed = lock(&self.owed);
            let times = owed.entry(about).or_default();
            *times += 1;
            *times == 1
        };
        if is_first {
            self.redis
                .spawn(pay(self.redis.clone(), Arc::clone(&self.owed), about));
        }
    }

    /// Nothing lies in memory: the generations are in Redis too, and a raise that failed is owed.
    fn distrust(&self) {}

    fn is_available(&self) -> bool {
        self.redis.is_available()
    }
}

/// Raises a generation that is owed. If it was asked for again meanwhile, it is owed anew, since that change may be
/// younger than the command. After `LONGEST` nothing is left that could be wrong.
async fn pay(redis: Redis, owed: Owed, about: (DomainId, Module)) {
    let raise = set_generation(&generation_key(Some(about.0), about.1));
    loop {
        let times = lock(&owed).get(&about).copied();
        redis.insist(LONGEST, || redis.ask(&raise)).await;
        let mut owed = lock(&owed);
        if owed.get(&about).copied() == times {
            owed.remove(&about);
            return;
        }
    }
}

fn lock<T>(owed: &Mutex<T>) -> MutexGuard<'_, T> {
    owed.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A command that begins a generation.
fn set_generation(key: &str) -> Cmd {
    cmd("SET")
        .arg(key)
        .arg(Uuid::new_v4().as_u64_pair().1)
        .arg("EX")
        .arg(GENERATION_LIVES_S)
        .take()
}

fn generation_key(domain: Option<DomainId>, module: Module) -> String {
    match domain {
        Some(domain) => format!("{PREFIX}:generation:{domain}:{}", module.as_str()),
        // The generation of answers about no single domain: nothing raises it, they live for their time.
        None => format!("{PREFIX}:generation:-:{}", module.as_str()),
    }
}

/// The key of a body. Parameters may be long, so it is a digest.
fn body_key(key: &CacheKey) -> String {
    let mut context = digest::Context::new(&digest::SHA256);
    context.update(key.operation.as_bytes());
    context.update(&[0]);
    context.update(key.module.as_str().as_bytes());
    context.update(key.workspace.0.as_bytes());
    context.update(key.domain.map_or_else(Uuid::nil, |domain| domain.0).as_bytes());
    context.update(key.parameters.as_bytes());
    let digest = context.finish();
    let half = digest
        .as_ref()
        .iter()
        .take(16)
        .fold(0, |all, byte| all << 8 | u128::from(*byte));
    format!("{PREFIX}:body:{half:032x}")
}
