//! How likely a result is clicked, by where it stands.

use async_trait::async_trait;
use pharos_domain::{identity::DomainAccess, store::StoreError, window::DateRange, wire_enum};

use super::figures::SearchType;

/// How many positions a curve has.
pub const POSITIONS: usize = 20;

/// From so many impressions on a site has a curve of its own.
pub const OWN_FROM: u64 = 10_000;

/// Averages by position. The first ten are those of SISTRIX, "Why (almost) everything you knew about Google CTR is no longer
/// valid" (July 2020): over 80 million keywords. About the second page the study says only that every position lies well below
/// 1 %; half of that stands here.
const GENERIC: [f64; POSITIONS] = [
    0.285, 0.157, 0.110, 0.080, 0.072, 0.051, 0.040, 0.032, 0.028, 0.025, 0.005, 0.005, 0.005, 0.005, 0.005,
    0.005, 0.005, 0.005, 0.005, 0.005,
];

wire_enum! {
    /// Where a curve comes from.
    CurveSource {
        /// From what searchers did with the site's own results.
        OwnSite = "own_site",
        /// From published averages: the site has fewer than 10,000 impressions.
        Generic = "generic",
    }
}

/// The sums of the queries at one rounded position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// The clicks on all of them.
    pub clicks: u64,
    /// The impressions of all of them.
    pub impressions: u64,
}

/// The click-through rate that is expected by position. It never rises from one position to the next.
#[derive(Clone, Debug, PartialEq)]
pub struct CtrCurve {
    rates: [f64; POSITIONS],
    samples: [Sample; POSITIONS],
    source: CurveSource,
}

impl CtrCurve {
    /// The curve of a site whose queries come to `samples` at positions 1 to 20: impression-weighted, made non-increasing by
    /// pooling adjacent violators. Positions without impressions lie on the line between their neighbours. A site with too few
    /// impressions gets the generic one.
    #[must_use]
    pub fn of(samples: [Sample; POSITIONS]) -> Self {
        let impressions: u64 = samples.iter().map(|sample| sample.impressions).sum();
        let (rates, source) = if impressions >= OWN_FROM {
            (non_increasing(&samples), CurveSource::OwnSite)
        } else {
            (GENERIC, CurveSource::Generic)
        };
        Self {
            rates,
            samples,
            source,
        }
    }

    /// The rate that is expected at a position, 0 to 1: on the line between the whole positions around it, and from 20 on that
    /// of 20.
    #[must_use]
    pub fn expected(&self, position: f64) -> f64 {
        let place = (position - 1.0).clamp(0.0, (POSITIONS - 1) as f64);
        let share = place.fract();
        // 0 to 19: it was clamped.
        let below = (1..POSITIONS).take_while(|whole| *whole as f64 <= place).count();
        let at = |index: usize| self.rates.get(index).copied().unwrap_or(0.0);
        at(below) + (at((below + 1).min(POSITIONS - 1)) - at(below)) * share
    }

    /// Where it comes from.
    #[must_use]
    pub const fn source(&self) -> CurveSource {
        self.source
    }

    /// The whole positions in order, each with its rate and with the impressions that the site has there.
    pub fn points(&self) -> impl Iterator<Item = CurvePoint> {
        (1..)
            .zip(self.rates)
            .zip(self.samples)
            .map(|((position, rate), sample)| CurvePoint {
                position,
                expected_ctr: rate,
                sample_impressions: sample.impressions,
            })
    }
}

/// A whole position of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// The position, 1 to 20.
    pub position: u8,
    /// The rate that is expected there, 0 to 1.
    pub expected_ctr: f64,
    /// The site's own impressions there, whatever curve this is.
    pub sample_impressions: u64,
}

/// Positions in a row that share a rate.
struct Pool {
    clicks: u64,
    impressions: u64,
    positions: usize,
}

impl Pool {
    fn rate(&self) -> f64 {
        self.clicks as f64 / self.impressions as f64
    }
}

/// The rates of the positions that have impressions, made non-increasing; the others lie between.
fn non_increasing(samples: &[Sample; POSITIONS]) -> [f64; POSITIONS] {
    let sampled = || samples.iter().filter(|sample| sample.impressions > 0);
    let mut pools: Vec<Pool> = Vec::with_capacity(POSITIONS);
    for sample in sampled() {
        let mut pool = Pool {
            clicks: sample.clicks,
            impressions: sample.impressions,
            positions: 1,
        };
        while let Some(before) = pools.pop_if(|before| before.rate() < pool.rate()) {
            pool.clicks += before.clicks;
            pool.impressions += before.impressions;
            pool.positions += before.positions;
        }
        pools.push(pool);
    }
    let mut pooled = pools
        .iter()
        .flat_map(|pool| std::iter::repeat_n(pool.rate(), pool.positions));
    // `None` where there are no impressions.
    let known: Vec<Option<f64>> = samples
        .iter()
        .map(|sample| {
            if sample.impressions > 0 {
                pooled.next()
            } else {
                None
            }
        })
        .collect();
    std::array::from_fn(|at| between(&known, at))
}

