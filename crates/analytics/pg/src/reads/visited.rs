//! Which pages are visited most, for those that look at pages one by one.

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{BigInt, Integer, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_analytics::pages::{LEAST_VISITED, VISITED_DAYS};
use pharos_domain::{ids::DomainId, page_facts::PageVisits, store::StoreError};
use pharos_persistence::{failure::read_failure, sql};
use time::OffsetDateTime;

use super::PgVisitStore;

#[derive(QueryableByName)]
struct PathRow {
    #[diesel(sql_type = Text)]
    path: String,
}

#[async_trait]
impl PageVisits for PgVisitStore {
    async fn most_viewed(
        &self,
        domain: DomainId,
        now: OffsetDateTime,
        limit: u32,
    ) -> Result<Vec<String>, StoreError> {
        let mut connection = self.database.long_read().await?;
        let query = sql!("visited.sql")
            .bind::<SqlUuid, _>(domain.0)
            .bind::<Timestamptz, _>(now)
            .bind::<BigInt, _>(i64::from(LEAST_VISITED))
            .bind::<BigInt, _>(i64::from(limit))
            .bind::<Integer, _>(i32::from(VISITED_DAYS));
        let rows: Vec<PathRow> = query.load(&mut connection).await.map_err(read_failure)?;
        Ok(rows.into_iter().map(|row| row.path).collect())
    }
}
