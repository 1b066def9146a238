//! API keys: creating, rotating, revoking and listing them.

mod create;
mod list;
mod revoke;
mod rotate;
mod row;

use async_trait::async_trait;
use pharos_auth::keys::manage::{KeyDetails, KeyError, KeyRequest, KeyStore, NewSecret};
use pharos_domain::{
    audit::Actor,
    ids::{CredentialId, WorkspaceId},
    store::StoreError,
};
use pharos_persistence::{audit::By, pool::Database};
use time::OffsetDateTime;

/// API keys in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgKeyStore {
    database: Database,
}

impl PgKeyStore {
    /// The keys of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[async_trait]
impl KeyStore for PgKeyStore {
    async fn create(
        &self,
        id: CredentialId,
        key: &KeyRequest,
        secret: &NewSecret,
        most_live: u32,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<KeyDetails, KeyError> {
        let created = create::create(&self.database, id, key, secret, most_live, By { actor, now }).await?;
        // Nodes may remember that there is no such key.
        self.database.await_acknowledgement().await;
        Ok(created)
    }

    async fn rotate(
        &self,
        id: CredentialId,
        secret: &NewSecret,
        others_until: OffsetDateTime,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<KeyDetails, KeyError> {
        let rotated = rotate::rotate(&self.database, id, secret, others_until, By { actor, now }).await?;
        self.database.await_acknowledgement().await;
        Ok(rotated)
    }

    async fn revoke(
        &self,
        id: CredentialId,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<KeyDetails, KeyError> {
        let revoked = revoke::revoke(&self.database, id, By { actor, now }).await?;
        self.database.await_acknowledgement().await;
        Ok(revoked)
    }

    async fn list(&self, workspace: WorkspaceId) -> Result<Vec<KeyDetails>, StoreError> {
        list::list(&self.database, workspace).await
    }
}
