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
use pharos_http::{
    metering::{CacheKey, CachedAnswer, Lookup, ResponseCache, Ticket},
    validator::EntityTag,
};
use ring::digest;
use uuid::Uuid;

use super::LONGEST;
use crate::redis::{Failure, Redis};

/// The beginning of the keys of generations. Nodes of the release before raise them too, so it stays as it is.
const GENERATIONS: &str = "pharos:cache:1:generation";
/// The beginning of the keys of answers. Another layout needs another number.
const ANSWERS: &str = "pharos:cache:2:body";
/// How long a generation is remembered at least: longer than any answer that was kept before it.
const GENERATION_LIVES_S: u64 = 2 * LONGEST.as_secs();
/// Before the body stand ticket, entity tag, the length of the next page's position, and that position.
const TICKET_BYTES: usize = 8;
const LENGTH_BYTES: usize = 4;

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
            Some(kept) if kept.starts_with(&present.to_le_bytes()) => read(kept)
                .map_or(Lookup::Miss(Ticket(present)), |answer| {
                    Lookup::Hit(answer, Ticket(present))
                }),
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

    async fn put(&self, key: &CacheKey, ticket: Ticket, answer: CachedAnswer, ttl: Duration) {
        let Some(kept) = write(ticket, &answer) else {
            return;
        };
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

/// An answer as Redis has it; `None` where its position is too long to be kept.
fn write(ticket: Ticket, answer: &CachedAnswer) -> Option<Vec<u8>> {
    let CachedAnswer { body, tag, next } = answer;
    let next = next.as_deref().unwrap_or_default();
    let length = u32::try_from(next.len()).ok()?;
    let parts: [&[u8]; 5] = [
        &ticket.0.to_le_bytes(),
        tag.text(),
        &length.to_le_bytes(),
        next.as_bytes(),
        body,
    ];
    Some(parts.concat())
}

/// Reads what [`write`] wrote; `None` where it is something else.
fn read(mut kept: Bytes) -> Option<CachedAnswer> {
    let mut take = |bytes: usize| (kept.len() >= bytes).then(|| kept.split_to(bytes));
    take(TICKET_BYTES)?;
    let tag = EntityTag::read(take(EntityTag::LENGTH)?)?;
    let length = <[u8; LENGTH_BYTES]>::try_from(&take(LENGTH_BYTES)?[..]).ok()?;
    let next = take(usize::try_from(u32::from_le_bytes(length)).ok()?)?;
    let next = String::from_utf8(next.into()).ok()?;
    Some(CachedAnswer {
        body: kept,
        tag,
        // No position is empty.
        next: Some(next).filter(|next| !next.is_empty()),
    })
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
        Some(domain) => format!("{GENERATIONS}:{domain}:{}", module.as_str()),
        // The generation of answers about no single domain: nothing raises it, they live for their time.
        None => format!("{GENERATIONS}:-:{}", module.as_str()),
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
    format!("{ANSWERS}:{half:032x}")
}
