//! Facts about pages for other groups: whether they are in the index, and what the search sends to them.

use std::collections::HashMap;

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryableByName,
    sql_types::{BigInt, Date as SqlDate, Text, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{
    identity::DomainAccess,
    ids::DomainId,
    page_facts::{IndexVerdict, PageIndexing, PageSearches, SearchValue},
    store::StoreError,
};
use pharos_persistence::{
    failure::{failure, read_failure},
    names::count,
    sql,
};
use pharos_search::indexing::{states::OfUpstream, store::reads::share_pct};
use time::Date;

use super::{PgIndexing, row::id};
use crate::schema::{indexing_urls, search_properties};

#[derive(QueryableByName)]
struct ShareRow {
    #[diesel(sql_type = BigInt)]
    inspected: i64,
    #[diesel(sql_type = BigInt)]
    indexed: i64,
}

#[derive(QueryableByName)]
struct UrlRow {
    #[diesel(sql_type = Text)]
    url: String,
}

#[derive(QueryableByName)]
struct ThroughRow {
    #[diesel(sql_type = SqlDate)]
    data_through: Date,
}

#[async_trait]
impl PageIndexing for PgIndexing {
    async fn verdicts(
        &self,
        domain: &DomainAccess,
        urls: &[&str],
    ) -> Result<HashMap<String, IndexVerdict>, StoreError> {
        let reader = self.database.reader().await?;
        let rows: Vec<(String, Option<String>)> = indexing_urls::table
            .filter(indexing_urls::domain_id.eq(id(domain)))
            .filter(indexing_urls::url.eq_any(urls))
            .filter(indexing_urls::verdict.is_not_null())
            .select((indexing_urls::url, indexing_urls::verdict))
            .load(&mut &*reader)
            .await
            .map_err(failure)?;
        Ok(rows
            .into_iter()
            .filter_map(|(url, verdict)| Some((url, IndexVerdict::named(&verdict?))))
            .collect())
    }

    async fn indexed_pct(&self, domain: &DomainAccess) -> Result<Option<f64>, StoreError> {
        let reader = self.database.reader().await?;
        let query = sql!("share.sql").bind::<SqlUuid, _>(id(domain));
        let row: ShareRow = query.get_result(&mut &*reader).await.map_err(failure)?;
        Ok(share_pct(count(row.indexed)?, count(row.inspected)?))
    }
}

#[async_trait]
impl PageSearches for PgIndexing {
    async fn values(
        &self,
        domain: &DomainAccess,
        urls: &[&str],
    ) -> Result<Option<HashMap<String, SearchValue>>, StoreError> {
        self.values_of(domain.id(), urls).await
    }

    async fn top(&self, domain: &DomainAccess, limit: u32) -> Result<Option<Vec<String>>, StoreError> {
        let Some(through) = self.data_through(domain.id()).await? else {
            return Ok(None);
        };
        let mut connection = self.database.long_read().await?;
        let query = sql!("top_pages.sql")
            .bind::<SqlUuid, _>(id(domain))
            .bind::<SqlDate, _>(through)
            .bind::<BigInt, _>(i64::from(limit));
        let rows: Vec<UrlRow> = query.load(&mut connection).await.map_err(read_failure)?;
        Ok(Some(rows.into_iter().map(|row| row.url).collect()))
    }
}

impl PgIndexing {
    /// The newest final day of a domain's search; `None`: nothing is imported.
    pub(super) async fn data_through(&self, domain: DomainId) -> Result<Option<Date>, StoreError> {
        let reader = self.database.reader().await?;
        let through: Option<Option<Date>> = search_properties::table
            .find(domain.0)
            .select(search_properties::data_through)
            .first(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        Ok(through.flatten())
    }

    /// The same, if all of the 28 days up to it were imported of web search: else a page that nobody saw could not be told from one
    /// of which nothing is known.
    pub(super) async fn searched_through(&self, domain: DomainId) -> Result<Option<Date>, StoreError> {
        let reader = self.database.reader().await?;
        let query = sql!("searched_through.sql").bind::<SqlUuid, _>(domain.0);
        let row: Option<ThroughRow> = query
            .get_result(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        Ok(row.map(|row| row.data_through))
    }
}
