//! Requests to servers on the internet: judged by the address policy, paced and bounded.

mod answer;
mod body;
mod error;
mod hop;
mod places;
mod request;
mod settings;

use std::{fmt, sync::Arc};

use http::{HeaderMap, StatusCode};
use pharos_traces::span::Span;
use time::OffsetDateTime;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    time::{Duration, Instant, timeout_at},
};
use tokio_rustls::TlsConnector;
use url::Url;

pub use self::{
    answer::{Answer, NotJson, Place},
    error::{EgressError, InvalidAnswer},
    request::Request,
    settings::{Answers, ClientSettings, Limits, Redirects, Schemes},
};
use crate::{
    address_policy::AddressPolicy,
    connect::connect,
    exchange::{Exchange, Protocol, exchange},
    pace::Pace,
    redirect::{self, Trail},
    resolver::NameResolver,
    retry_after::retry_after,
    trust::{TlsSetupError, TrustAnchors, server_name},
};
use body::Most;
use hop::Hop;
use places::Places;

/// How long a silent address delays the next one, and one family the other (RFC 8305).
const STAGGER: Duration = Duration::from_millis(250);
/// How many addresses of a name are tried.
const ADDRESSES: usize = 6;

/// Sends requests to servers. Each request has a connection of its own, to an address that the policy has judged, which is
/// closed once there is an answer.
pub struct Client {
    resolver: NameResolver,
    policy: AddressPolicy,
    tls: TlsConnector,
    pace: Pace,
    settings: ClientSettings,
    /// A place for each answer that is held at once; `None`: there is no bound.
    places: Option<Places>,
}

impl Client {
    /// Prepares what all requests share.
    ///
    /// # Errors
    /// TLS can't be set up with these trust anchors.
    pub fn new(
        resolver: NameResolver,
        policy: AddressPolicy,
        trust: &TrustAnchors,
        settings: ClientSettings,
    ) -> Result<Self, TlsSetupError> {
        Ok(Self {
            resolver,
            policy,
            tls: TlsConnector::from(Arc::new(trust.client_config()?)),
            pace: Pace::new(settings.between, settings.patience),
            settings,
            places: None,
        })
    }

    /// A client that holds so many requests and answers at once. A request takes its place once it is its server's turn, so
    /// that those who wait for their turn block no others, and the answer keeps the place until it is dropped. At most `share`
    /// places are held on behalf of one ([`Request::on_behalf_of`]), so that others have the rest.
    #[must_use]
    pub fn holding(self, at_once: usize, share: usize) -> Self {
        Self {
            places: Some(Places::new(at_once, share)),
            ..self
        }
    }

    /// A client that shares the turns of `pace` with others, in place of its own. It waits for its turn as long as before.
    #[must_use]
    pub fn paced_by(self, pace: &Pace) -> Self {
        Self {
            pace: pace.shared(self.settings.patience),
            ..self
        }
    }

    /// The same, whose exchanges take no longer than this.
    #[must_use]
    pub fn within(mut self, time: Duration) -> Self {
        self.settings.limits.time = time;
        self
    }

    /// Leaves the server of this URL alone for so long, as if the server had asked for that.
    pub fn hold(&self, url: &Url, pause: Duration) {
        self.pace.hold(&server_of(url), pause);
    }

    /// The answer to a request, whatever its status, except two kinds: redirects are followed or refused, and, with
    /// [`Answers::Whole`], a server that asks to be left alone (429, 503) is a [`EgressError::RateLimited`].
    ///
    /// It takes no longer than the client's time, beside waiting for the server's turn. `now` is what a date in
    /// `Retry-After` is checked against.
    ///
    /// # Errors
    /// Why there is no answer.
    pub async fn send(&self, request: Request, now: OffsetDateTime) -> Result<Answer, EgressError> {
        // Boxed, because the futures of TLS and HTTP are large and callers hold many of them.
        let share = request.share;
        let mut span = span_of(&request);
        let following = Box::pin(self.follow(Hop::first(request), share, now));
        let answer = span.within(following).await;
        match &answer {
            Ok(answer) => span.set("http.response.status_code", answer.status.as_u16()),
            Err(_) => span.fail(),
        }
        answer
    }

