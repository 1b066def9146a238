//! How far a series is rolled up, and what is rolled up next.
//!
//! `rolled_until` is the beginning of a day: what lies before it is rolled up. It moves on by the closed days of one calendar
//! month at most, so that a first run over a year can be interrupted, and goes back to the day of a record that comes late.

use std::collections::BTreeMap;

use pharos_domain::time_range::TimeRange;
use time::{Duration, OffsetDateTime};

use super::{cut::RollupRange, grain::Grain};

/// How long after its end a day is rolled up. A record that is stored later sends the progress back to its day.
const CLOSED_AFTER: Duration = Duration::minutes(10);

/// The end of the last day that is closed: ten minutes after its end.
#[must_use]
pub fn closed_until(now: OffsetDateTime) -> OffsetDateTime {
    Grain::Day.start_of(now.saturating_sub(CLOSED_AFTER))
}

/// The days that one transaction rolls up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Closed days of one month, from midnight to midnight; empty where there are none.
    pub range: TimeRange,
    /// How far the series is rolled up after it.
    pub rolled_until: OffsetDateTime,
    /// Whether there are more closed days after it.
    pub has_more: bool,
}

impl Step {
    /// The step that begins at the midnight `from`.
    #[must_use]
    pub fn next(from: OffsetDateTime, now: OffsetDateTime) -> Self {
        let closed = closed_until(now);
        let until = Grain::Month.end_of(from).min(closed);
        Self {
            range: TimeRange::new(from, until),
            rolled_until: from.max(until),
            has_more: until < closed,
        }
    }

    /// The grains beyond hours whose roll-ups are complete with this step, from the finest on: each is made of roll-ups of
    /// the grain before it.
    pub fn completed(self) -> impl Iterator<Item = Completed> {
        let TimeRange { from, until } = self.range;
        let coarser = Grain::ALL.into_iter().skip(1);
        Grain::ALL
            .into_iter()
            .zip(coarser)
            .take_while(move |(_, grain)| grain.start_of(until) == until)
            .map(move |(finer, grain)| {
                let earlier = TimeRange::new(grain.start_of(from), finer.start_of(from));
                Completed {
                    grain,
                    earlier: (!earlier.is_empty()).then_some(RollupRange {
                        grain: finer,
                        range: earlier,
                    }),
                }
            })
    }
}

/// A grain whose roll-ups are complete with a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completed {
    /// How long the completed roll-ups are.
    pub grain: Grain,
    /// The finer roll-ups of earlier steps that belong to the first of them too.
    pub earlier: Option<RollupRange>,
}

/// Where rolling up goes on; `None`: with the first record that is kept. A `rolled_until` that lies back by more than
/// `longest_kept` was set by a record that claims to be from then: not all months since are rolled up for it.
#[must_use]
pub fn goes_on_at(
    rolled_until: Option<OffsetDateTime>,
    now: OffsetDateTime,
    longest_kept: Duration,
) -> Option<OffsetDateTime> {
    rolled_until.filter(|rolled_until| *rolled_until >= now.saturating_sub(longest_kept))
}

