//! Alerts of the past.

pub(crate) mod row;

use std::collections::HashMap;

use async_trait::async_trait;
use diesel::{
    OptionalExtension, QueryableByName,
    sql_types::{Array, BigInt, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_alerting::{
    alert::{Alert, Firing},
    store::{AlertStore, Reach},
};
use pharos_domain::{
    identity::{DomainAccess, WorkspaceAccess},
    ids::{AlertId, IncidentId},
    incident_alerts::IncidentAlerts,
    page::{Page, PageRequest, Position},
    store::StoreError,
};
use pharos_persistence::{failure::failure, pool::Database, set_aside::Kind, sql};
use uuid::Uuid;

use self::row::{AlertRow, FiringRow};
use crate::reach::Asked;

/// The statement that reads alerts as the file beside this one says; an [`AlertRow`] has its columns.
macro_rules! alerts {
    ($from:literal) => {
        concat!(include_str!("columns.sql"), include_str!($from))
    };
}

const LIST: &str = alerts!("list.sql");
const IN_FORCE: &str = alerts!("in_force.sql");
const ONE: &str = alerts!("one.sql");
/// Alerts by their ids, also of domains that were deleted.
pub(crate) const BY_IDS: &str = alerts!("by_ids.sql");

/// Alerts in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgAlertStore {
    database: Database,
}

impl PgAlertStore {
    /// The alerts of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }

    async fn page(&self, rows: Vec<AlertRow>, page: &PageRequest) -> Page<Alert> {
        let page = Page::cut(rows, page, |row| Position {
            key: row.fired_at,
            id: row.id,
        });
        self.database.readable_page(Kind::Alert, page, |row| row.id).await
    }
}

#[async_trait]
impl AlertStore for PgAlertStore {
    async fn list(&self, reach: Reach<'_>, page: &PageRequest) -> Result<Page<Alert>, StoreError> {
        let Asked { domain, workspaces } = reach.into();
        let after = page.after.unwrap_or(Position::START);
        let query = sql!(text LIST)
            .bind::<Nullable<SqlUuid>, _>(domain)
            .bind::<Array<SqlUuid>, _>(workspaces)
            .bind::<Timestamptz, _>(after.key)
            .bind::<SqlUuid, _>(after.id)
            .bind::<BigInt, _>(page.rows());
        let reader = self.database.reader().await?;
        let rows: Vec<AlertRow> = query.load(&mut &*reader).await.map_err(failure)?;
        drop(reader);
        Ok(self.page(rows, page).await)
    }

    async fn in_force(&self, domain: &DomainAccess, page: &PageRequest) -> Result<Page<Alert>, StoreError> {
        let after = page.after.unwrap_or(Position::START);
        let query = sql!(text IN_FORCE)
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<Timestamptz, _>(after.key)
            .bind::<SqlUuid, _>(after.id)
            .bind::<BigInt, _>(page.rows());
        let reader = self.database.reader().await?;
        let rows: Vec<AlertRow> = query.load(&mut &*reader).await.map_err(failure)?;
        drop(reader);
        Ok(self.page(rows, page).await)
    }

    async fn firing(&self, workspace: &WorkspaceAccess) -> Result<Vec<Firing>, StoreError> {
        let domains = workspace.workspace().domains.iter();
        let domains: Vec<Uuid> = domains.map(|domain| domain.id.0).collect();
        let query = sql!("firing.sql").bind::<Array<SqlUuid>, _>(domains);
        let reader = self.database.reader().await?;
        let rows: Vec<FiringRow> = query.load(&mut &*reader).await.map_err(failure)?;
        drop(reader);
        Ok(self.database.readable(Kind::Alert, rows, |row| row.id).await)
    }

    async fn find(&self, reach: &[WorkspaceAccess], id: AlertId) -> Result<Option<Alert>, StoreError> {
        let Asked { workspaces, .. } = Reach::Workspaces(reach).into();
        let query = sql!(text ONE)
            .bind::<SqlUuid, _>(id.0)
            .bind::<Array<SqlUuid>, _>(workspaces);
        let reader = self.database.reader().await?;
        let row: Option<AlertRow> = query
            .get_result(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        row.map(Alert::try_from).transpose()
    }
}

#[derive(QueryableByName)]
struct AboutRow {
    #[diesel(sql_type = SqlUuid)]
    incident_id: Uuid,
    #[diesel(sql_type = Array<SqlUuid>)]
    alert_ids: Vec<Uuid>,
}

#[async_trait]
impl IncidentAlerts for PgAlertStore {
    async fn about(
        &self,
        domain: &DomainAccess,
        incidents: &[IncidentId],
    ) -> Result<HashMap<IncidentId, Vec<AlertId>>, StoreError> {
        if incidents.is_empty() {
            return Ok(HashMap::new());
        }
        let incidents: Vec<String> = incidents.iter().map(IncidentId::to_string).collect();
        let query = sql!("about.sql")
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<Array<Text>, _>(incidents);
        let reader = self.database.reader().await?;
        let rows: Vec<AboutRow> = query.load(&mut &*reader).await.map_err(failure)?;
        let of = |row: AboutRow| {
            (
                IncidentId(row.incident_id),
                row.alert_ids.into_iter().map(AlertId).collect(),
            )
        };
        Ok(rows.into_iter().map(of).collect())
    }
}
