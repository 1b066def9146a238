//! Access tokens: JSON Web Tokens in the form of RFC 9068; and the answer that hands them out.

use jsonwebtoken::{Algorithm, Header, Validation};
use pharos_domain::{
    ids::{ClientId, CredentialId, UserId},
    scope::ScopeSet,
};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{
    error::{ErrorCode, OauthError},
    scope,
    signing::{KeySet, SKEW, TOKEN_LIFETIME},
};

/// No token that is issued here is as long. Longer ones are not parsed.
pub const MOST_BYTES: usize = 4096;
/// The `typ` of an access token (RFC 9068, section 2.1).
const TYPE: &str = "at+jwt";

/// The claims of an access token (RFC 9068, section 2.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessClaims {
    /// Who issued it.
    pub iss: String,
    /// The user who gave the grant.
    pub sub: UserId,
    /// The resource that it is for.
    pub aud: String,
    /// The app that the token was given to.
    pub client_id: ClientId,
    /// The granted scopes, with spaces between.
    pub scope: String,
    /// Tells the token from all others.
    pub jti: Uuid,
    /// When it was issued, in seconds of the Unix epoch.
    pub iat: i64,
    /// When it ends, likewise.
    pub exp: i64,
    /// When it begins, likewise. Ours have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nbf: Option<i64>,
    /// The grant behind it, by which it is revoked.
    pub grant_id: CredentialId,
}

/// The facts that a new access token states.
#[derive(Clone, Debug)]
pub struct TokenRequest<'a> {
    /// Who issues it.
    pub issuer: &'a str,
    /// The grant behind it.
    pub grant: CredentialId,
    /// The user who gave the grant.
    pub user: UserId,
    /// The app that it is for.
    pub client: ClientId,
    /// The API that it may be used at, its audience.
    pub resource: &'a str,
    /// The granted scopes.
    pub scopes: ScopeSet,
}

impl AccessClaims {
    fn new(request: &TokenRequest<'_>, now: OffsetDateTime) -> Self {
        Self {
            iss: request.issuer.to_owned(),
            sub: request.user,
            aud: request.resource.to_owned(),
            client_id: request.client,
            scope: scope::written(request.scopes),
            jti: Uuid::new_v4(),
            iat: now.unix_timestamp(),
            exp: (now + TOKEN_LIFETIME).unix_timestamp(),
            nbf: None,
            grant_id: request.grant,
        }
    }

    /// Whether the token holds at `now`, give or take [`SKEW`].
    #[must_use]
    pub fn holds(&self, now: OffsetDateTime) -> bool {
        let (now, skew) = (now.unix_timestamp(), SKEW.whole_seconds());
        let begins = self.nbf.unwrap_or(self.iat).max(self.iat);
        begins <= now.saturating_add(skew) && now.saturating_sub(skew) < self.exp
    }
}

/// The answer of the token endpoint (RFC 6749, section 5.1).
#[derive(Serialize)]
pub struct Tokens {
    /// The signed token that calls of the API bear.
    pub access_token: String,
    /// How it is used.
    pub token_type: &'static str,
    /// How long it lasts, in seconds.
    pub expires_in: i64,
    /// The next refresh token.
    pub refresh_token: String,
    /// The granted scopes.
    pub scope: String,
}

impl std::fmt::Debug for Tokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tokens")
            .field("scope", &self.scope)
            .finish_non_exhaustive()
    }
}

/// Signs a token.
///
/// # Errors
/// There is no key that signs.
pub fn sign(keys: &KeySet, request: &TokenRequest<'_>, now: OffsetDateTime) -> Result<String, OauthError> {
    let broken = || {
        OauthError::new(
            ErrorCode::ServerError,
            "No key signs access tokens at the moment.",
        )
    };
    let key = keys.signing(now).ok_or_else(broken)?;
    let header = Header {
        typ: Some(TYPE.to_owned()),
        kid: Some(key.kid.clone()),
        ..Header::new(Algorithm::ES256)
    };
    jsonwebtoken::encode(&header, &AccessClaims::new(request, now), &key.encoding).map_err(|error| {
        tracing::error!(%error, "an access token can't be signed");
        broken()
    })
}

/// The claims of a token, if one of these keys signed it and it names `issuer`. Callers judge its time and its
/// audience.
#[must_use]
pub fn verify(keys: &KeySet, token: &str, issuer: &str, now: OffsetDateTime) -> Option<AccessClaims> {
    if token.len() > MOST_BYTES {
        return None;
    }
    let header = jsonwebtoken::decode_header(token).ok()?;
    if header.alg != Algorithm::ES256 || header.typ.as_deref() != Some(TYPE) {
        return None;
    }
    // There is no extension that is understood here (RFC 7515, section 4.1.11).
    if header.crit.is_some() {
        return None;
    }
    let key = keys.verifying(header.kid.as_deref()?, now)?;
    let mut validation = Validation::new(Algorithm::ES256);
    // By the clock that the caller goes by, and by audience apart, since their refusals differ.
    validation.validate_exp = false;
    validation.validate_aud = false;
    validation.set_required_spec_claims(&["iss", "sub", "aud", "exp"]);
    validation.set_issuer(&[issuer]);
    jsonwebtoken::decode::<AccessClaims>(token, &key.decoding, &validation)
        .ok()
        .map(|decoded| decoded.claims)
}

#[cfg(test)]
mod tests;
