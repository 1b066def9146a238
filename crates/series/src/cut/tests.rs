//! The parts of a cut add up.

use proptest::{collection::vec, prelude::*};
use time::{Duration, macros::datetime};

use super::*;

fn rolled(grain: Grain, from: OffsetDateTime, until: OffsetDateTime) -> RollupRange {
    RollupRange {
        grain,
        range: TimeRange::new(from, until),
    }
}

/// A year that ends today, 31 March: the three quarters after last March, two months, the days of this March, today.
#[test]
fn a_year_is_quarters_with_months_and_days_at_its_ends() {
    let year = TimeRange::new(datetime!(2025-04-01 00:00 UTC), datetime!(2026-04-01 00:00 UTC));
    let today = datetime!(2026-03-31 00:00 UTC);
    let (january, march) = (datetime!(2026-01-01 00:00 UTC), datetime!(2026-03-01 00:00 UTC));
    assert_eq!(
        Cut::new(year, Some(today)),
        Cut {
            rolled: vec![
                rolled(Grain::Quarter, year.from, january),
                rolled(Grain::Month, january, march),
                rolled(Grain::Day, march, today),
            ],
            rest: Some(TimeRange::new(today, year.until)),
        }
    );
    let from_the_middle = TimeRange::new(datetime!(2025-12-30 00:00 UTC), datetime!(2026-02-02 00:00 UTC));
    let february = datetime!(2026-02-01 00:00 UTC);
    assert_eq!(
        Cut::new(from_the_middle, Some(today)),
        Cut {
            rolled: vec![
                rolled(Grain::Day, from_the_middle.from, january),
                rolled(Grain::Month, january, february),
                rolled(Grain::Day, february, from_the_middle.until),
            ],
            rest: None,
        }
    );
}

#[test]
fn what_is_no_whole_day_is_told_by_its_hours() {
    let range = TimeRange::new(datetime!(2026-03-29 22:00 UTC), datetime!(2026-03-31 02:00 UTC));
    let (eve, night) = (datetime!(2026-03-30 00:00 UTC), datetime!(2026-03-31 00:00 UTC));
    assert_eq!(
        Cut::new(range, Some(datetime!(2026-04-01 00:00 UTC))).rolled,
        [
            rolled(Grain::Hour, range.from, eve),
            rolled(Grain::Day, eve, night),
            rolled(Grain::Hour, night, range.until),
        ]
    );
}

#[test]
fn without_roll_ups_everything_is_read_from_records() {
    let day = TimeRange::new(datetime!(2026-03-30 00:00 UTC), datetime!(2026-03-31 00:00 UTC));
    for rolled_until in [None, Some(day.from), Some(datetime!(2026-03-01 00:00 UTC))] {
        let cut = Cut::new(day, rolled_until);
        assert_eq!(
            (cut.rolled, cut.rest),
            (Vec::new(), Some(day)),
            "{rolled_until:?}"
        );
    }
}

const EPOCH: OffsetDateTime = datetime!(2024-01-01 00:00 UTC);

