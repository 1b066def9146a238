//! The load in the middle of several.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::figure::{Figures, median};

/// The two figures that a load is placed by: the earliest and the latest moment of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// First Contentful Paint, in milliseconds.
    pub fcp: f64,
    /// Time to Interactive, in milliseconds.
    pub tti: f64,
}

impl Moments {
    /// Those of a load; `None` where one of them was not measured. Zero counts as not measured, as it does at Lighthouse.
    #[must_use]
    pub fn of(figures: &Figures) -> Option<Self> {
        let measured = |name| {
            figures
                .get(name)
                .copied()
                .filter(|value| value.is_finite() && *value != 0.0)
        };
        Some(Self {
            fcp: measured("fcp_ms")?,
            tti: measured("tti_ms")?,
        })
    }
}

/// Which of some loads is the one in the middle, as `computeMedianRun` of Lighthouse has it: the nearest, by Euclid's distance,
/// to the medians of FCP and TTI; of equally near ones the one with the least TTI, and of those the first.
#[must_use]
pub fn middle(loads: &[Moments]) -> Option<usize> {
    let fcp = median(loads.iter().map(|load| load.fcp).collect())?;
    let tti = median(loads.iter().map(|load| load.tti).collect())?;
    let distance = |load: &Moments| (fcp - load.fcp).powi(2) + (tti - load.tti).powi(2);
    loads
        .iter()
        .enumerate()
        .min_by(|(_, one), (_, other)| {
            distance(one)
                .total_cmp(&distance(other))
                .then(one.tti.total_cmp(&other.tti))
        })
        .map(|(at, _)| at)
}

/// How far the figures of several loads lie apart.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// The least of the loads' values.
    pub min: f64,
    /// The greatest of the loads' values.
    pub max: f64,
    /// The standard deviation of the loads (of all of them: it is divided by their number).
    pub stddev: f64,
}

/// The spread of each figure that all loads have; `None` of fewer than two.
#[must_use]
pub fn variability(loads: &[&Figures]) -> Option<BTreeMap<String, Spread>> {
    let (first, [_, ..]) = loads.split_first()? else {
        return None;
    };
    let spread = |name: &String| {
        let values: Vec<f64> = loads
            .iter()
            .map(|load| load.get(name).copied())
            .collect::<Option<_>>()?;
        let count = f64::from(u32::try_from(values.len()).ok()?);
        let mean = values.iter().sum::<f64>() / count;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
        Some(Spread {
            min: values.iter().copied().fold(f64::INFINITY, f64::min),
            max: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            stddev: variance.sqrt(),
        })
    };
    Some(
        first
            .keys()
            .filter_map(|name| Some((name.clone(), spread(name)?)))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loads(moments: &[(f64, f64)]) -> Vec<Moments> {
        moments.iter().map(|&(fcp, tti)| Moments { fcp, tti }).collect()
    }

    /// Computed by hand from the text of `computeMedianRun`; the tests of the real thing hold it against Lighthouse itself.
    #[test]
    fn the_load_in_the_middle_is_the_one_of_lighthouse() {
        assert_eq!(middle(&[]), None);
        assert_eq!(middle(&loads(&[(1_000.0, 2_000.0)])), Some(0));
        // Medians: 1,000 and 2,000. Distances: 500² + 0, 0 + 1,000², 100² + 100².
        assert_eq!(
            middle(&loads(&[
                (500.0, 2_000.0),
                (1_000.0, 3_000.0),
                (1_100.0, 1_900.0)
            ])),
            Some(2)
        );
        // The medians of two loads lie between them: both are equally far, and the least TTI decides.
        assert_eq!(middle(&loads(&[(1_000.0, 5_000.0), (2_000.0, 4_000.0)])), Some(1));
    }

    /// By hand: of 90, 92 and 100 the mean is 94, the squares 16, 4 and 36, the deviation √(56 ÷ 3).
    #[test]
    fn the_spread_is_that_of_the_loads() {
        let load = |score: f64| Figures::from([("performance_score".to_owned(), score)]);
        let (one, two, three) = (load(90.0), load(92.0), load(100.0));
        assert_eq!(variability(&[&one]), None);
        let found = variability(&[&one, &two, &three]).unwrap()["performance_score"];
        assert_eq!((found.min, found.max), (90.0, 100.0));
        assert!((found.stddev - 4.320_493_798_938_573).abs() < 1e-12, "{found:?}");
        let without = Figures::new();
        assert_eq!(variability(&[&one, &without]), Some(BTreeMap::new()));
    }
}
