//! How much a probe takes in before it stops.

use std::time::Duration;

use pharos_egress::exchange::ExchangeLimits;

/// Bounds of a probe, whatever its server does.
#[derive(Clone, Copy, Debug)]
pub struct ProbeLimits {
    /// Body bytes that are read, and bytes that are looked through once decompressed.
    pub body_bytes: usize,
    /// The head of an answer, and each connection as a whole.
    pub exchange: ExchangeLimits,
    /// Redirects that are followed.
    pub redirects: u32,
    /// Addresses of one name that are tried.
    pub addresses: usize,
    /// How long an address may keep the next one waiting (RFC 8305: 250 ms).
    pub connect_stagger: Duration,
    /// How long an answer of one address family waits for that of the other.
    pub family_grace: Duration,
}

impl Default for ProbeLimits {
    fn default() -> Self {
        Self {
            body_bytes: 2 * 1024 * 1024,
            exchange: ExchangeLimits::default(),
            redirects: 10,
            addresses: 6,
            connect_stagger: Duration::from_millis(250),
            family_grace: Duration::from_millis(250),
        }
    }
}
