//! Upkeep of sealed columns: what older keys have sealed is sealed anew, and keys go that nothing is sealed by any more.

use diesel::{
    QueryResult, QueryableByName, sql_query,
    sql_types::{Array, BigInt, Binary, Text, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{audit::Actor, store::StoreError};
use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{
    SealedColumn,
    keys::{RowKey, RowKeys},
};
use crate::{
    audit::{self, By},
    failure::Abort,
    pool::Database,
};

/// How many rows one transaction seals anew, so that none takes long.
const AT_ONCE: u16 = 500;

#[derive(QueryableByName)]
struct SealedRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Binary)]
    sealed: Vec<u8>,
}

/// The outcome for some rows.
#[derive(Default)]
struct Part {
    /// The last of them, if there may be more behind it.
    last: Option<Uuid>,
    sealed: usize,
    /// Why rows can't be opened, by any key.
    broken: Vec<String>,
}

impl Database {
    /// The columns of sealed secrets.
    pub(crate) fn sealed_columns(&self) -> impl Iterator<Item = SealedColumn> + use<> {
        self.groups().iter().flat_map(|group| group.sealed).copied()
    }

    /// Seals anew what older keys have sealed, so many rows at once. A row that somebody changes meanwhile is left to them, and to the
    /// next hour. A key that nothing is sealed by any more goes, a day after the next has taken over.
    pub(crate) async fn seal_anew(
        &self,
        column: SealedColumn,
        now: OffsetDateTime,
    ) -> Result<(), StoreError> {
        // They are not those that a node holds: only the key that seals now takes over rows.
        let Some(keys) = RowKeys::known(self, column.table).await? else {
            return Ok(());
        };
        if keys.older().is_empty() {
            return Ok(());
        }
        let mut connection = self.connection().await?;
        let (mut behind, mut sealed, mut broken) = (Some(Uuid::nil()), 0, Vec::new());
        while let Some(id) = behind {
            let part = connection
                .transaction::<_, Abort<StoreError>, _>(async |connection| {
                    seal_part(connection, column, &keys, id).await
                })
                .await
                .map_err(Abort::answer)?;
            behind = part.last;
            sealed += part.sealed;
            broken.extend(part.broken);
        }
        let table = column.table;
        if sealed > 0 {
            tracing::info!(table, sealed, "secrets are sealed by a newer key");
        }
        if let [why, ..] = broken.as_slice() {
            let rows = broken.len();
            tracing::warn!(table, rows, %why, "secrets that can't be opened stay as they are");
        }
        for key in keys.older().iter().filter(|key| key.is_over) {
            connection
                .transaction::<_, Abort<StoreError>, _>(async |connection| {
                    Ok(drop_unused(connection, column, key, now).await?)
                })
                .await
                .map_err(Abort::answer)?;
        }
        Ok(())
    }
}

/// Seals the first rows anew that lie behind this id. They are locked until the transaction ends: whoever changes one waits for that,
/// and nobody who was first is overwritten.
async fn seal_part(
    connection: &mut AsyncPgConnection,
    SealedColumn { table, column }: SealedColumn,
    keys: &RowKeys,
    behind: Uuid,
) -> Result<Part, Abort<StoreError>> {
    let prefixes: Vec<&[u8]> = keys.older().iter().map(|key| key.prefix.as_slice()).collect();
    let find = sql_query(format!(
        "SELECT t.id, t.{column} AS sealed FROM {table} AS t
         WHERE t.id > $1
             AND EXISTS (SELECT FROM unnest($2) AS p (prefix) WHERE substr(t.{column}, 1, octet_length(p.prefix)) = p.prefix)
         ORDER BY t.id LIMIT $3 FOR NO KEY UPDATE OF t SKIP LOCKED"
    ))
    .bind::<SqlUuid, _>(behind)
    .bind::<Array<Binary>, _>(prefixes)
    .bind::<BigInt, _>(i64::from(AT_ONCE));
    let rows: Vec<SealedRow> = find.load(connection).await?;
    let last = rows.last().map(|row| row.id);
    let mut part = Part {
        last: last.filter(|_| rows.len() == usize::from(AT_ONCE)),
        ..Part::default()
    };
    let (mut ids, mut anew) = (Vec::with_capacity(rows.len()), Vec::with_capacity(rows.len()));
    for row in &rows {
        match keys.anew(row.id, &row.sealed) {
            Ok(sealed) => {
                ids.push(row.id);
                anew.push(sealed);
            }
            Err(StoreError::Corrupt(why)) => part.broken.push(why),
            Err(error) => return Err(Abort::Port(error)),
        }
    }
    let write = sql_query(format!(
        "UPDATE {table} AS t SET {column} = s.sealed FROM unnest($1, $2) AS s (id, sealed) WHERE t.id = s.id"
    ))
    .bind::<Array<SqlUuid>, _>(ids)
    .bind::<Array<Binary>, _>(anew);
    part.sealed = write.execute(connection).await?;
    Ok(part)
}

/// Takes the key away unless something is sealed by it.
async fn drop_unused(
    connection: &mut AsyncPgConnection,
    SealedColumn { table, column }: SealedColumn,
    key: &RowKey,
    now: OffsetDateTime,
) -> QueryResult<()> {
    let unused =
        format!("NOT EXISTS (SELECT FROM {table} AS t WHERE substr(t.{column}, 1, octet_length($2)) = $2)");
    let prefix = key.prefix.as_slice();
    let dropped = match key.id {
        None => {
            let query = format!("DELETE FROM shared_secrets WHERE name = $1 AND {unused}");
            let query = sql_query(query).bind::<Text, _>(table).bind::<Binary, _>(prefix);
            query.execute(connection).await?
        }
        Some(id) => {
            let query = format!("DELETE FROM sealing_keys WHERE id = $1 AND {unused}");
            let query = sql_query(query).bind::<SqlUuid, _>(id).bind::<Binary, _>(prefix);
            query.execute(connection).await?
        }
    };
    // Otherwise something is sealed by it, or another node was first.
    if dropped > 0 {
        let actor = Actor::system();
        let by = By { actor: &actor, now };
        audit::record(
            connection,
            by,
            "sealing_key.drop",
            key.name(),
            json!({ "table": table }),
        )
        .await?;
    }
    Ok(())
}
