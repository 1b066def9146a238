//! Secrets at rest: encrypted by a key that the database does not have.

use base64::{Engine, prelude::BASE64_STANDARD};
use pharos_domain::secret::Secret;
use ring::{
    aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    rand::{SecureRandom, SystemRandom},
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The length of a key, in bytes.
pub const KEY_BYTES: usize = 32;

/// The secrets by which a page is reached. They are never shown to anybody.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageSecrets {
    /// User and password of HTTP's basic authentication.
    pub basic_auth: Option<BasicAuth>,
    /// The value of a `Cookie` header.
    pub cookie: Option<Secret>,
}

/// User and password.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BasicAuth {
    /// The user.
    pub username: String,
    /// The password.
    pub password: Secret,
}

impl PageSecrets {
    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.basic_auth.is_none() && self.cookie.is_none()
    }
}

/// Seals and opens secrets (AES-256-GCM). What is sealed for one page can't be opened as another's.
pub struct SealingKey(LessSafeKey);

/// Why secrets can't be sealed or opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    /// The key has another length.
    #[error("secret_key is 32 bytes in base64")]
    Key,
    /// The system has no randomness.
    #[error("the system has no randomness")]
    Randomness,
    /// They were sealed by another key, or were altered.
    #[error("the secrets of the page can't be opened: they were sealed by another secret_key; set them anew")]
    Sealed,
}

impl std::fmt::Debug for SealingKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SealingKey")
    }
}

impl SealingKey {
    /// The key of these bytes.
    #[must_use]
    pub fn new(bytes: &[u8; KEY_BYTES]) -> Option<Self> {
        UnboundKey::new(&AES_256_GCM, bytes)
            .ok()
            .map(LessSafeKey::new)
            .map(Self)
    }

    /// The key of this text, which is base64.
    ///
    /// # Errors
    /// It is not 32 bytes long.
    pub fn of_text(text: &str) -> Result<Self, SealError> {
        let bytes = BASE64_STANDARD.decode(text.trim()).map_err(|_| SealError::Key)?;
        let bytes = bytes.try_into().map_err(|_| SealError::Key)?;
        Self::new(&bytes).ok_or(SealError::Key)
    }

    /// A new key, as text.
    ///
    /// # Errors
    /// The system has no randomness.
    pub fn generate() -> Result<String, SealError> {
        let mut bytes = [0; KEY_BYTES];
        SystemRandom::new()
            .fill(&mut bytes)
            .map_err(|_| SealError::Randomness)?;
        Ok(BASE64_STANDARD.encode(bytes))
    }

    /// Seals the secrets of a page.
    ///
    /// # Errors
    /// The system has no randomness.
    pub fn seal(&self, page: Uuid, secrets: &PageSecrets) -> Result<Vec<u8>, SealError> {
        let mut nonce = [0; NONCE_LEN];
        SystemRandom::new()
            .fill(&mut nonce)
            .map_err(|_| SealError::Randomness)?;
        let mut text = serde_json::to_vec(secrets).map_err(|_| SealError::Sealed)?;
        self.0
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                Aad::from(page.as_bytes()),
                &mut text,
            )
            .map_err(|_| SealError::Sealed)?;
        Ok([nonce.as_slice(), &text].concat())
    }

    /// Opens the secrets of a page.
    ///
    /// # Errors
    /// They were sealed by another key, for another page, or were altered.
    pub fn open(&self, page: Uuid, sealed: &[u8]) -> Result<PageSecrets, SealError> {
        let (nonce, text) = sealed.split_at_checked(NONCE_LEN).ok_or(SealError::Sealed)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| SealError::Sealed)?;
        let mut text = text.to_vec();
        let text = self
            .0
            .open_in_place(nonce, Aad::from(page.as_bytes()), &mut text)
            .map_err(|_| SealError::Sealed)?;
        serde_json::from_slice(text).map_err(|_| SealError::Sealed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_opened_by_their_key_and_for_their_page_alone() {
        let secrets = PageSecrets {
            basic_auth: Some(BasicAuth {
                username: "staging".to_owned(),
                password: "hunter2".to_owned().into(),
            }),
            cookie: None,
        };
        let key = SealingKey::of_text(&SealingKey::generate().unwrap()).unwrap();
        let page = Uuid::now_v7();
        let sealed = key.seal(page, &secrets).unwrap();
        assert!(!sealed.windows(7).any(|bytes| bytes == b"hunter2"));
        assert_ne!(sealed, key.seal(page, &secrets).unwrap(), "a nonce is used once");
        assert_eq!(key.open(page, &sealed), Ok(secrets));
        assert_eq!(key.open(Uuid::now_v7(), &sealed), Err(SealError::Sealed));
        let other = SealingKey::new(&[1; KEY_BYTES]).unwrap();
        assert_eq!(other.open(page, &sealed), Err(SealError::Sealed));
        let mut altered = sealed;
        altered[20] ^= 1;
        assert_eq!(key.open(page, &altered), Err(SealError::Sealed));
        assert_eq!(key.open(page, &[]), Err(SealError::Sealed));
        assert_eq!(SealingKey::of_text("c2hvcnQ=").err(), Some(SealError::Key));
    }
}
