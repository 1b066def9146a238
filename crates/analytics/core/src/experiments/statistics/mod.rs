//! The statistics of experiments: pure functions from numbers to figures.
//!
//! Distributions come from `statrs`, random numbers from `rand` and `rand_distr`. The tests themselves are written by hand: no
//! maintained crate has Mann-Whitney with exact small samples and the interval of the shift, cluster-robust errors of
//! difference-in-differences, or a Gibbs sampler of structural time series. `tests/experiments.rs` holds them against `scipy`,
//! `statsmodels` and `tfp-causalimpact`.

pub mod bsts;
pub mod difference;
pub mod mann_whitney;

/// The level of all intervals.
pub const CI_LEVEL: f64 = 0.95;
/// The share that an interval leaves out at either end.
const TAIL: f64 = (1.0 - CI_LEVEL) / 2.0;

/// The mean; `None` of none.
#[must_use]
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / as_number(values.len()))
}

/// The median of values in order; `None` of none.
#[must_use]
fn median(ordered: &[f64]) -> Option<f64> {
    let (middle, is_odd) = (ordered.len() / 2, ordered.len() % 2 == 1);
    let upper = *ordered.get(middle)?;
    if is_odd {
        return Some(upper);
    }
    let lower = *ordered.get(middle.checked_sub(1)?)?;
    Some(f64::midpoint(lower, upper))
}

/// The values in order.
fn ordered(values: &[f64]) -> Vec<f64> {
    let mut values = values.to_vec();
    values.sort_unstable_by(f64::total_cmp);
    values
}

#[expect(
    clippy::cast_precision_loss,
    reason = "samples are days, and far fewer than 2⁵³"
)]
const fn as_number(count: usize) -> f64 {
    count as f64
}
