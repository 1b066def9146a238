//! Workspaces take turns where claims have less room than there is work.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use uuid::Uuid;

/// How many workspaces a claim looks at for each piece of work that it has room for, and at most.
const VISITS_FOR_EACH: usize = 4;
const VISITS_AT_MOST: usize = 64;

/// How far the claims of this process have come: each goes on behind the workspace that the last one looked at.
#[derive(Clone, Debug, Default)]
pub struct Turns(Arc<Mutex<Uuid>>);

impl Turns {
    /// How many workspaces a claim looks at.
    pub fn visits(limit: usize) -> i64 {
        let visits = limit.saturating_mul(VISITS_FOR_EACH).min(VISITS_AT_MOST);
        i64::try_from(visits).unwrap_or(i64::MAX)
    }

    /// The workspace that was looked at last.
    pub fn last(&self) -> Uuid {
        *self.lock()
    }

    /// Notes the last of a claim. `None`: it has come to the end, or had room for all.
    pub fn go_on(&self, last: Option<Uuid>) {
        *self.lock() = last.unwrap_or_default();
    }

    /// A poisoned lock is as good as any: what it holds is whole.
    fn lock(&self) -> MutexGuard<'_, Uuid> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
