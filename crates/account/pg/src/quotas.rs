//! Quotas as the reads see them.

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Date as SqlDate, Nullable, Text, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_account::quotas::{Quota, QuotaStore};
use pharos_domain::{identity::WorkspaceAccess, quota::QuotaResource, store::StoreError};
use pharos_persistence::{failure::failure, names, pool::Database, sql};
use time::{Date, OffsetDateTime};

/// Quotas in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgQuotaStore {
    database: Database,
}

impl PgQuotaStore {
    /// The quotas of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(QueryableByName)]
struct QuotaRow {
    #[diesel(sql_type = Text)]
    resource: String,
    #[diesel(sql_type = BigInt)]
    used: i64,
    #[diesel(sql_type = Nullable<BigInt>)]
    quota_limit: Option<i64>,
}

impl QuotaRow {
    fn quota(self, now: OffsetDateTime) -> Result<Quota, StoreError> {
        let resource: QuotaResource = self.resource.parse()?;
        Ok(Quota {
            resource,
            used: names::count(self.used)?,
            limit: self.quota_limit.map(names::count).transpose()?,
            resets_on: resource.period().resets_on(now),
        })
    }
}

#[async_trait]
impl QuotaStore for PgQuotaStore {
    async fn list(&self, workspace: &WorkspaceAccess, now: OffsetDateTime) -> Result<Vec<Quota>, StoreError> {
        let resources: Vec<&str> = QuotaResource::ALL
            .iter()
            .map(|resource| resource.as_str())
            .collect();
        let starts: Vec<Date> = QuotaResource::ALL
            .iter()
            .map(|resource| resource.period().start(now))
            .collect();
        let reader = self.database.reader().await?;
        let query = sql!("quotas.sql")
            .bind::<SqlUuid, _>(workspace.workspace().id.0)
            .bind::<Array<Text>, _>(resources)
            .bind::<Array<SqlDate>, _>(starts);
        let rows: Vec<QuotaRow> = query.load(&mut &*reader).await.map_err(failure)?;
        rows.into_iter().map(|row| row.quota(now)).collect()
    }
}
