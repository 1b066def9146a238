//! Where the sites of domains lie.

use std::collections::HashMap;

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{Array, Text, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{ids::DomainId, site_address::SiteAddresses, store::StoreError};
use pharos_persistence::{failure::failure, pool::Database, sql};
use uuid::Uuid;

/// The addresses of sites in PostgreSQL: those that monitors ask.
#[derive(Clone, Debug)]
pub struct PgSiteAddresses {
    database: Database,
}

impl PgSiteAddresses {
    /// The addresses of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(QueryableByName)]
struct AddressRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = Text)]
    url: String,
}

#[async_trait]
impl SiteAddresses for PgSiteAddresses {
    async fn of(&self, domains: &[DomainId]) -> Result<HashMap<DomainId, String>, StoreError> {
        let ids: Vec<Uuid> = domains.iter().map(|domain| domain.0).collect();
        let query = sql!("addresses.sql").bind::<Array<SqlUuid>, _>(ids);
        let mut connection = self.database.connection().await?;
        let rows: Vec<AddressRow> = query.load(&mut connection).await.map_err(failure)?;
        Ok(rows
            .into_iter()
            .map(|AddressRow { domain_id, url }| (DomainId(domain_id), url))
            .collect())
    }
}