proptest! {
    /// No moment is lost, none counted twice, and nothing after `rolled_until` is read from roll-ups.
    #[test]
    fn the_parts_add_up_to_the_range(begin in 0_i64..20_000, hours in 1_i64..12_000, days in 0_i64..1_200) {
        let from = EPOCH + Duration::hours(begin);
        let until = from + Duration::hours(hours);
        let rolled_until = EPOCH + Duration::days(days);
        let cut = Cut::new(TimeRange::new(from, until), Some(rolled_until));
        let mut at = from;
        for RollupRange { grain, range } in &cut.rolled {
            prop_assert_eq!(range.from, at);
            prop_assert_eq!(grain.start_of(range.from), range.from);
            prop_assert_eq!(grain.start_of(range.until), range.until);
            prop_assert!(!range.is_empty() && range.until <= rolled_until);
            at = range.until;
        }
        if let Some(rest) = cut.rest {
            prop_assert_eq!(rest.from, at);
            prop_assert!(rest.from == from || rest.from == rolled_until);
            at = rest.until;
        }
        prop_assert_eq!(at, until);
    }

    /// Two neighbours of one grain are one part, and no part could be of a longer grain.
    #[test]
    fn the_longest_roll_ups_that_fit_are_taken(begin in 0_i64..800, length in 1_i64..800) {
        let range = TimeRange::new(EPOCH + Duration::days(begin), EPOCH + Duration::days(begin + length));
        let cut = Cut::new(range, Some(range.until));
        prop_assert!(cut.rolled.windows(2).all(|parts| parts[0].grain != parts[1].grain));
        for part in cut.rolled {
            for longer in Grain::ALL.into_iter().filter(|grain| *grain > part.grain) {
                let mut at = part.range.from;
                while at < part.range.until {
                    prop_assert!(longer.start_of(at) != at || longer.end_of(at) > range.until);
                    at = part.grain.end_of(at);
                }
            }
        }
    }

    /// The rolled parts and the rest, by edges that lie anywhere, add up to all between the first edge and the last.
    #[test]
    fn parts_at_edges_add_up_too(steps in vec(1_i64..40, 1..9), hours in 0_i64..300, by_day in any::<bool>()) {
        let unit = if by_day { Duration::DAY } else { Duration::HOUR };
        let mut edges = vec![EPOCH];
        for step in steps {
            edges.push(edges[edges.len() - 1] + unit * i32::try_from(step).unwrap());
        }
        let whole = TimeRange::new(edges[0], edges[edges.len() - 1]);
        let cut = Cut::at_edges(&edges, Some(EPOCH + Duration::days(hours / 24)));
        prop_assert!(cut.rolled.len() <= 1);
        let parts = cut.rolled.iter().map(|part| part.range).chain(cut.rest);
        let length = parts.clone().fold(Duration::ZERO, |sum, part| sum + part.length());
        prop_assert_eq!(parts.reduce(TimeRange::hull), Some(whole));
        prop_assert_eq!(length, whole.length());
    }

    #[test]
    fn what_is_joined_is_read_once(days in vec((0_u8..2, 0_i64..30, 1_i64..6), 0..12)) {
        let day = |number: i64| EPOCH + Duration::days(number);
        let ranges: Vec<RollupRange> = days
            .into_iter()
            .map(|(grain, from, length)| rolled(Grain::ALL[usize::from(grain)], day(from), day(from + length)))
            .collect();
        let joined = joined(ranges.clone());
        for grain in Grain::ALL {
            for number in 0..40 {
                let holds = |part: &&RollupRange| part.grain == grain && part.range.contains(day(number));
                let found = joined.iter().filter(holds).count();
                prop_assert_eq!(found, usize::from(ranges.iter().any(|part| holds(&part))));
            }
        }
    }
}

#[test]
fn edges_are_days_where_all_of_them_are_midnights() {
    let (first, today) = (datetime!(2026-03-23 00:00 UTC), datetime!(2026-03-31 00:00 UTC));
    let tomorrow = today + Duration::DAY;
    let weeks = [first, datetime!(2026-03-30 00:00 UTC), tomorrow];
    let cut = Cut::at_edges(&weeks, Some(today));
    assert_eq!(cut.rolled, [rolled(Grain::Day, first, today)]);
    assert_eq!(cut.rest, Some(TimeRange::new(today, tomorrow)));
    let hours = [first, first + Duration::HOUR, first + Duration::DAY];
    let cut = Cut::at_edges(&hours, Some(today));
    assert_eq!(cut.rolled, [rolled(Grain::Hour, first, hours[2])]);
    assert_eq!(cut.rest, None);
    for rolled_until in [None, Some(first), Some(first - Duration::DAY)] {
        let cut = Cut::at_edges(&weeks, rolled_until);
        assert_eq!(
            (cut.rolled, cut.rest),
            (Vec::new(), Some(TimeRange::new(first, tomorrow)))
        );
    }
    assert_eq!(Cut::at_edges(&[], Some(today)), Cut::default());
}

#[test]
fn roll_ups_that_touch_are_read_as_one() {
    let day = |number: u8| datetime!(2026-03-01 00:00 UTC).replace_day(number).unwrap();
    let days = |from, until| rolled(Grain::Day, day(from), day(until));
    let hours = rolled(Grain::Hour, day(2), day(3));
    assert_eq!(
        joined([days(4, 5), days(7, 9), hours, days(3, 4), days(7, 8), days(1, 2)]),
        [hours, days(1, 2), days(3, 5), days(7, 9)]
    );
}
