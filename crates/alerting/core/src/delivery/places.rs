//! Places for deliveries that are under way: receivers that hang do not hold up other channels, nor other workspaces.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use pharos_domain::ids::{ChannelId, WorkspaceId};

/// The shortest time until a delivery that found no place looks for one again.
const SHORTEST_WAIT: Duration = Duration::from_secs(1);
/// The longest.
const LONGEST_WAIT: Duration = Duration::from_secs(300);
/// The time between two looks of the deliveries of a workspace that found no place; urgent ones and others look apart. Each
/// look is written to the database, so their number must not depend on how many wait.
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);
/// A receiver that takes longer than this counts as ailing, as one that fails does.
const SLOW: Duration = Duration::from_secs(3);
/// How long it is remembered that a channel ailed, if nothing is sent to it.
const REMEMBERED: Duration = Duration::from_secs(60 * 60);

/// The deliveries that are under way, by workspace and channel. Clones share them.
#[derive(Clone, Debug)]
pub struct Places {
    most: usize,
    all: Arc<Mutex<All>>,
}

/// A delivery that looks for a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Looking {
    /// Whose delivery it is.
    pub(super) workspace: WorkspaceId,
    /// The channel that it goes to; `None`: the job was written by an older version.
    pub(super) channel: Option<ChannelId>,
    /// Whether it goes before others: it is critical, or a test that somebody waits for.
    pub(super) is_urgent: bool,
}

/// The places that are taken.
#[derive(Debug, Default)]
struct All {
    taken: usize,
    workspaces: HashMap<WorkspaceId, OfWorkspace>,
    channels: HashMap<ChannelId, usize>,
    /// The channels whose last attempt failed or took long, with when that was.
    ailing: HashMap<ChannelId, Instant>,
}

/// The places that a workspace has taken.
#[derive(Debug, Default)]
struct OfWorkspace {
    places: usize,
    /// When the last of the deliveries that found no place looks again: first of the others, then of the urgent ones.
    last_looks: [Option<Instant>; 2],
}

/// A place, until it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    places: Places,
    of: Looking,
    since: Instant,
}

impl Places {
    /// The places of deliveries among so many jobs at once, which is half of them.
    #[must_use]
    pub fn among(jobs: usize) -> Self {
        Self {
            most: (jobs / 2).max(1),
            all: Arc::default(),
        }
    }

    /// Takes a place for a delivery.
    ///
    /// # Errors
    /// Its channel or its workspace has as many as it may: how long the delivery waits until it looks again.
    pub(super) fn take(&self, looking: Looking) -> Result<Place, Duration> {
        let mut all = self.lock();
        if !all.has_place(self.most, looking) {
            return Err(all.turn(looking));
        }
        all.taken += 1;
        all.workspaces.entry(looking.workspace).or_default().places += 1;
        if let Some(channel) = looking.channel {
            *all.channels.entry(channel).or_default() += 1;
        }
        Ok(Place {
            places: self.clone(),
            of: looking,
            since: Instant::now(),
        })
    }

    /// A poisoned lock is as good as any, since the counts in it are whole.
    fn lock(&self) -> MutexGuard<'_, All> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl All {
    /// Whether a delivery may take a place. A workspace takes only a part of what it leaves free, so that there is always a
    /// place for a workspace that has none; alone it has half of all. Within that, deliveries that are not urgent leave a part
    /// to urgent ones, and ailing channels leave more to others, but an urgent delivery waits for nothing lesser, wherever it
    /// goes. A channel has two places, or one if it ails, and one more for urgent deliveries.
    fn has_place(&self, most: usize, looking: Looking) -> bool {
        let Looking {
            workspace,
            channel,
            is_urgent,
        } = looking;
        let of_workspace = self.workspaces.get(&workspace).map_or(0, |taken| taken.places);
        let of_channel = channel.and_then(|channel| self.channels.get(&channel).copied());
        let ails = channel.is_some_and(|channel| self.ailing.contains_key(&channel));
        let (most_of_channel, left_free) = match (ails, is_urgent) {
            (false, true) => (3, 1),
            (false, false) => (2, 3),
            (true, true) => (2, 2),
            (true, false) => (1, 7),
        };
        let free = most.saturating_sub(self.taken);
        of_channel.unwrap_or_default() < most_of_channel && of_workspace * left_free < free
    }

