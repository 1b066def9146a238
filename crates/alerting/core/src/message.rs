//! The words of an alert.

use std::borrow::Cow;

use pharos_domain::{
    alert_metric::{
        AlertMetric, AlertOperator, ComparisonWindow, EvaluationWindow, FormFactor, MetricFilter, MetricKind,
        Phrase, SearchType,
    },
    figure::number,
};
use serde_json::{Map, Value};

use crate::{alert::Fired, evaluate::Figures, rule::RuleSettings};

/// The title of an alert: the domain, and what became of which metric.
#[must_use]
pub fn title(rule: &RuleSettings, metric: &AlertMetric, domain: &str, figures: &Figures) -> String {
    format!("{domain}: {}", condition(rule, metric, figures))
}

/// An alert in sentences: the value, what it is compared with, the rule. A metric whose data are late says in `context`, as `date`,
/// which day its window ends with.
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
        "{} The rule{name}{part} fires {}.",
        looks.found(metric, figures, Tense::Present),
        threshold(rule, metric)
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

/// The part of the domain that a rule watches, such as `https://shop.example/hats on phones`; `None`: all of it.
#[must_use]
pub fn watched(filter: &MetricFilter) -> Option<String> {
    let devices = filter.form_factor.map(|devices| match devices {
        FormFactor::Mobile => "phones",
        FormFactor::Desktop => "computers",
    });
    let results = filter.search_type.map(|results| match results {
        SearchType::Web => "web results",
        SearchType::Image => "image results",
        SearchType::Video => "video results",
        SearchType::News => "news results",
        SearchType::Discover => "Discover",
        SearchType::GoogleNews => "Google News",
    });
    let parts: Vec<&str> = [filter.url.as_deref(), devices, results]
        .into_iter()
        .flatten()
        .collect();
    (!parts.is_empty()).then(|| parts.join(" on "))
}

/// When a rule fires, such as "at 2 checks or more".
#[must_use]
pub fn threshold(rule: &RuleSettings, metric: &AlertMetric) -> String {
    let value = quantity(rule.threshold, metric);
    let plain = number(rule.threshold);
    match rule.operator {
        AlertOperator::Gt => format!("above {value}"),
        AlertOperator::Gte => format!("at {value} or more"),
        AlertOperator::Lt => format!("below {value}"),
        AlertOperator::Lte => match metric.phrase {
            Phrase::Count { .. } => format!("at {value} or fewer"),
            Phrase::Amount(_) | Phrase::DaysLeft(_) | Phrase::Flag { .. } => format!("at {value} or less"),
        },
        AlertOperator::Eq => format!("at exactly {value}"),
        AlertOperator::PctDecrease => format!("at a drop of {plain} % or more"),
        AlertOperator::PctIncrease => format!("at a rise of {plain} % or more"),
        AlertOperator::Anomaly => {
            let unit = if is_one(rule.threshold) {
                "deviation"
            } else {
                "deviations"
            };
            format!("at more than {plain} {unit} from what is usual")
        }
    }
}

/// A window in words.
enum Span<'a> {
    /// A time up to the present.
    Recent(&'static str),
    /// A day.
    Day(&'a str),
    /// A time up to a day.
    Until(&'static str, &'a str),
}

impl Span<'_> {
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
fn span<'a>(looks: &Looks<'a>, tense: Tense) -> Option<Span<'a>> {
    let (length, present, past) = match looks.evaluation_window {
        EvaluationWindow::Latest => return None,
        EvaluationWindow::Hour => ("hour", "the last hour", "the hour before"),
        EvaluationWindow::Day => ("24 hours", "the last 24 hours", "the 24 hours before"),
        EvaluationWindow::Week => ("7 days", "the last 7 days", "the 7 days before"),
        EvaluationWindow::FourWeeks => ("28 days", "the last 28 days", "the 28 days before"),
    };
    Some(match (looks.last_day, looks.evaluation_window) {
        (None, _) => Span::Recent(tense.of(present, past)),
        (Some(day), EvaluationWindow::Day) => Span::Day(day),
        (Some(day), _) => Span::Until(length, day),
    })
}

/// Units of the catalogue that are no words behind a number: nobody says "503 code" or "1 flag", and a number of requests says of what
/// it is.
const UNSAID: [&str; 5] = ["code", "currency", "flags", "rank", "requests"];

