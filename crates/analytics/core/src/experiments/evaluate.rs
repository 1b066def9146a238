//! From what pages come to by day to a verdict.

use pharos_domain::{ranking_updates::RankingUpdates, window::DateRange};
use time::Date;

use super::{
    BstsDay, BstsDetails, ClusteredBy, Design, Details, DidDetails, ExperimentMethod, MannWhitneyDetails,
    MetricDirection, Outcome, Panel, Verdict, Warning, Windows,
    statistics::{
        bsts::{Impact, SAMPLES, SEASON, Series},
        difference::{Observation, difference_in_differences},
        mann_whitney::mann_whitney,
        mean,
    },
};

/// Below this an effect is not taken for chance.
const SIGNIFICANT_BELOW: f64 = 0.05;
/// From so many pages on each side errors go together by page, else by day.
const PAGES_FOR_CLUSTERS: usize = 10;
/// Above this share of the control's sessions that viewed the variant, too, it is no control.
const CONTAMINATED_ABOVE: f64 = 0.2;

/// How many days there have to be before and after the change.
const fn least_days(method: ExperimentMethod) -> (usize, usize) {
    match method {
        ExperimentMethod::MannWhitney | ExperimentMethod::Did => (14, 7),
        ExperimentMethod::Bsts => (28, 7),
    }
}

/// The values of a side before and after the change.
struct Side {
    pre: Vec<Option<f64>>,
    post: Vec<Option<f64>>,
}

impl Side {
    fn of(panel: &Panel, design: &Design, is_variant: bool, windows: &Windows) -> Self {
        let values = |window: Option<DateRange>| {
            window.map_or_else(Vec::new, |window| {
                panel.values(design.metric, is_variant, None, window)
            })
        };
        Self {
            pre: values(windows.pre),
            post: values(windows.post),
        }
    }

    fn known(values: &[Option<f64>]) -> Vec<f64> {
        values.iter().flatten().copied().collect()
    }
}

/// The outcome of an experiment on a day. `impact` is what the time series found; it is `None` for other methods, and where
/// there was too little data.
#[must_use]
pub fn evaluate(
    design: &Design,
    panel: &Panel,
    updates: &dyn RankingUpdates,
    today: Date,
    impact: Option<&Impact>,
) -> Outcome {
    let windows = Windows::of(design, panel.received, today);
    let variant = Side::of(panel, design, true, &windows);
    let has_control = !design.control_urls.is_empty();
    let control = has_control.then(|| Side::of(panel, design, false, &windows));
    let (pre, post) = (Side::known(&variant.pre), Side::known(&variant.post));
    let count = |values: &[f64]| u32::try_from(values.len()).unwrap_or(u32::MAX);
    let span = span(&windows);
    let days = span.map_or(0, DateRange::days);
    let mut outcome = Outcome {
        pre_days: Some(count(&pre)),
        post_days: Some(count(&post)),
        excluded_days: Some(days.saturating_sub(count(&pre) + count(&post))),
        pre_mean_variant: mean(&pre),
        post_mean_variant: mean(&post),
        pre_mean_control: control.as_ref().and_then(|side| mean(&Side::known(&side.pre))),
        post_mean_control: control.as_ref().and_then(|side| mean(&Side::known(&side.post))),
        verdict: Some(Verdict::Inconclusive),
        ..Outcome::default()
    };
    let (least_pre, least_post) = least_days(design.method);
    let is_short = (pre.len() < least_pre, post.len() < least_post);
    let found = match design.method {
        _ if is_short.0 || is_short.1 => None,
        ExperimentMethod::MannWhitney => by_ranks(&pre, &post),
        ExperimentMethod::Did => by_difference(design, panel, &windows, outcome.post_mean_variant),
        ExperimentMethod::Bsts => impact.and_then(|impact| by_impact(impact, &windows)),
    };
    let is_ranked_anew =
        !design.metric.is_vital() && span.is_some_and(|window| !updates.begun(window).is_empty());
    outcome.warnings = warnings(design, panel, &windows, is_short, is_ranked_anew, &variant);
    let Some(found) = found else {
        return outcome;
    };
    let trends_differ = matches!(
        &found.details,
        Details::Did(details) if details.parallel_trends_p_value.is_some_and(|p| p < SIGNIFICANT_BELOW)
    );
    if trends_differ {
        outcome.warnings.push(Warning::ParallelTrendsDoubtful);
    }
    let is_significant = found.p_value < SIGNIFICANT_BELOW;
    Outcome {
        effect_absolute: Some(found.effect),
        effect_relative_pct: (found.baseline != 0.0).then(|| 100.0 * found.effect / found.baseline.abs()),
        ci_low: Some(found.interval.0),
        ci_high: Some(found.interval.1),
        p_value: Some(found.p_value),
        is_significant: Some(is_significant),
        verdict: Some(verdict(is_significant, found.effect, design.metric.direction())),
        details: Some(found.details),
        ..outcome
    }
}

