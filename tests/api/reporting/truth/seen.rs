//! The walk through a PDF sees what is wrong, and lets pass what is right.

use pharos_domain::{
    report_widget::{Better, DataField, Empty, FieldChange, FieldFormat, ReportWidget, WidgetKind},
    window::DateRange,
};
use serde_json::{Value, json};
use time::macros::date;

use super::walk::{Text, cells, charted};

const TABLE: ReportWidget = ReportWidget {
    name: "pages",
    label: "",
    description: "",
    kind: WidgetKind::Table,
    default_enabled: true,
    config: &[],
    rows: Some("items"),
    fields: &[
        DataField::new("page", "Page", FieldFormat::Text),
        DataField::new("visitors", "Visitors", FieldFormat::Count),
        DataField::new("pageviews", "Views", FieldFormat::Count),
    ],
    empty: Empty::NoData,
    measured_by: None,
};
const FIGURES: ReportWidget = ReportWidget {
    kind: WidgetKind::Kpi,
    rows: None,
    fields: &[
        DataField::new("visitors", "Visitors", FieldFormat::Count)
            .with(FieldChange::Percent("change_pct"), Better::Higher),
        DataField::new("pageviews", "Views", FieldFormat::Count),
    ],
    ..TABLE
};
const CHART: ReportWidget = ReportWidget {
    kind: WidgetKind::Chart,
    fields: &[
        DataField::new("date", "Day", FieldFormat::Day),
        DataField::new("visitors", "Visitors", FieldFormat::Count),
        DataField::new("pageviews", "Views", FieldFormat::Count),
    ],
    ..TABLE
};

/// Whether pages that say this show a widget's data, and nothing else.
fn show(pages: &[&str], widget: &ReportWidget, data: &Value) -> bool {
    show_with(pages, widget, data, &[])
}

/// The same of a picture with marks.
fn show_with(pages: &[&str], widget: &ReportWidget, data: &Value, marks: &[String]) -> bool {
    let numbered: Vec<String> = (1..)
        .zip(pages)
        .map(|(number, page)| format!("{number} / {}foot {page}", pages.len()))
        .collect();
    let pages: Vec<&str> = numbered.iter().map(String::as_str).collect();
    let compared = DateRange::new(date!(2026 - 02 - 04), date!(2026 - 03 - 03)).unwrap();
    let answer = json!({ "status": "ok", "data": data });
    let text = Text::of(&pages, "foot");
    text.whole().shows(widget, &answer, compared, marks).is_ok()
}

#[test]
fn a_wrong_column_a_wrong_number_and_one_too_many_are_seen() {
    let row = |page: &str, visitors: u32, pageviews: u32| json!({ "page": page, "visitors": visitors, "pageviews": pageviews });
    let data = json!({ "items": [row("/", 1_234, 2_000), row("/profile", 5, 6)] });
    for (pages, is_right) in [
        (
            &["Page Visitors\nViews / 1.234 2.000 /pro\u{fb01}le 5 6"][..],
            true,
        ),
        (
            &[
                "Page Visitors Views / 1.234 2.000",
                "Page Visitors Views /profile 5 6",
            ],
            true,
        ),
        (&["Page Visitors Views / 2.000 1.234 /profile 6 5"], false),
        (&["Page Visitors Views / 1.235 2.000 /profile 5 6"], false),
        (&["Page Visitors Views / 1234 2.000 /profile 5 6"], false),
        (&["Page Visitors Views / 1.234 2.000 /profile 5 6 7"], false),
        (&["Page Visitors Views / 1.234 2.000"], false),
        (
            &["Page Visitors Views / 1.234 2.000 Page Visitors Views /profile 5 6"],
            false,
        ),
    ] {
        assert_eq!(show(pages, &TABLE, &data), is_right, "{pages:?}");
    }
}

