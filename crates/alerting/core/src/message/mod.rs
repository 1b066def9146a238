//! The words of an alert.

mod condition;
#[cfg(test)]
mod tests;
mod words;

use pharos_domain::{
    alert_metric::{AlertMetric, AlertOperator, ComparisonWindow, EvaluationWindow, MetricKind, Phrase},
    figure::number,
    line::one_line,
};
use serde_json::{Map, Value};

use self::words::{capital, counted, ending, flagged, headed, is_one};
pub use self::{
    condition::{threshold, watched},
    words::quantity,
};
use crate::{alert::Fired, evaluate::Figures, rule::RuleSettings};

/// The characters of a reason.
const LONGEST_REASON: usize = 300;

/// The title of an alert: the domain, and what became of which metric.
#[must_use]
pub fn title(rule: &RuleSettings, metric: &AlertMetric, domain: &str, figures: &Figures) -> String {
    format!("{domain}: {}", condition(rule, metric, figures))
}

/// An alert in sentences: the value, what it is compared with, the rule. A metric whose data are late says in `context`, as `date`,
/// which day its window ends with. Where the source knows why the value is what it is, that is the `reason` there: a sentence, of
/// which parts may come from the site.
#[must_use]
pub fn message(
    rule: &RuleSettings,
    metric: &AlertMetric,
    figures: &Figures,
    context: &Map<String, Value>,
) -> String {
    let name = rule
        .name
        .as_ref()
        .map(|name| format!(" \u{201c}{name}\u{201d}"))
        .unwrap_or_default();
    let part = watched(&rule.filter)
        .map(|part| format!(" for {part}"))
        .unwrap_or_default();
    let looks = Looks {
        operator: rule.operator,
        comparison_window: rule.comparison_window,
        evaluation_window: rule.evaluation_window,
        last_day: last_day(metric, context),
    };
    format!(
        "{} The rule{name}{part} fires {}.{}",
        looks.found(metric, figures, Tense::Present),
        threshold(rule, metric),
        reason(context)
    )
}

/// The sentences of an alert that is over: what was, and the rule as it fired.
#[must_use]
pub fn past_message(fired: &Fired, metric: &AlertMetric) -> String {
    let looks = Looks {
        operator: fired.operator,
        comparison_window: fired.comparison_window,
        evaluation_window: fired.evaluation_window,
        last_day: last_day(metric, &fired.context),
    };
    let found = |tense| looks.found(metric, &fired.figures, tense);
    // A message in the words of another version stays as it is.
    match fired.message.strip_prefix(&found(Tense::Present)) {
        Some(rule) => format!("{}{rule}", found(Tense::Past)),
        None => fired.message.clone(),
    }
}

/// Whether it is told as it fires, or once it is over.
#[derive(Clone, Copy)]
enum Tense {
    Present,
    Past,
}

impl Tense {
    const fn of(self, present: &'static str, past: &'static str) -> &'static str {
        match self {
            Self::Present => present,
            Self::Past => past,
        }
    }
}

/// The part of a rule that its figures come from.
struct Looks<'a> {
    operator: AlertOperator,
    comparison_window: Option<ComparisonWindow>,
    evaluation_window: EvaluationWindow,
    /// The last day of the window, where it does not end with the present.
    last_day: Option<&'a str>,
}

impl Looks<'_> {
    /// The value, and what it was compared with, in sentences.
    fn found(&self, metric: &AlertMetric, figures: &Figures, tense: Tense) -> String {
        let state = state(self, metric, figures.value, tense);
        let comparison = comparison(self, metric, figures, tense);
        format!("{state}.{comparison}")
    }
}

/// The last day that a metric whose data are late tells of.
fn last_day<'a>(metric: &AlertMetric, context: &'a Map<String, Value>) -> Option<&'a str> {
    let is_late = metric.data_lag_hours > 0;
    context.get("date").and_then(Value::as_str).filter(|_| is_late)
}

/// The reason that the source of the metric gives, as a sentence behind the others.
fn reason(context: &Map<String, Value>) -> String {
    let told = context.get("reason").and_then(Value::as_str).map(one_line);
    let told = told.as_deref().unwrap_or_default().trim_end_matches('.');
    if told.is_empty() {
        return String::new();
    }
    let mut kept: String = told.chars().take(LONGEST_REASON).collect();
    if kept.len() < told.len() {
        kept.push('\u{2026}');
    }
    format!(" The last error: {kept}.")
}

