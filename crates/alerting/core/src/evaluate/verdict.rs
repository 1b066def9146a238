//! The verdict on a rule: whether its condition holds.

use pharos_domain::alert_metric::{AlertMetric, AlertOperator, Direction, MetricKind, MetricValue, Reading};

use super::baseline::Baseline;
use crate::rule::RuleSettings;

/// The verdict on a rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// There is no value, or not enough of the past. Neither a breach nor its end.
    NoData {
        /// The value, where it is the past that is missing.
        value: Option<f64>,
    },
    /// There is nothing that could break the condition.
    Nothing,
    /// There is a value.
    Judged {
        /// Whether the condition holds, which is what the rule warns of.
        is_breach: bool,
        /// The figures.
        figures: Figures,
    },
}

impl Verdict {
    /// The value, if there is one.
    pub(super) const fn value(&self) -> Option<f64> {
        match self {
            Self::NoData { value } => *value,
            Self::Nothing => None,
            Self::Judged { figures, .. } => Some(figures.value),
        }
    }
}

/// The figures that a verdict rests on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// The value.
    pub value: f64,
    /// The value that it was compared with: the base of a change, the centre of an anomaly.
    pub baseline: Option<f64>,
    /// The change in percent of the base; `None` without a base, or with one of 0.
    pub change_pct: Option<f64>,
}

/// Judges the values of a rule, in the order of its windows: its own, then those of the past.
#[must_use]
pub fn judge(rule: &RuleSettings, metric: &AlertMetric, values: &[MetricValue]) -> Verdict {
    let Some((own, past)) = values.split_first() else {
        return Verdict::NoData { value: None };
    };
    let value = match own.reading {
        Reading::Nothing => return Verdict::Nothing,
        Reading::NoData => return Verdict::NoData { value: None },
        Reading::Value(value) => value,
    };
    // Events rest on no sample. A rule that was made while its metric was a measure may ask for one.
    if metric.kind != MetricKind::Event
        && let Some(least) = rule.min_sample
        && own.sample.is_none_or(|sample| sample < u64::from(least))
    {
        return Verdict::NoData { value: Some(value) };
    }
    let past: Vec<f64> = past.iter().filter_map(|value| value.reading.value()).collect();
    let threshold = rule.threshold;
    let plain = |is_breach| Verdict::Judged {
        is_breach,
        figures: Figures {
            value,
            ..Figures::default()
        },
    };
    match rule.operator {
        // Where nothing happened there is nothing to tell, whatever the condition.
        _ if metric.kind == MetricKind::Event && value == 0.0 => plain(false),
        AlertOperator::Gt
        | AlertOperator::Gte
        | AlertOperator::Lt
        | AlertOperator::Lte
        | AlertOperator::Eq => plain(holds(rule.operator, value, threshold)),
        AlertOperator::PctDecrease => changed(value, &past, |change| change <= -threshold),
        AlertOperator::PctIncrease => changed(value, &past, |change| change >= threshold),
        AlertOperator::Anomaly => unusual(value, &past, threshold, metric),
    }
}

/// Whether a value is so to a threshold, for the operators that look at no past.
pub(crate) fn holds(operator: AlertOperator, value: f64, threshold: f64) -> bool {
    match operator {
        AlertOperator::Gt => value > threshold,
        AlertOperator::Gte => value >= threshold,
        AlertOperator::Lt => value < threshold,
        AlertOperator::Lte => value <= threshold,
        AlertOperator::Eq => value == threshold,
        AlertOperator::PctDecrease | AlertOperator::PctIncrease | AlertOperator::Anomaly => false,
    }
}

/// Whether a condition holds for every value that a metric can have, or for none; `None`: that depends on the value.
pub(crate) fn foregone(operator: AlertOperator, threshold: f64, metric: &AlertMetric) -> Option<bool> {
    let least = metric.least.unwrap_or(f64::NEG_INFINITY);
    let largest = metric.largest.unwrap_or(f64::INFINITY);
    let at = |value| holds(operator, value, threshold);
    match operator {
        // From the threshold on they hold in one direction: as at both ends, so in between.
        AlertOperator::Gt | AlertOperator::Gte | AlertOperator::Lt | AlertOperator::Lte => {
            (at(least) == at(largest)).then(|| at(least))
        }
        // Only counts are compared for equality, and a count is never a fraction.
        AlertOperator::Eq => {
            (threshold < least || threshold > largest || threshold.fract() != 0.0).then_some(false)
        }
        AlertOperator::PctDecrease | AlertOperator::PctIncrease | AlertOperator::Anomaly => None,
    }
}

/// A change of nothing is no percentage, so a base of 0 is judged and breaks no condition.
fn changed(value: f64, past: &[f64], is_breach: impl Fn(f64) -> bool) -> Verdict {
    let Some(base) = mean(past) else {
        return Verdict::NoData { value: Some(value) };
    };
    let change_pct = (base != 0.0).then(|| 100.0 * (value - base) / base.abs());
    Verdict::Judged {
        is_breach: change_pct.is_some_and(is_breach),
        figures: Figures {
            value,
            baseline: Some(base),
            change_pct,
        },
    }
}

fn unusual(value: f64, past: &[f64], deviations: f64, metric: &AlertMetric) -> Verdict {
    let Some(baseline) = Baseline::of(past, metric.step) else {
        return Verdict::NoData { value: Some(value) };
    };
    let (low, high) = baseline.band(deviations);
    let is_breach = match metric.direction {
        Direction::HigherIsWorse => value > high,
        Direction::LowerIsWorse => value < low,
        Direction::Either => value < low || value > high,
    };
    let centre = baseline.centre;
    Verdict::Judged {
        is_breach,
        figures: Figures {
            value,
            baseline: Some(centre),
            change_pct: (centre != 0.0).then(|| 100.0 * (value - centre) / centre.abs()),
        },
    }
}

/// The mean of the values that there are.
pub(crate) fn mean(values: &[f64]) -> Option<f64> {
    let count = u32::try_from(values.len()).ok().filter(|count| *count > 0)?;
    Some(values.iter().sum::<f64>() / f64::from(count))
}
