//! Asks the registry of a name.

use std::time::Duration;

use pharos_domain::hostname::Hostname;
use time::OffsetDateTime;
use tokio::{sync::Mutex, time::Instant};
use url::Url;

use super::{
    RdapError, RdapSetupError,
    bootstrap::Services,
    object,
    outgoing::{Answer, Outgoing},
};
use crate::{
    address_policy::{AddressPolicy, INTERNAL_ZONES},
    probe::{NameResolver, TrustAnchors},
    registration::Registration,
};

/// How long the list of services is kept.
const KEEP: Duration = Duration::from_secs(24 * 3_600);
/// How long an old list serves on where a new one can't be had.
const KEEP_ON: Duration = Duration::from_secs(3_600);
/// How long nobody tries again where there is no old one.
const REST: Duration = Duration::from_secs(60);

/// Asks registries over RDAP, each server once a second at most.
#[derive(Debug)]
pub struct RdapClient {
    outgoing: Outgoing,
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
    /// TLS or the HTTP client can't be set up.
    pub fn new(
        resolver: NameResolver,
        policy: AddressPolicy,
        trust: &TrustAnchors,
        bootstrap: Url,
    ) -> Result<Self, RdapSetupError> {
        let accepts_plain = bootstrap.scheme() == "http";
        Ok(Self {
            outgoing: Outgoing::new(resolver, policy, trust, accepts_plain)?,
            bootstrap,
            list: Mutex::new(List {
                services: None,
                until: Instant::now(),
            }),
        })
    }

    /// What the registry says of this registered name. `None`: its top-level domain has no RDAP service.
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
        let base = self.preferred(urls)?;
        let url = base
            .join(&format!("domain/{name}"))
            .map_err(|_| RdapError::NoUrl)?;
        let Answer { url, body } = self.outgoing.get(url, "application/rdap+json", now).await?;
        object::parse(&body, name, url.into()).map(Some)
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
        let url = self.bootstrap.clone();
        let answer = match self.outgoing.get(url, "application/json", now).await {
            // Not the registry's word about a name.
            Err(RdapError::NotRegistered) => return Err(RdapError::Status(http::StatusCode::NOT_FOUND)),
            other => other?,
        };
        serde_json::from_slice(&answer.body)
            .map_err(|error| RdapError::malformed("a list of RDAP services (RFC 9224)", &error))
    }

    /// Https where it is offered (RFC 9224, section 3).
    fn preferred(&self, mut urls: Vec<Url>) -> Result<Url, RdapError> {
        urls.sort_by_key(|url| url.scheme() != "https");
        let first = urls.into_iter().next().ok_or(RdapError::NoUrl)?;
        if self.outgoing.accepts(&first) {
            Ok(first)
        } else {
            Err(RdapError::Insecure)
        }
    }
}
