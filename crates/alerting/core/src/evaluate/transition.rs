//! From one evaluation to the next: when a rule fires, fires again, and is over.

use pharos_domain::alert_metric::{AlertMetric, Attention, MetricKind};
use time::{Date, OffsetDateTime};

use super::verdict::{Figures, Verdict};
use crate::rule::{RuleSettings, RuleState};

/// The standing of a rule between evaluations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// How it stood.
    pub state: RuleState,
    /// The value, where there was one.
    pub last_value: Option<f64>,
    /// When it fired last.
    pub last_fired_at: Option<OffsetDateTime>,
    /// The last day of the data that it fired by last; `None`: it did not, or they had none.
    pub told_through: Option<Date>,
    /// Whether an alert of it is open.
    pub is_open: bool,
}

impl Standing {
    /// A rule that was never evaluated.
    pub const NEW: Self = Self {
        state: RuleState::Ok,
        last_value: None,
        last_fired_at: None,
        told_through: None,
        is_open: false,
    };
}

/// The change of a rule by an evaluation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transition {
    /// How the rule stands from now on.
    pub standing: Standing,
    /// The event to tell of; `None`: nothing is new.
    pub event: Option<RuleEvent>,
    /// Whether the events that were counted are counted again at the next evaluation, since nobody was told of them.
    pub recounts: bool,
}

/// Something to tell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RuleEvent {
    /// It fires. The alerts of it that are open go on.
    Fires(Figures),
    /// Something happened: an alert that is over as it is told.
    Happened(Figures),
    /// Its open alerts are over; the value, where there is one.
    Resolved(Option<f64>),
    /// Its open alerts are over, since nobody watches the site any more.
    Paused,
}

/// Takes a rule from one evaluation to the next.
///
/// A breach fires when it begins, unless the rule fired within its cooldown; then as soon as that is over. A breach that goes
/// on fires again after each cooldown, but not where the rule has none, nor where the metric runs down by itself, nor by the data
/// that the open alert tells of already (`data_through`). While the site is being worked on nothing fires. Without data an open alert
/// stays open, unless the site is watched no more.
#[must_use]
pub fn transition(
    rule: &RuleSettings,
    metric: &AlertMetric,
    before: &Standing,
    verdict: &Verdict,
    attention: Attention,
    data_through: Option<Date>,
    now: OffsetDateTime,
) -> Transition {
    let next = |state, last_value| Standing {
        state,
        last_value,
        ..*before
    };
    let is_over = |standing: Standing, value| Transition {
        standing: Standing {
            is_open: false,
            ..standing
        },
        event: before.is_open.then_some(RuleEvent::Resolved(value)),
        recounts: false,
    };
    if attention == Attention::Paused {
        return Transition {
            standing: Standing {
                is_open: false,
                ..next(RuleState::NoData, verdict.value())
            },
            event: before.is_open.then_some(RuleEvent::Paused),
            recounts: metric.kind == MetricKind::Event,
        };
    }
    match *verdict {
        Verdict::NoData { value } => Transition {
            standing: next(RuleState::NoData, value),
            event: None,
            recounts: false,
        },
        Verdict::Nothing => is_over(next(RuleState::Ok, None), None),
        Verdict::Judged {
            is_breach: false,
            figures,
        } => is_over(next(RuleState::Ok, Some(figures.value)), Some(figures.value)),
        Verdict::Judged {
            is_breach: true,
            figures,
        } => {
            let standing = next(RuleState::Firing, Some(figures.value));
            let is_event = metric.kind == MetricKind::Event;
            // No alert of an event is open: it was of a measure that is an event now, and ends before the events are told.
            if is_event && before.is_open {
                return Transition {
                    recounts: true,
                    ..is_over(next(RuleState::Ok, Some(figures.value)), Some(figures.value))
                };
            }
            if attention == Attention::Silenced || !is_due(rule, metric, before, data_through, now) {
                return Transition {
                    standing,
                    event: None,
                    recounts: is_event,
                };
            }
            Transition {
                standing: Standing {
                    last_fired_at: Some(now),
                    told_through: data_through,
                    is_open: !is_event,
                    ..standing
                },
                event: Some(if is_event {
                    RuleEvent::Happened(figures)
                } else {
                    RuleEvent::Fires(figures)
                }),
                recounts: false,
            }
        }
    }
}

/// Whether a breach fires now.
fn is_due(
    rule: &RuleSettings,
    metric: &AlertMetric,
    before: &Standing,
    data_through: Option<Date>,
    now: OffsetDateTime,
) -> bool {
    let told = before.told_through.zip(data_through);
    let is_told = told.is_some_and(|(told, through)| through <= told);
    if before.is_open && (metric.kind == MetricKind::Countdown || rule.cooldown_minutes == 0 || is_told) {
        return false;
    }
    // A clock that was set back would keep it silent for as long as it was ahead.
    before
        .last_fired_at
        .is_none_or(|fired| now < fired || now - fired >= rule.cooldown())
}
