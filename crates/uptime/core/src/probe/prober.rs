//! Takes a probe from hop to hop and collects what each step finds.

use std::net::SocketAddr;

use pharos_egress::address_policy::{AddressPolicy, AllowedAddr};
use pharos_egress::connect::connect;
use pharos_egress::exchange::{Exchange, Protocol};
use pharos_egress::redirect::{self, RedirectFault, Trail};
use pharos_egress::resolver::NameResolver;
use pharos_egress::trust::{TlsSetupError, TrustAnchors};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::Instant;
use url::{Host, Url};

use super::body::{self, Inspection};
use super::exchange;
use super::judge;
use super::limits::ProbeLimits;
use super::report::{ProbeError, ProbeReport};
use super::request::{ProbeMethod, ProbeRequest};
use super::tls::Tls;
use crate::certificate::Hsts;

/// Probes URLs. One serves any number of probes at a time: they share what was prepared, and no state.
pub struct Prober {
    resolver: NameResolver,
    policy: AddressPolicy,
    tls: Tls,
    limits: ProbeLimits,
}

impl Prober {
    /// Prepares what all probes share.
    ///
    /// # Errors
    /// If TLS cannot be set up with these trust anchors.
    pub fn new(
        resolver: NameResolver,
        policy: AddressPolicy,
        trust: &TrustAnchors,
        limits: ProbeLimits,
    ) -> Result<Self, TlsSetupError> {
        Ok(Self {
            resolver,
            policy,
            tls: Tls::new(trust)?,
            limits,
        })
    }

    /// Probes once. It takes no longer than the request's timeout, and whatever fails is in the report.
    pub async fn probe(&self, request: &ProbeRequest) -> ProbeReport {
        let run = Run {
            prober: self,
            request,
            started: Instant::now(),
            report: ProbeReport::default(),
        };
        // Boxed, because the futures of TLS and HTTP are large and callers hold many of them.
        Box::pin(run.finish()).await
    }
}

impl std::fmt::Debug for Prober {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prober")
            .field("policy", &self.policy)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

struct Run<'a> {
    prober: &'a Prober,
    request: &'a ProbeRequest,
    started: Instant,
    report: ProbeReport,
}