/// The course of a metric in a clause, as the title has it.
fn condition(rule: &RuleSettings, metric: &AlertMetric, figures: &Figures) -> String {
    let value = quantity(figures.value, metric);
    let change = match (rule.operator, figures.change_pct) {
        (AlertOperator::PctDecrease | AlertOperator::PctIncrease, Some(change)) => {
            let way = if change < 0.0 { "down" } else { "up" };
            format!("{way} {} % to", number(change.abs()))
        }
        (AlertOperator::Anomaly, _) => {
            let is_low = figures.baseline.is_some_and(|usual| figures.value < usual);
            format!("unusually {} at", if is_low { "low" } else { "high" })
        }
        _ => {
            return match metric.phrase {
                Phrase::Amount(what) => format!("{} is {value}", headed(what)),
                Phrase::Count { .. } => counted(figures.value, metric),
                Phrase::DaysLeft(what) => {
                    let ending = ending(figures.value, metric, Tense::Present);
                    format!("{} {ending}", headed(what))
                }
                Phrase::Flag { .. } => headed(&flagged(figures.value, metric, Tense::Present)),
            };
        }
    };
    match metric.phrase {
        Phrase::Amount(what) => format!("{} is {change} {value}", headed(what)),
        Phrase::Count { many, .. } => format!("{} are {change} {}", capital(many), number(figures.value)),
        Phrase::DaysLeft(_) | Phrase::Flag { .. } => format!("{} is {change} {value}", metric.label),
    }
}

/// The value in a sentence, without its full stop.
fn state(looks: &Looks<'_>, metric: &AlertMetric, value: f64, tense: Tense) -> String {
    let (is, now) = (tense.of("is", "was"), tense.of(" now", ""));
    match metric.phrase {
        Phrase::Amount(what) => match span(looks, tense) {
            None => format!("{} {is} {}{now}", capital(what), quantity(value, metric)),
            Some(span) => format!(
                "{} {} {is} {}",
                capital(what),
                span.of("over"),
                quantity(value, metric)
            ),
        },
        Phrase::Count { .. } => {
            let (one, many, when) = match (metric.kind, span(looks, tense)) {
                (MetricKind::Event, _) => (
                    "was",
                    "were",
                    tense
                        .of(" since the last evaluation", " since the evaluation before")
                        .to_owned(),
                ),
                (_, Some(span)) => ("was", "were", format!(" {}", span.of("in"))),
                (_, None) => (is, tense.of("are", "were"), now.to_owned()),
            };
            let is = if is_one(value) { one } else { many };
            format!("There {is} {}{when}", counted(value, metric))
        }
        Phrase::DaysLeft(what) => format!("{} {}", capital(what), ending(value, metric, tense)),
        Phrase::Flag { .. } => format!("{}{now}", capital(&flagged(value, metric, tense))),
    }
}

/// The past in a sentence of its own, where the rule looks at the past.
fn comparison(looks: &Looks<'_>, metric: &AlertMetric, figures: &Figures, tense: Tense) -> String {
    let Some(base) = figures.baseline else {
        return String::new();
    };
    let way = if figures.value < base { "less" } else { "more" };
    let (is, base) = (tense.of("is", "was"), quantity(base, metric));
    let past = match (looks.operator, looks.comparison_window) {
        (AlertOperator::Anomaly, _) | (_, None) => "usual",
        (_, Some(ComparisonWindow::PreviousDay)) => "a day before",
        (_, Some(ComparisonWindow::SameDayLastWeek)) => "a week before",
        (_, Some(ComparisonWindow::Previous7Days)) => "in the mean of the 7 days before",
        (_, Some(ComparisonWindow::Previous28Days)) => "in the mean of the 28 days before",
    };
    match figures.change_pct {
        Some(change) => format!(
            " That {is} {} % {way} than {past} ({base}).",
            number(change.abs())
        ),
        None => format!(" That {is} {way} than {past} ({base})."),
    }
}

/// A window in words.
enum WindowWords<'a> {
    /// A time up to the present.
    Recent(&'static str),
    /// A day.
    Day(&'a str),
    /// A time up to a day.
    Until(&'static str, &'a str),
}

impl WindowWords<'_> {
    /// The words, behind `over` or `in` where they go with one.
    fn of(&self, preposition: &str) -> String {
        match self {
            Self::Recent(span) => format!("{preposition} {span}"),
            Self::Day(day) => format!("on {day}"),
            Self::Until(span, day) => format!("{preposition} the {span} up to {day}"),
        }
    }
}

/// The window as a time; `None` for the newest value.
fn span<'a>(looks: &Looks<'a>, tense: Tense) -> Option<WindowWords<'a>> {
    let (length, present, past) = match looks.evaluation_window {
        EvaluationWindow::Latest => return None,
        EvaluationWindow::Hour => ("hour", "the last hour", "the hour before"),
        EvaluationWindow::Day => ("24 hours", "the last 24 hours", "the 24 hours before"),
        EvaluationWindow::Week => ("7 days", "the last 7 days", "the 7 days before"),
        EvaluationWindow::FourWeeks => ("28 days", "the last 28 days", "the 28 days before"),
    };
    Some(match (looks.last_day, looks.evaluation_window) {
        (None, _) => WindowWords::Recent(tense.of(present, past)),
        (Some(day), EvaluationWindow::Day) => WindowWords::Day(day),
        (Some(day), _) => WindowWords::Until(length, day),
    })
}
