//! Secrets at rest: encrypted, so that whoever reads their rows alone does not have them. The key lies elsewhere, such as in another
//! table.

use base64::{Engine, prelude::BASE64_STANDARD};
use ring::{
    aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    rand::{SecureRandom, SystemRandom},
};
use serde::{Serialize, de::DeserializeOwned};
use uuid::Uuid;

/// The length of a key, in bytes.
pub const KEY_BYTES: usize = 32;

/// Seals and opens secrets: their JSON by AES-256-GCM, as the nonce and then the text with its tag. A secret that is sealed for
/// one owner can't be opened as another's.
pub struct SealingKey(LessSafeKey);

/// Why secrets can't be sealed or opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    /// The key has another length.
    #[error("a key is 32 bytes in base64")]
    Key,
    /// The system has no randomness.
    #[error("the system has no randomness")]
    Randomness,
    /// They have no form in JSON, or can't be encrypted.
    #[error("the secrets can't be sealed")]
    Unsealed,
    /// They were sealed by another key or for another owner, were altered, or are others than were expected.
    #[error("the secrets can't be opened")]
    Sealed,
}

impl std::fmt::Debug for SealingKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SealingKey")
    }
}

impl SealingKey {
    /// The key of these bytes.
    ///
    /// # Errors
    /// The system can't use it.
    pub fn new(bytes: &[u8; KEY_BYTES]) -> Result<Self, SealError> {
        UnboundKey::new(&AES_256_GCM, bytes)
            .map(|key| Self(LessSafeKey::new(key)))
            .map_err(|_| SealError::Key)
    }

    /// The key of this text, which is base64.
    ///
    /// # Errors
    /// It is not 32 bytes long.
    pub fn of_text(text: &str) -> Result<Self, SealError> {
        let bytes = BASE64_STANDARD.decode(text.trim()).map_err(|_| SealError::Key)?;
        let bytes = bytes.try_into().map_err(|_| SealError::Key)?;
        Self::new(&bytes)
    }

    /// A new key, as text.
    ///
    /// # Errors
    /// The system has no randomness.
    pub fn generate() -> Result<String, SealError> {
        random::<KEY_BYTES>().map(|bytes| BASE64_STANDARD.encode(bytes))
    }

    /// Seals the secrets of an owner.
    ///
    /// # Errors
    /// The system has no randomness, or they have no form in JSON.
    pub fn seal(&self, owner: Uuid, secrets: &impl Serialize) -> Result<Vec<u8>, SealError> {
        let nonce = random::<NONCE_LEN>()?;
        let mut text = serde_json::to_vec(secrets).map_err(|_| SealError::Unsealed)?;
        self.0
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                Aad::from(owner.as_bytes()),
                &mut text,
            )
            .map_err(|_| SealError::Unsealed)?;
        Ok([nonce.as_slice(), &text].concat())
    }

    /// Opens the secrets of an owner.
    ///
    /// # Errors
    /// They were sealed by another key or for another owner, were altered, or are others.
    pub fn open<T: DeserializeOwned>(&self, owner: Uuid, sealed: &[u8]) -> Result<T, SealError> {
        let (nonce, text) = sealed.split_first_chunk::<NONCE_LEN>().ok_or(SealError::Sealed)?;
        let mut text = text.to_vec();
        let text = self
            .0
            .open_in_place(
                Nonce::assume_unique_for_key(*nonce),
                Aad::from(owner.as_bytes()),
                &mut text,
            )
            .map_err(|_| SealError::Sealed)?;
        serde_json::from_slice(text).map_err(|_| SealError::Sealed)
    }
}

fn random<const LENGTH: usize>() -> Result<[u8; LENGTH], SealError> {
    let mut bytes = [0; LENGTH];
    SystemRandom::new()
        .fill(&mut bytes)
        .map_err(|_| SealError::Randomness)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use uuid::uuid;

    use super::*;
    use crate::secret::Secret;

    #[test]
    fn secrets_are_opened_by_their_key_and_for_their_owner_alone() {
        let secret = Secret::from("hunter2".to_owned());
        let key = SealingKey::of_text(&SealingKey::generate().unwrap()).unwrap();
        let owner = Uuid::now_v7();
        let sealed = key.seal(owner, &secret).unwrap();
        assert!(!sealed.windows(7).any(|bytes| bytes == b"hunter2"));
        assert_ne!(sealed, key.seal(owner, &secret).unwrap(), "a nonce is used once");
        assert_eq!(key.open(owner, &sealed), Ok(secret));
        assert_eq!(
            key.open::<Secret>(Uuid::now_v7(), &sealed),
            Err(SealError::Sealed)
        );
        assert_eq!(
            key.open::<u8>(owner, &sealed),
            Err(SealError::Sealed),
            "it is no number"
        );
        let other = SealingKey::new(&[1; KEY_BYTES]).unwrap();
        assert_eq!(other.open::<Secret>(owner, &sealed), Err(SealError::Sealed));
        let mut altered = sealed;
        altered[20] ^= 1;
        assert_eq!(key.open::<Secret>(owner, &altered), Err(SealError::Sealed));
        assert_eq!(key.open::<Secret>(owner, &[]), Err(SealError::Sealed));
        assert_eq!(SealingKey::of_text("c2hvcnQ=").err(), Some(SealError::Key));
    }

    /// Sealed by Python's `cryptography`: the nonce 00 to 0b, then what `AESGCM.encrypt` gives.
    #[test]
    fn what_is_stored_is_opened_by_later_versions() {
        let sealed = BASE64_STANDARD
            .decode("AAECAwQFBgcICQoLOumcHmlsq3tVoq1VZ7hhCYJBYRudRhAAVg==")
            .unwrap();
        let key = SealingKey::new(&[7; KEY_BYTES]).unwrap();
        let owner = uuid!("0195c0de-7a4e-7c31-9d52-3f1f0b6a8e31");
        assert_eq!(key.open(owner, &sealed), Ok(Secret::from("hunter2".to_owned())));
    }
}
