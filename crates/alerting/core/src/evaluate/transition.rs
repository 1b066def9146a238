//! From one evaluation to the next: when a rule fires, fires again, and resolves.

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
    /// The last day of the data with which it last fired; `None`: it did not, or the data had no day.
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
    /// Whether the next evaluation counts the same events again, since they were not reported.
    pub recounts: bool,
}

/// Something to tell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RuleEvent {
    /// It fires. The alerts of it that are open go on.
    Fires(Figures),
    /// Something happened: the alert is over as soon as it is reported.
    Happened(Figures),
    /// Its open alerts are over; the value, where there is one.
    Resolved(Option<f64>),
    /// Its open alerts are over, since the site is no longer watched.
    Paused,
}

/// Takes a rule from one evaluation to the next.
///
/// A breach fires when it begins, unless the rule fired within its cooldown: then it fires once the cooldown is over. A breach
/// that goes on fires again after each cooldown, except where the rule has none, where the metric runs down by itself, or where
/// the data are those that the open alert has reported already (`data_through`). While the site is being worked on nothing
/// fires. Without data an open alert stays open, unless the site is no longer watched.
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
            // No alert of an event is open. This one is of a metric that was a measure and counts events now, so it ends before
            // the events are reported.
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
    // Otherwise a clock that was set back would keep it silent for as long as the clock was ahead.
    before
        .last_fired_at
        .is_none_or(|fired| now < fired || now - fired >= rule.cooldown())
}
