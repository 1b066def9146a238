//! Asks the registry of a name.

use std::time::Duration;

use http::{HeaderValue, StatusCode};
use pharos_domain::hostname::Hostname;
use pharos_egress::{
    address_policy::{AddressPolicy, INTERNAL_ZONES},
    client::{Answer, Answers, Client, ClientSettings, Limits, Redirects, Request, Schemes},
    resolver::NameResolver,
    trust::{TlsSetupError, TrustAnchors},
};
use time::OffsetDateTime;
use tokio::{sync::Mutex, time::Instant};
use url::Url;

use super::{RdapError, bootstrap::Services, object};
use crate::registration::Registration;

const USER_AGENT: HeaderValue =
    HeaderValue::from_static(concat!("Pharos/", env!("CARGO_PKG_VERSION"), " (+rdap)"));
/// The time between two requests to one server.
const BETWEEN: Duration = Duration::from_secs(1);
/// How long a request waits for its turn; one that would wait longer is not made.
const PATIENCE: Duration = Duration::from_secs(30);
const REDIRECTS: u32 = 3;
/// How long the list of services is kept.
const KEEP: Duration = Duration::from_secs(24 * 3_600);
/// How long an old list serves on where a new one can't be had.
const KEEP_ON: Duration = Duration::from_secs(3_600);
/// How long nobody tries again where there is no old one.
const REST: Duration = Duration::from_secs(60);

/// Asks registries over RDAP, each server once a second at most.
#[derive(Debug)]
pub struct RdapClient {
    client: Client,
    bootstrap: Url,
    list: Mutex<List>,
}

/// The list of services; `None` while it could not be fetched.
#[derive(Debug)]
struct List {
    services: Option<Services>,
    /// Until when nobody fetches it.
    until: Instant,
}

impl RdapClient {
    /// `bootstrap` is the URL of the list of services (RFC 9224). If it is on https, all servers have to be.
    ///
    /// # Errors
    /// TLS can't be set up with these trust anchors.
    pub fn new(
        resolver: NameResolver,
        policy: AddressPolicy,
        trust: &TrustAnchors,
        bootstrap: Url,
    ) -> Result<Self, TlsSetupError> {
        let settings = ClientSettings {
            answers: Answers::Whole,
            user_agent: USER_AGENT,
            schemes: match bootstrap.scheme() {
                "http" => Schemes::Any,
                _ => Schemes::Https,
            },
            redirects: Redirects::Follow(REDIRECTS),
            between: BETWEEN,
            patience: PATIENCE,
            limits: Limits::default(),
        };
        Ok(Self {
            client: Client::new(resolver, policy, trust, settings)?,
            bootstrap,
            list: Mutex::new(List {
                services: None,
                until: Instant::now(),
            }),
        })
    }

    /// The registration of this registered name, as its registry tells it. `None`: its top-level domain has no RDAP service.
    ///
    /// # Errors
    /// Why there is no answer that is about this name.
    pub async fn ask(&self, name: &Hostname, now: OffsetDateTime) -> Result<Option<Registration>, RdapError> {
        let top = name.as_str().rsplit('.').next().unwrap_or_default();
        if INTERNAL_ZONES.contains(&top) {
            return Ok(None);
        }
        let Some(urls) = self.services_of(name, now).await? else {
            return Ok(None);
        };
        let base = preferred(urls)?;
        let url = base
            .join(&format!("domain/{name}"))
            .map_err(|_| RdapError::NoUrl)?;
        let answer = self.get(url, "application/rdap+json", now).await?;
        match answer.status {
            StatusCode::OK => object::parse(&answer.body, name, answer.url.into()).map(Some),
            StatusCode::NOT_FOUND => Err(RdapError::NotRegistered),
            status => Err(RdapError::Status(status)),
        }
    }

    /// The base URLs of the service for the name. Who comes while the list is being fetched waits for it.
    async fn services_of(&self, name: &Hostname, now: OffsetDateTime) -> Result<Option<Vec<Url>>, RdapError> {
        let mut list = self.list.lock().await;
        if list.until <= Instant::now() {
            self.renew(&mut list, now).await?;
        }
        let services = list.services.as_ref().ok_or(RdapError::NoList)?;
        Ok(services.of(name.as_str()))
    }

    async fn renew(&self, list: &mut List, now: OffsetDateTime) -> Result<(), RdapError> {
        match self.fetch(now).await {
            Ok(services) => {
                *list = List {
                    services: Some(services),
                    until: Instant::now() + KEEP,
                };
                Ok(())
            }
            Err(error) if list.services.is_some() => {
                tracing::warn!(%error, "the list of RDAP services can't be fetched; the old one serves on");
                list.until = Instant::now() + KEEP_ON;
                Ok(())
            }
            Err(error) => {
                list.until = Instant::now() + REST;
                Err(error)
            }
        }
    }

    async fn fetch(&self, now: OffsetDateTime) -> Result<Services, RdapError> {
        let answer = self.get(self.bootstrap.clone(), "application/json", now).await?;
        if answer.status != StatusCode::OK {
            return Err(RdapError::Status(answer.status));
        }
        answer
            .json()
            .map_err(|error| RdapError::malformed("a list of RDAP services (RFC 9224)", error))
    }

    async fn get(&self, url: Url, accept: &'static str, now: OffsetDateTime) -> Result<Answer, RdapError> {
        Ok(self.client.send(Request::get(url).accept(accept), now).await?)
    }
}

/// Https where it is offered (RFC 9224, section 3).
fn preferred(mut urls: Vec<Url>) -> Result<Url, RdapError> {
    urls.sort_by_key(|url| url.scheme() != "https");
    urls.into_iter().next().ok_or(RdapError::NoUrl)
}