/// The result of a method.
struct Found {
    effect: f64,
    interval: (f64, f64),
    p_value: f64,
    /// The value that the effect is compared with: the one expected without the change.
    baseline: f64,
    details: Details,
}

fn verdict(is_significant: bool, effect: f64, direction: MetricDirection) -> Verdict {
    let is_more = effect > 0.0;
    match (is_significant, direction) {
        (false, _) => Verdict::NoEffect,
        (true, MetricDirection::HigherIsBetter) if is_more => Verdict::Improved,
        (true, MetricDirection::LowerIsBetter) if !is_more => Verdict::Improved,
        (true, _) => Verdict::Worsened,
    }
}

/// Days from the first to the last.
fn span(windows: &Windows) -> Option<DateRange> {
    let all = [windows.pre, windows.post].into_iter().flatten();
    let first = all.clone().map(DateRange::first).min();
    let last = all.map(DateRange::last).max();
    first
        .zip(last)
        .and_then(|(first, last)| DateRange::new(first, last))
}

fn warnings(
    design: &Design,
    panel: &Panel,
    windows: &Windows,
    (is_pre_short, is_post_short): (bool, bool),
    is_ranked_anew: bool,
    variant: &Side,
) -> Vec<Warning> {
    let is_whole = |window: Option<DateRange>| window.is_some_and(|window| window.days() % SEASON == 0);
    let in_weeks = is_whole(windows.pre) && is_whole(windows.post);
    let has_gaps = variant.pre.iter().chain(&variant.post).any(Option::is_none);
    let volume = |is_variant| {
        windows
            .pre
            .map_or((0, 0), |window| panel.volume(design.metric, is_variant, window))
    };
    let (of_variant, (of_control, shared)) = (volume(true).0, volume(false));
    let has_control = !design.control_urls.is_empty();
    let share = crate::overview::ratio(shared, of_control).unwrap_or(0.0);
    let all = [
        (is_pre_short, Warning::ShortPrePeriod),
        (is_post_short, Warning::ShortPostPeriod),
        (has_control && of_control < of_variant, Warning::LowVolume),
        (
            has_control && share > CONTAMINATED_ABOVE,
            Warning::ControlContaminated,
        ),
        (
            design.method == ExperimentMethod::MannWhitney && !in_weeks,
            Warning::SeasonalityMismatch,
        ),
        (is_ranked_anew, Warning::SearchUpdateInWindow),
        (windows.is_cut || has_gaps, Warning::DataIncomplete),
    ];
    let holds = all.into_iter().filter(|(holds, _)| *holds);
    holds.map(|(_, warning)| warning).collect()
}

fn by_ranks(pre: &[f64], post: &[f64]) -> Option<Found> {
    let found = mann_whitney(pre, post)?;
    let count = |values: &[f64]| u32::try_from(values.len()).unwrap_or(u32::MAX);
    Some(Found {
        effect: found.shift,
        interval: found.shift_interval,
        p_value: found.p_value,
        baseline: found.median_pre,
        details: Details::MannWhitney(MannWhitneyDetails {
            u_statistic: found.u_statistic,
            z_score: found.z_score,
            n_pre: count(pre),
            n_post: count(post),
            median_pre: found.median_pre,
            median_post: found.median_post,
            hodges_lehmann_shift: found.shift,
            rank_biserial: found.rank_biserial,
            common_language_effect: found.common_language_effect,
            ties_corrected: found.ties_corrected,
            exact: found.exact,
        }),
    })
}

