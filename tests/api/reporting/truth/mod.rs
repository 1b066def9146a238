//! A report with every widget of the catalogue, held against the API, and its PDF read back to the last letter.

mod figures;
mod seed;
mod walk;

use std::{any::Any, collections::BTreeSet, panic::catch_unwind};

use pharos_domain::{
    report_widget::{FieldFormat, ReportWidget},
    window::DateRange,
};
use pharos_reporting::catalogue::Catalogue;
use serde_json::{Value, json};
use time::macros::date;

use self::{
    figures::{change_of, day, fixed, moment, numbers, written},
    walk::{Text, cells, charted, letters, rows},
};
use super::{
    data::{is_answer_of, module},
    download, get, made, maker,
    pdf::read,
    template, worker,
};
use crate::harness::TestApp;

/// Where the figures of a widget are told besides.
#[derive(Clone, Copy)]
enum Told {
    /// The operation at this path below the domain's. `{days}` are the days of the report, `{compared}` the same with those before.
    By(&'static str),
    /// The newest alerts that fired within the days, of the history, which has no window.
    Alerts,
    /// The end of 90 days: the operation has a window of its own.
    LastDays(&'static str),
    /// The operations that the columns are of.
    PageByPage,
    /// The figures of the other widgets, within sentences.
    Sentences,
    /// The template.
    Note,
}

/// Every widget, and who tells its figures.
const TOLD: &[(&str, &str, Told)] = &[
    ("overview", "summary", Told::Sentences),
    ("overview", "kpi_row", Told::By("overview")),
    ("overview", "health", Told::By("health")),
    ("overview", "pages", Told::PageByPage),
    ("uptime", "kpi_row", Told::By("uptime/availability?{compared}")),
    ("uptime", "timeseries", Told::By("uptime/availability?{compared}")),
    (
        "uptime",
        "response_times",
        Told::By("uptime/response-times?period_days=28&granularity=day"),
    ),
    ("uptime", "incident_list", Told::By("uptime/incidents?{days}")),
    ("uptime", "regions", Told::By("uptime/regions?period_days=28")),
    ("uptime", "certificate", Told::By("ssl/certificate")),
    ("uptime", "registration", Told::By("ssl/domain")),
    ("rum", "kpi_row", Told::By("rum/overview?{compared}")),
    ("rum", "timeseries", Told::By("rum/overview?{compared}")),
    (
        "rum",
        "distribution",
        Told::By("rum/distribution?{days}&metric=lcp&bins=20"),
    ),
    ("rum", "top_pages", Told::By("rum/pages?{compared}&limit=10")),
    ("rum", "lcp_elements", Told::By("rum/lcp/elements?{days}")),
    ("rum", "errors", Told::By("rum/errors?{days}")),
    ("rum", "countries", Told::By("rum/countries?{days}")),
    ("crux", "vitals_gauge", Told::By("crux/overview")),
    ("crux", "pages", Told::By("crux/urls")),
    ("synthetic", "kpi_row", Told::By("synthetic/overview")),
    ("synthetic", "scores", Told::By("synthetic/overview")),
    ("synthetic", "metrics", Told::By("synthetic/overview")),
    ("synthetic", "budgets", Told::By("synthetic/budgets")),
    ("gsc", "kpi_row", Told::By("gsc/overview?{compared}")),
    ("gsc", "timeseries", Told::By("gsc/overview?{compared}")),
    ("gsc", "queries", Told::By("gsc/queries?{days}&limit=10")),
    ("gsc", "pages", Told::By("gsc/pages?{days}&limit=10")),
    ("gsc", "countries", Told::By("gsc/countries?{days}&limit=10")),
    ("gsc", "devices", Told::By("gsc/devices?{days}")),
    ("gsc", "updates", Told::By("gsc/timeseries?{days}")),
    ("indexing", "kpi_row", Told::By("indexing/overview")),
    (
        "indexing",
        "timeseries",
        Told::By("indexing/timeseries?days=28"),
    ),
    ("indexing", "reasons", Told::By("indexing/overview")),
    (
        "indexing",
        "changes",
        Told::By("indexing/changes?days=28&limit=10"),
    ),
    ("robots", "kpi_row", Told::By("robots/overview")),
    ("robots", "issues", Told::By("robots/issues")),
    ("robots", "versions", Told::By("robots/versions")),
    ("robots", "crawlers", Told::By("robots/crawlers")),
    ("sitemap", "kpi_row", Told::By("sitemap/overview")),
    (
        "sitemap",
        "timeseries",
        Told::LastDays("sitemap/timeseries"),
    ),
    ("sitemap", "issues", Told::By("sitemap/issues")),
    ("sitemap", "changes", Told::By("sitemap/changes")),
    ("sitemap", "google", Told::By("sitemap/google")),
    ("analytics", "kpi_row", Told::By("analytics/overview?{compared}")),
    (
        "analytics",
        "timeseries",
        Told::By("analytics/overview?{compared}"),
    ),
    (
        "analytics",
        "top_pages",
        Told::By("analytics/pages?{days}&limit=10"),
    ),
    (
        "analytics",
        "top_sources",
        Told::By("analytics/sources?{days}&group_by=channel"),
    ),
    ("analytics", "countries", Told::By("analytics/countries?{days}")),
    ("analytics", "devices", Told::By("analytics/devices?{days}")),
    ("analytics", "browsers", Told::By("analytics/devices?{days}")),
    ("analytics", "events", Told::By("analytics/events?{days}")),
    (
        "ecommerce",
        "kpi_row",
        Told::By("analytics/ecommerce/overview?{days}"),
    ),
    (
        "ecommerce",
        "timeseries",
        Told::By("analytics/ecommerce/overview?{days}&granularity=day"),
    ),
    (
        "ecommerce",
        "top_products",
        Told::By("analytics/ecommerce/products?{days}&limit=10"),
    ),
    (
        "ecommerce",
        "channels",
        Told::By("analytics/ecommerce/channels?{days}"),
    ),
    ("alerts", "alert_list", Told::Alerts),
    ("experiments", "experiment_list", Told::By("analytics/experiments")),
    ("notes", "text", Told::Note),
];

/// The last 28 days, which are also those of the operations whose window nobody chooses.
const FIRST: &str = "2026-03-04";
const LAST: &str = "2026-03-31";
/// The days before.
const FIRST_BEFORE: &str = "2026-02-04";
const LAST_BEFORE: &str = "2026-03-03";
const NAME: &str = "Wahrheit";
const NOTE: &str = "Im März kamen 1.234 Besucher.\n\nDas sind 5,6 % mehr.";
/// How often a report is made where a module was late.
const TURNS: usize = 3;

/// What is not as it should be: at which widget, and why.
type Faults = Vec<(String, String)>;

fn title_of(section: &str, widget: &str) -> String {
    format!("Bild {section} {widget}")
}

/// A template with every widget of the catalogue, each below a title that stands nowhere else.
fn everything(catalogue: &Catalogue) -> Value {
    let sections: Vec<Value> = catalogue
        .sections()
        .iter()
        .map(|section| {
            let name = section.name.as_str();
            let widgets: Vec<Value> = section
                .widgets
                .iter()
                .map(|known| {
                    let config = match (name, known.widget.name) {
                        ("notes", "text") => json!({ "text": NOTE }),
                        // All that modules list, so that each of their rows is found.
                        ("overview", "pages") => json!({ "limit": 100 }),
                        _ => json!({}),
                    };
                    json!({ "widget": known.widget.name, "title": title_of(name, known.widget.name), "config": config })
                })
                .collect();
            json!({ "section": name, "title": format!("Teil {name}"), "widgets": widgets })
        })
        .collect();
    json!({
        "name": NAME, "locale": "de", "format": "pdf",
        "sections_config": { "version": 1, "sections": sections },
    })
}

/// The widgets that nobody's figures are named for, and the names that no widget has.
fn unaccounted(catalogue: &Catalogue) -> Vec<String> {
    let sections = catalogue.sections().iter();
    let known: BTreeSet<(&str, &str)> = sections
        .flat_map(|section| {
            let widgets = section.widgets.iter();
            widgets.map(|known| (section.name.as_str(), known.widget.name))
        })
        .collect();
    let told: BTreeSet<(&str, &str)> = TOLD.iter().map(|(section, widget, _)| (*section, *widget)).collect();
    let apart = known.symmetric_difference(&told);
    apart.map(|(section, widget)| format!("{section}/{widget}")).collect()
}

/// A report of the days in a format: what is said of its result, and its file.
async fn report(app: &TestApp, template: &str, format: &str) -> (Value, Vec<u8>) {
    let body = json!({ "start_date": FIRST, "end_date": LAST, "compare_previous": true, "format": format });
    let run = made(app, template, &body).await;
    let run = run["run_id"].as_str().unwrap();
    let result = get(app, &format!("runs/{run}/result")).await.ok();
    let file = download(app, result["download_url"].as_str().unwrap()).await;
    assert_eq!(file.status, 200);
    (result, file.body.to_vec())
}

/// A widget's answer within a report's data.
fn answer<'a>(data: &'a Value, section: &str, widget: &str) -> &'a Value {
    let one = |list: &'a Value, member: &str, name: &str| {
        let found = list.as_array().unwrap().iter().find(|one| one[member] == name);
        found.unwrap_or_else(|| panic!("there is no {name}"))
    };
    one(&one(&data["sections"], "section", section)["widgets"], "widget", widget)
}

