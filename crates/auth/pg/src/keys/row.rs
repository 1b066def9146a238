//! The rows of keys and their secrets.

use diesel::{
    ExpressionMethods, OptionalExtension, PgSortExpressionMethods, QueryDsl, SelectableHelper,
    prelude::{Insertable, Queryable, Selectable},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_auth::keys::manage::{KeyDetails, KeyError};
use pharos_domain::ids::{CredentialId, UserId, WorkspaceId};
use pharos_persistence::{failure::Abort, names};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::{api_key_secrets, api_keys};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = api_keys)]
#[diesel(check_for_backend(diesel::pg::Pg))]
pub(super) struct KeyRow {
    pub(super) id: Uuid,
    pub(super) workspace_id: Uuid,
    pub(super) created_by: Uuid,
    pub(super) name: String,
    pub(super) scopes: Vec<String>,
    pub(super) allowlist: Option<Vec<String>>,
    pub(super) created_at: OffsetDateTime,
    pub(super) expires_at: Option<OffsetDateTime>,
    pub(super) revoked_at: Option<OffsetDateTime>,
    pub(super) last_used_at: Option<OffsetDateTime>,
}

#[derive(Insertable)]
#[diesel(table_name = api_key_secrets)]
pub(super) struct NewSecretRow<'a> {
    pub(super) digest: &'a [u8],
    pub(super) key_id: Uuid,
    pub(super) shown: &'a str,
    pub(super) created_at: OffsetDateTime,
}

impl KeyRow {
    /// Locks a key that is neither revoked nor expired, until the transaction ends.
    pub(super) async fn lock_live(
        connection: &mut AsyncPgConnection,
        id: CredentialId,
        now: OffsetDateTime,
    ) -> Result<Self, Abort<KeyError>> {
        let key = api_keys::table
            .find(id.0)
            .for_no_key_update()
            .select(Self::as_select())
            .first(connection)
            .await
            .optional()?
            .ok_or(Abort::Port(KeyError::NotFound))?;
        let expired = key.expires_at.is_some_and(|at| at <= now);
        if key.revoked_at.is_some() || expired {
            return Err(Abort::Port(KeyError::NotLive));
        }
        Ok(key)
    }

    /// The prefix of the key's newest secret, which lists show.
    pub(super) async fn prefix(&self, connection: &mut AsyncPgConnection) -> diesel::QueryResult<String> {
        api_key_secrets::table
            .filter(api_key_secrets::key_id.eq(self.id))
            .order((
                api_key_secrets::created_at.desc(),
                api_key_secrets::valid_until.desc().nulls_first(),
            ))
            .select(api_key_secrets::shown)
            .first(connection)
            .await
    }

    /// The key as lists show it.
    pub(super) fn into_details(self, prefix: String) -> KeyDetails {
        KeyDetails {
            id: CredentialId(self.id),
            workspace_id: WorkspaceId(self.workspace_id),
            created_by: UserId(self.created_by),
            name: self.name,
            prefix,
            scopes: names::known(&self.scopes),
            allowlist: self.allowlist,
            created_at: self.created_at,
            expires_at: self.expires_at,
            revoked_at: self.revoked_at,
            last_used_at: self.last_used_at,
        }
    }
}
