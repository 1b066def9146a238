//! Figures as German readers have them, written here a second time: a report that is held against its own writer is always right.

use pharos_domain::report_widget::{Better, DataField, FieldChange, FieldFormat, at_path};
use pharos_reporting::render::labels;
use serde_json::Value;

/// The sign of what was not measured.
pub(super) const NOTHING: &str = "–";

/// With so many decimals: a dot before each three digits, and a comma before the decimals.
pub(super) fn fixed(value: f64, decimals: usize) -> String {
    let plain = format!("{:.decimals$}", value.abs());
    let (whole, rest) = plain.split_once('.').unwrap_or((plain.as_str(), ""));
    let mut written = String::new();
    if value < 0.0 && plain.contains(|digit: char| matches!(digit, '1'..='9')) {
        written.push('-');
    }
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at) % 3 == 0 {
            written.push('.');
        }
        written.push(digit);
    }
    if !rest.is_empty() {
        written.push(',');
        written.push_str(rest);
    }
    written
}

/// The same without zeros at the end of the decimals.
fn at_most(value: f64, decimals: usize) -> String {
    let written = fixed(value, decimals);
    if written.contains(',') {
        written.trim_end_matches('0').trim_end_matches(',').to_owned()
    } else {
        written
    }
}

/// A share in percent. A share of nearly all is cut after three decimals, never rounded up to all.
fn share(percent: f64) -> String {
    if (99.0..100.0).contains(&percent) {
        let long = format!("{percent:.9}");
        let cut = long[..long.len() - 6].trim_end_matches('0').trim_end_matches('.');
        return format!("{} %", cut.replace('.', ","));
    }
    let decimals = if percent.abs() < 1.0 { 2 } else { 1 };
    format!("{} %", at_most(percent, decimals))
}

/// A length of time in its largest unit, and the next one where there is some of it.
fn length(seconds: f64) -> String {
    let mut rest = seconds.round();
    if rest < 60.0 {
        return format!("{} s", at_most(seconds, 1));
    }
    let mut parts = Vec::new();
    for (size, unit) in [(86_400.0, "d"), (3_600.0, "h"), (60.0, "min"), (1.0, "s")] {
        let count = (rest / size).floor();
        rest -= count * size;
        parts.push((count, unit));
    }
    let largest = parts.iter().position(|(count, _)| *count > 0.0);
    let two = parts.iter().skip(largest.unwrap_or_default()).take(2);
    let told: Vec<String> = two
        .filter(|(count, _)| *count > 0.0)
        .map(|(count, unit)| format!("{} {unit}", fixed(*count, 0)))
        .collect();
    told.join(" ")
}

/// A number with its unit.
pub(super) fn measured(format: FieldFormat, value: f64, currency: Option<&str>) -> String {
    match format {
        FieldFormat::Count | FieldFormat::Days => fixed(value, 0),
        FieldFormat::Difference if value > 0.0 => format!("+{}", fixed(value, 0)),
        FieldFormat::Difference => fixed(value, 0),
        FieldFormat::Score => at_most(value, 3),
        FieldFormat::Percent => share(value),
        FieldFormat::Fraction => share(value * 100.0),
        FieldFormat::Millis if value.abs() < 10.0 => format!("{} ms", at_most(value, 1)),
        FieldFormat::Millis => format!("{} ms", fixed(value, 0)),
        FieldFormat::Seconds => length(value),
        FieldFormat::Money => match currency {
            Some(currency) => format!("{} {currency}", fixed(value, 2)),
            None => fixed(value, 2),
        },
        FieldFormat::Number
        | FieldFormat::OfMetric
        | FieldFormat::Text
        | FieldFormat::Word
        | FieldFormat::Module
        | FieldFormat::Flag
        | FieldFormat::Day
        | FieldFormat::Moment => at_most(value, 2),
    }
}

/// A day from how the API writes it, or from the beginning of a moment.
pub(super) fn day(text: &str) -> String {
    format!("{}.{}.{}", &text[8..10], &text[5..7], &text[..4])
}

/// A moment from how the API writes it.
pub(super) fn moment(text: &str) -> String {
    format!("{} {} UTC", day(text), &text[11..16])
}

