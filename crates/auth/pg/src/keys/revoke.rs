//! Revoking a key.

use diesel::{ExpressionMethods, QueryDsl, SelectableHelper};
use diesel_async::{AsyncConnection, RunQueryDsl};
use pharos_auth::keys::manage::{KeyDetails, KeyError};
use pharos_domain::ids::CredentialId;
use pharos_persistence::{
    audit::{self, By},
    failure::Abort,
    pool::Database,
};
use serde_json::json;

use super::row::KeyRow;
use crate::schema::api_keys;

pub(super) async fn revoke(
    database: &Database,
    id: CredentialId,
    by: By<'_>,
) -> Result<KeyDetails, KeyError> {
    let mut connection = database.connection().await?;
    let (row, prefix) = connection
        .transaction::<_, Abort<KeyError>, _>(async |connection| {
            KeyRow::lock_live(connection, id, by.now).await?;
            let row: KeyRow = diesel::update(api_keys::table.find(id.0))
                .set(api_keys::revoked_at.eq(by.now))
                .returning(KeyRow::as_returning())
                .get_result(connection)
                .await?;
            let prefix = row.prefix(connection).await?;
            audit::record(connection, by, "key.revoke", id, json!({ "prefix": prefix })).await?;
            Ok((row, prefix))
        })
        .await
        .map_err(Abort::answer)?;
    Ok(row.into_details(prefix))
}
