//! The secrets that sign webhooks, as the Standard Webhooks specification has them.

use std::fmt;

use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use pharos_domain::secret::Secret;
use ring::{
    hmac,
    rand::{SecureRandom, SystemRandom},
};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The prefix of secrets that sign by HMAC with SHA-256.
const PREFIX: &str = "whsec_";
/// The bytes of a new secret; the specification asks for 24 to 64.
const SECRET_BYTES: usize = 32;

/// A secret that signs webhooks: `whsec_`, then its bytes in base64.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SigningSecret(Secret);

/// The system has no random numbers.
#[derive(Clone, Copy, Debug, Error)]
#[error("the system gives no random numbers")]
pub struct NoRandomness;

impl SigningSecret {
    /// A new secret.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn generate() -> Result<Self, NoRandomness> {
        let mut bytes = [0; SECRET_BYTES];
        SystemRandom::new().fill(&mut bytes).map_err(|_| NoRandomness)?;
        Ok(Self(Secret::from(format!("{PREFIX}{}", BASE64.encode(bytes)))))
    }

    /// The secret, as it is shown once.
    #[must_use]
    pub fn reveal(&self) -> &str {
        self.0.reveal()
    }

    /// The signature of the signed content; `None`: this is no secret of the specification.
    pub(super) fn sign(&self, content: &[u8]) -> Option<String> {
        let key = BASE64.decode(self.reveal().strip_prefix(PREFIX)?).ok()?;
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key), content);
        Some(format!("v1,{}", BASE64.encode(tag)))
    }
}

impl fmt::Debug for SigningSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_secret_is_another() {
        let (one, other) = (
            SigningSecret::generate().unwrap(),
            SigningSecret::generate().unwrap(),
        );
        assert_ne!(one, other);
        assert_eq!(format!("{one:?}"), "(set)");
    }
}