/// The text in the place of a field.
pub(super) fn written(field: &DataField, row: &Value, currency: Option<&str>) -> String {
    let value = at_path(row, field.path).unwrap_or(&Value::Null);
    let format = match (field.format, row["metric"].as_str()) {
        (FieldFormat::OfMetric, Some("cls")) => FieldFormat::Score,
        (FieldFormat::OfMetric, Some(metric)) if metric.ends_with("_ms") => FieldFormat::Millis,
        (FieldFormat::OfMetric, _) => FieldFormat::Count,
        (format, _) => format,
    };
    told(format, value, currency)
}

fn told(format: FieldFormat, value: &Value, currency: Option<&str>) -> String {
    match value {
        Value::Null | Value::Object(_) => NOTHING.to_owned(),
        Value::Bool(true) => "Yes".to_owned(),
        Value::Bool(false) => "No".to_owned(),
        Value::Number(number) => measured(format, number.as_f64().unwrap(), currency),
        Value::String(text) => match format {
            FieldFormat::Day => day(text),
            FieldFormat::Moment => moment(text),
            // Names of the API become words, and are no figures.
            FieldFormat::Word => labels::word(text),
            FieldFormat::Module => labels::section(text),
            _ => text.clone(),
        },
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| told(format, item, currency)).collect();
            items.join(", ")
        }
    }
}

/// The change of a figure against the days before, if there is one.
pub(super) fn change_of(field: &DataField, whole: &Value) -> Option<f64> {
    let is_measured = at_path(whole, field.path).is_some_and(|value| !value.is_null());
    let path = field.change.filter(|_| is_measured)?.path();
    at_path(whole, path)?.as_f64()
}

/// The texts of a column of a table, row by row: numbers with as many decimals as the one that needs most, and pages of the site by
/// their paths.
pub(super) fn column(field: &DataField, rows: &[Value], currency: Option<&str>) -> Vec<String> {
    let alone: Vec<String> = rows.iter().map(|row| written(field, row, currency)).collect();
    let unit = match field.format {
        FieldFormat::Percent | FieldFormat::Fraction => " %",
        FieldFormat::Number | FieldFormat::Score => "",
        _ => return paths(field, alone),
    };
    let decimals = |text: &String| {
        let number = text.strip_suffix(unit).unwrap_or(text);
        number.split_once(',').map_or(0, |(_, decimals)| decimals.len())
    };
    let most = alone.iter().map(decimals).max().unwrap_or_default();
    let padded = |(row, alone): (&Value, String)| {
        let Some(value) = at_path(row, field.path).and_then(Value::as_f64) else {
            return alone;
        };
        let value = match field.format {
            FieldFormat::Fraction => value * 100.0,
            _ => value,
        };
        if !unit.is_empty() && (99.0..100.0).contains(&value) {
            let long = format!("{value:.9}");
            return format!("{}{unit}", fixed(long[..long.len() - 6].parse().unwrap(), most));
        }
        format!("{}{unit}", fixed(value, most))
    };
    rows.iter().zip(alone).map(padded).collect()
}

/// Pages of the site by their paths, unless two have the same.
fn paths(field: &DataField, texts: Vec<String>) -> Vec<String> {
    if !matches!(field.path, "page" | "url" | "sample_url" | "top_url") {
        return texts;
    }
    let path = |text: &str| match text.strip_prefix("https://shop.example") {
        None => text.to_owned(),
        Some("") => "/".to_owned(),
        Some(path) => path.to_owned(),
    };
    let told = |text: &String| {
        let own = path(text);
        let is_alone = texts.iter().all(|other| other == text || path(other) != own);
        if is_alone { own } else { text.clone() }
    };
    texts.iter().map(told).collect()
}

/// Whether nobody can say yet that a change of the answer's figure is good: what may still change, or a sum that is lower before its
/// last day is over. The days of the report are at least 28.
fn is_early(field: &DataField, fell: bool, data: &Value) -> bool {
    let meta = &data["meta"];
    let day = |member: &str| {
        meta[member]
            .as_str()
            .unwrap_or_default()
            .get(..10)
            .unwrap_or_default()
    };
    let is_provisional = data["data_state"] == "all" && day("data_through") < day("range_end");
    let is_sum =
        matches!(field.format, FieldFormat::Count | FieldFormat::Money) || field.path == "downtime_seconds";
    is_provisional || (meta["range_end_partial"] == true && is_sum && fell)
}

