//! POST /domains/{domain_id}/reports/data/{template_id}

use pharos_domain::{module::Module, report_widget::FieldFormat};
use pharos_reporting::render::labels;
use serde_json::{Value, json};
use time::macros::datetime;

use super::{get, maker, only, post, template};
use crate::{fixtures, harness::TestApp, uptime};

/// The data of a template's only widget over some days.
pub(super) async fn widget(
    app: &TestApp,
    section: &str,
    widget: &str,
    config: &Value,
    window: &Value,
) -> Value {
    let name = format!("{section} {widget} {}", uuid::Uuid::now_v7());
    let body = json!({ "name": name, "sections_config": only(section, widget, config) });
    let id = template(app, &body).await;
    let answer = post(app, &format!("data/{id}"), window).await.ok();
    answer["sections"][0]["widgets"][0].clone()
}

pub(super) async fn module(app: &TestApp, rest: &str) -> Value {
    let path = format!("/domains/{}/{rest}", app.world.domain);
    app.get(&path, &app.world.key).send().await.ok()
}

/// The entry of a widget in the catalogue.
async fn entry(app: &TestApp, section: &str, name: &str) -> Value {
    let path = "/domains/reports/sections-catalog";
    let catalogue = app.get(path, &app.world.key).send().await.ok();
    let one = |list: &Value, member: &str, name: &str| {
        let found = list.as_array().unwrap().iter().find(|one| one[member] == name);
        found.unwrap_or_else(|| panic!("there is no {name}")).clone()
    };
    let section = one(&catalogue["items"], "section", section);
    one(&section["widgets"], "widget", name)
}

/// Holds a widget's data against the operation's answer: all fields of the catalogue, all rows up to the limit, something measured.
pub(super) fn is_answer_of(entry: &Value, data: &Value, mut whole: Value, at: &str) {
    let fields: Vec<&str> = entry["data_fields"]
        .as_array()
        .unwrap()
        .iter()
        .map(|field| field.as_str().unwrap())
        .collect();
    let members = data.as_object().unwrap();
    let is_table = ["table", "chart"].iter().any(|kind| entry["kind"] == **kind);
    let lists = members.iter().filter(|(_, value)| value.is_array());
    let rows: Vec<Value> = match lists.map(|(name, _)| name).collect::<Vec<_>>().as_slice() {
        [name] if is_table => {
            let limit = entry["config_schema"]
                .as_array()
                .unwrap()
                .iter()
                .find(|field| field["field"] == "limit")
                .and_then(|field| field["default"].as_u64());
            let all = whole[name.as_str()].as_array_mut().unwrap();
            all.truncate(limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap()));
            data[name.as_str()].as_array().unwrap().clone()
        }
        [] if !is_table => vec![data.clone()],
        lists => panic!("{at} has the lists {lists:?}"),
    };
    assert!(!rows.is_empty(), "{at} has no row");
    let mut measured = 0;
    for row in &rows {
        for (place, field) in fields.iter().enumerate() {
            let value = field
                .split('.')
                .try_fold(row, |value, name| value.as_object()?.get(name))
                .unwrap_or_else(|| panic!("{at} has no {field}: {row}"));
            // The first column of a row names it.
            measured += usize::from(!(value.is_null() || is_table && place == 0));
        }
    }
    assert!(measured > 0, "{at} has no figure: {rows:?}");
    is_part_of(data, &whole, at);
}

