//! Values and what they are of, in words.

use std::borrow::Cow;

use pharos_domain::{
    alert_metric::{AlertMetric, Phrase},
    figure::number,
};

use super::Tense;

/// Units of the catalogue that are no words behind a number: nobody says "503 code" or "1 flag", and a number of requests says of what
/// it is.
const UNSAID: [&str; 5] = ["code", "currency", "flags", "rank", "requests"];

/// A value with its unit, in the singular where there is one of it. Where people count what the unit does not name, as errors whose
/// unit is issues, the number stands alone.
#[must_use]
pub fn quantity(value: f64, metric: &AlertMetric) -> String {
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
pub(super) fn counted(value: f64, metric: &AlertMetric) -> String {
    match metric.phrase {
        Phrase::Count { one, .. } if is_one(value) => format!("{} {one}", number(value)),
        Phrase::Count { many, .. } => format!("{} {many}", number(value)),
        Phrase::Amount(_) | Phrase::DaysLeft(_) | Phrase::Flag { .. } => quantity(value, metric),
    }
}

/// Whether something is so, in a clause.
pub(super) fn flagged(value: f64, metric: &AlertMetric, tense: Tense) -> String {
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
pub(super) fn ending(days: f64, metric: &AlertMetric, tense: Tense) -> String {
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
pub(super) fn is_one(value: f64) -> bool {
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
pub(super) fn headed(words: &str) -> String {
    capital(words.strip_prefix("the ").unwrap_or(words))
}

pub(super) fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

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
