//! Creating a key.

use diesel::{
    BoolExpressionMethods, ExpressionMethods, JoinOnDsl, OptionalExtension, QueryDsl, SelectableHelper,
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_auth::keys::manage::{KeyDetails, KeyError, KeyRequest, NewSecret};
use pharos_domain::{ids::CredentialId, role::Role};
use pharos_persistence::{
    audit::{self, By},
    failure::Abort,
    hold, names,
    pool::Database,
    schema::{members, users},
};
use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;

use super::row::{KeyRow, NewSecretRow};
use crate::schema::{api_key_secrets, api_keys};

pub(super) async fn create(
    database: &Database,
    id: CredentialId,
    key: &KeyRequest,
    secret: &NewSecret,
    most_live: u32,
    by: By<'_>,
) -> Result<KeyDetails, KeyError> {
    let mut connection = database.connection().await?;
    let row = connection
        .transaction::<_, Abort<KeyError>, _>(async |connection| {
            if !hold::workspace(connection, key.workspace).await? {
                return Err(Abort::Port(KeyError::NoWorkspace));
            }
            check_creator(connection, key).await?;
            check_room(connection, key.workspace.0, most_live, by.now).await?;
            let row = insert(connection, id, key, secret, by.now).await?;
            let details = json!({
                "workspace_id": key.workspace,
                "created_by": key.creator,
                "name": key.name,
                "prefix": secret.shown,
                "scopes": key.scopes,
                "allowlist": key.allowlist,
            });
            audit::record(connection, by, "key.create", id, details).await?;
            Ok(row)
        })
        .await
        .map_err(Abort::answer)?;
    Ok(row.into_details(secret.shown.clone()))
}

async fn check_creator(connection: &mut AsyncPgConnection, key: &KeyRequest) -> Result<(), Abort<KeyError>> {
    let role: Option<String> = members::table
        .inner_join(users::table.on(users::id.eq(members::user_id)))
        .filter(members::workspace_id.eq(key.workspace.0))
        .filter(members::user_id.eq(key.creator.0))
        .filter(users::disabled_at.is_null())
        .select(members::role)
        .first(connection)
        .await
        .optional()?;
    let may = [Role::Admin, Role::Owner];
    if role.is_some_and(|role| may.iter().any(|may| may.as_str() == role)) {
        Ok(())
    } else {
        Err(Abort::Port(KeyError::NotAdmin))
    }
}

async fn check_room(
    connection: &mut AsyncPgConnection,
    workspace: Uuid,
    most_live: u32,
    now: OffsetDateTime,
) -> Result<(), Abort<KeyError>> {
    let live: i64 = api_keys::table
        .filter(api_keys::workspace_id.eq(workspace))
        .filter(api_keys::revoked_at.is_null())
        .filter(api_keys::expires_at.is_null().or(api_keys::expires_at.gt(now)))
        .count()
        .get_result(connection)
        .await?;
    if live < i64::from(most_live) {
        Ok(())
    } else {
        let live = names::count(live).map_err(|error| Abort::Port(error.into()))?;
        Err(Abort::Port(KeyError::TooMany(live)))
    }
}

async fn insert(
    connection: &mut AsyncPgConnection,
    id: CredentialId,
    key: &KeyRequest,
    secret: &NewSecret,
    now: OffsetDateTime,
) -> Result<KeyRow, Abort<KeyError>> {
    let row: Option<KeyRow> = diesel::insert_into(api_keys::table)
        .values(KeyRow {
            id: id.0,
            workspace_id: key.workspace.0,
            created_by: key.creator.0,
            name: key.name.clone(),
            scopes: key.scopes.iter().map(|scope| scope.to_string()).collect(),
            allowlist: key.allowlist.clone(),
            created_at: now,
            expires_at: key.expires_at,
            revoked_at: None,
            last_used_at: None,
        })
        .on_conflict_do_nothing()
        .returning(KeyRow::as_returning())
        .get_result(connection)
        .await
        .optional()?;
    let row = row.ok_or(Abort::Port(KeyError::CreatedAlready))?;
    diesel::insert_into(api_key_secrets::table)
        .values(NewSecretRow {
            digest: &secret.digest.0,
            key_id: id.0,
            shown: &secret.shown,
            created_at: now,
        })
        .execute(connection)
        .await?;
    Ok(row)
}
