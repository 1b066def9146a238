//! Consent of people: an authorization code with PKCE (RFC 6749, RFC 7636), and the refresh token that it is worth.

use std::fmt;

use jsonwebtoken::dangerous::insecure_decode_claims;
use pharos_domain::secret::Secret;
use serde::Deserialize;
use thiserror::Error;
use time::OffsetDateTime;
use url::Url;

use super::{client::GoogleClient, error::GoogleError, token::SCOPE};

/// Where Google asks people for their consent.
pub const CONSENT_SERVICE: &str = "https://accounts.google.com/o/oauth2/v2/auth";

/// The name of a person's account; whoever consents is known by it.
const EMAIL_SCOPE: &str = "https://www.googleapis.com/auth/userinfo.email";
/// The longest name of an account that is kept, in bytes.
const LONGEST_NAME: usize = 320;

/// The parameters with which a browser goes to the page that asks for consent.
#[derive(Clone, Copy, Debug)]
pub struct ConsentRequest<'a> {
    /// Where the browser comes back to.
    pub redirect_uri: &'a str,
    /// The value that it brings back.
    pub state: &'a str,
    /// The SHA-256 of the verifier in base64url.
    pub challenge: &'a str,
}

/// The code that a browser brought back, with the verifier that nobody else has.
#[derive(Clone, Copy)]
pub struct ConsentCode<'a> {
    /// The authorization code.
    pub code: &'a str,
    /// The verifier of the challenge.
    pub verifier: &'a str,
    /// Where the browser came back to.
    pub redirect_uri: &'a str,
}

impl fmt::Debug for ConsentCode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConsentCode")
            .field("redirect_uri", &self.redirect_uri)
            .finish_non_exhaustive()
    }
}

/// A consent that was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consented {
    /// The address of the account.
    pub email: String,
    /// The token by which the account is read from now on.
    pub refresh_token: Secret,
}

/// Why a code is worth no consent.
#[derive(Debug, Error)]
pub enum ConsentFault {
    /// The person allowed something, and not that Search Console is read.
    #[error("the consent does not cover reading Search Console")]
    NotAllowed,
    /// The consent ends with the hour.
    #[error("Google gave no refresh token")]
    NotLasting,
    /// Google does not say whose consent it is.
    #[error("Google does not name the account that consented")]
    Unnamed,
    /// Google gave no consent for the code.
    #[error(transparent)]
    Google(#[from] GoogleError),
}

#[derive(Deserialize)]
struct Granted {
    refresh_token: Option<Secret>,
    #[serde(default)]
    scope: String,
    id_token: Option<Secret>,
}

/// The claims of an ID token (OpenID Connect Core 1.0, section 2) that are read here.
#[derive(Deserialize)]
struct IdClaims {
    aud: String,
    email: Option<String>,
}

impl GoogleClient {
    /// Whether this installation has an OAuth client, without which nobody can consent.
    #[must_use]
    pub const fn takes_consent(&self) -> bool {
        self.tokens.oauth().is_some()
    }

    /// The page that asks for consent; `None`: this installation has no OAuth client.
    ///
    /// Access is asked for offline, and the consent each time: Google gives a refresh token with the first consent alone
    /// otherwise.
    #[must_use]
    pub fn consent_page(&self, request: ConsentRequest<'_>) -> Option<Url> {
        let oauth = self.tokens.oauth()?;
        let mut url = self.consent.clone();
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &oauth.id)
            .append_pair("redirect_uri", request.redirect_uri)
            .append_pair("scope", &format!("openid {EMAIL_SCOPE} {SCOPE}"))
            .append_pair("state", request.state)
            .append_pair("code_challenge", request.challenge)
            .append_pair("code_challenge_method", "S256")
            .append_pair("access_type", "offline")
            .append_pair("prompt", "consent");
        Some(url)
    }

    /// The consent that a code stands for. A code is good once, and for some minutes.
    ///
    /// # Errors
    /// Why there is none.
    pub async fn consented(
        &self,
        code: ConsentCode<'_>,
        now: OffsetDateTime,
    ) -> Result<Consented, ConsentFault> {
        let oauth = self.tokens.oauth().ok_or(GoogleError::NoClient)?;
        let form = form_urlencoded::Serializer::new(String::new())
            .append_pair("grant_type", "authorization_code")
            .append_pair("code", code.code)
            .append_pair("code_verifier", code.verifier)
            .append_pair("redirect_uri", code.redirect_uri)
            .append_pair("client_id", &oauth.id)
            .append_pair("client_secret", oauth.secret.reveal())
            .finish();
        let answer = self.tokens.post(&self.client, form, now).await?;
        let granted: Granted = answer.json().map_err(GoogleError::from)?;
        // People may untick single permissions.
        if !granted.scope.split(' ').any(|scope| scope == SCOPE) {
            return Err(ConsentFault::NotAllowed);
        }
        let email = granted
            .id_token
            .and_then(|token| email(&token, &oauth.id))
            .ok_or(ConsentFault::Unnamed)?;
        let refresh_token = granted.refresh_token.ok_or(ConsentFault::NotLasting)?;
        Ok(Consented { email, refresh_token })
    }
}

/// The address in an ID token for this client.
///
/// It came from the token service itself, over the connection that the code went to, so that its signature has nothing to add
/// (OpenID Connect Core 1.0, section 3.1.3.7).
fn email(token: &Secret, client: &str) -> Option<String> {
    let claims: IdClaims = insecure_decode_claims(token.reveal()).ok()?;
    let is_name = |name: &String| {
        !name.trim().is_empty() && name.len() <= LONGEST_NAME && !name.contains(char::is_control)
    };
    claims.email.filter(|name| claims.aud == client && is_name(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An ID token of these claims in base64url.
    fn token(claims: &str) -> Secret {
        Secret::from(format!("eyJhbGciOiJSUzI1NiJ9.{claims}.c2lnbmVk"))
    }

    #[test]
    fn an_id_token_names_its_account_to_its_own_client_alone() {
        // {"aud":"client","email":"ada@shop.example"}
        let ada = token("eyJhdWQiOiJjbGllbnQiLCJlbWFpbCI6ImFkYUBzaG9wLmV4YW1wbGUifQ");
        assert_eq!(email(&ada, "client").as_deref(), Some("ada@shop.example"));
        assert_eq!(email(&ada, "another"), None);
        // {"aud":"client"}, {"aud":"client","email":"ada\u0000@shop.example"}, and no token at all.
        for unnamed in [
            token("eyJhdWQiOiJjbGllbnQifQ"),
            token("eyJhdWQiOiJjbGllbnQiLCJlbWFpbCI6ImFkYVx1MDAwMEBzaG9wLmV4YW1wbGUifQ"),
            Secret::from("ada".to_owned()),
        ] {
            assert_eq!(email(&unnamed, "client"), None);
        }
    }

    #[test]
    fn nothing_shows_a_code() {
        let code = ConsentCode {
            code: "4/0AX4XfWh",
            verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
            redirect_uri: "https://pharos.example/console/search-console/callback",
        };
        let shown = format!("{code:?}");
        assert!(!shown.contains("4/0") && !shown.contains("dBj"), "{shown}");
    }
}
