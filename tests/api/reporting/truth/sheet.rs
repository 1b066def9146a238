//! The tables of CSV, read back by a reader written here, and held cell by cell against the data.

use pharos_domain::report_widget::{DataField, FieldChange, FieldFormat, ReportWidget, WidgetKind, at_path};
use pharos_reporting::catalogue::Catalogue;
use serde_json::Value;

use super::{
    FIRST, FIRST_BEFORE, Faults, LAST, LAST_BEFORE, NAME, figures::summary_days, title_of, told::answer,
    walk::rows,
};

/// Holds the file of a report against its data, line by line. Differences after the first can't be told.
pub(super) fn in_tables(catalogue: &Catalogue, data: &Value, file: &str) -> Faults {
    let file = file
        .strip_prefix('\u{feff}')
        .expect("spreadsheets know UTF-8 by its first bytes");
    let mut lines = lines(file).into_iter();
    let head = [
        NAME,
        "shop.example",
        FIRST,
        LAST,
        "compared with",
        FIRST_BEFORE,
        LAST_BEFORE,
    ];
    assert_eq!(lines.next().unwrap(), head);
    for section in catalogue.sections() {
        let name = section.name.as_str();
        for known in &section.widgets {
            let at = format!("{name}/{}", known.widget.name);
            let mut wanted = vec![
                vec![String::new()],
                vec![format!("Teil {name}"), title_of(name, known.widget.name)],
            ];
            wanted.extend(table(
                known.widget,
                &answer(data, name, known.widget.name)["data"],
            ));
            for wanted in wanted {
                let found = lines.next().unwrap_or_default();
                let is_read = found.len() == wanted.len()
                    && found
                        .iter()
                        .zip(&wanted)
                        .all(|(found, wanted)| is_same(found, wanted));
                if !is_read {
                    return vec![(at, format!("CSV has {found:?} instead of {wanted:?}"))];
                }
            }
        }
    }
    let rest: Vec<Vec<String>> = lines.collect();
    assert!(rest.is_empty(), "nobody accounts for {rest:?}");
    Faults::new()
}

/// Whether a cell says what it should. An apostrophe keeps a spreadsheet from taking a text for a formula; a number may have lost its
/// sixteenth digit where the data were read as JSON.
fn is_same(found: &str, wanted: &str) -> bool {
    match (found.parse::<f64>(), wanted.parse::<f64>()) {
        (Ok(found), Ok(wanted)) => (found - wanted).abs() <= wanted.abs() * 1e-14,
        _ => found.replace('\'', "") == wanted.replace('\'', ""),
    }
}

/// The lines of a widget.
fn table(widget: &ReportWidget, data: &Value) -> Vec<Vec<String>> {
    if widget.kind == WidgetKind::Kpi {
        return figures(widget, data);
    }
    let mut lines = Vec::new();
    if widget.kind == WidgetKind::Text && widget.rows.is_some() {
        lines.push(vec![summary_days(data)]);
    }
    let heads = widget.fields.iter().flat_map(|field| {
        let change = field.change.map(|change| match unit_of(change) {
            "" => format!("{}, change", field.label),
            unit => format!("{}, change ({unit})", field.label),
        });
        std::iter::once(field.label.to_owned()).chain(change)
    });
    lines.push(heads.collect());
    let alone = std::slice::from_ref(data);
    let rows = if widget.rows.is_some() {
        rows(widget, data)
    } else {
        alone
    };
    lines.extend(rows.iter().map(|row| {
        let cells = widget.fields.iter().flat_map(|field| {
            let change = field.change.map(|change| cell(at_path(row, change.path())));
            std::iter::once(cell(at_path(row, field.path))).chain(change)
        });
        cells.collect()
    }));
    lines
}

fn figures(widget: &ReportWidget, data: &Value) -> Vec<Vec<String>> {
    let names = ["Figure", "Value", "Change", "Unit", "Unit of the change"];
    let figure = |field: &DataField| {
        let unit = match field.format {
            FieldFormat::Money => data["currency"].as_str().unwrap_or_default(),
            FieldFormat::Percent => "%",
            FieldFormat::Millis => "ms",
            FieldFormat::Seconds => "s",
            FieldFormat::Days => "days",
            _ => "",
        };
        let change = field.change.and_then(|change| at_path(data, change.path()));
        vec![
            field.label.to_owned(),
            cell(at_path(data, field.path)),
            cell(change),
            unit.to_owned(),
            field.change.map_or("", unit_of).to_owned(),
        ]
    };
    let mut lines = vec![names.map(str::to_owned).to_vec()];
    lines.extend(widget.fields.iter().map(figure));
    lines
}

/// A fraction has no unit, and so its change has none.
fn unit_of(change: FieldChange) -> &'static str {
    match change {
        FieldChange::Percent(_) => "%",
        FieldChange::Points(_) => "pp",
        FieldChange::Places(_) => "places",
        FieldChange::Fraction(_) => "",
    }
}

/// A value as the API has it.
fn cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null | Value::Object(_)) => String::new(),
        Some(Value::Bool(true)) => "yes".to_owned(),
        Some(Value::Bool(false)) => "no".to_owned(),
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(items)) => {
            let items: Vec<String> = items.iter().map(|item| cell(Some(item))).collect();
            items.join(", ")
        }
    }
}

/// The cells of each line (RFC 4180).
fn lines(file: &str) -> Vec<Vec<String>> {
    let (mut lines, mut line, mut text) = (Vec::new(), Vec::new(), String::new());
    let (mut is_quoted, mut letters) = (false, file.chars().peekable());
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => {
                letters.next();
                text.push('"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => line.push(std::mem::take(&mut text)),
            '\n' if !is_quoted => {
                line.push(std::mem::take(&mut text));
                lines.push(std::mem::take(&mut line));
            }
            letter => text.push(letter),
        }
    }
    assert!(
        !is_quoted && text.is_empty() && line.is_empty(),
        "the last line has no end"
    );
    lines
}

#[test]
fn cells_are_read_with_what_stands_in_quotation_marks() {
    assert_eq!(
        lines("a,\"b, \"\"c\"\"\nd\"\n\"\"\n1,\n"),
        [vec!["a", "b, \"c\"\nd"], vec![""], vec!["1", ""]]
    );
}
