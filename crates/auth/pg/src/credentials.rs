//! The stored credentials, as authentication reads them.

use std::sync::Arc;

use async_trait::async_trait;
use diesel::{
    OptionalExtension, QueryableByName,
    sql_types::{Array, Binary, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_auth::{
    secret::SecretDigest,
    store::{CredentialStore, KeyRecord},
};
use pharos_domain::{
    identity::{CredentialKind, Identity},
    ids::{CredentialId, UserId, WorkspaceId},
    store::StoreError,
};
use pharos_persistence::{
    failure::failure,
    names,
    pool::Database,
    set_aside::{self, Batch, Kind, SetAside},
    sql,
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::reach::{self, Reach};

/// Credentials in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgCredentialStore {
    database: Database,
}

impl PgCredentialStore {
    /// The credentials of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(QueryableByName)]
struct KeyRecordRow {
    #[diesel(sql_type = SqlUuid)]
    key_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    created_by: Uuid,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    shown: String,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    valid_until: Option<OffsetDateTime>,
    #[diesel(sql_type = Array<Text>)]
    scopes: Vec<String>,
    #[diesel(sql_type = Nullable<Array<Text>>)]
    allowlist: Option<Vec<String>>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    expires_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    revoked_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Bool)]
    creator_enabled: bool,
    #[diesel(sql_type = Nullable<Text>)]
    role: Option<String>,
    #[diesel(sql_type = SqlUuid)]
    workspace_id: Uuid,
    #[diesel(sql_type = Text)]
    subscription_status: String,
    #[diesel(sql_type = Array<Text>)]
    modules: Vec<String>,
    #[diesel(sql_type = Array<SqlUuid>)]
    domain_ids: Vec<Uuid>,
    #[diesel(sql_type = Array<Text>)]
    domain_hostnames: Vec<String>,
}

impl TryFrom<KeyRecordRow> for KeyRecord {
    type Error = StoreError;

    fn try_from(row: KeyRecordRow) -> Result<Self, StoreError> {
        let workspace_id = WorkspaceId(row.workspace_id);
        // Whoever is no member reaches nothing.
        let reached = row.role.map(|role| Reach {
            workspace_id: row.workspace_id,
            role,
            subscription_status: row.subscription_status,
            modules: row.modules,
            domain_ids: row.domain_ids,
            domain_hostnames: row.domain_hostnames,
        });
        let workspace = reached.map(reach::workspace).transpose()?;
        Ok(Self {
            workspace_id,
            secret_valid_until: row.valid_until,
            revoked_at: row.revoked_at,
            allowlist: row.allowlist,
            creator_is_member: row.creator_enabled && workspace.is_some(),
            identity: Arc::new(Identity {
                kind: CredentialKind::ApiKey,
                credential_id: CredentialId(row.key_id),
                user_id: UserId(row.created_by),
                name: Some(row.name),
                key_prefix: Some(row.shown),
                expires_at: row.expires_at,
                client_id: None,
                audience: None,
                // One that only a later version knows allows nothing here.
                scopes: names::known(&row.scopes),
                default_workspace_id: workspace.as_ref().map(|workspace| workspace.id),
                workspaces: workspace.into_iter().collect(),
            }),
        })
    }
}

#[async_trait]
impl CredentialStore for PgCredentialStore {
    async fn find_key(&self, digest: &SecretDigest) -> Result<Option<KeyRecord>, StoreError> {
        let reader = self.database.reader().await?;
        let query = sql!("find_key.sql").bind::<Binary, _>(digest.0.as_slice());
        query
            .get_result::<KeyRecordRow>(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?
            .map(KeyRecord::try_from)
            .transpose()
    }

    async fn note_use(&self, uses: &[(CredentialId, OffsetDateTime)]) -> Result<(), StoreError> {
        if uses.is_empty() {
            return Ok(());
        }
        set_aside::write(&mut Uses(&self.database), uses)
            .await
            .map(|_| ())
    }
}

/// Uses of keys, on their way into the table.
struct Uses<'a>(&'a Database);

#[async_trait]
impl Batch<(CredentialId, OffsetDateTime)> for Uses<'_> {
    type Said = ();
    type Error = StoreError;

    async fn write(&mut self, uses: &[(CredentialId, OffsetDateTime)]) -> Result<Vec<()>, StoreError> {
        // The latest of each key: an UPDATE takes only one row of several that match.
        let mut uses: Vec<(Uuid, OffsetDateTime)> = uses.iter().map(|(id, at)| (id.0, *at)).collect();
        uses.sort_unstable_by(|a, b| b.cmp(a));
        uses.dedup_by_key(|(id, _)| *id);
        let (ids, times): (Vec<Uuid>, Vec<OffsetDateTime>) = uses.into_iter().unzip();
        let mut connection = self.0.connection().await?;
        let query = sql!("note_use.sql")
            .bind::<Array<SqlUuid>, _>(ids)
            .bind::<Array<Timestamptz>, _>(times);
        query
            .execute(&mut connection)
            .await
            .map(|_| Vec::new())
            .map_err(failure)
    }

    async fn set_aside(
        &mut self,
        one: &(CredentialId, OffsetDateTime),
        why: StoreError,
    ) -> Result<Vec<()>, StoreError> {
        let note = SetAside::unstored(Kind::KeyUse, &one.0, &why, one);
        self.0.note(note).await?;
        Ok(Vec::new())
    }
}
