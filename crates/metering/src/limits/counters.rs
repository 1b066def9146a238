//! The counters in memory. `admit.lua` keeps the same in Redis, and moves it on in the same way.
//!
//! A clock that goes back a little, as between nodes, does not move a window back: what comes late counts in the
//! window that is there. A window that lies further ahead than it is long was counted by a clock that was wrong, and
//! begins anew.

use super::{
    judgement::{DayCount, MinuteCount},
    policy::SLOT_MS,
    request_time::{RequestTime, SLICES, SLICES_A_MINUTE},
};

/// A minute of `N` buckets that move on together: the present slice and the eleven before it.
#[derive(Debug)]
pub(super) struct Minute<const N: usize> {
    slice: i64,
    counts: [[u16; N]; SLICES_A_MINUTE as usize],
    sums: [u16; N],
}

impl<const N: usize> Default for Minute<N> {
    fn default() -> Self {
        Self {
            slice: 0,
            counts: [[0; N]; SLICES_A_MINUTE as usize],
            sums: [0; N],
        }
    }
}

impl<const N: usize> Minute<N> {
    /// Moves on to the slice of `moment`, and forgets what is older than a minute.
    pub(super) fn move_on(&mut self, moment: RequestTime) {
        let slice = moment.slice();
        let steps = slice - self.slice;
        if (-SLICES..=0).contains(&steps) {
            return;
        }
        if (1..SLICES).contains(&steps) {
            for slice in self.slice + 1..=slice {
                let left = std::mem::replace(&mut self.counts[index(slice)], [0; N]);
                for (sum, left) in self.sums.iter_mut().zip(left) {
                    *sum -= left;
                }
            }
            self.slice = slice;
        } else {
            *self = Self {
                slice,
                ..Self::default()
            };
        }
    }

    pub(super) fn count(&self, bucket: usize) -> MinuteCount {
        let oldest =
            (self.slice - SLICES + 1..self.slice).find(|slice| self.counts[index(*slice)][bucket] > 0);
        MinuteCount {
            used: self.sums[bucket].into(),
            oldest: oldest.unwrap_or(self.slice),
        }
    }

    /// Counts one. The ceilings are far below what 16 bits hold.
    pub(super) fn take(&mut self, bucket: usize) {
        self.counts[index(self.slice)][bucket] += 1;
        self.sums[bucket] += 1;
    }
}

fn index(slice: i64) -> usize {
    usize::try_from(slice.rem_euclid(SLICES)).unwrap_or(0)
}

/// A UTC day.
#[derive(Debug, Default)]
pub(super) struct Day {
    day: i64,
    used: u32,
}

impl Day {
    /// Moves on to the day of `moment`.
    pub(super) fn move_on(&mut self, moment: RequestTime) {
        let day = moment.day();
        if !(-1..=0).contains(&(day - self.day)) {
            *self = Self { day, used: 0 };
        }
    }

    pub(super) const fn count(&self) -> DayCount {
        DayCount {
            used: self.used,
            day: self.day,
        }
    }

    pub(super) const fn take(&mut self) {
        self.used += 1;
    }
}

/// The permits of heavy queries that are under way, `N` at most.
#[derive(Debug)]
pub(super) struct Permits<const N: usize> {
    taken: [Option<TakenPermit>; N],
    /// The number of the next.
    next: u64,
}

impl<const N: usize> Default for Permits<N> {
    fn default() -> Self {
        Self {
            taken: [None; N],
            next: 0,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct TakenPermit {
    number: u64,
    since_ms: i64,
}

impl TakenPermit {
    fn is_held(self, moment: RequestTime) -> bool {
        (moment.ms() - self.since_ms).abs() < SLOT_MS
    }
}

impl<const N: usize> Permits<N> {
    /// How many are taken. One that was taken a minute ago is free.
    pub(super) fn under_way(&self, moment: RequestTime) -> u32 {
        self.taken
            .iter()
            .flatten()
            .map(|permit| u32::from(permit.is_held(moment)))
            .sum()
    }

    /// Takes a permit, and tells its number.
    pub(super) fn take(&mut self, moment: RequestTime) -> u64 {
        let number = self.next;
        self.next += 1;
        for permit in &mut self.taken {
            *permit = permit.filter(|permit| permit.is_held(moment));
        }
        if let Some(permit) = self.taken.iter_mut().find(|permit| permit.is_none()) {
            *permit = Some(TakenPermit {
                number,
                since_ms: moment.ms(),
            });
        }
        number
    }

    /// Gives a permit back, unless it went to another meanwhile.
    pub(super) fn give_back(&mut self, number: u64) {
        for permit in &mut self.taken {
            if permit.is_some_and(|permit| permit.number == number) {
                *permit = None;
            }
        }
    }
}
