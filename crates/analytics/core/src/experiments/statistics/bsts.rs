//! A Bayesian structural time series: how the variant would have gone on without the change, after Brodersen and others,
//! "Inferring causal impact using Bayesian structural time-series models" (2015).
//!
//! The model is that of `tfp-causalimpact` with a season of seven days: a local level, seven seasonal effects that add up to 0 but
//! for their drift, a regression on the control, and noise; both series are standardised by the days before the change. Priors are
//! that package's, but for the noise's: see `NOISE_PRIOR`. It is drawn from by Gibbs sampling: states by the simulation smoother of Durbin and Koopman
//! (2002), variances from inverse gamma distributions, the coefficient from a normal one.

use rand::{SeedableRng, rngs::StdRng};
use rand_distr::{Distribution, Gamma, StandardNormal};

use super::{TAIL, as_number, mean, ordered};

/// How many days a season has.
pub const SEASON: u32 = 7;
/// How many samples are kept.
pub const SAMPLES: usize = 1_000;
/// How many go before them, until the sampler has found its way.
const WARM_UP: usize = 200;

/// The level, and six seasonal effects: the seventh is the others' sum with the other sign.
const STATES: usize = 7;

/// The prior of the level's variance: as if a deviation of 0.01 had been seen 32 times.
const LEVEL_PRIOR: InverseGamma = InverseGamma {
    shape: 16.0,
    scale: 16.0 * 0.01 * 0.01,
};
/// The prior of the variance of seasonal drift.
const SEASON_PRIOR: InverseGamma = InverseGamma {
    shape: 0.005,
    scale: 5e-7,
};
/// The prior of the variance of noise, where there is a regression: as if that had explained 80 % of the variance on one day.
/// `tfp-causalimpact` takes 50 days for it, which is about as much as the days before the change say: a control that explains less
/// has intervals then that are too narrow. On 1,000 series of 56 and 28 days without an effect 12.2 % were significant at 0.05 where
/// it explained 40 %, and 4.0 % where it explained 80 %; with this prior 5.0 and 4.4 %.
const NOISE_PRIOR: InverseGamma = InverseGamma {
    shape: 0.5,
    scale: 0.1,
};
/// The same without one.
const NOISE_PRIOR_ALONE: InverseGamma = InverseGamma {
    shape: 0.005,
    scale: 0.005,
};
/// How much the prior of the coefficient weighs: a hundredth of a day.
const COEFFICIENT_WEIGHT: f64 = 0.01;

/// Both series, day by day without a gap. The days before the change come first.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The variant; `None`: nothing was measured.
    pub observed: Vec<Option<f64>>,
    /// The control; its gaps are filled with its mean before the change.
    pub control: Vec<Option<f64>>,
    /// How many days lie before the change.
    pub pre: usize,
}

/// A figure with its interval at 95 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean of the samples.
    pub mean: f64,
    /// The interval.
    pub interval: (f64, f64),
}

/// A day of the answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DayEffect {
    /// The value of the variant.
    pub observed: Option<f64>,
    /// The value that was expected without the change.
    pub expected: Estimate,
    /// The sum of what was observed less what was expected since the change; `None` before it.
    pub cumulative: Option<f64>,
}

/// The effect of the change, as the samples show it.
#[derive(Clone, Debug, PartialEq)]
pub struct Impact {
    /// The mean of the values observed on a day after the change.
    pub average_actual: f64,
    /// The value that was expected on such a day.
    pub average_predicted: Estimate,
    /// The observed value of such a day less the expected one.
    pub average_effect: Estimate,
    /// The effect in relation to what was expected; `None` where that may be 0.
    pub relative_effect: Option<Estimate>,
    /// After the change, days whose value is known.
    pub days: usize,
    /// The share of samples that lie beyond what was observed, on the side where fewer do.
    pub tail_probability: f64,
    /// By how much the expected values before the change were off, in relation to those observed; `None` where all were 0.
    pub pre_fit_mape: Option<f64>,
    /// Whether the control told something: it is not where it was always the same.
    pub has_regression: bool,
    /// All days.
    pub days_in_order: Vec<DayEffect>,
}

