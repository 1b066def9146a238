//! The Mann-Whitney test of two samples, with the Hodges-Lehmann shift and its interval.
//!
//! As `scipy.stats.mannwhitneyu(post, pre, alternative="two-sided")`: exact where both samples have at most 20 values and no two
//! are equal, else by the normal approximation with correction for ties and for continuity. The interval of the shift is the one
//! that belongs to the test: between the differences whose ranks the test would just not reject (Hollander, Wolfe and Chicken,
//! "Nonparametric Statistical Methods", 3rd edition, 4.3).

use statrs::distribution::{ContinuousCDF, Normal};

use super::{TAIL, as_number, median, ordered};

/// Up to so many values in each sample the distribution is exact.
const MOST_EXACT: usize = 20;

/// The result of the test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MannWhitney {
    /// U of the second sample: pairs in which its value is the greater, equal ones by half.
    pub u_statistic: f64,
    /// How many deviations U lies from its mean, less the correction for continuity; 0 where U is the mean.
    pub z_score: f64,
    /// How likely a U is that is no nearer to its mean, if nothing changed.
    pub p_value: f64,
    /// The median of the first sample.
    pub median_pre: f64,
    /// The median of the second sample.
    pub median_post: f64,
    /// The median of all differences, second less first.
    pub shift: f64,
    /// Its interval at 95 %.
    pub shift_interval: (f64, f64),
    /// −1 to 1: pairs in which the second is greater, less those in which it is not, over all pairs.
    pub rank_biserial: f64,
    /// 0 to 1: how often the second is the greater of a pair, equal ones by half.
    pub common_language_effect: f64,
    /// Whether there were equal values to correct for.
    pub ties_corrected: bool,
    /// Whether the distribution of U was the exact one.
    pub exact: bool,
}

/// Compares two samples; `None` where one is empty, or all values are equal: nothing can be said then.
#[must_use]
pub fn mann_whitney(pre: &[f64], post: &[f64]) -> Option<MannWhitney> {
    let ranks = Ranks::new(pre, post)?;
    let (n_pre, n_post) = (as_number(pre.len()), as_number(post.len()));
    let pairs = n_pre * n_post;
    let u = ranks.of_post - n_post * (n_post + 1.0) / 2.0;
    let (mean, deviation) = (pairs / 2.0, ranks.deviation);
    let off = u - mean;
    let z = off.signum() * (off.abs() - 0.5).max(0.0) / deviation;
    let exact = !ranks.has_ties && pre.len() <= MOST_EXACT && post.len() <= MOST_EXACT;
    let standard = Normal::standard();
    let (p_value, cut) = if exact {
        let tails = ExactTails::new(pre.len(), post.len());
        (tails.two_sided(u), tails.cut())
    } else {
        let p_value = 2.0 * standard.sf((off.abs() - 0.5) / deviation);
        let cut = mean + 0.5 + standard.inverse_cdf(TAIL) * deviation;
        (p_value.min(1.0), whole(cut))
    };
    let differences = differences(pre, post);
    let at = |place: usize| differences.get(place).copied();
    let low = cut.max(1).min(differences.len()) - 1;
    let share = u / pairs;
    Some(MannWhitney {
        u_statistic: u,
        z_score: z,
        p_value,
        median_pre: median(&ordered(pre))?,
        median_post: median(&ordered(post))?,
        shift: median(&differences)?,
        shift_interval: (at(low)?, at(differences.len() - 1 - low)?),
        rank_biserial: 2.0 * share - 1.0,
        common_language_effect: share,
        ties_corrected: ranks.has_ties,
        exact,
    })
}

/// All differences, second less first, in order.
fn differences(pre: &[f64], post: &[f64]) -> Vec<f64> {
    let all = post.iter().flat_map(|post| pre.iter().map(move |pre| post - pre));
    ordered(&all.collect::<Vec<_>>())
}

/// The whole number below, 0 at least.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "no more than there are pairs, and not negative"
)]
fn whole(number: f64) -> usize {
    number.floor().max(0.0) as usize
}

/// The figures of the ranks of both samples, put together.
struct Ranks {
    /// The sum of those of the second.
    of_post: f64,
    /// The deviation of U, ties considered; more than 0.
    deviation: f64,
    has_ties: bool,
}

