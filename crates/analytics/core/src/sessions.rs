//! Which session something belongs to.
//!
//! A session is one visitor's. More than 30 minutes without a sign of life, or midnight (UTC), end it. A signal that comes late
//! takes its place by the time at which it happened, and never makes one session of two.

use time::{Duration, OffsetDateTime};

/// The longest time without a sign of life within a session, in minutes, as settings show it.
pub const IDLE_MINUTES: u32 = 30;

/// The same as a length of time.
pub const IDLE: Duration = Duration::minutes(IDLE_MINUTES as i64);

/// From the first to the last sign of life of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The session's id.
    pub id: i64,
    /// The first.
    pub started_at: OffsetDateTime,
    /// The last.
    pub ended_at: OffsetDateTime,
}

/// The sessions of one visitor in order. No two overlap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Visits(Vec<Visit>);

/// Where something belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// To this session, which it opens.
    Opens(i64),
    /// To this session, of which it is the beginning from now on.
    Begins(i64),
    /// To this session.
    Within(i64),
    /// To this session, though it came too late to be part of it: it does not make it longer.
    After(i64),
    /// To none.
    Nowhere,
}

impl Place {
    /// The session, if there is one.
    #[must_use]
    pub const fn session(self) -> Option<i64> {
        match self {
            Self::Opens(id) | Self::Begins(id) | Self::Within(id) | Self::After(id) => Some(id),
            Self::Nowhere => None,
        }
    }
}

impl Visits {
    /// The sessions, in whatever order.
    #[must_use]
    pub fn new(mut visits: Vec<Visit>) -> Self {
        visits.sort_by_key(|visit| visit.started_at);
        Self(visits)
    }

    /// The sessions in order.
    #[must_use]
    pub fn as_slice(&self) -> &[Visit] {
        &self.0
    }

    /// Takes in something that the visitor did, and says where it belongs. `new_id` is the id of a session that it opens.
    pub fn act(&mut self, at: OffsetDateTime, new_id: i64) -> Place {
        let next = self.next_after(at);
        if let Some(open) = self.open_at(next, at) {
            open.ended_at = open.ended_at.max(at);
            return Place::Within(open.id);
        }
        let following = self.0.get_mut(next);
        if let Some(following) = following
            && at.date() == following.started_at.date()
            && following.started_at - at <= IDLE
        {
            following.started_at = at;
            return Place::Begins(following.id);
        }
        let visit = Visit {
            id: new_id,
            started_at: at,
            ended_at: at,
        };
        self.0.insert(next, visit);
        Place::Opens(new_id)
    }

    /// Takes in that the visitor was still on a page. It opens no session, and is no beginning of one.
    pub fn stay(&mut self, at: OffsetDateTime) -> Place {
        let next = self.next_after(at);
        if let Some(open) = self.open_at(next, at) {
            open.ended_at = open.ended_at.max(at);
            return Place::Within(open.id);
        }
        let before = next.checked_sub(1).and_then(|index| self.0.get(index));
        before
            .filter(|visit| visit.started_at.date() == at.date())
            .map_or(Place::Nowhere, |visit| Place::After(visit.id))
    }

    /// The index of the first session that begins after `at`.
    fn next_after(&self, at: OffsetDateTime) -> usize {
        self.0.partition_point(|visit| visit.started_at <= at)
    }

