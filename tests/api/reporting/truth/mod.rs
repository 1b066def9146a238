//! A report with every widget of the catalogue, held against the API, and its PDF read back to the last letter.

mod figures;
mod mailed;
mod seed;
mod seen;
mod sheet;
mod told;
mod walk;

use std::{
    any::Any,
    collections::BTreeSet,
    panic::{AssertUnwindSafe, catch_unwind},
};

use pharos_domain::{day::Day, report_widget::WidgetKind, window::DateRange};
use pharos_reporting::catalogue::Catalogue;
use serde_json::{Value, json};

use self::{
    figures::{change_of, day, moment},
    sheet::in_tables,
    told::{TOLD, Told, answer, are_of_widgets, besides, joins},
    walk::{Text, cells, charted},
};
use super::{data::is_answer_of, download, get, made, maker, pdf::read, template, worker};
use crate::harness::TestApp;

/// The last 28 days, which are also those of the operations whose window nobody chooses.
const FIRST: &str = "2026-03-04";
const LAST: &str = "2026-03-31";
/// The days before.
const FIRST_BEFORE: &str = "2026-02-04";
const LAST_BEFORE: &str = "2026-03-03";
const NAME: &str = "Wahrheit";
const NOTE: &str = "Im März kamen 1.234 Besucher.\n\nDas sind 5,6 % mehr.";

/// The days of a report.
#[derive(Clone, Copy)]
struct Days {
    first: &'static str,
    last: &'static str,
    count: usize,
}

const CHOSEN: Days = Days {
    first: FIRST,
    last: LAST,
    count: 28,
};

/// The differences from the expected report: at which widget, and why.
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
            widgets.map(move |known| (section.name.as_str(), known.widget.name))
        })
        .collect();
    let told: BTreeSet<(&str, &str)> = TOLD
        .iter()
        .map(|(section, widget, _)| (*section, *widget))
        .collect();
    let apart = known.symmetric_difference(&told);
    apart
        .map(|(section, widget)| format!("{section}/{widget}"))
        .collect()
}

/// A report of the days in a format: what is said of its result, and its file.
async fn report(app: &TestApp, template: &str, days: Days, format: &str) -> (Value, Vec<u8>) {
    let Days { first, last, .. } = days;
    let body = json!({ "start_date": first, "end_date": last, "compare_previous": true, "format": format });
    let run = made(app, template, &body).await;
    let run = run["run_id"].as_str().unwrap();
    let result = get(app, &format!("runs/{run}/result")).await.ok();
    let file = download(app, result["download_url"].as_str().unwrap()).await;
    assert_eq!(file.status, 200);
    (result, file.body.to_vec())
}

/// Why a check failed, if it did.
fn why(check: impl FnOnce()) -> Option<String> {
    let said = |why: Box<dyn Any + Send>| match why.downcast::<String>() {
        Ok(said) => *said,
        Err(why) => why.downcast_ref::<&str>().copied().unwrap_or_default().to_owned(),
    };
    catch_unwind(AssertUnwindSafe(check)).err().map(said)
}

/// Holds the data of a report against the answers of [`besides`], in the order of [`TOLD`].
async fn against_the_api(
    app: &TestApp,
    catalogue: &Catalogue,
    data: &Value,
    days: Days,
    besides: &[Value],
) -> Faults {
    let path = "/domains/reports/sections-catalog";
    let entries = app.get(path, &app.world.key).send().await.ok();
    let entries = json!({ "sections": entries["items"] });
    let mut faults = Faults::new();
    for ((section, name, told), whole) in TOLD.iter().zip(besides) {
        let at = format!("{section}/{name}");
        let (found, entry) = (answer(data, section, name), answer(&entries, section, name));
        let fault = why(|| {
            assert_eq!(found["status"], "ok", "{found}");
            assert_eq!(found["kind"], entry["kind"]);
            match told {
                Told::Of28Days(_) if days.count != 28 => {}
                Told::By(_) | Told::Of28Days(_) | Told::Releases => {
                    is_answer_of(entry, &found["data"], whole.clone(), &at)
                }
                Told::Alerts | Told::LastDays(_) => {
                    let mut own = found["data"].clone();
                    let meta = own["meta"].take();
                    own.as_object_mut().unwrap().remove("meta");
                    for (member, day) in [("range_start", days.first), ("range_end", days.last)] {
                        assert_eq!(meta[member], day, "{member}");
                    }
                    is_answer_of(entry, &own, whole.clone(), &at);
                }
                Told::PageByPage => joins(&found["data"]["items"], whole),
                Told::Sentences => are_of_widgets(catalogue, data, &found["data"]["items"]),
                Told::Note => assert_eq!(found["data"], json!({ "text": NOTE })),
            }
        });
        faults.extend(fault.map(|why| (at, why)));
    }
    faults
}

