//! Who tells the figures of each widget besides the report.

use std::collections::BTreeSet;

use pharos_domain::report_widget::{FieldChange, ReportWidget};
use pharos_reporting::catalogue::Catalogue;
use serde_json::{Value, json};

use super::{
    Days,
    figures::{change_of, fixed, numbers, written},
    walk::rows,
};
use crate::{
    admin::{done, pharos},
    harness::TestApp,
    reporting::data::module,
};

/// Where the figures of a widget are told besides.
#[derive(Clone, Copy)]
pub(super) enum Told {
    /// The operation at this path below the domain's. `$days` are the days of the report, `$compared` the same with those before, and
    /// `$count` is how many they are.
    By(&'static str),
    /// The operation at this path, which is always about 28 days: it tells the figures of a report of so many.
    Of28Days(&'static str),
    /// The newest alerts that fired within the days, of the history, which has no window.
    Alerts,
    /// Those of `pharos admin release list` that came within the days: no operation tells them.
    Releases,
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
pub(super) const TOLD: &[(&str, &str, Told)] = &[
    ("overview", "summary", Told::Sentences),
    ("overview", "kpi_row", Told::Of28Days("overview")),
    ("overview", "health", Told::Of28Days("health")),
    ("overview", "pages", Told::PageByPage),
    ("uptime", "kpi_row", Told::By("uptime/availability?$compared")),
    ("uptime", "timeseries", Told::By("uptime/availability?$compared")),
    (
        "uptime",
        "response_times",
        Told::By("uptime/response-times?period_days=$count&granularity=day"),
    ),
    ("uptime", "incident_list", Told::By("uptime/incidents?$days")),
    ("uptime", "regions", Told::By("uptime/regions?period_days=$count")),
    ("uptime", "certificate", Told::By("ssl/certificate")),
    ("uptime", "registration", Told::By("ssl/domain")),
    ("rum", "kpi_row", Told::By("rum/overview?$compared")),
    ("rum", "timeseries", Told::By("rum/overview?$compared")),
    (
        "rum",
        "distribution",
        Told::By("rum/distribution?$days&metric=lcp&bins=20"),
    ),
    ("rum", "releases", Told::Releases),
    ("rum", "top_pages", Told::By("rum/pages?$compared&limit=10")),
    ("rum", "lcp_elements", Told::By("rum/lcp/elements?$days")),
    ("rum", "errors", Told::By("rum/errors?$days")),
    ("rum", "countries", Told::By("rum/countries?$days")),
    ("crux", "vitals_gauge", Told::By("crux/overview")),
    ("crux", "pages", Told::By("crux/urls")),
    ("synthetic", "kpi_row", Told::By("synthetic/overview")),
    ("synthetic", "scores", Told::By("synthetic/overview")),
    ("synthetic", "metrics", Told::By("synthetic/overview")),
    ("synthetic", "budgets", Told::By("synthetic/budgets")),
    ("gsc", "kpi_row", Told::By("gsc/overview?$compared")),
    ("gsc", "timeseries", Told::By("gsc/overview?$compared")),
    ("gsc", "positions", Told::By("gsc/position-distribution")),
    ("gsc", "queries", Told::By("gsc/queries?$compared&limit=10")),
    ("gsc", "pages", Told::By("gsc/pages?$compared&limit=10")),
    ("gsc", "countries", Told::By("gsc/countries?$days&limit=10")),
    ("gsc", "devices", Told::By("gsc/devices?$days")),
    ("gsc", "updates", Told::By("gsc/timeseries?$days")),
    ("indexing", "kpi_row", Told::By("indexing/overview")),
    (
        "indexing",
        "timeseries",
        Told::By("indexing/timeseries?days=$count"),
    ),
    ("indexing", "reasons", Told::By("indexing/overview")),
    (
        "indexing",
        "changes",
        Told::By("indexing/changes?days=$count&limit=10"),
    ),
    ("robots", "kpi_row", Told::By("robots/overview")),
    ("robots", "issues", Told::By("robots/issues")),
    ("robots", "versions", Told::By("robots/versions")),
    ("robots", "crawlers", Told::By("robots/crawlers")),
    ("sitemap", "kpi_row", Told::By("sitemap/overview")),
    ("sitemap", "timeseries", Told::LastDays("sitemap/timeseries")),
    ("sitemap", "issues", Told::By("sitemap/issues")),
    ("sitemap", "changes", Told::By("sitemap/changes")),
    ("sitemap", "google", Told::By("sitemap/google")),
    ("analytics", "kpi_row", Told::By("analytics/overview?$compared")),
    (
        "analytics",
        "timeseries",
        Told::By("analytics/overview?$compared"),
    ),
    (
        "analytics",
        "top_pages",
        Told::By("analytics/pages?$days&limit=10"),
    ),
    (
        "analytics",
        "top_sources",
        Told::By("analytics/sources?$days&group_by=channel"),
    ),
    ("analytics", "countries", Told::By("analytics/countries?$days")),
    ("analytics", "devices", Told::By("analytics/devices?$days")),
    ("analytics", "browsers", Told::By("analytics/devices?$days")),
    ("analytics", "events", Told::By("analytics/events?$days")),
    (
        "ecommerce",
        "kpi_row",
        Told::By("analytics/ecommerce/overview?$days"),
    ),
    (
        "ecommerce",
        "timeseries",
        Told::By("analytics/ecommerce/overview?$days&granularity=day"),
    ),
    (
        "ecommerce",
        "top_products",
        Told::By("analytics/ecommerce/products?$days&limit=10"),
    ),
    (
        "ecommerce",
        "channels",
        Told::By("analytics/ecommerce/channels?$days"),
    ),
    ("alerts", "alert_list", Told::Alerts),
    (
        "experiments",
        "experiment_list",
        Told::By("analytics/experiments"),
    ),
    ("notes", "text", Told::Note),
];

/// A widget's answer within a report's data.
pub(super) fn answer<'a>(data: &'a Value, section: &str, widget: &str) -> &'a Value {
    let one = |list: &'a Value, member: &str, name: &str| {
        let found = list.as_array().unwrap().iter().find(|one| one[member] == name);
        found.unwrap_or_else(|| panic!("there is no {name}"))
    };
    one(
        &one(&data["sections"], "section", section)["widgets"],
        "widget",
        widget,
    )
}

