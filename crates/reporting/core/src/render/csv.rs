//! A report for spreadsheets: a table a widget, one below the other.

use pharos_domain::{
    line::is_unseen,
    report_widget::{DataField, FieldChange, FieldFormat, WidgetKind, at_path},
};
use serde_json::Value;

use super::{left_out, rows, summary_days, why_nothing, words};
use crate::{data::WidgetData, document::Document, own};

/// The report. Its first bytes say that it is UTF-8, which some spreadsheets need. A table is headed by its section and title; an
/// empty line ends it. Numbers are as the API has them, with a point; texts can't be taken for formulas.
///
/// # Errors
/// The rows can't be written: a mistake of the program.
pub fn report(document: &Document) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::WriterBuilder::new()
        .flexible(true)
        .from_writer("\u{feff}".as_bytes().to_vec());
    let days = document.window.days;
    let mut head = vec![
        document.title.clone(),
        document.domain.clone(),
        days.first().to_string(),
        days.last().to_string(),
    ];
    if let Some(compared) = &document.compared {
        head.extend([
            "compared with".to_owned(),
            compared.window.first().to_string(),
            compared.window.last().to_string(),
        ]);
    }
    writer.write_record(head.iter().map(|text| safe(text)))?;
    for section in &document.sections {
        for data in &section.widgets {
            writer.write_record([""])?;
            writer.write_record([safe(&section.title), safe(&data.title)])?;
            let whole = data.answer.data.as_ref().filter(|_| data.name == own::SUMMARY);
            if let Some(days) = whole.and_then(|whole| summary_days(document.locale, whole)) {
                writer.write_record([safe(&days)])?;
            }
            widget(&mut writer, document.compared.is_some(), data)?;
            if let Some(missing) = data.answer.data.as_ref().and_then(left_out) {
                writer.write_record([safe(&missing)])?;
            }
        }
    }
    writer
        .into_inner()
        .map_err(|error| csv::Error::from(error.into_error()))
}

/// `compares`: whether changes against the days before are told.
fn widget(writer: &mut csv::Writer<Vec<u8>>, compares: bool, data: &WidgetData) -> Result<(), csv::Error> {
    let Some(whole) = data.answer.data.as_ref() else {
        return writer.write_record([why_nothing(data).unwrap_or_default()]);
    };
    let widget = data.widget;
    if widget.rows.is_none() && widget.kind != WidgetKind::Text {
        let names = ["Figure", "Value", "Change", "Unit", "Unit of the change"];
        writer.write_record(figure(compares, names.map(str::to_owned)))?;
        for field in widget.fields {
            let change = field.change.and_then(|change| at_path(whole, change.path()));
            let unit = match field.format {
                FieldFormat::Money => whole.get("currency").and_then(Value::as_str).unwrap_or_default(),
                format => unit(format),
            };
            let cells = [
                safe(field.label),
                cell(at_path(whole, field.path)),
                cell(change),
                safe(unit),
                unit_of_change(field.change).to_owned(),
            ];
            writer.write_record(figure(compares, cells))?;
        }
        return Ok(());
    }
    let changes = |field: &DataField| field.change.filter(|_| compares);
    writer.write_record(widget.fields.iter().flat_map(|field| {
        let change = changes(field).map(|change| name_of_change(field, change));
        std::iter::once(safe(field.label)).chain(change)
    }))?;
    let own = std::slice::from_ref(whole);
    let lines = if widget.rows.is_some() {
        rows(widget, whole)
    } else {
        own
    };
    for row in lines {
        writer.write_record(widget.fields.iter().flat_map(|field| {
            let change = changes(field).map(|change| cell(at_path(row, change.path())));
            std::iter::once(cell(at_path(row, field.path))).chain(change)
        }))?;
    }
    Ok(())
}

/// The cells of a figure; without its change and the unit of that where no days are compared.
fn figure(compares: bool, cells: [String; 5]) -> Vec<String> {
    if compares {
        return cells.into();
    }
    let [name, value, _, unit, _] = cells;
    vec![name, value, unit]
}

fn unit(format: FieldFormat) -> &'static str {
    match format {
        FieldFormat::Percent => "%",
        FieldFormat::Millis => "ms",
        FieldFormat::Seconds => "s",
        FieldFormat::Days => "days",
        _ => "",
    }
}

fn unit_of_change(change: Option<FieldChange>) -> &'static str {
    match change {
        Some(FieldChange::Percent(_)) => "%",
        Some(FieldChange::Points(_)) => "pp",
        Some(FieldChange::Places(_)) => "places",
        // A difference of fractions has no unit, as they have none.
        Some(FieldChange::Fraction(_)) | None => "",
    }
}

/// The name of the column that has the changes of another.
fn name_of_change(field: &DataField, change: FieldChange) -> String {
    match unit_of_change(Some(change)) {
        "" => safe(&format!("{}, change", field.label)),
        unit => safe(&format!("{}, change ({unit})", field.label)),
    }
}

fn cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null | Value::Object(_)) => String::new(),
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::Bool(flag)) => if *flag { "yes" } else { "no" }.to_owned(),
        Some(Value::String(text)) => safe(text),
        Some(Value::Array(items)) => {
            let items: Vec<String> = items
                .iter()
                .map(|item| {
                    words::value(
                        crate::format::ReportLocale::En,
                        FieldFormat::Text,
                        Some(item),
                        None,
                    )
                })
                .collect();
            safe(&items.join(", "))
        }
    }
}

/// Characters that end a cell for some spreadsheets: where decimals have a comma, these split at semicolons, and see no
/// quotation mark that stands after a comma.
const ENDS: [char; 3] = [';', '\r', '\n'];

