//! The tokens that forms carry, so that no other site can have a browser send them.

use maud::{Markup, html};
use pharos_auth::secret::Secret;
use pharos_domain::hex::hex;
use ring::hmac;

/// The name of the field that carries the token.
pub(crate) const FIELD: &str = "token";

/// The hidden field of a form that carries this token.
pub(crate) fn field(token: &str) -> Markup {
    html! { input type="hidden" name=(FIELD) value=(token); }
}

/// Makes the tokens of forms, and checks them.
pub(crate) struct TokenKey(hmac::Key);

impl std::fmt::Debug for TokenKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TokenKey(…)")
    }
}

impl TokenKey {
    /// The key of forms, from a secret that all nodes share, and that other things are signed with too.
    pub(crate) fn of_forms(secret: &[u8; 32]) -> Self {
        Self::derived(secret, b"forms of the console")
    }

    /// The key of verifiers (RFC 7636), so that none needs to be kept until it is asked for. From the same secret.
    pub(crate) fn of_verifiers(secret: &[u8; 32]) -> Self {
        Self::derived(secret, b"verifiers of the console")
    }

    fn derived(secret: &[u8; 32], what_for: &[u8]) -> Self {
        let root = hmac::Key::new(hmac::HMAC_SHA256, secret);
        let derived = hmac::sign(&root, what_for);
        Self(hmac::Key::new(hmac::HMAC_SHA256, derived.as_ref()))
    }

    /// The token of the forms of one session, or of one visitor: an HMAC-SHA-256 of the cookie's secret, in hex.
    pub(crate) fn token(&self, of: &Secret) -> String {
        let mac = hmac::sign(&self.0, of.reveal().as_bytes());
        hex(mac.as_ref())
    }

    /// Whether a form's token is the one of this secret; compared in constant time.
    pub(crate) fn is_token(&self, text: &str, of: &Secret) -> bool {
        let bytes: Option<Vec<u8>> = text
            .as_bytes()
            .chunks(2)
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
            .collect();
        bytes.is_some_and(|mac| hmac::verify(&self.0, of.reveal().as_bytes(), &mac).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_good_for_its_own_secret_and_key() {
        let key = TokenKey::of_forms(&[7; 32]);
        let [mine, other] = [1, 2].map(|_| Secret::generate("pse_").unwrap());
        let token = key.token(&mine);
        assert_eq!(token.len(), 64);
        assert!(key.is_token(&token, &mine));
        assert!(!key.is_token(&token, &other));
        assert!(!TokenKey::of_verifiers(&[7; 32]).is_token(&token, &mine));
        assert!(!TokenKey::of_forms(&[8; 32]).is_token(&token, &mine));
        for bad in ["", "0", "é0", &token[..62], &format!("{token}00")] {
            assert!(!key.is_token(bad, &mine), "{bad}");
        }
    }
}
