//! The checks of the past, summed up.

pub(super) mod hours;
mod read;
pub(super) mod rolled;
pub(super) mod rollup_row;
pub(super) mod sums;

use async_trait::async_trait;
use diesel::{
    QueryDsl, SelectableHelper,
    prelude::{Queryable, Selectable},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{identity::DomainAccess, store::StoreError};
use pharos_persistence::{
    failure::{Abort, failure, read_failure},
    pool::Database,
};
use pharos_uptime::history::{History, HistoryQuery, HistoryStore, RegionPlace};
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

#[derive(Queryable, Selectable)]
#[diesel(table_name = regions)]
#[diesel(check_for_backend(diesel::pg::Pg))]
struct PlaceRow {
    key: String,
    name: Option<String>,
    continent: Option<String>,
    country: Option<String>,
}

impl From<PlaceRow> for RegionPlace {
    fn from(row: PlaceRow) -> Self {
        Self {
            key: row.key,
            name: row.name,
            continent: row.continent,
            country: row.country,
        }
    }
}

#[async_trait]
impl HistoryStore for PgHistoryStore {
    async fn aggregate(
        &self,
        domain: &DomainAccess,
        queries: &[HistoryQuery],
        edges: &[OffsetDateTime],
        region: Option<&str>,
    ) -> Result<History, StoreError> {
        let mut connection = self.database.long_read().await?;
        // Between two statements of other moments a day could be rolled up, or a check come late.
        connection
            .build_transaction()
            .read_only()
            .repeatable_read()
            .run::<_, Abort<StoreError>, _>(async |connection| {
                read::read(connection, domain.id(), queries, edges, region).await
            })
            .await
            .map_err(|abort| match abort {
                Abort::Database(error) => read_failure(error),
                Abort::Port(error) => error,
            })
    }

    async fn places(&self) -> Result<Vec<RegionPlace>, StoreError> {
        let reader = self.database.reader().await?;
        let rows: Vec<PlaceRow> = regions::table
            .order(regions::key)
            .select(PlaceRow::as_select())
            .load(&mut &*reader)
            .await
            .map_err(failure)?;
        Ok(rows.into_iter().map(RegionPlace::from).collect())
    }
}
