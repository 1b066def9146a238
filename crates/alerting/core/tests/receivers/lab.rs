//! A sender that may reach exactly the servers a test names.

use std::net::SocketAddr;

use pharos_alerting::delivery::{
    json_sender::{JsonSender, Services},
    message::Message,
    send_error::SendError,
    target::Target,
};
use pharos_domain::secret::Secret;
use pharos_egress::{
    address_policy::AddressPolicy,
    resolver::NameResolver,
    testing::{certificates::Authority, dns::Dns},
    trust::TrustAnchors,
};
use serde_json::{Value, json};
use time::{OffsetDateTime, macros::datetime};

/// When tests take place.
pub(crate) const NOW: OffsetDateTime = datetime!(2026-01-10 12:00:30 UTC);

/// Collects what a sender is given.
pub(crate) struct Lab {
    policy: AddressPolicy,
    trust: TrustAnchors,
    dns: Vec<SocketAddr>,
    services: Services,
}

impl Lab {
    pub(crate) fn new() -> Self {
        Self {
            policy: AddressPolicy::public(),
            trust: TrustAnchors::web(),
            dns: Vec::new(),
            services: services("http://service.invalid"),
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

    /// Finds every service that has one address for everybody there.
    pub(crate) fn services(mut self, base: &str) -> Self {
        self.services = services(base);
        self
    }

    pub(crate) fn sender(self) -> JsonSender {
        let resolver = NameResolver::with_servers(&self.dns).unwrap();
        JsonSender::new(resolver, self.policy, &self.trust, self.services, |_| Value::Null).unwrap()
    }

    pub(crate) async fn send(self, target: &Target, message: &Message) -> Result<(), SendError> {
        self.sender().send(target, message, NOW).await
    }
}

fn services(base: &str) -> Services {
    Services {
        telegram: base.to_owned(),
        pagerduty: base.to_owned(),
        opsgenie_us: base.to_owned(),
        opsgenie_eu: base.to_owned(),
    }
}

pub(crate) fn secret(value: impl Into<String>) -> Secret {
    Secret::from(value.into())
}

/// A webhook, whose receivers may be anything.
pub(crate) fn webhook(url: impl Into<String>) -> Target {
    Target::Webhook {
        url: secret(url),
        secret: serde_json::from_value(json!("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")).unwrap(),
        previous: None,
    }
}

/// A chat service, which knows its own interface.
pub(crate) fn chat(url: impl Into<String>) -> Target {
    Target::Slack { url: secret(url) }
}

/// One of each kind that may be anywhere.
pub(crate) fn both(url: &str) -> [Target; 2] {
    [webhook(url), chat(url)]
}
