//! The usual: centre and spread of values of the past, which no outlier moves.

/// The fewest values of the past that tell what is usual.
const FEWEST: usize = 4;
/// By which the median absolute deviation of normally distributed values is their standard deviation: 1 / Φ⁻¹(3/4).
const NORMAL: f64 = 1.482_602_218_505_602;
/// Where the past never differs, this share of the centre counts as its spread.
const LEAST_SHARE: f64 = 0.01;

/// Centre and spread of the values of the past.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Baseline {
    /// Their median.
    pub centre: f64,
    /// Their median absolute deviation, scaled to that of a normal distribution.
    pub spread: f64,
}

impl Baseline {
    /// The baseline of values, in whatever order; `None` where they are too few. Where they never differ, their spread is
    /// 1 % of the centre, a `step` at least.
    #[must_use]
    pub fn of(values: &[f64], step: f64) -> Option<Self> {
        if values.len() < FEWEST {
            return None;
        }
        let centre = median(values.to_vec())?;
        let deviations = values.iter().map(|value| (value - centre).abs()).collect();
        let spread = NORMAL * median(deviations)?;
        let spread = if spread > 0.0 {
            spread
        } else {
            (centre.abs() * LEAST_SHARE).max(step)
        };
        Some(Self { centre, spread })
    }

    /// The lowest and the highest value within so many deviations.
    #[must_use]
    pub fn band(self, deviations: f64) -> (f64, f64) {
        let reach = deviations * self.spread;
        (self.centre - reach, self.centre + reach)
    }
}

/// The median: of an even number of values the mean of the two in the middle.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    let upper = *values.get(middle)?;
    if values.len() % 2 == 1 {
        return Some(upper);
    }
    let lower = *values.get(middle.checked_sub(1)?)?;
    Some(lower + (upper - lower) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_outlier_moves_neither_centre_nor_spread_far() {
        let calm = Baseline::of(&[10.0, 11.0, 9.0, 10.0, 12.0, 8.0, 10.0], 1.0).unwrap();
        let with_outlier = Baseline::of(&[10.0, 11.0, 9.0, 10.0, 12.0, 8.0, 1e6], 1.0).unwrap();
        assert_eq!((calm.centre, with_outlier.centre), (10.0, 10.0));
        assert_eq!((calm.spread, with_outlier.spread), (NORMAL, NORMAL));
    }

    #[derive(serde::Deserialize)]
    struct Known {
        name: String,
        values: Vec<f64>,
        centre: f64,
        spread: f64,
    }

    /// `testdata/baselines.py` wrote the series, with what `numpy.median` and `scipy.stats.median_abs_deviation` say of them.
    #[test]
    fn centre_and_spread_are_those_of_scipy() {
        let series: Vec<Known> = serde_json::from_str(include_str!("../../testdata/baselines.json")).unwrap();
        assert!(series.len() > 20);
        for known in series {
            let baseline = Baseline::of(&known.values, 0.0).unwrap();
            // Where half of the values are the same, theirs is 0, and ours the share of the centre.
            let spread = if known.spread > 0.0 {
                known.spread
            } else {
                known.centre / 100.0
            };
            for (ours, theirs) in [(baseline.centre, known.centre), (baseline.spread, spread)] {
                let error = (ours - theirs).abs() / theirs.abs().max(f64::MIN_POSITIVE);
                assert!(
                    error < 1e-12,
                    "{}: {ours} is not {theirs} of {:?}",
                    known.name,
                    known.values
                );
            }
        }
    }

    #[test]
    fn three_values_tell_nothing() {
        assert_eq!(Baseline::of(&[1.0, 2.0, 3.0], 1.0), None);
        assert!(Baseline::of(&[1.0, 2.0, 3.0, 4.0], 1.0).is_some());
    }

    #[test]
    fn a_past_without_differences_has_the_spread_of_a_percent_or_a_step() {
        assert_eq!(Baseline::of(&[500.0; 8], 1.0).unwrap().spread, 5.0);
        assert_eq!(Baseline::of(&[100.0; 8], 2.0).unwrap().spread, 2.0);
        assert_eq!(Baseline::of(&[0.0; 4], 1.0).unwrap().band(3.0), (-3.0, 3.0));
    }
}
