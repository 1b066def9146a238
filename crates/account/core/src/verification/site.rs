//! Looking for a token where a site shows it. Every address and redirect is judged, as all that goes out.

use std::time::Duration;

use async_trait::async_trait;
use http::HeaderValue;
use pharos_domain::hostname::Hostname;
use pharos_egress::{
    address_policy::AddressPolicy,
    client::{Answer, Answers, Client, ClientSettings, EgressError, Limits, Redirects, Request, Schemes},
    resolver::NameResolver,
    trust::{TlsSetupError, TrustAnchors},
};
use time::OffsetDateTime;
use tokio::time::{Instant, timeout};
use url::Url;

use super::{FILE_PATH, Method, NotShown, OwnershipCheck, OwnershipToken, record_name, tag};

/// Who asks, as sites see it.
const USER_AGENT: HeaderValue =
    HeaderValue::from_static(concat!("Pharos/", env!("CARGO_PKG_VERSION"), " (+verification)"));
/// For one answer, of DNS or of a site.
const TIME: Duration = Duration::from_secs(8);
/// For all of them together: somebody waits for the page that says what came of it.
const WHOLE_TIME: Duration = Duration::from_secs(20);
/// How much of a page is read. The head of most has less.
const READ_BYTES: usize = 256 * 1024;
/// How many redirects are followed.
const MOST_REDIRECTS: usize = 5;

/// Asks name servers and sites.
#[derive(Debug)]
pub struct SiteCheck {
    resolver: NameResolver,
    client: Client,
    /// The ports of http and https, where they are not the usual ones.
    ports: [Option<u16>; 2],
}

impl SiteCheck {
    /// One that asks these name servers, and sites at what the policy allows.
    ///
    /// # Errors
    /// TLS can't be set up with these trust anchors.
    pub fn new(
        resolver: NameResolver,
        policy: AddressPolicy,
        trust: &TrustAnchors,
    ) -> Result<Self, TlsSetupError> {
        let settings = ClientSettings {
            user_agent: USER_AGENT,
            schemes: Schemes::NoDowngrade,
            redirects: Redirects::Return,
            answers: Answers::Beginning,
            between: Duration::ZERO,
            patience: TIME,
            limits: Limits {
                time: TIME,
                sent_bytes: READ_BYTES,
                body_bytes: READ_BYTES,
                ..Limits::default()
            },
        };
        Ok(Self {
            client: Client::new(resolver.clone(), policy, trust, settings)?,
            resolver,
            ports: [None, None],
        })
    }

    /// The same for sites on other ports, for tests.
    #[must_use]
    pub fn at_ports(self, http: u16, https: u16) -> Self {
        Self {
            ports: [Some(http), Some(https)],
            ..self
        }
    }

    async fn record(&self, hostname: &Hostname, token: &OwnershipToken) -> Result<(), NotShown> {
        let name = record_name(hostname);
        match self.resolver.texts(&name, Instant::now() + TIME).await {
            Ok(texts)
                if texts
                    .iter()
                    .any(|text| text.trim_ascii() == token.line().as_bytes()) =>
            {
                Ok(())
            }
            Ok(_) => Err(NotShown::NoRecord { name }),
            Err(error) => Err(NotShown::NoNameServer { name, error }),
        }
    }

    async fn file(
        &self,
        hostname: &Hostname,
        token: &OwnershipToken,
        now: OffsetDateTime,
    ) -> Result<(), NotShown> {
        let answer = self.page(hostname, FILE_PATH, now).await?;
        let url = answer.url.into();
        if answer.body.trim_ascii() == token.line().as_bytes() {
            Ok(())
        } else {
            Err(NotShown::OtherFile { url })
        }
    }

    async fn tag(
        &self,
        hostname: &Hostname,
        token: &OwnershipToken,
        now: OffsetDateTime,
    ) -> Result<(), NotShown> {
        let answer = self.page(hostname, "/", now).await?;
        let url = answer.url.into();
        if tag::shows(&answer.body, token.as_str()) {
            Ok(())
        } else {
            Err(NotShown::NoTag { url })
        }
    }

    /// The answer of the site at a path: over https, or over http where the site has no https.
    async fn page(&self, hostname: &Hostname, path: &str, now: OffsetDateTime) -> Result<Answer, NotShown> {
        let [http, https] = self.ports;
        match self
            .follow(hostname, &address("https", hostname, https, path), now)
            .await
        {
            Err(NotShown::NoAnswer { .. }) => {
                self.follow(hostname, &address("http", hostname, http, path), now)
                    .await
            }
            answered => answered,
        }
    }

    async fn follow(
        &self,
        hostname: &Hostname,
        first: &str,
        now: OffsetDateTime,
    ) -> Result<Answer, NotShown> {
        let no_answer = |error| NotShown::NoAnswer {
            url: first.to_owned(),
            error,
        };
        let mut url = Url::parse(first).map_err(|_| no_answer(EgressError::Unusable))?;
        for _ in 0..=MOST_REDIRECTS {
            let answer = self.client.send(Request::get(url.clone()), now).await;
            let answer = answer.map_err(no_answer)?;
            match &answer.redirect {
                Some(next) if self.is_of(hostname, &url, next) => url = next.clone(),
                Some(_) => break,
                None if answer.status.is_success() => return Ok(answer),
                None => {
                    return Err(NotShown::Status {
                        url: url.into(),
                        status: answer.status.as_u16(),
                    });
                }
            }
        }
        Err(NotShown::Elsewhere { url: url.into() })
    }

    /// Whether a redirect stays on the site: on its name or below it, on the usual ports, and encrypted where it was. Another
    /// name's owner could put the token there, and so could who runs another server on its machine.
    fn is_of(&self, hostname: &Hostname, from: &Url, next: &Url) -> bool {
        let [http, https] = self.ports;
        let port = match next.scheme() {
            "https" => https,
            "http" if from.scheme() == "http" => http,
            _ => return false,
        };
        next.port() == port && next.host_str().is_some_and(|host| hostname.covers(host))
    }
}

fn address(scheme: &str, hostname: &Hostname, port: Option<u16>, path: &str) -> String {
    match port {
        Some(port) => format!("{scheme}://{hostname}:{port}{path}"),
        None => format!("{scheme}://{hostname}{path}"),
    }
}

#[async_trait]
impl OwnershipCheck for SiteCheck {
    async fn look(
        &self,
        hostname: &Hostname,
        token: &OwnershipToken,
        method: Method,
        now: OffsetDateTime,
    ) -> Result<(), NotShown> {
        let looked = timeout(WHOLE_TIME, async {
            match method {
                Method::Dns => self.record(hostname, token).await,
                Method::File => self.file(hostname, token, now).await,
                Method::Tag => self.tag(hostname, token, now).await,
            }
        });
        looked.await.unwrap_or_else(|_| {
            Err(NotShown::NoAnswer {
                url: hostname.to_string(),
                error: EgressError::Timeout,
            })
        })
    }
}