/// Every member of a widget's data is that of the operation's answer.
fn is_part_of(data: &Value, whole: &Value, at: &str) {
    match (data, whole) {
        // When each was worked out.
        _ if at.ends_with("/generated_at") => {}
        (Value::Object(data), Value::Object(whole)) => {
            for (name, value) in data {
                is_part_of(
                    value,
                    whole.get(name).unwrap_or(&Value::Null),
                    &format!("{at}/{name}"),
                );
            }
        }
        (Value::Array(data), Value::Array(whole)) => {
            assert_eq!(data.len(), whole.len(), "{at}");
            for (place, (value, whole)) in data.iter().zip(whole).enumerate() {
                is_part_of(value, whole, &format!("{at}/{place}"));
            }
        }
        // A part that was not measured at all has no figure.
        (Value::Object(data), Value::Null) => {
            for (name, value) in data {
                is_part_of(value, &Value::Null, &format!("{at}/{name}"));
            }
        }
        (data, whole) => assert_eq!(data, whole, "{at}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_figure_of_a_report_is_the_one_of_its_module() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let window = json!({ "start_date": "2026-03-01", "end_date": "2026-04-03", "compare_previous": true });
    let days = "start_date=2026-03-01&end_date=2026-04-03";
    let compared = format!("{days}&compare_previous=true");
    for (section, name, operation) in [
        ("uptime", "kpi_row", format!("uptime/availability?{compared}")),
        ("uptime", "timeseries", format!("uptime/availability?{compared}")),
        ("uptime", "incident_list", format!("uptime/incidents?{days}")),
        ("analytics", "kpi_row", format!("analytics/overview?{compared}")),
        (
            "analytics",
            "timeseries",
            format!("analytics/overview?{compared}"),
        ),
        (
            "analytics",
            "top_pages",
            format!("analytics/pages?{days}&limit=10"),
        ),
        (
            "analytics",
            "top_sources",
            format!("analytics/sources?{days}&group_by=channel"),
        ),
        ("analytics", "countries", format!("analytics/countries?{days}")),
        ("analytics", "devices", format!("analytics/devices?{days}")),
        ("analytics", "browsers", format!("analytics/devices?{days}")),
        ("analytics", "events", format!("analytics/events?{days}")),
        (
            "ecommerce",
            "kpi_row",
            format!("analytics/ecommerce/overview?{days}"),
        ),
        (
            "ecommerce",
            "top_products",
            format!("analytics/ecommerce/products?{days}&limit=10"),
        ),
        (
            "ecommerce",
            "channels",
            format!("analytics/ecommerce/channels?{days}"),
        ),
        (
            "experiments",
            "experiment_list",
            "analytics/experiments".to_owned(),
        ),
        ("rum", "kpi_row", format!("rum/overview?{compared}")),
        ("rum", "timeseries", format!("rum/overview?{compared}")),
        ("rum", "top_pages", format!("rum/pages?{compared}&limit=10")),
        ("rum", "countries", format!("rum/countries?{days}")),
        (
            "rum",
            "distribution",
            format!("rum/distribution?{days}&metric=lcp&bins=20"),
        ),
        ("rum", "lcp_elements", format!("rum/lcp/elements?{days}")),
        ("rum", "errors", format!("rum/errors?{days}")),
        ("crux", "vitals_gauge", "crux/overview".to_owned()),
        ("crux", "pages", "crux/urls".to_owned()),
        ("robots", "kpi_row", "robots/overview".to_owned()),
        ("robots", "issues", "robots/issues".to_owned()),
        ("robots", "versions", "robots/versions".to_owned()),
        ("robots", "crawlers", "robots/crawlers".to_owned()),
        ("synthetic", "kpi_row", "synthetic/overview".to_owned()),
        ("synthetic", "scores", "synthetic/overview".to_owned()),
        ("synthetic", "metrics", "synthetic/overview".to_owned()),
        ("synthetic", "budgets", "synthetic/budgets".to_owned()),
        ("gsc", "kpi_row", format!("gsc/overview?{compared}")),
        ("gsc", "timeseries", format!("gsc/overview?{compared}")),
        ("gsc", "positions", "gsc/position-distribution".to_owned()),
        ("gsc", "queries", format!("gsc/queries?{compared}&limit=10")),
        ("gsc", "pages", format!("gsc/pages?{compared}&limit=10")),
        ("gsc", "countries", format!("gsc/countries?{days}&limit=10")),
        ("gsc", "devices", format!("gsc/devices?{days}")),
        ("gsc", "updates", format!("gsc/timeseries?{days}")),
        ("indexing", "kpi_row", "indexing/overview".to_owned()),
        ("indexing", "reasons", "indexing/overview".to_owned()),
        ("sitemap", "kpi_row", "sitemap/overview".to_owned()),
        ("sitemap", "issues", "sitemap/issues".to_owned()),
        ("sitemap", "changes", "sitemap/changes".to_owned()),
    ] {
        let found = widget(&app, section, name, &json!({}), &window).await;
        assert_eq!(found["status"], "ok", "{section} {name}: {found}");
        let whole = module(&app, &operation).await;
        let entry = entry(&app, section, name).await;
        assert_eq!(found["kind"], entry["kind"], "{section} {name}");
        is_answer_of(&entry, &found["data"], whole, &format!("{section}/{name}"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn traffic_search_and_speed_of_a_page_stand_side_by_side() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let window = json!({ "start_date": "2026-03-01", "end_date": "2026-04-03" });
    let days = "start_date=2026-03-01&end_date=2026-04-03&limit=100";
    let found = widget(&app, "overview", "pages", &json!({ "limit": 100 }), &window).await;
    assert_eq!(found["status"], "ok", "{found}");
    let rows = found["data"]["items"].as_array().unwrap();
    for (operation, page, columns) in [
        ("analytics/pages", "page", &["visitors", "pageviews"][..]),
        ("gsc/pages", "page", &["clicks", "impressions", "position"]),
        ("rum/pages", "url", &["lcp_ms", "inp_ms", "cls"]),
    ] {
        let whole = module(&app, &format!("{operation}?{days}")).await;
        let items = whole["items"].as_array().unwrap();
        assert!(!items.is_empty(), "{operation}");
        for item in items {
            let name = item[page].as_str().unwrap();
            let path = name.strip_prefix("https://shop.example").unwrap_or(name);
            let row = rows.iter().find(|row| row["page"] == path);
            let row = row.unwrap_or_else(|| panic!("{path} is not in {rows:?}"));
            for column in columns {
                assert_eq!(row[column], item[column], "{operation} {path} {column}");
            }
        }
    }
}

/// The operation has a window of its own, 90 days that end today.
#[tokio::test(flavor = "multi_thread")]
async fn the_course_of_sitemaps_is_that_of_the_window() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let window = json!({ "start_date": "2026-03-30", "end_date": "2026-03-31" });
    let found = widget(&app, "sitemap", "timeseries", &json!({}), &window).await;
    let whole = module(&app, "sitemap/timeseries").await;
    let points = whole["points"].as_array().unwrap();
    assert_eq!(found["data"]["points"].as_array().unwrap().len(), 2, "{found}");
    is_part_of(
        &found["data"]["points"],
        &json!(points[points.len() - 2..]),
        "points",
    );
}

/// The operations have windows of days that end today.
#[tokio::test(flavor = "multi_thread")]
async fn what_inspections_found_is_that_of_the_window() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let window = json!({ "start_date": "2026-03-29", "end_date": "2026-03-31" });
    for (name, config, operation) in [
        ("timeseries", json!({}), "indexing/timeseries?days=3"),
        ("changes", json!({}), "indexing/changes?days=3&limit=10"),
        (
            "changes",
            json!({ "direction": "worsened" }),
            "indexing/changes?days=3&limit=10&direction=worsened",
        ),
    ] {
        let found = widget(&app, "indexing", name, &config, &window).await;
        assert_eq!(found["status"], "ok", "{name}: {found}");
        let whole = module(&app, operation).await;
        let entry = entry(&app, "indexing", name).await;
        is_answer_of(&entry, &found["data"], whole, &format!("indexing/{name}"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn search_performance_is_that_of_the_search_type_that_was_chosen() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let window = json!({ "start_date": "2026-03-28", "end_date": "2026-03-29" });
    let web = widget(&app, "gsc", "kpi_row", &json!({}), &window).await;
    assert_eq!(web["data"]["clicks"], 7);
    // Nothing of Discover was imported, and it has no queries.
    let discover = json!({ "search_type": "discover" });
    for name in ["kpi_row", "queries"] {
        let found = widget(&app, "gsc", name, &discover, &window).await;
        assert_eq!(found["status"], "no_data", "{name}: {found}");
    }
}

/// A widget that leaves something out, or answers otherwise than its module, must fail the test above.
#[test]
fn what_differs_or_is_missing_is_seen() {
    let entry = json!({
        "kind": "table", "data_fields": ["page", "visitors"],
        "config_schema": [{ "field": "limit", "default": 2 }],
    });
    let row = |visitors: Value| json!({ "page": "/", "visitors": visitors });
    let whole = json!({ "items": [row(json!(8)), row(json!(5)), row(json!(1))] });
    let is_seen = |data: Value| {
        let whole = whole.clone();
        std::panic::catch_unwind(|| is_answer_of(&entry, &data, whole, "")).is_err()
    };
    assert!(!is_seen(json!({ "items": [row(json!(8)), row(json!(5))] })));
    for (data, why) in [
        (
            json!({ "items": [row(json!(7)), row(json!(5))] }),
            "another figure",
        ),
        (json!({ "items": [row(json!(8))] }), "a row is missing"),
        (json!({ "items": [] }), "no row"),
        (json!({}), "no rows"),
        (
            json!({ "items": [{ "page": "/" }, row(json!(5))] }),
            "a column is missing",
        ),
    ] {
        assert!(is_seen(data), "{why}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_figure_changes_by_one_share_in_the_overview_and_in_its_module() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let window = json!({ "period": "this_month", "compare_previous": true });
    for (section, name) in [("overview", "kpi_row"), ("analytics", "kpi_row")] {
        let found = widget(&app, section, name, &json!({}), &window).await;
        let meta = &found["data"]["meta"];
        assert_eq!(
            (
                &meta["compare_mode"],
                &meta["compare_range_start"],
                &meta["compare_range_end"]
            ),
            (
                &json!("calendar_month"),
                &json!("2026-02-01"),
                &json!("2026-02-28")
            ),
            "{section}: {found}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_status_says_why_there_is_nothing() {
    let app = TestApp::start().await;
    for (section, name, status) in [
        ("uptime", "kpi_row", "not_configured"),
        ("robots", "kpi_row", "not_configured"),
        ("rum", "kpi_row", "no_data"),
        ("gsc", "kpi_row", "not_configured"),
        ("gsc", "queries", "not_configured"),
        ("synthetic", "kpi_row", "not_configured"),
        ("synthetic", "budgets", "not_configured"),
        ("indexing", "kpi_row", "not_configured"),
        ("indexing", "changes", "not_configured"),
        ("sitemap", "kpi_row", "not_configured"),
    ] {
        let found = widget(&app, section, name, &json!({}), &json!({})).await;
        assert_eq!(found["status"], status, "{section}: {found}");
        assert_eq!(
            (&found["data"], &found["error_code"]),
            (&Value::Null, &Value::Null),
            "{section}"
        );
    }
    let note = widget(
        &app,
        "notes",
        "text",
        &json!({ "text": "Grüße\n\n=1+1" }),
        &json!({}),
    )
    .await;
    assert_eq!(note["data"], json!({ "text": "Grüße\n\n=1+1" }));
}

/// Nobody looked in January. In February a check found the site up.
#[tokio::test(flavor = "multi_thread")]
async fn a_month_that_nobody_watched_is_none_without_outages() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let up = uptime::check(app.world.domain, datetime!(2026-02-10 10:00 UTC), 200);
    uptime::store(&app, vec![up]).await;
    for (section, name, month, status) in [
        ("uptime", "kpi_row", "2026-01", "no_data"),
        ("uptime", "incident_list", "2026-01", "no_data"),
        ("rum", "kpi_row", "2026-01", "no_data"),
        ("uptime", "kpi_row", "2026-02", "ok"),
        ("uptime", "incident_list", "2026-02", "ok"),
    ] {
        let window = json!({ "start_date": format!("{month}-01"), "end_date": format!("{month}-28") });
        let found = widget(&app, section, name, &json!({}), &window).await;
        assert_eq!(found["status"], status, "{section} {name} {month}: {found}");
    }
}

/// The table of scores names modules, the sections of the same report have labels.
#[tokio::test(flavor = "multi_thread")]
async fn a_module_has_one_name_in_a_report() {
    let app = TestApp::start().await;
    let catalogue = maker(&app).await.catalogue;
    for module in Module::MONITORING {
        let section = catalogue.section(module.as_str()).unwrap();
        assert_eq!(labels::section(module.as_str()), section.label);
    }
    let health = catalogue.section("overview").unwrap().widget("health").unwrap();
    assert_eq!(health.widget.fields[0].format, FieldFormat::Module);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_window_is_the_bodys_else_the_templates() {
    let app = TestApp::start().await;
    let id = template(
        &app,
        &json!({ "name": "Monthly", "default_period": "last_month" }),
    )
    .await;
    let meta = async |body: Value| post(&app, &format!("data/{id}"), &body).await.ok()["meta"].clone();
    let usual = meta(json!({ "sections": ["notes"] })).await;
    assert_eq!(
        (&usual["range_start"], &usual["range_end"], &usual["period"]),
        (&json!("2026-02-01"), &json!("2026-02-28"), &json!("last_month"))
    );
    assert_eq!(
        (
            &usual["compare_range_start"],
            &usual["compare_range_end"],
            &usual["compare_mode"]
        ),
        (
            &json!("2026-01-01"),
            &json!("2026-01-28"),
            &json!("calendar_month")
        )
    );
    let chosen =
        meta(json!({ "start_date": "2026-03-30", "compare_previous": false, "sections": ["notes"] })).await;
    assert_eq!(
        (&chosen["range_start"], &chosen["range_end"]),
        (&json!("2026-03-30"), &json!("2026-03-31"))
    );
    assert_eq!(chosen["compare_range_start"], Value::Null);
    for (body, pointers) in [
        (
            json!({ "period": "last_week", "start_date": "2026-03-01" }),
            vec!["/period"],
        ),
        (json!({ "start_date": "2016-03-31" }), vec!["/start_date"]),
        (
            json!({ "start_date": "2027-01-01", "sections": ["notes", "notes"] }),
            vec!["/sections/1", "/start_date"],
        ),
    ] {
        let mut faults = post(&app, &format!("data/{id}"), &body).await.faults();
        faults.sort();
        assert_eq!(faults, pointers, "{body}");
    }
    post(&app, &format!("data/{}", uuid::Uuid::now_v7()), &json!({}))
        .await
        .problem(404, "report-template-not-found");
    assert_eq!(
        get(&app, "runs").await.ok()["items"],
        json!([]),
        "nothing is made by looking"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_module_that_fails_never_fails_the_call() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let config = json!({ "version": 1, "sections": [
        { "section": "robots", "widgets": [{ "widget": "kpi_row" }, { "widget": "issues" }] },
        { "section": "uptime", "widgets": [{ "widget": "kpi_row" }] },
    ] });
    let id = template(&app, &json!({ "name": "Both", "sections_config": config })).await;
    app.sql("ALTER TABLE robots_sites RENAME TO robots_sites_away")
        .await;
    let answer = post(&app, &format!("data/{id}"), &json!({})).await.ok();
    for widget in answer["sections"][0]["widgets"].as_array().unwrap() {
        assert_eq!(widget["status"], "module_unavailable", "{widget}");
        assert!(
            widget["error_code"].is_string() && widget["data"].is_null(),
            "{widget}"
        );
    }
    assert_eq!(answer["sections"][1]["widgets"][0]["status"], "ok");
}

/// Otherwise it would be said of a site that nothing needs doing, where nobody could look.
#[tokio::test(flavor = "multi_thread")]
async fn a_widget_about_several_modules_names_those_that_fail() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let march = json!({ "start_date": "2026-03-01", "end_date": "2026-03-31" });
    let widgets = ["summary", "kpi_row", "health"];
    for name in widgets {
        let found = widget(&app, "overview", name, &json!({}), &march).await;
        assert!(
            found["data"].get("unavailable_modules").is_none(),
            "{name}: {found}"
        );
    }
    app.sql("ALTER TABLE robots_sites RENAME TO robots_sites_away")
        .await;
    for name in widgets {
        let found = widget(&app, "overview", name, &json!({}), &march).await;
        let missing = found["data"]["unavailable_modules"].as_array();
        let names_it = missing.is_some_and(|missing| missing.contains(&json!("robots")));
        assert!(names_it, "{name}: {found}");
    }
}
