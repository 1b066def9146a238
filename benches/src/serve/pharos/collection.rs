//! The collection of a node behind a proxy.

use std::sync::Arc;

use anyhow::Result;
use pharos_domain::clock::{Clock, SystemClock};
use pharos_ingest_api::Collection;
use pharos_metering::limits::memory::MemoryRateLimiter;
use pharos_server::{
    collection::{self, RunningCollection},
    config::Config,
    logging,
};
use pharos_supervisor::Supervisor;

/// The highest that can be counted to.
const LIMIT: u32 = (1 << 31) - 1;

/// Begins to store what comes, counting in memory.
pub(in crate::serve) async fn start_collection(
    database_url: &str,
) -> Result<(Collection, RunningCollection)> {
    let config = Config {
        log: "warn".to_owned(),
        trusted_hops: 1,
        collect_rows_per_hour: LIMIT,
        collect_rows_of_site_per_hour: LIMIT,
        ..Config::default()
    };
    logging::start(&config)?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let limiter = Arc::new(MemoryRateLimiter::new());
    collection::start(&config, database_url, limiter, &clock, &Supervisor::default()).await
}
