//! A report as one page that needs nothing else: no script, no font, no picture from outside. PDF is printed from it.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use pharos_domain::{
    report_widget::{WidgetKind, at_path},
    window::DateRange,
};
use serde_json::Value;

use super::{
    charts::chart,
    colour::{OF_SHAPES, OF_TEXT, readable},
    contents::{SectionPages, anchor, contents, shown},
    day_of, days_of, left_out,
    marks::{Mark, marks},
    rows, summary_days,
    tables::{change, changed, currency, spoken, table},
    why_nothing, words,
};
use crate::{
    data::{SectionData, WidgetData},
    document::Document,
    format::ReportLocale,
    summary::HEADINGS,
};

const STYLE: &str = include_str!("report.css");
const ACCENT: &str = "#34459f";
/// How many days a period of the Chrome UX Report has.
const CHROME_DAYS: u32 = 28;

/// The report.
#[must_use]
pub fn report(document: &Document) -> String {
    page(document, None)
}

/// The report as it is printed: its contents have the numbers of pages, and take as much room before these are known.
pub(super) fn printed(document: &Document, pages: &SectionPages) -> String {
    page(document, Some(pages))
}

fn page(document: &Document, pages: Option<&SectionPages>) -> String {
    let locale = document.locale;
    let days = document.window.days;
    let about = words::days(locale, days);
    let accent = document.accent.as_deref().unwrap_or(ACCENT);
    let foot = format!("{} · {about}", document.domain);
    // The accent is six hexadecimal digits, or nothing of it gets here; the foot is a text of the stylesheet.
    let style = format!(
        "{STYLE}\n:root {{ --accent: {accent}; --accent-text: {}; --ink-1: {}; }}\n@page {{ @bottom-left {{ content: {}; }} }}",
        readable(accent, OF_TEXT),
        readable(accent, OF_SHAPES),
        text_of_css(&foot)
    );
    html! {
        (DOCTYPE)
        // Its words are English whatever the locale, which is that of numbers and days.
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="robots" content="noindex";
                title { (document.title) " – " (document.domain) }
                style { (PreEscaped(style)) }
            }
            body {
                header {
                    @if let Some(logo) = &document.logo { img.logo src=(logo.data_url()) alt=(document.domain); }
                    h1 { (document.title) }
                    p.about {
                        b { (document.domain) } " · " (about)
                        @if let Some(compared) = &document.compared {
                            " · compared with " (words::days(locale, compared.window))
                        }
                    }
                    p.made { "Made " (words::moment(locale, document.window.now)) }
                }
                @if shown(document).next().is_some() {
                    nav aria-label="Contents" {
                        h2 { "Contents" }
                        (contents(document, pages))
                    }
                }
                main { @for section in shown(document) { (self::section(document, section)) } }
            }
        }
    }
    .into_string()
}

/// A text as a stylesheet has it: nothing in it ends the text, the rule or the element.
fn text_of_css(text: &str) -> String {
    let mut written = String::from("\"");
    for one in text.chars() {
        if one.is_alphanumeric() || matches!(one, ' ' | '.' | '-' | '–' | '·' | '/' | ',') {
            written.push(one);
        } else {
            written.push_str(&format!("\\{:x} ", u32::from(one)));
        }
    }
    written.push('"');
    written
}

fn section(document: &Document, section: &SectionData) -> Markup {
    let compares = document.compared.is_some();
    let anchor = anchor(section);
    let marks = marks(section);
    html! {
        section id=(section.name) aria-labelledby=(anchor) {
            h2 id=(anchor) { (section.title) }
            @for (at, data) in section.widgets.iter().enumerate() {
                div.widget.{ "is-" (data.widget.kind) } {
                    h3 { (data.title) }
                    @let id = format!("{}{at}", section.name);
                    (shown_by(document.locale, compares, &id, data, &marks, Some(&document.domain)))
                    @if let Some(missing) = data.answer.data.as_ref().and_then(left_out) { p.made { (missing) } }
                    @if let Some(days) = other_days(document, data) {
                        p.made {
                            "Changes here are against " (words::days(document.locale, days)) "."
                        }
                    }
                }
            }
        }
    }
}

