//! Secrets in rows, sealed by keys that all nodes share and that are rotated.

mod anew;
mod keys;
pub(crate) mod store;

use std::{
    sync::{Arc, PoisonError, RwLock},
    time::{Duration, Instant, SystemTime},
};

use pharos_domain::store::StoreError;

pub use self::keys::RowKeys;
use crate::pool::Database;

/// How long a node goes by the keys that it has read.
const HELD_FOR: Duration = Duration::from_secs(60);
/// How long a key is there before it seals. Until then every node has read the keys anew, and opens what it will seal.
const PUBLISHED_FOR: Duration = Duration::from_secs(300);
/// How long a key stays at least once the next has taken over: a node that stood still may yet write what it has sealed by it.
const KEPT_FOR: Duration = Duration::from_secs(86_400);

/// A column of sealed secrets. The rows of its table have an id, which is a UUID, where keys of the database seal them.
#[derive(Clone, Copy, Debug)]
pub struct SealedColumn {
    /// The table. Its keys are called after it.
    pub table: &'static str,
    /// The column.
    pub column: &'static str,
}

/// The keys of one column, as a node holds them: they are read when they are first needed, and again after a minute. They are asked
/// for before a connection of the pool is taken, since reading them takes one.
#[derive(Debug)]
pub struct Seal {
    table: &'static str,
    held: RwLock<Option<Held>>,
}

#[derive(Debug)]
struct Held {
    keys: Arc<RowKeys>,
    read_at: Instant,
    /// An [`Instant`] stands still while the machine sleeps, in which keys may have come and gone.
    read_on: SystemTime,
}

impl Seal {
    /// That of a column.
    #[must_use]
    pub const fn of(column: SealedColumn) -> Self {
        Self {
            table: column.table,
            held: RwLock::new(None),
        }
    }

    /// The keys. The first node that asks makes the first of them.
    ///
    /// # Errors
    /// The store failed, or the system has no randomness.
    pub async fn keys(&self, database: &Database) -> Result<Arc<RowKeys>, StoreError> {
        let (read_at, read_on) = (Instant::now(), SystemTime::now());
        if let Some(keys) = self.held(read_at, read_on) {
            return Ok(keys);
        }
        let keys = Arc::new(RowKeys::read(database, self.table).await?);
        let mut held = self.held.write().unwrap_or_else(PoisonError::into_inner);
        *held = Some(Held {
            keys: Arc::clone(&keys),
            read_at,
            read_on,
        });
        Ok(keys)
    }

    fn held(&self, now: Instant, on: SystemTime) -> Option<Arc<RowKeys>> {
        let held = self.held.read().unwrap_or_else(PoisonError::into_inner);
        let Held {
            keys,
            read_at,
            read_on,
        } = held.as_ref()?;
        let is_new = now.saturating_duration_since(*read_at) < HELD_FOR
            && on.duration_since(*read_on).is_ok_and(|since| since < HELD_FOR);
        is_new.then(|| Arc::clone(keys))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without a restart a node knows a key that another has added, and before that seals.
    #[test]
    fn keys_are_read_anew_before_a_new_one_seals() {
        let seal = Seal::of(SealedColumn {
            table: "a_table",
            column: "secrets",
        });
        let (now, on) = (Instant::now(), SystemTime::now());
        assert!(seal.held(now, on).is_none());
        *seal.held.write().unwrap() = Some(Held {
            keys: Arc::new(keys::tests::of_the_first()),
            read_at: now,
            read_on: on,
        });
        let half = HELD_FOR / 2;
        assert!(seal.held(now + half, on + half).is_some());
        assert!(seal.held(now + HELD_FOR, on + HELD_FOR).is_none());
        // The machine slept.
        assert!(seal.held(now + half, on + KEPT_FOR).is_none());
        // Its clock was set back.
        assert!(seal.held(now + half, on - half).is_none());
    }
}