/// The releases that stand in the picture of a widget. There is one a day.
fn marks(data: &Value, section: &str, widget: &str) -> Vec<String> {
    if (section, widget) != ("rum", "timeseries") {
        return Vec::new();
    }
    let listed = &answer(data, "rum", "releases")["data"]["items"];
    let names = listed.as_array().unwrap().iter();
    names
        .map(|release| release["name"].as_str().unwrap().to_owned())
        .collect()
}

/// Walks the PDF of a report whose data are these.
async fn in_print(catalogue: &Catalogue, data: &Value, pdf: &[u8]) -> Faults {
    let pdf = read(pdf).await;
    assert_eq!(pdf["language"], "en", "its words are English");
    assert_eq!(
        pdf["repeated"], 0,
        "heads of columns that are read more than once"
    );
    let pages: Vec<&str> = pdf["pages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|page| page.as_str().unwrap())
        .collect();
    let meta = |member: &str| data["meta"][member].as_str().unwrap();
    let days = [meta("range_start"), meta("range_end")].map(day).join(" – ");
    let days = format!("shop.example · {days}");
    let text = Text::of(&pages, &days);

    let mut head = text.whole();
    let compared = [meta("compare_range_start"), meta("compare_range_end")];
    let before = compared.map(day).join(" – ");
    let made = moment(meta("generated_at"));
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
        let title = format!("Teil {name}");
        // A heading is a line of its own; an entry of the contents begins with its number.
        let has_heading = |page: &&str| page.lines().any(|line| line.trim() == title);
        let page = 1 + pages.iter().position(has_heading).unwrap();
        head_says.push(format!("{}. {title} {page}", at + 1));
        titles.push(title);
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
    let [first, last] = compared.map(|day| day.parse::<Day>().unwrap().0);
    let compared = DateRange::new(first, last).unwrap();
    for (mut cut, (section, widget)) in text.below(head.read(), &titles).into_iter().zip(below) {
        let (name, end) = match widget {
            None => ("its title", cut.ends()),
            Some(widget) => {
                let answer = answer(data, section, widget.name);
                let marks = marks(data, section, widget.name);
                (widget.name, cut.shows(widget, answer, compared, &marks))
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
            if widget.kind != WidgetKind::Chart {
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
    let answers = all_besides(&app, CHOSEN).await;

    let (result, _) = report(&app, &id, CHOSEN, "json").await;
    let data = &result["inline"];
    is_about(data, [FIRST, LAST, FIRST_BEFORE, LAST_BEFORE]);
    let mut faults = against_the_api(&app, &catalogue, data, CHOSEN, &answers).await;
    let (_, page) = report(&app, &id, CHOSEN, "html").await;
    faults.extend(in_charts(&catalogue, data, &String::from_utf8(page).unwrap()));
    let (_, sheet) = report(&app, &id, CHOSEN, "csv").await;
    faults.extend(in_tables(&catalogue, data, &String::from_utf8(sheet).unwrap()));
    let (_, pdf) = report(&app, &id, CHOSEN, "pdf").await;
    assert!(pdf.len() < 2_000_000, "{} bytes of a month", pdf.len());
    faults.extend(in_print(&catalogue, data, &pdf).await);
    are_none(&faults);
    changes_are_told(&catalogue, data);
}

/// The answers that tell the figures of each widget besides, in the order of [`TOLD`].
async fn all_besides(app: &TestApp, days: Days) -> Vec<Value> {
    let mut answers = Vec::new();
    for (.., told) in TOLD {
        answers.push(besides(app, *told, days).await);
    }
    answers
}

/// The data are those of these days, and of these before.
fn is_about(data: &Value, days: [&str; 4]) {
    let members = [
        "range_start",
        "range_end",
        "compare_range_start",
        "compare_range_end",
    ];
    for (member, day) in members.into_iter().zip(days) {
        assert_eq!(data["meta"][member], day, "{member}");
    }
}

fn are_none(faults: &Faults) {
    let told: Vec<String> = faults.iter().map(|(at, why)| format!("{at}: {why}")).collect();
    assert!(told.is_empty(), "{}", told.join("\n\n"));
}

/// Some of what was compared above were changes.
fn changes_are_told(catalogue: &Catalogue, data: &Value) {
    for name in ["overview", "uptime", "analytics", "rum", "gsc", "crux"] {
        let section = catalogue.section(name).unwrap();
        let changes = section.widgets.iter().flat_map(|known| {
            let data = &answer(data, name, known.widget.name)["data"];
            let fields = known.widget.fields.iter();
            fields.filter_map(move |field| change_of(field, data))
        });
        assert!(changes.count() > 0, "no figure of {name} changed");
    }
}