/// Why a check failed, if it did.
fn why(check: impl FnOnce() + std::panic::UnwindSafe) -> Option<String> {
    let said = |why: Box<dyn Any + Send>| match why.downcast::<String>() {
        Ok(said) => *said,
        Err(why) => why.downcast_ref::<&str>().copied().unwrap_or_default().to_owned(),
    };
    catch_unwind(check).err().map(said)
}

/// The answer that tells a widget's figures besides, in the shape of the widget's data.
async fn besides(app: &TestApp, told: Told) -> Value {
    let days = format!("start_date={FIRST}&end_date={LAST}");
    match told {
        Told::By(path) => {
            let path = path.replace("{compared}", "{days}&compare_previous=true");
            module(app, &path.replace("{days}", &days)).await
        }
        Told::LastDays(path) => {
            let mut whole = module(app, path).await;
            let points = whole["points"].as_array_mut().unwrap();
            points.retain(|point| point["date"].as_str().unwrap() >= FIRST);
            assert_eq!(points.len(), 28, "{path}");
            whole
        }
        Told::Alerts => {
            let path = format!("/alerts/history?domain_id={}&limit=1000", app.world.domain);
            let mut whole = app.get(&path, &app.world.key).send().await.ok();
            let alerts = whole["items"].as_array_mut().unwrap();
            alerts.retain(|alert| (FIRST..=LAST).contains(&&alert["fired_at"].as_str().unwrap()[..10]));
            whole
        }
        Told::PageByPage => {
            let mut whole = json!({});
            for path in ["analytics/pages", "gsc/pages", "rum/pages"] {
                whole[path] = module(app, &format!("{path}?{days}&limit=100")).await["items"].take();
            }
            whole
        }
        Told::Sentences | Told::Note => Value::Null,
    }
}

