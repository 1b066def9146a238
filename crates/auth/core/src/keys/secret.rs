//! The format of a key's secret and its prefix: `svc_live_` (production) or `svc_dev_` (elsewhere) and 43 characters.

use serde::{Deserialize, Serialize};

use crate::secret::{NoRandomness, Secret, SecretDigest};

/// How much of a secret lists show.
pub const SHOWN_CHARS: usize = 16;

/// Whether an installation is for production or for development. Keys of one are worth nothing in the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Environment {
    /// Makes and accepts `svc_live_`.
    Production,
    /// Makes and accepts `svc_dev_`.
    Development,
}

impl Environment {
    /// The prefix that every key begins with.
    #[must_use]
    pub const fn key_prefix(self) -> &'static str {
        match self {
            Self::Production => "svc_live_",
            Self::Development => "svc_dev_",
        }
    }
}

/// A key's secret. It is shown once; neither log nor `Debug` ever has it.
#[derive(Debug)]
pub struct KeySecret(Secret);

impl KeySecret {
    /// A new secret.
    ///
    /// # Errors
    /// The system has no randomness to give.
    pub fn generate(environment: Environment) -> Result<Self, NoRandomness> {
        Secret::generate(environment.key_prefix()).map(Self)
    }

    /// The secret in `text`, if it has the format of a key of this environment.
    #[must_use]
    pub fn parse(text: &str, environment: Environment) -> Option<Self> {
        Secret::parse(text, environment.key_prefix()).map(Self)
    }

    /// The secret itself, to be shown once.
    #[must_use]
    pub fn reveal(&self) -> &str {
        self.0.reveal()
    }

    /// Its digest, which is stored in its place.
    #[must_use]
    pub fn digest(&self) -> SecretDigest {
        self.0.digest()
    }

    /// The beginning of the secret, which lists show.
    #[must_use]
    pub fn shown(&self) -> &str {
        &self.reveal()[..SHOWN_CHARS]
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
}