/// Draws from the model. [`Sampler::draw`] goes on until it is done.
#[derive(Debug)]
pub struct Sampler {
    scaled: Scaled,
    random: StdRng,
    variances: Variances,
    coefficient: f64,
    drawn: usize,
    /// The expected value of each day, of each sample that is kept.
    kept: Vec<Vec<f64>>,
}

impl Sampler {
    /// `None` where the variant was the same on all days before the change, or was measured on none.
    #[must_use]
    pub fn new(series: &Series, seed: u64) -> Option<Self> {
        let scaled = Scaled::new(series)?;
        Some(Self {
            variances: Variances {
                level: LEVEL_PRIOR.scale / LEVEL_PRIOR.shape,
                season: LEVEL_PRIOR.scale / LEVEL_PRIOR.shape,
                noise: 0.5,
            },
            scaled,
            random: StdRng::seed_from_u64(seed),
            coefficient: 0.0,
            drawn: 0,
            kept: Vec::with_capacity(SAMPLES),
        })
    }

    /// Draws up to so many samples more. `true`: these were the last.
    pub fn draw(&mut self, at_most: usize) -> bool {
        let end = (self.drawn + at_most).min(WARM_UP + SAMPLES);
        while self.drawn < end {
            self.step();
            self.drawn += 1;
        }
        self.drawn == WARM_UP + SAMPLES
    }

    /// How much of it is done, 0 to 100.
    #[must_use]
    pub fn progress_pct(&self) -> f64 {
        100.0 * as_number(self.drawn) / as_number(WARM_UP + SAMPLES)
    }

    fn step(&mut self) {
        let states = self.draw_states();
        self.draw_variances(&states);
        self.draw_coefficient(&states);
        if self.drawn >= WARM_UP {
            let expected = self.expected(&states);
            self.kept.push(expected);
        }
    }

    /// The states of the days before the change, given all else: those of a path that is drawn from the model, and what has to
    /// be added to make it one through what was observed.
    fn draw_states(&mut self) -> Vec<State> {
        let (level, season, noise) = self.variances.deviations();
        let random = &mut self.random;
        let mut normal = || -> f64 { StandardNormal.sample(random) };
        let mut state: State = std::array::from_fn(|_| normal());
        let mut path = Vec::with_capacity(self.scaled.pre);
        let mut rest = Vec::with_capacity(self.scaled.pre);
        for (day, observed) in self.scaled.observed[..self.scaled.pre].iter().enumerate() {
            path.push(state);
            let drawn = state[0] + state[1] + noise * normal();
            let known = observed.map(|value| value - self.coefficient * self.scaled.control[day]);
            rest.push(known.map(|known| known - drawn));
            state = next(&state);
            state[0] += level * normal();
            state[1] += season * normal();
        }
        // The level begins about the first value, as the prior has it.
        let first = self.scaled.first;
        let begin: State = std::array::from_fn(|at| if at == 0 { first } else { 0.0 });
        let added = smoothed(&rest, begin, &self.variances);
        for (state, added) in path.iter_mut().zip(added) {
            for (value, added) in state.iter_mut().zip(added) {
                *value += added;
            }
        }
        path
    }

    fn draw_variances(&mut self, states: &[State]) {
        let (mut level, mut season) = (0.0, 0.0);
        for pair in states.windows(2) {
            let [before, after] = pair else { continue };
            let expected = next(before);
            level += (after[0] - expected[0]).powi(2);
            season += (after[1] - expected[1]).powi(2);
        }
        let (mut noise, mut days) = (0.0, 0.0);
        for (day, state) in states.iter().enumerate() {
            if let Some(observed) = self.scaled.observed[day] {
                noise += (observed - self.mean_of(state, day)).powi(2);
                days += 1.0;
            }
        }
        let changes = as_number(states.len().saturating_sub(1));
        let prior = if self.scaled.has_regression {
            NOISE_PRIOR
        } else {
            NOISE_PRIOR_ALONE
        };
        let random = &mut self.random;
        self.variances = Variances {
            level: LEVEL_PRIOR.after(changes, level).draw(random),
            season: SEASON_PRIOR.after(changes, season).draw(random),
            noise: prior.after(days, noise).draw(random),
        };
    }