    /// The session before `next`, if it is not over at `at`.
    fn open_at(&mut self, next: usize, at: OffsetDateTime) -> Option<&mut Visit> {
        let before = self.0.get_mut(next.checked_sub(1)?)?;
        (before.started_at.date() == at.date() && at - before.ended_at <= IDLE).then_some(before)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use time::macros::datetime;

    use super::*;

    const NOON: OffsetDateTime = datetime!(2026-03-31 12:00 UTC);

    fn minutes(minutes: i64) -> OffsetDateTime {
        NOON + Duration::minutes(minutes)
    }

    /// The sessions of actions at these minutes, told in this order: the minutes of beginning and end.
    fn sessions(told: &[i64]) -> Vec<(i64, i64)> {
        let mut visits = Visits::default();
        for (id, minute) in (0..).zip(told) {
            visits.act(minutes(*minute), id);
        }
        let ends = |visit: &Visit| {
            let minute = |at: OffsetDateTime| (at - NOON).whole_minutes();
            (minute(visit.started_at), minute(visit.ended_at))
        };
        visits.as_slice().iter().map(ends).collect()
    }

    #[test]
    fn thirty_minutes_continue_a_session_and_a_microsecond_more_ends_it() {
        assert_eq!(sessions(&[0, 30, 60]), [(0, 60)]);
        let mut visits = Visits::default();
        assert_eq!(visits.act(NOON, 1), Place::Opens(1));
        assert_eq!(visits.act(NOON + IDLE, 2), Place::Within(1));
        let late = NOON + IDLE + IDLE + Duration::MICROSECOND;
        assert_eq!(visits.act(late, 3), Place::Opens(3));
    }

    #[test]
    fn midnight_ends_a_session() {
        let mut visits = Visits::default();
        let midnight = datetime!(2026-04-01 00:00 UTC);
        assert_eq!(visits.act(midnight - Duration::MICROSECOND, 1), Place::Opens(1));
        assert_eq!(visits.stay(midnight), Place::Nowhere);
        assert_eq!(visits.act(midnight, 2), Place::Opens(2));
        // Late, from before midnight: the beginning of no session of the next day.
        assert_eq!(visits.act(midnight - Duration::MINUTE, 3), Place::Begins(1));
    }

    #[test]
    fn what_comes_late_takes_its_place_and_joins_no_two_sessions() {
        assert_eq!(sessions(&[0, 10, 5]), [(0, 10)]);
        assert_eq!(sessions(&[20, 0]), [(0, 20)]);
        // It is within 30 minutes of both: it belongs to the one before, and the other stays one of its own.
        assert_eq!(sessions(&[0, 50, 25]), [(0, 25), (50, 50)]);
        assert_eq!(sessions(&[0, 70, 35]), [(0, 0), (35, 35), (70, 70)]);
        assert_eq!(sessions(&[0, 70, 45]), [(0, 0), (45, 70)]);
    }

    #[test]
    fn being_on_a_page_makes_a_session_longer_and_opens_none() {
        let mut visits = Visits::default();
        assert_eq!(visits.stay(NOON), Place::Nowhere);
        visits.act(minutes(10), 1);
        assert_eq!(visits.stay(minutes(5)), Place::Nowhere);
        assert_eq!(visits.stay(minutes(40)), Place::Within(1));
        assert_eq!(visits.act(minutes(70), 2), Place::Within(1));
        assert_eq!(visits.stay(minutes(101)), Place::After(1));
        assert_eq!(visits.as_slice()[0].ended_at, minutes(70));
    }

    proptest! {
        /// In order, the sessions are those that the gaps of more than 30 minutes cut.
        #[test]
        fn told_in_order_gaps_alone_count(mut at in prop::collection::vec(0_i64..720, 1..40)) {
            at.sort_unstable();
            let mut expected: Vec<(i64, i64)> = Vec::new();
            for minute in &at {
                match expected.last_mut() {
                    Some((_, end)) if minute - *end <= 30 => *end = *minute,
                    _ => expected.push((*minute, *minute)),
                }
            }
            prop_assert_eq!(sessions(&at), expected);
        }

        /// In any order, sessions hold every action, do not overlap, and are never fewer than in order.
        #[test]
        fn told_in_any_order_sessions_never_overlap(at in prop::collection::vec(0_i64..720, 1..40)) {
            let found = sessions(&at);
            prop_assert!(found.windows(2).all(|pair| pair[0].1 < pair[1].0));
            prop_assert!(at.iter().all(|minute| found.iter().any(|(start, end)| start <= minute && minute <= end)));
            let mut in_order = at;
            in_order.sort_unstable();
            prop_assert!(found.len() >= sessions(&in_order).len());
        }
    }
}
