//! The places of workspaces among the deliveries that are under way: receivers that hang hold up their own workspace's alone.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use pharos_domain::ids::WorkspaceId;

/// The deliveries that are under way, by workspace. Clones are one.
#[derive(Clone, Debug)]
pub struct Places {
    most_of_one: usize,
    taken: Arc<Mutex<HashMap<WorkspaceId, usize>>>,
}

/// A place, until it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    places: Places,
    workspace: WorkspaceId,
}

impl Places {
    /// A quarter of so many jobs at once may deliver for one workspace: half of what deliveries take.
    #[must_use]
    pub fn among(jobs: usize) -> Self {
        Self {
            most_of_one: (jobs / 4).max(1),
            taken: Arc::default(),
        }
    }

    /// A place for a delivery of the workspace; `None` while it has all of its own.
    pub(super) fn take(&self, workspace: WorkspaceId) -> Option<Place> {
        let mut all = self.lock();
        let taken = all.entry(workspace).or_default();
        (*taken < self.most_of_one).then(|| {
            *taken += 1;
            Place {
                places: self.clone(),
                workspace,
            }
        })
    }

    /// A poisoned lock is as good as any: the counts in it are whole.
    fn lock(&self) -> MutexGuard<'_, HashMap<WorkspaceId, usize>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut all = self.places.lock();
        if let Some(taken) = all.get_mut(&self.workspace) {
            *taken = taken.saturating_sub(1);
            if *taken == 0 {
                all.remove(&self.workspace);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workspace_whose_receivers_hang_leaves_places_to_others() {
        let places = Places::among(8);
        let (one, other) = (WorkspaceId::generate(), WorkspaceId::generate());
        let mut hanging: Vec<Place> = (0..2).map(|_| places.take(one).unwrap()).collect();
        assert!(places.take(one).is_none());
        assert!(places.take(other).is_some());
        hanging.pop();
        assert!(places.take(one).is_some(), "that place is free again");
        drop(hanging);
        assert!(
            places.lock().is_empty(),
            "nothing is kept of who delivers nothing"
        );
        assert!(Places::among(1).take(one).is_some(), "there is always one");
    }
}
