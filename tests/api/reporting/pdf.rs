//! Reports as PDF, read back.

use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Stdio};

use pharos_domain::{
    ids::{JobId, WorkspaceId},
    jobs::{ClaimedJob, JobHandler, Retry},
    report_widget::{
        DataField, Empty, FieldFormat, ReportWidget, ReportWindow, SectionName, WidgetAnswer, WidgetKind,
    },
    window::DateRange,
};
use pharos_reporting::{
    data::{SectionData, WidgetData},
    document::Document,
    format::ReportLocale,
    generate::ReportMaker,
    logo::Picture,
    render::{
        pdf::{Printer, SCRIPTS},
        words,
    },
    run::KIND,
};
use pharos_server::config::Config;
use serde_json::{Value, json};
use time::{Duration, format_description::well_known::Rfc3339, macros::datetime};
use tokio::{io::AsyncWriteExt, process::Command};

use super::{asked, download, get, made, maker, only, post, template, worker};
use crate::{fixtures, harness::TestApp};

/// The texts and tags that pypdf reads from a PDF.
pub(super) async fn read(pdf: &[u8]) -> Value {
    let python = std::env::var("PHAROS_TEST_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let mut reader = Command::new(python)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("clients/read_pdf.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("run `cargo xtask test`");
    let mut input = reader.stdin.take().unwrap();
    input.write_all(pdf).await.unwrap();
    drop(input);
    let read = reader.wait_with_output().await.unwrap();
    assert!(read.status.success());
    serde_json::from_slice(&read.stdout).unwrap()
}

/// Text without its spaces: how lines are broken is the printer's business.
fn squeezed(text: &str) -> String {
    text.chars().filter(|one| !one.is_whitespace()).collect()
}

/// PDF/UA asks for these tags of a report: a title, headings in their order, texts for pictures, headers of tables.
fn is_read_aloud(pdf: &Value) {
    assert!(
        pdf["title"].as_str().unwrap().contains("March"),
        "{}",
        pdf["title"]
    );
    assert_eq!(
        pdf["shows_title"], true,
        "a reader's window names the report, not its file"
    );
    let list = |member: &str| pdf[member].as_array().unwrap().clone();
    let headings: Vec<u64> = list("headings")
        .iter()
        .map(|level| level.as_u64().unwrap())
        .collect();
    assert_eq!(headings.first(), Some(&1), "{headings:?}");
    assert_eq!(headings.iter().filter(|level| **level == 1).count(), 1);
    assert!(
        headings.windows(2).all(|pair| pair[1] <= pair[0] + 1),
        "no level is left out: {headings:?}"
    );
    let pictures = list("pictures");
    let says_how_it_goes = |text: &Value| {
        let text = text.as_str().unwrap();
        ["From ", ": first ", ", last ", ", lowest ", ", highest "]
            .iter()
            .all(|part| text.contains(*part))
    };
    assert!(
        !pictures.is_empty() && pictures.iter().all(says_how_it_goes),
        "{pictures:?}"
    );
    assert!(pdf["tables"].as_u64().unwrap() >= 3, "{}", pdf["tables"]);
    let headers = list("headers");
    for scope in ["/Column", "/Row"] {
        assert!(headers.iter().any(|found| found == scope), "{scope}: {headers:?}");
    }
    assert!(headers.iter().all(|found| found != ""), "{headers:?}");
}

/// PDF/UA-1 asks for these parts of the file itself: the mark of conformance, links that say where they go and stand among the
/// elements, elements of types that readers know, and nothing drawn that is neither an element's nor an artifact.
fn conforms(pdf: &Value, titles: &[&str]) {
    assert_eq!(pdf["metadata"], json!({ "title": pdf["title"], "part": "1" }));
    let link = |title: &&str| json!(["/Link", title, true, "/S"]);
    let links: Vec<Value> = titles.iter().map(link).collect();
    assert_eq!(pdf["links"], Value::Array(links));
    assert_eq!(pdf["strangers"], json!([]));
    assert_eq!(
        pdf["repeated"], 0,
        "heads of columns that are read more than once"
    );
    let loose = pdf["loose"].as_array().unwrap();
    assert!(loose.iter().all(|drawn| drawn == 0), "{loose:?}");
    assert_eq!(pdf["findings"], json!([]), "what pdfua checks of PDF/UA-1");
}

/// The contents, on the first page, tell the page on which each section's heading is; so does the outline.
fn contents_tell_pages(pdf: &Value, titles: &[&str]) {
    let pages: Vec<&str> = pdf["pages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|page| page.as_str().unwrap())
        .collect();
    let outline = pdf["outline"].as_array().unwrap();
    let mut entries = "Contents".to_owned();
    let mut last = 0;
    for (at, title) in titles.iter().enumerate() {
        // A heading is a line of its own; an entry of the contents begins with its number.
        let has_heading = |page: &&str| page.lines().any(|line| line.trim() == *title);
        let page = 1 + pages.iter().position(has_heading).unwrap();
        assert!(
            outline.contains(&json!([title, page])),
            "{title}, {page}: {outline:?}"
        );
        entries += &format!("{}.{title}{page}", at + 1);
        last = page;
    }
    assert!(last > 1, "all sections are on the first of {} pages", pages.len());
    let first = squeezed(pages[0]);
    assert!(first.contains(&squeezed(&entries)), "{entries}: {first}");
}

#[tokio::test(flavor = "multi_thread")]
async fn contents_of_a_single_page_tell_no_pages() {
    let app = TestApp::start().await;
    let _worker = worker(&app).await;
    let config = only("notes", "text", &json!({ "text": "All is well." }));
    let body = json!({ "name": "Short", "format": "pdf", "sections_config": config });
    let id = template(&app, &body).await;
    let run = made(&app, &id, &json!({})).await;
    let run_id = run["run_id"].as_str().unwrap();
    let result = get(&app, &format!("runs/{run_id}/result")).await.ok();
    let reply = download(&app, result["download_url"].as_str().unwrap()).await;
    let pdf = read(&reply.body).await;
    assert_eq!(
        (&run["pages"], pdf["pages"].as_array().unwrap().len()),
        (&json!(1), 1)
    );
    let text = squeezed(pdf["pages"][0].as_str().unwrap());
    assert!(text.contains("Contents1.NotesNotes"), "{text}");
    conforms(&pdf, &["Notes"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_figure_of_a_pdf_is_the_apis() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let _worker = worker(&app).await;
    let config = json!({ "version": 1, "sections": [
        { "section": "uptime", "widgets": [{ "widget": "kpi_row" }, { "widget": "timeseries" }] },
        { "section": "analytics", "widgets": [
            { "widget": "kpi_row" }, { "widget": "timeseries" }, { "widget": "top_pages" }, { "widget": "top_sources" }
        ] },
        { "section": "ecommerce", "widgets": [{ "widget": "kpi_row" }, { "widget": "timeseries" }] },
        { "section": "rum", "widgets": [{ "widget": "kpi_row" }, { "widget": "top_pages" }] },
        { "section": "notes", "title": "Zum Schluss", "widgets": [
            { "widget": "text", "config": { "text": "Grüße" } }
        ] },
    ] });
    let body = json!({ "name": "March", "format": "pdf", "sections_config": config, "branding": { "accent_color": "#0a7f5c" } });
    let id = template(&app, &body).await;
    let window = json!({ "start_date": "2026-03-01", "end_date": "2026-03-31" });
    let run = made(&app, &id, &window).await;
    let data = post(&app, &format!("data/{id}"), &window).await.ok();
    let result = get(&app, &format!("runs/{}/result", run["run_id"].as_str().unwrap()))
        .await
        .ok();
    assert_eq!(result["content_type"], "application/pdf");
    let reply = download(&app, result["download_url"].as_str().unwrap()).await;
    assert!(
        reply.body.starts_with(b"%PDF-") && reply.body.len() < 2_000_000,
        "{}",
        reply.body.len()
    );

    let pdf = read(&reply.body).await;
    let pages = pdf["pages"].as_array().unwrap();
    assert_eq!(run["pages"], pages.len());
    assert_eq!(
        (&pdf["is_tagged"], &pdf["language"]),
        (&json!(true), &json!("en"))
    );
    is_read_aloud(&pdf);
    let titles = [
        "Uptime",
        "Web analytics",
        "Ecommerce",
        "Real-user monitoring",
        "Zum Schluss",
    ];
    conforms(&pdf, &titles);
    contents_tell_pages(&pdf, &titles);
    let numbered = |(at, text): (usize, &Value)| {
        let text = squeezed(text.as_str().unwrap());
        text.contains(&format!("{}/{}", at + 1, pages.len()))
    };
    assert!(pages.iter().enumerate().all(numbered), "{pages:?}");
    let text: String = pages
        .iter()
        .map(|page| squeezed(page.as_str().unwrap()))
        .collect();

    let formats = [
        ("uptime_pct", FieldFormat::Percent),
        ("incident_count", FieldFormat::Count),
        ("avg_response_ms", FieldFormat::Millis),
        ("visitors", FieldFormat::Count),
        ("sessions", FieldFormat::Count),
        ("pageviews", FieldFormat::Count),
        ("bounce_rate_pct", FieldFormat::Percent),
        ("avg_duration_seconds", FieldFormat::Seconds),
        ("orders", FieldFormat::Count),
        ("revenue", FieldFormat::Money),
        ("share_pct", FieldFormat::Percent),
        ("good_views_pct", FieldFormat::Percent),
    ];
    let mut seen = 0;
    for section in data["sections"].as_array().unwrap() {
        for widget in section["widgets"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|widget| widget["kind"] != "chart")
        {
            let currency = widget["data"]["currency"].as_str();
            let own = [widget["data"].clone()];
            let rows = widget["data"]["items"]
                .as_array()
                .map_or(own.as_slice(), Vec::as_slice);
            let is_table = widget["kind"] == "table";
            for row in rows {
                for (member, format) in formats {
                    let value = &row[member];
                    if !value.is_number() {
                        continue;
                    }
                    let values = rows.iter().filter_map(|row| row[member].as_f64());
                    let decimals = words::decimals(format, values).filter(|_| is_table);
                    let written = words::in_column(ReportLocale::En, format, Some(value), currency, decimals);
                    let written = squeezed(&written);
                    assert!(
                        text.contains(&written),
                        "{member} {written} is not in the PDF:\n{text}"
                    );
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 20, "{seen} figures were compared");
    assert!(!text.contains("Nothingwasmeasured"), "a chart is empty: {text}");
    assert!(text.contains("Grüße"), "{text}");
}

const LONG: ReportWidget = ReportWidget {
    name: "top_pages",
    label: "Pages",
    description: "",
    kind: WidgetKind::Table,
    default_enabled: true,
    config: &[],
    rows: Some("items"),
    fields: &[
        DataField::new("page", "Address", FieldFormat::Text),
        DataField::new("visitors", "Visitors", FieldFormat::Count),
    ],
    empty: Empty::NoData,
    measured_by: None,
};

/// A report without a comparison.
fn document(title: &str, sections: Vec<SectionData>) -> Document {
    let now = datetime!(2026-03-31 09:15 UTC);
    Document {
        title: title.to_owned(),
        domain: "shop.example".to_owned(),
        window: ReportWindow {
            days: DateRange::ending(now.date(), 31),
            period: None,
            compares: false,
            now,
        },
        compared: None,
        locale: ReportLocale::En,
        accent: None,
        logo: None,
        sections,
    }
}

/// A letter that no font of the machine has is an empty box, which no reader can read.
#[tokio::test(flavor = "multi_thread")]
async fn the_letters_of_a_name_are_in_the_pdf_or_it_does_not_say_that_it_conforms() {
    let printer = Printer::new(Config::default().printing_browser(), 1);
    let lacking = printer.lacks().await.unwrap();
    // Arabic letters are read back in the forms that they have beside each other.
    for script in SCRIPTS.iter().filter(|script| script.name != "Arabic") {
        let printed = printer
            .print(&document(script.letters, Vec::new()))
            .await
            .unwrap();
        let pdf = read(&printed.bytes).await;
        let is_there = pdf["pages"][0].as_str().unwrap().contains(script.letters);
        assert_eq!(pdf["metadata"]["part"] == "1", is_there, "{}: {pdf}", script.name);
        assert_eq!(!lacking.contains(script), is_there, "{}", script.name);
    }
}

/// A PNG of one point.
const POINT: &[u8] = b"\x89PNG\x0d\x0a\x1a\x0a\x00\x00\x00\x0dIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89\x00\x00\x00\x0dIDATx\xdacd\xf8\xcfP\x0f\x00\x03\x86\x01\x80Z4}k\x00\x00\x00\x00IEND\xaeB`\x82";

#[tokio::test(flavor = "multi_thread")]
async fn the_logo_is_a_picture_of_the_pdf_that_is_read_aloud_as_the_site() {
    let report = Document {
        logo: Picture::of(POINT.to_vec()),
        ..document("With a logo", Vec::new())
    };
    assert!(report.logo.is_some());
    let printer = Printer::new(Config::default().printing_browser(), 1);
    let printed = printer.print(&report).await.unwrap();
    let pdf = read(&printed.bytes).await;
    assert_eq!(pdf["pictures"], json!(["shop.example"]));
    conforms(&pdf, &[]);
}

/// The second print has a page more before the sections than the first, which told where these are.
#[tokio::test(flavor = "multi_thread")]
async fn contents_tell_no_pages_where_the_second_print_moves_the_sections() {
    let folder = tempfile::tempdir().unwrap();
    let browser = folder.path().join("browser");
    let real = Config::default().printing_browser().unwrap();
    let once = folder.path().join("once");
    let script = format!(
        "#!/bin/sh\nfor page; do :; done\nif [ -e '{once}' ]; then\n\
         sed -i 's|<main>|<main><p style=\"break-after: page\">Moved</p>|' \"${{page#file://}}\"\nfi\n\
         touch '{once}'\nexec '{real}' \"$@\"\n",
        once = once.display(),
        real = real.display(),
    );
    fs::write(&browser, script).unwrap();
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).unwrap();
    let report = document("Long", vec![long()]);
    let printed = Printer::new(Some(browser), 1).print(&report).await.unwrap();
    assert!(once.exists());
    let pdf = read(&printed.bytes).await;
    let pages = pdf["pages"].as_array().unwrap();
    assert!(pages.len() > 1, "{pages:?}");
    assert!(!pdf["pages"].to_string().contains("Moved"), "{pages:?}");
    let first = squeezed(pages[0].as_str().unwrap());
    assert!(first.contains("Contents1.WebanalyticsWebanalytics"), "{first}");
}

/// A section with a table that goes on over pages.
fn long() -> SectionData {
    numbered(120)
}

/// A section with a table of so many rows.
fn numbered(count: u32) -> SectionData {
    let rows = (1..=count)
        .map(|row| json!({ "page": format!("/{row}"), "visitors": row }))
        .collect::<Vec<_>>();
    section(&LONG, &rows)
}

/// A section with one table.
fn section(widget: &'static ReportWidget, rows: &[Value]) -> SectionData {
    let table = WidgetData {
        name: widget.name.to_owned(),
        widget,
        title: widget.label.to_owned(),
        answer: WidgetAnswer::of(json!({ "items": rows })),
    };
    SectionData {
        name: SectionName::Analytics,
        title: "Web analytics".to_owned(),
        widgets: vec![table],
    }
}

/// A table of the widest kind: addresses in three of its columns.
const CHANGES: ReportWidget = ReportWidget {
    name: "changes",
    label: "Changes in the index",
    fields: &[
        DataField::new("changed_at", "Found", FieldFormat::Moment),
        DataField::new("url", "Page", FieldFormat::Text),
        DataField::new("field", "What", FieldFormat::Word),
        DataField::new("before", "Before", FieldFormat::Word),
        DataField::new("after", "After", FieldFormat::Word),
        DataField::new("direction", "Direction", FieldFormat::Word),
    ],
    ..LONG
};

/// Chromium prints all of a document smaller, down to two thirds, where a table is wider than the page, and cuts off the rest.
#[tokio::test(flavor = "multi_thread")]
async fn a_long_address_takes_neither_a_column_nor_the_size_of_the_letters() {
    let address = |letter: &str| format!("https://shop.example/{}", letter.repeat(480));
    let row = json!({
        "changed_at": "2026-03-30T08:15:00Z", "url": address("a"), "field": "google_canonical",
        "before": address("b"), "after": address("c"), "direction": "neutral",
    });
    let report = document("Wide", vec![section(&CHANGES, &[row])]);
    let printer = Printer::new(Config::default().printing_browser(), 1);
    let printed = printer.print(&report).await.unwrap();
    let pdf = read(&printed.bytes).await;
    let text: String = pdf["pages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|page| squeezed(page.as_str().unwrap()))
        .collect();
    assert!(text.contains("FoundPageWhatBeforeAfterDirection"), "{text}");
    for letter in ["a", "b", "c"] {
        assert!(text.contains(&letter.repeat(480)), "{letter}: {text}");
    }
    // The body's 11 px are 8.25 pt, and the table's, 13/16 of 13 px, 7.92.
    let sizes = pdf["sizes"].as_object().unwrap();
    assert!(
        sizes.contains_key("8.25") && sizes.contains_key("7.92"),
        "{sizes:?}"
    );
    conforms(&pdf, &["Web analytics"]);
}

/// No table of the catalogue has more columns.
const SCORES: ReportWidget = ReportWidget {
    name: "scores",
    label: "Pages in the lab",
    fields: &[
        DataField::new("url", "Page", FieldFormat::Text),
        DataField::new("label", "Name", FieldFormat::Text),
        DataField::new("profile_id", "Profile", FieldFormat::Word),
        DataField::new("last_status", "State", FieldFormat::Word),
        DataField::new("budget_status", "Budgets", FieldFormat::Word),
        DataField::new("performance_score", "Performance", FieldFormat::Count),
        DataField::new("score_change", "Change of it", FieldFormat::Number),
        DataField::new("accessibility_score", "Accessibility", FieldFormat::Count),
        DataField::new("best_practices_score", "Best practices", FieldFormat::Count),
        DataField::new("seo_score", "SEO", FieldFormat::Count),
        DataField::new("last_run_at", "Tested", FieldFormat::Moment),
    ],
    ..LONG
};

#[tokio::test(flavor = "multi_thread")]
async fn the_table_with_the_most_columns_takes_nothing_of_the_size_of_the_letters() {
    let row = json!({
        "url": "https://shop.example/products/lamps", "label": "All of our lamps", "profile_id": "desktop",
        "last_status": "completed", "budget_status": "exceeded", "performance_score": 97, "score_change": -2.25,
        "accessibility_score": 100, "best_practices_score": 100, "seo_score": 100,
        "last_run_at": "2026-03-30T08:15:00Z",
    });
    let report = Document {
        locale: ReportLocale::De,
        ..document("Lab", vec![section(&SCORES, &[row])])
    };
    let printer = Printer::new(Config::default().printing_browser(), 1);
    let printed = printer.print(&report).await.unwrap();
    let pdf = read(&printed.bytes).await;
    let sizes = &pdf["sizes"];
    assert!(
        sizes["8.25"].is_number() && sizes["7.92"].is_number(),
        "{sizes:?}"
    );
    let text = pdf["pages"][0].as_str().unwrap();
    for whole in ["Desktop", "Completed", "Exceeded", "30.03.2026"] {
        assert!(text.contains(whole), "{whole} is broken: {text}");
    }
}

/// Figures that stand beside each other.
const TOTALS: ReportWidget = ReportWidget {
    name: "kpi_row",
    label: "Totals",
    kind: WidgetKind::Kpi,
    rows: None,
    fields: &[
        DataField::new("visitors", "Visitors", FieldFormat::Count),
        DataField::new("sessions", "Sessions", FieldFormat::Count),
        DataField::new("pageviews", "Page views", FieldFormat::Count),
        DataField::new("events", "Events", FieldFormat::Count),
        DataField::new("orders", "Orders", FieldFormat::Count),
    ],
    ..LONG
};

/// The beginning of a number reads as another one.
#[tokio::test(flavor = "multi_thread")]
async fn a_figure_stands_in_one_line_however_long_it_is() {
    let most = json!(8_007_199_254_740_991_u64);
    let written = words::value(ReportLocale::En, FieldFormat::Count, Some(&most), None);
    let mut totals = section(&TOTALS, &[]);
    totals.widgets[0].answer = WidgetAnswer::of(json!({
        "visitors": most, "sessions": most, "pageviews": most, "events": most, "orders": most,
    }));
    let printer = Printer::new(Config::default().printing_browser(), 1);
    let printed = printer.print(&document("Totals", vec![totals])).await.unwrap();
    let pdf = read(&printed.bytes).await;
    let text = pdf["pages"][0].as_str().unwrap();
    assert_eq!(text.matches(&written).count(), 5, "{written}: {text}");
}

/// On each page of a table stand the names of its columns, for whoever sees them; they are read aloud once.
#[tokio::test(flavor = "multi_thread")]
async fn the_head_of_a_table_is_read_once_however_many_pages_it_is_on() {
    let document = document("Long", vec![long()]);
    let printer = Printer::new(Config::default().printing_browser(), 1);
    let printed = printer.print(&document).await.unwrap();
    let pdf = read(&printed.bytes).await;
    let pages = pdf["pages"].as_array().unwrap();
    let has_head = |page: &&Value| squeezed(page.as_str().unwrap()).contains("AddressVisitors");
    assert!(pages.iter().filter(has_head).count() > 1, "{pages:?}");
    assert_eq!(pdf["headers"].as_array().unwrap().len(), 2 + 120);
    conforms(&pdf, &["Web analytics"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_row_of_a_table_stands_alone_on_a_page() {
    let printer = Printer::new(Config::default().printing_browser(), 1);
    let by_page = async |rows: u32| {
        let document = document("Rows", vec![numbered(rows)]);
        let printed = printer.print(&document).await.unwrap();
        let pdf = read(&printed.bytes).await;
        let pages = pdf["pages"].as_array().unwrap().iter();
        let rows = pages.map(|page| {
            let lines = page.as_str().unwrap().lines();
            let paths = lines.filter_map(|line| line.trim_start().strip_prefix('/'));
            paths
                .filter(|path| path.starts_with(|one: char| one.is_ascii_digit()))
                .count()
        });
        rows.collect::<Vec<usize>>()
    };
    let room = by_page(120).await[0];
    let one_more = by_page(u32::try_from(room).unwrap() + 1).await;
    assert_eq!(one_more, [room - 1, 2]);
}

/// More figures than fit below a short table.
const FIGURES: ReportWidget = ReportWidget {
    name: "kpi_row",
    label: "Figures",
    kind: WidgetKind::Kpi,
    rows: None,
    fields: &[FIGURE; 44],
    ..LONG
};
const FIGURE: DataField = DataField::new("visitors", "Visitors", FieldFormat::Count);

/// A section goes on to the next page where its first figures don't fit, and takes nothing of the section before along.
#[tokio::test(flavor = "multi_thread")]
async fn a_table_of_one_row_stays_where_the_next_section_goes_on() {
    let mut short = numbered(10);
    let last = section(&LONG, &[json!({ "page": "/last", "visitors": 1 })]);
    short.widgets.extend(last.widgets);
    let figures = SectionData {
        name: SectionName::Rum,
        title: "Many numbers".to_owned(),
        widgets: vec![WidgetData {
            name: FIGURES.name.to_owned(),
            widget: &FIGURES,
            title: FIGURES.label.to_owned(),
            answer: WidgetAnswer::of(json!({ "visitors": 7 })),
        }],
    };
    let printer = Printer::new(Config::default().printing_browser(), 1);
    let document = document("Pages", vec![short, figures]);
    let printed = printer.print(&document).await.unwrap();
    let pdf = read(&printed.bytes).await;
    let pages: Vec<String> = pdf["pages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|page| squeezed(page.as_str().unwrap()))
        .collect();
    assert_eq!(pages.len(), 2, "{pages:?}");
    assert!(pages[0].contains("/last"), "{pages:?}");
    assert!(pages[1].contains("Manynumbers"), "{pages:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_without_chromium_leaves_pdf_to_others_for_an_hour() {
    let app = TestApp::start().await;
    let id = template(&app, &json!({ "name": "Printed", "format": "pdf" })).await;
    let run = asked(&app, &id, "key", &json!({})).await.json()["run_id"].clone();
    let maker = ReportMaker {
        printer: Printer::new(None, 1),
        ..maker(&app).await
    };
    let job = ClaimedJob {
        id: JobId::generate(),
        kind: KIND,
        payload: json!({ "run_id": run }),
        attempt: 1,
    };
    let first = maker.run(&job).await.unwrap_err();
    assert!(matches!(first.retry, Retry::PutOff(_)), "{first:?}");
    let since = (app.now() - Duration::HOUR).format(&Rfc3339).unwrap();
    let run = run.as_str().unwrap();
    app.sql(&format!(
        "UPDATE runs SET started_at = '{since}' WHERE id = '{run}'"
    ))
    .await;
    let last = maker.run(&job).await.unwrap_err();
    assert_eq!(last.retry, Retry::Never);
    assert!(last.public_error.unwrap().detail.contains("needs Chromium"));
}

/// Whoever waits for the printer has a place of the worker's, which others need for reports of other forms.
#[tokio::test(flavor = "multi_thread")]
async fn a_workspace_with_many_pdfs_leaves_the_places_to_others() {
    let app = TestApp::start().await;
    let config = only("notes", "text", &json!({ "text": "x" }));
    let id = template(&app, &json!({ "name": "Many", "sections_config": config })).await;
    let maker = maker(&app).await;
    let job = async |format: &str| {
        let run = asked(&app, &id, format, &json!({ "format": format }))
            .await
            .json()["run_id"]
            .clone();
        ClaimedJob {
            id: JobId::generate(),
            kind: KIND,
            payload: json!({ "run_id": run }),
            attempt: 1,
        }
    };
    let (pdf, csv) = (job("pdf").await, job("csv").await);
    let under_way: Vec<_> = std::iter::from_fn(|| maker.printer.share(app.world.workspace)).collect();
    assert_eq!(under_way.len(), 2, "one is printed, and one is read meanwhile");
    let crowded = maker.run(&pdf).await.unwrap_err();
    assert!(matches!(crowded.retry, Retry::PutOff(_)), "{crowded:?}");
    assert!(maker.run(&csv).await.is_ok());
    assert!(maker.printer.share(WorkspaceId::generate()).is_some());
    drop(under_way);
    assert!(maker.run(&pdf).await.is_ok());
}
