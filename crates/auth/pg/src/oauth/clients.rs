//! OAuth clients.

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryResult, QueryableByName, SelectableHelper,
    prelude::{Insertable, Queryable, Selectable},
    sql_types::{Array, BigInt, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_auth::{
    oauth::{
        client::{AuthMethod, Client, ClientMetadata},
        redirect_uri::RedirectUri,
        store::{ClientStore, ListedClient},
    },
    secret::SecretDigest,
};
use pharos_domain::{audit::Actor, ids::ClientId, store::StoreError};
use pharos_persistence::{
    audit::{self, By},
    failure::{Abort, failure},
    names,
    pool::Database,
    sql,
};
use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::{oauth_clients, oauth_codes, oauth_grants};

/// OAuth clients in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgClientStore {
    database: Database,
}

impl PgClientStore {
    /// The clients of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = oauth_clients)]
#[diesel(check_for_backend(diesel::pg::Pg))]
struct ClientRow {
    id: Uuid,
    name: Option<String>,
    redirect_uris: Vec<String>,
    auth_method: String,
    secret_digest: Option<Vec<u8>>,
    verified_at: Option<OffsetDateTime>,
    created_at: OffsetDateTime,
}

impl TryFrom<ClientRow> for Client {
    type Error = StoreError;

    fn try_from(row: ClientRow) -> Result<Self, StoreError> {
        let corrupt =
            |what: &str| StoreError::Corrupt(format!("the client {} has a {what} that nobody knows", row.id));
        let secret = row
            .secret_digest
            .map(|digest| digest.try_into().map(SecretDigest))
            .transpose();
        Ok(Self {
            id: ClientId(row.id),
            metadata: ClientMetadata {
                name: row.name,
                redirect_uris: row
                    .redirect_uris
                    .into_iter()
                    .map(RedirectUri::registered)
                    .collect(),
                auth_method: AuthMethod::named(&row.auth_method).ok_or_else(|| corrupt("method"))?,
            },
            secret: secret.map_err(|_| corrupt("digest"))?,
            is_verified: row.verified_at.is_some(),
            created_at: row.created_at,
        })
    }
}

#[derive(QueryableByName)]
struct ListedRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Nullable<Text>)]
    name: Option<String>,
    #[diesel(sql_type = Array<Text>)]
    redirect_uris: Vec<String>,
    #[diesel(sql_type = Text)]
    auth_method: String,
    #[diesel(sql_type = Bool)]
    is_verified: bool,
    #[diesel(sql_type = Timestamptz)]
    created_at: OffsetDateTime,
    #[diesel(sql_type = BigInt)]
    grants: i64,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    last_used_at: Option<OffsetDateTime>,
}

impl TryFrom<ListedRow> for ListedClient {
    type Error = StoreError;

    fn try_from(row: ListedRow) -> Result<Self, StoreError> {
        let auth_method = AuthMethod::named(&row.auth_method).ok_or_else(|| {
            StoreError::Corrupt(format!("the client {} has a method that nobody knows", row.id))
        })?;
        Ok(Self {
            id: ClientId(row.id),
            name: row.name,
            redirect_uris: row.redirect_uris,
            auth_method,
            is_verified: row.is_verified,
            created_at: row.created_at,
            grants: names::count(row.grants)?,
            last_used_at: row.last_used_at,
        })
    }
}

#[async_trait]
impl ClientStore for PgClientStore {
    async fn register(&self, client: &Client) -> Result<(), StoreError> {
        let metadata = &client.metadata;
        let row = ClientRow {
            id: client.id.0,
            name: metadata.name.clone(),
            redirect_uris: metadata
                .redirect_uris
                .iter()
                .map(|uri| uri.as_str().to_owned())
                .collect(),
            auth_method: metadata.auth_method.as_str().to_owned(),
            secret_digest: client.secret.map(|digest| digest.0.to_vec()),
            verified_at: None,
            created_at: client.created_at,
        };
        let mut connection = self.database.connection().await?;
        diesel::insert_into(oauth_clients::table)
            .values(row)
            .execute(&mut connection)
            .await
            .map(|_| ())
            .map_err(failure)
    }

    async fn find(&self, id: ClientId) -> Result<Option<Client>, StoreError> {
        let reader = self.database.reader().await?;
        oauth_clients::table
            .find(id.0)
            .select(ClientRow::as_select())
            .first(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?
            .map(Client::try_from)
            .transpose()
    }

    async fn set_verified(
        &self,
        id: ClientId,
        is_verified: bool,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<bool, StoreError> {
        let by = By { actor, now };
        let mut connection = self.database.connection().await?;
        let is_changed = connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                let changed = diesel::update(oauth_clients::table.find(id.0))
                    .set(oauth_clients::verified_at.eq(is_verified.then_some(now)))
                    .execute(connection)
                    .await?;
                if changed > 0 {
                    let details = json!({ "verified": is_verified });
                    audit::record(connection, by, "client.verify", id, details).await?;
                }
                Ok(changed > 0)
            })
            .await
            .map_err(Abort::answer)?;
        drop(connection);
        if is_changed {
            self.database.await_acknowledgement().await;
        }
        Ok(is_changed)
    }

    async fn list(&self, before: Option<ClientId>, limit: u32) -> Result<Vec<ListedClient>, StoreError> {
        let mut connection = self.database.connection().await?;
        let query = sql!("list_clients.sql")
            .bind::<Nullable<SqlUuid>, _>(before.map(|client| client.0))
            .bind::<BigInt, _>(i64::from(limit));
        let rows: Vec<ListedRow> = query.load(&mut connection).await.map_err(failure)?;
        rows.into_iter().map(ListedClient::try_from).collect()
    }

    async fn delete(
        &self,
        id: ClientId,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<Option<usize>, StoreError> {
        let by = By { actor, now };
        let mut connection = self.database.connection().await?;
        let ended = connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| Ok(delete(connection, id, by).await?))
            .await
            .map_err(Abort::answer)?;
        drop(connection);
        if ended.is_some() {
            self.database.await_acknowledgement().await;
        }
        Ok(ended)
    }
}

/// Deletes a client with all that it has. A refresh at the same moment may undo all of it, never a part.
async fn delete(connection: &mut AsyncPgConnection, id: ClientId, by: By<'_>) -> QueryResult<Option<usize>> {
    // Locked, so that nobody agrees to it from here on.
    let found: Option<Option<String>> = oauth_clients::table
        .find(id.0)
        .for_update()
        .select(oauth_clients::name)
        .first(connection)
        .await
        .optional()?;
    let Some(name) = found else {
        return Ok(None);
    };
    diesel::delete(oauth_codes::table.filter(oauth_codes::client_id.eq(id.0)))
        .execute(connection)
        .await?;
    sql!(text "DELETE FROM oauth_refresh_tokens
        WHERE grant_id IN (SELECT id FROM oauth_grants WHERE client_id = $1)")
    .bind::<SqlUuid, _>(id.0)
    .execute(connection)
    .await?;
    let revoked: Vec<Option<OffsetDateTime>> =
        diesel::delete(oauth_grants::table.filter(oauth_grants::client_id.eq(id.0)))
            .returning(oauth_grants::revoked_at)
            .get_results(connection)
            .await?;
    diesel::delete(oauth_clients::table.find(id.0))
        .execute(connection)
        .await?;
    let ended = revoked.iter().filter(|revoked_at| revoked_at.is_none()).count();
    let details = json!({ "name": name, "grants": ended });
    audit::record(connection, by, "client.delete", id, details).await?;
    Ok(Some(ended))
}