    fn draw_coefficient(&mut self, states: &[State]) {
        if !self.scaled.has_regression {
            return;
        }
        let (mut squares, mut products) = (0.0, 0.0);
        for (day, state) in states.iter().enumerate() {
            if let Some(observed) = self.scaled.observed[day] {
                let control = self.scaled.control[day];
                squares += control * control;
                products += control * (observed - state[0] - state[1]);
            }
        }
        let prior = COEFFICIENT_WEIGHT * self.scaled.control_square;
        let precision = (prior + squares) / self.variances.noise;
        let center = products / (prior + squares);
        let off: f64 = StandardNormal.sample(&mut self.random);
        self.coefficient = center + off / precision.sqrt();
    }

    fn mean_of(&self, state: &State, day: usize) -> f64 {
        state[0] + state[1] + self.coefficient * self.scaled.control[day]
    }

    /// A draw of every day's value, in the unit of the series: before the change given what was observed, after it not.
    fn expected(&mut self, states: &[State]) -> Vec<f64> {
        let (level, season, noise) = self.variances.deviations();
        let mut all = Vec::with_capacity(self.scaled.observed.len());
        let mut state = states.last().copied().unwrap_or_default();
        for day in 0..self.scaled.observed.len() {
            if let Some(known) = states.get(day) {
                state = *known;
            } else {
                let random = &mut self.random;
                let mut normal = || -> f64 { StandardNormal.sample(random) };
                state = next(&state);
                state[0] += level * normal();
                state[1] += season * normal();
            }
            let off: f64 = StandardNormal.sample(&mut self.random);
            let value = self.mean_of(&state, day) + noise * off;
            all.push(self.scaled.center + self.scaled.deviation * value);
        }
        all
    }

    /// The effect that the samples show; `None` before they are drawn, or where nothing was measured after the change.
    #[must_use]
    pub fn impact(&self, series: &Series) -> Option<Impact> {
        let post: Vec<(usize, f64)> = series
            .observed
            .iter()
            .enumerate()
            .skip(series.pre)
            .filter_map(|(day, observed)| Some((day, (*observed)?)))
            .collect();
        let observed: Vec<f64> = post.iter().map(|(_, observed)| *observed).collect();
        let average_actual = mean(&observed)?;
        let predicted: Vec<f64> = self
            .kept
            .iter()
            .filter_map(|sample| mean(&post.iter().map(|(day, _)| sample[*day]).collect::<Vec<_>>()))
            .collect();
        let effects: Vec<f64> = predicted
            .iter()
            .map(|predicted| average_actual - predicted)
            .collect();
        let average_predicted = Estimate::of(&predicted)?;
        let (low, high) = average_predicted.interval;
        let relative: Vec<f64> = predicted
            .iter()
            .map(|predicted| average_actual / predicted - 1.0)
            .collect();
        let samples = as_number(predicted.len());
        let above = as_number(predicted.iter().filter(|value| **value >= average_actual).count()) / samples;
        let below = as_number(predicted.iter().filter(|value| **value <= average_actual).count()) / samples;
        Some(Impact {
            average_actual,
            average_predicted,
            average_effect: Estimate::of(&effects)?,
            relative_effect: (low > 0.0 || high < 0.0)
                .then(|| Estimate::of(&relative))
                .flatten(),
            days: post.len(),
            tail_probability: above.min(below),
            pre_fit_mape: self.pre_fit_mape(series),
            has_regression: self.scaled.has_regression,
            days_in_order: self.days_in_order(series)?,
        })
    }

    fn pre_fit_mape(&self, series: &Series) -> Option<f64> {
        let off = series.observed[..series.pre].iter().enumerate();
        let off: Vec<f64> = off
            .filter_map(|(day, observed)| {
                let observed = observed.filter(|observed| *observed != 0.0)?;
                Some(((observed - self.mean_on(day)?) / observed).abs())
            })
            .collect();
        mean(&off)
    }

    fn mean_on(&self, day: usize) -> Option<f64> {
        mean(&self.kept.iter().map(|sample| sample[day]).collect::<Vec<_>>())
    }

    fn days_in_order(&self, series: &Series) -> Option<Vec<DayEffect>> {
        let mut sum = 0.0;
        let days = series.observed.iter().enumerate();
        days.map(|(day, observed)| {
            let expected = Estimate::of(&self.kept.iter().map(|sample| sample[day]).collect::<Vec<_>>())?;
            let cumulative = (day >= series.pre).then(|| {
                sum += observed.map_or(0.0, |observed| observed - expected.mean);
                sum
            });
            Some(DayEffect {
                observed: *observed,
                expected,
                cumulative,
            })
        })
        .collect()
    }
}

