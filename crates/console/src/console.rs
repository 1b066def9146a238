//! The services and settings that the pages need.

use std::{fmt, sync::Arc};

use pharos_account::admin::domains::DomainAdmin;
use pharos_alerting::delivery::channel::ChannelStore;
use pharos_auth::{
    oauth::{server::AuthorizationServer, store::GrantStore},
    sign_in::desk::SignInDesk,
};
use pharos_domain::{clock::Clock, unsubscribe::Unsubscribe};
use pharos_http::{metering::RateLimiter, source::TrustedHops};
use url::Url;

use crate::{cookies::Cookies, token::TokenKey};

/// Where users decide on what apps ask for.
pub const CONSENT_PATH: &str = "/console/consent";
/// The path of the link by which a user sets a password; a slash and the secret follow.
pub const WELCOME_PATH: &str = "/console/welcome";

/// The services and settings that the pages need. The server wires them once.
#[derive(Clone)]
pub struct Parts {
    /// Lets users in.
    pub desk: Arc<SignInDesk>,
    /// Knows what apps ask for, and takes decisions.
    pub server: Arc<AuthorizationServer>,
    /// The grants of connected apps.
    pub grants: Arc<dyn GrantStore>,
    /// The channels that notifications are delivered to.
    pub channels: Arc<dyn ChannelStore>,
    /// The domains of workspaces.
    pub domains: Arc<dyn DomainAdmin>,
    /// Ends alert mails for their readers.
    pub unsubscribe: Arc<dyn Unsubscribe>,
    /// Counts how often the consent screen is asked for.
    pub limiter: Arc<dyn RateLimiter>,
    /// How often an hour one network may ask for the consent screen and decide, both together.
    pub consents_per_hour: u32,
    /// The clock that limits and revocations go by.
    pub clock: Arc<dyn Clock>,
    /// The proxies in front.
    pub hops: TrustedHops,
    /// The address that users know the service by.
    pub base_url: String,
    /// The secret that the tokens of forms are derived from: the same on all nodes.
    pub browser_secret: [u8; 32],
}

impl fmt::Debug for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parts")
            .field("base_url", &self.base_url)
            .finish_non_exhaustive()
    }
}

/// The console of a node. Every worker thread configures its service from it.
#[derive(Clone, Debug)]
pub struct Console {
    pub(crate) parts: Parts,
    pub(crate) origin: String,
    pub(crate) cookies: Cookies,
    pub(crate) tokens: Arc<TokenKey>,
}

impl Console {
    /// A console of these parts.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        let origin = Url::parse(&parts.base_url).map_or_else(
            |_| parts.base_url.clone(),
            |url| url.origin().ascii_serialization(),
        );
        Self {
            cookies: Cookies::of(&origin),
            tokens: Arc::new(TokenKey::new(&parts.browser_secret)),
            origin,
            parts,
        }
    }
}
