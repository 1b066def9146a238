//! The salts of days.

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{Binary, Date as SqlDate, Nullable},
};
use diesel_async::RunQueryDsl;
use pharos_domain::store::StoreError;
use pharos_ingest::visitor::{Salt, SaltStore};
use pharos_persistence::{failure::failure, pool::Database, sql};
use ring::rand::{SecureRandom, SystemRandom};
use time::Date;

/// The salts in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgSaltStore {
    database: Database,
}

impl PgSaltStore {
    /// The salts of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(QueryableByName)]
struct SaltRow {
    #[diesel(sql_type = Nullable<Binary>)]
    salt: Option<Vec<u8>>,
}

#[async_trait]
impl SaltStore for PgSaltStore {
    async fn of(&self, day: Date) -> Result<Option<Salt>, StoreError> {
        let mut fresh = [0; 32];
        SystemRandom::new()
            .fill(&mut fresh)
            .map_err(|_| StoreError::Failed("the system has no randomness".into()))?;
        let mut connection = self.database.connection().await?;
        let query = sql!(text "SELECT collect_salt($1, $2) AS salt")
            .bind::<SqlDate, _>(day)
            .bind::<Binary, _>(fresh.as_slice());
        let SaltRow { salt } = query.get_result(&mut connection).await.map_err(failure)?;
        let kept = salt.map(|salt| salt.try_into().map(Salt)).transpose();
        kept.map_err(|_| StoreError::Corrupt(format!("the salt of {day} is not 32 bytes long")))
    }

    async fn forget(&self) -> Result<(), StoreError> {
        forget(&self.database).await
    }
}

/// Drops the salts of days that ended more than an hour ago, by the database's clock.
///
/// # Errors
/// The database failed.
pub(crate) async fn forget(database: &Database) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    let query = sql!(text "DELETE FROM collect_salts WHERE day < (now() AT TIME ZONE 'UTC' - interval '1 hour')::date");
    query.execute(&mut connection).await.map(|_| ()).map_err(failure)
}
