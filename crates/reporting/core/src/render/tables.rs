//! Tables of widgets, and how figures changed.

use maud::{Markup, html};
use pharos_domain::report_widget::{Better, DataField, at_path};
use serde_json::Value;

use super::{rows, words};
use crate::{data::WidgetData, format::ReportLocale};

/// The currency of an answer's amounts.
pub(super) fn currency(whole: &Value) -> Option<&str> {
    whole.get("currency").and_then(Value::as_str)
}

/// How much a figure changed against the days before, in the unit that people read.
pub(super) fn changed(field: &DataField, whole: &Value) -> Option<f64> {
    let change = field.change?;
    Some(change.read(at_path(whole, change.path())?.as_f64()?))
}

/// The change of a figure, or of one of a row, against the days before: its sign says it, and a word besides the colour.
pub(super) fn change(locale: ReportLocale, field: &DataField, whole: &Value) -> Option<Markup> {
    let change = field.change?;
    let value = changed(field, whole)?;
    let verdict = match (field.better, words::judged(value)) {
        (Better::Neither, _) | (_, 0.0) => None,
        (Better::Higher, value) => Some(value > 0.0),
        (Better::Lower, value) => Some(value < 0.0),
    };
    let (class, word) = match verdict {
        None => ("even", ""),
        Some(true) => ("good", " better"),
        Some(false) => ("bad", " worse"),
    };
    Some(html! { span.change.(class) { (words::change(locale, change, value)) (word) } })
}

/// A row a line. Where days are compared, each figure that changes has a column beside it that says how.
pub(super) fn table(locale: ReportLocale, compares: bool, data: &WidgetData, whole: &Value) -> Markup {
    let rows = rows(data.widget, whole);
    if rows.is_empty() {
        return html! { p.nothing { "None." } };
    }
    let currency = currency(whole);
    let is_compared = |field: &DataField| compares && field.change.is_some();
    html! {
        div.scroll role="region" tabindex="0" aria-label={ "Table: " (data.title) } {
            table {
                thead {
                    tr {
                        @for field in data.widget.fields {
                            th.figure[field.format.is_numeric()] scope="col" { (field.label) }
                            @if is_compared(field) { th.figure scope="col" { "Change" } }
                        }
                    }
                }
                tbody {
                    @for row in rows {
                        tr {
                            @for (at, field) in data.widget.fields.iter().enumerate() {
                                @let told = words::value(locale, field.format, at_path(row, field.path), currency);
                                @let is_figure = field.format.is_numeric();
                                @if at == 0 {
                                    th.figure[is_figure] scope="row" { (told) }
                                } @else {
                                    td.figure[is_figure] { (told) }
                                }
                                @if is_compared(field) {
                                    td.figure.turn {
                                        @match change(locale, field, row) { Some(change) => (change), None => (words::NOTHING) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use pharos_domain::report_widget::{
        Empty, FieldChange, FieldFormat, ReportWidget, WidgetAnswer, WidgetKind,
    };
    use serde_json::json;

    use super::*;

    const QUERIES: ReportWidget = ReportWidget {
        name: "queries",
        label: "Queries",
        description: "",
        kind: WidgetKind::Table,
        default_enabled: true,
        config: &[],
        rows: Some("items"),
        fields: &[
            DataField::new("query", "Query", FieldFormat::Text),
            DataField::new("clicks", "Clicks", FieldFormat::Count)
                .with(FieldChange::Percent("clicks_change_pct"), Better::Higher),
            DataField::new("ctr", "CTR", FieldFormat::Fraction)
                .with(FieldChange::Fraction("ctr_change"), Better::Higher),
            DataField::new("position", "Position", FieldFormat::Number)
                .with(FieldChange::Places("position_change"), Better::Lower),
        ],
        empty: Empty::NoData,
        measured_by: None,
    };

    #[test]
    fn figures_of_rows_have_their_changes_beside_them_where_days_are_compared() {
        let rows = json!([
            { "query": "hats", "clicks": 12, "clicks_change_pct": 20.0, "ctr": 0.1, "ctr_change": -0.013, "position": 4.0, "position_change": -1.5 },
            { "query": "caps", "clicks": 1, "clicks_change_pct": null, "ctr": 0.5, "position": 2.0, "position_change": 0.0 },
            { "query": "coats", "clicks": 900, "clicks_change_pct": -0.04, "ctr": 0.1, "ctr_change": 0.0004, "position": 2.0, "position_change": 0.06 },
        ]);
        let data = WidgetData {
            name: QUERIES.name.to_owned(),
            widget: &QUERIES,
            title: QUERIES.label.to_owned(),
            answer: WidgetAnswer::of(json!({ "items": rows })),
        };
        let whole = data.answer.data.as_ref().unwrap();
        let told = table(ReportLocale::En, true, &data, whole).into_string();
        assert_eq!(told.matches(">Change</th>").count(), 3, "{told}");
        for part in [
            "<span class=\"change good\">+20.0% better</span>",
            "<span class=\"change bad\">-1.3\u{a0}pp worse</span>",
            "<span class=\"change good\">-1.5\u{a0}places better</span>",
            "<span class=\"change even\">0.0\u{a0}places</span>",
            "<td class=\"figure turn\">–</td>",
            "<span class=\"change even\">0.0%</span>",
            "<span class=\"change even\">0.0\u{a0}pp</span>",
            "<span class=\"change bad\">+0.1\u{a0}places worse</span>",
        ] {
            assert!(told.contains(part), "{part} is not in {told}");
        }
        let alone = table(ReportLocale::En, false, &data, whole).into_string();
        assert!(!alone.contains("hange"), "{alone}");
    }
}
