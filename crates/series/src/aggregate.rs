//! Sums over records that can be added up, and put together to coarser ones.

use std::collections::BTreeMap;

use time::OffsetDateTime;

use super::grain::Grain;

/// The sum of records. Merging is associative and commutative: days are sums of hours, months of days, in whatever order.
pub trait Aggregate: Default {
    /// Adds the sum of other records.
    fn merge(&mut self, other: &Self);
}

/// Aggregates by the beginning of their hour, day, month or quarter, and by a key such as a region.
pub type Rollups<K, A> = BTreeMap<(OffsetDateTime, K), A>;

/// Merges finer roll-ups into those of the grain that they lie in.
#[must_use]
pub fn coarsen<K: Clone + Ord, A: Aggregate>(finer: &Rollups<K, A>, grain: Grain) -> Rollups<K, A> {
    let mut coarser = Rollups::<K, A>::new();
    for ((at, key), aggregate) in finer {
        coarser
            .entry((grain.start_of(*at), key.clone()))
            .or_default()
            .merge(aggregate);
    }
    coarser
}

/// Sums counts, in order of time, from each of `edges` to the next.
#[must_use]
pub fn sum_between(counts: &[(OffsetDateTime, u64)], edges: &[OffsetDateTime]) -> Vec<u64> {
    let mut rest = counts.iter().peekable();
    let mut sum_until = |edge: &OffsetDateTime| {
        let before = std::iter::from_fn(|| rest.next_if(|(at, _)| at < edge));
        before.map(|(_, count)| count).sum()
    };
    let mut sums: Vec<u64> = edges.iter().map(&mut sum_until).collect();
    // Counts before the first edge belong to no pair.
    sums.drain(..sums.len().min(1));
    sums
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};
    use time::{Duration, macros::datetime};

    use super::*;
    use crate::histogram::Histogram;

    const EPOCH: OffsetDateTime = datetime!(2024-01-01 00:00 UTC);

    fn hours(values: &[(u32, u8, u32)]) -> Rollups<u8, Histogram> {
        let mut hours = Rollups::new();
        for (hour, key, value) in values {
            let at = EPOCH + Duration::hours(i64::from(*hour));
            let aggregate: &mut Histogram = hours.entry((at, *key)).or_default();
            aggregate.merge(&Histogram::of(vec![*value]));
        }
        hours
    }

    proptest! {
        /// Hours to days to months to quarters is hours to quarters at once, key by key.
        #[test]
        fn it_does_not_matter_over_which_grains_one_goes(
            values in vec((0_u32..10_000, 0_u8..3, 0_u32..20), 0..60),
        ) {
            let hours = hours(&values);
            let step_by_step = [Grain::Day, Grain::Month, Grain::Quarter]
                .into_iter()
                .fold(hours.clone(), |finer, grain| coarsen(&finer, grain));
            prop_assert_eq!(step_by_step, coarsen(&hours, Grain::Quarter));
        }

        #[test]
        fn every_count_goes_to_the_pair_of_edges_that_it_lies_between(
            found in vec((0_i64..50, 0_u64..9), 0..20), at in vec(0_i64..50, 0..6),
        ) {
            let moment = |minute: &i64| EPOCH + Duration::minutes(*minute);
            let (mut found, mut at) = (found, at);
            found.sort_unstable();
            at.sort_unstable();
            let counts: Vec<_> = found.iter().map(|(at, count)| (moment(at), *count)).collect();
            let edges: Vec<_> = at.iter().map(moment).collect();
            let one_by_one: Vec<u64> = at
                .windows(2)
                .map(|pair| found.iter().filter(|(at, _)| (pair[0]..pair[1]).contains(at)).map(|(_, count)| count).sum())
                .collect();
            prop_assert_eq!(sum_between(&counts, &edges), one_by_one);
        }
    }
}
