//! Random secrets, and what is stored of them.
//!
//! A secret is a prefix that says what it is for, and 43 characters: 32 random bytes in base64url. The bytes come from
//! the system's generator, so a plain SHA-256 of the secret can't be turned back.

use std::fmt;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::{
    digest,
    rand::{SecureRandom, SystemRandom},
};

const RANDOM_BYTES: usize = 32;
const RANDOM_CHARS: usize = 43;

/// A secret that someone else keeps. It is shown once; neither log nor `Debug` ever has it.
pub struct Secret(String);

impl Secret {
    /// A new secret.
    ///
    /// # Errors
    /// The system has no randomness to give.
    pub fn generate(prefix: &str) -> Result<Self, NoRandomness> {
        let mut bytes = [0; RANDOM_BYTES];
        SystemRandom::new().fill(&mut bytes).map_err(|_| NoRandomness)?;
        Ok(Self(format!("{prefix}{}", URL_SAFE_NO_PAD.encode(bytes))))
    }

    /// The secret in `text`, if it has the format of one with this prefix.
    #[must_use]
    pub fn parse(text: &str, prefix: &str) -> Option<Self> {
        let random = text.strip_prefix(prefix)?;
        let fits = random.len() == RANDOM_CHARS
            && random
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
        fits.then(|| Self(text.to_owned()))
    }

    /// The secret itself, to be shown once.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Its digest, which is stored in its place.
    #[must_use]
    pub fn digest(&self) -> SecretDigest {
        SecretDigest::of(&self.0)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// The system has no randomness to give.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("the system's random number generator failed")]
pub struct NoRandomness;

/// The SHA-256 of a secret.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SecretDigest(pub [u8; 32]);

impl SecretDigest {
    /// The digest of `text`.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(digest::digest(&digest::SHA256, text.as_bytes()).as_ref());
        Self(bytes)
    }
}

impl fmt::Debug for SecretDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretDigest(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 180-4: the digest of "abc".
    #[test]
    fn the_digest_is_sha_256() {
        assert_eq!(
            SecretDigest::of("abc").0[..8],
            [0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea],
        );
    }
}
