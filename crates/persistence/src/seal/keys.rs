//! The keys of one table: the youngest that has begun seals, all open.

use std::iter::once;

use diesel::{
    QueryableByName,
    sql_types::{Binary, Bool, Double, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{
    sealing::{KEY_BYTES, SealError, SealingKey},
    store::StoreError,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use super::KEPT_FOR;
use crate::{failure::failure, pool::Database, sql};

/// The form of what the first key of a table has sealed: its first byte. Versions that rotate no keys know no other.
const BY_THE_FIRST: u8 = 1;
/// The form of what a later key has sealed: its id stands behind the first byte.
const BY_A_NAMED: u8 = 2;

/// Seals and opens the secrets of rows. Whoever moves a sealed value to another row finds it broken there.
#[derive(Debug)]
pub struct RowKeys {
    older: Vec<RowKey>,
    sealing: RowKey,
    next: Vec<RowKey>,
}

/// One of the keys.
#[derive(Debug)]
pub(super) struct RowKey {
    /// Its id. `None`: it is the first.
    pub(super) id: Option<Uuid>,
    /// From when on it seals. `None`: from the beginning.
    pub(super) seals_from: Option<OffsetDateTime>,
    /// A younger one took over so long ago that no node seals by it any more.
    pub(super) is_over: bool,
    /// The bytes that all begins with that it has sealed.
    pub(super) prefix: Vec<u8>,
    key: SealingKey,
}

#[derive(QueryableByName)]
struct KeyRow {
    #[diesel(sql_type = Nullable<SqlUuid>)]
    id: Option<Uuid>,
    #[diesel(sql_type = Binary)]
    value: Vec<u8>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    seals_from: Option<OffsetDateTime>,
    #[diesel(sql_type = Bool)]
    has_begun: bool,
    #[diesel(sql_type = Bool)]
    is_over: bool,
}

impl TryFrom<KeyRow> for RowKey {
    type Error = StoreError;

    fn try_from(row: KeyRow) -> Result<Self, StoreError> {
        let KeyRow {
            id,
            value,
            seals_from,
            has_begun: _,
            is_over,
        } = row;
        let value: [u8; KEY_BYTES] = value
            .try_into()
            .map_err(|_| StoreError::Corrupt("a key that seals is not 32 bytes long".to_owned()))?;
        Ok(Self {
            id,
            seals_from,
            is_over,
            prefix: prefix(id),
            key: SealingKey::new(&value).map_err(failed)?,
        })
    }
}

fn prefix(id: Option<Uuid>) -> Vec<u8> {
    match id {
        None => vec![BY_THE_FIRST],
        Some(id) => [[BY_A_NAMED].as_slice(), id.as_bytes().as_slice()].concat(),
    }
}

impl RowKey {
    /// Its name in the audit trail.
    pub(super) fn name(&self) -> String {
        self.id.map_or_else(|| "first".to_owned(), |id| id.to_string())
    }
}

impl RowKeys {
    /// The keys of the table. The first node that asks makes the first of them.
    pub(super) async fn read(database: &Database, table: &str) -> Result<Self, StoreError> {
        if let Some(keys) = Self::known(database, table).await? {
            return Ok(keys);
        }
        database.shared_secret(table).await?;
        let keys = Self::known(database, table).await?;
        keys.ok_or_else(|| StoreError::Failed(format!("the key of {table} is gone").into()))
    }

    /// The keys of the table; `None`: nobody has sealed anything.
    pub(super) async fn known(database: &Database, table: &str) -> Result<Option<Self>, StoreError> {
        let mut connection = database.connection().await?;
        let query = sql!("keys.sql")
            .bind::<Text, _>(table)
            .bind::<Double, _>(KEPT_FOR.as_secs_f64());
        let rows: Vec<KeyRow> = query.load(&mut connection).await.map_err(failure)?;
        Self::of(rows)
    }

    fn of(rows: Vec<KeyRow>) -> Result<Option<Self>, StoreError> {
        // Where the database's clock was set back behind all of them, the oldest seals.
        let begun = rows.iter().rposition(|row| row.has_begun).unwrap_or(0) + 1;
        let keys: Result<Vec<RowKey>, StoreError> = rows.into_iter().map(RowKey::try_from).collect();
        let mut older = keys?;
        let next = older.split_off(begun.min(older.len()));
        let sealing = older.pop();
        Ok(sealing.map(|sealing| Self { older, sealing, next }))
    }

    /// Those that another has taken over from, the oldest first.
    pub(super) fn older(&self) -> &[RowKey] {
        &self.older
    }

    /// The one that seals.
    pub(super) fn sealing(&self) -> &RowKey {
        &self.sealing
    }

    /// Those that will take over.
    pub(super) fn next(&self) -> &[RowKey] {
        &self.next
    }

    /// The secrets of a row, sealed.
    ///
    /// # Errors
    /// The system has no randomness, or they have no form in JSON.
    pub fn close(&self, row: Uuid, secrets: &impl Serialize) -> Result<Vec<u8>, StoreError> {
        let RowKey { prefix, key, .. } = &self.sealing;
        let sealed = key.seal(row, secrets).map_err(failed)?;
        Ok([prefix.as_slice(), sealed.as_slice()].concat())
    }

    /// The secrets of a row.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`]: they were sealed by a key that there is not or for another row, were altered, or are others.
    pub fn open<T: DeserializeOwned>(&self, row: Uuid, sealed: &[u8]) -> Result<T, StoreError> {
        let broken = || StoreError::Corrupt(format!("the secrets of {row} can't be opened"));
        let (key, text) = once(&self.sealing)
            .chain(&self.next)
            .chain(&self.older)
            .find_map(|key| Some((key, sealed.strip_prefix(key.prefix.as_slice())?)))
            .ok_or_else(broken)?;
        key.key.open(row, text).map_err(|_| broken())
    }

    /// The same secrets, sealed by the key that seals now.
    pub(super) fn anew(&self, row: Uuid, sealed: &[u8]) -> Result<Vec<u8>, StoreError> {
        let secrets: Value = self.open(row, sealed)?;
        self.close(row, &secrets)
    }
}

fn failed(why: SealError) -> StoreError {
    StoreError::Failed(format!("secrets can't be sealed: {why}").into())
}

#[cfg(test)]
pub(super) mod tests {
    use pharos_domain::secret::Secret;
    use uuid::uuid;

    use super::*;

    /// Sealed by Python's `cryptography` with a key of sevens for [`OWNER`]: the nonce 00 to 0b, then what `AESGCM.encrypt` gives.
    const SEALED: &[u8] =
        b"\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x3a\xe9\x9c\x1e\x69\x6c\xab\x7b\x55\xa2\xad\x55\
          \x67\xb8\x61\x09\x82\x41\x61\x1b\x9d\x46\x10\x00\x56";
    const OWNER: Uuid = uuid!("0195c0de-7a4e-7c31-9d52-3f1f0b6a8e31");

    fn row(id: Option<Uuid>, byte: u8, has_begun: bool) -> KeyRow {
        KeyRow {
            id,
            value: vec![byte; KEY_BYTES],
            seals_from: None,
            has_begun,
            is_over: false,
        }
    }

    fn keys(rows: Vec<KeyRow>) -> RowKeys {
        RowKeys::of(rows).unwrap().unwrap()
    }

    /// Those of a table whose keys nobody has rotated.
    pub(in crate::seal) fn of_the_first() -> RowKeys {
        keys(vec![row(None, 7, true)])
    }

    #[test]
    fn a_row_alone_has_its_secrets() {
        let keys = of_the_first();
        let (row, other) = (Uuid::now_v7(), Uuid::now_v7());
        let secret = Secret::from("hunter2".to_owned());
        let sealed = keys.close(row, &secret).unwrap();
        assert!(!sealed.windows(7).any(|bytes| bytes == b"hunter2"));
        assert_eq!(keys.open::<Secret>(row, &sealed).unwrap(), secret);
        for (row, sealed) in [(other, &sealed[..]), (row, &sealed[1..]), (row, &sealed[..0])] {
            let broken = keys.open::<Secret>(row, sealed).unwrap_err();
            assert!(matches!(broken, StoreError::Corrupt(_)), "{broken}");
        }
        let shown = format!("{keys:?}");
        assert!(shown.contains("key: SealingKey"), "{shown}");
    }

    #[test]
    fn the_youngest_that_has_begun_seals_and_all_open() {
        let owner = Uuid::now_v7();
        let secret = Secret::from("hunter2".to_owned());
        let sealed_by_the_first = of_the_first().close(owner, &secret).unwrap();
        assert_eq!(sealed_by_the_first[0], BY_THE_FIRST);

        let (second, third) = (Uuid::now_v7(), Uuid::now_v7());
        let rows = |third_has_begun| {
            vec![
                row(None, 7, true),
                row(Some(second), 8, true),
                row(Some(third), 9, third_has_begun),
            ]
        };
        let before = keys(rows(false));
        let sealed_by_the_second = before.close(owner, &secret).unwrap();
        assert_eq!(sealed_by_the_second[1..17], *second.as_bytes());
        let after = keys(rows(true));
        let sealed_by_the_third = after.close(owner, &secret).unwrap();
        assert_eq!(sealed_by_the_third[1..17], *third.as_bytes());
        for keys in [&before, &after] {
            for sealed in [&sealed_by_the_first, &sealed_by_the_second, &sealed_by_the_third] {
                assert_eq!(keys.open::<Secret>(owner, sealed).unwrap(), secret);
                let anew = keys.anew(owner, sealed).unwrap();
                assert!(anew.starts_with(&keys.sealing.prefix));
                assert_eq!(keys.open::<Secret>(owner, &anew).unwrap(), secret);
            }
        }
        let dropped = keys(vec![row(Some(third), 9, true)]);
        dropped.open::<Secret>(owner, &sealed_by_the_first).unwrap_err();
        dropped.open::<Secret>(owner, &sealed_by_the_second).unwrap_err();
    }

    #[test]
    fn both_forms_of_what_is_stored_are_opened_by_later_versions() {
        let id = uuid!("0195c0de-7a4e-7c31-9d52-3f1f0b6a8e32");
        let stored_by_the_first = [[BY_THE_FIRST].as_slice(), SEALED].concat();
        let stored_by_a_later = [[BY_A_NAMED].as_slice(), id.as_bytes().as_slice(), SEALED].concat();
        let keys = keys(vec![row(None, 7, true), row(Some(id), 7, true)]);
        for stored in [stored_by_the_first, stored_by_a_later] {
            let opened: Secret = keys.open(OWNER, &stored).unwrap();
            assert_eq!(opened, Secret::from("hunter2".to_owned()));
        }
        let unknown = [[BY_A_NAMED].as_slice(), OWNER.as_bytes().as_slice(), SEALED].concat();
        keys.open::<Secret>(OWNER, &unknown).unwrap_err();
    }

    #[test]
    fn the_oldest_seals_where_the_clock_was_set_back_behind_all() {
        let second = Uuid::now_v7();
        let back = keys(vec![
            row(Some(second), 8, false),
            row(Some(Uuid::now_v7()), 9, false),
        ]);
        assert_eq!(back.sealing.id, Some(second));
        assert!(RowKeys::of(Vec::new()).unwrap().is_none());
    }
}