    /// How long a delivery waits that found no place.
    fn turn(&mut self, looking: Looking) -> Duration {
        let now = Instant::now();
        if !self.workspaces.contains_key(&looking.workspace) {
            // Others have all places. Workspaces without a place are forgotten once none of their deliveries will look again.
            self.workspaces.retain(|_, taken| {
                taken.places > 0 || taken.last_looks.iter().flatten().any(|last| *last > now)
            });
        }
        let taken = self.workspaces.entry(looking.workspace).or_default();
        let last_look = &mut taken.last_looks[usize::from(looking.is_urgent)];
        let turn = last_look.map_or(now, |last| last + BETWEEN_LOOKS);
        let wait = turn
            .saturating_duration_since(now)
            .clamp(SHORTEST_WAIT, LONGEST_WAIT);
        *last_look = Some(now + wait);
        wait
    }
}

impl Place {
    /// Records whether the receiver took the delivery. Channels whose receivers fail or are slow go behind others.
    pub(super) fn ended(&self, is_taken: bool) {
        let Some(channel) = self.of.channel else {
            return;
        };
        let mut all = self.places.lock();
        if is_taken && self.since.elapsed() < SLOW {
            all.ailing.remove(&channel);
        } else {
            all.ailing.retain(|_, since| since.elapsed() < REMEMBERED);
            all.ailing.insert(channel, Instant::now());
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut all = self.places.lock();
        all.taken = all.taken.saturating_sub(1);
        if let Some(taken) = all.workspaces.get_mut(&self.of.workspace) {
            taken.places = taken.places.saturating_sub(1);
            if taken.places == 0 {
                all.workspaces.remove(&self.of.workspace);
            }
        }
        if let Some(channel) = self.of.channel
            && let Some(taken) = all.channels.get_mut(&channel)
        {
            *taken = taken.saturating_sub(1);
            if *taken == 0 {
                all.channels.remove(&channel);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looking(workspace: WorkspaceId, is_urgent: bool) -> Looking {
        Looking {
            workspace,
            channel: Some(ChannelId::generate()),
            is_urgent,
        }
    }

    /// Takes places until there is none.
    fn filled(places: &Places, mut next: impl FnMut() -> Looking) -> Vec<Place> {
        std::iter::from_fn(|| places.take(next()).ok()).collect()
    }

    #[test]
    fn a_workspace_whose_receivers_hang_leaves_places_to_others() {
        let places = Places::among(8);
        let (one, other) = (WorkspaceId::generate(), WorkspaceId::generate());
        let mut hanging = filled(&places, || looking(one, true));
        assert_eq!(hanging.len(), 2);
        assert!(places.take(looking(other, true)).is_ok());
        hanging.pop();
        assert!(
            places.take(looking(one, true)).is_ok(),
            "that place is free again"
        );
        drop(hanging);
        let all = places.lock();
        assert!(
            all.workspaces.is_empty() && all.channels.is_empty(),
            "nothing is kept of who delivers nothing"
        );
        drop(all);
        assert!(
            Places::among(1).take(looking(one, false)).is_ok(),
            "there is always one"
        );
    }

    #[test]
    fn where_several_workspaces_hang_there_is_a_place_for_one_more() {
        let places = Places::among(32);
        let mut hanging = Vec::new();
        for _ in 0..4 {
            let next = WorkspaceId::generate();
            let found = filled(&places, || looking(next, true));
            assert!(!found.is_empty(), "{} hang", hanging.len());
            hanging.extend(found);
        }
        assert!(hanging.len() < places.most, "{} hang", hanging.len());
        assert!(places.take(looking(WorkspaceId::generate(), false)).is_ok());
    }

    #[test]
    fn a_channel_has_few_places_and_leaves_one_to_what_is_urgent() {
        let places = Places::among(32);
        let warning = looking(WorkspaceId::generate(), false);
        let urgent = Looking {
            is_urgent: true,
            ..warning
        };
        let taken = filled(&places, || warning);
        assert_eq!(taken.len(), 2);
        let other = Looking {
            channel: Some(ChannelId::generate()),
            ..warning
        };
        assert!(places.take(other).is_ok(), "another channel waits for none of it");
        assert!(places.take(urgent).is_ok());
    }

    #[test]
    fn what_is_urgent_finds_a_place_while_all_else_hangs() {
        let places = Places::among(32);
        let workspace = WorkspaceId::generate();
        let hanging = filled(&places, || looking(workspace, false));
        assert!(hanging.len() < 8, "{}", hanging.len());
        assert!(places.take(looking(workspace, true)).is_ok());
    }

    #[test]
    fn channels_that_failed_go_behind_those_that_work() {
        let places = Places::among(32);
        let workspace = WorkspaceId::generate();
        let failing: Vec<Looking> = (0..40).map(|_| looking(workspace, false)).collect();
        for looking in &failing {
            places.take(*looking).unwrap().ended(false);
        }
        let mut next = failing.iter().copied();
        let hanging = filled(&places, || next.next().unwrap());
        assert!(
            places.take(looking(workspace, false)).is_ok(),
            "{} hang",
            hanging.len()
        );
        drop(hanging);
        // It works again.
        places.take(failing[0]).unwrap().ended(true);
        let taken = filled(&places, || failing[0]);
        assert_eq!(taken.len(), 2);
    }

    #[test]
    fn what_is_urgent_and_goes_to_a_slow_receiver_waits_for_nothing_lesser() {
        let places = Places::among(32);
        let workspace = WorkspaceId::generate();
        let slow: Vec<Looking> = (0..16).map(|_| looking(workspace, true)).collect();
        for looking in &slow {
            places.take(*looking).unwrap().ended(false);
        }
        let lesser = filled(&places, || looking(workspace, false));
        let mut next = slow.iter().copied();
        let urgent = filled(&places, || next.next().unwrap());
        assert!(!urgent.is_empty(), "{} lesser ones are under way", lesser.len());
        assert!(
            places.take(looking(workspace, true)).is_ok(),
            "they leave one to a receiver that is fast"
        );
    }

    #[test]
    fn those_that_found_no_place_look_again_one_after_the_other() {
        let places = Places::among(1);
        let warning = looking(WorkspaceId::generate(), false);
        let taken = places.take(warning).unwrap();
        let waits: Vec<Duration> = (0..40_000).map(|_| places.take(warning).unwrap_err()).collect();
        assert_eq!(waits[0], SHORTEST_WAIT);
        // Time passes while these look, so each wait is a little shorter.
        assert!(waits[1_000] > 500 * BETWEEN_LOOKS, "{:?}", waits[1_000]);
        assert!(waits[39_999] > LONGEST_WAIT / 2, "{:?}", waits[39_999]);
        assert!(waits.iter().all(|wait| *wait <= LONGEST_WAIT));
        let urgent = Looking {
            is_urgent: true,
            ..warning
        };
        assert_eq!(
            places.take(urgent).unwrap_err(),
            SHORTEST_WAIT,
            "it waits behind none of them"
        );
        drop(taken);
        assert!(places.lock().workspaces.is_empty());
    }

    #[test]
    fn they_do_so_where_others_have_all_places_too() {
        let places = Places::among(1);
        let _taken = places.take(looking(WorkspaceId::generate(), false)).unwrap();
        let other = looking(WorkspaceId::generate(), false);
        let waits: Vec<Duration> = (0..1_001).map(|_| places.take(other).unwrap_err()).collect();
        assert_eq!(waits[0], SHORTEST_WAIT);
        assert!(waits[1_000] > 500 * BETWEEN_LOOKS, "{:?}", waits[1_000]);
    }
}
