//! The client's address behind trusted proxies.

use actix_web::HttpRequest;
use pharos_domain::{
    identity::{Source, TrustedHops},
    on_behalf::ON_BEHALF_OF,
};

use crate::kit::Kit;

/// Where a request comes from, behind these proxies.
#[must_use]
pub fn source_of(request: &HttpRequest, hops: TrustedHops) -> Source {
    let forwarded = request.headers().get_all("x-forwarded-for");
    hops.source(
        request.peer_addr().map(|peer| peer.ip()),
        forwarded.map(|value| value.to_str().ok()),
    )
}

impl Kit {
    /// Where a request of the API comes from: where the MCP server makes it, from that server's own caller.
    pub(crate) fn source(&self, request: &HttpRequest) -> Source {
        let named = request.headers().get(ON_BEHALF_OF);
        named
            .and_then(|named| self.on_behalf.caller(named.to_str().ok()?))
            .unwrap_or_else(|| source_of(request, self.hops))
    }
}
