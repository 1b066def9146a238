//! Credentials at rest.

use pharos_domain::{ids::SearchAccountId, store::StoreError};
use pharos_persistence::{pool::Database, seal};
use pharos_search::google::account::Credentials;

/// The name of the secret.
const SECRET: &str = "search_accounts";

/// Seals and opens credentials.
#[derive(Debug)]
pub(super) struct Seal(seal::Seal);

impl Default for Seal {
    fn default() -> Self {
        Self(seal::Seal::of(SECRET))
    }
}

impl Seal {
    pub(super) async fn close(
        &self,
        database: &Database,
        account: SearchAccountId,
        credentials: &Credentials,
    ) -> Result<Vec<u8>, StoreError> {
        self.0.key(database).await?.close(account.0, credentials)
    }

    pub(super) async fn open(
        &self,
        database: &Database,
        account: SearchAccountId,
        sealed: &[u8],
    ) -> Result<Credentials, StoreError> {
        let key = self.0.key(database).await?;
        key.open(account.0, sealed)
            .map_err(|_| StoreError::Corrupt(format!("the credentials of account {account} can't be opened")))
    }
}
