//! Reads of views.

mod alert_metrics;
mod asked;
mod behaviour;
mod causes;
mod chosen;
mod errors;
mod figures;
mod impact;
mod loads;
mod pages;
mod slices;
mod speed;
mod trends;

use async_trait::async_trait;
use diesel::{
    OptionalExtension, QueryableByName,
    sql_types::{BigInt, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{identity::DomainAccess, store::StoreError, window::DateRange};
use pharos_persistence::{failure::read_failure, pool::Database, sql};
use pharos_vitals::{
    overview::{SiteFigures, ViewFilter},
    store::{Received, VitalsReads},
};
use time::OffsetDateTime;

/// Reads of views, in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgVitalsReads {
    database: Database,
}

impl PgVitalsReads {
    /// The reads of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(QueryableByName)]
struct ReceivedRow {
    #[diesel(sql_type = Timestamptz)]
    first_at: OffsetDateTime,
    #[diesel(sql_type = Timestamptz)]
    last_at: OffsetDateTime,
    #[diesel(sql_type = BigInt)]
    views_of_a_day: i64,
    #[diesel(sql_type = Nullable<Text>)]
    beacon_version: Option<String>,
}

#[async_trait]
impl VitalsReads for PgVitalsReads {
    async fn received(
        &self,
        domain: &DomainAccess,
        now: OffsetDateTime,
    ) -> Result<Option<Received>, StoreError> {
        // All views of a day are counted.
        let _share = self
            .database
            .long_read_share(domain.workspace().workspace().id.0)
            .await?;
        let mut connection = self.database.long_read().await?;
        let query = sql!("received.sql")
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<Timestamptz, _>(now);
        let row: Option<ReceivedRow> = query
            .get_result(&mut connection)
            .await
            .optional()
            .map_err(read_failure)?;
        Ok(row.map(|row| Received {
            first_at: row.first_at,
            last_at: row.last_at,
            views_of_a_day: row.views_of_a_day.unsigned_abs(),
            beacon_version: row.beacon_version,
        }))
    }

    async fn figures(
        &self,
        domain: &DomainAccess,
        days: DateRange,
        filter: &ViewFilter,
        percent: u8,
    ) -> Result<SiteFigures, StoreError> {
        let mut connection = self.database.long_read().await?;
        figures::read(&mut connection, domain.id(), days, filter, percent).await
    }
}
