//! The pages that sitemaps list, for whoever asks.

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, QueryDsl, QueryableByName, dsl,
    sql_types::{BigInt, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_crawl::sitemap::monitor::site::key;
use pharos_domain::{
    ids::DomainId,
    sitemap_urls::{SitemapUrl, SitemapUrls},
    store::StoreError,
};
use pharos_persistence::{failure::read_failure, pool::Database, sql};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::sitemap_files;

/// The pages in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgSitemapUrls {
    database: Database,
}

impl PgSitemapUrls {
    /// The pages in `database`.
    #[must_use]
    pub const fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(QueryableByName)]
struct ListedRow {
    #[diesel(sql_type = Text)]
    url: String,
    #[diesel(sql_type = SqlUuid)]
    file_id: Uuid,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    lastmod: Option<OffsetDateTime>,
}

#[async_trait]
impl SitemapUrls for PgSitemapUrls {
    async fn page(
        &self,
        domain: DomainId,
        after: Option<&str>,
        limit: u32,
    ) -> Result<Option<Vec<SitemapUrl>>, StoreError> {
        let connection = self.database.long_read().await?;
        let mut connection: &AsyncPgConnection = &connection;
        let read = sitemap_files::table
            .filter(sitemap_files::domain_id.eq(domain.0))
            .filter(sitemap_files::good_at.is_not_null());
        let was_read: bool = diesel::select(dsl::exists(read))
            .get_result(&mut connection)
            .await
            .map_err(read_failure)?;
        if !was_read {
            return Ok(None);
        }
        let rows: Vec<ListedRow> = sql!("listed.sql")
            .bind::<SqlUuid, _>(domain.0)
            .bind::<Nullable<SqlUuid>, _>(after.map(key))
            .bind::<BigInt, _>(i64::from(limit))
            .load(&mut connection)
            .await
            .map_err(read_failure)?;
        let listed = rows.into_iter().map(|row| SitemapUrl {
            url: row.url,
            file_id: row.file_id,
            lastmod: row.lastmod,
        });
        Ok(Some(listed.collect()))
    }
}
