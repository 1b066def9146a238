//! The pages and entries from which the totals of a site are counted.

use async_trait::async_trait;
use diesel::{
    QueryResult, QueryableByName,
    sql_types::{Array, BigInt, Nullable, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_crawl::sitemap::monitor::figures::{FigureArchive, PageSlice};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{failure::failure, names, sql};
use time::OffsetDateTime;
use uuid::Uuid;

use super::PgSitemapArchive;

#[derive(QueryableByName)]
struct SliceRow {
    #[diesel(sql_type = Nullable<SqlUuid>)]
    last: Option<Uuid>,
    #[diesel(sql_type = BigInt)]
    pages: i64,
    #[diesel(sql_type = Array<Timestamptz>)]
    dates: Vec<OffsetDateTime>,
    #[diesel(sql_type = BigInt)]
    images: i64,
    #[diesel(sql_type = BigInt)]
    videos: i64,
    #[diesel(sql_type = BigInt)]
    news: i64,
    #[diesel(sql_type = BigInt)]
    alternates: i64,
}

impl TryFrom<SliceRow> for PageSlice {
    type Error = StoreError;

    fn try_from(row: SliceRow) -> Result<Self, StoreError> {
        Ok(Self {
            last: row.last,
            pages: names::count(row.pages)?,
            dates: row.dates,
            images: names::count(row.images)?,
            videos: names::count(row.videos)?,
            news: names::count(row.news)?,
            alternates: names::count(row.alternates)?,
        })
    }
}

#[derive(QueryableByName)]
struct EntriesRow {
    #[diesel(sql_type = BigInt)]
    entries: i64,
}

/// The entries of all files of a site, those that stand twice included.
pub(super) async fn entries(connection: &mut AsyncPgConnection, domain: DomainId) -> QueryResult<i64> {
    let query = sql!("entries.sql").bind::<SqlUuid, _>(domain.0);
    let row: EntriesRow = query.get_result(connection).await?;
    Ok(row.entries)
}

#[async_trait]
impl FigureArchive for PgSitemapArchive {
    async fn slice(&self, domain: DomainId, after: Uuid) -> Result<PageSlice, StoreError> {
        let mut connection = self.database.connection().await?;
        let query = sql!("slice.sql")
            .bind::<SqlUuid, _>(domain.0)
            .bind::<SqlUuid, _>(after);
        let row: SliceRow = query.get_result(&mut connection).await.map_err(failure)?;
        PageSlice::try_from(row)
    }

    async fn entries(&self, domain: DomainId) -> Result<u64, StoreError> {
        let mut connection = self.database.connection().await?;
        names::count(entries(&mut connection, domain).await.map_err(failure)?)
    }
}
