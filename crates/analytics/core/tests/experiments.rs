//! The statistics of experiments against `scipy`, `statsmodels` and `tfp-causalimpact`, and on series without an effect.
//!
//! `experiments/references.py` made `experiments/references.json`, which says the versions.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has to fail")]

use std::{
    num::NonZero,
    thread::{available_parallelism, scope},
};

use pharos_analytics::experiments::statistics::{
    bsts::{Sampler, Series},
    difference::{Observation, difference_in_differences},
    mann_whitney::mann_whitney,
};
use rand::{SeedableRng, rngs::StdRng};
use rand_distr::{Distribution, Normal, Poisson};
use serde::Deserialize;
use statrs::distribution::{ContinuousCDF, Normal as Gauss};

/// Where both sides compute the same formula in another order.
const EXACT: f64 = 1e-9;
/// How far the average effect may lie off, in parts of its interval's width: both sides draw samples.
const OF_WIDTH: f64 = 0.1;
/// How far an end of the interval may lie off, likewise: an end moves more by chance than a mean, and the weaker prior of noise
/// has other intervals where days are few.
const END_OF_WIDTH: f64 = 0.25;
/// How many series without an effect are tried.
const NULL_SERIES: usize = 1_000;
/// How many of them may be found significant at 0.05.
const FALSE_POSITIVES: std::ops::RangeInclusive<usize> = 30..=70;

#[derive(Deserialize)]
struct References {
    mann_whitney: Vec<RankReference>,
    difference_in_differences: Vec<PanelReference>,
    bsts: Vec<SeriesReference>,
}

#[derive(Deserialize)]
struct RankReference {
    name: String,
    pre: Vec<f64>,
    post: Vec<f64>,
    u: f64,
    p: f64,
    shift: f64,
    interval: Option<[f64; 2]>,
}

#[derive(Deserialize)]
struct PanelReference {
    name: String,
    clustered_by: String,
    /// URL, day, treated, post, value.
    rows: Vec<[f64; 5]>,
    estimate: f64,
    standard_error: f64,
    t: f64,
    degrees_of_freedom: u32,
    p: f64,
    interval: [f64; 2],
    parallel_trends_p: f64,
}

#[derive(Deserialize)]
struct SeriesReference {
    name: String,
    observed: Vec<f64>,
    control: Vec<f64>,
    pre: usize,
    average_effect: f64,
    interval: [f64; 2],
    p: f64,
}

fn references() -> References {
    serde_json::from_str(include_str!("experiments/references.json")).unwrap()
}

/// By a part of the expected value, or of 1 where that is smaller.
fn assert_near(found: f64, expected: f64, tolerance: f64, of: &str) {
    let allowed = tolerance * expected.abs().max(1.0);
    assert!(
        (found - expected).abs() <= allowed,
        "{of}: {found} is not {expected}"
    );
}

/// The median.
fn middle(values: &[f64]) -> f64 {
    let mut ordered = values.to_vec();
    ordered.sort_by(f64::total_cmp);
    f64::midpoint(ordered[(ordered.len() - 1) / 2], ordered[ordered.len() / 2])
}

#[test]
fn ranks_are_compared_as_scipy_does() {
    for reference in references().mann_whitney {
        let found = mann_whitney(&reference.pre, &reference.post).unwrap();
        let name = &reference.name;
        assert_eq!(found.exact, name.starts_with("exact"), "{name}");
        assert_eq!(found.ties_corrected, name.starts_with("ties"), "{name}");
        assert_near(found.u_statistic, reference.u, EXACT, name);
        // Small probabilities by their own size.
        assert!(
            (found.p_value / reference.p - 1.0).abs() < 1e-7,
            "{name}: {} {}",
            found.p_value,
            reference.p
        );
        assert_near(found.shift, reference.shift, EXACT, name);
        // The same U in other words, and the p that z stands for.
        #[expect(clippy::cast_precision_loss, reason = "samples are small")]
        let pairs = (reference.pre.len() * reference.post.len()) as f64;
        assert_near(found.common_language_effect, reference.u / pairs, EXACT, name);
        assert_near(found.rank_biserial, 2.0 * reference.u / pairs - 1.0, EXACT, name);
        assert!(
            found.z_score * (reference.u - pairs / 2.0) >= 0.0,
            "{name}: the sign of z"
        );
        if !found.exact {
            let p = 2.0 * Gauss::standard().sf(found.z_score.abs());
            assert!(
                (p / reference.p - 1.0).abs() < 1e-7,
                "{name}: z is {}",
                found.z_score
            );
        }
        assert_near(found.median_pre, middle(&reference.pre), EXACT, name);
        assert_near(found.median_post, middle(&reference.post), EXACT, name);
        if let Some([low, high]) = reference.interval {
            assert_near(found.shift_interval.0, low, EXACT, name);
            assert_near(found.shift_interval.1, high, EXACT, name);
        }
    }
}

#[test]
fn differences_are_estimated_as_statsmodels_does() {
    for reference in references().difference_in_differences {
        let by_url = reference.clustered_by == "url";
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "small whole numbers"
        )]
        let panel: Vec<Observation> = reference
            .rows
            .iter()
            .map(|[url, day, treated, post, value]| Observation {
                is_variant: *treated == 1.0,
                is_post: *post == 1.0,
                day: *day as i32,
                cluster: if by_url { *url as u32 } else { *day as u32 },
                value: *value,
            })
            .collect();
        let found = difference_in_differences(&panel).unwrap();
        let name = &reference.name;
        let near = |found, expected, of| assert_near(found, expected, 1e-7, &format!("{name}, {of}"));
        near(found.estimate, reference.estimate, "estimate");
        near(found.standard_error, reference.standard_error, "error");
        near(found.t_statistic, reference.t, "t");
        near(found.p_value, reference.p, "p");
        near(found.interval.0, reference.interval[0], "low");
        near(found.interval.1, reference.interval[1], "high");
        near(
            found.parallel_trends_p_value.unwrap(),
            reference.parallel_trends_p,
            "trends",
        );
        assert_eq!(found.degrees_of_freedom, reference.degrees_of_freedom, "{name}");
    }
}

