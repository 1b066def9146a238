//! What came of a figure.

use super::{compare::Series, figure::Figure};
use crate::{
    load::Sample,
    statistics::{middle_and_range, rounded},
};

/// A figure that was measured.
pub(super) struct Finding {
    pub(super) figure: Figure,
    pub(super) series: Vec<Series>,
    /// How long a commit alone took, where the figure has any.
    pub(super) commit_ms: Option<f64>,
}

impl Finding {
    /// The ratio of the medians, and the range of the rounds' ratios. To two digits, as the targets are.
    pub(super) fn ratio(&self) -> (f64, f64, f64) {
        let compare = |rates: &[f64]| match self.figure {
            Figure::RouteDepth => {
                let slowest = rates.iter().copied().fold(f64::INFINITY, f64::min);
                slowest / rates.iter().copied().fold(0.0, f64::max)
            }
            _ => rates[1] / rates[0],
        };
        let medians: Vec<f64> = self.series.iter().map(median).collect();
        let rounds = self
            .series
            .iter()
            .map(|series| series.samples.len())
            .min()
            .unwrap_or(0);
        let mut ratios: Vec<f64> = (0..rounds)
            .map(|round| {
                let rates: Vec<f64> = self
                    .series
                    .iter()
                    .map(|series| series.samples[round].rate)
                    .collect();
                compare(&rates)
            })
            .collect();
        let (_, low, high) = middle_and_range(&mut ratios);
        (rounded(compare(&medians)), low, high)
    }

    /// The worst that strangers did to a sample, in cores.
    pub(super) fn others(&self) -> f64 {
        let samples = self.series.iter().flat_map(|series| &series.samples);
        samples.map(|sample| sample.others).fold(0.0, f64::max)
    }
}

pub(super) fn median(series: &Series) -> f64 {
    spread(series, |sample| sample.rate).0
}

/// Median, lowest and highest.
pub(super) fn spread(series: &Series, of: impl Fn(&Sample) -> f64) -> (f64, f64, f64) {
    let mut values: Vec<f64> = series.samples.iter().map(of).collect();
    middle_and_range(&mut values)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::pipeline) fn finding(figure: Figure, rates: &[&[f64]]) -> Finding {
        let sample = |rate: &f64| Sample {
            rate: *rate,
            p50_ms: 1.0,
            p99_ms: 2.0,
            answered: 1,
            others: 0.1,
        };
        let series = rates.iter().map(|rates| Series {
            label: "side",
            samples: rates.iter().map(sample).collect(),
        });
        Finding {
            figure,
            series: series.collect(),
            commit_ms: None,
        }
    }

    #[test]
    fn the_ratio_is_that_of_the_medians_and_its_range_that_of_the_rounds() {
        let found = finding(Figure::CacheHit, &[&[100.0, 200.0, 90.0], &[60.0, 80.0, 63.0]]);
        assert_eq!(found.ratio(), (0.63, 0.4, 0.7));
    }

    #[test]
    fn of_routes_the_slowest_is_compared_with_the_fastest() {
        let found = finding(Figure::RouteDepth, &[&[100.0], &[104.0], &[98.0]]);
        assert_eq!(found.ratio().0, 0.94);
    }
}
