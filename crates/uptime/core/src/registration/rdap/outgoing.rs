//! One GET: to addresses that the policy allows, within bounds, at a server's pace.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use http::{
    StatusCode,
    header::{ACCEPT, HeaderMap, LOCATION, RETRY_AFTER},
};
use reqwest::{
    Client, Response,
    dns::{Addrs, Name, Resolve, Resolving},
    redirect,
};
use rustls::ClientConfig;
use time::{OffsetDateTime, format_description::well_known::Rfc2822};
use tokio::time::Instant;
use url::Url;

use super::{RdapError, RdapSetupError, pace::Pace};
use crate::{
    address_policy::AddressPolicy,
    probe::{NameResolver, TrustAnchors},
};

/// How much of an answer is read, in bytes.
pub(super) const BODY_LIMIT: usize = 1024 * 1024;
/// How many redirects are followed.
pub(super) const REDIRECTS: usize = 3;
/// How long a request may take, its answer included.
const TIMEOUT: Duration = Duration::from_secs(10);
/// How long looking up a name may take.
const LOOKUP: Duration = Duration::from_secs(5);
/// How long the addresses of one family wait for those of the other.
const FAMILY_GRACE: Duration = Duration::from_millis(250);
/// The longest pause that a server is granted.
const MOST_PAUSE: Duration = Duration::from_secs(86_400);
const USER_AGENT: &str = concat!("Pharos/", env!("CARGO_PKG_VERSION"), " (+rdap)");

/// Asks servers.
#[derive(Debug)]
pub(super) struct Outgoing {
    http: Client,
    policy: AddressPolicy,
    pace: Pace,
    accepts_plain: bool,
}

/// A whole answer.
#[derive(Debug)]
pub(super) struct Answer {
    /// The URL that answered.
    pub(super) url: Url,
    /// Its body.
    pub(super) body: Vec<u8>,
}

impl Outgoing {
    /// Asks over https alone, unless `accepts_plain`.
    pub(super) fn new(
        resolver: NameResolver,
        policy: AddressPolicy,
        trust: &TrustAnchors,
        accepts_plain: bool,
    ) -> Result<Self, RdapSetupError> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(RdapSetupError::Tls)?
            .with_root_certificates(Arc::clone(&trust.roots))
            .with_no_client_auth();
        let guarded = Guarded {
            resolver,
            policy: policy.clone(),
        };
        let http = Client::builder()
            .tls_backend_preconfigured(tls)
            .dns_resolver(Arc::new(guarded))
            // A proxy would connect in our place, past the policy.
            .no_proxy()
            .redirect(redirect::Policy::none())
            .user_agent(USER_AGENT)
            .timeout(TIMEOUT)
            .build()
            .map_err(RdapSetupError::Http)?;
        Ok(Self {
            http,
            policy,
            pace: Pace::default(),
            accepts_plain,
        })
    }

    /// Whether this URL's scheme may be asked.
    pub(super) fn accepts(&self, url: &Url) -> bool {
        url.scheme() == "https" || self.accepts_plain
    }

    /// The answer of a URL, redirects followed.
    pub(super) async fn get(
        &self,
        url: Url,
        accept: &'static str,
        now: OffsetDateTime,
    ) -> Result<Answer, RdapError> {
        let mut url = url;
        for _ in 0..=REDIRECTS {
            if !self.accepts(&url) {
                return Err(RdapError::Insecure);
            }
            // Of a host that is an address this is the judgement; of a name it comes with its look-up.
            self.policy.check_target(&url)?;
            let server = url.authority().to_owned();
            self.pace.turn(&server).await?;
            let asked = self.http.get(url.clone()).header(ACCEPT, accept).send().await;
            let answer = asked.map_err(RdapError::Unreachable)?;
            match answer.status() {
                StatusCode::OK => {
                    let body = read(answer).await?;
                    return Ok(Answer { url, body });
                }
                StatusCode::MOVED_PERMANENTLY
                | StatusCode::FOUND
                | StatusCode::SEE_OTHER
                | StatusCode::TEMPORARY_REDIRECT
                | StatusCode::PERMANENT_REDIRECT => url = target(&url, answer.headers())?,
                StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
                    let retry_after = retry_after(answer.headers(), now);
                    if let Some(pause) = retry_after {
                        self.pace.hold(&server, pause);
                    }
                    return Err(RdapError::Busy { retry_after });
                }
                StatusCode::NOT_FOUND => return Err(RdapError::NotRegistered),
                status => return Err(RdapError::Status(status)),
            }
        }
        Err(RdapError::Redirects)
    }
}

/// The body, refused as it comes once it is too large.
async fn read(mut answer: Response) -> Result<Vec<u8>, RdapError> {
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(RdapError::Unreachable)? {
        if body.len() + chunk.len() > BODY_LIMIT {
            return Err(RdapError::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn target(from: &Url, headers: &HeaderMap) -> Result<Url, RdapError> {
    headers
        .get(LOCATION)
        .and_then(|location| std::str::from_utf8(location.as_bytes()).ok())
        .and_then(|location| from.join(location).ok())
        .ok_or(RdapError::Location)
}

/// Seconds or a date (RFC 9110, section 10.2.3).
fn retry_after(headers: &HeaderMap, now: OffsetDateTime) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds).min(MOST_PAUSE));
    }
    let at = OffsetDateTime::parse(value, &Rfc2822).ok()?;
    Some(
        Duration::try_from(at - now)
            .unwrap_or(Duration::ZERO)
            .min(MOST_PAUSE),
    )
}

/// Looks names up as probes do, and lets no address through that the policy refuses. What connects takes these
/// addresses: there is no second look-up.
struct Guarded {
    resolver: NameResolver,
    policy: AddressPolicy,
}

impl Resolve for Guarded {
    fn resolve(&self, name: Name) -> Resolving {
        let (resolver, policy) = (self.resolver.clone(), self.policy.clone());
        Box::pin(async move {
            let deadline = Instant::now() + LOOKUP;
            let found = resolver.addresses(name.as_str(), FAMILY_GRACE, deadline).await?;
            // Port 0 stands for that of the URL.
            let sockets: Vec<SocketAddr> = found.into_iter().map(|ip| SocketAddr::new(ip, 0)).collect();
            let allowed = policy.check_all(&sockets)?;
            Ok(Box::new(allowed.into_iter().map(|address| address.get())) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    /// The forms are those of RFC 9110, sections 10.2.3 and 5.6.7.
    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = datetime!(1999-12-31 23:59:00 UTC);
        for (value, seconds) in [
            ("120", Some(120)),
            ("0", Some(0)),
            ("Fri, 31 Dec 1999 23:59:59 GMT", Some(59)),
            ("Fri, 31 Dec 1999 23:00:00 GMT", Some(0)),
            ("99999999", Some(86_400)),
            ("soon", None),
            ("-1", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, value.parse().unwrap());
            let pause = retry_after(&headers, now);
            assert_eq!(pause, seconds.map(Duration::from_secs), "{value}");
        }
        assert_eq!(retry_after(&HeaderMap::new(), now), None);
    }
}