#[test]
fn time_series_come_to_what_causalimpact_says() {
    for reference in references().bsts {
        let series = Series {
            observed: reference.observed.into_iter().map(Some).collect(),
            control: reference.control.into_iter().map(Some).collect(),
            pre: reference.pre,
        };
        let mut sampler = Sampler::new(&series, 7).unwrap();
        while !sampler.draw(100) {}
        let found = sampler.impact(&series).unwrap();
        let (name, [low, high]) = (&reference.name, reference.interval);
        let off = |found: f64, expected: f64| (found - expected).abs() / (high - low);
        let effect = found.average_effect;
        assert!(
            off(effect.mean, reference.average_effect) <= OF_WIDTH,
            "{name}: {effect:?} is not {} in {low} to {high}",
            reference.average_effect
        );
        assert!(
            off(effect.interval.0, low) <= END_OF_WIDTH && off(effect.interval.1, high) <= END_OF_WIDTH,
            "{name}: {effect:?} is not {low} to {high}"
        );
        assert!(
            (found.tail_probability - reference.p).abs() < 0.05,
            "{name}: {}",
            found.tail_probability
        );
    }
}

fn drawn(from: &impl Distribution<f64>, count: usize, random: &mut StdRng) -> Vec<f64> {
    (0..count).map(|_| from.sample(random)).collect()
}

/// Independent days without an effect: 14 and 7 by the exact distribution, 56 and 28 by the approximation, counts with ties.
#[test]
fn ranks_of_series_without_an_effect_are_seldom_significant() {
    let mut random = StdRng::seed_from_u64(1);
    let (measures, counts) = (Normal::new(100.0, 10.0).unwrap(), Poisson::new(12.0).unwrap());
    for (pre, post) in [(14, 7), (56, 28)] {
        for has_ties in [false, true] {
            let mut sample = |days| {
                if has_ties {
                    drawn(&counts, days, &mut random)
                } else {
                    drawn(&measures, days, &mut random)
                }
            };
            let found = (0..NULL_SERIES).filter(|_| {
                let found = mann_whitney(&sample(pre), &sample(post)).unwrap();
                found.p_value < 0.05
            });
            let found = found.count();
            assert!(
                FALSE_POSITIVES.contains(&found),
                "{pre}, {post}, {has_ties}: {found}"
            );
        }
    }
}

/// Pages that share each day's weather: few by day, many by page.
#[test]
fn differences_of_panels_without_an_effect_are_seldom_significant() {
    let mut random = StdRng::seed_from_u64(2);
    let noise = Normal::new(0.0, 10.0).unwrap();
    for (pages, by_url) in [(3_u32, false), (12, true)] {
        let found = (0..NULL_SERIES).filter(|_| {
            let weather = drawn(&noise, 42, &mut random);
            let mut panel = Vec::new();
            for url in 0..2 * pages {
                for (day, weather) in (0_u32..).zip(&weather) {
                    panel.push(Observation {
                        is_variant: url < pages,
                        is_post: day >= 28,
                        day: i32::try_from(day).unwrap(),
                        cluster: if by_url { url } else { day },
                        value: weather + noise.sample(&mut random),
                    });
                }
            }
            difference_in_differences(&panel).unwrap().p_value < 0.05
        });
        let found = found.count();
        assert!(FALSE_POSITIVES.contains(&found), "{pages}, {by_url}: {found}");
    }
}

/// Whether a time series finds an effect at 0.05.
fn has_effect(series: &Series) -> bool {
    let mut sampler = Sampler::new(series, 7).unwrap();
    while !sampler.draw(1_000) {}
    2.0 * sampler.impact(series).unwrap().tail_probability < 0.05
}

/// A control that explains as much of the variant as the prior has it, and one that explains half as much.
#[test]
fn time_series_without_an_effect_are_seldom_significant() {
    let mut random = StdRng::seed_from_u64(3);
    let unit = Normal::new(0.0, 1.0).unwrap();
    let (pre, days) = (56, 84);
    let cores = available_parallelism().map_or(1, NonZero::get);
    for explained in [0.8_f64, 0.4] {
        let mut series = || {
            let control = drawn(&unit, days, &mut random);
            let own = drawn(&unit, days, &mut random);
            let both = control.iter().zip(&own);
            Series {
                observed: both
                    .map(|(control, own)| {
                        let off = explained.sqrt() * control + (1.0 - explained).sqrt() * own;
                        Some(100.0 + 10.0 * off)
                    })
                    .collect(),
                control: control.into_iter().map(Some).collect(),
                pre,
            }
        };
        // All are drawn first, so that they are the same on however many cores. Each draws a thousand times from all of its days.
        let all: Vec<Series> = (0..NULL_SERIES).map(|_| series()).collect();
        let found: usize = scope(|scope| {
            let parts: Vec<_> = all
                .chunks(NULL_SERIES.div_ceil(cores))
                .map(|part| scope.spawn(move || part.iter().filter(|series| has_effect(series)).count()))
                .collect();
            parts.into_iter().map(|part| part.join().unwrap()).sum()
        });
        assert!(FALSE_POSITIVES.contains(&found), "{explained}: {found}");
    }
}
