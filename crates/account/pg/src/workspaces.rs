//! Workspaces as the reads see them.

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_account::workspaces::{Workspace, WorkspaceStore};
use pharos_domain::{identity::WorkspaceAccess, ids::WorkspaceId, store::StoreError};
use pharos_persistence::{failure::failure, names, pool::Database, sql};
use time::OffsetDateTime;
use uuid::Uuid;

/// Workspaces in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgWorkspaceStore {
    database: Database,
}

impl PgWorkspaceStore {
    /// The workspaces of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(QueryableByName)]
struct WorkspaceRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    plan_key: String,
    #[diesel(sql_type = Text)]
    subscription_status: String,
    #[diesel(sql_type = Timestamptz)]
    created_at: OffsetDateTime,
    #[diesel(sql_type = BigInt)]
    domain_count: i64,
    #[diesel(sql_type = BigInt)]
    member_count: i64,
}

impl TryFrom<WorkspaceRow> for Workspace {
    type Error = StoreError;

    fn try_from(row: WorkspaceRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: WorkspaceId(row.id),
            name: row.name,
            plan: row.plan_key,
            subscription: row.subscription_status.parse()?,
            domain_count: names::count(row.domain_count)?,
            member_count: names::count(row.member_count)?,
            created_at: row.created_at,
        })
    }
}

#[async_trait]
impl WorkspaceStore for PgWorkspaceStore {
    async fn list(&self, reach: &[WorkspaceAccess]) -> Result<Vec<Workspace>, StoreError> {
        let ids: Vec<Uuid> = reach.iter().map(|access| access.workspace().id.0).collect();
        // The domains of each are counted, however many there are.
        let mut connection = self.database.connection().await?;
        let query = sql!("list_workspaces.sql").bind::<Array<SqlUuid>, _>(ids);
        let rows: Vec<WorkspaceRow> = query.load(&mut connection).await.map_err(failure)?;
        let read = |row: WorkspaceRow| {
            let workspace = row.id;
            // The others are listed all the same.
            Workspace::try_from(row)
                .inspect_err(|error| tracing::error!(%workspace, %error, "a workspace can't be read"))
                .ok()
        };
        Ok(rows.into_iter().filter_map(read).collect())
    }
}
