//! The titles of pages that others list.

use std::collections::HashMap;

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{Array, Text, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{identity::DomainAccess, page_facts::PageTitles, store::StoreError};
use pharos_persistence::{failure::read_failure, sql};

use super::PgVisitStore;

#[derive(QueryableByName)]
struct TitleRow {
    #[diesel(sql_type = Text)]
    url: String,
    #[diesel(sql_type = Text)]
    title: String,
}

#[async_trait]
impl PageTitles for PgVisitStore {
    async fn titles(
        &self,
        domain: &DomainAccess,
        urls: &[&str],
    ) -> Result<HashMap<String, String>, StoreError> {
        if urls.is_empty() {
            return Ok(HashMap::new());
        }
        let mut connection = self.database.long_read().await?;
        let query = sql!("titles.sql")
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<Array<Text>, _>(urls);
        let rows: Vec<TitleRow> = query.load(&mut connection).await.map_err(read_failure)?;
        Ok(rows.into_iter().map(|row| (row.url, row.title)).collect())
    }
}