/// Holds the data of a report against the API.
async fn against_the_api(app: &TestApp, catalogue: &Catalogue, data: &Value) -> Faults {
    let path = "/domains/reports/sections-catalog";
    let entries = app.get(path, &app.world.key).send().await.ok();
    let entries = json!({ "sections": entries["items"] });
    let mut faults = Faults::new();
    for (section, name, told) in TOLD {
        let (found, entry) = (answer(data, section, name), answer(&entries, section, name));
        let whole = besides(app, *told).await;
        let at = format!("{section}/{name}");
        let fault = why(|| {
            assert_eq!(found["status"], "ok", "{found}");
            assert_eq!(found["kind"], entry["kind"]);
            match told {
                Told::By(_) => is_answer_of(entry, &found["data"], whole, &at),
                Told::Alerts | Told::LastDays(_) => {
                    let mut own = found["data"].clone();
                    let meta = own["meta"].take();
                    assert_eq!(
                        (&meta["range_start"], &meta["range_end"]),
                        (&json!(FIRST), &json!(LAST))
                    );
                    own.as_object_mut().unwrap().remove("meta");
                    is_answer_of(entry, &own, whole, &at);
                }
                Told::PageByPage => joins(&found["data"]["items"], &whole),
                Told::Sentences => are_of_widgets(catalogue, data, &found["data"]["items"]),
                Told::Note => assert_eq!(found["data"], json!({ "text": NOTE })),
            }
        });
        faults.extend(fault.map(|why| (at, why)));
    }
    faults
}

