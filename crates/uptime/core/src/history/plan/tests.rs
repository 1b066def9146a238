//! A plan answers what the checks come to, wherever roll-ups end.

use pharos_series::{
    aggregate::{Aggregate, Rollups, coarsen},
    histogram::Histogram,
};
use proptest::{collection::vec, prelude::*};
use time::{Duration, macros::datetime};

use super::{super::aggregate::Times, *};

const EPOCH: OffsetDateTime = datetime!(2025-11-20 00:00 UTC);

fn hour(number: u32) -> OffsetDateTime {
    EPOCH + Duration::hours(i64::from(number))
}

/// Hours from two regions with a check each.
fn hours(checks: &[(u32, bool, u32)]) -> Rollups<String, CheckAggregate> {
    let mut hours = Rollups::<String, CheckAggregate>::new();
    for (at, is_eu, micros) in checks {
        let mut check = CheckAggregate::default();
        check.counts.total = 1;
        for measure in [Measure::Response, Measure::Ttfb] {
            check.times[measure as usize] = Times {
                samples: 1,
                micros: (*micros).into(),
                histogram: Histogram::of(vec![*micros]),
            };
        }
        let region = if *is_eu { "eu" } else { "us" };
        hours
            .entry((hour(*at), region.to_owned()))
            .or_default()
            .merge(&check);
    }
    hours
}

/// Everything that lies before `rolled_until`, in every grain, as deep as it is kept.
fn rolled_up(hours: &Rollups<String, CheckAggregate>, rolled_until: OffsetDateTime) -> FoundRollups {
    let mut found = FoundRollups::new();
    let mut finer = hours.clone();
    for grain in Grain::ALL {
        finer = coarsen(&finer, grain);
        for ((at, region), aggregate) in &finer {
            if grain.end_of(*at) <= rolled_until {
                let mut kept = CheckAggregate::default();
                kept.add(aggregate, Depth::kept(grain));
                found
                    .entry((grain, *at))
                    .or_default()
                    .push((region.clone(), kept));
            }
        }
    }
    found
}

/// Reads as a store does that follows a plan.
fn read(plan: &ReadPlan<'_>, hours: &Rollups<String, CheckAggregate>, found: &FoundRollups) -> History {
    let counts = plan
        .counted()
        .into_iter()
        .flat_map(|RollupRange { grain, range }| {
            let rolled = found.range((grain, range.from)..(grain, range.until));
            rolled.flat_map(|((_, at), regions)| regions.iter().map(|(_, found)| (*at, found.counts.total)))
        });
    let fresh = plan.hours().into_iter().flat_map(|range| {
        let inside = hours.iter().filter(move |((at, _), _)| range.contains(*at));
        inside.map(|((at, region), aggregate)| (*at, region.clone(), aggregate.clone()))
    });
    plan.answer(plan.sum_rollups(found), counts.collect(), fresh.collect())
}

proptest! {
    /// Queries of whole days ask for phases too, others for the response alone.
    #[test]
    fn an_answer_does_not_depend_on_how_far_roll_ups_reach(
        checks in vec((0_u32..4_000, any::<bool>(), 1_u32..50), 0..60),
        asked in vec((0_u32..4_000, 1_u32..3_000), 0..4),
        at in vec(0_u32..4_000, 0..5),
        rolled_days in 0_i64..170,
    ) {
        let hours = hours(&checks);
        let mut edges: Vec<OffsetDateTime> = at.into_iter().map(hour).collect();
        edges.sort_unstable();
        let queries: Vec<HistoryQuery> = asked
            .into_iter()
            .map(|(from, length)| {
                let are_days = from % 2 == 0;
                let unit = if are_days { 24 } else { 1 };
                let from = from / unit * unit;
                HistoryQuery {
                    range: TimeRange::new(hour(from), hour(from + (length / unit).max(1) * unit)),
                    depth: if are_days { Depth::Phases } else { Depth::Response },
                }
            })
            .collect();
        let rolled_until = EPOCH + Duration::days(rolled_days);
        let plan = ReadPlan::new(&queries, &edges, Some(rolled_until));
        let from_checks = ReadPlan::new(&queries, &edges, None);
        prop_assert!(from_checks.rollups().is_empty() && from_checks.counted().is_none());
        let found = rolled_up(&hours, rolled_until);
        prop_assert_eq!(
            read(&plan, &hours, &found),
            read(&from_checks, &hours, &FoundRollups::new())
        );
    }
}

/// A year that ends today reads today's checks alone, and of the phases only what is asked for.
#[test]
fn only_what_is_not_rolled_up_is_read_from_checks() {
    let (year, today) = (datetime!(2025-04-01 00:00 UTC), datetime!(2026-03-31 00:00 UTC));
    let tomorrow = today + Duration::DAY;
    let query = |from, until, depth| HistoryQuery {
        range: TimeRange::new(from, until),
        depth,
    };
    let queries = [
        query(year, today, Depth::Phases),
        query(year, tomorrow, Depth::Response),
    ];
    let plan = ReadPlan::new(&queries, &[], Some(today));
    assert_eq!(plan.hours(), Some(TimeRange::new(today, tomorrow)));
    assert_eq!(plan.measures(), [Measure::Response]);
    // Both queries need the same roll-ups: those of the response are read once, those of the phases for the first alone.
    let histograms = histograms(&plan.rollups());
    assert_eq!(histograms.len(), 3 * Measure::ALL.len());
}
