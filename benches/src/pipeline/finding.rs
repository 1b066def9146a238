//! The result of measuring a figure.

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

/// The ratio that a figure comes to, to two digits, as the targets are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ratio {
    pub(super) value: f64,
    /// Its standard error, as the rounds differ; `None` for a single round.
    pub(super) error: Option<f64>,
}

impl Finding {
    /// The ratio of what the sides served in all rounds together. Its error is that of the jackknife: how much it
    /// moves when any one round is left out (Efron and Stein 1981).
    pub(super) fn ratio(&self) -> Ratio {
        let rounds = self
            .series
            .iter()
            .map(|series| series.samples.len())
            .min()
            .unwrap_or(0);
        let without: Vec<f64> = (0..rounds).map(|left_out| self.compare(Some(left_out))).collect();
        let count = rounds as f64;
        let middle = without.iter().sum::<f64>() / count;
        let squares: f64 = without.iter().map(|ratio| (ratio - middle).powi(2)).sum();
        let error = (squares * (count - 1.0) / count).sqrt();
        Ratio {
            value: rounded(self.compare(None)),
            error: (rounds > 1).then(|| rounded(error)),
        }
    }

    /// The ratio, perhaps without one of the rounds.
    fn compare(&self, left_out: Option<usize>) -> f64 {
        let rates: Vec<f64> = self
            .series
            .iter()
            .map(|series| {
                let samples = series.samples.iter().enumerate();
                mean(
                    samples
                        .filter(|(round, _)| Some(*round) != left_out)
                        .map(|(_, sample)| sample),
                )
            })
            .collect();
        match self.figure {
            Figure::RouteDepth => {
                let slowest = rates.iter().copied().fold(f64::INFINITY, f64::min);
                slowest / rates.iter().copied().fold(0.0, f64::max)
            }
            _ => rates[1] / rates[0],
        }
    }

    /// The worst that strangers did to a sample, in cores.
    pub(super) fn others(&self) -> f64 {
        let samples = self.series.iter().flat_map(|series| &series.samples);
        samples.map(|sample| sample.others).fold(0.0, f64::max)
    }
}

/// The mean of the rates. Rounds last equally long, so it is that of all of them together.
pub(super) fn mean<'a>(samples: impl IntoIterator<Item = &'a Sample>) -> f64 {
    let (sum, count) = samples.into_iter().fold((0.0, 0.0), |(sum, count), sample| {
        (sum + sample.rate, count + 1.0)
    });
    sum / count
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

    /// Computed by hand: 203 of 390; without each of the rounds 143 of 290, 123 of 190 and 140 of 300.
    #[test]
    fn the_ratio_is_that_of_all_rounds_and_its_error_that_of_the_jackknife() {
        let found = finding(Figure::CacheHit, &[&[100.0, 200.0, 90.0], &[60.0, 80.0, 63.0]]);
        let ratio = Ratio {
            value: 0.52,
            error: Some(0.11),
        };
        assert_eq!(found.ratio(), ratio);
        assert_eq!(
            finding(Figure::CacheHit, &[&[100.0], &[60.0]]).ratio().error,
            None
        );
    }

    #[test]
    fn of_routes_the_slowest_is_compared_with_the_fastest() {
        let found = finding(Figure::RouteDepth, &[&[100.0], &[104.0], &[98.0]]);
        assert_eq!(found.ratio().value, 0.94);
    }
}
