//! The plan of a read of the past: roll-ups as far as they reach, and checks by the hour after that.

use std::{cmp::Reverse, collections::BTreeMap};

use pharos_domain::time_range::TimeRange;
use pharos_series::{
    aggregate::sum_between,
    cut::{Cut, RollupRange, joined},
    grain::Grain,
};
use time::OffsetDateTime;

use super::{
    History, HistoryQuery,
    aggregate::{CheckAggregate, Depth, Measure, RegionAggregates},
};

/// The sums of each region, by the roll-up that holds them; in order of time.
pub type FoundRollups = BTreeMap<(Grain, OffsetDateTime), Vec<(String, CheckAggregate)>>;

/// The beginning of an hour, a region, and the sums of its checks in that hour.
pub type Hour = (OffsetDateTime, String, CheckAggregate);

/// Which histograms are read where roll-ups are asked for, each as deep as it says; none of them twice.
#[must_use]
pub fn histograms(asked: &[(RollupRange, Depth)]) -> Vec<(RollupRange, Measure)> {
    let of = |measure: Measure| {
        let asked = asked
            .iter()
            .filter(move |(_, depth)| depth.measures().contains(&measure));
        joined(asked.map(|(range, _)| *range))
            .into_iter()
            .map(move |range| (range, measure))
    };
    Measure::ALL.iter().flat_map(|measure| of(*measure)).collect()
}

/// A read of the past, cut where roll-ups end.
#[derive(Clone, Debug)]
pub struct ReadPlan<'a> {
    queries: Vec<(Depth, Cut)>,
    edges: &'a [OffsetDateTime],
    counted: Cut,
}

impl<'a> ReadPlan<'a> {
    /// The plan for queries and edges, where roll-ups reach up to `rolled_until`.
    #[must_use]
    pub fn new(
        queries: &[HistoryQuery],
        edges: &'a [OffsetDateTime],
        rolled_until: Option<OffsetDateTime>,
    ) -> Self {
        let queries = queries
            .iter()
            .map(|query| (query.depth, Cut::new(query.range, rolled_until)))
            .collect();
        Self {
            queries,
            edges,
            counted: Cut::at_edges(edges, rolled_until),
        }
    }

    /// The roll-ups that the queries need, each as deep as it is asked for.
    #[must_use]
    pub fn rollups(&self) -> Vec<(RollupRange, Depth)> {
        self.queries
            .iter()
            .flat_map(|(depth, cut)| cut.rolled.iter().map(|rolled| (*rolled, *depth)))
            .collect()
    }

    /// The roll-ups whose checks are counted for the edges.
    #[must_use]
    pub fn counted(&self) -> Option<RollupRange> {
        self.counted.rolled.first().copied()
    }

    /// The time whose checks are read by the hour, from the first of it to the last.
    #[must_use]
    pub fn hours(&self) -> Option<TimeRange> {
        let rests = self.queries.iter().filter_map(|(_, cut)| cut.rest);
        rests.chain(self.counted.rest).reduce(TimeRange::hull)
    }

    /// The measures whose percentiles are asked for of those hours.
    #[must_use]
    pub fn measures(&self) -> Vec<Measure> {
        let fresh = self.queries.iter().filter(|(_, cut)| cut.rest.is_some());
        let wanted = |measure: &Measure| fresh.clone().any(|(depth, _)| depth.measures().contains(measure));
        Measure::ALL.iter().copied().filter(wanted).collect()
    }

    /// The sums of the roll-ups that were found, query by query.
    #[must_use]
    pub fn sum_rollups(&self, found: &FoundRollups) -> Vec<RegionAggregates> {
        let sum = |(depth, cut): &(Depth, Cut)| {
            let mut rolled = cut.rolled.clone();
            // The coarsest first: they know nearly every time that the others have.
            rolled.sort_unstable_by_key(|rolled| Reverse(rolled.grain));
            let mut sums = RegionAggregates::default();
            for RollupRange { grain, range } in rolled {
                let regions = found.range((grain, range.from)..(grain, range.until));
                for (region, aggregate) in regions.flat_map(|(_, regions)| regions) {
                    sums.add(region, aggregate, *depth);
                }
            }
            sums
        };
        self.queries.iter().map(sum).collect()
    }

    /// The answer: `aggregates` of roll-ups, the `counts` of those that are counted, in no order, and the hours after them.
    #[must_use]
    pub fn answer(
        &self,
        mut aggregates: Vec<RegionAggregates>,
        mut counts: Vec<(OffsetDateTime, u64)>,
        mut hours: Vec<Hour>,
    ) -> History {
        hours.sort_unstable_by_key(|(hour, ..)| *hour);
        for ((depth, cut), sums) in self.queries.iter().zip(&mut aggregates) {
            let Some(rest) = cut.rest else {
                continue;
            };
            let first = hours.partition_point(|(hour, ..)| *hour < rest.from);
            for (_, region, aggregate) in hours[first..].iter().take_while(|(hour, ..)| *hour < rest.until) {
                sums.add(region, aggregate, *depth);
            }
        }
        counts.sort_unstable_by_key(|(at, _)| *at);
        // Every hour is later than what is rolled up. Hours before the first edge were read for a query.
        counts.extend(
            hours
                .iter()
                .map(|(hour, _, aggregate)| (*hour, aggregate.counts.total)),
        );
        History {
            aggregates,
            totals: sum_between(&counts, self.edges),
        }
    }
}

#[cfg(test)]
mod tests;