fn by_difference(design: &Design, panel: &Panel, windows: &Windows, post_mean: Option<f64>) -> Option<Found> {
    let (variants, controls) = (design.variant_urls.len(), design.control_urls.len());
    let by = if variants.min(controls) >= PAGES_FOR_CLUSTERS {
        ClusteredBy::Url
    } else {
        ClusteredBy::Day
    };
    let mut observations = Vec::new();
    for (is_variant, pages) in [(false, controls), (true, variants)] {
        for page in 0..pages {
            for (is_post, window) in [(false, windows.pre?), (true, windows.post?)] {
                let values = panel.values(design.metric, is_variant, Some(page), window);
                for (day, value) in window.dates().zip(values) {
                    let Some(value) = value else { continue };
                    let day = day.to_julian_day();
                    let of_page = if is_variant { controls + page } else { page };
                    let cluster = match by {
                        ClusteredBy::Day => day.unsigned_abs(),
                        ClusteredBy::Url => u32::try_from(of_page).unwrap_or(u32::MAX),
                    };
                    observations.push(Observation {
                        is_variant,
                        is_post,
                        // From the first day, so that sums of squares stay exact.
                        day: day - windows.pre?.first().to_julian_day(),
                        cluster,
                        value,
                    });
                }
            }
        }
    }
    let found = difference_in_differences(&observations)?;
    // A rate of the side is like that of its pages; a count is theirs added up.
    let times = if design.metric.is_count() {
        u32::try_from(variants).map_or(1.0, f64::from)
    } else {
        1.0
    };
    let effect = found.estimate * times;
    Some(Found {
        effect,
        interval: (found.interval.0 * times, found.interval.1 * times),
        p_value: found.p_value,
        baseline: post_mean? - effect,
        details: Details::Did(DidDetails {
            did_estimate: found.estimate,
            standard_error: found.standard_error,
            t_statistic: found.t_statistic,
            degrees_of_freedom: found.degrees_of_freedom,
            clustered_by: by,
            parallel_trends_p_value: found.parallel_trends_p_value,
            variant_change: found.variant_change,
            control_change: found.control_change,
            n_observations: u32::try_from(found.observations).unwrap_or(u32::MAX),
        }),
    })
}

/// Both series of an experiment for a structural time series; `None` where there is too little for one. Days between both
/// windows have no value.
#[must_use]
pub fn series_of(design: &Design, panel: &Panel, today: Date) -> Option<Series> {
    let windows = Windows::of(design, panel.received, today);
    let (pre, post) = (windows.pre?, windows.post?);
    let whole = DateRange::new(pre.first(), post.last())?;
    let values = |is_variant| panel.values(design.metric, is_variant, None, whole);
    let mut observed = values(true);
    for (day, value) in whole.dates().zip(&mut observed) {
        if !pre.contains(day) && !post.contains(day) {
            *value = None;
        }
    }
    let (least_pre, least_post) = least_days(ExperimentMethod::Bsts);
    let before = (post.first() - pre.first()).whole_days();
    let before = usize::try_from(before).ok()?;
    let known = |values: &[Option<f64>]| values.iter().flatten().count();
    if known(observed.get(..before)?) < least_pre || known(observed.get(before..)?) < least_post {
        return None;
    }
    Some(Series {
        control: values(false),
        observed,
        pre: before,
    })
}

fn by_impact(impact: &Impact, windows: &Windows) -> Option<Found> {
    let whole = DateRange::new(windows.pre?.first(), windows.post?.last())?;
    let times = u32::try_from(impact.days).map_or(1.0, f64::from);
    let (predicted, effect) = (impact.average_predicted, impact.average_effect);
    let series = whole
        .dates()
        .zip(&impact.days_in_order)
        .map(|(date, day)| BstsDay {
            date: date.to_string(),
            observed: day.observed,
            expected: day.expected.mean,
            expected_low: day.expected.interval.0,
            expected_high: day.expected.interval.1,
            effect: day.observed.map(|observed| observed - day.expected.mean),
            cumulative_effect: day.cumulative,
        });
    let relative = impact.relative_effect;
    Some(Found {
        effect: effect.mean,
        interval: effect.interval,
        // The probability is of both tails, so that it goes with the interval, which leaves out as much at either end.
        p_value: (2.0 * impact.tail_probability).min(1.0),
        baseline: predicted.mean,
        details: Details::Bsts(Box::new(BstsDetails {
            posterior_prob_effect: 1.0 - impact.tail_probability,
            average_actual: impact.average_actual,
            average_predicted: predicted.mean,
            average_predicted_low: predicted.interval.0,
            average_predicted_high: predicted.interval.1,
            cumulative_actual: impact.average_actual * times,
            cumulative_predicted: predicted.mean * times,
            cumulative_predicted_low: predicted.interval.0 * times,
            cumulative_predicted_high: predicted.interval.1 * times,
            cumulative_effect: effect.mean * times,
            cumulative_effect_low: effect.interval.0 * times,
            cumulative_effect_high: effect.interval.1 * times,
            relative_effect_pct_low: relative.map(|relative| 100.0 * relative.interval.0),
            relative_effect_pct_high: relative.map(|relative| 100.0 * relative.interval.1),
            samples: u32::try_from(SAMPLES).unwrap_or(u32::MAX),
            seasonal_period: SEASON,
            covariates: if impact.has_regression {
                vec!["control".to_owned()]
            } else {
                Vec::new()
            },
            pre_fit_mape_pct: impact.pre_fit_mape.map(|mape| 100.0 * mape),
            series: series.collect(),
        })),
    })
}
