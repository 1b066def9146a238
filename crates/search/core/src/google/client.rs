//! Asks the API of Search Console for accounts.

use std::{fmt, time::Duration};

use http::{
    HeaderValue, StatusCode,
    header::{ACCEPT_LANGUAGE, AUTHORIZATION},
};
use pharos_domain::secret::Secret;
use pharos_egress::{
    address_policy::AddressPolicy,
    client::{
        Answer, Answers, Client, ClientSettings, EgressError, Limits, NotJson, Redirects, Request, Schemes,
    },
    exchange::ExchangeLimits,
    pace::Pace,
    resolver::NameResolver,
    trust::{TlsSetupError, TrustAnchors},
};
use serde::{Serialize, de::DeserializeOwned};
use time::OffsetDateTime;
use tokio::task::spawn_blocking;
use url::Url;

use super::{
    account::Account,
    error::GoogleError,
    texts::mended,
    token::{OauthClient, Tokens},
};
use crate::metrics;

/// Where Google serves it.
pub const SERVICE: &str = "https://searchconsole.googleapis.com/";

const USER_AGENT: HeaderValue =
    HeaderValue::from_static(concat!("Pharos/", env!("CARGO_PKG_VERSION"), " (+search)"));
/// The time between two requests for a property, and between two by an account: 1,200 a minute, as many as Google grants either.
/// One node at a time imports a property; where somebody asks for an import that another node does meanwhile, or several nodes ask
/// by one account, its quota says so. That of the project, 40,000 a minute, is more than a node asks for at once.
const BETWEEN: Duration = Duration::from_millis(50);
/// How long a request waits for its turn; one that would wait longer is not made.
const PATIENCE: Duration = Duration::from_secs(120);
/// How long an exchange takes at most.
const TIME: Duration = Duration::from_secs(60);
/// The most of an answer: 25,000 rows of queries and pages.
const BODY_BYTES: usize = 64 * 1024 * 1024;
/// An answer of more bytes is read on a thread of its own: it would keep others waiting for longer than a moment.
const READ_AT_ONCE: usize = 64 * 1024;

/// Where requests go, and browsers.
#[derive(Clone, Debug)]
pub struct Services {
    /// The API.
    pub api: Url,
    /// Where tokens are got.
    pub token: Url,
    /// Where people are asked for their consent.
    pub consent: Url,
}

/// Asks the API.
pub struct GoogleClient {
    pub(super) client: Client,
    pub(super) tokens: Tokens,
    pub(super) consent: Url,
    api: Url,
    /// By property and by account: none waits for the turns of another.
    pace: Pace,
}

impl fmt::Debug for GoogleClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GoogleClient")
            .field("api", &self.api.as_str())
            .field("tokens", &self.tokens)
            .finish_non_exhaustive()
    }
}

impl GoogleClient {
    /// A client of these services. If those that it asks are on https, so is every request.
    ///
    /// # Errors
    /// TLS can't be set up with these trust anchors.
    pub fn new(
        resolver: NameResolver,
        policy: AddressPolicy,
        trust: &TrustAnchors,
        services: Services,
        oauth: Option<OauthClient>,
    ) -> Result<Self, TlsSetupError> {
        let Services { api, token, consent } = services;
        let settings = ClientSettings {
            // A quota of one property leaves the others alone, so that a refusal is an answer like any other.
            answers: Answers::Beginning,
            user_agent: USER_AGENT,
            schemes: match (api.scheme(), token.scheme()) {
                ("https", "https") => Schemes::Https,
                _ => Schemes::Any,
            },
            redirects: Redirects::Refuse,
            // All properties are on one server; each has a pace of its own, and each account.
            between: Duration::ZERO,
            patience: PATIENCE,
            limits: Limits {
                time: TIME,
                sent_bytes: BODY_BYTES,
                body_bytes: BODY_BYTES,
                exchange: ExchangeLimits::of_body(BODY_BYTES),
                ..Limits::default()
            },
        };
        Ok(Self {
            client: Client::new(resolver, policy, trust, settings)?,
            tokens: Tokens::new(token, oauth),
            consent,
            api,
            pace: Pace::new(BETWEEN, PATIENCE),
        })
    }

    /// The same, in which Google has so much time for each answer.
    #[must_use]
    pub fn within(self, time: Duration) -> Self {
        Self {
            client: self.client.within(time),
            ..self
        }
    }

