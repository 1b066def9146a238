//! The workspaces and domains that users reach by their roles.

use std::sync::Arc;

use async_trait::async_trait;
use diesel::{
    OptionalExtension, QueryableByName,
    sql_types::{Array, Nullable, Text, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_auth::sign_in::reach::UserReach;
use pharos_domain::{
    identity::Identity,
    ids::{DomainId, UserId, WorkspaceId},
    store::StoreError,
};
use pharos_persistence::{failure::failure, pool::Database, sql};
use uuid::Uuid;

use crate::reach::{self, Reach};

/// The reach of users in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgUserReach {
    database: Database,
}

impl PgUserReach {
    /// That of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }

    async fn find(
        &self,
        user: UserId,
        workspace: Option<WorkspaceId>,
        domain: Option<DomainId>,
    ) -> Result<Option<Arc<Identity>>, StoreError> {
        let reader = self.database.reader().await?;
        let query = sql!("reach.sql")
            .bind::<SqlUuid, _>(user.0)
            .bind::<Nullable<SqlUuid>, _>(workspace.map(|workspace| workspace.0))
            .bind::<Nullable<SqlUuid>, _>(domain.map(|domain| domain.0));
        let found: Option<ReachRow> = query
            .get_result(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        let workspace = found.map(|row| reach::workspace(row.into())).transpose()?;
        Ok(workspace.map(|workspace| Arc::new(Identity::of_session(user, workspace))))
    }
}

#[derive(QueryableByName)]
struct ReachRow {
    #[diesel(sql_type = SqlUuid)]
    workspace_id: Uuid,
    #[diesel(sql_type = Text)]
    role: String,
    #[diesel(sql_type = Text)]
    subscription_status: String,
    #[diesel(sql_type = Array<Text>)]
    modules: Vec<String>,
    #[diesel(sql_type = Array<SqlUuid>)]
    domain_ids: Vec<Uuid>,
    #[diesel(sql_type = Array<Text>)]
    domain_hostnames: Vec<String>,
}

impl From<ReachRow> for Reach {
    fn from(row: ReachRow) -> Self {
        let ReachRow {
            workspace_id,
            role,
            subscription_status,
            modules,
            domain_ids,
            domain_hostnames,
        } = row;
        Self {
            workspace_id,
            role,
            subscription_status,
            modules,
            domain_ids,
            domain_hostnames,
        }
    }
}

#[async_trait]
impl UserReach for PgUserReach {
    async fn workspace(
        &self,
        user: UserId,
        workspace: WorkspaceId,
    ) -> Result<Option<Arc<Identity>>, StoreError> {
        self.find(user, Some(workspace), None).await
    }

    async fn domain(&self, user: UserId, domain: DomainId) -> Result<Option<Arc<Identity>>, StoreError> {
        self.find(user, None, Some(domain)).await
    }
}
