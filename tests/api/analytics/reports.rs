//! GET /domains/{domain_id}/analytics/reports, its runs and their rows.

use std::sync::Arc;

use pharos_analytics::{conformance, reports::AnalyticsReports};
use pharos_domain::{collect::event::Action, role::Role, wide_pull::WidePulls};
use pharos_server::worker::WorkerPace;
use serde_json::{Value, json};
use time::{Duration, macros::datetime};

use super::{path, store, told};
use crate::{
    harness::{Key, Reply, TestApp},
    jobs::{Crew, connect},
};

pub(crate) async fn worker(app: &TestApp) -> Crew {
    let database = connect(app.database.url()).await;
    let handler = Arc::new(WidePulls::<AnalyticsReports> {
        store: app.stores.ports.get().unwrap(),
    });
    Crew::start(&database, "local", WorkerPace::default(), vec![handler]).await
}

pub(crate) async fn asked(app: &TestApp, key: &Key, report: &str, idempotency: &str, body: &Value) -> Reply {
    app.request("POST", &path(app, &format!("reports/{report}/runs")))
        .key(key)
        .header("idempotency-key", idempotency)
        .json(body)
        .send()
        .await
}

async fn get(app: &TestApp, rest: &str) -> Reply {
    app.get(&path(app, rest), &app.world.key).send().await
}

/// Runs a report over the days of the log, and gives its id.
async fn done(app: &TestApp, report: &str, body: &Value) -> String {
    let mut whole = json!({ "start_date": "2026-03-30", "end_date": "2026-04-03" });
    whole
        .as_object_mut()
        .unwrap()
        .extend(body.as_object().unwrap().clone());
    let idempotency = uuid::Uuid::now_v7().to_string();
    let reply = asked(app, &app.world.key, report, &idempotency, &whole).await;
    assert_eq!(reply.status, 202, "{report}: {}", reply.json());
    let id = reply.json()["run_id"].as_str().unwrap().to_owned();
    app.reaches(&format!(
        "(SELECT status = 'succeeded' FROM runs WHERE id = '{id}')"
    ))
    .await;
    id
}

pub(super) async fn rows(app: &TestApp, report: &str, body: &Value) -> Value {
    let id = done(app, report, body).await;
    get(app, &format!("reports/runs/{id}/rows")).await.ok()
}