#[test]
fn a_change_with_the_wrong_sign_or_verdict_is_seen() {
    let data = json!({ "visitors": 1_234, "change_pct": 6.14, "pageviews": 7 });
    for (page, is_right) in [
        ("Visitors 1.234 +6,1\u{a0}% better Views 7", true),
        ("Visitors 1.234 -6,1\u{a0}% better Views 7", false),
        ("Visitors 1.234 +6,1\u{a0}% worse Views 7", false),
        ("Visitors 1.234 +6,1\u{a0}pp better Views 7", false),
        ("Visitors 1.234 Views 7", false),
        ("Visitors 1.234 +6,1\u{a0}% better Views 7 +1,0\u{a0}%", false),
        ("Visitors 7 +6,1\u{a0}% better Views 1.234", false),
    ] {
        assert_eq!(show(&[page], &FIGURES, &data), is_right, "{page}");
    }
}

const COMPARED: ReportWidget = ReportWidget {
    fields: &[
        DataField::new("query", "Query", FieldFormat::Text),
        DataField::new("ctr", "Rate", FieldFormat::Fraction)
            .with(FieldChange::Fraction("ctr_change"), Better::Higher),
        DataField::new("position", "Position", FieldFormat::Number)
            .with(FieldChange::Places("position_change"), Better::Lower),
    ],
    ..TABLE
};

#[test]
fn a_row_without_one_of_its_changes_or_with_another_is_seen() {
    let data = json!({ "items": [
        { "query": "hats", "ctr": 0.1, "ctr_change": -0.013, "position": 4.5, "position_change": -1.5 },
        { "query": "caps", "ctr": 0.5, "ctr_change": null, "position": 2.0, "position_change": null },
    ] });
    let told = |page: &str| {
        let head = "Query Rate Change Position Change";
        show(&[&format!("{head} {page}")], &COMPARED, &data)
    };
    let caps = "caps 50 % – 2,0 –";
    assert!(told(&format!(
        "hats 10 % -1,3 pp worse 4,5 -1,5 places better {caps}"
    )));
    assert!(!told(
        "hats 10 % -1,3 pp worse 4,5 -1,5 places better caps 50 % – 2 –"
    ));
    for wrong in [
        "hats 10 % 4,5 -1,5 places better",
        "hats 10 % +1,3 pp worse 4,5 -1,5 places better",
        "hats 10 % -1,3 % worse 4,5 -1,5 places better",
        "hats 10 % -1,3 pp worse 4,5 -1,5 places worse",
        "hats 10 % -1,3 pp worse 4,5 -1,5 better",
    ] {
        assert!(!told(&format!("{wrong} {caps}")), "{wrong}");
    }
    assert!(!told(
        "hats 10 % -1,3 pp worse 4,5 -1,5 places better caps 50 % 2,0"
    ));
}

#[test]
fn of_days_that_may_still_change_the_first_is_told() {
    let row = |day: &str| json!({ "date": day, "visitors": 1_200, "pageviews": 7 });
    let days = ["2026-03-04", "2026-03-05", "2026-03-06"].map(row);
    let data = |state: &str| {
        json!({
            "items": days,
            "data_state": state,
            "meta": { "data_through": "2026-03-04" },
        })
    };
    let picture = "Number of each 00 1k1k 04.03.2026 06.03.2026 Visitors Views";
    let note = |day: &str| {
        format!("{picture} Shaded days, from {day} on, are provisional: their figures may still change.")
    };
    for (page, state, is_right) in [
        (note("05.03.2026"), "all", true),
        (note("06.03.2026"), "all", false),
        (picture.to_owned(), "all", false),
        (picture.to_owned(), "final", true),
        (note("05.03.2026"), "final", false),
    ] {
        assert_eq!(show(&[&page], &CHART, &data(state)), is_right, "{page} {state}");
    }
}

#[test]
fn of_a_picture_its_ticks_are_let_pass_and_nothing_else() {
    let row = |day: &str| json!({ "date": day, "visitors": 1_200, "pageviews": 7 });
    let days = ["2026-03-04", "2026-03-05", "2026-03-06"];
    let data = json!({ "items": days.map(row) });
    for (page, is_right) in [
        (
            "Number of each 00 1k1k 1,5k1,5k 04.03.2026 06.03.2026 Visitors Views",
            true,
        ),
        (
            "Number of each 00 1k1k 04.03.2026 05.03.2026 06.03.2026 Visitors Views",
            true,
        ),
        (
            "Number of each 00 1k1k 04.03.2026 06.03.2026 Views Visitors",
            false,
        ),
        (
            "Number of each 00 1k1k 04.03.2026 05.03.2026 Visitors Views",
            false,
        ),
        (
            "Number of each 00 1k1k 04.03.2026 06.03.2026 12 Visitors Views",
            false,
        ),
        (
            "Number of each 00 Nothing was measured 04.03.2026 06.03.2026 Visitors Views",
            false,
        ),
        ("00 1k1k 04.03.2026 06.03.2026 Visitors Views", false),
        ("In percent 00 1k1k 04.03.2026 06.03.2026 Visitors Views", false),
    ] {
        assert_eq!(show(&[page], &CHART, &data), is_right, "{page}");
    }
}

