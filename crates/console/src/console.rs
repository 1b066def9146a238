//! What the pages need, and where they are mounted.

use std::{fmt, sync::Arc};

use actix_web::{HttpResponse, web};
use pharos_auth::{
    oauth::{server::AuthorizationServer, store::GrantStore},
    sign_in::desk::SignInDesk,
};
use pharos_domain::clock::Clock;
use pharos_http::{metering::RateLimiter, source::TrustedHops};
use url::Url;

use crate::{apps, consent, cookies::Cookies, page, refusal::Refusal, sign_in, token::TokenKey, welcome};

/// Where users decide on what apps ask for.
pub const CONSENT_PATH: &str = "/console/consent";
/// What stands before the secret of a link by which a user sets a password.
pub const WELCOME_PATH: &str = "/console/welcome";

/// What the pages need. The server wires it once.
#[derive(Clone)]
pub struct Parts {
    /// Lets users in.
    pub desk: Arc<SignInDesk>,
    /// What is asked for, and what is decided.
    pub server: Arc<AuthorizationServer>,
    /// What was granted.
    pub grants: Arc<dyn GrantStore>,
    /// Counts how often the consent screen is asked for.
    pub limiter: Arc<dyn RateLimiter>,
    /// How often an hour one network may ask for the consent screen and decide, both together.
    pub consents_per_hour: u32,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// The proxies in front.
    pub hops: TrustedHops,
    /// The address that users know the service by.
    pub base_url: String,
    /// What the tokens of forms are made with: the same on all nodes.
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

    /// Mounts the pages.
    pub fn configure(&self, config: &mut web::ServiceConfig) {
        let pages = web::scope("/console")
            .app_data(web::Data::new(self.clone()))
            .route("", web::get().to(begin))
            .route("/", web::get().to(begin))
            .route(page::STYLE_ROUTE, web::get().to(page::style))
            .route("/sign-in", web::get().to(sign_in::show))
            .route("/sign-in", web::post().to(sign_in::submit))
            .route("/sign-out", web::post().to(sign_in::leave))
            .route("/welcome/{token}", web::get().to(welcome::show))
            .route("/welcome/{token}", web::post().to(welcome::submit))
            .route("/consent", web::get().to(consent::show))
            .route("/consent", web::post().to(consent::submit))
            .route("/apps", web::get().to(apps::show))
            .route("/apps/revoke", web::get().to(apps::revoke::ask))
            .route("/apps/revoke", web::post().to(apps::revoke::submit))
            .default_service(web::to(nothing));
        config.service(pages);
    }
}

async fn begin() -> HttpResponse {
    page::go("/console/apps")
}

async fn nothing() -> Result<HttpResponse, Refusal> {
    Err(Refusal::NoPage)
}
