//! The monitors of domains.

mod row;
mod status;
mod update;

use async_trait::async_trait;
use diesel::{ExpressionMethods, OptionalExtension, QueryDsl, sql_types::Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use pharos_domain::{
    credits::Charged,
    identity::DomainAccess,
    ids::{DomainId, UserId},
    settings::{ChangeError, SettingsChange},
    store::StoreError,
};
use pharos_uptime::{
    knowledge::MonitorKnowledge,
    monitor::{Monitor, settings::MonitorSettings},
    store::{MonitorAdmin, MonitorStore},
};
use time::OffsetDateTime;

use self::row::MonitorRow;
use pharos_persistence::{failure::failure, pool::Database, sql};

use crate::schema::regions;

/// Monitors in PostgreSQL, for callers and for Pharos itself.
#[derive(Clone, Debug)]
pub struct PgMonitorStore {
    database: Database,
}

impl PgMonitorStore {
    /// The monitors of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[async_trait]
impl MonitorStore for PgMonitorStore {
    async fn view(&self, domain: &DomainAccess) -> Result<Option<Monitor>, StoreError> {
        let reader = self.database.reader().await?;
        let query = sql!("view.sql").bind::<SqlUuid, _>(domain.id().0);
        let row: Option<MonitorRow> = query
            .get_result(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        row.map(Monitor::try_from).transpose()
    }

    async fn update(
        &self,
        domain: &Charged<DomainAccess>,
        change: &SettingsChange<'_, MonitorSettings>,
        by: UserId,
        now: OffsetDateTime,
    ) -> Result<Monitor, ChangeError> {
        update::charged(&self.database, domain, change, by, now).await
    }

    async fn status(
        &self,
        domain: &DomainAccess,
        spans_since: OffsetDateTime,
    ) -> Result<Option<MonitorKnowledge>, StoreError> {
        status::status(&self.database, domain.id(), spans_since).await
    }

    async fn regions(&self) -> Result<Vec<String>, StoreError> {
        let reader = self.database.reader().await?;
        regions::table
            .order(regions::key.asc())
            .select(regions::key)
            .load(&mut &*reader)
            .await
            .map_err(failure)
    }
}

#[async_trait]
impl MonitorAdmin for PgMonitorStore {
    async fn update(
        &self,
        domain: DomainId,
        change: &SettingsChange<'_, MonitorSettings>,
        now: OffsetDateTime,
    ) -> Result<Monitor, ChangeError> {
        update::uncharged(&self.database, domain, change, now).await
    }
}