impl Estimate {
    /// The mean of samples, and the quantiles between which 95 % of them lie, interpolated as `numpy` does.
    fn of(samples: &[f64]) -> Option<Self> {
        let mean = mean(samples)?;
        let samples = ordered(samples);
        let quantile = |share: f64| {
            let place = share * as_number(samples.len() - 1);
            let (whole, part) = (place.floor(), place.fract());
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "less than the number of samples"
            )]
            let below = whole as usize;
            let above = (below + 1).min(samples.len() - 1);
            samples[below] + part * (samples[above] - samples[below])
        };
        Some(Self {
            mean,
            interval: (quantile(TAIL), quantile(1.0 - TAIL)),
        })
    }
}

/// Both series in deviations of the days before the change.
#[derive(Debug)]
struct Scaled {
    observed: Vec<Option<f64>>,
    control: Vec<f64>,
    pre: usize,
    center: f64,
    deviation: f64,
    /// The first value that is known.
    first: f64,
    has_regression: bool,
    /// The mean square of the control, all days.
    control_square: f64,
}

impl Scaled {
    fn new(series: &Series) -> Option<Self> {
        let Series {
            observed,
            control,
            pre,
        } = series;
        let (center, deviation) = moments(observed.get(..*pre)?)?;
        if deviation <= 0.0 {
            return None;
        }
        let scaled: Vec<Option<f64>> = observed
            .iter()
            .map(|value| value.map(|value| (value - center) / deviation))
            .collect();
        let of_control = moments(control.get(..*pre)?).filter(|(_, deviation)| *deviation > 0.0);
        let control: Vec<f64> = match of_control {
            Some((center, deviation)) => control
                .iter()
                .map(|value| value.map_or(0.0, |value| (value - center) / deviation))
                .collect(),
            None => vec![0.0; observed.len()],
        };
        let squares: Vec<f64> = control.iter().map(|value| value * value).collect();
        Some(Self {
            first: scaled.iter().flatten().next().copied()?,
            observed: scaled,
            control_square: mean(&squares)?,
            control,
            pre: *pre,
            center,
            deviation,
            has_regression: of_control.is_some(),
        })
    }
}

/// Mean and deviation of the values that are known; `None` of fewer than two.
fn moments(values: &[Option<f64>]) -> Option<(f64, f64)> {
    let known: Vec<f64> = values.iter().flatten().copied().collect();
    let center = mean(&known)?;
    let squares: f64 = known.iter().map(|value| (value - center).powi(2)).sum();
    let freedom = known.len().checked_sub(1).filter(|freedom| *freedom > 0)?;
    Some((center, (squares / as_number(freedom)).sqrt()))
}

/// The level, the seasonal effect of the day, and those of the five days before it.
type State = [f64; STATES];

/// The state of the next day, but for what is random.
fn next(state: &State) -> State {
    let [level, season, rest @ ..] = *state;
    let mut after = [0.0; STATES];
    after[0] = level;
    after[1] = -(season + rest.iter().sum::<f64>());
    after[2..].copy_from_slice(&state[1..STATES - 1]);
    after
}

/// The transpose of [`next`]: how much a state weighs, given what that of the next day does.
fn back(weights: &State) -> State {
    let mut before = [0.0; STATES];
    before[0] = weights[0];
    for (at, before) in before.iter_mut().enumerate().skip(1) {
        *before = weights.get(at + 1).copied().unwrap_or(0.0) - weights[1];
    }
    before
}

#[derive(Clone, Copy, Debug)]
struct Variances {
    level: f64,
    season: f64,
    noise: f64,
}

impl Variances {
    fn deviations(&self) -> (f64, f64, f64) {
        (self.level.sqrt(), self.season.sqrt(), self.noise.sqrt())
    }
}

