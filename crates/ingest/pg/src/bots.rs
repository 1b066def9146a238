//! How many beacons of bots there were.

use async_trait::async_trait;
use diesel::sql_types::{Array, BigInt, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_ingest::bots::BotStore;
use pharos_persistence::{failure::failure, pool::Database, sql};
use time::OffsetDateTime;
use uuid::Uuid;

/// How long the counts are kept, as PostgreSQL says it.
const KEPT: &str = "13 months";

/// The counts in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgBotStore {
    database: Database,
}

impl PgBotStore {
    /// The counts of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[async_trait]
impl BotStore for PgBotStore {
    async fn add(&self, counts: &[(DomainId, u32)]) -> Result<(), StoreError> {
        let (domains, beacons): (Vec<Uuid>, Vec<i64>) = counts
            .iter()
            .map(|(domain, beacons)| (domain.0, i64::from(*beacons)))
            .unzip();
        let mut connection = self.database.connection().await?;
        let query = sql!("add_bots.sql")
            .bind::<Array<SqlUuid>, _>(domains)
            .bind::<Array<BigInt>, _>(beacons);
        query.execute(&mut connection).await.map(|_| ()).map_err(failure)
    }
}

/// Drops the counts that are kept no more.
///
/// # Errors
/// The database failed.
pub(crate) async fn forget(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    let query = sql!(text "DELETE FROM collect_bots WHERE day < day_before($1, $2)::date")
        .bind::<Timestamptz, _>(now)
        .bind::<Text, _>(KEPT);
    query.execute(&mut connection).await.map(|_| ()).map_err(failure)
}
