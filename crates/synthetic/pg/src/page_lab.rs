//! How pages do in the lab that others list.

use std::collections::HashMap;

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{Array, Double, Nullable, Text, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{
    identity::DomainAccess,
    page_facts::{LabSpeed, PageLab},
    store::StoreError,
};
use pharos_persistence::{failure::read_failure, sql};

use crate::store::PgLabStore;

/// The profile of a phone.
const PHONE: &str = "mobile";

#[derive(QueryableByName)]
struct SpeedRow {
    #[diesel(sql_type = Text)]
    url: String,
    #[diesel(sql_type = Nullable<Double>)]
    lcp_ms: Option<f64>,
    #[diesel(sql_type = Nullable<Double>)]
    cls: Option<f64>,
}

#[async_trait]
impl PageLab for PgLabStore {
    async fn of_phones(
        &self,
        domain: &DomainAccess,
        urls: &[&str],
    ) -> Result<HashMap<String, LabSpeed>, StoreError> {
        if urls.is_empty() {
            return Ok(HashMap::new());
        }
        let mut connection = self.database.long_read().await?;
        let query = sql!("sql/page_lab.sql")
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<Array<Text>, _>(urls)
            .bind::<Text, _>(PHONE);
        let rows: Vec<SpeedRow> = query.load(&mut connection).await.map_err(read_failure)?;
        let speeds = rows
            .into_iter()
            .map(|SpeedRow { url, lcp_ms, cls }| (url, LabSpeed { lcp_ms, cls }));
        Ok(speeds.collect())
    }
}