/// The document has the same values, by which requests are judged.
#[tokio::test]
async fn the_catalogue_has_every_value_that_a_run_takes() {
    let app = told().await;
    let document = app.request("GET", "//openapi.json").send().await.ok();
    let schemas = &document["components"]["schemas"];
    let catalogue = get(&app, "reports").await.ok();
    for report in catalogue["items"].as_array().unwrap() {
        let parameters = report["parameters"].as_array().unwrap();
        for (name, schema) in [("channel", "Channel"), ("device", "AnalyticsDeviceClass")] {
            let parameter = parameters.iter().find(|parameter| parameter["name"] == name);
            assert_eq!(parameter.unwrap()["enum"], schemas[schema]["enum"], "{name}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_says_of_all_pages_what_the_list_says() {
    let app = told().await;
    let _worker = worker(&app).await;
    for filters in [
        json!({}),
        json!({ "device": "desktop" }),
        json!({ "source": "%'" }),
    ] {
        let report = rows(&app, "pages_full", &filters).await;
        let query: String = filters
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, value)| format!("&{name}={}", value.as_str().unwrap().replace("%'", "%25%27")))
            .collect();
        let days = "start_date=2026-03-30&end_date=2026-04-03";
        let list = get(&app, &format!("pages?{days}{query}")).await.ok();
        assert_eq!(report["total_rows"], list["total_pages"], "{filters}");
        let (found, expected) = (
            report["items"].as_array().unwrap(),
            list["items"].as_array().unwrap(),
        );
        assert_eq!(found.len(), expected.len());
        for (row, page) in found.iter().zip(expected) {
            for column in report["columns"].as_array().unwrap() {
                let name = column["name"].as_str().unwrap();
                let (row, page) = (&row[name], &page[name]);
                match (row.as_f64(), page.as_f64()) {
                    (Some(row), Some(page)) => assert!((row - page).abs() < 1e-9, "{name}: {row} {page}"),
                    _ => assert_eq!(row, page, "{name}"),
                }
            }
        }
    }
}

/// Every report has rows that add up to what the overview says of the log: 16 visitors, of whom each has one source.
#[tokio::test(flavor = "multi_thread")]
async fn every_report_has_a_value_for_each_of_its_columns() {
    let app = told().await;
    let _worker = worker(&app).await;
    let catalogue = get(&app, "reports").await.ok();
    let reports = catalogue["items"].as_array().unwrap();
    assert_eq!(reports.len(), 9);
    let overview = get(&app, "overview?start_date=2026-03-30&end_date=2026-04-03")
        .await
        .ok();
    for report in reports {
        let key = report["report_key"].as_str().unwrap();
        let found = rows(&app, key, &json!({})).await;
        let items = found["items"].as_array().unwrap();
        assert!(!items.is_empty(), "{key}");
        assert_eq!(found["total_rows"], items.len(), "{key}");
        let names = |of: &str| report[of].as_array().unwrap().clone();
        let columns: Vec<Value> = [names("dimensions"), names("metrics")].concat();
        let told: Vec<&Value> = found["columns"]
            .as_array()
            .unwrap()
            .iter()
            .map(|column| &column["name"])
            .collect();
        assert_eq!(told, columns.iter().collect::<Vec<_>>(), "{key}");
        for row in items {
            let row = row.as_object().unwrap();
            assert!(
                columns
                    .iter()
                    .all(|name| row.contains_key(name.as_str().unwrap())),
                "{key}: {row:?}"
            );
            assert_eq!(row.len(), columns.len(), "{key}");
        }
        let sum = |metric: &str| items.iter().filter_map(|row| row[metric].as_i64()).sum::<i64>();
        match key {
            "sources_full" => {
                for metric in ["visitors", "sessions", "pageviews"] {
                    assert_eq!(json!(sum(metric)), overview[metric], "{metric}");
                }
            }
            "hourly_traffic" => {
                for metric in ["sessions", "pageviews", "events"] {
                    assert_eq!(json!(sum(metric)), overview[metric], "{metric}");
                }
            }
            "pages_by_source" | "countries_by_page" => {
                assert_eq!(json!(sum("pageviews")), overview["pageviews"])
            }
            "events_full" => assert_eq!(json!(sum("count")), overview["events"]),
            _ => {}
        }
    }
}

/// On 2 April nothing happens but a view, and the word twenty minutes later, in another hour, that its page is still in use.
#[tokio::test(flavor = "multi_thread")]
async fn hours_have_the_figures_of_series_by_the_hour() {
    let app = told().await;
    let first = conformance::beacons(app.world.domain).swap_remove(0);
    let stay = Action::Engagement {
        visible_ms: 1_000,
        scroll_pct: None,
    };
    let visit = [
        (datetime!(2026-04-02 10:50 UTC), Action::PageView),
        (datetime!(2026-04-02 11:10 UTC), stay),
    ]
    .map(|(at, action)| {
        let mut beacon = first.clone();
        beacon.id = uuid::Uuid::now_v7();
        beacon.received_at = at;
        beacon.content.0[0].at = at;
        beacon.content.0[0].action = action;
        beacon
    });
    store(&app, &visit).await;
    let _worker = worker(&app).await;
    let report = rows(&app, "hourly_traffic", &json!({})).await;
    let hours = report["items"].as_array().unwrap();
    let metrics = ["visitors", "sessions", "pageviews", "events"];
    let query = format!(
        "timeseries?start_date=2026-03-30&end_date=2026-04-03&granularity=hour&metrics={}",
        metrics.join(",")
    );
    let series = get(&app, &query).await.ok();
    for (place, metric) in metrics.into_iter().enumerate() {
        for point in series["series"][place]["points"].as_array().unwrap() {
            let hour = hours.iter().find(|row| row["hour"] == point["bucket_start"]);
            let of_report = hour.map_or(Some(0.0), |hour| hour[metric].as_f64());
            assert_eq!(of_report, point["value"].as_f64(), "{metric}: {point}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_are_there_from_when_the_run_is_done_until_they_expire() {
    let app = told().await;
    let body = json!({ "start_date": "2026-03-30", "end_date": "2026-04-03" });
    let first = asked(&app, &app.world.key, "sources_full", "once", &body).await;
    let run = first.json();
    assert_eq!(
        (
            &run["kind"],
            &run["status"],
            &run["report_key"],
            &run["total_rows"]
        ),
        (
            &json!("analytics_report"),
            &json!("queued"),
            &json!("sources_full"),
            &Value::Null
        )
    );
    let id = run["run_id"].as_str().unwrap();
    let of_run = format!("reports/runs/{id}");
    get(&app, &format!("{of_run}/rows"))
        .await
        .problem(409, "conflict");
    let again = asked(&app, &app.world.key, "sources_full", "once", &body).await;
    assert_eq!((again.body, again.status), (first.body, 202));

    let worker = worker(&app).await;
    app.reaches("(SELECT status = 'succeeded' FROM runs)").await;
    drop(worker);
    let poll = run["poll_path"]
        .as_str()
        .unwrap()
        .strip_prefix("/api/public/v1")
        .unwrap();
    let shown = app.get(poll, &app.world.key).send().await.ok();
    assert_eq!(shown["status"], "succeeded");
    let total = shown["total_rows"].as_u64().unwrap();
    let all = get(&app, &format!("{of_run}/rows?limit=50001")).await.ok();
    assert_eq!(
        (&all["total_rows"], &all["limit"]),
        (&json!(total), &json!(50_000))
    );
    let second = get(&app, &format!("{of_run}/rows?limit=1&offset=1")).await.ok();
    assert_eq!(second["items"], json!([all["items"][1]]));
    let beyond = get(&app, &format!("{of_run}/rows?offset=99999999999999999999"))
        .await
        .ok();
    assert_eq!(
        (&beyond["items"], &beyond["total_rows"]),
        (&json!([]), &json!(total))
    );
    for (filter, count) in [
        ("", 1),
        ("?report_key=sources_full&status=succeeded", 1),
        ("?report_key=pages_full", 0),
        ("?status=expired", 0),
    ] {
        let runs = get(&app, &format!("reports/runs{filter}")).await.ok();
        assert_eq!(runs["items"].as_array().unwrap().len(), count, "{filter}");
    }
    let told = app
        .get("/notifications?type=run_finished", &app.world.key)
        .send()
        .await
        .ok();
    assert_eq!(told["items"][0]["title"], "shop.example: Report succeeded");

    app.sql("UPDATE runs SET expires_at = '2026-04-03 12:00Z'").await;
    app.clock.advance(Duration::days(8));
    get(&app, &format!("{of_run}/rows"))
        .await
        .problem(410, "report-result-expired");
    assert_eq!(get(&app, &of_run).await.ok()["status"], "expired");
    let expired = get(&app, "reports/runs?status=expired").await.ok();
    assert_eq!(expired["items"][0]["run_id"], json!(id));
}

#[tokio::test]
async fn what_cannot_be_run_is_refused_with_all_that_is_wrong() {
    let app = TestApp::start().await;
    let key = app.world.key.clone();
    asked(&app, &key, "pages_full", "a", &json!({}))
        .await
        .problem(404, "analytics-not-found");
    get(&app, "reports").await.problem(404, "analytics-not-found");
    app.put(&path(&app, "config"), &key, &json!({})).send().await.ok();
    asked(&app, &key, "page_full", "a", &json!({}))
        .await
        .problem(404, "report-not-registered");
    let bad =
        json!({ "start_date": "2026-02-30", "end_date": "tomorrow", "sauce": "google", "country": "usa" });
    let mut faults = asked(&app, &key, "pages_full", "a", &bad).await.faults();
    faults.sort_unstable();
    assert_eq!(faults, ["/country", "/end_date", "/sauce", "/start_date"]);
    let backwards = json!({ "start_date": "2026-03-20", "end_date": "2026-03-01" });
    assert_eq!(
        asked(&app, &key, "pages_full", "a", &backwards).await.faults(),
        ["/end_date"]
    );
    let (viewer, _) = app.world.key_of(&app.stores, Role::Viewer, app.now()).await;
    asked(&app, &viewer, "pages_full", "a", &json!({}))
        .await
        .problem(403, "insufficient-role");
    let nobody = uuid::Uuid::now_v7();
    get(&app, &format!("reports/runs/{nobody}"))
        .await
        .problem(404, "report-run-not-found");
    get(&app, &format!("reports/runs/{nobody}/rows"))
        .await
        .problem(404, "report-run-not-found");
    assert_eq!(app.sql("SELECT id FROM runs").await.len(), 0);
}
