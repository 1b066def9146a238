//! The answers of sampled pages.

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, QueryDsl, QueryableByName,
    sql_types::{Array, BigInt, Bool, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, RunQueryDsl};
use pharos_crawl::sitemap::monitor::{
    sample::{Sample, SampleArchive},
    site::ListedPage,
};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{failure::failure, pool::Database, sql};
use uuid::Uuid;

use crate::schema::sitemap_sites;

/// Samples in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgSamples {
    database: Database,
}

impl PgSamples {
    /// The samples of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(QueryableByName)]
struct NextRow {
    #[diesel(sql_type = SqlUuid)]
    url_key: Uuid,
    #[diesel(sql_type = Text)]
    url: String,
    #[diesel(sql_type = SqlUuid)]
    file_id: Uuid,
}

#[async_trait]
impl SampleArchive for PgSamples {
    async fn next(&self, domain: DomainId, limit: usize) -> Result<Vec<ListedPage>, StoreError> {
        let mut connection = self.database.connection().await?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let query = sql!("next.sql")
            .bind::<SqlUuid, _>(domain.0)
            .bind::<BigInt, _>(limit);
        let rows: Vec<NextRow> = query.load(&mut connection).await.map_err(failure)?;
        let page = |row: NextRow| ListedPage {
            key: row.url_key,
            url: row.url,
            file_id: row.file_id,
        };
        Ok(rows.into_iter().map(page).collect())
    }

    async fn keep(
        &self,
        domain: DomainId,
        samples: &[Sample],
        through: Option<Uuid>,
    ) -> Result<(), StoreError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, diesel::result::Error, _>(async |connection| {
                let query = sql!("keep.sql")
                    .bind::<SqlUuid, _>(domain.0)
                    .bind::<Array<SqlUuid>, _>(samples.iter().map(|sample| sample.key).collect::<Vec<_>>())
                    .bind::<Array<Timestamptz>, _>(
                        samples.iter().map(|sample| sample.asked_at).collect::<Vec<_>>(),
                    )
                    .bind::<Array<Integer>, _>(
                        samples
                            .iter()
                            .map(|sample| i32::from(sample.status_code))
                            .collect::<Vec<_>>(),
                    )
                    .bind::<Array<Nullable<Text>>, _>(
                        samples
                            .iter()
                            .map(|sample| sample.redirects_to.as_deref())
                            .collect::<Vec<_>>(),
                    )
                    .bind::<Array<Nullable<Bool>>, _>(
                        samples.iter().map(|sample| sample.is_noindex).collect::<Vec<_>>(),
                    )
                    .bind::<Array<Nullable<Text>>, _>(
                        samples
                            .iter()
                            .map(|sample| sample.canonical.as_deref())
                            .collect::<Vec<_>>(),
                    )
                    .bind::<Array<Nullable<Bool>>, _>(
                        samples
                            .iter()
                            .map(|sample| sample.is_canonical)
                            .collect::<Vec<_>>(),
                    );
                query.execute(connection).await?;
                diesel::update(sitemap_sites::table.find(domain.0))
                    .set(sitemap_sites::sampled_through.eq(through))
                    .execute(connection)
                    .await
            })
            .await
            .map(|_| ())
            .map_err(failure)
    }
}
