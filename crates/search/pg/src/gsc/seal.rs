//! Credentials at rest: sealed with a secret that all nodes share.

use std::sync::OnceLock;

use pharos_domain::{
    ids::SearchAccountId,
    sealing::{SealError, SealingKey},
    store::StoreError,
};
use pharos_persistence::pool::Database;
use pharos_search::google::account::Credentials;

/// The name of the secret.
const SECRET: &str = "search_accounts";
/// The form of what is stored: its first byte.
const FORM: u8 = 1;

/// Seals and opens credentials. Whoever moves a sealed value to another account finds it broken there.
#[derive(Debug, Default)]
pub(super) struct Seal {
    key: OnceLock<SealingKey>,
}

impl Seal {
    async fn key(&self, database: &Database) -> Result<&SealingKey, StoreError> {
        if let Some(key) = self.key.get() {
            return Ok(key);
        }
        let secret = database.shared_secret(SECRET).await?;
        let key = SealingKey::new(&secret).map_err(failed)?;
        Ok(self.key.get_or_init(|| key))
    }

    pub(super) async fn close(
        &self,
        database: &Database,
        account: SearchAccountId,
        credentials: &Credentials,
    ) -> Result<Vec<u8>, StoreError> {
        let key = self.key(database).await?;
        let mut sealed = key.seal(account.0, credentials).map_err(failed)?;
        sealed.insert(0, FORM);
        Ok(sealed)
    }

    pub(super) async fn open(
        &self,
        database: &Database,
        account: SearchAccountId,
        sealed: &[u8],
    ) -> Result<Credentials, StoreError> {
        let broken = || StoreError::Corrupt(format!("the credentials of account {account} can't be opened"));
        let key = self.key(database).await?;
        let sealed = sealed.strip_prefix(&[FORM]).ok_or_else(broken)?;
        key.open(account.0, sealed).map_err(|_| broken())
    }
}

fn failed(why: SealError) -> StoreError {
    StoreError::Failed(format!("credentials can't be sealed: {why}").into())
}