/// The change of a figure of a row with its sign, its unit and the word that judges it, by the answer that the row is of.
pub(super) fn change(field: &DataField, row: &Value, data: &Value) -> Option<String> {
    let value = match field.change? {
        // Fractions of 1 are read in percent, and their difference in percentage points.
        FieldChange::Fraction(_) => change_of(field, row)? * 100.0,
        FieldChange::Percent(_) | FieldChange::Points(_) | FieldChange::Places(_) => change_of(field, row)?,
    };
    let size = fixed(value.abs(), 1);
    let sign = match size.as_str() {
        "0,0" => "",
        _ if value > 0.0 => "+",
        _ => "-",
    };
    let unit = match field.change? {
        FieldChange::Percent(_) => "%",
        FieldChange::Points(_) | FieldChange::Fraction(_) => "pp",
        FieldChange::Places(_) => "places",
    };
    // A sign is there where the change is not written as 0.
    let (rose, fell) = (sign == "+", sign == "-");
    let verdict = match field.better {
        _ if is_early(field, value < 0.0, data) => "",
        Better::Higher if rose => " better",
        Better::Higher if fell => " worse",
        Better::Lower if rose => " worse",
        Better::Lower if fell => " better",
        Better::Higher | Better::Lower | Better::Neither => "",
    };
    Some(format!("{sign}{size} {unit}{verdict}"))
}

/// The numbers of a text, as they stand in it.
pub(super) fn numbers(text: &str) -> Vec<String> {
    let is_mark = |one: char| matches!(one, '.' | ',' | ':');
    text.split(|one: char| !one.is_ascii_digit() && !is_mark(one))
        .map(|part| part.trim_matches(is_mark))
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The days of a summary, and which of them are not over or provisional.
pub(super) fn summary_days(data: &Value) -> String {
    let ends = [
        "range_start",
        "range_end",
        "compare_range_start",
        "compare_range_end",
    ];
    let [first, last, before, until] = ends.map(|end| day(data["meta"][end].as_str().unwrap()));
    let mut told = format!("{first} – {last}, compared with {before} – {until}.");
    if data["meta"]["range_end_partial"] == true {
        told.push_str(&format!(" {last} is not over."));
    }
    if let Some(from) = data["search_provisional_from"].as_str() {
        told.push_str(&format!(" Search from {} on is provisional.", day(from)));
    }
    told
}

#[test]
fn figures_are_written_for_german_readers() {
    let of = |format, value| measured(format, value, Some("EUR"));
    for (format, value, says) in [
        (FieldFormat::Number, 1_234_567.8, "1.234.567,8"),
        (FieldFormat::Number, 3.0, "3"),
        (FieldFormat::Number, -0.001, "0"),
        (FieldFormat::Count, 1_000.0, "1.000"),
        (FieldFormat::Count, -4.0, "-4"),
        (FieldFormat::Days, 428.0, "428"),
        (FieldFormat::Difference, 1_218.0, "+1.218"),
        (FieldFormat::Difference, 0.0, "0"),
        (FieldFormat::Score, 0.0224, "0,022"),
        (FieldFormat::Percent, 99.999_9, "99,999 %"),
        (FieldFormat::Percent, 99.5, "99,5 %"),
        (FieldFormat::Percent, 100.0, "100 %"),
        (FieldFormat::Percent, 46.51, "46,5 %"),
        (FieldFormat::Percent, 0.826, "0,83 %"),
        (FieldFormat::Fraction, 0.0721, "7,2 %"),
        (FieldFormat::Millis, 2_345.4, "2.345 ms"),
        (FieldFormat::Millis, 0.42, "0,4 ms"),
        (FieldFormat::Seconds, 42.25, "42,2 s"),
        (FieldFormat::Seconds, 186.4, "3 min 6 s"),
        (FieldFormat::Seconds, 86_460.0, "1 d"),
        (FieldFormat::Money, 28_712.2, "28.712,20 EUR"),
    ] {
        assert_eq!(of(format, value), says, "{format:?} {value}");
    }
    assert_eq!(moment("2026-03-31T09:15:02Z"), "31.03.2026 09:15 UTC");
    assert_eq!(
        numbers("Clicks (5xx) fell by 1,5 % to 1.234, on 31.03.2026 09:15."),
        ["5", "1,5", "1.234", "31.03.2026", "09:15"]
    );
}
