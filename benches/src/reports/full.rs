//! A full report of a month: every section, with as much as the tables of the catalogue show.

use pharos_domain::{
    report_widget::{
        Better, DataField, Empty, FieldChange, FieldFormat, ReportWidget, ReportWindow, SectionName,
        WidgetAnswer, WidgetKind,
    },
    window::DateRange,
};
use pharos_reporting::{
    data::{SectionData, WidgetData},
    document::Document,
    format::ReportLocale,
};
use serde_json::{Map, Value, json};
use time::macros::datetime;

const DAYS: u32 = 31;
/// The rows of a table.
const ROWS: u32 = 20;

const FIGURES: ReportWidget = ReportWidget {
    name: "kpi_row",
    label: "Figures",
    description: "",
    kind: WidgetKind::Kpi,
    default_enabled: true,
    config: &[],
    rows: None,
    fields: &[
        DataField::new("visitors", "Visitors", FieldFormat::Count)
            .with(FieldChange::Percent("change_pct"), Better::Higher),
        DataField::new("sessions", "Sessions", FieldFormat::Count),
        DataField::new("pageviews", "Page views", FieldFormat::Count),
        DataField::new("bounce_rate_pct", "Bounce rate", FieldFormat::Percent),
        DataField::new("duration_seconds", "Mean length", FieldFormat::Seconds),
        DataField::new("lcp_ms", "LCP", FieldFormat::Millis),
    ],
    empty: Empty::NoData,
    measured_by: None,
};
const COURSE: ReportWidget = ReportWidget {
    name: "timeseries",
    label: "Over time",
    kind: WidgetKind::Chart,
    rows: Some("items"),
    fields: &[
        DataField::new("date", "Day", FieldFormat::Day),
        DataField::new("visitors", "Visitors", FieldFormat::Count),
        DataField::new("pageviews", "Page views", FieldFormat::Count),
    ],
    ..FIGURES
};
const PAGES: ReportWidget = ReportWidget {
    name: "pages",
    label: "Pages",
    kind: WidgetKind::Table,
    rows: Some("items"),
    fields: &[
        DataField::new("page", "Page", FieldFormat::Text),
        DataField::new("visitors", "Visitors", FieldFormat::Count),
        DataField::new("sessions", "Sessions", FieldFormat::Count),
        DataField::new("pageviews", "Page views", FieldFormat::Count),
        DataField::new("bounce_rate_pct", "Bounce rate", FieldFormat::Percent),
        DataField::new("lcp_ms", "LCP", FieldFormat::Millis),
    ],
    ..FIGURES
};
const SOURCES: ReportWidget = ReportWidget {
    name: "sources",
    label: "Sources",
    ..PAGES
};

/// The report.
pub(super) fn report() -> Document {
    let now = datetime!(2026-03-31 09:15 UTC);
    Document {
        title: "A full month".to_owned(),
        domain: "shop.example".to_owned(),
        window: ReportWindow {
            days: DateRange::ending(now.date(), DAYS),
            period: None,
            compares: false,
            now,
        },
        compared: None,
        locale: ReportLocale::En,
        accent: None,
        logo: None,
        sections: SectionName::ALL.iter().map(|name| section(*name)).collect(),
    }
}

fn section(name: SectionName) -> SectionData {
    let days = (1..=DAYS).map(|day| row("date", &format!("2026-03-{day:02}"), day));
    let pages = (1..=ROWS).map(|at| row("page", &format!("/catalogue/shoes/number-{at}"), at));
    let sources = (1..=ROWS).map(|at| row("page", &format!("https://partner-{at}.example/"), at));
    let items = |rows: Vec<Value>| json!({ "items": rows });
    let widgets = [
        (&FIGURES, row("name", "all", 1)),
        (&COURSE, items(days.collect())),
        (&PAGES, items(pages.collect())),
        (&SOURCES, items(sources.collect())),
    ];
    SectionData {
        name,
        title: name.as_str().to_owned(),
        widgets: widgets.map(|(widget, data)| shown(widget, data)).into(),
    }
}

fn shown(widget: &'static ReportWidget, data: Value) -> WidgetData {
    WidgetData {
        name: widget.name.to_owned(),
        widget,
        title: widget.label.to_owned(),
        answer: WidgetAnswer::of(data),
    }
}

/// Figures that differ from row to row.
fn row(column: &str, name: &str, at: u32) -> Value {
    let mut row = Map::new();
    row.insert(column.to_owned(), name.into());
    for (place, figure) in (1..).zip(["visitors", "sessions", "pageviews", "duration_seconds", "lcp_ms"]) {
        row.insert(figure.to_owned(), (1_234 * place + 97 * (at % 7) * place).into());
    }
    row.insert("bounce_rate_pct".to_owned(), (40.5 + f64::from(at)).into());
    row.insert("change_pct".to_owned(), Value::from(12.5));
    Value::Object(row)
}
