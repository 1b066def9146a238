//! A grant, as authentication reads it.

use std::sync::Arc;

use diesel::{
    QueryableByName,
    sql_types::{Array, Bool, Nullable, Text, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_auth::oauth::store::GrantRecord;
use pharos_domain::{
    identity::{CredentialKind, Identity, ReachableWorkspace},
    ids::{CredentialId, UserId, WorkspaceId},
    store::StoreError,
};
use pharos_persistence::{failure::failure, names, pool::Database, sql};
use uuid::Uuid;

use crate::reach::{self, Reach};

/// One row a workspace in reach, or a single one without.
#[derive(QueryableByName)]
struct GrantRow {
    #[diesel(sql_type = SqlUuid)]
    client_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    user_id: Uuid,
    #[diesel(sql_type = Nullable<Text>)]
    client_name: Option<String>,
    #[diesel(sql_type = Text)]
    resource: String,
    #[diesel(sql_type = Array<Text>)]
    scopes: Vec<String>,
    #[diesel(sql_type = Array<SqlUuid>)]
    workspace_ids: Vec<Uuid>,
    #[diesel(sql_type = Bool)]
    is_revoked: bool,
    #[diesel(sql_type = Bool)]
    user_is_enabled: bool,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    workspace_id: Option<Uuid>,
    #[diesel(sql_type = Nullable<Text>)]
    role: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    subscription_status: Option<String>,
    #[diesel(sql_type = Nullable<Array<Text>>)]
    modules: Option<Vec<String>>,
    #[diesel(sql_type = Nullable<Array<SqlUuid>>)]
    domain_ids: Option<Vec<Uuid>>,
    #[diesel(sql_type = Nullable<Array<Text>>)]
    domain_hostnames: Option<Vec<String>>,
}

impl GrantRow {
    fn take_workspace(&mut self) -> Result<Option<ReachableWorkspace>, StoreError> {
        let (Some(id), Some(role), Some(subscription_status)) = (
            self.workspace_id,
            self.role.take(),
            self.subscription_status.take(),
        ) else {
            return Ok(None);
        };
        reach::workspace(Reach {
            workspace_id: id,
            role,
            subscription_status,
            modules: self.modules.take().unwrap_or_default(),
            domain_ids: self.domain_ids.take().unwrap_or_default(),
            domain_hostnames: self.domain_hostnames.take().unwrap_or_default(),
        })
        .map(Some)
    }
}

pub(super) async fn find(
    database: &Database,
    grant: CredentialId,
) -> Result<Option<GrantRecord>, StoreError> {
    let reader = database.reader().await?;
    let query = sql!("find.sql").bind::<SqlUuid, _>(grant.0);
    let mut rows: Vec<GrantRow> = query.load(&mut &*reader).await.map_err(failure)?;
    drop(reader);
    let mut workspaces = Vec::with_capacity(rows.len());
    for row in &mut rows {
        match row.take_workspace() {
            Ok(workspace) => workspaces.extend(workspace),
            // The others are in reach all the same.
            Err(error) => tracing::error!(%grant, %error, "a workspace of a grant can't be read"),
        }
    }
    let Some(first) = rows.into_iter().next() else {
        return Ok(None);
    };
    // The first that was ticked; once that is out of reach, the oldest of the rest.
    let reached = || workspaces.iter().map(|workspace| workspace.id);
    let ticked = first.workspace_ids.iter().copied().map(WorkspaceId).next();
    let default_workspace_id = reached()
        .find(|id| Some(*id) == ticked)
        .or_else(|| reached().next());
    Ok(Some(GrantRecord {
        is_revoked: first.is_revoked,
        user_is_enabled: first.user_is_enabled,
        identity: Arc::new(Identity {
            kind: CredentialKind::OauthToken,
            credential_id: grant,
            user_id: UserId(first.user_id),
            name: first.client_name,
            key_prefix: None,
            expires_at: None,
            client_id: Some(first.client_id.to_string()),
            audience: Some(first.resource),
            // One that only a later version knows allows nothing here.
            scopes: names::known(&first.scopes),
            workspaces,
            default_workspace_id,
        }),
    }))
}
