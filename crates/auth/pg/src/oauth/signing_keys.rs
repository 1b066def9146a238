//! The keys that sign access tokens.

use std::borrow::Cow;

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, QueryDsl, SelectableHelper,
    prelude::{Insertable, Queryable, Selectable},
    sql_query,
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_auth::oauth::{
    signing::{SKEW, StoredKey, TOKEN_LIFETIME},
    store::SigningKeyStore,
};
use pharos_domain::{audit::Actor, store::StoreError};
use pharos_persistence::{
    audit::{self, By},
    failure::{Abort, failure},
    pool::Database,
};
use serde_json::json;
use time::OffsetDateTime;

use crate::schema::oauth_signing_keys;

/// Signing keys in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgSigningKeyStore {
    database: Database,
}

impl PgSigningKeyStore {
    /// The keys of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }

    async fn read(connection: &mut AsyncPgConnection) -> diesel::QueryResult<Vec<StoredKey>> {
        let rows: Vec<KeyRow<'static>> = oauth_signing_keys::table
            .order(oauth_signing_keys::signs_from)
            .select(KeyRow::<'static>::as_select())
            .load(connection)
            .await?;
        Ok(rows.into_iter().map(StoredKey::from).collect())
    }
}

/// Read and written alike; what is in it is borrowed on its way into the table.
#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = oauth_signing_keys)]
struct KeyRow<'a> {
    kid: Cow<'a, str>,
    private_key: Cow<'a, [u8]>,
    signs_from: OffsetDateTime,
}

impl From<KeyRow<'_>> for StoredKey {
    fn from(row: KeyRow<'_>) -> Self {
        Self {
            kid: row.kid.into_owned(),
            private_key: row.private_key.into_owned(),
            signs_from: row.signs_from,
        }
    }
}

#[derive(Insertable)]
#[diesel(table_name = oauth_signing_keys)]
struct NewKeyRow<'a> {
    #[diesel(embed)]
    key: KeyRow<'a>,
    created_at: OffsetDateTime,
}

async fn insert(
    connection: &mut AsyncPgConnection,
    key: &StoredKey,
    now: OffsetDateTime,
) -> diesel::QueryResult<()> {
    diesel::insert_into(oauth_signing_keys::table)
        .values(NewKeyRow {
            key: KeyRow {
                kid: key.kid.as_str().into(),
                private_key: key.private_key.as_slice().into(),
                signs_from: key.signs_from,
            },
            created_at: now,
        })
        .execute(connection)
        .await
        .map(|_| ())
}

/// Until the transaction ends nobody else changes the keys; they are read all the same.
async fn lock(connection: &mut AsyncPgConnection) -> diesel::QueryResult<()> {
    sql_query("LOCK TABLE oauth_signing_keys IN SHARE ROW EXCLUSIVE MODE")
        .execute(connection)
        .await
        .map(|_| ())
}

#[async_trait]
impl SigningKeyStore for PgSigningKeyStore {
    async fn load(
        &self,
        first: &(dyn Fn() -> Option<StoredKey> + Send + Sync),
    ) -> Result<Vec<StoredKey>, StoreError> {
        let mut connection = self.database.connection().await?;
        let stored = Self::read(&mut connection).await.map_err(failure)?;
        if !stored.is_empty() {
            return Ok(stored);
        }
        let first = first().ok_or_else(|| StoreError::Failed("the system has no randomness".into()))?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                lock(connection).await?;
                // Another node may have been first.
                if Self::read(connection).await?.is_empty() {
                    insert(connection, &first, first.signs_from).await?;
                }
                Ok(Self::read(connection).await?)
            })
            .await
            .map_err(Abort::answer)
    }

    async fn list(&self) -> Result<Vec<StoredKey>, StoreError> {
        let mut connection = self.database.connection().await?;
        Self::read(&mut connection).await.map_err(failure)
    }

    async fn rotate(
        &self,
        next: &StoredKey,
        at_once: bool,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<(), StoreError> {
        let by = By { actor, now };
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                lock(connection).await?;
                // A key signs until the next takes over; an hour later its last token is over.
                let over = now - TOKEN_LIFETIME - SKEW;
                let stored = Self::read(connection).await?;
                let gone: Vec<&str> = stored
                    .iter()
                    .zip(
                        stored
                            .iter()
                            .skip(1)
                            .map(|successor| successor.signs_from <= over)
                            .chain([false]),
                    )
                    .filter(|(_, is_over)| at_once || *is_over)
                    .map(|(key, _)| key.kid.as_str())
                    .collect();
                diesel::delete(oauth_signing_keys::table.filter(oauth_signing_keys::kid.eq_any(gone)))
                    .execute(connection)
                    .await?;
                insert(connection, next, now).await?;
                let details = json!({ "signs_from": next.signs_from.unix_timestamp(), "at_once": at_once });
                audit::record(connection, by, "jwk.rotate", &next.kid, details).await?;
                Ok(())
            })
            .await
            .map_err(Abort::answer)?;
        drop(connection);
        self.database.await_acknowledgement().await;
        Ok(())
    }
}
