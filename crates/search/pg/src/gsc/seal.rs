//! Credentials at rest.

use pharos_domain::{ids::SearchAccountId, store::StoreError};
use pharos_persistence::{
    pool::Database,
    seal::{self, SealedColumn},
};
use pharos_search::google::account::Credentials;

/// The credentials of accounts.
pub(crate) const SEALED: SealedColumn = SealedColumn {
    table: "search_accounts",
    column: "sealed",
};

/// Seals and opens credentials.
#[derive(Debug)]
pub(super) struct Seal(seal::Seal);

impl Default for Seal {
    fn default() -> Self {
        Self(seal::Seal::of(SEALED))
    }
}

impl Seal {
    pub(super) async fn close(
        &self,
        database: &Database,
        account: SearchAccountId,
        credentials: &Credentials,
    ) -> Result<Vec<u8>, StoreError> {
        self.0.keys(database).await?.close(account.0, credentials)
    }

    pub(super) async fn open(
        &self,
        database: &Database,
        account: SearchAccountId,
        sealed: &[u8],
    ) -> Result<Credentials, StoreError> {
        let keys = self.0.keys(database).await?;
        keys.open(account.0, sealed)
            .map_err(|_| StoreError::Corrupt(format!("the credentials of account {account} can't be opened")))
    }
}