#[test]
fn of_a_picture_with_marks_each_is_seen_once() {
    let row = |day: &str| json!({ "date": day, "visitors": 1_200, "pageviews": 7 });
    let rows = ["2026-03-04", "2026-03-05"].map(row);
    let data = json!({ "items": rows });
    let marks = ["2.4.0".to_owned(), "spring".to_owned()];
    let rest = "04.03.2026 05.03.2026 Visitors Views";
    for (begin, is_right) in [
        ("00 1k1k 2.4.0 spring", true),
        ("00 1k1k 2.4.0", false),
        ("00 1k1k 2.4.1 spring", false),
        ("00 1k1k 2.4.0 spring spring", false),
        ("00 1k1k", false),
    ] {
        let page = format!("Number of each {begin} {rest}");
        assert_eq!(show_with(&[&page], &CHART, &data, &marks), is_right, "{begin}");
    }
}

const APART: ReportWidget = ReportWidget {
    fields: &[
        DataField::new("date", "Day", FieldFormat::Day),
        DataField::new("clicks", "Clicks", FieldFormat::Count).apart(),
        DataField::new("lcp_ms", "LCP", FieldFormat::Millis),
    ],
    ..CHART
};

#[test]
fn of_courses_apart_each_picture_is_seen_with_its_axis_and_its_table() {
    let row = |day: &str| json!({ "date": day, "clicks": 4, "lcp_ms": 1_200 });
    let items = ["2026-03-04", "2026-03-05"].map(row);
    let data = json!({ "items": items });
    let days = "04.03.2026 05.03.2026";
    let (clicks, lcp) = (
        format!("Clicks 00 55 {days}"),
        format!("LCP, in milliseconds 00 1k1k {days}"),
    );
    for (page, is_right) in [
        (format!("{clicks} {lcp}"), true),
        (format!("{lcp} {clicks}"), false),
        (clicks.clone(), false),
        (format!("{clicks} LCP 00 1k1k {days}"), false),
    ] {
        assert_eq!(show(&[&page], &APART, &data), is_right, "{page}");
    }
    let day = |day: &str, figure: &str| format!("<tr><th scope=\"row\">{day}</th><td>{figure}</td></tr>");
    let table = |figure: &str| {
        let rows = [day("04.03.2026", figure), day("05.03.2026", figure)].concat();
        format!("<table><tbody>{rows}</tbody></table>")
    };
    let page = format!("<h3>One</h3>{}{}", table("4"), table("1.200 ms"));
    assert_eq!(cells(&page, "One"), charted(&APART, &data));
}

#[test]
fn the_table_beside_a_picture_is_read_cell_by_cell() {
    let page = "<h3>One</h3><details><table><thead><tr><th scope=\"col\">Day</th></tr></thead><tbody>\
                <tr><th scope=\"row\">04.03.2026</th><td class=\"figure\">1.200</td><td class=\"figure\">7</td></tr>\
                <tr><th scope=\"row\">05.03.2026</th><td class=\"figure\">not measured</td><td class=\"figure\">0</td></tr>\
                </tbody></table></details><h3>Other</h3><table><tbody><tr><td>8</td></tr></tbody></table>";
    let data = json!({ "items": [
        { "date": "2026-03-04", "visitors": 1_200, "pageviews": 7 },
        { "date": "2026-03-05", "visitors": null, "pageviews": 0 },
    ] });
    assert_eq!(cells(page, "One"), charted(&CHART, &data));
    assert_eq!(cells(page, "Other"), [["8"]]);
}