/// A text that no spreadsheet takes for a formula: what begins as such has an apostrophe before it (OWASP, "CSV Injection"), also
/// where it begins a cell for some spreadsheets alone. Blanks, quotation marks and what shows nothing do not hide the sign.
fn safe(text: &str) -> String {
    let mut written = String::with_capacity(text.len() + 1);
    for part in text.split_inclusive(ENDS) {
        let shown = part.trim_start_matches(|one: char| one.is_whitespace() || is_unseen(one) || one == '"');
        let is_formula = shown.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
        let is_control = written.is_empty() && part.starts_with(['\t', '\r', '\n']);
        if is_formula || is_control {
            written.push('\'');
        }
        written.push_str(part);
    }
    written
}

#[cfg(test)]
mod tests {
    use pharos_domain::{
        report_widget::{Better, Empty, ReportWidget, SectionName, WidgetAnswer},
        window::{CompareMode, Comparison},
    };
    use serde_json::json;

    use super::*;
    use crate::data::SectionData;

    const VISITS: ReportWidget = ReportWidget {
        name: "kpi_row",
        label: "Visits",
        description: "",
        kind: WidgetKind::Kpi,
        default_enabled: true,
        config: &[],
        rows: None,
        fields: &[
            DataField::new("bounce_rate_pct", "Bounce rate", FieldFormat::Percent)
                .with(FieldChange::Points("bounce_rate_change_pp"), Better::Lower),
        ],
        empty: Empty::NoData,
        measured_by: None,
    };

    #[test]
    fn changes_and_the_days_before_are_there_where_days_are_compared() {
        let data = json!({ "bounce_rate_pct": 41.5, "bounce_rate_change_pp": -2.5 });
        let section = SectionData {
            name: SectionName::Analytics,
            title: "Web analytics".to_owned(),
            widgets: vec![WidgetData {
                name: VISITS.name.to_owned(),
                widget: &VISITS,
                title: VISITS.label.to_owned(),
                answer: WidgetAnswer::of(data),
            }],
        };
        let mut document = Document::of(vec![section]);
        let told = |document: &Document| String::from_utf8(report(document).unwrap()).unwrap();
        let alone = told(&document);
        assert!(
            alone.contains("March,shop.example,2026-03-01,2026-03-31\n"),
            "{alone}"
        );
        assert!(
            alone.ends_with("Figure,Value,Unit\nBounce rate,41.5,%\n"),
            "{alone}"
        );
        document.compared = Some(Comparison {
            window: document.window.days.preceding(),
            mode: CompareMode::CalendarMonth,
            is_kept: true,
        });
        let compared = told(&document);
        let head = "March,shop.example,2026-03-01,2026-03-31,compared with,2026-01-29,2026-02-28\n";
        assert!(compared.contains(head), "{compared}");
        assert!(
            compared.ends_with("Figure,Value,Change,Unit,Unit of the change\nBounce rate,41.5,-2.5,%,pp\n"),
            "{compared}"
        );
    }

    #[test]
    fn modules_that_are_missing_are_named_below_the_table() {
        let data = json!({ "bounce_rate_pct": 41.5, "unavailable_modules": ["uptime", "gsc"] });
        let section = SectionData {
            name: SectionName::Overview,
            title: "Overview".to_owned(),
            widgets: vec![WidgetData {
                name: VISITS.name.to_owned(),
                widget: &VISITS,
                title: VISITS.label.to_owned(),
                answer: WidgetAnswer::of(data),
            }],
        };
        let told = String::from_utf8(report(&Document::of(vec![section])).unwrap()).unwrap();
        let missing = "\"Could not be read when the report was made: Uptime, Search performance.\"\n";
        assert!(told.ends_with(missing), "{told}");
    }

    #[test]
    fn no_text_is_taken_for_a_formula() {
        for text in [
            "=1+1",
            "+1",
            "-1",
            "@SUM(A1)",
            "\t=1",
            "\r1",
            " =1",
            "＝1",
            "\u{feff}=1",
            " \u{200b}\u{202e}@A1",
            "\0-1",
        ] {
            assert_eq!(cell(Some(&json!(text))), format!("'{text}"));
        }
        assert_eq!(cell(Some(&json!("/shoes?a=1"))), "/shoes?a=1");
        assert_eq!(cell(Some(&json!(["=a", "b"]))), "'=a, b");
    }

    #[test]
    fn a_change_says_what_it_is_counted_in() {
        for (change, unit) in [
            (Some(FieldChange::Percent("visitors_change_pct")), "%"),
            (Some(FieldChange::Points("bounce_rate_change_pp")), "pp"),
            (Some(FieldChange::Places("position_change")), "places"),
            (Some(FieldChange::Fraction("ctr_change")), ""),
            (None, ""),
        ] {
            assert_eq!(unit_of_change(change), unit);
        }
    }

    #[test]
    fn no_part_of_a_text_is_taken_for_a_formula_where_cells_end_otherwise() {
        for (text, written) in [
            ("/shoes;=1+1", "/shoes;'=1+1"),
            ("a; @SUM(A1);b", "a;' @SUM(A1);b"),
            ("a;\"=1+1;", "a;'\"=1+1;"),
            ("a\n-1", "a\n'-1"),
            ("\r=1", "'\r'=1"),
            ("a=1;b-2, +3", "a=1;b-2, +3"),
        ] {
            assert_eq!(cell(Some(&json!(text))), written);
        }
    }

    #[test]
    fn numbers_are_numbers() {
        assert_eq!(cell(Some(&json!(-12.5))), "-12.5");
        assert_eq!(cell(Some(&json!(0))), "0");
        assert_eq!(cell(Some(&Value::Null)), "", "not measured is not 0");
    }
}
