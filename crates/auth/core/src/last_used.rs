//! When a key was last used, written at most once a minute.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use pharos_domain::{ids::CredentialId, store::StoreError};
use time::{Duration, OffsetDateTime};

use crate::store::CredentialStore;

/// The least time between two notes of one key.
pub const AT_MOST_EVERY: Duration = Duration::MINUTE;

#[derive(Debug, Default)]
struct Uses {
    noted: HashMap<CredentialId, OffsetDateTime>,
    pending: HashMap<CredentialId, OffsetDateTime>,
}

/// Gathers uses in memory; [`LastUsed::flush`] writes them in one statement.
#[derive(Debug, Default)]
pub struct LastUsed(Mutex<Uses>);

impl LastUsed {
    /// Notes a use.
    pub fn note(&self, id: CredentialId, now: OffsetDateTime) {
        let mut uses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if uses.noted.get(&id).is_none_or(|at| now - *at >= AT_MOST_EVERY) {
            uses.noted.insert(id, now);
            uses.pending.insert(id, now);
        }
    }

    /// Writes the gathered times. Those that can't be written now are tried again with the next flush, even after a
    /// panic.
    ///
    /// # Errors
    /// The store failed.
    pub async fn flush(&self, store: &dyn CredentialStore) -> Result<(), StoreError> {
        let pending: HashMap<_, _> = {
            let mut uses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let newest = uses.noted.values().max().copied();
            uses.noted
                .retain(|_, at| newest.is_some_and(|newest| newest - *at < AT_MOST_EVERY));
            uses.pending.clone()
        };
        if pending.is_empty() {
            return Ok(());
        }
        let uses: Vec<_> = pending.iter().map(|(id, at)| (*id, *at)).collect();
        store.note_use(&uses).await?;
        let mut uses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Times of keys that were used again meanwhile are written with the next flush.
        uses.pending.retain(|id, at| pending.get(id) != Some(&*at));
        Ok(())
    }
}
