//! The format of a key's secret, its digest, its prefix.
//!
//! `svc_live_` (production) or `svc_dev_` (elsewhere) and 43 characters: 32 random bytes in base64url. The bytes
//! come from the system's generator, so a plain SHA-256 of the secret can't be turned back.

use std::fmt;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::{
    digest,
    rand::{SecureRandom, SystemRandom},
};
use serde::{Deserialize, Serialize};

const RANDOM_BYTES: usize = 32;
const RANDOM_CHARS: usize = 43;
/// How much of a secret lists show.
pub const SHOWN_CHARS: usize = 16;

/// What an installation is for. Keys of one are worth nothing in the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Environment {
    /// Makes and accepts `svc_live_`.
    Production,
    /// Makes and accepts `svc_dev_`.
    Development,
}

impl Environment {
    /// What every key begins with.
    #[must_use]
    pub const fn key_prefix(self) -> &'static str {
        match self {
            Self::Production => "svc_live_",
            Self::Development => "svc_dev_",
        }
    }
}

/// A key's secret. It is shown once; neither log nor `Debug` ever has it.
pub struct KeySecret(String);

impl KeySecret {
    /// A new secret.
    ///
    /// # Errors
    /// The system has no randomness to give.
    pub fn generate(environment: Environment) -> Result<Self, NoRandomness> {
        let mut bytes = [0; RANDOM_BYTES];
        SystemRandom::new().fill(&mut bytes).map_err(|_| NoRandomness)?;
        Ok(Self(format!(
            "{}{}",
            environment.key_prefix(),
            URL_SAFE_NO_PAD.encode(bytes)
        )))
    }

    /// The secret in `text`, if it has the format of a key of this environment.
    #[must_use]
    pub fn parse(text: &str, environment: Environment) -> Option<Self> {
        let random = text.strip_prefix(environment.key_prefix())?;
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

    /// What is stored of it.
    #[must_use]
    pub fn digest(&self) -> SecretDigest {
        SecretDigest::of(&self.0)
    }

    /// What lists show of it.
    #[must_use]
    pub fn shown(&self) -> &str {
        &self.0[..SHOWN_CHARS]
    }
}

impl fmt::Debug for KeySecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeySecret(…)")
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

    #[test]
    fn a_secret_has_the_contract_s_format() {
        for (environment, prefix) in [
            (Environment::Production, "svc_live_"),
            (Environment::Development, "svc_dev_"),
        ] {
            let secret = KeySecret::generate(environment).unwrap();
            let text = secret.reveal();
            assert!(text.starts_with(prefix));
            assert_eq!(text.len(), prefix.len() + 43);
            assert_eq!(secret.shown(), &text[..16]);
            assert!(KeySecret::parse(text, environment).is_some());
            assert!(!format!("{secret:?}").contains(&text[prefix.len()..]));
        }
    }

    #[test]
    fn a_key_of_the_other_environment_is_none() {
        let live = KeySecret::generate(Environment::Production).unwrap();
        assert!(KeySecret::parse(live.reveal(), Environment::Development).is_none());
        for bad in [
            "",
            "svc_dev_",
            "svc_dev_short",
            &format!("svc_dev_{}", "a".repeat(44)),
            &format!("svc_dev_{}", "é".repeat(43)),
        ] {
            assert!(KeySecret::parse(bad, Environment::Development).is_none(), "{bad}");
        }
    }

    /// FIPS 180-4: the digest of "abc".
    #[test]
    fn the_digest_is_sha_256() {
        assert_eq!(
            SecretDigest::of("abc").0[..8],
            [0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea],
        );
    }
}
