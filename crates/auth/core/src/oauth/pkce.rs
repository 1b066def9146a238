//! Proof Key for Code Exchange (RFC 7636): S256 alone.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::digest;

const CHALLENGE_CHARS: usize = 43;
const VERIFIER_CHARS: std::ops::RangeInclusive<usize> = 43..=128;

/// A code challenge: the SHA-256 of the verifier in base64url (section 4.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeChallenge(String);

impl CodeChallenge {
    /// The challenge in `text`, if it can be one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let fits = text.len() == CHALLENGE_CHARS && URL_SAFE_NO_PAD.decode(text).is_ok();
        fits.then(|| Self(text.to_owned()))
    }

    /// As it was sent.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The challenge that `verifier` meets (section 4.2); `None` where it can't be a verifier (section 4.1).
    #[must_use]
    pub fn of(verifier: &str) -> Option<Self> {
        let is_unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        let fits = VERIFIER_CHARS.contains(&verifier.len()) && verifier.bytes().all(is_unreserved);
        fits.then(|| Self(URL_SAFE_NO_PAD.encode(digest::digest(&digest::SHA256, verifier.as_bytes()))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 7636, appendix B.
    #[test]
    fn the_verifier_of_the_rfc_meets_its_challenge() {
        let challenge = CodeChallenge::parse("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
        assert!(challenge.is_some());
        assert_eq!(
            CodeChallenge::of("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
            challenge
        );
        assert_ne!(
            CodeChallenge::of("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXl"),
            challenge
        );
        assert_ne!(
            CodeChallenge::of("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
            challenge,
            "plain"
        );
    }

    #[test]
    fn a_verifier_has_43_to_128_unreserved_characters() {
        for bad in [
            "",
            &"a".repeat(42),
            &"a".repeat(129),
            &format!("{} ", "a".repeat(43)),
            &"é".repeat(43),
        ] {
            assert_eq!(CodeChallenge::of(bad), None, "{bad}");
        }
        assert!(CodeChallenge::of(&"~".repeat(128)).is_some());
    }

    #[test]
    fn what_is_no_sha_256_in_base64url_is_no_challenge() {
        for bad in [
            "",
            "short",
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw+cM",
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM=",
        ] {
            assert!(CodeChallenge::parse(bad).is_none(), "{bad}");
        }
    }
}
