//! Decisions, grants and refresh tokens.

mod decide;
mod doubts;
mod exchange;
mod find;
mod issue;
mod revoke;
mod revoke_app;
mod rotate;

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, JoinOnDsl, OptionalExtension, QueryDsl, QueryableByName,
    sql_types::{Array, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_auth::{
    oauth::{
        store::{
            Approval, CodeExchange, ConnectedApp, ConsentWorkspace, DecideError, GrantRecord, GrantStore,
            IssueError, Mint, Rotation,
        },
        token::Tokens,
    },
    secret::SecretDigest,
};
use pharos_domain::{
    audit::Actor,
    ids::{ClientId, CredentialId, UserId, WorkspaceId},
    role::Role,
    store::StoreError,
};
use pharos_persistence::{
    audit::By,
    failure::failure,
    names,
    pool::Database,
    schema::{members, users, workspaces},
    sql,
};
use time::OffsetDateTime;
use uuid::Uuid;

use self::{doubts::Doubts, revoke::Whose};
use crate::schema::{oauth_decisions, oauth_refresh_tokens};

/// Grants in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgGrantStore {
    database: Database,
    doubts: Doubts,
}

impl PgGrantStore {
    /// The grants of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self {
            database,
            doubts: Doubts::default(),
        }
    }
}

#[derive(QueryableByName)]
struct ConnectedRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    client_id: Uuid,
    #[diesel(sql_type = Nullable<Text>)]
    client_name: Option<String>,
    #[diesel(sql_type = Bool)]
    is_verified: bool,
    #[diesel(sql_type = Array<Text>)]
    scopes: Vec<String>,
    #[diesel(sql_type = Array<Text>)]
    workspaces: Vec<String>,
    #[diesel(sql_type = Text)]
    resource: String,
    #[diesel(sql_type = Timestamptz)]
    created_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    last_used_at: Option<OffsetDateTime>,
}

impl From<ConnectedRow> for ConnectedApp {
    fn from(row: ConnectedRow) -> Self {
        Self {
            grant: CredentialId(row.id),
            client: ClientId(row.client_id),
            client_name: row.client_name,
            is_verified: row.is_verified,
            scopes: names::known(&row.scopes),
            workspaces: row.workspaces,
            resource: row.resource,
            created_at: row.created_at,
            last_used_at: row.last_used_at,
        }
    }
}

#[async_trait]
impl GrantStore for PgGrantStore {
    async fn workspaces(&self, user: UserId) -> Result<Vec<ConsentWorkspace>, StoreError> {
        let reader = self.database.reader().await?;
        let rows: Vec<(Uuid, String, String)> = members::table
            .inner_join(workspaces::table.on(workspaces::id.eq(members::workspace_id)))
            .inner_join(users::table.on(users::id.eq(members::user_id)))
            .filter(members::user_id.eq(user.0))
            .filter(users::disabled_at.is_null())
            .order((workspaces::created_at, workspaces::id))
            .select((workspaces::id, workspaces::name, members::role))
            .load(&mut &*reader)
            .await
            .map_err(failure)?;
        let workspace = |(id, name, role): (Uuid, String, String)| {
            let id = WorkspaceId(id);
            match role.parse::<Role>() {
                Ok(role) => Some(ConsentWorkspace { id, name, role }),
                // The others are shown all the same.
                Err(error) => {
                    tracing::error!(workspace = %id, %user, %error, "the role of a member can't be read");
                    None
                }
            }
        };
        Ok(rows.into_iter().filter_map(workspace).collect())
    }

    async fn is_decided(&self, request: Uuid) -> Result<bool, StoreError> {
        let reader = self.database.reader().await?;
        let found: Option<Uuid> = oauth_decisions::table
            .find(request)
            .select(oauth_decisions::request_id)
            .first(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        Ok(found.is_some())
    }

    async fn approve(&self, approval: &Approval, now: OffsetDateTime) -> Result<(), DecideError> {
        decide::approve(&self.database, approval, now).await
    }

    async fn deny(&self, request: Uuid, lapses_at: OffsetDateTime) -> Result<(), DecideError> {
        let mut connection = self.database.connection().await?;
        decide::once(&mut connection, request, lapses_at).await
    }

    async fn exchange(
        &self,
        exchange: &CodeExchange<'_>,
        mint: Mint<'_>,
        now: OffsetDateTime,
    ) -> Result<Tokens, IssueError> {
        exchange::exchange(&self.database, exchange, mint, now).await
    }

    async fn rotate(
        &self,
        rotation: &Rotation<'_>,
        mint: Mint<'_>,
        now: OffsetDateTime,
    ) -> Result<Tokens, IssueError> {
        rotate::rotate(&self.database, &self.doubts, rotation, mint, now).await
    }

    async fn revoke_by_token(
        &self,
        token: &SecretDigest,
        client: ClientId,
        now: OffsetDateTime,
    ) -> Result<(), StoreError> {
        let reader = self.database.reader().await?;
        let grant: Option<Uuid> = oauth_refresh_tokens::table
            .find(token.0.as_slice())
            .select(oauth_refresh_tokens::grant_id)
            .first(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        drop(reader);
        match grant {
            Some(grant) => self.revoke_of_client(CredentialId(grant), client, now).await,
            None => Ok(()),
        }
    }

    async fn revoke_of_client(
        &self,
        grant: CredentialId,
        client: ClientId,
        now: OffsetDateTime,
    ) -> Result<(), StoreError> {
        let by = By {
            actor: &Actor::client(client),
            now,
        };
        revoke::revoke(&self.database, grant, Whose::Client(client), by)
            .await
            .map(|_| ())
    }

    async fn revoke_of_user(
        &self,
        grant: CredentialId,
        user: UserId,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<bool, StoreError> {
        revoke::revoke(&self.database, grant, Whose::User(user), By { actor, now }).await
    }

    async fn revoke_app_of_user(
        &self,
        client: ClientId,
        user: UserId,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<bool, StoreError> {
        revoke_app::revoke(&self.database, client, user, By { actor, now }).await
    }

    async fn connected(&self, user: UserId) -> Result<Vec<ConnectedApp>, StoreError> {
        let reader = self.database.reader().await?;
        let query = sql!("connected.sql").bind::<SqlUuid, _>(user.0);
        let rows: Vec<ConnectedRow> = query.load(&mut &*reader).await.map_err(failure)?;
        Ok(rows.into_iter().map(ConnectedApp::from).collect())
    }

    async fn find(&self, grant: CredentialId) -> Result<Option<GrantRecord>, StoreError> {
        find::find(&self.database, grant).await
    }
}
