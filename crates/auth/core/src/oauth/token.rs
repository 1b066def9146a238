//! Access tokens: JSON Web Tokens in the form of RFC 9068.

use jsonwebtoken::{Algorithm, Header, Validation};
use pharos_domain::{
    ids::{ClientId, CredentialId, UserId},
    scope::ScopeSet,
};
use serde::{Deserialize, Serialize};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::{
    error::{ErrorCode, OauthError},
    scope,
    signing::KeySet,
};

/// How long an access token lasts.
pub const LIFETIME: Duration = Duration::minutes(60);
/// By how much clocks may differ.
pub const SKEW: Duration = Duration::seconds(30);
/// Longer than any token of ours: what is longer is not looked into.
pub const MOST_BYTES: usize = 4096;
/// The `typ` of an access token (RFC 9068, section 2.1).
const TYPE: &str = "at+jwt";

/// What an access token says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessClaims {
    /// Who issued it.
    pub iss: String,
    /// The user.
    pub sub: UserId,
    /// The resource that it is for.
    pub aud: String,
    /// The app.
    pub client_id: ClientId,
    /// What was granted, with spaces between.
    pub scope: String,
    /// Its own id.
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

/// What a token is made of.
#[derive(Clone, Debug)]
pub struct TokenRequest<'a> {
    /// Who issues it.
    pub issuer: &'a str,
    /// The grant behind it.
    pub grant: CredentialId,
    /// The user.
    pub user: UserId,
    /// The app.
    pub client: ClientId,
    /// The resource.
    pub resource: &'a str,
    /// What was granted.
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
            exp: (now + LIFETIME).unix_timestamp(),
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

/// What a token says, if one of these keys signed it and `issuer` is who it says. Its time is the caller's to judge.
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
