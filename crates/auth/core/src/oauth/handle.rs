//! The request handle: an authorization request on its way through the browser, signed so that nothing in it can be
//! changed, for ten minutes.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use pharos_domain::scope::ScopeSet;
use ring::hmac;
use serde::{Deserialize, Serialize};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// How long a handle is good for.
pub const LIFETIME: Duration = Duration::minutes(10);

/// An authorization request that was found to be in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuthorizationRequest {
    /// Its id, since it may be decided once.
    pub id: Uuid,
    /// Who asks.
    pub client_id: Uuid,
    /// Where the answer goes.
    pub redirect_uri: String,
    /// The scopes that the app asks for.
    pub scopes: ScopeSet,
    /// The client's `state`, which it gets back byte for byte.
    pub state: Option<String>,
    /// The PKCE challenge, S256.
    pub code_challenge: String,
    /// The resource that the tokens are for.
    pub resource: String,
    /// When it lapses.
    #[serde(with = "time::serde::timestamp")]
    pub expires_at: OffsetDateTime,
}

/// Signs requests and reads them back.
pub struct HandleKey(hmac::Key);

impl std::fmt::Debug for HandleKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("HandleKey(…)")
    }
}

impl HandleKey {
    /// A key from a secret that all nodes share.
    #[must_use]
    pub fn new(secret: &[u8; 32]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, secret))
    }

    /// The handle of a request: its JSON and the HMAC-SHA-256 of that, each in base64url.
    #[must_use]
    pub fn sign(&self, request: &AuthorizationRequest) -> String {
        let payload = URL_SAFE_NO_PAD.encode(serde_json::to_vec(request).unwrap_or_default());
        let mac = URL_SAFE_NO_PAD.encode(hmac::sign(&self.0, payload.as_bytes()));
        format!("{payload}.{mac}")
    }

    /// The request in a handle, unless it was altered or has lapsed.
    #[must_use]
    pub fn open(&self, handle: &str, now: OffsetDateTime) -> Option<AuthorizationRequest> {
        let (payload, mac) = handle.split_once('.')?;
        let mac = URL_SAFE_NO_PAD.decode(mac).ok()?;
        hmac::verify(&self.0, payload.as_bytes(), &mac).ok()?;
        let request: AuthorizationRequest =
            serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).ok()?).ok()?;
        (now < request.expires_at).then_some(request)
    }
}

#[cfg(test)]
mod tests {
    use pharos_domain::scope::Tier;
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-03-31 09:15 UTC);

    fn request() -> AuthorizationRequest {
        AuthorizationRequest {
            id: Uuid::now_v7(),
            client_id: Uuid::now_v7(),
            redirect_uri: "https://app.example/cb".to_owned(),
            scopes: Tier::Read.scopes(),
            state: Some("é".repeat(4096)),
            code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM".to_owned(),
            resource: "https://pharos.example".to_owned(),
            expires_at: NOW + LIFETIME,
        }
    }

    #[test]
    fn a_handle_gives_its_request_back_for_ten_minutes() {
        let key = HandleKey::new(&[7; 32]);
        let request = request();
        let handle = key.sign(&request);
        assert_eq!(key.open(&handle, NOW), Some(request.clone()));
        assert_eq!(
            key.open(&handle, NOW + LIFETIME - Duration::SECOND),
            Some(request)
        );
        assert_eq!(key.open(&handle, NOW + LIFETIME), None);
        assert_eq!(HandleKey::new(&[8; 32]).open(&handle, NOW), None);
    }

    #[test]
    fn a_handle_that_was_altered_is_none() {
        let key = HandleKey::new(&[7; 32]);
        let handle = key.sign(&request());
        for at in (0..handle.len()).step_by(97) {
            let mut altered = handle.clone().into_bytes();
            altered[at] = if altered[at] == b'A' { b'B' } else { b'A' };
            let altered = String::from_utf8(altered).unwrap();
            assert_eq!(key.open(&altered, NOW), None, "byte {at}");
        }
        assert_eq!(key.open("", NOW), None);
        assert_eq!(key.open(".", NOW), None);
    }
}
