//! The shares of workspaces in a printer, so that none has others wait behind its crowd.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use pharos_domain::ids::WorkspaceId;

/// How many PDFs each workspace may have under way.
#[derive(Debug)]
pub(super) struct Shares {
    of_each: usize,
    /// How many each has that has any.
    taken: Mutex<HashMap<WorkspaceId, usize>>,
}

/// Leave of a workspace to have a PDF made, until it is dropped.
#[derive(Debug)]
pub struct Share {
    shares: Arc<Shares>,
    workspace: WorkspaceId,
}

impl Shares {
    pub(super) fn new(of_each: usize) -> Self {
        Self {
            of_each,
            taken: Mutex::default(),
        }
    }

    /// Leave for one more PDF of the workspace; `None`: it has all that it may.
    pub(super) fn take(self: &Arc<Self>, workspace: WorkspaceId) -> Option<Share> {
        let mut all = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = all.entry(workspace).or_default();
        if *taken >= self.of_each {
            return None;
        }
        *taken += 1;
        Some(Share {
            shares: Arc::clone(self),
            workspace,
        })
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut all = self.shares.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(taken) = all.get_mut(&self.workspace) {
            *taken -= 1;
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
    fn a_crowd_of_one_workspace_leaves_the_shares_of_others() {
        let shares = Arc::new(Shares::new(2));
        let [crowded, other] = [(); 2].map(|()| WorkspaceId::generate());
        let first = shares.take(crowded).unwrap();
        let second = shares.take(crowded).unwrap();
        assert!(shares.take(crowded).is_none());
        assert!(shares.take(other).is_some());
        drop(first);
        let third = shares.take(crowded).unwrap();
        assert!(shares.take(crowded).is_none());
        drop((second, third));
        assert!(
            shares.taken.lock().unwrap().is_empty(),
            "who has none is forgotten"
        );
    }
}
