//! Tables of widgets, and how figures changed.

use std::collections::HashMap;

use maud::{Markup, html};
use pharos_domain::report_widget::{Better, DataField, FieldFormat, at_path};
use serde_json::Value;

use super::{addresses::paths, rows, words};
use crate::{data::WidgetData, format::ReportLocale, verdict::unjudged};

/// How many letters a word of a state may have that stands in one line.
const LONGEST_WORD: usize = 14;

/// The currency of an answer's amounts.
pub(super) fn currency(whole: &Value) -> Option<&str> {
    whole.get("currency").and_then(Value::as_str)
}

/// How much a figure changed against the days before, in the unit that people read.
pub(super) fn changed(field: &DataField, whole: &Value) -> Option<f64> {
    let change = field.change?;
    Some(change.read(at_path(whole, change.path())?.as_f64()?))
}

/// The change of a figure of a row against the days before: its sign says it, and a word besides the colour where it can be judged by
/// the `whole` answer. Figures that are no rows stand in the whole.
pub(super) fn change(locale: ReportLocale, field: &DataField, row: &Value, whole: &Value) -> Option<Markup> {
    let change = field.change?;
    let value = changed(field, row)?;
    let verdict = match (field.better, words::judged(value)) {
        (Better::Neither, _) | (_, 0.0) => None,
        (Better::Higher, value) => Some(value > 0.0),
        (Better::Lower, value) => Some(value < 0.0),
    };
    let verdict = verdict.filter(|_| unjudged(field, value, whole).is_none());
    let (class, word) = match verdict {
        None => ("even", ""),
        Some(true) => ("good", " better"),
        Some(false) => ("bad", " worse"),
    };
    Some(html! { span.change.(class) { (words::change(locale, change, value)) (word) } })
}

