//! The limiter, the response cache and the credit meter of a node, on memory or on Redis.

use std::sync::Arc;

use anyhow::Context;
use pharos_domain::{clock::Clock, ports::Ports};
use pharos_metering::{
    cache::{memory::MemoryResponseCache, redis::RedisResponseCache},
    credits::meter::{Meter, Running},
    limits::{memory::MemoryRateLimiter, redis::RedisRateLimiter},
    redis::Redis,
};
use pharos_persistence::pool::Database;
use pharos_supervisor::Supervisor;

use crate::{app::Metering, config::Config};

/// Under this secret the client addresses are hashed that limits in Redis count.
const ADDRESS_SECRET: &str = "rate-limit addresses";

/// Starts what counts. The tasks end with [`Running::stop`], once nothing is answered any more.
///
/// # Errors
/// A port is missing, the Redis URL can't be read, or the database does not answer. A Redis that is away is no error: limits are open
/// until it is there, but for those of an hour, which the node counts itself.
pub async fn start(
    config: &Config,
    database: &Database,
    ports: &Ports,
    clock: &Arc<dyn Clock>,
    supervisor: &Supervisor,
) -> anyhow::Result<(Metering, Running)> {
    let (meter, running) = Meter::start(ports.get()?, supervisor).context("the meter")?;
    let metering = match &config.redis_url {
        Some(url) => {
            let redis = Redis::connect(url.reveal(), supervisor)
                .await
                .context("redis_url")?;
            let secret = database.shared_secret(ADDRESS_SECRET).await?;
            Metering {
                limiter: Arc::new(RedisRateLimiter::new(redis.clone(), &secret)),
                cache: Arc::new(RedisResponseCache::new(redis)),
                meter,
            }
        }
        None => Metering {
            limiter: Arc::new(MemoryRateLimiter::new()),
            cache: Arc::new(MemoryResponseCache::new(
                config.response_cache_mib << 20,
                Arc::clone(clock),
            )),
            meter,
        },
    };
    Ok((metering, running))
}
