//! Which page loads belong to visits that came to an order, for those that know how fast they were.

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Bool, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{
    collect::PageLoadId,
    conversions::{Conversions, MOST_CONVERTED},
    identity::DomainAccess,
    store::StoreError,
    window::DateRange,
};
use pharos_persistence::{failure::read_failure, sql};

use super::PgVisitStore;

#[derive(QueryableByName)]
struct ConvertedRow {
    #[diesel(sql_type = Bool)]
    has_ecommerce: bool,
    #[diesel(sql_type = Array<BigInt>)]
    loads: Vec<i64>,
}

#[async_trait]
impl Conversions for PgVisitStore {
    async fn converted(
        &self,
        domain: &DomainAccess,
        window: DateRange,
    ) -> Result<Option<Vec<PageLoadId>>, StoreError> {
        let mut connection = self.database.long_read().await?;
        // One more than are told says that there are more.
        let limit = i64::try_from(MOST_CONVERTED + 1).unwrap_or(i64::MAX);
        let query = sql!("converted.sql")
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<Timestamptz, _>(window.start())
            .bind::<Timestamptz, _>(window.end())
            .bind::<BigInt, _>(limit);
        let row: ConvertedRow = query.get_result(&mut connection).await.map_err(read_failure)?;
        let is_known = row.has_ecommerce && row.loads.len() <= MOST_CONVERTED;
        Ok(is_known.then(|| row.loads.into_iter().map(PageLoadId).collect()))
    }
}
