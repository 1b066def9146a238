//! A stretch of time, cut into what is rolled up and what is not.

use pharos_uptime::availability::Stretch;
use time::OffsetDateTime;

use super::grain::Grain;

/// Roll-ups of one grain that follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Range {
    pub(crate) grain: Grain,
    pub(crate) since: OffsetDateTime,
    /// Exclusive.
    pub(crate) until: OffsetDateTime,
}

/// A stretch in pieces that follow each other.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Pieces {
    /// What roll-ups tell.
    pub(super) rolled: Vec<Range>,
    /// What only checks tell, hour by hour.
    pub(super) rest: Option<Stretch>,
}

/// Cuts a stretch, whose edges are whole hours: up to `rolled_until` into the coarsest roll-ups that fit.
pub(super) fn cut((since, until): Stretch, rolled_until: Option<OffsetDateTime>) -> Pieces {
    let rolled_until = rolled_until.unwrap_or(since).min(until);
    let mut rolled: Vec<Range> = Vec::new();
    let mut at = since;
    while at < rolled_until {
        let fits = |grain: &Grain| grain.start_of(at) == at && grain.end_of(at) <= rolled_until;
        let grain = Grain::ALL.into_iter().rev().find(fits).unwrap_or(Grain::Hour);
        let end = grain.end_of(at);
        match rolled.last_mut() {
            Some(last) if last.grain == grain => last.until = end,
            _ => rolled.push(Range {
                grain,
                since: at,
                until: end,
            }),
        }
        at = end;
    }
    Pieces {
        rolled,
        rest: (at < until).then_some((at, until)),
    }
}

/// What lies between `edges`, whole hours and ascending, up to `rolled_until` and after it. Roll-ups of one grain, none of
/// which reaches over an edge.
pub(super) fn steps(
    edges: &[OffsetDateTime],
    rolled_until: Option<OffsetDateTime>,
) -> (Option<Range>, Option<Stretch>) {
    let (Some(&since), Some(&until)) = (edges.first(), edges.last()) else {
        return (None, None);
    };
    let are_days = edges.iter().all(|edge| Grain::Day.start_of(*edge) == *edge);
    let grain = if are_days { Grain::Day } else { Grain::Hour };
    let end = rolled_until.map_or(since, |end| end.min(until)).max(since);
    let rolled = Range {
        grain,
        since,
        until: end,
    };
    (
        (since < end).then_some(rolled),
        (end < until).then_some((end, until)),
    )
}

