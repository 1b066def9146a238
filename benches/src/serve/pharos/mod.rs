//! A node of Pharos, wired as the server wires it, with two differences: its limits are so high that nobody meets
//! them, and some figures take the log's writer out.

mod collection;
mod unlogged;

use std::{net::SocketAddr, sync::Arc};

use anyhow::Result;
use pharos_auth::{
    keys::secret::Environment,
    oauth::{limits::OauthLimits, resource::Resources},
    sign_in::desk::SignInLimits,
};
use pharos_domain::{
    clock::{Clock, SystemClock},
    identity::TrustedHops,
    on_behalf::OnBehalf,
};
use pharos_egress::address_policy::AddressPolicy;
use pharos_http::{
    answer::Addresses,
    metering::{CreditMeter, RateLimiter, ResponseCache},
};
use pharos_metering::{
    cache::{memory::MemoryResponseCache, redis::RedisResponseCache},
    credits::meter::{Meter, Running},
    limits::{memory::MemoryRateLimiter, policy::Limits, redis::RedisRateLimiter},
    redis::Redis,
};
use pharos_persistence::{listener::Listener, pool::Database};
use pharos_server::{
    app::{App, Metering, Parts},
    artefacts::{self, Keeping},
    config::Config,
    groups::{self, database_options},
    logging,
};
use pharos_supervisor::Supervisor;

pub(super) use self::collection::start_collection;
use self::unlogged::Unlogged;
use super::{Variant, operations};
use crate::daybreak::Daybreak;

/// The highest that can be counted to.
const LIMITS: Limits = Limits {
    general: u16::MAX,
    heavy_queries: u16::MAX,
    runs: u16::MAX,
    credential_daily: u32::MAX,
    workspace_daily: (1 << 31) - 1,
};

/// A node of Pharos that serves.
pub(super) struct Node {
    pub(super) app: App,
    running: Running,
}

impl Node {
    /// Starts it on databases that are there.
    pub(super) async fn start(
        variant: Variant,
        address: SocketAddr,
        database_url: &str,
        redis_url: &str,
    ) -> Result<Self> {
        let config = Config {
            log: "warn".to_owned(),
            artefacts_folder: Some(std::env::temp_dir().join("pharos-bench/artefacts")),
            ..Config::default()
        };
        logging::start(&config)?;
        let clock: Arc<dyn Clock> = match variant {
            Variant::PharosUncached => Arc::new(Daybreak::next()),
            _ => Arc::new(SystemClock),
        };
        let database = Database::connect(database_url, &database_options()).await?;
        let base_url = format!("http://{address}");
        let keeping = Keeping {
            folder: &std::env::temp_dir().join("pharos-bench"),
            artefacts: &artefacts::open(&config)?,
            secret_key: None,
            link_secret: &[7; 32],
            base_url: &base_url,
            place: &config.lab_place(),
        };
        let ports = keeping.add_to(groups::ports(&database))?;
        let ports = groups::with_outgoing(ports, &config, &AddressPolicy::public())?;
        let supervisor = Supervisor::default();
        let listener = Arc::new(Listener::start(&database, &supervisor).await?);
        let (limiter, cache) = counting(variant, redis_url, &config, &clock, &supervisor).await?;
        let (meter, running) = Meter::start(ports.get()?, &supervisor)?;
        let meter: Arc<dyn CreditMeter> = match variant {
            Variant::PharosUnlogged | Variant::PharosRedisUnlogged => Arc::new(Unlogged(meter)),
            _ => meter,
        };
        let parts = Parts {
            database,
            ports,
            listener,
            supervisor,
            environment: Environment::Development,
            resources: Resources::at(&base_url),
            oauth_limits: OauthLimits::default(),
            sign_in_limits: SignInLimits::default(),
            browser_secret: [7; 32],
            addresses: Addresses {
                docs_url: format!("{base_url}/docs"),
                base_url,
            },
            hops: TrustedHops(0),
            on_behalf: OnBehalf::sharing(&[9; 32]),
            policy: AddressPolicy::public(),
            metering: Metering {
                limiter,
                cache,
                meter,
            },
        };
        let app = App::serving(operations::registry()?, parts, clock)?;
        Ok(Self { app, running })
    }

    /// Writes what is still to be written. Nothing may be asked of it any more.
    pub(super) async fn stop(self) {
        self.running.stop().await;
    }
}

type Counting = (Arc<dyn RateLimiter>, Arc<dyn ResponseCache>);

async fn counting(
    variant: Variant,
    redis_url: &str,
    config: &Config,
    clock: &Arc<dyn Clock>,
    supervisor: &Supervisor,
) -> Result<Counting> {
    if variant == Variant::PharosRedisUnlogged {
        let redis = Redis::connect(redis_url, supervisor).await?;
        let limiter = RedisRateLimiter::new(redis.clone(), &[0; 32]).with(LIMITS);
        return Ok((Arc::new(limiter), Arc::new(RedisResponseCache::new(redis))));
    }
    let mebibytes = if variant == Variant::PharosUncached {
        0
    } else {
        config.response_cache_mib
    };
    let cache = MemoryResponseCache::new(mebibytes << 20, Arc::clone(clock));
    Ok((Arc::new(MemoryRateLimiter::new().with(LIMITS)), Arc::new(cache)))
}
