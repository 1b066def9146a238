//! Difference-in-differences on a panel of URLs and days, with errors that are robust to clusters.
//!
//! As `statsmodels`' `ols("y ~ treated * post").fit(cov_type="cluster", use_t=True)`. The model has a mean for each of its four
//! cells, so its estimate is a difference of means, and its sandwich estimator a sum over clusters of weighted residuals; no
//! system of equations is left to solve. The small-sample correction is G/(G − 1) × (N − 1)/(N − 4), the degrees of freedom are
//! G − 1 (Cameron and Miller 2015).

use std::collections::BTreeMap;

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::{TAIL, as_number};

/// How many coefficients the model has: that of the estimate, and that of the trends.
const COEFFICIENTS: f64 = 4.0;

/// A value of the panel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observation {
    /// Whether it is of the variant.
    pub is_variant: bool,
    /// Whether it is of the time after the change.
    pub is_post: bool,
    /// The day, in the order of days.
    pub day: i32,
    /// The cluster: whatever is of one cluster may go together.
    pub cluster: u32,
    /// The value.
    pub value: f64,
}

/// The difference that the panel shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// By how much more the variant changed than the control.
    pub estimate: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// The estimate over its error.
    pub t_statistic: f64,
    /// Clusters less one.
    pub degrees_of_freedom: u32,
    /// How likely an estimate is that lies no nearer to 0, if nothing changed.
    pub p_value: f64,
    /// Its interval at 95 %.
    pub interval: (f64, f64),
    /// By how much the variant changed.
    pub variant_change: f64,
    /// By how much the control changed.
    pub control_change: f64,
    /// How likely slopes before the change are that differ no less, if both sides went alike; `None` where that can't be told.
    pub parallel_trends_p_value: Option<f64>,
    /// How many values there were.
    pub observations: usize,
}

/// Works the panel out; `None` where a cell of the four is empty, there are fewer than two clusters, or no value differs from
/// the mean of its cell.
#[must_use]
pub fn difference_in_differences(panel: &[Observation]) -> Option<Difference> {
    let mut cells = [Moments::default(); 4];
    for observation in panel {
        cells[cell(observation)].add(0.0, observation.value);
    }
    let means = cells.map(|cell| cell.mean_value());
    let [control_pre, control_post, variant_pre, variant_post] = means;
    let (control_change, variant_change) = (control_post? - control_pre?, variant_post? - variant_pre?);
    let estimate = variant_change - control_change;
    let influences = panel.iter().map(|observation| {
        let at = cell(observation);
        let residual = observation.value - means[at].unwrap_or_default();
        let sign = if observation.is_variant == observation.is_post {
            1.0
        } else {
            -1.0
        };
        (observation.cluster, sign * residual / cells[at].count)
    });
    let Test {
        standard_error,
        t_statistic,
        degrees_of_freedom,
        p_value,
    } = Test::of(estimate, influences)?;
    let reach = -student(degrees_of_freedom)?.inverse_cdf(TAIL) * standard_error;
    Some(Difference {
        estimate,
        standard_error,
        t_statistic,
        degrees_of_freedom,
        p_value,
        interval: (estimate - reach, estimate + reach),
        variant_change,
        control_change,
        parallel_trends_p_value: parallel_trends(panel),
        observations: panel.len(),
    })
}

/// Control before and after, variant before and after.
fn cell(observation: &Observation) -> usize {
    2 * usize::from(observation.is_variant) + usize::from(observation.is_post)
}

/// The test whether both sides had one slope before the change: `y ~ treated * day` on the days before it.
fn parallel_trends(panel: &[Observation]) -> Option<f64> {
    let before: Vec<&Observation> = panel.iter().filter(|observation| !observation.is_post).collect();
    let mut sides = [Moments::default(); 2];
    for observation in &before {
        sides[usize::from(observation.is_variant)].add(f64::from(observation.day), observation.value);
    }
    let lines = [sides[0].line()?, sides[1].line()?];
    let slopes = lines[1].slope - lines[0].slope;
    let influences = before.iter().map(|observation| {
        let Line {
            slope,
            mean_day,
            mean_value,
            spread,
        } = lines[usize::from(observation.is_variant)];
        let day = f64::from(observation.day) - mean_day;
        let residual = observation.value - mean_value - slope * day;
        let sign = if observation.is_variant { 1.0 } else { -1.0 };
        (observation.cluster, sign * day * residual / spread)
    });
    Test::of(slopes, influences).map(|test| test.p_value)
}

