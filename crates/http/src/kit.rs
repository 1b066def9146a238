//! What the service works with.

use std::{fmt, sync::Arc};

use pharos_domain::{clock::Clock, replays::ReplayStore};

use crate::{
    answer::Addresses,
    authenticator::{Authenticator, Switchboard},
    flights::Flights,
    metering::{CreditMeter, RateLimiter, ResponseCache},
    registry::Registry,
    source::TrustedHops,
};

/// What the service needs. The server wires it once; every worker shares it.
#[derive(Clone)]
pub struct Kit {
    /// All operations.
    pub registry: Arc<Registry>,
    /// From a credential to an identity.
    pub authenticator: Arc<dyn Authenticator>,
    /// What the operator turned off.
    pub switchboard: Arc<dyn Switchboard>,
    /// Lets requests in.
    pub limiter: Arc<dyn RateLimiter>,
    /// Keeps answers for a while.
    pub cache: Arc<dyn ResponseCache>,
    /// Charges and logs.
    pub meter: Arc<dyn CreditMeter>,
    /// What idempotency keys were answered.
    pub replays: Arc<dyn ReplayStore>,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// The proxies in front.
    pub hops: TrustedHops,
    /// The addresses that answers name.
    pub addresses: Arc<Addresses>,
    /// Queues for what must not be done twice at once.
    pub flights: Flights,
}

impl fmt::Debug for Kit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kit")
            .field("hops", &self.hops)
            .field("addresses", &self.addresses)
            .finish_non_exhaustive()
    }
}