/// The same ranges, those that touch or overlap put together: nothing is read twice.
pub(super) fn joined(ranges: impl IntoIterator<Item = Range>) -> Vec<Range> {
    let mut ranges: Vec<Range> = ranges.into_iter().collect();
    ranges.sort_unstable();
    ranges.dedup_by(|next, last| {
        let joins = next.grain == last.grain && next.since <= last.until;
        if joins {
            last.until = last.until.max(next.until);
        }
        joins
    });
    ranges
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use time::{Duration, macros::datetime};

    use super::*;

    fn range(grain: Grain, since: OffsetDateTime, until: OffsetDateTime) -> Range {
        Range { grain, since, until }
    }

    /// A year that ends today, 31 March: the three quarters after last March, two months, the days of this March, today.
    #[test]
    fn a_year_is_quarters_with_months_and_days_at_its_ends() {
        let year = (datetime!(2025-04-01 00:00 UTC), datetime!(2026-04-01 00:00 UTC));
        let today = datetime!(2026-03-31 00:00 UTC);
        assert_eq!(
            cut(year, Some(today)),
            Pieces {
                rolled: vec![
                    range(Grain::Quarter, year.0, datetime!(2026-01-01 00:00 UTC)),
                    range(
                        Grain::Month,
                        datetime!(2026-01-01 00:00 UTC),
                        datetime!(2026-03-01 00:00 UTC)
                    ),
                    range(Grain::Day, datetime!(2026-03-01 00:00 UTC), today),
                ],
                rest: Some((today, year.1)),
            }
        );
        let from_the_middle = (datetime!(2025-12-30 00:00 UTC), datetime!(2026-02-02 00:00 UTC));
        assert_eq!(
            cut(from_the_middle, Some(today)),
            Pieces {
                rolled: vec![
                    range(Grain::Day, from_the_middle.0, datetime!(2026-01-01 00:00 UTC)),
                    range(
                        Grain::Month,
                        datetime!(2026-01-01 00:00 UTC),
                        datetime!(2026-02-01 00:00 UTC)
                    ),
                    range(Grain::Day, datetime!(2026-02-01 00:00 UTC), from_the_middle.1),
                ],
                rest: None,
            }
        );
    }

    #[test]
    fn what_is_no_whole_day_is_told_by_its_hours() {
        let stretch = (datetime!(2026-03-29 22:00 UTC), datetime!(2026-03-31 02:00 UTC));
        let (eve, night) = (datetime!(2026-03-30 00:00 UTC), datetime!(2026-03-31 00:00 UTC));
        assert_eq!(
            cut(stretch, Some(datetime!(2026-04-01 00:00 UTC))).rolled,
            [
                range(Grain::Hour, stretch.0, eve),
                range(Grain::Day, eve, night),
                range(Grain::Hour, night, stretch.1),
            ]
        );
    }

    #[test]
    fn without_roll_ups_everything_is_read_from_checks() {
        let day = (datetime!(2026-03-30 00:00 UTC), datetime!(2026-03-31 00:00 UTC));
        for rolled_until in [None, Some(day.0), Some(datetime!(2026-03-01 00:00 UTC))] {
            let pieces = cut(day, rolled_until);
            assert_eq!(
                pieces,
                Pieces {
                    rolled: Vec::new(),
                    rest: Some(day)
                },
                "{rolled_until:?}"
            );
        }
    }

    proptest! {
        /// No moment is lost, none counted twice, and nothing after `rolled_until` is read from roll-ups.
        #[test]
        fn the_pieces_add_up_to_the_stretch(begin in 0_i64..20_000, hours in 1_i64..12_000, rolled in 0_i64..1_200) {
            let epoch = datetime!(2024-01-01 00:00 UTC);
            let since = epoch + Duration::hours(begin);
            let until = since + Duration::hours(hours);
            let rolled_until = epoch + Duration::days(rolled);
            let pieces = cut((since, until), Some(rolled_until));
            let mut at = since;
            for range in &pieces.rolled {
                prop_assert_eq!(range.since, at);
                prop_assert_eq!(range.grain.start_of(range.since), range.since);
                prop_assert_eq!(range.grain.start_of(range.until), range.until);
                prop_assert!(range.since < range.until && range.until <= rolled_until);
                at = range.until;
            }
            if let Some((from, to)) = pieces.rest {
                prop_assert_eq!(from, at);
                prop_assert!(from == since || from == rolled_until);
                at = to;
            }
            prop_assert_eq!(at, until);
        }
    }

    #[test]
    fn steps_are_days_where_all_edges_are_midnights() {
        let (first, today) = (datetime!(2026-03-23 00:00 UTC), datetime!(2026-03-31 00:00 UTC));
        let tomorrow = today + Duration::DAY;
        let weeks = [first, datetime!(2026-03-30 00:00 UTC), tomorrow];
        assert_eq!(
            steps(&weeks, Some(today)),
            (Some(range(Grain::Day, first, today)), Some((today, tomorrow)))
        );
        let hours = [first, first + Duration::HOUR, first + Duration::DAY];
        assert_eq!(
            steps(&hours, Some(today)),
            (Some(range(Grain::Hour, first, hours[2])), None)
        );
        for rolled_until in [None, Some(first), Some(first - Duration::DAY)] {
            assert_eq!(steps(&weeks, rolled_until), (None, Some((first, tomorrow))));
        }
        assert_eq!(steps(&[], Some(today)), (None, None));
    }

    #[test]
    fn ranges_that_touch_are_read_as_one() {
        let day = |number: u8| datetime!(2026-03-01 00:00 UTC).replace_day(number).unwrap();
        let days = |since, until| range(Grain::Day, day(since), day(until));
        let hours = range(Grain::Hour, day(2), day(3));
        assert_eq!(
            joined([days(4, 5), days(7, 9), hours, days(3, 4), days(7, 8), days(1, 2)]),
            [hours, days(1, 2), days(3, 5), days(7, 9)]
        );
    }
}
