//! Wakes the node's worker when a job comes that it does.

use std::{collections::HashSet, sync::OnceLock};

use diesel::{QueryResult, sql_query, sql_types::Text};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use tokio::sync::Notify;

use crate::statement::statement;

/// The channel on which jobs are announced, by their lane, or by their kind where they have none.
pub(crate) const JOBS: &str = "pharos_jobs";

/// Rings when a job was enqueued. A [`Listener`](crate::listener::Listener) pulls it.
#[derive(Debug, Default)]
pub struct JobBell {
    names: OnceLock<HashSet<String>>,
    rings: Notify,
}

impl JobBell {
    /// Says which lanes and kinds to ring for; the first word stands. Until then it rings for all.
    pub fn ring_for(&self, names: HashSet<String>) {
        let _ = self.names.set(names);
    }

    /// Waits until it rings. A ring that nobody waited for is not lost; several are one.
    pub async fn rung(&self) {
        self.rings.notified().await;
    }

    /// A job of this lane or kind was enqueued.
    pub(crate) fn ring(&self, name: &str) {
        if self.names.get().is_none_or(|names| names.contains(name)) {
            self.rings.notify_one();
        }
    }

    /// Jobs may have been enqueued that nobody heard of.
    pub(crate) fn ring_anyhow(&self) {
        self.rings.notify_one();
    }
}

struct Announce;

/// Rings every bell for this lane or kind, once the transaction is committed.
pub(crate) async fn announce(connection: &mut AsyncPgConnection, name: &str) -> QueryResult<()> {
    let query = sql_query("SELECT pg_notify('pharos_jobs', $1)").bind::<Text, _>(name);
    statement::<Announce, _>(query)
        .execute(connection)
        .await
        .map(|_| ())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    async fn rings(bell: &JobBell) -> bool {
        timeout(Duration::from_millis(20), bell.rung()).await.is_ok()
    }

    #[tokio::test]
    async fn rings_for_its_own_names_and_keeps_one_ring() {
        let bell = JobBell::default();
        bell.ring("us");
        assert!(rings(&bell).await, "until it is told, for all");
        bell.ring_for(HashSet::from(["eu".to_owned(), "roll_up".to_owned()]));
        bell.ring("us");
        assert!(!rings(&bell).await);
        bell.ring("eu");
        bell.ring("roll_up");
        assert!(rings(&bell).await);
        assert!(!rings(&bell).await, "several are one");
        bell.ring_anyhow();
        assert!(rings(&bell).await);
    }
}
