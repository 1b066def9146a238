//! The keys of a workspace.

use std::collections::HashMap;

use diesel::{ExpressionMethods, PgSortExpressionMethods, QueryDsl, SelectableHelper};
use diesel_async::RunQueryDsl;
use pharos_auth::keys::manage::KeyDetails;
use pharos_domain::{ids::WorkspaceId, store::StoreError};
use pharos_persistence::{failure::failure, pool::Database};
use uuid::Uuid;

use super::row::KeyRow;
use crate::schema::{api_key_secrets, api_keys};

pub(super) async fn list(database: &Database, workspace: WorkspaceId) -> Result<Vec<KeyDetails>, StoreError> {
    let mut connection = database.connection().await?;
    let rows: Vec<KeyRow> = api_keys::table
        .filter(api_keys::workspace_id.eq(workspace.0))
        .order((api_keys::created_at.desc(), api_keys::id.desc()))
        .select(KeyRow::as_select())
        .load(&mut connection)
        .await
        .map_err(failure)?;
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let newest: Vec<(Uuid, String)> = api_key_secrets::table
        .filter(api_key_secrets::key_id.eq_any(ids))
        .distinct_on(api_key_secrets::key_id)
        .order((
            api_key_secrets::key_id,
            api_key_secrets::created_at.desc(),
            api_key_secrets::valid_until.desc().nulls_first(),
        ))
        .select((api_key_secrets::key_id, api_key_secrets::shown))
        .load(&mut connection)
        .await
        .map_err(failure)?;
    let mut prefixes: HashMap<Uuid, String> = newest.into_iter().collect();
    let details = rows.into_iter().map(|row| {
        let prefix = prefixes.remove(&row.id).unwrap_or_default();
        row.into_details(prefix)
    });
    Ok(details.collect())
}