/// Whether a coefficient is 0.
struct Test {
    standard_error: f64,
    t_statistic: f64,
    degrees_of_freedom: u32,
    p_value: f64,
}

impl Test {
    /// `influences`: the cluster of each value, and by how much the value moves the coefficient off.
    fn of(coefficient: f64, influences: impl Iterator<Item = (u32, f64)>) -> Option<Self> {
        let mut clusters: BTreeMap<u32, f64> = BTreeMap::new();
        let mut values = 0.0;
        for (cluster, influence) in influences {
            *clusters.entry(cluster).or_default() += influence;
            values += 1.0;
        }
        let count = as_number(clusters.len());
        let degrees_of_freedom = u32::try_from(clusters.len()).ok()?.checked_sub(1)?;
        if degrees_of_freedom == 0 || values <= COEFFICIENTS {
            return None;
        }
        let meat: f64 = clusters.values().map(|influence| influence * influence).sum();
        let correction = count / (count - 1.0) * (values - 1.0) / (values - COEFFICIENTS);
        let standard_error = (correction * meat).sqrt();
        if standard_error <= 0.0 {
            return None;
        }
        let t_statistic = coefficient / standard_error;
        Some(Self {
            standard_error,
            t_statistic,
            degrees_of_freedom,
            p_value: 2.0 * student(degrees_of_freedom)?.sf(t_statistic.abs()),
        })
    }
}

fn student(degrees_of_freedom: u32) -> Option<StudentsT> {
    StudentsT::new(0.0, 1.0, degrees_of_freedom.into()).ok()
}

/// Sums over days and values.
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    count: f64,
    days: f64,
    values: f64,
    squared_days: f64,
    products: f64,
}

/// A line through values by day.
#[derive(Clone, Copy)]
struct Line {
    slope: f64,
    mean_day: f64,
    mean_value: f64,
    /// The sum of squares of days about their mean.
    spread: f64,
}

impl Moments {
    fn add(&mut self, day: f64, value: f64) {
        self.count += 1.0;
        self.days += day;
        self.values += value;
        self.squared_days += day * day;
        self.products += day * value;
    }

    fn mean_value(&self) -> Option<f64> {
        (self.count > 0.0).then(|| self.values / self.count)
    }

    /// `None` where all values are of one day.
    fn line(&self) -> Option<Line> {
        let (mean_day, mean_value) = (self.days / self.count, self.mean_value()?);
        let spread = self.squared_days - self.days * mean_day;
        (spread > 0.0).then(|| Line {
            slope: (self.products - self.days * mean_value) / spread,
            mean_day,
            mean_value,
            spread,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(is_variant: bool, is_post: bool, day: i32, value: f64) -> Observation {
        Observation {
            is_variant,
            is_post,
            day,
            cluster: day.unsigned_abs(),
            value,
        }
    }

    /// By hand: the control goes from a mean of 10 to 12, the variant from 20 to 27: 5 more.
    #[test]
    fn the_estimate_is_what_the_variant_changed_beyond_the_control() {
        let panel = [
            seen(false, false, 0, 9.0),
            seen(false, false, 1, 11.0),
            seen(false, true, 2, 11.0),
            seen(false, true, 3, 13.0),
            seen(true, false, 0, 19.0),
            seen(true, false, 1, 21.0),
            seen(true, true, 2, 26.0),
            seen(true, true, 3, 28.0),
        ];
        // Both sides lie off by as much on each day, so that nothing is left to err by.
        assert_eq!(difference_in_differences(&panel), None);
        let mut panel = panel;
        panel[7].value = 30.0;
        let found = difference_in_differences(&panel).unwrap();
        assert_eq!((found.estimate, found.degrees_of_freedom), (6.0, 3));
        assert_eq!((found.variant_change, found.control_change), (8.0, 2.0));
    }

    #[test]
    fn nothing_is_said_where_a_cell_is_empty_or_all_is_one_cluster() {
        assert_eq!(difference_in_differences(&[]), None);
        let one_side = [seen(true, false, 0, 1.0), seen(true, true, 1, 2.0)];
        assert_eq!(difference_in_differences(&one_side), None);
    }
}
