//! The answers that keys were given.

use std::{borrow::Cow, time};

use ::time::{Duration, OffsetDateTime};
use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryResult, SelectableHelper,
    prelude::{AsChangeset, Insertable, Queryable, QueryableByName, Selectable},
    sql_types::{BigInt, Bool, Integer, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    credits::{LogEntry, RequestKey, StoredAnswer},
    ids::CredentialId,
    replays::{Replay, ReplayStore},
    store::StoreError,
};
use uuid::Uuid;

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

/// The answer to the request of a key; what is in it is borrowed on its way into the table.
#[derive(AsChangeset, Insertable, Queryable, Selectable)]
#[diesel(table_name = idempotency_records)]
pub(super) struct RecordRow<'a> {
    fingerprint: Cow<'a, [u8]>,
    status: i16,
    body: Cow<'a, [u8]>,
}

#[derive(AsChangeset, Insertable)]
#[diesel(table_name = idempotency_records)]
#[diesel(primary_key(credential_id, key))]
struct NewRecordRow<'a> {
    credential_id: Uuid,
    key: &'a str,
    #[diesel(embed)]
    record: RecordRow<'a>,
    created_at: OffsetDateTime,
}

impl RecordRow<'_> {
    /// The answer; `None` where the key was another request's.
    pub(super) fn answer(self, key: &RequestKey) -> Result<Option<StoredAnswer>, StoreError> {
        if *self.fingerprint != key.fingerprint[..] {
            return Ok(None);
        }
        Ok(Some(StoredAnswer {
            status: names::count(self.status)?,
            body: self.body.into_owned().into(),
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

/// The answer that the credential's key got in the 24 hours before `now`.
pub(super) async fn find(
    mut connection: &AsyncPgConnection,
    credential: CredentialId,
    key: &RequestKey,
    now: OffsetDateTime,
) -> QueryResult<Option<RecordRow<'static>>> {
    idempotency_records::table
        .find((credential.0, &key.key))
        .filter(idempotency_records::created_at.gt(now - KEPT))
        .select(RecordRow::<'static>::as_select())
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
    let row = NewRecordRow {
        credential_id: entry.credential_id.0,
        key: &key.key,
        record: RecordRow {
            fingerprint: key.fingerprint.as_slice().into(),
            status: i16::try_from(answer.status).unwrap_or(i16::MAX),
            body: Cow::Borrowed(&answer.body),
        },
        created_at: entry.occurred_at,
    };
    diesel::insert_into(idempotency_records::table)
        .values(&row)
        .on_conflict((idempotency_records::credential_id, idempotency_records::key))
        .do_update()
        .set(&row)
        .execute(connection)
        .await
        .map(|_| ())
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
