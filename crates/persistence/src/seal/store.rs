//! The keys of all sealed columns, as operators see and rotate them.

use std::collections::HashMap;

use async_trait::async_trait;
use diesel::{
    QueryResult, QueryableByName, sql_query,
    sql_types::{Array, BigInt, Binary, Double, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    audit::Actor,
    sealing_keys::{SealingKeyDetails, SealingKeyState, SealingKeyStore},
    store::StoreError,
};
use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{
    PUBLISHED_FOR, SealedColumn,
    keys::{RowKey, RowKeys},
};
use crate::{
    audit::{self, By},
    failure::{Abort, failure},
    names,
    pool::Database,
    shared_secrets, sql,
};

/// The keys of sealed columns in PostgreSQL.
#[derive(Clone, Debug)]
pub(crate) struct PgSealingKeyStore {
    database: Database,
}

impl PgSealingKeyStore {
    /// Those of `database`.
    pub(crate) fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(QueryableByName)]
struct CountRow {
    #[diesel(sql_type = Binary)]
    prefix: Vec<u8>,
    #[diesel(sql_type = BigInt)]
    sealed: i64,
}

#[derive(QueryableByName)]
struct NewRow {
    #[diesel(sql_type = Timestamptz)]
    seals_from: OffsetDateTime,
}

#[async_trait]
impl SealingKeyStore for PgSealingKeyStore {
    async fn list(&self) -> Result<Vec<SealingKeyDetails>, StoreError> {
        let mut listed = Vec::new();
        for column in self.database.sealed_columns() {
            let Some(keys) = RowKeys::known(&self.database, column.table).await? else {
                continue;
            };
            let older = keys.older().iter().map(|key| (key, SealingKeyState::Older));
            let next = keys.next().iter().map(|key| (key, SealingKeyState::Next));
            let sealing = (keys.sealing(), SealingKeyState::Sealing);
            let keys: Vec<(&RowKey, SealingKeyState)> = older.chain([sealing]).chain(next).collect();
            let prefixes = keys.iter().map(|(key, _)| key.prefix.as_slice()).collect();
            let counts = counts(&self.database, column, prefixes).await?;
            for (key, state) in keys {
                listed.push(SealingKeyDetails {
                    table: column.table,
                    id: key.id,
                    seals_from: key.seals_from,
                    state,
                    rows: names::count(counts.get(&key.prefix).copied().unwrap_or_default())?,
                });
            }
        }
        Ok(listed)
    }

    async fn rotate(&self, actor: &Actor, now: OffsetDateTime) -> Result<Vec<SealingKeyDetails>, StoreError> {
        let mut fresh = Vec::new();
        for column in self.database.sealed_columns() {
            // The first is there before the next, so that nodes that have read one of them alone agree.
            RowKeys::read(&self.database, column.table).await?;
            fresh.push((column.table, Uuid::now_v7(), shared_secrets::fresh()?));
        }
        let by = By { actor, now };
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                let mut made = Vec::new();
                for &(table, id, value) in &fresh {
                    let seals_from = add(connection, table, id, &value).await?;
                    let details = json!({ "table": table, "seals_from": seals_from.unix_timestamp() });
                    audit::record(connection, by, "sealing_key.rotate", id, details).await?;
                    made.push(SealingKeyDetails {
                        table,
                        id: Some(id),
                        seals_from: Some(seals_from),
                        state: SealingKeyState::Next,
                        rows: 0,
                    });
                }
                Ok(made)
            })
            .await
            .map_err(Abort::answer)
    }
}

/// Adds a key to those of the table, and gives the moment from which on it seals.
async fn add(
    connection: &mut AsyncPgConnection,
    table: &str,
    id: Uuid,
    value: &[u8],
) -> QueryResult<OffsetDateTime> {
    let query = sql!(text "INSERT INTO sealing_keys (id, sealed_table, value, seals_from)
        VALUES ($1, $2, $3, now() + make_interval(secs => $4)) RETURNING seals_from")
    .bind::<SqlUuid, _>(id)
    .bind::<Text, _>(table)
    .bind::<Binary, _>(value)
    .bind::<Double, _>(PUBLISHED_FOR.as_secs_f64());
    let row: NewRow = query.get_result(connection).await?;
    Ok(row.seals_from)
}

/// How many rows each key has sealed, by what all begins with that it has sealed.
async fn counts(
    database: &Database,
    SealedColumn { table, column }: SealedColumn,
    prefixes: Vec<&[u8]>,
) -> Result<HashMap<Vec<u8>, i64>, StoreError> {
    let count = format!(
        "SELECT p.prefix, count(t.id) AS sealed
         FROM unnest($1) AS p (prefix)
         LEFT JOIN {table} AS t ON substr(t.{column}, 1, octet_length(p.prefix)) = p.prefix
         GROUP BY p.prefix"
    );
    let mut connection = database.connection().await?;
    let query = sql_query(count).bind::<Array<Binary>, _>(prefixes);
    let rows: Vec<CountRow> = query.load(&mut connection).await.map_err(failure)?;
    Ok(rows.into_iter().map(|row| (row.prefix, row.sealed)).collect())
}
