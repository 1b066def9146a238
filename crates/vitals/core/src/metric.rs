//! The five metrics, their bands, and the buckets that their values are counted in.

use pharos_domain::wire_enum;
use serde::Serialize;

wire_enum! {
    /// A metric of web vitals.
    Metric as "RumMetric" {
        /// Largest contentful paint, in milliseconds.
        Lcp = "lcp",
        /// Interaction to next paint, in milliseconds.
        Inp = "inp",
        /// Cumulative layout shift.
        Cls = "cls",
        /// First contentful paint, in milliseconds.
        Fcp = "fcp",
        /// Time to first byte, in milliseconds.
        Ttfb = "ttfb",
    }
}

/// The bounds of a metric's bands: good up to the first, poor above the second. A bound itself is of the better band.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bands {
    /// The highest value that is good.
    pub good: f64,
    /// The highest value that is not poor.
    pub poor: f64,
}

impl Metric {
    /// The bands of the `web-vitals` library, which are those of CrUX.
    #[must_use]
    pub const fn bands(self) -> Bands {
        let (good, poor) = match self {
            Self::Lcp => (2_500.0, 4_000.0),
            Self::Inp => (200.0, 500.0),
            Self::Cls => (0.1, 0.25),
            Self::Fcp => (1_800.0, 3_000.0),
            Self::Ttfb => (800.0, 1_800.0),
        };
        Bands { good, poor }
    }

    /// The band of a value. A bound itself is of the better band.
    #[must_use]
    pub fn rating(self, value: f64) -> Rating {
        let Bands { good, poor } = self.bands();
        if value <= good {
            Rating::Good
        } else if value <= poor {
            Rating::NeedsImprovement
        } else {
            Rating::Poor
        }
    }

    /// The value as answers show it: CLS with four decimals, times with one.
    #[must_use]
    pub fn rounded(self, value: f64) -> f64 {
        let parts = self.parts();
        (value * parts).round() / parts
    }

    /// The value of the band that is nearest to an estimate, as answers show it.
    #[must_use]
    pub fn within(self, band: Rating, estimate: f64) -> f64 {
        let (Bands { good, poor }, step) = (self.bands(), 1.0 / self.parts());
        self.rounded(match band {
            Rating::Good => estimate.min(good),
            Rating::NeedsImprovement => estimate.clamp(good + step, poor),
            Rating::Poor => estimate.max(poor + step),
        })
    }

    /// How many steps of what answers show make up a unit.
    const fn parts(self) -> f64 {
        match self {
            Self::Cls => 10_000.0,
            Self::Lcp | Self::Inp | Self::Fcp | Self::Ttfb => 10.0,
        }
    }
}

/// By how much a bucket's edge lies above the one before.
///
/// A bucket holds the values from its edge to the next, and stands for the one in the middle of them, relatively. That is less
/// than 1 % from each of them: √1.0199 = 1.0099.
pub const BUCKET_GROWTH: f64 = 1.0199;
/// The bucket of values that are smaller than any edge, such as a CLS of 0.
pub const BUCKET_OF_NOTHING: i16 = i16::MIN;
/// Values below this are of [`BUCKET_OF_NOTHING`], in the metric's unit: a microsecond, or a hundred-thousandth of a CLS.
pub const LEAST: f64 = 0.000_01;

/// The value that a bucket stands for.
#[must_use]
pub fn value_of(bucket: i16) -> f64 {
    if bucket == BUCKET_OF_NOTHING {
        0.0
    } else {
        BUCKET_GROWTH.powf(f64::from(bucket) + 0.5)
    }
}

/// Where a percentile of counted values lies: between two of their buckets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Between {
    /// The bucket of the value at the rank below.
    pub low: i16,
    /// The bucket of the value at the rank above.
    pub high: i16,
    /// How far on the way from the one rank to the other, from 0 to 1.
    pub beyond: f64,
}

impl Between {
    /// The percentile, by linear interpolation, within 1 % of that of the values themselves.
    #[must_use]
    pub fn value(self) -> f64 {
        let (low, high) = (value_of(self.low), value_of(self.high));
        low + self.beyond * (high - low)
    }
}

wire_enum! {
    /// The band of a value.
    Rating as "RumRating" {
        /// Good.
        Good = "good",
        /// Between good and poor.
        NeedsImprovement = "needs_improvement",
        /// Poor.
        Poor = "poor",
    }
}

/// How many values lie in each band.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rated {
    /// Good ones.
    pub good: u64,
    /// Those between.
    pub needs_improvement: u64,
    /// Poor ones.
    pub poor: u64,
}

impl Rated {
    /// Those of all metrics, in their order, each of which has three counts. `None`: there are more counts than that, or fewer.
    #[must_use]
    pub fn of_all(counts: &[u64]) -> Option<[Self; 5]> {
        let of = |metric: usize| Self {
            good: counts[3 * metric],
            needs_improvement: counts[3 * metric + 1],
            poor: counts[3 * metric + 2],
        };
        (counts.len() == 15).then(|| std::array::from_fn(of))
    }

    /// A percentile that is an estimate, moved into the band in which it lies by these counts, as far as they tell.
    #[must_use]
    pub fn settled(self, metric: Metric, percent: u8, estimate: f64) -> f64 {
        self.band(percent)
            .map_or(estimate, |band| metric.within(band, estimate))
    }

    /// How many there are in all.
    #[must_use]
    pub const fn all(self) -> u64 {
        self.good + self.needs_improvement + self.poor
    }

