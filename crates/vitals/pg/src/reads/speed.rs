//! How fast pages are that others list.

use std::collections::HashMap;

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{Array, Double, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{identity::DomainAccess, page_facts::PageSpeed, store::StoreError};
use pharos_persistence::{failure::read_failure, sql};
use pharos_vitals::metric::Metric;
use time::{Duration, OffsetDateTime};

use super::PgVitalsReads;

/// The time over which views are read.
const VIEWS: Duration = Duration::days(7);

#[derive(QueryableByName)]
struct SpeedRow {
    #[diesel(sql_type = Text)]
    url: String,
    #[diesel(sql_type = Double)]
    lcp_ms: f64,
}

#[async_trait]
impl PageSpeed for PgVitalsReads {
    async fn lcp_ms(
        &self,
        domain: &DomainAccess,
        urls: &[&str],
        now: OffsetDateTime,
    ) -> Result<HashMap<String, f64>, StoreError> {
        if urls.is_empty() {
            return Ok(HashMap::new());
        }
        let mut connection = self.database.long_read().await?;
        let query = sql!("page_speed.sql")
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<Array<Text>, _>(urls)
            .bind::<Timestamptz, _>(now.saturating_sub(VIEWS))
            .bind::<Timestamptz, _>(now);
        let rows: Vec<SpeedRow> = query.load(&mut connection).await.map_err(read_failure)?;
        let rounded = rows
            .into_iter()
            .map(|row| (row.url, Metric::Lcp.rounded(row.lcp_ms)));
        Ok(rounded.collect())
    }
}
