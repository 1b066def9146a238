//! From what pages come to by day to a verdict.

use pharos_domain::{ranking_updates::RankingUpdates, window::DateRange};
use time::Date;

use super::{
    BstsDay, BstsDetails, ClusteredBy, Design, Details, DidDetails, ExperimentMethod, LEAST_POST_DAYS,
    MannWhitneyDetails, MetricDirection, Outcome, Panel, Verdict, Warning, Windows,
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

/// How many days there have to be before the change.
const fn least_pre_days(method: ExperimentMethod) -> usize {
    match method {
        ExperimentMethod::MannWhitney | ExperimentMethod::Did => 14,
        ExperimentMethod::Bsts => 28,
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

/// The data that a method lacks. The control is judged as the variant is, where the method goes by it.
#[derive(Default)]
struct Lack {
    is_pre_short: bool,
    is_post_short: bool,
    has_gaps: bool,
    /// No page of a side was seen on any day. Its counts are 0 then, and whatever the other side does would be the effect.
    is_unseen: bool,
}

impl Lack {
    fn of(panel: &Panel, design: &Design, windows: &Windows) -> Self {
        let sides: &[bool] = match design.method {
            ExperimentMethod::MannWhitney => &[true],
            ExperimentMethod::Did | ExperimentMethod::Bsts => &[true, false],
        };
        let days = [windows.pre, windows.post];
        let has_days = days.iter().any(Option::is_some);
        let mut lack = Self::default();
        for &is_variant in sides {
            let Side { pre, post } = Side::of(panel, design, is_variant, windows);
            lack.is_pre_short |= Side::known(&pre).len() < least_pre_days(design.method);
            lack.is_post_short |= Side::known(&post).len() < LEAST_POST_DAYS;
            lack.has_gaps |= pre.iter().chain(&post).any(Option::is_none);
            let mut days = days.into_iter().flatten();
            let is_seen = days.any(|window| panel.is_seen(design.metric, is_variant, window));
            lack.is_unseen |= has_days && !is_seen;
        }
        lack
    }

    /// Whether nothing can be concluded.
    const fn is_too_much(&self) -> bool {
        self.is_pre_short || self.is_post_short || self.is_unseen
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
    let lack = Lack::of(panel, design, &windows);
    let found = match design.method {
        _ if lack.is_too_much() => None,
        ExperimentMethod::MannWhitney => by_ranks(&pre, &post),
        ExperimentMethod::Did => by_difference(design, panel, &windows, &variant),
        ExperimentMethod::Bsts => impact.and_then(|impact| by_impact(impact, &windows)),
    };
    let is_ranked_anew =
        !design.metric.is_vital() && span.is_some_and(|window| !updates.begun(window).is_empty());
    // There are days enough, but they are all alike.
    let is_mute = found.is_none() && !lack.is_too_much();
    outcome.warnings = warnings(design, panel, &windows, &lack, is_mute, is_ranked_anew);
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
    lack: &Lack,
    is_mute: bool,
    is_ranked_anew: bool,
) -> Vec<Warning> {
    let is_whole = |window: Option<DateRange>| window.is_some_and(|window| window.days() % SEASON == 0);
    let in_weeks = is_whole(windows.pre) && is_whole(windows.post);
    let volume = |is_variant| {
        windows
            .pre
            .map_or((0, 0), |window| panel.volume(design.metric, is_variant, window))
    };
    let (of_variant, (of_control, shared)) = (volume(true).0, volume(false));
    let has_control = !design.control_urls.is_empty();
    let share = crate::overview::ratio(shared, of_control).unwrap_or(0.0);
    let is_low = lack.is_unseen || is_mute || (has_control && of_control < of_variant);
    let all = [
        (lack.is_pre_short, Warning::ShortPrePeriod),
        (lack.is_post_short, Warning::ShortPostPeriod),
        (is_low, Warning::LowVolume),
        (
            has_control && share > CONTAMINATED_ABOVE,
            Warning::ControlContaminated,
        ),
        (
            design.method == ExperimentMethod::MannWhitney && !in_weeks,
            Warning::SeasonalityMismatch,
        ),
        (is_ranked_anew, Warning::SearchUpdateInWindow),
        (windows.is_cut || lack.has_gaps, Warning::DataIncomplete),
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

fn by_difference(design: &Design, panel: &Panel, windows: &Windows, variant: &Side) -> Option<Found> {
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
    // A rate of the side is like that of its pages.
    let times = if design.metric.is_count() {
        pages_at_once(variant, &observations, variants)
    } else {
        1.0
    };
    let effect = found.estimate * times;
    Some(Found {
        effect,
        interval: (found.interval.0 * times, found.interval.1 * times),
        p_value: found.p_value,
        baseline: mean(&Side::known(&variant.post))? - effect,
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

/// How many times that of a page the count of the variant is: as often as it has pages where each session views one of them, less
/// where it views several, since whoever does counts on each of them, but once for the side.
fn pages_at_once(variant: &Side, observations: &[Observation], pages: usize) -> f64 {
    let pages = u32::try_from(pages).map_or(1.0, f64::from).max(1.0);
    let of_side = [Side::known(&variant.pre), Side::known(&variant.post)].concat();
    let of_pages = observations.iter().filter(|observation| observation.is_variant);
    let of_pages: Vec<f64> = of_pages.map(|observation| observation.value).collect();
    let times = mean(&of_side)
        .zip(mean(&of_pages))
        .map(|(side, page)| side / page)
        .filter(|times| times.is_finite());
    // Refunds may bring the revenue of pages near to 0, or below.
    times.map_or(pages, |times| times.clamp(1.0, pages))
}

/// Both series of an experiment for a structural time series; `None` where there is too little for one. Days between both
/// windows have no value.
#[must_use]
pub fn series_of(design: &Design, panel: &Panel, today: Date) -> Option<Series> {
    let windows = Windows::of(design, panel.received, today);
    let (pre, post) = (windows.pre?, windows.post?);
    if Lack::of(panel, design, &windows).is_too_much() {
        return None;
    }
    let whole = DateRange::new(pre.first(), post.last())?;
    let values = |is_variant| panel.values(design.metric, is_variant, None, whole);
    let mut observed = values(true);
    for (day, value) in whole.dates().zip(&mut observed) {
        if !pre.contains(day) && !post.contains(day) {
            *value = None;
        }
    }
    let before = (post.first() - pre.first()).whole_days();
    Some(Series {
        control: values(false),
        observed,
        pre: usize::try_from(before).ok()?,
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

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;
    use crate::experiments::{DayFigures, ExperimentMetric, PanelRow};

    struct NoUpdates;

    impl RankingUpdates for NoUpdates {
        fn begun(&self, _: DateRange) -> Vec<Date> {
            Vec::new()
        }
    }

    /// Four weeks before the change, two after it.
    fn design(method: ExperimentMethod, metric: ExperimentMetric, variants: usize) -> Design {
        Design {
            method,
            metric,
            control_urls: vec!["/control".to_owned()],
            variant_urls: (0..variants).map(|page| format!("/variant/{page}")).collect(),
            pre_start: Some(date!(2026 - 01 - 05)),
            pre_end: date!(2026 - 02 - 01),
            post_start: date!(2026 - 02 - 02),
            post_end: Some(date!(2026 - 02 - 15)),
        }
    }

    /// Figures of each page of a side, and of the side: `times` as many. Sessions are as many seconds long as there are of them.
    fn viewed(
        panel: &mut Panel,
        is_variant: bool,
        pages: usize,
        times: u64,
        sessions: impl Fn(u64) -> Option<u64>,
    ) {
        let whole = DateRange::new(date!(2026 - 01 - 05), date!(2026 - 02 - 15)).unwrap();
        panel.received = Some(whole);
        for (at, day) in (0..).zip(whole.dates()) {
            let Some(sessions) = sessions(at) else { continue };
            for page in std::iter::once(None).chain((0..pages).map(Some)) {
                let sessions = if page.is_none() {
                    times * sessions
                } else {
                    sessions
                };
                let figures = DayFigures {
                    visitors: sessions,
                    sessions,
                    duration_ms: 1_000 * sessions * sessions,
                    ..DayFigures::default()
                };
                panel.rows.push(PanelRow {
                    is_variant,
                    page,
                    day,
                    figures,
                });
            }
        }
    }

    /// From 80 a day to 90, with a shape of weeks.
    fn control(at: u64) -> Option<u64> {
        let level = if at < 28 { 80 } else { 90 };
        Some(level + at % 7)
    }

    /// From 100 a day to 125.
    fn variant(at: u64) -> Option<u64> {
        let level = if at < 28 { 100 } else { 125 };
        Some(level + at % 2)
    }

    fn outcome(design: &Design, panel: &Panel) -> Outcome {
        evaluate(design, panel, &NoUpdates, date!(2026 - 03 - 01), None)
    }

    fn is_inconclusive(outcome: &Outcome) -> bool {
        outcome.verdict == Some(Verdict::Inconclusive)
            && outcome.effect_absolute.is_none()
            && outcome.is_significant.is_none()
    }

    #[test]
    fn pages_that_nobody_viewed_have_no_effect_of_the_other_side() {
        let mut panel = Panel::default();
        viewed(&mut panel, false, 1, 1, control);
        for method in [
            ExperimentMethod::MannWhitney,
            ExperimentMethod::Did,
            ExperimentMethod::Bsts,
        ] {
            let design = design(method, ExperimentMetric::Visitors, 1);
            let outcome = outcome(&design, &panel);
            assert!(is_inconclusive(&outcome), "{method:?}: {outcome:?}");
            assert_eq!(outcome.warnings, [Warning::LowVolume], "{method:?}");
        }
        let mut panel = Panel::default();
        viewed(&mut panel, true, 1, 1, variant);
        for method in [ExperimentMethod::Did, ExperimentMethod::Bsts] {
            let design = design(method, ExperimentMetric::Visitors, 1);
            let outcome = outcome(&design, &panel);
            assert!(is_inconclusive(&outcome), "{method:?}: {outcome:?}");
            assert_eq!(outcome.warnings, [Warning::LowVolume], "{method:?}");
            assert_eq!(series_of(&design, &panel, date!(2026 - 03 - 01)), None);
        }
    }

    /// A variant that went up by 25 where the control went up by 10.
    #[test]
    fn a_session_that_views_several_pages_has_its_effect_once() {
        let design = design(ExperimentMethod::Did, ExperimentMetric::Sessions, 2);
        // Either each session views both pages, or each views one.
        for (times, expected) in [(1, 15.0), (2, 30.0)] {
            let mut panel = Panel::default();
            viewed(&mut panel, false, 1, 1, control);
            viewed(&mut panel, true, 2, times, variant);
            let outcome = outcome(&design, &panel);
            let effect = outcome.effect_absolute.unwrap();
            assert!((effect - expected).abs() < 1e-9, "{effect} is not {expected}");
            let Some(Details::Did(details)) = outcome.details else {
                panic!("no details of a difference");
            };
            assert!((details.did_estimate - 15.0).abs() < 1e-9);
        }
    }

    /// The control has 100 sessions a day; a fifth is let pass.
    #[test]
    fn a_control_whose_sessions_viewed_the_variant_is_told() {
        let design = design(ExperimentMethod::Did, ExperimentMetric::Visitors, 1);
        for (shared, is_told) in [(20, false), (21, true)] {
            let mut panel = Panel::default();
            viewed(&mut panel, false, 1, 1, |_| Some(100));
            viewed(&mut panel, true, 1, 1, variant);
            for row in panel.rows.iter_mut().filter(|row| !row.is_variant) {
                row.figures.shared = shared;
            }
            let warnings = outcome(&design, &panel).warnings;
            let has_it = warnings.contains(&Warning::ControlContaminated);
            assert_eq!(has_it, is_told, "{shared}: {warnings:?}");
        }
    }

    /// The variant has one visitor more each day, and the control too, or not.
    #[test]
    fn sides_that_went_different_ways_before_the_change_are_told() {
        let design = design(ExperimentMethod::Did, ExperimentMetric::Visitors, 1);
        for (slope, is_told) in [(1, false), (0, true)] {
            let mut panel = Panel::default();
            viewed(&mut panel, false, 1, 1, |at| Some(200 + slope * at + at % 3));
            viewed(&mut panel, true, 1, 1, |at| Some(100 + at + 2 * at % 3));
            let warnings = outcome(&design, &panel).warnings;
            let has_it = warnings.contains(&Warning::ParallelTrendsDoubtful);
            assert_eq!(has_it, is_told, "{slope}: {warnings:?}");
        }
    }

    #[test]
    fn a_verdict_is_by_the_direction_of_the_metric() {
        let (higher, lower) = (MetricDirection::HigherIsBetter, MetricDirection::LowerIsBetter);
        for (is_significant, effect, direction, expected) in [
            (true, 2.0, higher, Verdict::Improved),
            (true, -2.0, higher, Verdict::Worsened),
            (true, 2.0, lower, Verdict::Worsened),
            (true, -2.0, lower, Verdict::Improved),
            (false, 2.0, higher, Verdict::NoEffect),
            (false, -2.0, lower, Verdict::NoEffect),
        ] {
            let told = verdict(is_significant, effect, direction);
            assert_eq!(told, expected, "{is_significant} {effect} {direction:?}");
        }
    }

    #[test]
    fn days_that_are_all_alike_are_too_little_to_tell() {
        let mut panel = Panel::default();
        viewed(&mut panel, false, 1, 1, |_| Some(100));
        viewed(&mut panel, true, 1, 1, |_| Some(100));
        for method in [ExperimentMethod::MannWhitney, ExperimentMethod::Did] {
            let outcome = outcome(&design(method, ExperimentMetric::Visitors, 1), &panel);
            assert!(is_inconclusive(&outcome), "{method:?}: {outcome:?}");
            assert_eq!(outcome.warnings, [Warning::LowVolume], "{method:?}");
        }
    }

    #[test]
    fn the_control_is_judged_where_the_method_goes_by_it() {
        let metric = ExperimentMetric::AvgDurationSeconds;
        let [by_ranks, by_difference] =
            [ExperimentMethod::MannWhitney, ExperimentMethod::Did].map(|method| design(method, metric, 1));
        let mut panel = Panel::default();
        viewed(&mut panel, true, 1, 1, variant);
        let mut has_gap = panel.clone();
        viewed(&mut has_gap, false, 1, 1, |at| (at != 3).then_some(300 + at % 7));
        assert!(outcome(&by_ranks, &has_gap).warnings.is_empty());
        let found = outcome(&by_difference, &has_gap);
        assert!(found.warnings.contains(&Warning::DataIncomplete), "{found:?}");
        assert_eq!(found.verdict, Some(Verdict::Improved));
        let mut is_short = panel;
        viewed(&mut is_short, false, 1, 1, |at| {
            (at >= 15).then_some(300 + at % 7)
        });
        assert!(!is_inconclusive(&outcome(&by_ranks, &is_short)));
        let found = outcome(&by_difference, &is_short);
        assert!(is_inconclusive(&found), "{found:?}");
        assert_eq!(found.warnings, [Warning::ShortPrePeriod, Warning::DataIncomplete]);
    }
}
