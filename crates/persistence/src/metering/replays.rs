//! The answers that keys were given.

use std::time;

use ::time::{Duration, OffsetDateTime};
use async_trait::async_trait;
use diesel::{
    BoolExpressionMethods, ExpressionMethods, IntoSql, OptionalExtension, QueryDsl, QueryResult,
    SelectableHelper,
    dsl::{self, IntervalDsl},
    prelude::{Queryable, QueryableByName, Selectable},
    sql_types::{BigInt, Binary, Bool, Integer, SmallInt, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    credits::{LogEntry, RequestKey, StoredAnswer},
    ids::CredentialId,
    replays::{Replay, ReplayStore},
    store::StoreError,
};

use crate::{failure::failure, names, pool::Database, schema::idempotency_records, sql};

/// How long a key has its answer.
const KEPT: Duration = Duration::hours(24);
/// How many records one statement deletes.
const CHUNK: usize = 10_000;

/// The answers in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgReplayStore {
    database: Database,
}

impl PgReplayStore {
    /// The answers of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(QueryableByName)]
struct ClaimRow {
    #[diesel(sql_type = Bool)]
    claimed: bool,
}

/// The answer to the request of a key.
#[derive(Queryable, Selectable)]
#[diesel(table_name = idempotency_records)]
pub(super) struct RecordRow {
    fingerprint: Vec<u8>,
    status: i16,
    body: Vec<u8>,
}

impl RecordRow {
    /// The answer; `None` where the key was another request's.
    pub(super) fn answer(self, key: &RequestKey) -> Result<Option<StoredAnswer>, StoreError> {
        if self.fingerprint != key.fingerprint {
            return Ok(None);
        }
        Ok(Some(StoredAnswer {
            status: names::count(self.status)?,
            body: self.body.into(),
        }))
    }
}

/// Makes the open transaction the only one that serves the key; waits for those before it. `false`: one
/// of them was not over within `patience`.
pub(super) async fn claim(
    connection: &mut AsyncPgConnection,
    credential: CredentialId,
    key: &RequestKey,
    patience: time::Duration,
) -> QueryResult<bool> {
    let query = sql!(text "SELECT claim_idempotency_key($1, $2, $3) AS claimed")
        .bind::<SqlUuid, _>(credential.0)
        .bind::<Text, _>(&key.key)
        .bind::<Integer, _>(i32::try_from(patience.as_millis()).unwrap_or(i32::MAX));
    let row: ClaimRow = query.get_result(connection).await?;
    Ok(row.claimed)
}

/// The answer that the credential's key got in the 24 hours before `now`. A clock that is ahead makes no answer too old to
/// count: the request would be served a second time.
pub(super) async fn find(
    mut connection: &AsyncPgConnection,
    credential: CredentialId,
    key: &RequestKey,
    now: OffsetDateTime,
) -> QueryResult<Option<RecordRow>> {
    let present = dsl::now.into_sql::<Timestamptz>();
    idempotency_records::table
        .find((credential.0, &key.key))
        .filter(
            idempotency_records::created_at
                .gt(now - KEPT)
                .or(idempotency_records::created_at.gt(present - KEPT.whole_hours().hours())),
        )
        .select(RecordRow::as_select())
        .first(&mut connection)
        .await
        .optional()
}

/// Keeps the answer to the key's request. A row that is there by now is too old to count, and is replaced.
pub(super) async fn put(
    connection: &mut AsyncPgConnection,
    entry: &LogEntry,
    key: &RequestKey,
    answer: &StoredAnswer,
) -> QueryResult<()> {
    let query = sql!("put.sql")
        .bind::<SqlUuid, _>(entry.credential_id.0)
        .bind::<Text, _>(&key.key)
        .bind::<Binary, _>(key.fingerprint.as_slice())
        .bind::<SmallInt, _>(i16::try_from(answer.status).unwrap_or(i16::MAX))
        .bind::<Binary, _>(&*answer.body)
        .bind::<Timestamptz, _>(entry.occurred_at);
    query.execute(connection).await.map(|_| ())
}

/// Deletes the answers that no key has any more.
pub(crate) async fn clean_up(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    loop {
        let query = sql!("clean_up.sql")
            .bind::<Timestamptz, _>(now - KEPT)
            .bind::<BigInt, _>(i64::try_from(CHUNK).unwrap_or(i64::MAX));
        let deleted = query.execute(&mut connection).await.map_err(failure)?;
        if deleted < CHUNK {
            return Ok(());
        }
    }
}

#[async_trait]
impl ReplayStore for PgReplayStore {
    async fn find(
        &self,
        credential: CredentialId,
        key: &RequestKey,
        now: OffsetDateTime,
    ) -> Result<Replay, StoreError> {
        let reader = self.database.reader().await?;
        let Some(row) = find(&reader, credential, key, now).await.map_err(failure)? else {
            return Ok(Replay::Unknown);
        };
        Ok(row.answer(key)?.map_or(Replay::Reused, Replay::Answer))
    }
}