/// A value with its unit, in the singular where there is one of it. Where people count what the unit does not name, as errors whose
/// unit is issues, the number stands alone.
fn quantity(value: f64, metric: &AlertMetric) -> String {
    let number = number(value);
    match (metric.display_unit, metric.phrase) {
        ("", _) => number,
        (unit, _) if UNSAID.contains(&unit) => number,
        (unit, Phrase::Count { many, .. }) if !many.contains(unit) => number,
        (unit, _) if is_one(value) => format!("{number} {}", singular(unit)),
        (unit, _) => format!("{number} {unit}"),
    }
}

/// So many of what the metric counts.
fn counted(value: f64, metric: &AlertMetric) -> String {
    match metric.phrase {
        Phrase::Count { one, .. } if is_one(value) => format!("{} {one}", number(value)),
        Phrase::Count { many, .. } => format!("{} {many}", number(value)),
        Phrase::Amount(_) | Phrase::DaysLeft(_) | Phrase::Flag { .. } => quantity(value, metric),
    }
}

/// Whether something is so, in a clause.
fn flagged(value: f64, metric: &AlertMetric, tense: Tense) -> String {
    let Phrase::Flag { who, are_many, what } = metric.phrase else {
        return counted(value, metric);
    };
    let is = if are_many {
        tense.of("are", "were")
    } else {
        tense.of("is", "was")
    };
    let not = if value > 0.0 { "" } else { " not" };
    format!("{who} {is}{not} {what}")
}

/// When something ends that has so many whole days left.
fn ending(days: f64, metric: &AlertMetric, tense: Tense) -> String {
    let ends = tense.of("ends", "was to end");
    if days < 0.0 {
        tense.of("has ended", "had ended").to_owned()
    } else if days < 1.0 {
        format!("{ends} within a day")
    } else {
        format!("{ends} in {}", quantity(days, metric))
    }
}

/// Whether it reads as one.
fn is_one(value: f64) -> bool {
    number(value) == "1"
}

