//! The last refused requests of workspaces, gathered in memory and written in batches.
//!
//! An answer waits for none of this: to note a refusal takes a lock for a moment. A workspace has room for as many as are kept
//! of it, so its flood pushes out its own oldest alone, which would be forgotten anyway. Where too many workspaces are refused at
//! once, those that come last go without, and are counted.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, PoisonError},
};

use pharos_domain::{
    ids::WorkspaceId,
    refusals::{MOST_OF_A_WORKSPACE, RefusalLog, RefusalWriter, RefusedRequest},
    store::StoreError,
};

use crate::metrics::dropped_refusals;

/// How many may wait on a node, all workspaces together.
const MOST: usize = 20_000;
/// How many are written in one statement.
const AT_ONCE: usize = 2_000;

#[derive(Debug, Default)]
struct Waiting {
    /// The refusals of each workspace, the oldest first.
    of_workspaces: HashMap<WorkspaceId, VecDeque<RefusedRequest>>,
    count: usize,
}

impl Waiting {
    /// Adds one; `false` where there is no room for it.
    fn push(&mut self, refused: RefusedRequest) -> bool {
        let is_full = self.count >= MOST;
        let own = self.of_workspaces.get(&refused.workspace_id);
        let has_own = own.is_some_and(|own| !own.is_empty());
        let must_yield = own.is_some_and(|own| own.len() >= MOST_OF_A_WORKSPACE) || (is_full && has_own);
        if is_full && !has_own {
            return false;
        }
        let own = self.of_workspaces.entry(refused.workspace_id).or_default();
        if must_yield {
            own.pop_front();
        } else {
            self.count += 1;
        }
        own.push_back(refused);
        true
    }

    /// Puts what could not be written back before what came meanwhile. Returns for how many there was no room.
    fn put_back(&mut self, unwritten: Vec<RefusedRequest>) -> u64 {
        let mut dropped = 0;
        for refused in unwritten.into_iter().rev() {
            let has_room = self.count < MOST
                && self
                    .of_workspaces
                    .get(&refused.workspace_id)
                    .is_none_or(|own| own.len() < MOST_OF_A_WORKSPACE);
            if has_room {
                let own = self.of_workspaces.entry(refused.workspace_id).or_default();
                own.push_front(refused);
                self.count += 1;
            } else {
                dropped += 1;
            }
        }
        dropped
    }
}

/// The refusals that wait to be written on this node.
#[derive(Debug, Default)]
pub struct Refusals(Mutex<Waiting>);

impl RefusalLog for Refusals {
    fn note(&self, refused: RefusedRequest) {
        if !self.lock().push(refused) {
            dropped_refusals(1);
        }
    }
}

impl Refusals {
    /// Writes what waits. Refusals that can't be written now wait for the next time.
    ///
    /// # Errors
    /// The store failed.
    pub async fn flush(&self, writer: &dyn RefusalWriter) -> Result<(), StoreError> {
        let taken = std::mem::take(&mut *self.lock());
        let mut waiting: Vec<RefusedRequest> = taken.of_workspaces.into_values().flatten().collect();
        while !waiting.is_empty() {
            let batch = &waiting[..waiting.len().min(AT_ONCE)];
            let written = batch.len();
            if let Err(error) = writer.keep(batch).await {
                dropped_refusals(self.lock().put_back(waiting));
                return Err(error);
            }
            waiting.drain(..written);
        }
        Ok(())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;
    use pharos_domain::{
        identity::Source,
        ids::{CredentialId, RequestId},
        problem::Suffix,
    };
    use time::{Duration, OffsetDateTime, macros::datetime};
    use uuid::Uuid;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-03-31 09:15 UTC);

    fn refused(workspace_id: WorkspaceId, number: i64) -> RefusedRequest {
        RefusedRequest {
            request_id: RequestId::generate(),
            at: NOW + Duration::seconds(number),
            workspace_id,
            credential_id: CredentialId(Uuid::nil()),
            operation: None,
            problem: Suffix::NotFound,
            about: None,
            source: Source(None),
        }
    }

    /// A store that is there or away.
    #[derive(Default)]
    struct Store {
        is_away: bool,
        kept: Mutex<Vec<RefusedRequest>>,
    }

    #[async_trait]
    impl RefusalWriter for Store {
        async fn keep(&self, refused: &[RefusedRequest]) -> Result<(), StoreError> {
            if self.is_away {
                return Err(StoreError::Unavailable("away".into()));
            }
            self.kept.lock().unwrap().extend_from_slice(refused);
            Ok(())
        }
    }

    #[tokio::test]
    async fn a_flood_pushes_out_its_own_oldest_alone() {
        let refusals = Refusals::default();
        let [quiet, flooded] = [(); 2].map(|()| WorkspaceId::generate());
        refusals.note(refused(quiet, 0));
        for number in 0..1_000 {
            refusals.note(refused(flooded, number));
        }
        let store = Store::default();
        refusals.flush(&store).await.unwrap();
        let kept = store.kept.lock().unwrap();
        let of = |workspace: WorkspaceId| kept.iter().filter(move |one| one.workspace_id == workspace);
        assert_eq!(of(quiet).count(), 1);
        let times: Vec<_> = of(flooded).map(|one| (one.at - NOW).whole_seconds()).collect();
        assert_eq!(times, (800..1_000).collect::<Vec<_>>());
    }

    #[tokio::test]
    async fn what_could_not_be_written_waits_and_what_has_no_room_is_left_out() {
        let refusals = Refusals::default();
        let workspace = WorkspaceId::generate();
        refusals.note(refused(workspace, 1));
        let away = Store {
            is_away: true,
            ..Store::default()
        };
        assert!(refusals.flush(&away).await.is_err());
        refusals.note(refused(workspace, 2));
        let store = Store::default();
        refusals.flush(&store).await.unwrap();
        let times: Vec<_> = store.kept.lock().unwrap().iter().map(|one| one.at).collect();
        assert_eq!(times, [NOW + Duration::SECOND, NOW + Duration::seconds(2)]);

        let mut waiting = Waiting::default();
        for number in 0..MOST {
            assert!(waiting.push(refused(WorkspaceId::generate(), i64::try_from(number).unwrap())));
        }
        assert!(!waiting.push(refused(workspace, 3)));
        let known = *waiting.of_workspaces.keys().next().unwrap();
        assert!(waiting.push(refused(known, 4)));
        assert_eq!((waiting.count, waiting.of_workspaces[&known].len()), (MOST, 1));
    }
}
