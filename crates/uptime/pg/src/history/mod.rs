//! What checks of the past come to.

pub(super) mod bytes;
pub(super) mod cut;
pub(super) mod grain;
pub(super) mod hours;
mod read;
pub(super) mod rolled;
mod sums;

use async_trait::async_trait;
use diesel::QueryDsl;
use diesel_async::RunQueryDsl;
use pharos_domain::{identity::DomainAccess, store::StoreError};
use pharos_persistence::{
    failure::{Abort, failure, read_failure},
    pool::Database,
};
use pharos_uptime::history::{HistoryStore, Question, RegionPlace, Told};
use time::OffsetDateTime;

use crate::schema::regions;

/// History in PostgreSQL: roll-ups, and the checks of what is not rolled up yet.
#[derive(Clone, Debug)]
pub struct PgHistoryStore {
    database: Database,
}

impl PgHistoryStore {
    /// The history in `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[async_trait]
impl HistoryStore for PgHistoryStore {
    async fn tell(
        &self,
        domain: &DomainAccess,
        questions: &[Question],
        edges: &[OffsetDateTime],
        region: Option<&str>,
    ) -> Result<Told, StoreError> {
        let mut connection = self.database.long_read().await?;
        // Of one moment: between two statements a day could be rolled up, or a check come late.
        connection
            .build_transaction()
            .read_only()
            .repeatable_read()
            .run::<_, Abort<StoreError>, _>(async |connection| {
                read::read(connection, domain.id(), questions, edges, region).await
            })
            .await
            .map_err(|abort| match abort {
                Abort::Database(error) => read_failure(error),
                Abort::Port(error) => error,
            })
    }

    async fn places(&self) -> Result<Vec<RegionPlace>, StoreError> {
        let reader = self.database.reader().await?;
        type Row = (String, Option<String>, Option<String>, Option<String>);
        let rows: Vec<Row> = regions::table
            .order(regions::key)
            .select((regions::key, regions::name, regions::continent, regions::country))
            .load(&mut &*reader)
            .await
            .map_err(failure)?;
        Ok(rows
            .into_iter()
            .map(|(key, name, continent, country)| RegionPlace {
                key,
                name,
                continent,
                country,
            })
            .collect())
    }
}