/// The unit of one. Abbreviations, such as ms, have no plural.
fn singular(unit: &'static str) -> Cow<'static, str> {
    if unit.len() < 3 {
        return unit.into();
    }
    match (unit.strip_suffix("ies"), unit.strip_suffix('s')) {
        (Some(stem), _) => format!("{stem}y").into(),
        (None, Some(stem)) => stem.into(),
        (None, None) => unit.into(),
    }
}

/// The words as a headline begins with them: without an article.
fn headed(words: &str) -> String {
    capital(words.strip_prefix("the ").unwrap_or(words))
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{RESPONSE_MS, alert, rule};

    #[test]
    fn an_alert_says_what_is_and_what_should_be() {
        let mut rule = rule(AlertOperator::Gt, 2_000.0);
        rule.name = Some("Slow shop".to_owned());
        let figures = Figures {
            value: 2_345.678,
            baseline: None,
            change_pct: None,
        };
        assert_eq!(
            title(&rule, &RESPONSE_MS, "shop.example", &figures),
            "shop.example: Response time is 2,345.68 ms"
        );
        assert_eq!(
            message(&rule, &RESPONSE_MS, &figures, &Map::new()),
            "The response time over the last hour is 2,345.68 ms. The rule \u{201c}Slow shop\u{201d} fires above 2,000 ms."
        );
    }

    #[test]
    fn a_part_of_the_domain_is_named() {
        let mut rule = rule(AlertOperator::Gt, 2_000.0);
        let figures = Figures {
            value: 2_345.678,
            baseline: None,
            change_pct: None,
        };
        for (url, form_factor, search_type, part) in [
            (
                Some("https://shop.example/hats"),
                None,
                None,
                " for https://shop.example/hats",
            ),
            (None, Some(FormFactor::Desktop), None, " for computers"),
            (None, None, Some(SearchType::Image), " for image results"),
            (
                Some("https://shop.example/hats"),
                Some(FormFactor::Mobile),
                None,
                " for https://shop.example/hats on phones",
            ),
        ] {
            rule.filter = MetricFilter {
                url: url.map(str::to_owned),
                form_factor,
                search_type,
            };
            assert_eq!(
                message(&rule, &RESPONSE_MS, &figures, &Map::new()),
                format!(
                    "The response time over the last hour is 2,345.68 ms. The rule{part} fires above 2,000 ms."
                )
            );
        }
    }

    #[test]
    fn a_change_names_its_base() {
        let mut rule = rule(AlertOperator::PctIncrease, 20.0);
        rule.comparison_window = Some(ComparisonWindow::SameDayLastWeek);
        let figures = Figures {
            value: 120.0,
            baseline: Some(100.0),
            change_pct: Some(20.0),
        };
        assert_eq!(
            title(&rule, &RESPONSE_MS, "shop.example", &figures),
            "shop.example: Response time is up 20 % to 120 ms"
        );
        assert_eq!(
            message(&rule, &RESPONSE_MS, &figures, &Map::new()),
            "The response time over the last hour is 120 ms. That is 20 % more than a week before (100 ms). The rule fires at a \
             rise of 20 % or more."
        );
    }

    #[test]
    fn data_that_are_late_are_told_by_their_day() {
        let mut rule = rule(AlertOperator::Lt, 100.0);
        let figures = Figures {
            value: 12.0,
            baseline: None,
            change_pct: None,
        };
        let clicks = AlertMetric {
            phrase: Phrase::Count {
                one: "click",
                many: "clicks",
            },
            display_unit: "clicks",
            data_lag_hours: 72,
            ..RESPONSE_MS
        };
        let position = AlertMetric {
            data_lag_hours: 72,
            ..RESPONSE_MS
        };
        let context: Map<String, Value> = [("date".to_owned(), "2026-03-28".into())].into_iter().collect();
        let found = |rule: &RuleSettings, metric| {
            let message = message(rule, metric, &figures, &context);
            message.split_once(" The rule").unwrap().0.to_owned()
        };
        rule.evaluation_window = EvaluationWindow::Day;
        assert_eq!(found(&rule, &clicks), "There were 12 clicks on 2026-03-28.");
        assert_eq!(
            found(&rule, &position),
            "The response time on 2026-03-28 is 12 ms."
        );
        assert_eq!(
            found(&rule, &RESPONSE_MS),
            "The response time over the last 24 hours is 12 ms."
        );
        rule.evaluation_window = EvaluationWindow::Week;
        assert_eq!(
            found(&rule, &clicks),
            "There were 12 clicks in the 7 days up to 2026-03-28."
        );
    }

    #[test]
    fn what_is_over_was() {
        let mut over = alert().told;
        assert_eq!(
            past_message(&over, &RESPONSE_MS),
            "The response time over the hour before was 2,345.68 ms. The rule fires above 2,000 ms."
        );
        over.message = "In other words.".to_owned();
        assert_eq!(past_message(&over, &RESPONSE_MS), "In other words.");

        let mut rule = rule(AlertOperator::PctIncrease, 20.0);
        rule.comparison_window = Some(ComparisonWindow::PreviousDay);
        rule.evaluation_window = EvaluationWindow::Latest;
        let failures = AlertMetric {
            phrase: Phrase::Count {
                one: "failing check in a row",
                many: "failing checks in a row",
            },
            display_unit: "checks",
            ..RESPONSE_MS
        };
        let days = AlertMetric {
            phrase: Phrase::DaysLeft("the certificate"),
            display_unit: "days",
            ..RESPONSE_MS
        };
        let figures = Figures {
            value: 12.0,
            baseline: Some(10.0),
            change_pct: Some(20.0),
        };
        let past = |metric: &AlertMetric| {
            let fired = Fired {
                operator: rule.operator,
                comparison_window: rule.comparison_window,
                evaluation_window: rule.evaluation_window,
                figures,
                message: message(&rule, metric, &figures, &Map::new()),
                ..alert().told
            };
            past_message(&fired, metric)
        };
        assert_eq!(
            past(&failures),
            "There were 12 failing checks in a row. That was 20 % more than a day before (10 checks). The rule fires at a rise \
             of 20 % or more."
        );
        assert!(
            past(&days).starts_with("The certificate was to end in 12 days. That was 20 % more"),
            "{}",
            past(&days)
        );
        let kept_out = AlertMetric {
            phrase: Phrase::Flag {
                who: "Googlebot",
                are_many: false,
                what: "kept out by robots.txt",
            },
            ..RESPONSE_MS
        };
        assert!(
            past(&kept_out).starts_with("Googlebot was kept out by robots.txt. "),
            "{}",
            past(&kept_out)
        );
    }

    #[test]
    fn one_of_something_is_no_plural() {
        let table = [
            ("checks", "check"),
            ("queries", "query"),
            ("URLs", "URL"),
            ("ms", "ms"),
            ("s", "s"),
            ("%", "%"),
        ];
        for (unit, one) in table {
            assert_eq!(singular(unit), one);
        }
    }
}
