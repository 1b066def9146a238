//! Access tokens: got by a signed assertion (RFC 7523) or a refresh token (RFC 6749), and kept until they run out.

use std::{fmt, time::Duration as StdDuration};

use http::StatusCode;
use jsonwebtoken::{Algorithm, Header};
use moka::sync::Cache;
use pharos_domain::{ids::SearchAccountId, secret::Secret};
use pharos_egress::client::{Answer, Client, EgressError, Request};
use serde::{Deserialize, Serialize};
use time::{Duration, OffsetDateTime};
use url::Url;

use super::{
    account::{Account, Credentials, ServiceAccountKey},
    error::{GoogleError, is_word},
};

/// Where Google gives out tokens.
pub const TOKEN_SERVICE: &str = "https://oauth2.googleapis.com/token";
/// The scope of tokens: reading Search Console.
pub const SCOPE: &str = "https://www.googleapis.com/auth/webmasters.readonly";

/// How long an assertion counts, and a token at most: as long as Google lets it.
const LONGEST: Duration = Duration::HOUR;
/// A token is not used so shortly before its end.
const MARGIN: Duration = Duration::MINUTE;
/// How many tokens are kept.
const KEPT: u64 = 10_000;

/// The OAuth client of an installation.
#[derive(Clone, Debug)]
pub struct OauthClient {
    /// The id that Google gave it.
    pub id: String,
    /// The secret that Google gave it.
    pub secret: Secret,
}

/// Gets access tokens and keeps them.
pub struct Tokens {
    service: Url,
    oauth: Option<OauthClient>,
    kept: Cache<SearchAccountId, Token>,
}

#[derive(Clone)]
struct Token {
    access: Secret,
    until: OffsetDateTime,
}

/// The claims of an assertion.
#[derive(Serialize)]
struct Claims<'a> {
    iss: &'a str,
    scope: &'a str,
    aud: &'a str,
    iat: i64,
    exp: i64,
}

#[derive(Deserialize)]
struct Granted {
    access_token: Secret,
    expires_in: Option<i64>,
}

#[derive(Deserialize)]
struct Denied {
    error: Option<String>,
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tokens")
            .field("service", &self.service.as_str())
            .finish_non_exhaustive()
    }
}

impl Tokens {
    /// Tokens that `service` gives out.
    #[must_use]
    pub fn new(service: Url, oauth: Option<OauthClient>) -> Self {
        let longest = StdDuration::from_secs(LONGEST.whole_seconds().unsigned_abs());
        Self {
            service,
            oauth,
            kept: Cache::builder().max_capacity(KEPT).time_to_live(longest).build(),
        }
    }

    /// A token of the account: the one that is kept, or a new one.
    pub(super) async fn of(
        &self,
        client: &Client,
        account: &Account,
        now: OffsetDateTime,
    ) -> Result<Secret, GoogleError> {
        if let Some(token) = self.kept.get(&account.id)
            && token.until > now
        {
            return Ok(token.access);
        }
        let token = self.ask(client, &account.credentials, now).await?;
        self.kept.insert(account.id, token.clone());
        Ok(token.access)
    }

    /// Drops the token, so that the next request gets a new one.
    pub(super) fn forget(&self, account: SearchAccountId) {
        self.kept.invalidate(&account);
    }

    async fn ask(
        &self,
        client: &Client,
        credentials: &Credentials,
        now: OffsetDateTime,
    ) -> Result<Token, GoogleError> {
        let answer = self.post(client, self.form(credentials, now)?, now).await?;
        let granted: Granted = answer.json()?;
        let length = granted.expires_in.map_or(LONGEST, Duration::seconds);
        Ok(Token {
            access: granted.access_token,
            until: now + length.clamp(Duration::ZERO, LONGEST) - MARGIN,
        })
    }

    /// The OAuth client of this installation.
    pub(super) const fn oauth(&self) -> Option<&OauthClient> {
        self.oauth.as_ref()
    }

    /// Sends a form to the service. An answer that grants nothing is an error.
    pub(super) async fn post(
        &self,
        client: &Client,
        form: String,
        now: OffsetDateTime,
    ) -> Result<Answer, GoogleError> {
        let request = Request::post(self.service.clone())
            .accept("application/json")
            .body("application/x-www-form-urlencoded", form);
        let answer = client.send(request, now).await?;
        if answer.status == StatusCode::OK {
            Ok(answer)
        } else {
            Err(denied(&answer, now))
        }
    }

    fn form(&self, credentials: &Credentials, now: OffsetDateTime) -> Result<String, GoogleError> {
        let mut form = form_urlencoded::Serializer::new(String::new());
        match credentials {
            Credentials::ServiceAccount(key) => {
                form.append_pair("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer");
                form.append_pair("assertion", &self.assertion(key, now)?);
            }
            Credentials::Oauth { refresh_token } => {
                let oauth = self.oauth.as_ref().ok_or(GoogleError::NoClient)?;
                form.append_pair("grant_type", "refresh_token");
                form.append_pair("refresh_token", refresh_token.reveal());
                form.append_pair("client_id", &oauth.id);
                form.append_pair("client_secret", oauth.secret.reveal());
            }
        }
        Ok(form.finish())
    }

    fn assertion(&self, key: &ServiceAccountKey, now: OffsetDateTime) -> Result<String, GoogleError> {
        let header = Header {
            kid: key.private_key_id.clone(),
            ..Header::new(Algorithm::RS256)
        };
        let claims = Claims {
            iss: &key.client_email,
            scope: SCOPE,
            aud: self.service.as_str(),
            iat: now.unix_timestamp(),
            exp: (now + LONGEST).unix_timestamp(),
        };
        jsonwebtoken::encode(&header, &claims, &key.encoding()?)
            .map_err(|_| GoogleError::Egress(EgressError::Unusable))
    }
}

/// The error of a token service (RFC 6749, section 5.2). A grant that is refused was revoked, has expired, or its key is gone.
fn denied(answer: &Answer, now: OffsetDateTime) -> GoogleError {
    let denied: Option<Denied> = answer.json().ok();
    let reason = denied
        .and_then(|denied| denied.error)
        .filter(|word| is_word(word));
    if matches!(
        reason.as_deref(),
        Some("invalid_grant" | "unauthorized_client" | "account_deleted")
    ) {
        return GoogleError::Unauthorized { reason };
    }
    if answer.status == StatusCode::UNAUTHORIZED && reason.is_some() {
        // The client of this installation is meant, and no account.
        return GoogleError::Refused {
            status: answer.status,
            reason,
        };
    }
    match GoogleError::of(answer, now) {
        // Without its word it is about the request, and no account is to be linked again for that.
        GoogleError::Unauthorized { .. } | GoogleError::Forbidden { .. } => GoogleError::Refused {
            status: answer.status,
            reason,
        },
        GoogleError::Refused { status, reason: told } => GoogleError::Refused {
            status,
            reason: reason.or(told),
        },
        error => error,
    }
}