/// The days that the changes of a widget compare with, if they differ from those that the report names above.
fn other_days(document: &Document, data: &WidgetData) -> Option<DateRange> {
    let compared = document.compared.as_ref()?.window;
    let whole = data.answer.data.as_ref()?;
    let mut fields = data.widget.fields.iter();
    if data.widget.kind != WidgetKind::Kpi || fields.all(|field| changed(field, whole).is_none()) {
        return None;
    }
    let own = match whole.get("meta") {
        Some(meta) => days_of(meta, "compare_range_start", "compare_range_end")
            // An operation that names none compares with as many days right before.
            .or_else(|| Some(days_of(meta, "range_start", "range_end")?.preceding()))?,
        // The Chrome UX Report has days of its own, whatever the window.
        None => {
            let end = day_of(whole.get("collection_period_end")?.as_str()?)?;
            DateRange::ending(end, CHROME_DAYS).preceding()
        }
    };
    (own != compared).then_some(own)
}

/// The content of a widget, without its title: its data, with the changes where its window is compared, or why there are none.
/// `id` is once on the page; `marks` are those of its section.
#[must_use]
pub fn widget(locale: ReportLocale, compares: bool, id: &str, data: &WidgetData, marks: &[Mark]) -> Markup {
    shown_by(locale, compares, id, data, marks, None)
}

/// The same; in the report of the site of this name its pages are told by their paths.
fn shown_by(
    locale: ReportLocale,
    compares: bool,
    id: &str,
    data: &WidgetData,
    marks: &[Mark],
    site: Option<&str>,
) -> Markup {
    let (Some(whole), None) = (&data.answer.data, why_nothing(data)) else {
        return html! { p.nothing { (why_nothing(data).unwrap_or("There is nothing to show.")) } };
    };
    match data.widget.kind {
        WidgetKind::Kpi => figures(locale, compares, data, whole, site.is_some()),
        WidgetKind::Chart => chart(locale, id, data, whole, marks),
        WidgetKind::Table => table(locale, compares, data, whole, site),
        WidgetKind::Text => texts(locale, data, whole),
    }
}

fn figures(
    locale: ReportLocale,
    compares: bool,
    data: &WidgetData,
    whole: &Value,
    is_report: bool,
) -> Markup {
    let currency = currency(whole);
    html! {
        dl.figures {
            @for field in data.widget.fields {
                div {
                    dt { (field.label) }
                    dd {
                        @let value = at_path(whole, field.path);
                        @let told = words::value(locale, field.format, value, currency);
                        span.value.words[!field.format.is_numeric()] { (spoken(field.format, value, &told, is_report)) }
                        @if compares && value.is_some_and(|value| !value.is_null()) && let Some(change) = change(locale, field, whole, whole) { " " (change) }
                    }
                }
            }
        }
    }
}

fn texts(locale: ReportLocale, data: &WidgetData, whole: &Value) -> Markup {
    if data.widget.rows.is_none() {
        let text = whole.get("text").and_then(Value::as_str).unwrap_or_default();
        return html! { @for paragraph in text.split("\n\n") { p.text { (paragraph) } } };
    }
    let days = summary_days(locale, whole);
    let rows = rows(data.widget, whole);
    if rows.is_empty() {
        return html! {
            @if let Some(days) = days { p.note { (days) } }
            p.nothing {
                @if left_out(whole).is_some() { "In what could be read, nothing changed by much, and nothing needs doing." }
                @else { "Nothing changed by much, and nothing needs doing." }
            }
        };
    }
    html! {
        @if let Some(days) = days { p.note { (days) } }
        @for (kind, heading) in HEADINGS {
            @let told: Vec<&Value> = rows.iter().filter(|row| member(row, "kind") == kind).collect();
            @if !told.is_empty() {
                h4 { (heading) }
                ul.summary {
                    @for row in told {
                        li.{ "is-" (kind) } {
                            @if member(row, "severity") == "critical" { strong { "Critical:" } " " }
                            (member(row, "text"))
                        }
                    }
                }
            }
        }
    }
}

