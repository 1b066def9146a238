//! OAuth clients.

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, SelectableHelper,
    prelude::{Insertable, Queryable, Selectable},
};
use diesel_async::{AsyncConnection, RunQueryDsl};
use pharos_auth::{
    oauth::{
        client::{AuthMethod, Client, ClientMetadata},
        redirect_uri::RedirectUri,
        store::ClientStore,
    },
    secret::SecretDigest,
};
use pharos_domain::{audit::Actor, ids::ClientId, store::StoreError};
use pharos_persistence::{
    audit::{self, By},
    failure::{Abort, failure},
    pool::Database,
};
use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::oauth_clients;

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
}
