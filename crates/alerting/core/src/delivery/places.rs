//! The places of workspaces among the deliveries that are under way: receivers that hang hold up their own workspace's alone.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use pharos_domain::ids::WorkspaceId;

/// The shortest time until a delivery that found no place looks for one again.
const SHORTEST_WAIT: Duration = Duration::from_secs(1);
/// The longest.
const LONGEST_WAIT: Duration = Duration::from_secs(300);
/// The time between two looks of the deliveries of a workspace that found no place. Each look is written to the database, so how
/// often they look must not depend on how many wait.
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);

/// The deliveries that are under way, by workspace. Clones are one.
#[derive(Clone, Debug)]
pub struct Places {
    most_of_one: usize,
    taken: Arc<Mutex<HashMap<WorkspaceId, Taken>>>,
}

/// The places that a workspace has taken.
#[derive(Debug, Default)]
struct Taken {
    places: usize,
    /// When the last of those that found no place looks again.
    last_look: Option<Instant>,
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

    /// A place for a delivery of the workspace.
    ///
    /// # Errors
    /// The workspace has all of its own: how long the delivery waits until it looks again.
    pub(super) fn take(&self, workspace: WorkspaceId) -> Result<Place, Duration> {
        let mut all = self.lock();
        let taken = all.entry(workspace).or_default();
        if taken.places < self.most_of_one {
            taken.places += 1;
            return Ok(Place {
                places: self.clone(),
                workspace,
            });
        }
        let now = Instant::now();
        let turn = taken.last_look.map_or(now, |last| last + BETWEEN_LOOKS);
        let wait = turn
            .saturating_duration_since(now)
            .clamp(SHORTEST_WAIT, LONGEST_WAIT);
        taken.last_look = Some(now + wait);
        Err(wait)
    }

    /// A poisoned lock is as good as any: the counts in it are whole.
    fn lock(&self) -> MutexGuard<'_, HashMap<WorkspaceId, Taken>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut all = self.places.lock();
        if let Some(taken) = all.get_mut(&self.workspace) {
            taken.places = taken.places.saturating_sub(1);
            if taken.places == 0 {
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
        assert!(places.take(one).is_err());
        assert!(places.take(other).is_ok());
        hanging.pop();
        assert!(places.take(one).is_ok(), "that place is free again");
        drop(hanging);
        assert!(
            places.lock().is_empty(),
            "nothing is kept of who delivers nothing"
        );
        assert!(Places::among(1).take(one).is_ok(), "there is always one");
    }

    #[test]
    fn those_that_found_no_place_look_again_one_after_the_other() {
        let places = Places::among(1);
        let workspace = WorkspaceId::generate();
        let taken = places.take(workspace).unwrap();
        let waits: Vec<Duration> = (0..40_000).map(|_| places.take(workspace).unwrap_err()).collect();
        assert_eq!(waits[0], SHORTEST_WAIT);
        // Time passes while they are asked, a little of each wait with it.
        assert!(waits[1_000] > 500 * BETWEEN_LOOKS, "{:?}", waits[1_000]);
        assert!(waits[39_999] > LONGEST_WAIT / 2, "{:?}", waits[39_999]);
        assert!(waits.iter().all(|wait| *wait <= LONGEST_WAIT));
        drop(taken);
        assert!(places.lock().is_empty());
    }
}
