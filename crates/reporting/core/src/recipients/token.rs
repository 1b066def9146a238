//! The secret of the link by which a recipient says yes. Only its digest is kept.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use pharos_domain::secret::Secret;
use ring::{
    digest::{SHA256, digest},
    rand::{SecureRandom, SystemRandom},
};

/// 43 characters: 32 random bytes.
const LENGTH: usize = 43;

/// The system has no random numbers to give.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the system has no random numbers to give")]
pub struct NoRandomness;

/// The SHA-256 of a link's secret.
#[derive(Clone, PartialEq, Eq)]
pub struct TokenDigest(Vec<u8>);

impl std::fmt::Debug for TokenDigest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TokenDigest(…)")
    }
}

impl TokenDigest {
    /// That of the secret in a link; `None`: it is none.
    #[must_use]
    pub fn of_link(text: &str) -> Option<Self> {
        (text.len() == LENGTH).then(|| Self::of(text))
    }

    /// The bytes that are kept.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    fn of(text: &str) -> Self {
        Self(digest(&SHA256, text.as_bytes()).as_ref().to_vec())
    }
}

/// A new secret with its digest.
///
/// # Errors
/// The system has no random numbers.
pub fn new_token() -> Result<(Secret, TokenDigest), NoRandomness> {
    let mut bytes = [0; 32];
    SystemRandom::new().fill(&mut bytes).map_err(|_| NoRandomness)?;
    let text = BASE64_URL_SAFE_NO_PAD.encode(bytes);
    let digest = TokenDigest::of(&text);
    Ok((Secret::from(text), digest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_of_a_link_is_that_of_its_secret() {
        let (secret, digest) = new_token().unwrap();
        assert_eq!(TokenDigest::of_link(secret.reveal()), Some(digest));
        assert_eq!(TokenDigest::of_link("x"), None);
        assert!(!format!("{:?}", new_token().unwrap()).contains(secret.reveal()));
    }
}