/// The value at a place, or that of the line between the nearest known ones; at the ends that of the nearest.
fn between(known: &[Option<f64>], at: usize) -> f64 {
    let value = |index: usize| known.get(index).copied().flatten().map(|value| (index, value));
    let before = (0..=at).rev().find_map(value);
    let after = (at..known.len()).find_map(value);
    match (before, after) {
        (Some((from, start)), Some((to, end))) if to > from => {
            start + (end - start) * (at - from) as f64 / (to - from) as f64
        }
        (Some((_, value)), _) | (None, Some((_, value))) => value,
        (None, None) => 0.0,
    }
}

/// Reads what curves are made of.
#[async_trait]
pub trait CurveReads: Send + Sync {
    /// The curve by the queries of a window: each query counts at its average position there, rounded.
    async fn ctr_curve(
        &self,
        domain: &DomainAccess,
        search_type: SearchType,
        window: DateRange,
    ) -> Result<CtrCurve, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(given: &[(usize, u64, u64)]) -> [Sample; POSITIONS] {
        let mut samples = [Sample::default(); POSITIONS];
        for (position, clicks, impressions) in given {
            samples[position - 1] = Sample {
                clicks: *clicks,
                impressions: *impressions,
            };
        }
        samples
    }

    /// By hand: position 2 has 600 of 2,000, more than the 1,000 of 5,000 at 1, so both have 1,600 of 7,000. Position 5 has 160
    /// of 4,000. Between 2 and 5 lie thirds of the way.
    #[test]
    fn violators_are_pooled_by_their_impressions() {
        let curve = CtrCurve::of(samples(&[(1, 1_000, 5_000), (2, 600, 2_000), (5, 160, 4_000)]));
        let pooled = 1_600.0 / 7_000.0;
        assert_eq!(curve.source(), CurveSource::OwnSite);
        let close = |position, rate: f64| {
            let expected = curve.expected(position);
            assert!(
                (expected - rate).abs() < 1e-12,
                "{position}: {expected} is not {rate}"
            );
        };
        close(1.0, pooled);
        close(2.0, pooled);
        close(3.0, pooled + (0.04 - pooled) / 3.0);
        close(4.0, pooled + (0.04 - pooled) * 2.0 / 3.0);
        close(4.5, pooled + (0.04 - pooled) * 2.5 / 3.0);
        close(5.0, 0.04);
        close(20.0, 0.04);
        close(73.2, 0.04);
        let last = curve.points().last().unwrap();
        assert_eq!((last.position, last.sample_impressions), (20, 0));
    }

    /// 1 of 10, 2 of 10, 3 of 10: every later one is more, so all are 6 of 30.
    #[test]
    fn a_pool_that_rises_above_the_one_before_takes_it_in() {
        let many = 1_000;
        let rising = samples(&[
            (1, many, 10 * many),
            (2, 2 * many, 10 * many),
            (3, 3 * many, 10 * many),
        ]);
        let rates: Vec<f64> = CtrCurve::of(rising)
            .points()
            .map(|point| point.expected_ctr)
            .collect();
        assert_eq!(rates, [0.2; POSITIONS]);
    }

    /// Two pools, one of which grows twice. The rates are those of `scipy.optimize.isotonic_regression` (`testdata/analysis.py`).
    #[test]
    fn rates_are_those_of_a_weighted_isotonic_regression() {
        let curve = CtrCurve::of(samples(&[
            (1, 3_000, 10_000),
            (2, 2_000, 8_000),
            (3, 840, 3_000),
            (4, 1_450, 5_000),
            (5, 700, 7_000),
            (6, 240, 2_000),
            (7, 10, 500),
        ]));
        let wanted = [
            0.3,
            0.268_125,
            0.268_125,
            0.268_125,
            0.104_444_444_444_444_45,
            0.104_444_444_444_444_45,
            0.02,
        ];
        for (point, wanted) in curve.points().zip(wanted) {
            assert!((point.expected_ctr - wanted).abs() < 1e-12, "{point:?}: {wanted}");
        }
    }

    #[test]
    fn a_small_site_gets_published_averages() {
        let small = CtrCurve::of(samples(&[(1, 9_999, 9_999)]));
        assert_eq!(small.source(), CurveSource::Generic);
        assert_eq!(small.expected(1.0), 0.285);
        assert_eq!(small.points().next().unwrap().sample_impressions, 9_999);
        assert_eq!(
            CtrCurve::of(samples(&[(1, 0, 10_000)])).source(),
            CurveSource::OwnSite
        );
        assert!(GENERIC.is_sorted_by(|before, after| before >= after));
    }
}
