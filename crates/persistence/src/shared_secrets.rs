//! Secrets that all nodes of an installation share.

use diesel::{ExpressionMethods, QueryDsl};
use diesel_async::RunQueryDsl;
use pharos_domain::store::StoreError;
use ring::rand::{SecureRandom, SystemRandom};

use crate::{failure::failure, pool::Database, schema::shared_secrets};

impl Database {
    /// The secret of that name: 256 random bits, the same for every node, made by the first that asks.
    ///
    /// # Errors
    /// The store failed, or the system has no randomness.
    pub async fn shared_secret(&self, name: &str) -> Result<[u8; 32], StoreError> {
        let fresh = fresh()?;
        let mut connection = self.connection().await?;
        diesel::insert_into(shared_secrets::table)
            .values((
                shared_secrets::name.eq(name),
                shared_secrets::value.eq(fresh.as_slice()),
            ))
            .on_conflict_do_nothing()
            .execute(&mut connection)
            .await
            .map_err(failure)?;
        let kept: Vec<u8> = shared_secrets::table
            .find(name)
            .select(shared_secrets::value)
            .first(&mut connection)
            .await
            .map_err(failure)?;
        kept.try_into()
            .map_err(|_| StoreError::Corrupt(format!("the shared secret {name} is not 32 bytes long")))
    }
}

/// 256 random bits.
pub(crate) fn fresh() -> Result<[u8; 32], StoreError> {
    let mut fresh = [0; 32];
    SystemRandom::new()
        .fill(&mut fresh)
        .map_err(|_| StoreError::Failed("the system has no randomness".into()))?;
    Ok(fresh)
}