    async fn follow(
        &self,
        mut hop: Hop,
        share: Option<u128>,
        now: OffsetDateTime,
    ) -> Result<Answer, EgressError> {
        let mut trail = Trail::new(&hop.method, &hop.url, self.settings.redirects.limit());
        let mut left = self.settings.limits.time;
        let mut place = None;
        let mut first_wait = None;
        let mut took = Duration::ZERO;
        loop {
            self.settings.schemes.check(&hop.url)?;
            // This judges a host that is an address. The addresses of a name are judged once it is looked up.
            self.policy.check_target(&hop.url)?;
            let server = server_of(&hop.url);
            let wait = self
                .pace
                .turn(&server)
                .await
                .map_err(|wait| EgressError::NotYet { wait })?;
            let waited = *first_wait.get_or_insert(wait);
            if let (Some(places), None) = (&self.places, &place) {
                place = Some(places.take(share).await);
            }
            let began = Instant::now();
            let deadline = began + left;
            let Exchange {
                response,
                first_byte: _,
                tasks: _tasks,
            } = self.ask(&hop, left, deadline).await?;
            let (head, incoming) = response.into_parts();
            match head.status {
                status if redirect::is_redirect(status) && self.settings.redirects == Redirects::Return => {
                    let next = redirect::target(status, &head.headers, &hop.url, &self.policy)?;
                    return Ok(Answer {
                        url: hop.url,
                        status,
                        headers: head.headers,
                        body: Vec::new(),
                        redirect: next,
                        waited,
                        took: took + began.elapsed(),
                        place,
                    });
                }
                status if redirect::is_redirect(status) => {
                    let next = self.next(status, &head.headers, &hop.url)?;
                    hop = hop.redirected(status, next)?;
                    trail.step(&hop.method, &hop.url)?;
                    let elapsed = began.elapsed();
                    left = left.saturating_sub(elapsed);
                    took += elapsed;
                }
                StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE
                    if self.settings.answers == Answers::Whole =>
                {
                    let retry_after = retry_after(&head.headers, now, self.settings.limits.retry_after);
                    if let Some(pause) = retry_after {
                        self.pace.hold(&server, pause);
                    }
                    return Err(EgressError::RateLimited { retry_after });
                }
                status => {
                    let body = if status.is_success() && self.settings.answers == Answers::Status {
                        Vec::new()
                    } else {
                        let most = match self.settings.answers {
                            Answers::Beginning => Most::Cut,
                            Answers::Whole | Answers::Status => Most::Refused,
                        };
                        match body::read(incoming, &head.headers, &self.settings.limits, most, deadline).await
                        {
                            // The status says enough.
                            Err(_) if !status.is_success() => Vec::new(),
                            read => read?,
                        }
                    };
                    return Ok(Answer {
                        url: hop.url,
                        status,
                        headers: head.headers,
                        body,
                        redirect: None,
                        waited,
                        took: took + began.elapsed(),
                        place,
                    });
                }
            }
        }
    }

    /// Where a redirect leads.
    fn next(&self, status: StatusCode, headers: &HeaderMap, from: &Url) -> Result<Url, EgressError> {
        if self.settings.redirects == Redirects::Refuse {
            return Err(EgressError::Redirected);
        }
        let next = redirect::target(status, headers, from, &self.policy)?
            .ok_or(EgressError::Invalid(InvalidAnswer::Location))?;
        self.settings.schemes.check_step(from, &next)?;
        Ok(next)
    }

    /// Resolves, connects, and sends the request to one server, for which there is this time, until `deadline`.
    async fn ask(&self, hop: &Hop, within: Duration, deadline: Instant) -> Result<Exchange, EgressError> {
        let (Some(host), Some(port)) = (hop.url.host(), hop.url.port_or_known_default()) else {
            return Err(EgressError::Unusable);
        };
        let found = self.resolver.addresses(&host, STAGGER, deadline).await?;
        let sockets: Vec<_> = found.into_iter().map(|ip| (ip, port).into()).collect();
        let mut allowed = self.policy.check_all(&sockets)?;
        allowed.truncate(ADDRESSES);
        let stream = connect(&allowed, STAGGER, deadline).await?;
        if hop.url.scheme() == "http" {
            return self
                .exchange(stream, hop, Protocol::Http1, (within, deadline))
                .await;
        }
        let name = server_name(&host).ok_or(EgressError::Unusable)?;
        let stream = timeout_at(deadline, self.tls.connect(name, stream))
            .await
            .map_err(|_| EgressError::Timeout)?
            .map_err(EgressError::handshake)?;
        let protocol = match stream.get_ref().1.alpn_protocol() {
            Some(b"h2") => Protocol::Http2,
            _ => Protocol::Http1,
        };
        self.exchange(stream, hop, protocol, (within, deadline)).await
    }

    async fn exchange<S>(
        &self,
        stream: S,
        hop: &Hop,
        protocol: Protocol,
        (within, deadline): (Duration, Instant),
    ) -> Result<Exchange, EgressError>
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let request = hop
            .on_the_wire(&self.settings.user_agent, protocol)
            .ok_or(EgressError::Unusable)?;
        let limits = &self.settings.limits.exchange;
        exchange(stream, protocol, request, limits, deadline)
            .await
            .map_err(|broken| EgressError::exchange(broken, within, deadline))
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("policy", &self.policy)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

/// A span by the semantic conventions for HTTP. It has only the host of the URL, since the rest may be a secret.
fn span_of(request: &Request) -> Span {
    let mut span = Span::call(|| request.method.to_string().into());
    if span.is_some() {
        span.set("http.request.method", request.method.to_string());
        span.set(
            "server.address",
            request.url.host_str().unwrap_or_default().to_owned(),
        );
        if let Some(port) = request.url.port_or_known_default() {
            span.set("server.port", port);
        }
    }
    span
}

/// The host and port of a URL, which identify a server: without user and password, and without the dot that a name may end
/// with.
fn server_of(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default().trim_end_matches('.');
    match url.port_or_known_default() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}
