//! The client's address behind trusted proxies.

use std::net::IpAddr;

use actix_web::{HttpRequest, http::header::HeaderMap};
use pharos_domain::identity::Source;

/// How many proxies of our own stand before this server. Each appends the address that it saw to
/// `X-Forwarded-For`, so the client is that many entries from the right; whatever stands further left was
/// written by the client and means nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrustedHops(pub usize);

impl TrustedHops {
    /// Where the request comes from. `None` inside when the configured hops did not all speak: then nobody
    /// knows, and an allowlist denies.
    #[must_use]
    pub fn source(self, request: &HttpRequest) -> Source {
        let peer = request.peer_addr().map(|peer| peer.ip().to_canonical());
        if self.0 == 0 {
            Source(peer)
        } else {
            Source(self.forwarded(request.headers()))
        }
    }

    fn forwarded(self, headers: &HeaderMap) -> Option<IpAddr> {
        let entries: Vec<&str> = headers
            .get_all("x-forwarded-for")
            .map(|value| value.to_str().ok())
            .collect::<Option<Vec<_>>>()?
            .into_iter()
            .flat_map(|value| value.split(','))
            .map(str::trim)
            .collect();
        let at = entries.len().checked_sub(self.0)?;
        parse_address(entries[at])
    }
}

/// An entry of `X-Forwarded-For`: an address, or one with a port as some proxies write it.
fn parse_address(entry: &str) -> Option<IpAddr> {
    let address = entry
        .parse::<IpAddr>()
        .or_else(|_| entry.parse::<std::net::SocketAddr>().map(|socket| socket.ip()))
        .or_else(|_| entry.trim_start_matches('[').trim_end_matches(']').parse())
        .ok()?;
    Some(address.to_canonical())
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn source(hops: usize, forwarded: &[&str]) -> Option<String> {
        let mut request = TestRequest::default().peer_addr("192.0.2.1:80".parse().unwrap());
        for value in forwarded {
            request = request.append_header(("x-forwarded-for", *value));
        }
        TrustedHops(hops)
            .source(&request.to_http_request())
            .0
            .map(|address| address.to_string())
    }

    #[test]
    fn without_a_proxy_the_header_means_nothing() {
        assert_eq!(source(0, &["203.0.113.9"]).as_deref(), Some("192.0.2.1"));
    }

    #[test]
    fn the_client_is_as_many_entries_from_the_right_as_there_are_proxies() {
        assert_eq!(
            source(1, &["198.51.100.7, 203.0.113.9"]).as_deref(),
            Some("203.0.113.9")
        );
        assert_eq!(
            source(2, &["198.51.100.7, 203.0.113.9"]).as_deref(),
            Some("198.51.100.7")
        );
        assert_eq!(
            source(1, &["198.51.100.7", "203.0.113.9"]).as_deref(),
            Some("203.0.113.9")
        );
        assert_eq!(source(1, &["[2001:db8::1]:443"]).as_deref(), Some("2001:db8::1"));
        assert_eq!(source(1, &["::ffff:203.0.113.9"]).as_deref(), Some("203.0.113.9"));
    }

    #[test]
    fn a_chain_that_is_too_short_or_malformed_tells_no_address() {
        assert_eq!(source(2, &["203.0.113.9"]), None);
        assert_eq!(source(1, &[]), None);
        assert_eq!(source(1, &["unknown"]), None);
    }
}