/// A text of a row; an empty one where it has none.
fn member<'a>(row: &'a Value, name: &str) -> &'a str {
    row.get(name).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use pharos_domain::{
        problem::Suffix,
        report_widget::{
            Better, DataField, Empty, FieldChange, FieldFormat, ReportWidget, ReportWindow, SectionName,
            WidgetAnswer,
        },
        window::{CompareMode, Comparison, Period},
    };
    use serde_json::json;
    use time::macros::{date, datetime};

    use super::*;
    use crate::logo::Picture;

    const INCIDENTS: ReportWidget = ReportWidget {
        name: "incident_list",
        label: "Incidents",
        description: "",
        kind: WidgetKind::Table,
        default_enabled: true,
        config: &[],
        rows: Some("items"),
        fields: &[
            DataField::new("class", "Class", FieldFormat::Word),
            DataField::new("duration_seconds", "Lasted", FieldFormat::Seconds),
            DataField::new("share_pct", "Share", FieldFormat::Percent),
        ],
        empty: Empty::IsAnswer,
        measured_by: None,
    };

    fn of(answer: WidgetAnswer) -> String {
        let widget = WidgetData {
            name: INCIDENTS.name.to_owned(),
            widget: &INCIDENTS,
            title: INCIDENTS.label.to_owned(),
            answer,
        };
        let section = SectionData {
            name: SectionName::Uptime,
            title: "Uptime".to_owned(),
            widgets: vec![widget],
        };
        report(&Document {
            locale: ReportLocale::De,
            ..Document::of(vec![section])
        })
    }

    #[test]
    fn figures_stand_below_the_names_of_their_columns() {
        let row = json!({ "class": "http_5xx", "duration_seconds": null, "share_pct": 41.2 });
        let page = of(WidgetAnswer::of(json!({ "items": [row] })));
        for part in [
            "scope=\"col\">Class</th><th class=\"figure\" scope=\"col\">Lasted</th>",
            "scope=\"row\">HTTP 5xx</th><td class=\"figure\">–</td><td class=\"figure\">41,2\u{a0}%</td>",
            "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Table: Incidents\">",
        ] {
            assert!(page.contains(part), "{part} is not in {page}");
        }
    }

    const SUMMARY: ReportWidget = ReportWidget {
        name: "summary",
        label: "Summary",
        kind: WidgetKind::Text,
        fields: &[DataField::new("text", "Text", FieldFormat::Text)],
        ..INCIDENTS
    };

    #[test]
    fn a_summary_names_its_days_whether_or_not_it_says_anything() {
        let told = |items: Value| {
            let days = json!({
                "range_start": "2026-03-01", "range_end": "2026-03-31",
                "compare_range_start": "2026-02-01", "compare_range_end": "2026-02-28"
            });
            let data = WidgetData {
                name: SUMMARY.name.to_owned(),
                widget: &SUMMARY,
                title: SUMMARY.label.to_owned(),
                answer: WidgetAnswer::of(json!({ "items": items, "meta": days })),
            };
            widget(ReportLocale::De, false, "summary", &data, &[]).into_string()
        };
        let days = "<p class=\"note\">01.03.2026 – 31.03.2026, compared with 01.02.2026 – 28.02.2026; \
                    what visitors felt and sales with 29.01.2026 – 28.02.2026.</p>";
        let some = told(json!([{ "kind": "change", "text": "Visitors fell." }]));
        for told in [some, told(json!([]))] {
            assert!(told.starts_with(days), "{told}");
        }
    }

    #[test]
    fn a_summary_without_a_module_does_not_say_that_all_is_well() {
        let told = |missing: Value| {
            let data = WidgetData {
                name: SUMMARY.name.to_owned(),
                widget: &SUMMARY,
                title: SUMMARY.label.to_owned(),
                answer: WidgetAnswer::of(json!({ "items": [], "unavailable_modules": missing })),
            };
            widget(ReportLocale::En, false, "summary", &data, &[]).into_string()
        };
        assert_eq!(
            told(json!(["uptime"])),
            "<p class=\"nothing\">In what could be read, nothing changed by much, and nothing needs doing.</p>"
        );
        assert_eq!(
            told(Value::Null),
            "<p class=\"nothing\">Nothing changed by much, and nothing needs doing.</p>"
        );
    }

    #[test]
    fn the_sentences_of_a_summary_stand_below_what_they_are_and_the_critical_are_called_so() {
        let items = json!([
            { "kind": "change", "severity": "warning", "text": "Visitors fell." },
            { "kind": "action", "severity": "critical", "text": "The site is down." },
            { "kind": "action", "severity": "warning", "text": "Renew it." },
        ]);
        let data = WidgetData {
            name: SUMMARY.name.to_owned(),
            widget: &SUMMARY,
            title: SUMMARY.label.to_owned(),
            answer: WidgetAnswer::of(json!({ "items": items })),
        };
        let told = widget(ReportLocale::En, false, "summary", &data, &[]).into_string();
        assert_eq!(
            told,
            "<h4>What changed</h4><ul class=\"summary\"><li class=\"is-change\">Visitors fell.</li></ul>\
             <h4>What needs doing</h4><ul class=\"summary\"><li class=\"is-action\"><strong>Critical:</strong> \
             The site is down.</li><li class=\"is-action\">Renew it.</li></ul>"
        );
    }

    #[test]
    fn a_summary_says_which_of_its_days_are_not_over_or_provisional() {
        let told = |is_partial: bool, from: Option<&str>| {
            let meta = json!({
                "range_start": "2026-11-23", "range_end": "2026-11-27", "range_end_partial": is_partial,
                "compare_range_start": "2026-11-18", "compare_range_end": "2026-11-22"
            });
            let data = json!({ "items": [], "meta": meta, "search_provisional_from": from });
            summary_days(ReportLocale::En, &data).unwrap()
        };
        let days = "23 Nov 2026 – 27 Nov 2026, compared with 18 Nov 2026 – 22 Nov 2026.";
        assert_eq!(told(false, None), days);
        assert_eq!(
            told(true, Some("2026-11-25")),
            format!("{days} 27 Nov 2026 is not over. Search from 25 Nov 2026 on is provisional.")
        );
    }

    const ORDERS: ReportWidget = ReportWidget {
        name: "kpi_row",
        label: "Sales",
        kind: WidgetKind::Kpi,
        rows: None,
        fields: &[DataField::new("orders", "Orders", FieldFormat::Count)
            .with(FieldChange::Percent("orders_change_pct"), Better::Higher)],
        ..INCIDENTS
    };

    #[test]
    fn figures_that_are_compared_with_other_days_say_so() {
        let days = |first, last| DateRange::new(first, last).unwrap();
        let note_of = |data: Value| {
            let data = WidgetData {
                name: ORDERS.name.to_owned(),
                widget: &ORDERS,
                title: ORDERS.label.to_owned(),
                answer: WidgetAnswer::of(data),
            };
            let document = Document {
                title: "October".to_owned(),
                domain: "shop.example".to_owned(),
                window: ReportWindow {
                    days: days(date!(2026 - 10 - 01), date!(2026 - 10 - 31)),
                    period: Some(Period::LastMonth),
                    compares: true,
                    now: datetime!(2026-11-01 09:15 UTC),
                },
                compared: Some(Comparison {
                    window: days(date!(2026 - 09 - 01), date!(2026 - 09 - 30)),
                    mode: CompareMode::CalendarMonth,
                    is_kept: true,
                }),
                locale: ReportLocale::En,
                accent: None,
                logo: None,
                sections: Vec::new(),
            };
            other_days(&document, &data)
        };
        let note = |meta: Value| note_of(json!({ "orders": 12, "orders_change_pct": 20.0, "meta": meta }));
        let range = |first: &str, last: &str| {
            json!({
                "range_start": "2026-10-01", "range_end": "2026-10-31",
                "compare_range_start": first, "compare_range_end": last
            })
        };
        assert_eq!(note(range("2026-09-01", "2026-09-30")), None);
        let before = Some(days(date!(2026 - 08 - 31), date!(2026 - 09 - 30)));
        assert_eq!(note(range("2026-08-31", "2026-09-30")), before);
        let unnamed =
            json!({ "range_start": "2026-10-01", "range_end": "2026-10-31", "compare_range_start": null });
        assert_eq!(note(unnamed), before);
        let of_chrome =
            json!({ "orders": 12, "orders_change_pct": 20.0, "collection_period_end": "2026-10-29" });
        assert_eq!(
            note_of(of_chrome),
            Some(days(date!(2026 - 09 - 04), date!(2026 - 10 - 01))),
            "28 days, and the 28 before"
        );
        let unchanged =
            json!({ "orders": 12, "orders_change_pct": null, "meta": range("2026-08-31", "2026-09-30") });
        assert_eq!(note_of(unchanged), None, "no change is shown");
    }

    #[test]
    fn an_accent_that_nobody_can_read_is_darker_where_something_is_written_in_it() {
        let page = |accent: Option<&str>| {
            report(&Document {
                accent: accent.map(str::to_owned),
                ..Document::of(Vec::new())
            })
        };
        for (accent, colours) in [
            (
                Some("#ffd400"),
                "--accent: #ffd400; --accent-text: #8c7400; --ink-1: #b09200;",
            ),
            (
                None,
                "--accent: #34459f; --accent-text: #34459f; --ink-1: #34459f;",
            ),
        ] {
            let page = page(accent);
            assert!(page.contains(colours), "{colours} is not in {page}");
            for rule in [
                "line-height: 1.2; color: var(--accent-text);",
                "a { color: var(--accent-text); }",
            ] {
                assert!(page.contains(rule), "{rule}");
            }
        }
    }

    #[test]
    fn a_release_is_a_line_in_the_course_of_its_section() {
        const COURSE: ReportWidget = ReportWidget {
            name: "timeseries",
            label: "Speed over time",
            kind: WidgetKind::Chart,
            fields: &[
                DataField::new("date", "Day", FieldFormat::Day),
                DataField::new("lcp_ms", "LCP", FieldFormat::Millis),
            ],
            ..INCIDENTS
        };
        const RELEASES: ReportWidget = ReportWidget {
            name: "releases",
            label: "Releases",
            fields: &[
                DataField::new("name", "Release", FieldFormat::Text),
                DataField::new("released_at", "Released", FieldFormat::Moment),
            ],
            ..INCIDENTS
        };
        let day = |date: &str| json!({ "date": date, "lcp_ms": 2_100.0 });
        let days = ["2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04"].map(day);
        let release = json!({ "name": "<2.4>", "released_at": "2026-03-02T09:00:00Z" });
        let of = |widget: &'static ReportWidget, items: Value| WidgetData {
            name: widget.name.to_owned(),
            widget,
            title: widget.label.to_owned(),
            answer: WidgetAnswer::of(json!({ "items": items })),
        };
        let section = |name| SectionData {
            name,
            title: "Speed".to_owned(),
            widgets: vec![of(&COURSE, json!(days)), of(&RELEASES, json!([release]))],
        };
        let page = report(&Document::of(vec![section(SectionName::Rum)]));
        for part in [
            r#"<line class="turn" x1="25%""#,
            ">&lt;2.4&gt;</text>",
            " 2 Mar 2026: release &lt;2.4&gt;.",
            "scope=\"row\">&lt;2.4&gt;</th>",
            ">2 Mar 2026 09:00 UTC</td>",
        ] {
            assert!(page.contains(part), "{part} is not in {page}");
        }
        let elsewhere = report(&Document::of(vec![section(SectionName::Gsc)]));
        assert!(!elsewhere.contains("class=\"turn\""), "{elsewhere}");
    }

    #[test]
    fn what_is_not_there_says_why() {
        let plan = WidgetAnswer::unavailable(Some(Suffix::PlanRestriction));
        let failed = WidgetAnswer::unavailable(Some(Suffix::DatastoreError));
        for (answer, why) in [
            (WidgetAnswer::of(json!({ "items": [] })), "None."),
            (WidgetAnswer::NO_DATA, "Nothing was recorded."),
            (
                WidgetAnswer::NOT_CONFIGURED,
                "The module is not set up for the site.",
            ),
            (plan, "The plan of the workspace does not have the module."),
            (failed, "The module could not be read when the report was made."),
            (
                WidgetAnswer::unavailable(None),
                "This installation does not have it.",
            ),
        ] {
            assert!(of(answer).contains(why), "{why}");
        }
    }

    #[test]
    fn a_widget_of_all_modules_names_those_that_are_missing() {
        let of = |modules: Value| {
            let row = json!({ "class": "http_5xx" });
            of(WidgetAnswer::of(
                json!({ "items": [row], "unavailable_modules": modules }),
            ))
        };
        let missing =
            "<p class=\"made\">Could not be read when the report was made: Uptime, Web analytics.</p>";
        let page = of(json!(["uptime", "analytics"]));
        assert!(page.contains(missing), "{page}");
        assert!(!of(json!([])).contains("Could not be read"));
    }

    #[test]
    fn the_logo_is_in_the_page_with_a_text_for_those_who_do_not_see_it() {
        let mut document = Document::of(Vec::new());
        assert!(!report(&document).contains("<img"));
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
        bytes.extend([0, 0, 0, 2, 0, 0, 0, 1]);
        document.logo = Picture::of(bytes);
        let logo = "<img class=\"logo\" src=\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAAB\" alt=\"shop.example\">";
        let page = report(&document);
        assert!(page.contains(logo), "{page}");
    }

    #[test]
    fn each_text_has_the_direction_of_its_letters() {
        let rule = STYLE
            .lines()
            .find(|line| line.contains("unicode-bidi: plaintext"))
            .unwrap();
        let (elements, _) = rule.split_once(" {").unwrap();
        let elements: Vec<&str> = elements.split(", ").collect();
        for element in ["h1", "h2", "h3", "p", "th", "td", "li", "a"] {
            assert!(elements.contains(&element), "{element} is not in {rule}");
        }
    }

    /// A halo of letters draws them twice, and who copies from a PDF or searches it finds them twice.
    #[test]
    fn no_letter_is_drawn_twice() {
        assert!(!STYLE.contains("paint-order"));
    }

    #[test]
    fn a_text_of_the_stylesheet_stays_one() {
        assert_eq!(text_of_css("shop.example · 1 Mar"), "\"shop.example · 1 Mar\"");
        let hostile = text_of_css("\"; } </style><script>\\");
        assert!(
            !hostile[1..hostile.len() - 1].contains(['"', '<', '>', ';', '}']),
            "{hostile}"
        );
    }
}
