//! A client that may reach exactly the servers a test names.

use std::{net::SocketAddr, time::Duration};

use http::HeaderValue;
use pharos_egress::{
    address_policy::AddressPolicy,
    client::{Answer, Answers, Client, ClientSettings, EgressError, Limits, Redirects, Request, Schemes},
    resolver::NameResolver,
    testing::{certificates::Authority, dns::Dns, server::Server},
    trust::TrustAnchors,
};
use time::{OffsetDateTime, macros::datetime};

/// When tests take place.
pub(crate) const NOW: OffsetDateTime = datetime!(1994-11-06 08:49:00 UTC);

/// Collects what a client is given.
pub(crate) struct Lab {
    policy: AddressPolicy,
    trust: TrustAnchors,
    dns: Vec<SocketAddr>,
    settings: ClientSettings,
}

impl Lab {
    pub(crate) fn new() -> Self {
        Self {
            policy: AddressPolicy::public(),
            trust: TrustAnchors::web(),
            dns: Vec::new(),
            settings: ClientSettings {
                answers: Answers::Whole,
                user_agent: HeaderValue::from_static("Pharos/test"),
                schemes: Schemes::Any,
                redirects: Redirects::Follow(3),
                between: Duration::ZERO,
                patience: Duration::from_secs(30),
                limits: Limits::default(),
            },
        }
    }

    /// Allows one socket.
    pub(crate) fn permit(mut self, socket: SocketAddr) -> Self {
        self.policy = self.policy.permitting_exactly(socket);
        self
    }

    /// Resolves names there.
    pub(crate) fn dns(mut self, dns: &Dns) -> Self {
        self.dns.push(dns.address);
        self
    }

    pub(crate) fn trust(mut self, authority: &Authority) -> Self {
        self.trust = self.trust.with_extra(authority.pem().as_bytes()).unwrap();
        self
    }

    pub(crate) fn settings(mut self, change: impl FnOnce(&mut ClientSettings)) -> Self {
        change(&mut self.settings);
        self
    }

    pub(crate) fn client(self) -> Client {
        let resolver = NameResolver::with_servers(&self.dns).unwrap();
        Client::new(resolver, self.policy, &self.trust, self.settings).unwrap()
    }

    pub(crate) async fn send(self, request: Request) -> Result<Answer, EgressError> {
        self.client().send(request, NOW).await
    }

    /// GET of a URL.
    pub(crate) async fn get(self, url: impl AsRef<str>) -> Result<Answer, EgressError> {
        self.send(get(url)).await
    }
}

pub(crate) fn get(url: impl AsRef<str>) -> Request {
    Request::get(url.as_ref().parse().unwrap())
}

/// GET of the root of a server.
pub(crate) async fn ask(server: &Server) -> Result<Answer, EgressError> {
    Lab::new().permit(server.address).get(server.url("/")).await
}
