//! Pages that name others in a language.

use std::collections::BTreeMap;

use async_trait::async_trait;
use diesel::{
    OptionalExtension, QueryableByName,
    sql_types::{Array, BigInt, Bool, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, RunQueryDsl};
use pharos_crawl::sitemap::monitor::languages::{LanguageArchive, NamingPage, NoReturn};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{failure::failure, moment::not_ahead, pool::Database, sql};
use time::OffsetDateTime;
use uuid::Uuid;

/// The languages that pages name, in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgLanguages {
    database: Database,
}

impl PgLanguages {
    /// The languages in `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(QueryableByName)]
struct StaleRow {
    #[diesel(sql_type = Bool)]
    is_stale: bool,
}

#[derive(QueryableByName)]
struct NamingRow {
    #[diesel(sql_type = SqlUuid)]
    file_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    url_key: Uuid,
    #[diesel(sql_type = BigInt)]
    url: i64,
    #[diesel(sql_type = Array<BigInt>)]
    named: Vec<i64>,
}

impl From<NamingRow> for NamingPage {
    fn from(row: NamingRow) -> Self {
        Self {
            file_id: row.file_id,
            key: row.url_key,
            url: row.url,
            named: row.named,
        }
    }
}

#[async_trait]
impl LanguageArchive for PgLanguages {
    async fn is_stale(&self, domain: DomainId) -> Result<bool, StoreError> {
        let mut connection = self.database.connection().await?;
        let query = sql!("stale.sql").bind::<SqlUuid, _>(domain.0);
        let row: Option<StaleRow> = query
            .get_result(&mut connection)
            .await
            .optional()
            .map_err(failure)?;
        Ok(row.is_some_and(|row| row.is_stale))
    }

    async fn naming(
        &self,
        domain: DomainId,
        after: (Uuid, Uuid),
        limit: usize,
    ) -> Result<Vec<NamingPage>, StoreError> {
        let (key, file) = after;
        let mut connection = self.database.connection().await?;
        let query = sql!("naming.sql")
            .bind::<SqlUuid, _>(domain.0)
            .bind::<SqlUuid, _>(key)
            .bind::<SqlUuid, _>(file)
            .bind::<BigInt, _>(i64::try_from(limit).unwrap_or(i64::MAX));
        let rows: Vec<NamingRow> = query.load(&mut connection).await.map_err(failure)?;
        Ok(rows.into_iter().map(NamingPage::from).collect())
    }

    async fn put(
        &self,
        domain: DomainId,
        found: &BTreeMap<Uuid, NoReturn>,
        now: OffsetDateTime,
    ) -> Result<(), StoreError> {
        let files: Vec<Uuid> = found.keys().copied().collect();
        let counts: Vec<i64> = found
            .values()
            .map(|of_file| i64::try_from(of_file.count).unwrap_or(i64::MAX))
            .collect();
        let places = found.iter().flat_map(|(file, of_file)| {
            let first = of_file.first.iter();
            first.map(|(page, other)| (*file, (*page, *other)))
        });
        let (of_files, (pages, others)): (Vec<Uuid>, (Vec<Uuid>, Vec<Uuid>)) = places.unzip();
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, diesel::result::Error, _>(async |connection| {
                let now = not_ahead(connection, now).await?;
                let query = sql!("put.sql")
                    .bind::<SqlUuid, _>(domain.0)
                    .bind::<Timestamptz, _>(now)
                    .bind::<Array<SqlUuid>, _>(&files)
                    .bind::<Array<BigInt>, _>(&counts)
                    .bind::<Array<SqlUuid>, _>(&of_files)
                    .bind::<Array<SqlUuid>, _>(&pages)
                    .bind::<Array<SqlUuid>, _>(&others);
                query.execute(connection).await
            })
            .await
            .map(|_| ())
            .map_err(failure)
    }
}