/// The mean of the states given what was observed: the filter forwards, the weights of what it did not expect backwards, the
/// states forwards (Durbin and Koopman, "Time Series Analysis by State Space Methods", 2nd edition, 4.6.2). The states begin with
/// a variance of 1, that of the standardised series.
fn smoothed(observed: &[Option<f64>], begin: State, variances: &Variances) -> Vec<State> {
    let mut covariance: [State; STATES] =
        std::array::from_fn(|row| std::array::from_fn(|column| if row == column { 1.0 } else { 0.0 }));
    let mut state = begin;
    let mut steps = Vec::with_capacity(observed.len());
    for observed in observed {
        let step = observed.map(|observed| {
            // How each state goes with the observation, which is level and season.
            let with: State = std::array::from_fn(|at| covariance[at][0] + covariance[at][1]);
            let variance = with[0] + with[1] + variances.noise;
            let surprise = observed - state[0] - state[1];
            for at in 0..STATES {
                state[at] += with[at] * surprise / variance;
                for other in 0..STATES {
                    covariance[at][other] -= with[at] * with[other] / variance;
                }
            }
            Step {
                gain: with.map(|with| with / variance),
                surprise,
                variance,
            }
        });
        steps.push(step);
        state = next(&state);
        covariance = covariance_after(&covariance, variances);
    }
    // Weights after each day.
    let mut weights = vec![[0.0; STATES]; observed.len()];
    let mut weight = [0.0; STATES];
    for (at, step) in steps.iter().enumerate().rev() {
        weights[at] = weight;
        weight = back(&weight);
        if let Some(step) = step {
            let pull: f64 = step
                .gain
                .iter()
                .zip(&weight)
                .map(|(gain, weight)| gain * weight)
                .sum();
            let pull = step.surprise / step.variance - pull;
            weight[0] += pull;
            weight[1] += pull;
        }
    }
    let mut state: State = std::array::from_fn(|at| begin[at] + weight[at]);
    weights
        .into_iter()
        .map(|weight| {
            let today = state;
            state = next(&today);
            state[0] += variances.level * weight[0];
            state[1] += variances.season * weight[1];
            today
        })
        .collect()
}

/// A day of the filter whose value was observed.
struct Step {
    /// By how much each state moves with a surprise.
    gain: State,
    surprise: f64,
    variance: f64,
}

/// The covariance of the next day's states.
fn covariance_after(covariance: &[State; STATES], variances: &Variances) -> [State; STATES] {
    let half = covariance.map(|row| next(&row));
    let mut after = [[0.0; STATES]; STATES];
    for column in 0..STATES {
        let moved = next(&half.map(|row| row[column]));
        for (row, value) in after.iter_mut().zip(moved) {
            row[column] = value;
        }
    }
    after[0][0] += variances.level;
    after[1][1] += variances.season;
    after
}

/// An inverse gamma distribution.
#[derive(Clone, Copy, Debug)]
struct InverseGamma {
    shape: f64,
    scale: f64,
}

impl InverseGamma {
    /// The distribution after so many deviations, with the sum of their squares.
    fn after(self, count: f64, squares: f64) -> Self {
        Self {
            shape: self.shape + count / 2.0,
            scale: self.scale + squares / 2.0,
        }
    }

    fn draw(self, random: &mut StdRng) -> f64 {
        // Both are more than 0, so that there is such a distribution.
        let drawn = Gamma::new(self.shape, 1.0).map_or(1.0, |gamma| gamma.sample(random));
        self.scale / drawn.max(f64::MIN_POSITIVE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_season_comes_again_after_seven_days() {
        let begin = [5.0, 1.0, 2.0, -3.0, 4.0, -1.0, 0.5];
        let after = (0..7).fold(begin, |state, _| next(&state));
        for (after, begin) in after.iter().zip(begin) {
            assert!((after - begin).abs() < 1e-12, "{after} {begin}");
        }
    }

    /// Both ways of weighing a state come to the same.
    #[test]
    fn back_is_the_transpose_of_next() {
        for row in 0..STATES {
            let unit = |of: usize| -> State { std::array::from_fn(|at| if at == of { 1.0 } else { 0.0 }) };
            for column in 0..STATES {
                assert_eq!(
                    back(&unit(row))[column],
                    next(&unit(column))[row],
                    "{row} {column}"
                );
            }
        }
    }

    #[test]
    fn a_series_that_never_changes_says_nothing() {
        let series = Series {
            observed: vec![Some(3.0); 35],
            control: vec![None; 35],
            pre: 28,
        };
        assert!(Sampler::new(&series, 1).is_none());
    }
}
