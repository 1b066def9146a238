//! How often which time was measured.

/// Times with their counts, in order of time: whole microseconds, rounded to three significant digits (182,437 is
/// 182,000), so that it stays small however many there were. A percentile out of it is at most half a percent off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distribution(Vec<(u32, u32)>);

impl Distribution {
    /// From times that are rounded already, in ascending order, each once, with its count.
    #[must_use]
    pub fn new(counted: Vec<(u32, u32)>) -> Self {
        Self(counted)
    }

    /// From times that are rounded already, one by one, in any order.
    #[must_use]
    pub fn of(mut times: Vec<u32>) -> Self {
        times.sort_unstable();
        let equal = times.chunk_by(|one, other| one == other);
        Self(equal.map(|equal| (equal[0], count(equal.len()))).collect())
    }

    /// The times with their counts, in ascending order, each once.
    #[must_use]
    pub fn counted(&self) -> &[(u32, u32)] {
        &self.0
    }

    /// Takes in what another has.
    pub fn merge(&mut self, other: &Self) {
        // Of many days nearly all times are known from the first few: then nothing moves.
        let mut unknown = Vec::new();
        let mut rest = self.0.iter_mut().peekable();
        for (micros, count) in &other.0 {
            while rest.next_if(|(known, _)| known < micros).is_some() {}
            match rest.next_if(|(known, _)| known == micros) {
                Some((_, known)) => *known = known.saturating_add(*count),
                None => unknown.push((*micros, *count)),
            }
        }
        if !unknown.is_empty() {
            self.0.append(&mut unknown);
            // Of two runs in order it makes one in a single pass.
            self.0.sort_by_key(|(micros, _)| *micros);
        }
    }

    /// The percentiles `percents`, ascending, in milliseconds. Each lies between two neighbours by linear interpolation,
    /// as `percentile_cont` of SQL has it. `None` without any time.
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
            // Only looked at: the next percentile may lie before it.
            let high = walk.clone().at(rank + 1);
            Some((low + beyond * (high - low)) / 1e3)
        })
    }
}

/// No time is measured four billion times within what a distribution tells of.
fn count(times: usize) -> u32 {
    u32::try_from(times).unwrap_or(u32::MAX)
}

/// A way through a distribution, from rank to rank.
#[derive(Clone)]
struct Walk<'a> {
    rest: &'a [(u32, u32)],
    /// How many lie before the rest.
    passed: u64,
}

impl Walk<'_> {
    /// The time at a rank, counted from 0 and no lower than the last one asked for; the last time beyond all.
    fn at(&mut self, rank: u64) -> f64 {
        while let [(_, count), rest @ ..] = self.rest
            && !rest.is_empty()
            && self.passed + u64::from(*count) <= rank
        {
            self.passed += u64::from(*count);
            self.rest = rest;
        }
        self.rest.first().map_or(0.0, |(micros, _)| f64::from(*micros))
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    /// One by one.
    fn merged(times: &[u32]) -> Distribution {
        let mut all = Distribution::default();
        for time in times {
            all.merge(&Distribution::new(vec![(*time, 1)]));
        }
        all
    }

    /// `percentile_cont` as the manual of PostgreSQL describes it, over every single time.
    fn percentile_cont(times: &[u32], percent: u8) -> f64 {
        let mut times = times.to_vec();
        times.sort_unstable();
        let rank = f64::from(percent) / 100.0 * (times.len() - 1) as f64;
        // To the nearest where only the double is off, as at 0.95 of 20.
        let near = (rank - rank.round()).abs() < 1e-9;
        let rank = if near { rank.round() } else { rank };
        let at = |wanted: f64| {
            let place = (0..times.len()).find(|place| *place as f64 >= wanted);
            f64::from(times[place.unwrap()])
        };
        (at(rank.floor()) + rank.fract() * (at(rank.ceil()) - at(rank.floor()))) / 1e3
    }

    /// Worked out by hand: of 10, 20, 20 and 40 ms the median lies at rank 1.5, the 90th percentile at 2.7.
    #[test]
    fn percentiles_lie_between_neighbours() {
        let times = Distribution::new(vec![(10_000, 1), (20_000, 2), (40_000, 1)]);
        let [least, p50, p90, most] = times.percentiles([0, 50, 90, 100]).map(Option::unwrap);
        assert_eq!((least, p50, most), (10.0, 20.0, 40.0));
        assert!((p90 - 34.0).abs() < 1e-9, "{p90}");
    }

    #[test]
    fn without_a_time_there_is_no_percentile() {
        assert_eq!(Distribution::default().percentiles([50, 99]), [None; 2]);
    }

    proptest! {
        #[test]
        fn percentiles_are_those_of_all_times_one_by_one(
            one in vec(0_u32..40, 1..60), other in vec(0_u32..40, 0..60), percent in 0_u8..=100,
        ) {
            let mut both = merged(&one);
            both.merge(&merged(&other));
            let all = [one, other].concat();
            prop_assert_eq!(&both, &merged(&all));
            prop_assert_eq!(&both, &Distribution::of(all.clone()));
            let [low, found] = both.percentiles([percent / 2, percent]).map(Option::unwrap);
            prop_assert!((low - percentile_cont(&all, percent / 2)).abs() < 1e-9);
            prop_assert!((found - percentile_cont(&all, percent)).abs() < 1e-9);
        }
    }
}
