//! The parts that the service works with.

use std::{fmt, sync::Arc};

use pharos_domain::{
    authenticator::Authenticator, clock::Clock, identity::TrustedHops, on_behalf::OnBehalf, ports::Ports,
    refusals::RefusalLog, replays::ReplayStore, switches::Switchboard,
};

use crate::{
    answer::Addresses,
    flights::Flights,
    metering::{CreditMeter, RateLimiter, ResponseCache},
    metrics::ServiceMetrics,
    pages::Pages,
    registry::Registry,
};

/// The parts that the service works with. The server wires them once; every worker shares them.
#[derive(Clone)]
pub struct Kit {
    /// All operations.
    pub registry: Arc<Registry>,
    /// The pages that are made of them.
    pub pages: Arc<Pages>,
    /// From a credential to an identity.
    pub authenticator: Arc<dyn Authenticator>,
    /// The switches that the operator has thrown.
    pub switchboard: Arc<dyn Switchboard>,
    /// Lets requests in.
    pub limiter: Arc<dyn RateLimiter>,
    /// Keeps answers for a while.
    pub cache: Arc<dyn ResponseCache>,
    /// Charges and logs.
    pub meter: Arc<dyn CreditMeter>,
    /// The answers that idempotency keys got.
    pub replays: Arc<dyn ReplayStore>,
    /// Notes what is refused to callers who are known.
    pub refusals: Arc<dyn RefusalLog>,
    /// Gives the time to gates and handlers.
    pub clock: Arc<dyn Clock>,
    /// The proxies in front.
    pub hops: TrustedHops,
    /// Verifies whom the MCP server asks for.
    pub on_behalf: OnBehalf,
    /// The addresses that answers name.
    pub addresses: Arc<Addresses>,
    /// The ports that handlers take.
    pub ports: Ports,
    /// Queues for what must not be done twice at once.
    pub flights: Flights,
    /// Records what becomes of requests.
    pub metrics: Arc<ServiceMetrics>,
}

impl fmt::Debug for Kit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kit")
            .field("hops", &self.hops)
            .field("addresses", &self.addresses)
            .finish_non_exhaustive()
    }
}