/// The days that records have come late to, since they lie before today: the first of each key. Those are rolled up anew.
#[must_use]
pub fn late_days<K: Ord>(
    records: impl IntoIterator<Item = (K, OffsetDateTime)>,
    now: OffsetDateTime,
) -> BTreeMap<K, OffsetDateTime> {
    let today = Grain::Day.start_of(now);
    let mut days = BTreeMap::new();
    for (key, at) in records {
        if at < today {
            let day = Grain::Day.start_of(at);
            let first = days.entry(key).or_insert(day);
            *first = day.min(*first);
        }
    }
    days
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use time::macros::datetime;

    use super::*;

    #[test]
    fn a_day_is_closed_ten_minutes_after_its_end() {
        let today = datetime!(2026-03-31 00:00 UTC);
        let closes = today + Duration::minutes(10);
        assert_eq!(closed_until(closes), today);
        assert_eq!(
            closed_until(closes - Duration::MICROSECOND),
            today - Duration::DAY
        );
    }

    #[test]
    fn a_step_ends_with_its_month_or_with_what_is_closed() {
        let now = datetime!(2026-03-31 09:15 UTC);
        let february = Step::next(datetime!(2026-02-11 00:00 UTC), now);
        assert_eq!(february.range.until, datetime!(2026-03-01 00:00 UTC));
        assert!(february.has_more);
        let march = Step::next(february.rolled_until, now);
        assert_eq!(
            (march.rolled_until, march.has_more),
            (datetime!(2026-03-31 00:00 UTC), false)
        );
        // A clock that was ahead has rolled up what is not over.
        let ahead = Step::next(datetime!(2026-04-02 00:00 UTC), now);
        assert!(ahead.range.is_empty() && !ahead.has_more);
        assert_eq!(ahead.rolled_until, datetime!(2026-04-02 00:00 UTC));
    }

    /// The end of March completes a month and a quarter: the quarter is made of January and February as well.
    #[test]
    fn the_end_of_a_quarter_completes_three_grains() {
        let now = datetime!(2026-04-01 00:10 UTC);
        let days = RollupRange {
            grain: Grain::Day,
            range: TimeRange::new(datetime!(2026-03-01 00:00 UTC), datetime!(2026-03-20 00:00 UTC)),
        };
        let months = RollupRange {
            grain: Grain::Month,
            range: TimeRange::new(datetime!(2026-01-01 00:00 UTC), datetime!(2026-03-01 00:00 UTC)),
        };
        let completed: Vec<_> = Step::next(datetime!(2026-03-20 00:00 UTC), now)
            .completed()
            .collect();
        let with = |grain, earlier| Completed { grain, earlier };
        assert_eq!(
            completed,
            [
                with(Grain::Day, None),
                with(Grain::Month, Some(days)),
                with(Grain::Quarter, Some(months)),
            ]
        );
        let first_half = Step::next(datetime!(2026-03-01 00:00 UTC), datetime!(2026-03-20 09:00 UTC));
        assert_eq!(
            first_half.completed().collect::<Vec<_>>(),
            [with(Grain::Day, None)]
        );
    }

    #[test]
    fn what_claims_to_be_older_than_anything_kept_moves_nothing_back() {
        let now = datetime!(2026-03-31 09:15 UTC);
        let kept = Duration::days(400);
        let recent = now - Duration::days(399);
        assert_eq!(goes_on_at(Some(recent), now, kept), Some(recent));
        assert_eq!(goes_on_at(Some(now - Duration::days(401)), now, kept), None);
        assert_eq!(goes_on_at(None, now, kept), None);
    }

    #[test]
    fn only_records_of_earlier_days_come_late() {
        let now = datetime!(2026-03-31 09:15 UTC);
        let records = [
            ("a", datetime!(2026-03-31 00:00 UTC)),
            ("b", datetime!(2026-03-30 23:59 UTC)),
            ("b", datetime!(2026-03-12 07:00 UTC)),
            ("b", datetime!(2026-03-29 07:00 UTC)),
        ];
        let late = late_days(records, now);
        assert_eq!(Vec::from_iter(late), [("b", datetime!(2026-03-12 00:00 UTC))]);
    }

    proptest! {
        /// Step after step, every day is rolled up once, and what a step completes is made of whole finer roll-ups.
        #[test]
        fn steps_reach_what_is_closed_without_a_gap(begin in 0_i64..700, days in 0_i64..700, minutes in 0_i64..1_440) {
            let mut from = datetime!(2024-01-01 00:00 UTC) + Duration::days(begin);
            let now = from + Duration::days(days) + Duration::minutes(minutes);
            loop {
                let step = Step::next(from, now);
                if step.range.is_empty() {
                    prop_assert!(!step.has_more);
                    break;
                }
                prop_assert_eq!(step.range.from, from);
                prop_assert_eq!(Grain::Month.start_of(step.range.until - Duration::DAY), Grain::Month.start_of(from));
                for Completed { grain, earlier } in step.completed() {
                    prop_assert_eq!(grain.start_of(step.range.until), step.range.until);
                    if let Some(RollupRange { grain: finer, range }) = earlier {
                        prop_assert_eq!(range.from, grain.start_of(from));
                        prop_assert_eq!(finer.start_of(range.until), range.until);
                        prop_assert!(range.until <= from);
                    }
                }
                from = step.rolled_until;
                if !step.has_more {
                    break;
                }
            }
            prop_assert!(from >= closed_until(now));
        }
    }
}
