//! The ground of the tests: a prober that may reach exactly the servers that a test names.

pub(crate) mod openssl;

use std::net::SocketAddr;

use pharos_egress::address_policy::AddressPolicy;
use pharos_egress::{resolver::NameResolver, trust::TrustAnchors};
use pharos_uptime::{
    error_class::ErrorClass,
    probe::{ProbeLimits, ProbeReport, ProbeRequest, Prober, Verdict},
};
use url::Url;

pub(crate) use pharos_egress::testing::canary::Canary;
pub(crate) use pharos_egress::testing::certificates::{self, Authority};
pub(crate) use pharos_egress::testing::dns::{self, Dns, Reply};
pub(crate) use pharos_egress::testing::server::{self, Server, Step, answer};

/// Collects what a prober is given.
pub(crate) struct Lab {
    policy: AddressPolicy,
    trust: TrustAnchors,
    dns: Vec<SocketAddr>,
    limits: ProbeLimits,
}

impl Lab {
    pub(crate) fn new() -> Self {
        Self {
            policy: AddressPolicy::public(),
            trust: TrustAnchors::web(),
            dns: Vec::new(),
            limits: ProbeLimits::default(),
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

    pub(crate) fn limits(mut self, change: impl FnOnce(&mut ProbeLimits)) -> Self {
        change(&mut self.limits);
        self
    }

    pub(crate) fn prober(self) -> Prober {
        let resolver = NameResolver::with_servers(&self.dns).unwrap();
        Prober::new(resolver, self.policy, &self.trust, self.limits).unwrap()
    }

    pub(crate) async fn probe(self, request: &ProbeRequest) -> ProbeReport {
        self.prober().probe(request).await
    }
}

pub(crate) fn get(url: impl AsRef<str>) -> ProbeRequest {
    ProbeRequest::get(Url::parse(url.as_ref()).unwrap())
}

/// Probes a server with what a new check asks for.
pub(crate) async fn probe(server: &Server) -> ProbeReport {
    Lab::new()
        .permit(server.address)
        .probe(&get(server.url("/")))
        .await
}

#[track_caller]
pub(crate) fn assert_up(report: &ProbeReport) {
    assert_eq!(report.error, None);
    assert_eq!(report.verdict, Verdict::Up);
    assert!(report.response.is_some());
}

#[track_caller]
pub(crate) fn assert_down(report: &ProbeReport, class: ErrorClass) {
    let error = report.error.as_ref().expect("an error");
    assert_eq!(error.class, class, "{}", error.message);
    assert_eq!(report.verdict, Verdict::Down);
}

/// The address policy refused it: that says nothing of the site.
#[track_caller]
pub(crate) fn assert_refused(report: &ProbeReport) {
    let error = report.error.as_ref().expect("an error");
    assert_eq!(error.class, ErrorClass::Unknown, "{}", error.message);
    assert_eq!(report.verdict, Verdict::Refused, "{}", error.message);
}

/// Refused by the policy, or as something that no check can ask.
#[track_caller]
pub(crate) fn assert_not_reached(report: &ProbeReport) {
    let error = report.error.as_ref().expect("an error");
    assert_eq!(error.class, ErrorClass::Unknown, "{}", error.message);
    let says = matches!(report.verdict, Verdict::Refused | Verdict::Down);
    assert!(says, "{:?}: {}", report.verdict, error.message);
}

/// The message of a failed probe.
#[track_caller]
pub(crate) fn message(report: &ProbeReport) -> &str {
    &report.error.as_ref().expect("an error").message
}
