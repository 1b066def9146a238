//! How often which value was measured.

use std::collections::BTreeMap;

use super::aggregate::Aggregate;

/// Values with their counts, in ascending order, each once. Values are rounded before they are counted, to three significant
/// digits such as by [`three_digits`](crate::digits::three_digits), so that a histogram stays small however many there were,
/// and a percentile out of it is at most half a percent off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram(Vec<(u32, u32)>);

impl Histogram {
    /// Counts values that are rounded already, in any order.
    #[must_use]
    pub fn of(mut values: Vec<u32>) -> Self {
        values.sort_unstable();
        let equal = values.chunk_by(|one, other| one == other);
        Self(equal.map(|equal| (equal[0], count(equal.len()))).collect())
    }

    /// From values that are in ascending order already, each once.
    pub(super) fn in_order(counted: Vec<(u32, u32)>) -> Self {
        Self(counted)
    }

    /// The values with their counts, in ascending order, each once.
    #[must_use]
    pub fn counted(&self) -> &[(u32, u32)] {
        &self.0
    }

    /// The percentiles `percents`, ascending. Each lies between two neighbours by linear interpolation, as `percentile_cont`
    /// of SQL has it. `None` without any value.
    #[must_use]
    pub fn percentiles<const N: usize>(&self, percents: [u8; N]) -> [Option<f64>; N] {
        let Some(last) = self
            .0
            .iter()
            .map(|(_, count)| u64::from(*count))
            .sum::<u64>()
            .checked_sub(1)
        else {
            return [None; N];
        };
        let mut walk = Walk {
            rest: &self.0,
            passed: 0,
        };
        percents.map(|percent| {
            let hundredths = last * u64::from(percent);
            let (rank, beyond) = (hundredths / 100, (hundredths % 100) as f64 / 100.0);
            let low = walk.at(rank);
            // The next percentile may lie before it, so the walk itself stays.
            let high = walk.clone().at(rank + 1);
            Some(low + beyond * (high - low))
        })
    }
}

impl From<BTreeMap<u32, u32>> for Histogram {
    /// From values that are rounded already, with their counts.
    fn from(counted: BTreeMap<u32, u32>) -> Self {
        Self(counted.into_iter().collect())
    }
}

impl Aggregate for Histogram {
    fn merge(&mut self, other: &Self) {
        // Nearly all values are known from the first few days: then nothing moves.
        let mut unknown = Vec::new();
        let mut rest = self.0.iter_mut().peekable();
        for (value, count) in &other.0 {
            while rest.next_if(|(known, _)| known < value).is_some() {}
            match rest.next_if(|(known, _)| known == value) {
                Some((_, known)) => *known = known.saturating_add(*count),
                None => unknown.push((*value, *count)),
            }
        }
        if !unknown.is_empty() {
            self.0.append(&mut unknown);
            // Two runs that are in order are made one in a single pass.
            self.0.sort_by_key(|(value, _)| *value);
        }
    }
}

/// No value is measured four billion times within one histogram.
fn count(times: usize) -> u32 {
    u32::try_from(times).unwrap_or(u32::MAX)
}

/// A way through a histogram, from rank to rank.
#[derive(Clone)]
struct Walk<'a> {
    rest: &'a [(u32, u32)],
    /// How many lie before the rest.
    passed: u64,
}

impl Walk<'_> {
    /// The value at a rank, counted from 0 and no lower than the last one asked for; the last value beyond all.
    fn at(&mut self, rank: u64) -> f64 {
        while let [(_, count), rest @ ..] = self.rest
            && !rest.is_empty()
            && self.passed + u64::from(*count) <= rank
        {
            self.passed += u64::from(*count);
            self.rest = rest;
        }
        self.rest.first().map_or(0.0, |(value, _)| f64::from(*value))
    }
}

#[cfg(test)]
mod tests {
    use proptest::{
        collection::{btree_map, vec},
        prelude::*,
    };

    use super::*;

    /// One by one.
    fn merged(values: &[u32]) -> Histogram {
        let mut all = Histogram::default();
        for value in values {
            all.merge(&Histogram::from(BTreeMap::from([(*value, 1)])));
        }
        all
    }

    fn sum(one: &Histogram, other: &Histogram) -> Histogram {
        let mut sum = one.clone();
        sum.merge(other);
        sum
    }

    /// `percentile_cont` as the manual of PostgreSQL describes it, over every single value.
    fn percentile_cont(values: &[u32], percent: u8) -> f64 {
        let mut values = values.to_vec();
        values.sort_unstable();
        let rank = f64::from(percent) / 100.0 * (values.len() - 1) as f64;
        // To the nearest where only the double is off, as at 0.95 of 20.
        let near = (rank - rank.round()).abs() < 1e-9;
        let rank = if near { rank.round() } else { rank };
        let at = |wanted: f64| {
            let place = (0..values.len()).find(|place| *place as f64 >= wanted);
            f64::from(values[place.unwrap()])
        };
        at(rank.floor()) + rank.fract() * (at(rank.ceil()) - at(rank.floor()))
    }

    /// Computed by hand: of 10, 20, 20 and 40 the median lies at rank 1.5, the 90th percentile at 2.7.
    #[test]
    fn percentiles_lie_between_neighbours() {
        let values = Histogram::from(BTreeMap::from([(10, 1), (20, 2), (40, 1)]));
        let [least, p50, p90, most] = values.percentiles([0, 50, 90, 100]).map(Option::unwrap);
        assert_eq!((least, p50, most), (10.0, 20.0, 40.0));
        assert!((p90 - 34.0).abs() < 1e-9, "{p90}");
    }

    #[test]
    fn without_a_value_there_is_no_percentile() {
        assert_eq!(Histogram::default().percentiles([50, 99]), [None; 2]);
    }

    /// Values of which some are in all of them, with counts that come up to the most that is held.
    fn histogram() -> impl Strategy<Value = Histogram> {
        let counts = prop_oneof![9 => 1_u32..1_000, 1 => u32::MAX - 9..=u32::MAX];
        btree_map(0_u32..40, counts, 0..20).prop_map(Histogram::from)
    }

    proptest! {
        #[test]
        fn percentiles_are_those_of_all_values_one_by_one(
            one in vec(0_u32..40, 1..60), other in vec(0_u32..40, 0..60), percent in 0_u8..=100,
        ) {
            let both = sum(&merged(&one), &merged(&other));
            let all = [one, other].concat();
            prop_assert_eq!(&both, &merged(&all));
            prop_assert_eq!(&both, &Histogram::of(all.clone()));
            let [low, found] = both.percentiles([percent / 2, percent]).map(Option::unwrap);
            prop_assert!((low - percentile_cont(&all, percent / 2)).abs() < 1e-9);
            prop_assert!((found - percentile_cont(&all, percent)).abs() < 1e-9);
        }

        /// So it does not matter what was rolled up with what, and in which order.
        #[test]
        fn merging_is_associative_and_commutative(a in histogram(), b in histogram(), c in histogram()) {
            prop_assert_eq!(sum(&sum(&a, &b), &c), sum(&a, &sum(&b, &c)));
            prop_assert_eq!(sum(&a, &b), sum(&b, &a));
            prop_assert_eq!(sum(&a, &Histogram::default()), a);
        }

        #[test]
        fn values_stay_in_order_and_come_once(a in histogram(), b in histogram()) {
            let both = sum(&a, &b);
            prop_assert!(both.counted().windows(2).all(|pair| pair[0].0 < pair[1].0));
        }
    }
}