impl Run<'_> {
    async fn finish(mut self) -> ProbeReport {
        self.report.error = self.hops().await.err();
        self.report.verdict = judge::verdict(self.request, &self.report);
        self.report
    }

    fn deadline(&self) -> Instant {
        self.started + self.request.timeout
    }

    async fn hops(&mut self) -> Result<(), ProbeError> {
        let Self { prober, request, .. } = *self;
        prober.policy.check_url(&request.url)?;
        let method = request.method.into();
        let mut trail = Trail::new(&method, &request.url, prober.limits.redirects);
        let mut url = request.url.clone();
        let mut own_headers = true;
        loop {
            self.report.begin_hop(&url);
            let answer = self.hop(&url, own_headers).await?;
            let (status, headers) = (answer.response.status(), answer.response.headers());
            if request.follow_redirects {
                // Its head is all of a redirect that counts.
                self.report.response = Some(self.started.elapsed());
                if let Some(next) = redirect::target(status, headers, &url, &prober.policy)? {
                    trail.step(&method, &next)?;
                    self.report.redirect_count += 1;
                    own_headers &= redirect::keeps_headers(&url, &next);
                    url = next;
                    continue;
                }
                self.report.response = None;
            }
            return self.last_answer(answer).await;
        }
    }

    /// Resolves, connects, and asks one server.
    async fn hop(&mut self, url: &Url, own_headers: bool) -> Result<Exchange, ProbeError> {
        let (Some(host), Some(port)) = (url.host(), url.port_or_known_default()) else {
            return Err(ProbeError::unknown("The URL must name a host."));
        };
        let addresses = self.resolve(&host, port).await?;
        let stream = self.connect(&addresses).await?;
        if url.scheme() == "http" {
            return self.ask(stream, url, Protocol::Http1, own_headers).await;
        }
        let started = Instant::now();
        let (verify, deadline) = (self.request.verify_tls, self.deadline());
        let stream = self
            .prober
            .tls
            .handshake(stream, &host, verify, deadline, &mut self.report)
            .await?;
        self.report.tls = Some(started.elapsed());
        let protocol = match stream.get_ref().1.alpn_protocol() {
            Some(b"h2") => Protocol::Http2,
            _ => Protocol::Http1,
        };
        self.ask(stream, url, protocol, own_headers).await
    }

    /// The addresses to connect to. Nothing connects to an address that did not come from here.
    async fn resolve(&mut self, host: &Host<&str>, port: u16) -> Result<Vec<AllowedAddr>, ProbeError> {
        let Prober {
            resolver,
            policy,
            limits,
            ..
        } = self.prober;
        let started = Instant::now();
        let addresses = resolver
            .host_addresses(host, limits.family_grace, self.deadline())
            .await?;
        if let Host::Domain(_) = host {
            self.report.dns = Some(started.elapsed());
        }
        let sockets: Vec<_> = addresses
            .iter()
            .map(|address| SocketAddr::new(address.ip, port))
            .collect();
        let mut allowed = policy.check_all(&sockets).map_err(|fault| {
            let is_own = addresses
                .iter()
                .any(|address| address.is_own && address.ip.to_canonical() == fault.address);
            // Where names of others lead is not for whoever owns the check to read: an alias of a name that only this network knows
            // would tell its address.
            if self.report.redirect_count > 0 {
                ProbeError::from(RedirectFault::Refused(fault.into()))
            } else if is_own {
                ProbeError::site_refused(fault)
            } else {
                ProbeError::alias_refused()
            }
        })?;
        allowed.truncate(limits.addresses);
        Ok(allowed)
    }

    async fn connect(&mut self, addresses: &[AllowedAddr]) -> Result<TcpStream, ProbeError> {
        self.report.ip = addresses.first().map(|address| address.get().ip());
        let started = Instant::now();
        let stream = connect(addresses, self.prober.limits.connect_stagger, self.deadline()).await?;
        self.report.connect = Some(started.elapsed());
        if let Ok(peer) = stream.peer_addr() {
            self.report.ip = Some(peer.ip());
        }
        Ok(stream)
    }

    async fn ask<S>(
        &mut self,
        stream: S,
        url: &Url,
        protocol: Protocol,
        own_headers: bool,
    ) -> Result<Exchange, ProbeError>
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let headers = if own_headers {
            self.request.headers.as_slice()
        } else {
            &[]
        };
        let request = exchange::request(url, self.request.method, headers, protocol)?;
        let deadline = self.deadline();
        let limits = &self.prober.limits.exchange;
        exchange::ask(stream, protocol, request, limits, deadline, &mut self.report).await
    }

    /// Reads the answer that no redirect follows, and judges it. An unexpected status outweighs whatever
    /// is wrong with its body.
    async fn last_answer(&mut self, answer: Exchange) -> Result<(), ProbeError> {
        let mut body = Ok(());
        let Exchange {
            response,
            first_byte: _,
            tasks: _tasks,
        } = answer;
        let (head, incoming) = response.into_parts();
        self.report.hsts = Hsts::of(&head.headers);
        if self.request.method == ProbeMethod::Get {
            let bound = self.prober.limits.body_bytes;
            let keyword = self.request.keyword.as_ref();
            let inspection = keyword.map(|rule| Inspection::new(&rule.text, &head.headers, bound));
            body = body::read(incoming, inspection, bound, self.deadline(), &mut self.report).await;
        }
        if self.request.method == ProbeMethod::Head || self.report.download.is_some() {
            self.report.response = Some(self.started.elapsed());
        }
        judge::status(self.request, &self.report)?;
        body?;
        judge::keyword(self.request, &self.report)
    }
}
