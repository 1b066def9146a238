//! Entries in the memory of this node: so many at most, each behind a lock.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use moka::{policy::EvictionPolicy, sync::Cache};

/// How many credentials, workspaces, and clients of RUM routes are counted at most. The one that was not asked about
/// for longest goes first, and begins anew.
const MOST_ENTRIES: u64 = 200_000;

/// Entries that are forgotten so long after they were last asked about.
pub(super) fn entries<K, V>(forget_after: Duration) -> Cache<K, V>
where
    K: std::hash::Hash + Eq + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
{
    Cache::builder()
        .max_capacity(MOST_ENTRIES)
        // Not by frequency: whoever is new would be forgotten between two requests while the cache is full.
        .eviction_policy(EvictionPolicy::lru())
        .time_to_idle(forget_after)
        .build()
}

/// Counters stay what they are when a thread dies between two steps, so a poisoned lock is as good as any.
pub(super) fn lock<T>(entry: &Mutex<T>) -> MutexGuard<'_, T> {
    entry.lock().unwrap_or_else(PoisonError::into_inner)
}