/// Every page that a module lists is a row, with the module's figures; whatever else a row has is a module's that lists its page.
fn joins(rows: &Value, modules: &Value) {
    let rows = rows.as_array().unwrap();
    let mut told = 0;
    for (path, page, columns) in [
        ("analytics/pages", "page", &["visitors", "pageviews"][..]),
        ("gsc/pages", "page", &["clicks", "impressions", "position"]),
        ("rum/pages", "url", &["lcp_ms", "inp_ms", "cls"]),
    ] {
        let items = modules[path].as_array().unwrap();
        assert!(!items.is_empty(), "{path}");
        for item in items {
            let name = item[page].as_str().unwrap();
            let name = name.strip_prefix("https://shop.example").unwrap_or(name);
            let row = rows.iter().find(|row| row["page"] == name);
            let row = row.unwrap_or_else(|| panic!("{name} of {path} is not in {rows:?}"));
            for column in columns {
                assert_eq!(row[column], item[column], "{path} {name} {column}");
                told += usize::from(!item[column].is_null());
            }
        }
    }
    let shown: usize = rows
        .iter()
        .map(|row| {
            let members = row.as_object().unwrap().iter();
            members.filter(|(name, value)| *name != "page" && !value.is_null()).count()
        })
        .sum();
    assert_eq!(shown, told, "a row has a figure that no module tells: {rows:?}");
}

/// Every number of a sentence is one that a widget of the sentence's section shows.
fn are_of_widgets(catalogue: &Catalogue, data: &Value, sentences: &Value) {
    let sentences = sentences.as_array().unwrap();
    assert!(!sentences.is_empty(), "nothing is summed up");
    for sentence in sentences {
        let section = sentence["section"].as_str().unwrap();
        let mut known = BTreeSet::new();
        for widget in &catalogue.section(section).unwrap().widgets {
            let answer = &answer(data, section, widget.widget.name)["data"];
            known.extend(numbers_of(widget.widget, answer));
        }
        let text = sentence["text"].as_str().unwrap();
        for number in numbers(text) {
            assert!(known.contains(&number), "{number} of “{text}” is not in {known:?}");
        }
    }
}

/// The numbers of a widget's figures, of their changes, and of how many rows are still open.
fn numbers_of(widget: &ReportWidget, data: &Value) -> Vec<String> {
    let currency = data["currency"].as_str();
    let rows = match widget.rows {
        Some(_) => rows(widget, data),
        None => std::slice::from_ref(data),
    };
    let mut known = Vec::new();
    for field in widget.fields {
        for row in rows {
            known.extend(numbers(&written(field, row, currency)));
            if let Some(change) = change_of(field, row) {
                known.extend([1, 2].map(|decimals| fixed(change.abs(), decimals)));
            }
        }
    }
    let open = rows.iter().filter(|row| row["resolved_at"].is_null()).count();
    known.push(open.to_string());
    known
}