/// The answer that tells a widget's figures besides, in the shape of the widget's data.
pub(super) async fn besides(app: &TestApp, told: Told, report: Days) -> Value {
    let Days { first, last, count } = report;
    let days = format!("start_date={first}&end_date={last}");
    match told {
        Told::By(path) | Told::Of28Days(path) => {
            let compared = format!("{days}&compare_previous=true");
            let path = path.replace("$compared", &compared).replace("$days", &days);
            let path = path.replace("$count", &count.to_string());
            let whole = module(app, &path).await;
            let left_out = whole.get("unavailable_modules").and_then(Value::as_array);
            assert!(
                left_out.is_none_or(Vec::is_empty),
                "{path}: {left_out:?} was late"
            );
            whole
        }
        Told::LastDays(path) => {
            let mut whole = module(app, path).await;
            let points = whole["points"].as_array_mut().unwrap();
            points.retain(|point| point["date"].as_str().unwrap() >= first);
            assert_eq!(points.len(), count, "{path}");
            whole
        }
        Told::Alerts => {
            let path = format!("/alerts/history?domain_id={}&limit=1000", app.world.domain);
            let mut whole = app.get(&path, &app.world.key).send().await.ok();
            let alerts = whole["items"].as_array_mut().unwrap();
            alerts.retain(|alert| {
                let day = &alert["fired_at"].as_str().unwrap()[..10];
                (first..=last).contains(&day)
            });
            whole
        }
        Told::Releases => {
            let domain = app.world.domain.to_string();
            let mut listed = done(&pharos(app, &["release", "list", &domain]));
            listed.as_array_mut().unwrap().retain(|release| {
                let day = &release["released_at"].as_str().unwrap()[..10];
                (first..=last).contains(&day)
            });
            json!({ "items": listed })
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

/// Every page that a module lists is a row, with the module's figures; whatever else a row has is a module's that lists its page.
pub(super) fn joins(rows: &Value, modules: &Value) {
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
            members
                .filter(|(name, value)| *name != "page" && !value.is_null())
                .count()
        })
        .sum();
    assert_eq!(shown, told, "a row has a figure that no module tells: {rows:?}");
}

/// Every number of a sentence is one that a widget of the sentence's section shows.
pub(super) fn are_of_widgets(catalogue: &Catalogue, data: &Value, sentences: &Value) {
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
            assert!(
                known.contains(&number),
                "{number} of “{text}” is not in {known:?}"
            );
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
            let change = change_of(field, row).zip(field.change);
            known.extend(change.map(|(value, change)| match change {
                FieldChange::Percent(_) | FieldChange::Places(_) => fixed(value.abs(), 1),
                FieldChange::Points(_) => fixed(value.abs(), 2),
                FieldChange::Fraction(_) => fixed(value.abs() * 100.0, 2),
            }));
        }
        if field.path == "resolved_at" {
            let open = rows.iter().filter(|row| row["resolved_at"].is_null());
            known.push(open.count().to_string());
        }
    }
    known
}