/// A row a line. Where days are compared, each figure that changes has a column beside it that says how. Pages of the site of this
/// name, whose report it is, are told by their paths.
pub(super) fn table(
    locale: ReportLocale,
    compares: bool,
    data: &WidgetData,
    whole: &Value,
    site: Option<&str>,
) -> Markup {
    let rows = rows(data.widget, whole);
    if rows.is_empty() {
        return html! { p.nothing { "None." } };
    }
    let currency = currency(whole);
    let is_compared = |field: &DataField| compares && field.change.is_some();
    let columns: Vec<Column<'_>> = data
        .widget
        .fields
        .iter()
        .map(|field| Column::of(field, rows, site))
        .collect();
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
                            @for (at, column) in columns.iter().enumerate() {
                                @let field = column.field;
                                @let told = column.told(locale, row, currency);
                                @let shown = spoken(field.format, at_path(row, field.path), &told, site.is_some());
                                @let is_figure = field.format.is_numeric();
                                @let is_whole = !is_figure && field.format != FieldFormat::Text && is_short(&told);
                                @if at == 0 {
                                    th.figure[is_figure] scope="row" { (shown) }
                                } @else {
                                    td.figure[is_figure].whole[is_whole] { (shown) }
                                }
                                @if is_compared(field) {
                                    td.figure.turn {
                                        @match change(locale, field, row, whole) { Some(change) => (change), None => (words::NOTHING) }
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

/// The words of a value. A page of now gives the scripts of its reader the moment, too, who say it in their zone; a report has no
/// scripts.
pub(super) fn spoken(format: FieldFormat, value: Option<&Value>, told: &str, is_report: bool) -> Markup {
    let at = value.and_then(Value::as_str);
    html! {
        @match at.filter(|_| !is_report && format == FieldFormat::Moment) {
            Some(at) => time datetime=(at) data-moment { (told) },
            None => (told),
        }
    }
}

/// Whether each word of a text has room in a column. An address that stands for a state has none.
fn is_short(text: &str) -> bool {
    text.split_whitespace()
        .all(|word| word.chars().count() <= LONGEST_WORD)
}

/// A column of a table.
struct Column<'a> {
    field: &'a DataField,
    decimals: Option<usize>,
    paths: HashMap<&'a str, String>,
}

impl<'a> Column<'a> {
    fn of(field: &'a DataField, rows: &'a [Value], site: Option<&str>) -> Self {
        let values = rows.iter().filter_map(|row| at_path(row, field.path)?.as_f64());
        Self {
            field,
            decimals: words::decimals(field.format, values),
            paths: site.map_or_else(HashMap::new, |site| paths(site, field, rows)),
        }
    }

    fn told(&self, locale: ReportLocale, row: &Value, currency: Option<&str>) -> String {
        let value = at_path(row, self.field.path);
        let path = value
            .and_then(Value::as_str)
            .and_then(|text| self.paths.get(text));
        let format = self
            .field
            .format
            .of_row(row.get("metric").and_then(Value::as_str));
        path.cloned()
            .unwrap_or_else(|| words::in_column(locale, format, value, currency, self.decimals))
    }
}

#[cfg(test)]
mod tests {
    use pharos_domain::report_widget::{Empty, FieldChange, ReportWidget, WidgetAnswer, WidgetKind};
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
        let told = table(ReportLocale::En, true, &data, whole, None).into_string();
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
        let alone = table(ReportLocale::En, false, &data, whole, None).into_string();
        assert!(!alone.contains("hange"), "{alone}");
    }

    #[test]
    fn a_moment_is_told_to_scripts_too_but_in_a_report() {
        const SEEN: ReportWidget = ReportWidget {
            fields: &[DataField::new("seen_at", "Seen", FieldFormat::Moment)],
            ..QUERIES
        };
        let data = WidgetData {
            name: SEEN.name.to_owned(),
            widget: &SEEN,
            title: SEEN.label.to_owned(),
            answer: WidgetAnswer::of(json!({ "items": [{ "seen_at": "2026-03-31T09:15:02Z" }] })),
        };
        let whole = data.answer.data.as_ref().unwrap();
        let of = |site| table(ReportLocale::En, false, &data, whole, site).into_string();
        let live = of(None);
        let time = "<time datetime=\"2026-03-31T09:15:02Z\" data-moment>31 Mar 2026 09:15 UTC</time>";
        assert!(live.contains(time), "{live}");
        let report = of(Some("shop.example"));
        assert!(
            report.contains(">31 Mar 2026 09:15 UTC</th>") && !report.contains("<time"),
            "{report}"
        );
    }

    #[test]
    fn rows_of_days_that_may_still_change_are_not_judged() {
        let rows = json!([{ "query": "hats", "clicks": 12, "clicks_change_pct": -20.0 }]);
        let meta = json!({
            "range_start": "2026-03-01", "range_end": "2026-03-31", "data_through": "2026-03-29"
        });
        let data = WidgetData {
            name: QUERIES.name.to_owned(),
            widget: &QUERIES,
            title: QUERIES.label.to_owned(),
            answer: WidgetAnswer::of(json!({ "items": rows, "data_state": "all", "meta": meta })),
        };
        let told = table(
            ReportLocale::En,
            true,
            &data,
            data.answer.data.as_ref().unwrap(),
            None,
        )
        .into_string();
        assert!(
            told.contains("<span class=\"change even\">-20.0%</span>"),
            "{told}"
        );
    }

    #[test]
    fn a_column_has_the_same_decimals_and_paths_of_the_sites_own_pages() {
        const PAGES: ReportWidget = ReportWidget {
            fields: &[
                DataField::new("page", "Page", FieldFormat::Text),
                DataField::new("share_pct", "Share", FieldFormat::Percent),
            ],
            ..QUERIES
        };
        let rows = json!([
            { "page": "http://shop.example:8080/product", "share_pct": 9.4 },
            { "page": "https://shop.example/", "share_pct": 9.0 },
        ]);
        let data = WidgetData {
            name: PAGES.name.to_owned(),
            widget: &PAGES,
            title: PAGES.label.to_owned(),
            answer: WidgetAnswer::of(json!({ "items": rows })),
        };
        let whole = data.answer.data.as_ref().unwrap();
        let told = |site| table(ReportLocale::En, false, &data, whole, site).into_string();
        let own = told(Some("shop.example"));
        for part in [
            "scope=\"row\">/product</th><td class=\"figure\">9.4%</td>",
            "scope=\"row\">/</th><td class=\"figure\">9.0%</td>",
        ] {
            assert!(own.contains(part), "{part} is not in {own}");
        }
        assert!(told(None).contains(">http://shop.example:8080/product<"));
    }

    #[test]
    fn a_bound_is_written_in_the_unit_of_its_metric() {
        const BUDGETS: ReportWidget = ReportWidget {
            fields: &[
                DataField::new("metric", "Metric", FieldFormat::Text),
                DataField::new("limit", "Limit", FieldFormat::OfMetric),
            ],
            ..QUERIES
        };
        let rows = json!([
            { "metric": "lcp_ms", "limit": 1_372.13 },
            { "metric": "cls", "limit": 0.125 },
            { "metric": "script_bytes", "limit": 300_000.0 },
            { "metric": "performance_score", "limit": 100.0 },
        ]);
        let data = WidgetData {
            name: BUDGETS.name.to_owned(),
            widget: &BUDGETS,
            title: BUDGETS.label.to_owned(),
            answer: WidgetAnswer::of(json!({ "items": rows })),
        };
        let whole = data.answer.data.as_ref().unwrap();
        let told = table(ReportLocale::En, false, &data, whole, None).into_string();
        for limit in ["1,372 ms", "0.125", "300,000", "100"] {
            assert!(
                told.contains(&format!("<td class=\"figure\">{limit}</td>")),
                "{limit} is not in {told}"
            );
        }
    }
}