/// Walks the PDF of a report whose data are these.
async fn in_print(app: &TestApp, catalogue: &Catalogue, data: &Value, pdf: &[u8]) -> Faults {
    let pdf = read(pdf).await;
    assert_eq!(pdf["language"], "de");
    let pages: Vec<&str> = pdf["pages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|page| page.as_str().unwrap())
        .collect();
    let days = format!("shop.example · {} – {}", day(FIRST), day(LAST));
    let text = Text::of(&pages, &days);

    let mut head = text.whole();
    let before = format!("{} – {}", day(FIRST_BEFORE), day(LAST_BEFORE));
    let made = moment(data["meta"]["generated_at"].as_str().unwrap());
    let mut head_says = vec![
        NAME.to_owned(),
        days,
        format!("compared with {before}"),
        format!("Made {made}"),
        "Contents".to_owned(),
    ];
    let (mut titles, mut below) = (Vec::new(), Vec::new());
    for (at, section) in catalogue.sections().iter().enumerate() {
        let name = section.name.as_str();
        head_says.push(format!("{}. Teil {name}", at + 1));
        titles.push(format!("Teil {name}"));
        below.push((name, None));
        for known in &section.widgets {
            titles.push(title_of(name, known.widget.name));
            below.push((name, Some(known.widget)));
        }
    }
    let mut faults = Faults::new();
    for words in head_says {
        if let Err(why) = head.takes(&words) {
            faults.push(("the head".to_owned(), why));
            return faults;
        }
    }
    let compared = DateRange::new(date!(2026 - 02 - 04), date!(2026 - 03 - 03)).unwrap();
    for (mut cut, (section, widget)) in text.below(head.read(), &titles).into_iter().zip(below) {
        let (name, end) = match widget {
            None => ("its title", cut.ends()),
            Some(widget) => {
                let answer = answer(data, section, widget.name);
                (widget.name, cut.shows(widget, answer, compared))
            }
        };
        faults.extend(end.err().map(|why| (format!("{section}/{name}"), why)));
    }
    faults
}

/// The figures of charts, which are no text in a PDF, as the page tells them that PDFs are printed from.
fn in_charts(catalogue: &Catalogue, data: &Value, page: &str) -> Faults {
    let mut faults = Faults::new();
    for section in catalogue.sections() {
        for known in &section.widgets {
            let (section, widget) = (section.name.as_str(), known.widget);
            if widget.kind.as_str() != "chart" {
                continue;
            }
            let shown = cells(page, &title_of(section, widget.name));
            let want = charted(widget, &answer(data, section, widget.name)["data"]);
            if shown != want {
                let why = format!("the table beside it is {shown:?} instead of {want:?}");
                faults.push((format!("{section}/{}", widget.name), why));
            }
        }
    }
    faults
}

/// Whether nothing but a module that was late can be the reason: a report tells of all modules at a glance with two seconds for each,
/// and with eight seconds for each section.
fn is_of_lateness(data: &Value, faults: &Faults) -> bool {
    let is_late = |(at, _): &(String, String)| at.starts_with("overview/");
    faults.iter().all(is_late) || data.to_string().contains("\"module_unavailable\"")
}

#[tokio::test(flavor = "multi_thread")]
async fn every_figure_of_every_widget_is_the_apis_down_to_the_letters_of_the_pdf() {
    let app = TestApp::start().await;
    seed::site(&app).await;
    let catalogue = maker(&app).await.catalogue;
    assert_eq!(
        unaccounted(&catalogue),
        [""; 0],
        "name the operation that tells the figures of each widget"
    );
    let _worker = worker(&app).await;
    let id = template(&app, &everything(&catalogue)).await;

    for turn in 1..=TURNS {
        let (result, _) = report(&app, &id, "json").await;
        let data = &result["inline"];
        for (member, day) in [
            ("range_start", FIRST),
            ("range_end", LAST),
            ("compare_range_start", FIRST_BEFORE),
            ("compare_range_end", LAST_BEFORE),
        ] {
            assert_eq!(data["meta"][member], day, "{member}");
        }
        let mut faults = against_the_api(&app, &catalogue, data).await;
        let (_, page) = report(&app, &id, "html").await;
        faults.extend(in_charts(&catalogue, data, &String::from_utf8(page).unwrap()));
        let (_, pdf) = report(&app, &id, "pdf").await;
        faults.extend(in_print(&app, &catalogue, data, &pdf).await);
        if faults.is_empty() {
            changes_are_told(&catalogue, data);
            return;
        }
        let told: Vec<String> = faults.iter().map(|(at, why)| format!("{at}: {why}")).collect();
        assert!(
            turn < TURNS && is_of_lateness(data, &faults),
            "{}",
            told.join("\n\n")
        );
    }
}

/// What was compared above were figures, and changes of them both ways.
fn changes_are_told(catalogue: &Catalogue, data: &Value) {
    for name in ["overview", "uptime", "analytics", "rum", "gsc"] {
        let section = catalogue.section(name).unwrap();
        let changes = section.widgets.iter().flat_map(|known| {
            let data = &answer(data, name, known.widget.name)["data"];
            let fields = known.widget.fields.iter();
            fields.filter_map(|field| change_of(field, data))
        });
        assert!(changes.count() > 0, "no figure of {name} changed");
    }
}
