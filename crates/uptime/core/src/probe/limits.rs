//! How much a probe takes in before it stops.

use std::time::Duration;

/// Bounds of a probe, whatever its server does.
#[derive(Clone, Copy, Debug)]
pub struct ProbeLimits {
    /// Body bytes that are read, and bytes that are looked through once decompressed.
    pub body_bytes: usize,
    /// Bytes that are taken from one connection, whatever they are: interim answers and frames of HTTP/2 that carry
    /// nothing are counted nowhere else.
    pub connection_bytes: usize,
    /// Bytes of a response head.
    pub header_bytes: u32,
    /// Header lines of a response head.
    pub header_count: usize,
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
            connection_bytes: 8 * 1024 * 1024,
            header_bytes: 64 * 1024,
            header_count: 200,
            redirects: 10,
            addresses: 6,
            connect_stagger: Duration::from_millis(250),
            family_grace: Duration::from_millis(250),
        }
    }
}