    /// The band in which a percentile of the values lies. `None`: there are none, or it lies between the last of one band and
    /// the first of the next, so that counts do not tell.
    #[must_use]
    pub fn band(self, percent: u8) -> Option<Rating> {
        let rank = self.all().checked_sub(1)? * u64::from(percent);
        let of = |place: u64| {
            if place < self.good {
                Rating::Good
            } else if place < self.good + self.needs_improvement {
                Rating::NeedsImprovement
            } else {
                Rating::Poor
            }
        };
        let (below, above) = (of(rank / 100), of(rank.div_ceil(100)));
        (below == above).then_some(below)
    }

    /// Their shares.
    #[must_use]
    pub fn split(self) -> RatingSplit {
        let pct = |count| share_pct(count, self.all());
        RatingSplit {
            good_pct: pct(self.good),
            needs_improvement_pct: pct(self.needs_improvement),
            poor_pct: pct(self.poor),
            sample_count: self.all(),
        }
    }
}

/// Which share of the values lies in which band.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = RumRatingSplit))]
pub struct RatingSplit {
    /// Good ones, in percent; null without any value.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub good_pct: Option<f64>,
    /// Those between, in percent; null without any value.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub needs_improvement_pct: Option<f64>,
    /// Poor ones, in percent; null without any value.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub poor_pct: Option<f64>,
    /// How many values there are.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub sample_count: u64,
}

/// The share of `part` in `all`, in percent with two decimals; `None` where there is nothing.
#[must_use]
pub fn share_pct(part: u64, all: u64) -> Option<f64> {
    (all > 0).then(|| (part as f64 / all as f64 * 10_000.0).round() / 100.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The bucket of a value, as SQL works it out.
    fn bucket_of(value: f64) -> i16 {
        if value < LEAST {
            return BUCKET_OF_NOTHING;
        }
        let bucket = (value.ln() / BUCKET_GROWTH.ln()).floor();
        #[expect(
            clippy::cast_possible_truncation,
            reason = "logarithms of doubles are below a million, and clamped"
        )]
        let bucket = bucket.clamp(-32_000.0, 32_000.0) as i16;
        bucket
    }

    #[test]
    fn nothing_is_a_value_of_its_own() {
        assert_eq!(
            (bucket_of(0.0), value_of(bucket_of(0.0))),
            (BUCKET_OF_NOTHING, 0.0)
        );
    }

    /// Worked out by hand: half-way between two buckets, by what they stand for.
    #[test]
    fn a_percentile_lies_between_two_buckets() {
        let between = Between {
            low: bucket_of(100.0),
            high: bucket_of(200.0),
            beyond: 0.5,
        };
        assert!(
            (between.value() / 150.0 - 1.0).abs() < 0.01,
            "{}",
            between.value()
        );
        let nothing = Between {
            low: BUCKET_OF_NOTHING,
            high: BUCKET_OF_NOTHING,
            beyond: 0.3,
        };
        assert_eq!(nothing.value(), 0.0);
    }

    /// Worked out by hand: 1 of 3 and 2 of 3, in percent.
    #[test]
    fn shares_have_two_decimals_and_need_values() {
        let rated = Rated {
            good: 1,
            needs_improvement: 0,
            poor: 2,
        };
        let split = rated.split();
        assert_eq!(
            (split.good_pct, split.poor_pct, split.sample_count),
            (Some(33.33), Some(66.67), 3)
        );
        assert_eq!(Rated::default().split().good_pct, None);
    }

    /// Worked out by hand: of five values the 75th percentile is the fourth, of four it lies a quarter beyond the third.
    #[test]
    fn counts_tell_the_band_of_a_percentile_unless_it_lies_between_two() {
        let band = |good, needs_improvement, poor| {
            let rated = Rated {
                good,
                needs_improvement,
                poor,
            };
            rated.band(75)
        };
        assert_eq!(band(4, 1, 0), Some(Rating::Good));
        assert_eq!(band(3, 1, 1), Some(Rating::NeedsImprovement));
        assert_eq!(band(3, 0, 2), Some(Rating::Poor));
        assert_eq!(band(4, 0, 0), Some(Rating::Good));
        assert_eq!(band(3, 1, 0), None);
        assert_eq!(band(0, 3, 1), None);
        assert_eq!(band(0, 0, 0), None);
    }

    #[test]
    fn an_estimate_is_moved_into_its_band_and_no_further() {
        for (metric, band, estimate, shown) in [
            (Metric::Inp, Rating::Good, 201.3, 200.0),
            (Metric::Inp, Rating::Good, 180.0, 180.0),
            (Metric::Inp, Rating::NeedsImprovement, 199.5, 200.1),
            (Metric::Inp, Rating::NeedsImprovement, 503.0, 500.0),
            (Metric::Cls, Rating::NeedsImprovement, 0.0997, 0.1001),
            (Metric::Cls, Rating::Poor, 0.2491, 0.2501),
        ] {
            let found = metric.within(band, estimate);
            assert_eq!((found, metric.rating(found)), (shown, band), "{metric:?}");
        }
    }

    #[test]
    fn an_estimate_lies_in_the_band_that_counts_tell() {
        let good = Rated {
            good: 20,
            ..Rated::default()
        };
        assert_eq!(good.settled(Metric::Lcp, 75, 2_521.4), 2_500.0);
        let open = Rated {
            good: 3,
            needs_improvement: 1,
            poor: 0,
        };
        assert_eq!(open.settled(Metric::Lcp, 75, 2_521.4), 2_521.4);
        let of_all = Rated::of_all(&[1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9]).unwrap();
        assert_eq!((of_all[0].all(), of_all[4].poor), (6, 9));
        assert_eq!(Rated::of_all(&[0; 14]), None);
    }

    proptest! {
        #[test]
        fn a_bucket_stands_for_its_values_within_a_percent(value in LEAST..600_000.0_f64) {
            let stands_for = value_of(bucket_of(value));
            prop_assert!((stands_for / value - 1.0).abs() < 0.01, "{} {}", value, stands_for);
        }
    }
}