    /// Posts to a method of the API, as the account.
    ///
    /// # Errors
    /// Why there is no such answer.
    pub async fn post<T: DeserializeOwned + Send + 'static>(
        &self,
        account: &Account,
        path: &[&str],
        body: &(impl Serialize + Sync),
        now: OffsetDateTime,
    ) -> Result<T, GoogleError> {
        let request = Request::post(self.url(path)?)
            .json(body)
            .map_err(|_| EgressError::Unusable)?;
        self.ask(account, path, request, now).await
    }

    /// Reads from a method of the API, as the account.
    ///
    /// # Errors
    /// Why there is no such answer.
    pub async fn get<T: DeserializeOwned + Send + 'static>(
        &self,
        account: &Account,
        path: &[&str],
        now: OffsetDateTime,
    ) -> Result<T, GoogleError> {
        self.ask(account, path, Request::get(self.url(path)?), now).await
    }

    /// The address of a method. A segment may be a URL: it is one segment all the same.
    fn url(&self, path: &[&str]) -> Result<Url, EgressError> {
        let mut url = self.api.clone();
        url.path_segments_mut()
            .map_err(|()| EgressError::Unusable)?
            .pop_if_empty()
            .extend(path);
        Ok(url)
    }

    async fn ask<T: DeserializeOwned + Send + 'static>(
        &self,
        account: &Account,
        path: &[&str],
        request: Request,
        now: OffsetDateTime,
    ) -> Result<T, GoogleError> {
        for whose in turns(account, path) {
            let turn = self.pace.turn(whose).await;
            turn.map_err(|wait| EgressError::NotYet { wait })?;
        }
        let asked = self.answer(account, request, now).await;
        metrics::asked(&asked);
        let answer = asked?;
        if answer.body.len() <= READ_AT_ONCE {
            return Ok(read(answer)?);
        }
        let read = spawn_blocking(move || read(answer)).await;
        Ok(read.map_err(|_| GoogleError::Malformed("it could not be read"))??)
    }

    async fn answer(
        &self,
        account: &Account,
        request: Request,
        now: OffsetDateTime,
    ) -> Result<Answer, GoogleError> {
        let answer = self.send(account, request.clone(), now).await?;
        if answer.status != StatusCode::UNAUTHORIZED {
            return judged(answer, now);
        }
        // The token was revoked before its time; a new one shows whether the account was, too.
        self.tokens.forget(account.id);
        let answer = self.send(account, request, now).await?;
        judged(answer, now)
    }

    async fn send(
        &self,
        account: &Account,
        request: Request,
        now: OffsetDateTime,
    ) -> Result<Answer, GoogleError> {
        let token = self.tokens.of(&self.client, account, now).await?;
        let request = request
            .accept("application/json")
            // Texts for people, such as the state of a page's coverage, are known in English.
            .header(ACCEPT_LANGUAGE, HeaderValue::from_static("en-US"))
            .header(AUTHORIZATION, bearer(&token)?);
        Ok(self.client.send(request, now).await?)
    }
}

/// Whose turns a request takes, one after the other: those of the property that its path names, where it does, then those of the
/// account. Its address tells the account, since two workspaces may have the same one.
fn turns<'a>(account: &'a Account, path: &[&'a str]) -> impl Iterator<Item = &'a str> {
    let property = match path {
        ["webmasters", "v3", "sites", site_url, ..] => Some(*site_url),
        _ => None,
    };
    property.into_iter().chain([account.label.as_str()])
}

fn judged(answer: Answer, now: OffsetDateTime) -> Result<Answer, GoogleError> {
    if answer.status == StatusCode::OK {
        Ok(answer)
    } else {
        Err(GoogleError::of(&answer, now))
    }
}

/// Reads an answer, whatever its texts are.
fn read<T: DeserializeOwned>(mut answer: Answer) -> Result<T, NotJson> {
    answer.body = mended(answer.body);
    answer.json()
}

fn bearer(token: &Secret) -> Result<HeaderValue, GoogleError> {
    let mut value = HeaderValue::from_str(&format!("Bearer {}", token.reveal()))
        .map_err(|_| GoogleError::Malformed("the access token can't be put into a header"))?;
    value.set_sensitive(true);
    Ok(value)
}