impl Ranks {
    fn new(pre: &[f64], post: &[f64]) -> Option<Self> {
        if pre.is_empty() || post.is_empty() {
            return None;
        }
        let mut all: Vec<(f64, bool)> = pre.iter().map(|value| (*value, false)).collect();
        all.extend(post.iter().map(|value| (*value, true)));
        all.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let (mut before, mut of_post, mut ties) = (0.0, 0.0, 0.0);
        for equal in all.chunk_by(|a, b| a.0 == b.0) {
            let count = as_number(equal.len());
            let rank = before + (count + 1.0) / 2.0;
            of_post += rank * as_number(equal.iter().filter(|(_, is_post)| *is_post).count());
            ties += count * count * count - count;
            before += count;
        }
        let pairs = as_number(pre.len()) * as_number(post.len());
        let variance = pairs / 12.0 * (before + 1.0 - ties / (before * (before - 1.0)));
        (variance > 0.0).then(|| Self {
            of_post,
            deviation: variance.sqrt(),
            has_ties: ties > 0.0,
        })
    }
}

/// The exact distribution of U without ties.
struct ExactTails {
    /// How likely U is at most 0, 1, 2 and so on.
    up_to: Vec<f64>,
}

impl ExactTails {
    /// Counts, for each U, the ways to choose which of all values are the second sample's (Mann and Whitney 1947): with one
    /// value more in the second sample, the way goes over as many of the first as lie below it. Numbers stay exact below 2⁵³:
    /// there are 1.4 × 10¹¹ ways at most.
    fn new(first: usize, second: usize) -> Self {
        let pairs = first * second;
        // ways[k][u]: k values of the second sample so far, with u pairs.
        let mut ways = vec![vec![0.0; pairs + 1]; second + 1];
        ways[0][0] = 1.0;
        for below in 0..=first {
            // From the most values down, each value of the second sample may repeat its place: as many times as it likes.
            for taken in 1..=second {
                for u in below..=pairs {
                    let more = ways[taken - 1][u - below];
                    ways[taken][u] += more;
                }
            }
        }
        let all: f64 = ways[second].iter().sum();
        let mut sum = 0.0;
        let up_to = ways[second]
            .iter()
            .map(|ways| {
                sum += ways;
                sum / all
            })
            .collect();
        Self { up_to }
    }

    fn at_most(&self, u: usize) -> f64 {
        self.up_to.get(u).copied().unwrap_or(1.0)
    }

    /// How likely a U is that is no nearer to its mean: twice the smaller tail.
    fn two_sided(&self, u: f64) -> f64 {
        let u = whole(u);
        let most = self.up_to.len() - 1;
        let tail = self.at_most(u.min(most - u));
        (2.0 * tail).min(1.0)
    }

    /// The place, from 1, of the difference at which the interval begins.
    fn cut(&self) -> usize {
        self.up_to.iter().take_while(|share| **share < TAIL).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples of 3 and 2 values can be ordered in 10 ways, U from 0 to 6: 1, 1, 2, 2, 2, 1, 1 (Mann and Whitney 1947, table I).
    #[test]
    fn the_exact_distribution_is_that_of_the_table() {
        let tails = ExactTails::new(3, 2);
        let expected = [0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0];
        for (found, expected) in tails.up_to.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{:?}", tails.up_to);
        }
    }

    #[test]
    fn nothing_is_said_of_nothing_and_of_values_that_are_all_equal() {
        assert_eq!(mann_whitney(&[], &[1.0]), None);
        assert_eq!(mann_whitney(&[1.0], &[]), None);
        assert_eq!(mann_whitney(&[2.0; 14], &[2.0; 7]), None);
    }

    #[test]
    fn the_other_way_round_is_the_opposite() {
        let (a, b) = ([3.0, 1.0, 4.0, 1.5, 9.0], [2.0, 6.0, 5.0, 3.5]);
        let (there, back) = (mann_whitney(&a, &b).unwrap(), mann_whitney(&b, &a).unwrap());
        assert_eq!(there.p_value, back.p_value);
        assert_eq!(there.shift, -back.shift);
        assert_eq!(there.rank_biserial, -back.rank_biserial);
        assert_eq!(there.shift_interval.0, -back.shift_interval.1);
    }
}
