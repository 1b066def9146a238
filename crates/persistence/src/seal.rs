//! Secrets in rows, sealed by a secret that all nodes share.

use std::sync::OnceLock;

use pharos_domain::{
    sealing::{SealError, SealingKey},
    store::StoreError,
};
use serde::{Serialize, de::DeserializeOwned};
use uuid::Uuid;

use crate::pool::Database;

/// The form of what is stored: its first byte.
const FORM: u8 = 1;

/// The key of the secrets of one table, which is read when it is first needed. It is asked for before a connection of the pool is
/// taken, since reading it takes one.
#[derive(Debug)]
pub struct Seal {
    name: &'static str,
    key: OnceLock<RowKey>,
}

/// Seals and opens the secrets of rows. Whoever moves a sealed value to another row finds it broken there.
#[derive(Debug)]
pub struct RowKey(SealingKey);

impl Seal {
    /// That of the shared secret of this name.
    #[must_use]
    pub const fn of(name: &'static str) -> Self {
        Self {
            name,
            key: OnceLock::new(),
        }
    }

    /// The key.
    ///
    /// # Errors
    /// The store failed, or the system has no randomness.
    pub async fn key(&self, database: &Database) -> Result<&RowKey, StoreError> {
        if let Some(key) = self.key.get() {
            return Ok(key);
        }
        let secret = database.shared_secret(self.name).await?;
        let key = RowKey(SealingKey::new(&secret).map_err(failed)?);
        Ok(self.key.get_or_init(|| key))
    }
}

impl RowKey {
    /// The secrets of a row, sealed.
    ///
    /// # Errors
    /// The system has no randomness, or they have no form in JSON.
    pub fn close(&self, row: Uuid, secrets: &impl Serialize) -> Result<Vec<u8>, StoreError> {
        let mut sealed = self.0.seal(row, secrets).map_err(failed)?;
        sealed.insert(0, FORM);
        Ok(sealed)
    }

    /// The secrets of a row.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`]: they were sealed by another key or for another row, were altered, or are others.
    pub fn open<T: DeserializeOwned>(&self, row: Uuid, sealed: &[u8]) -> Result<T, StoreError> {
        let broken = || StoreError::Corrupt(format!("the secrets of {row} can't be opened"));
        let sealed = sealed.strip_prefix(&[FORM]).ok_or_else(broken)?;
        self.0.open(row, sealed).map_err(|_| broken())
    }
}

fn failed(why: SealError) -> StoreError {
    StoreError::Failed(format!("secrets can't be sealed: {why}").into())
}

#[cfg(test)]
mod tests {
    use pharos_domain::{sealing::KEY_BYTES, secret::Secret};

    use super::*;

    #[test]
    fn a_row_alone_has_its_secrets() {
        let key = RowKey(SealingKey::new(&[7; KEY_BYTES]).unwrap());
        let (row, other) = (Uuid::now_v7(), Uuid::now_v7());
        let secret = Secret::from("hunter2".to_owned());
        let sealed = key.close(row, &secret).unwrap();
        assert!(!sealed.windows(7).any(|bytes| bytes == b"hunter2"));
        assert_eq!(key.open::<Secret>(row, &sealed).unwrap(), secret);
        for (row, sealed) in [(other, &sealed[..]), (row, &sealed[1..]), (row, &sealed[..0])] {
            let broken = key.open::<Secret>(row, sealed).unwrap_err();
            assert!(matches!(broken, StoreError::Corrupt(_)), "{broken}");
        }
        assert_eq!(format!("{key:?}"), "RowKey(SealingKey)");
    }
}
