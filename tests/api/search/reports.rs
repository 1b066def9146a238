//! GET /domains/{domain_id}/gsc/reports, its runs and their rows.

use std::sync::Arc;

use diesel::sql_types::{BigInt, Integer, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use futures_util::FutureExt;
use pharos_domain::{
    ids::RunId,
    jobs::JobKind,
    role::Role,
    runs::RunKind,
    store::StoreError,
    wide_pull::{Family, Filled, Report, WidePullStore, WidePulls},
};
use pharos_persistence::{
    failure::Abort,
    sql,
    wide_pulls::{PgWidePullStore, Prepared, Wanted},
};
use pharos_search::gsc::{
    figures::{Device, SearchType},
    reports::{Asked, ReportKey, SearchReports, TOO_COSTLY},
};
use pharos_server::worker::WorkerPace;
use serde_json::{Value, json};
use time::{
    Duration,
    macros::{date, datetime},
};

use super::{day, days, hit, link, path, read, try_read};
use crate::{
    harness::{Key, Reply, TestApp},
    jobs::{Crew, connect},
};

const SHOES: &str = "https://shop.example/shoes";
const SALE: &str = "https://shop.example/sale";
const HATS: &str = "https://shop.example/hats";

/// A property with two days of March 2026 and one of the year before.
async fn told() -> TestApp {
    let app = TestApp::start().await;
    let (first, last) = (date!(2026 - 03 - 28), date!(2026 - 03 - 29));
    link(&app, &[SearchType::Web], date!(2025 - 03 - 01), Some(last)).await;
    let shoes = hit("red shoes", SHOES, 3, 40, 4.5);
    let hats = hit("hats", HATS, 1, 10, 8.0).at("US", Device::Desktop);
    let hidden = hit("", SHOES, 2, 20, 2.0).hidden();
    let later = hit("red shoes", SHOES, 2, 60, 3.0);
    let sale = hit("red shoes", SALE, 0, 10, 12.0).at("DE", Device::Desktop);
    let mut with_looks = day(true, &[later, sale]);
    with_looks.appearances = vec![("product_snippets".to_owned(), SHOES.to_owned(), later.figures())];
    let stored = [
        (date!(2025 - 03 - 29), day(true, &[hit("hats", HATS, 4, 20, 6.0)])),
        (first, day(true, &[shoes, hats, hidden])),
        (last, with_looks),
    ];
    days(&app, SearchType::Web, stored).await;
    app
}

async fn worker(app: &TestApp) -> Crew {
    let database = connect(app.database.url()).await;
    let handler = Arc::new(WidePulls::<SearchReports> {
        store: app.stores.ports.get().unwrap(),
    });
    Crew::start(&database, "local", WorkerPace::default(), vec![handler]).await
}

async fn asked(app: &TestApp, key: &Key, report: &str, idempotency: &str, body: &Value) -> Reply {
    app.request("POST", &path(app, &format!("reports/{report}/runs")))
        .key(key)
        .header("idempotency-key", idempotency)
        .json(body)
        .send()
        .await
}

/// A run that is done, for the fixtures.
pub(super) async fn fill(app: &TestApp) {
    let run = asked(app, &app.world.key, "top_pages_full", "gsc fixture", &json!({})).await;
    let id: RunId = run.json()["run_id"].as_str().unwrap().parse().unwrap();
    let reports = app
        .stores
        .ports
        .get::<dyn WidePullStore<SearchReports>>()
        .unwrap();
    assert_eq!(reports.fill(id).await.unwrap(), Filled::Done);
    // As a worker leaves it.
    app.sql(&format!(
        "UPDATE jobs SET state = 'succeeded', finished_at = now() WHERE run_id = '{id}'"
    ))
    .await;
    app.world.identify("gsc/run_id", id.0);
}

/// Runs a report over the two days of March, and gives its rows.
async fn rows(app: &TestApp, report: &str, filters: Value) -> Value {
    let body = json!({ "parameters": {
        "start_date": "2026-03-28", "end_date": "2026-03-29", "filters": filters
    } });
    let idempotency = uuid::Uuid::now_v7().to_string();
    let reply = asked(app, &app.world.key, report, &idempotency, &body).await;
    assert_eq!(reply.status, 202, "{report}: {}", reply.json());
    let id = reply.json()["run_id"].as_str().unwrap().to_owned();
    app.reaches(&format!(
        "(SELECT status = 'succeeded' FROM runs WHERE id = '{id}')"
    ))
    .await;
    read(app, &format!("reports/runs/{id}/rows")).await
}

/// The values of rows in the order of their columns, positions rounded to four decimals.
fn cells(found: &Value) -> Vec<Value> {
    let names: Vec<&str> = found["columns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|column| column["name"].as_str().unwrap())
        .collect();
    let value = |row: &Value, name: &str| match (&row[name], name.starts_with("position")) {
        (Value::Number(number), true) => {
            json!((number.as_f64().unwrap() * 10_000.0).round() / 10_000.0)
        }
        (value, _) => value.clone(),
    };
    let items = found["items"].as_array().unwrap();
    items
        .iter()
        .map(|row| {
            assert_eq!(row.as_object().unwrap().len(), names.len());
            names.iter().map(|name| value(row, name)).collect()
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_report_has_the_rows_that_the_days_come_to() {
    let app = told().await;
    let _worker = worker(&app).await;
    let (mobile, desktop) = ("mobile", "desktop");
    // Red shoes stand at (40 · 4.5 + 60 · 3 + 10 · 12) / 110; the page of shoes, with what is hidden, at 400 / 120.
    let table = [
        (
            "query_page_matrix",
            json!([
                ["red shoes", SHOES, 5, 100, 0.05, 3.6],
                ["hats", HATS, 1, 10, 0.1, 8.0],
                ["red shoes", SALE, 0, 10, 0.0, 12.0]
            ]),
        ),
        (
            "query_country_device",
            json!([
                ["red shoes", "DE", mobile, 5, 100, 0.05, 3.6],
                ["hats", "US", desktop, 1, 10, 0.1, 8.0],
                ["red shoes", "DE", desktop, 0, 10, 0.0, 12.0]
            ]),
        ),
        (
            "page_daily",
            json!([
                ["2026-03-28", SHOES, 5, 60, 5.0 / 60.0, 3.6667],
                ["2026-03-28", HATS, 1, 10, 0.1, 8.0],
                ["2026-03-29", SHOES, 2, 60, 2.0 / 60.0, 3.0],
                ["2026-03-29", SALE, 0, 10, 0.0, 12.0]
            ]),
        ),
        (
            "query_daily",
            json!([
                ["2026-03-28", "red shoes", 3, 40, 0.075, 4.5],
                ["2026-03-28", "hats", 1, 10, 0.1, 8.0],
                ["2026-03-29", "red shoes", 2, 70, 2.0 / 70.0, 4.2857]
            ]),
        ),
        (
            "search_appearance_pages",
            json!([["product_snippets", SHOES, 2, 60, 2.0 / 60.0, 3.0]]),
        ),
        (
            "top_queries_full",
            json!([
                ["red shoes", 5, 110, 5.0 / 110.0, 4.3636],
                ["hats", 1, 10, 0.1, 8.0]
            ]),
        ),
        (
            "top_pages_full",
            json!([
                [SHOES, 7, 120, 7.0 / 120.0, 3.3333],
                [HATS, 1, 10, 0.1, 8.0],
                [SALE, 0, 10, 0.0, 12.0]
            ]),
        ),
        (
            "year_over_year",
            json!([
                [SHOES, 7, 0, 120, 0, 7.0 / 120.0, null, 3.3333, null],
                [HATS, 1, 4, 10, 20, 0.1, 0.2, 8.0, 6.0],
                [SALE, 0, 0, 10, 0, 0.0, null, 12.0, null]
            ]),
        ),
    ];
    let catalogue = read(&app, "reports").await;
    let keys: Vec<&Value> = catalogue["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|report| &report["report_key"])
        .collect();
    assert_eq!(keys, table.iter().map(|(key, _)| key).collect::<Vec<_>>());
    for (report, expected) in table {
        let found = rows(&app, report, json!([])).await;
        assert_eq!(in_floats(&json!(cells(&found))), in_floats(&expected), "{report}");
        assert_eq!(
            found["total_rows"],
            expected.as_array().unwrap().len(),
            "{report}"
        );
        assert_eq!(found["truncated"], false, "{report}");
    }
}

/// Only the 29th was imported of the 28th and the 29th a year before, and hats had four clicks on it.
#[tokio::test(flavor = "multi_thread")]
async fn a_year_before_that_was_imported_in_part_is_null() {
    let app = told().await;
    let _worker = worker(&app).await;
    let (whole, part) = (date!(2025 - 03 - 28), date!(2025 - 03 - 29));
    let hats_before = |found: &Value| {
        let hats = cells(found).into_iter().find(|row| row[0] == HATS).unwrap();
        json!([hats[2], hats[4], hats[6], hats[8]])
    };
    let unknown = json!([null, null, null, null]);
    let known = json!([4, 20, 0.2, 6.0]);
    for (from, expected) in [(whole, &known), (part, &unknown)] {
        link(&app, &[SearchType::Web], from, Some(date!(2026 - 03 - 29))).await;
        let found = rows(&app, "year_over_year", json!([])).await;
        assert_eq!(&hats_before(&found), expected, "imported from {from} on");
    }
    // The search type itself reaches further back than all of them do.
    app.sql(&format!(
        "INSERT INTO search_imports (domain_id, site_url, search_type, reached)
        VALUES ('{}', 'sc-domain:shop.example', {}, '{whole}')
        ON CONFLICT (domain_id, site_url, search_type) DO UPDATE SET reached = excluded.reached",
        app.world.domain,
        SearchType::Web.code()
    ))
    .await;
    assert_eq!(hats_before(&rows(&app, "year_over_year", json!([])).await), known);
    app.sql(&format!(
        "INSERT INTO search_missed_days (domain_id, search_type, date) VALUES ('{}', {}, '{part}')",
        app.world.domain,
        SearchType::Web.code()
    ))
    .await;
    let missed = hats_before(&rows(&app, "year_over_year", json!([])).await);
    assert_eq!(missed, unknown, "a day of it could not be read yet");
}

#[tokio::test(flavor = "multi_thread")]
async fn filters_fit_rows_as_those_of_the_upstream_do() {
    let app = told().await;
    let _worker = worker(&app).await;
    let filter = |dimension, operator, expression| json!({ "dimension": dimension, "operator": operator, "expression": expression });
    let table = [
        (
            "top_queries_full",
            vec![filter("query", "including_regex", "^h.ts?$")],
            json!(["hats"]),
        ),
        (
            "top_queries_full",
            vec![filter("query", "excluding_regex", "^h")],
            json!(["red shoes"]),
        ),
        (
            "top_queries_full",
            vec![filter("query", "contains", "SHO")],
            json!(["red shoes"]),
        ),
        (
            "top_queries_full",
            vec![filter("query", "equals", "Hats")],
            json!([]),
        ),
        (
            "top_queries_full",
            vec![filter("country", "equals", "us")],
            json!(["hats"]),
        ),
        (
            "top_queries_full",
            vec![filter("device", "not_equals", "mobile")],
            json!(["hats", "red shoes"]),
        ),
        (
            "top_queries_full",
            vec![filter("page", "equals", SALE)],
            json!(["red shoes"]),
        ),
        (
            "top_queries_full",
            vec![
                filter("page", "equals", SALE),
                filter("device", "equals", "mobile"),
            ],
            json!([]),
        ),
        (
            "top_pages_full",
            vec![filter("search_appearance", "contains", "product")],
            json!([SHOES]),
        ),
        (
            "top_pages_full",
            vec![filter("query", "equals", "red shoes")],
            json!([SHOES, SALE]),
        ),
        (
            "year_over_year",
            vec![filter("page", "not_contains", "E/S")],
            json!([HATS]),
        ),
    ];
    for (report, filters, expected) in table {
        let found = rows(&app, report, json!(filters)).await;
        let first: Vec<Value> = cells(&found).iter().map(|row| row[0].clone()).collect();
        assert_eq!(json!(first), expected, "{report} {filters:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_are_there_from_when_the_run_is_done_until_they_expire() {
    let app = told().await;
    let first = asked(&app, &app.world.key, "top_pages_full", "once", &json!({})).await;
    let run = first.json();
    assert_eq!(
        (&run["kind"], &run["status"], &run["start_date"], &run["end_date"]),
        (
            &json!("gsc_report"),
            &json!("queued"),
            &json!("2026-02-28"),
            &json!("2026-03-29")
        )
    );
    let of_run = format!("reports/runs/{}", run["run_id"].as_str().unwrap());
    try_read(&app, &format!("{of_run}/rows"))
        .await
        .problem(409, "conflict");
    let again = asked(&app, &app.world.key, "top_pages_full", "once", &json!({})).await;
    assert_eq!((again.body, again.status), (first.body, 202));

    let worker = worker(&app).await;
    app.reaches("(SELECT status = 'succeeded' FROM runs)").await;
    drop(worker);
    assert_eq!(read(&app, &of_run).await["total_rows"], 3);
    let all = read(&app, &format!("{of_run}/rows?limit=50001")).await;
    assert_eq!((&all["total_rows"], &all["limit"]), (&json!(3), &json!(50_000)));
    let second = read(&app, &format!("{of_run}/rows?limit=1&offset=1")).await;
    assert_eq!(second["items"], json!([all["items"][1]]));
    let beyond = read(&app, &format!("{of_run}/rows?offset=99999999999999999999")).await;
    assert_eq!((&beyond["items"], &beyond["total_rows"]), (&json!([]), &json!(3)));
    for (filter, count) in [
        ("?report_key=top_pages_full&status=succeeded", 1),
        ("?report_key=page_daily", 0),
        ("?status=expired", 0),
    ] {
        let runs = read(&app, &format!("reports/runs{filter}")).await;
        assert_eq!(runs["items"].as_array().unwrap().len(), count, "{filter}");
    }
    // A run of another module is none of these.
    app.sql("UPDATE runs SET kind = 'analytics_report'").await;
    try_read(&app, &of_run).await.problem(404, "report-run-not-found");
    assert_eq!(read(&app, "reports/runs").await["items"], json!([]));

    app.sql("UPDATE runs SET kind = 'gsc_report', expires_at = '2026-04-02 12:00Z'")
        .await;
    // Half an hour before they expire, a page that were cached would outlive them.
    app.clock.advance(datetime!(2026-04-02 11:30 UTC) - app.now());
    assert_eq!(
        read(&app, &format!("{of_run}/rows?limit=2")).await["total_rows"],
        3
    );
    app.clock.advance(Duration::minutes(31));
    try_read(&app, &format!("{of_run}/rows?limit=2"))
        .await
        .problem(410, "report-result-expired");
    app.clock.advance(Duration::days(8));
    try_read(&app, &format!("{of_run}/rows"))
        .await
        .problem(410, "report-result-expired");
    assert_eq!(read(&app, &of_run).await["status"], "expired");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_more_than_2_mib_is_not_kept_in_the_cache() {
    let app = told().await;
    let first = asked(&app, &app.world.key, "top_pages_full", "once", &json!({})).await;
    let run = first.json();
    let rows = format!("reports/runs/{}/rows", run["run_id"].as_str().unwrap());
    let worker = worker(&app).await;
    app.reaches("(SELECT status = 'succeeded' FROM runs)").await;
    drop(worker);
    app.sql("UPDATE wide_pull_rows SET cells = jsonb_set(cells, '{0}', to_jsonb(repeat('x', 800000)))")
        .await;
    for (query, again) in [("?limit=2", "HIT"), ("", "MISS")] {
        let path = format!("{rows}{query}");
        let computed = try_read(&app, &path).await;
        let next = try_read(&app, &path).await;
        assert_eq!((computed.status, next.status), (200, 200), "{query}");
        assert_eq!(computed.header("x-cache"), Some("MISS"), "{query}");
        assert_eq!(next.header("x-cache"), Some(again), "{query}");
        assert_eq!(computed.header("etag").is_some(), again == "HIT", "{query}");
    }
}

/// The reports of search performance, with room for three rows instead of a million.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ThreeRows;

impl Family for ThreeRows {
    type Key = ReportKey;
    type Asked = Asked;
    const RUNS: RunKind = SearchReports::RUNS;
    const JOBS: JobKind = SearchReports::JOBS;
    const MOST_ROWS: u32 = 3;
    const TOO_LONG: &'static str = SearchReports::TOO_LONG;

    fn report(key: ReportKey) -> &'static Report {
        SearchReports::report(key)
    }
}

/// Stores the rows of so many pages.
async fn store_pages<const PAGES: i32>(
    connection: &mut AsyncPgConnection,
    wanted: &Wanted<ThreeRows>,
) -> Result<usize, Abort<StoreError>> {
    let query = sql!(text "INSERT INTO wide_pull_rows (run_id, place, cells)
        SELECT $1, n, jsonb_build_array('page ' || n, n, n, n, n) FROM generate_series(1, $2) AS n ORDER BY n LIMIT $3")
    .bind::<SqlUuid, _>(wanted.id.0)
    .bind::<Integer, _>(PAGES)
    .bind::<BigInt, _>(wanted.limit());
    Ok(query.execute(connection).await?)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_keeps_the_first_rows_and_says_whether_there_are_more() {
    let app = told().await;
    let database = connect(app.database.url()).await;
    let three = PgWidePullStore::<ThreeRows>::new(database.clone(), |connection, wanted, ()| {
        store_pages::<3>(connection, wanted).boxed()
    });
    let five = PgWidePullStore::<ThreeRows>::new(database, |connection, wanted, ()| {
        store_pages::<5>(connection, wanted).boxed()
    });
    for (idempotency, store, is_truncated) in [("three", three, false), ("five", five, true)] {
        let run = asked(&app, &app.world.key, "top_pages_full", idempotency, &json!({})).await;
        let id: RunId = run.json()["run_id"].as_str().unwrap().parse().unwrap();
        assert_eq!(store.fill(id).await.unwrap(), Filled::Done);
        // As a worker leaves it.
        app.sql(&format!(
            "UPDATE jobs SET state = 'succeeded', finished_at = now() WHERE run_id = '{id}'"
        ))
        .await;
        let found = read(&app, &format!("reports/runs/{id}/rows")).await;
        assert_eq!(
            (&found["total_rows"], &found["truncated"]),
            (&json!(3), &json!(is_truncated)),
            "{idempotency}"
        );
        let pages: Vec<Value> = cells(&found).iter().map(|row| row[0].clone()).collect();
        assert_eq!(pages, ["page 1", "page 2", "page 3"], "{idempotency}");
        let stored = format!("SELECT count(*)::text FROM wide_pull_rows WHERE run_id = '{id}'");
        let stored = app.sql(&stored).await;
        assert_eq!(stored[0][0].as_deref(), Some("3"), "{idempotency}");
    }
}

/// To try again would take as long.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_whose_filters_take_too_long_fails_at_once_and_says_why() {
    let app = told().await;
    let reply = asked(&app, &app.world.key, "top_pages_full", "once", &json!({})).await;
    let id = reply.json()["run_id"].as_str().unwrap().to_owned();
    let database = connect(app.database.url()).await;
    let store = PgWidePullStore::<SearchReports, ()>::prepared(
        database.clone(),
        |_, _| async { Ok(Prepared::Refused(TOO_COSTLY)) }.boxed(),
        |_, _, ()| async { Ok(0) }.boxed(),
    );
    let handler = Arc::new(WidePulls::<SearchReports> {
        store: Arc::new(store),
    });
    let _crew = Crew::start(&database, "local", WorkerPace::default(), vec![handler]).await;
    app.reaches("(SELECT status = 'failed' FROM runs)").await;
    let run = read(&app, &format!("reports/runs/{id}")).await;
    assert_eq!(
        (&run["error_code"], &run["error_detail"]),
        (&json!("invalid-request"), &json!(TOO_COSTLY))
    );
    let attempts = app.sql("SELECT attempts::text FROM jobs").await;
    assert_eq!(attempts[0][0].as_deref(), Some("1"));
    try_read(&app, &format!("reports/runs/{id}/rows"))
        .await
        .problem(409, "conflict");
}

#[tokio::test]
async fn what_cannot_be_run_is_refused_with_all_that_is_wrong() {
    let app = TestApp::start().await;
    let key = app.world.key.clone();
    asked(&app, &key, "page_daily", "a", &json!({}))
        .await
        .problem(404, "gsc-property-not-linked");
    try_read(&app, "reports")
        .await
        .problem(404, "gsc-property-not-linked");
    link(&app, &[SearchType::Web], date!(2025 - 03 - 01), None).await;
    asked(&app, &key, "pages_full", "a", &json!({}))
        .await
        .problem(404, "report-not-registered");
    let filter = |dimension: &str, operator: &str, expression: &str| json!({ "dimension": dimension, "operator": operator, "expression": expression });
    let faults = async |report: &str, parameters: Value| {
        let reply = asked(&app, &key, report, "a", &json!({ "parameters": parameters })).await;
        let mut faults = reply.faults();
        faults.sort_unstable();
        faults
    };
    let wrong = json!({
        "start_date": "2026-03-20", "end_date": "2026-03-01",
        "filters": [
            filter("query", "including_regex", "red (?=shoes)"),
            filter("query", "equals", "hats"),
            filter("page", "excluding_regex", "("),
        ],
    });
    assert_eq!(
        faults("page_daily", wrong).await,
        [
            "/parameters/end_date",
            "/parameters/filters/0/expression",
            "/parameters/filters/2/expression"
        ]
    );
    let shapes = json!({
        "search_type": "maps", "sauce": 1, "start_date": "soon",
        "filters": [filter("weather", "equals", "rain"), filter("query", "equals", "")],
    });
    assert_eq!(
        faults("page_daily", shapes).await,
        [
            "/parameters/filters/0/dimension",
            "/parameters/filters/1/expression",
            "/parameters/sauce",
            "/parameters/search_type",
            "/parameters/start_date"
        ]
    );
    // The schema's faults keep nobody from telling those of days and expressions.
    let both = json!({
        "search_type": "maps", "start_date": "2026-03-20", "end_date": "2026-03-01",
        "filters": [filter("weather", "rains", "hats"), filter("query", "including_regex", "(")],
    });
    assert_eq!(
        faults("page_daily", both).await,
        [
            "/parameters/end_date",
            "/parameters/filters/0/dimension",
            "/parameters/filters/0/operator",
            "/parameters/filters/1/expression",
            "/parameters/search_type"
        ]
    );
    let nowhere = json!({ "filters": [
        filter("country", "equals", "usa"), filter("country", "not_equals", "QQ"), filter("device", "equals", "phone"),
        filter("country", "contains", "u"), filter("country", "equals", "us"),
    ] });
    assert_eq!(
        faults("top_queries_full", nowhere).await,
        [
            "/parameters/filters/0/expression",
            "/parameters/filters/1/expression",
            "/parameters/filters/2/expression"
        ]
    );
    let looks = json!({ "filters": [filter("page", "contains", "/"), filter("search_appearance", "equals", "video")] });
    assert_eq!(
        faults("query_daily", looks).await,
        ["/parameters/filters/1/dimension"]
    );
    let places = json!({ "filters": [filter("device", "equals", "mobile")] });
    assert_eq!(
        faults("search_appearance_pages", places).await,
        ["/parameters/filters/0/dimension"]
    );
    let all = json!({
        "start_date": "2026-03-20", "end_date": "2026-03-01",
        "filters": [
            filter("device", "equals", "mobile"),
            filter("page", "contains", "/"),
            filter("query", "including_regex", "("),
        ],
    });
    assert_eq!(
        faults("search_appearance_pages", all).await,
        [
            "/parameters/end_date",
            "/parameters/filters/0/dimension",
            "/parameters/filters/2/dimension",
            "/parameters/filters/2/expression"
        ]
    );
    let twice = json!({ "filters": [
        filter("search_appearance", "equals", "video"), filter("search_appearance", "including_regex", "(")
    ] });
    assert_eq!(
        faults("query_daily", twice).await,
        [
            "/parameters/filters/0/dimension",
            "/parameters/filters/1/dimension",
            "/parameters/filters/1/expression"
        ]
    );
    let many: Vec<Value> = (0..21).map(|_| filter("query", "contains", "a")).collect();
    assert_eq!(
        faults("page_daily", json!({ "filters": many })).await,
        ["/parameters/filters"]
    );
    // Either takes about a second to compile, optimised.
    let sets = format!("(?i){}", r"[\w\W&&\pL~~\pN]".repeat(190));
    let folded = format!("(?i){}", r"[\W\w\W\wa]".repeat(310));
    let costly = json!({ "filters": [
        filter("query", "including_regex", &sets), filter("page", "excluding_regex", &folded)
    ] });
    assert_eq!(
        faults("page_daily", costly).await,
        [
            "/parameters/filters/0/expression",
            "/parameters/filters/1/expression"
        ]
    );
    let long = json!({ "filters": [filter("query", "including_regex", &"a".repeat(4_097))] });
    assert_eq!(
        faults("page_daily", long).await,
        ["/parameters/filters/0/expression"]
    );
    let (viewer, _) = app.world.key_of(&app.stores, Role::Viewer, app.now()).await;
    asked(&app, &viewer, "page_daily", "a", &json!({}))
        .await
        .problem(403, "insufficient-role");
    let nobody = uuid::Uuid::now_v7();
    for rest in ["", "/rows"] {
        try_read(&app, &format!("reports/runs/{nobody}{rest}"))
            .await
            .problem(404, "report-run-not-found");
    }
    assert_eq!(app.sql("SELECT id FROM runs").await.len(), 0);
}

/// The same with every number as one that may have a fraction: 0 and 0.0 are one figure.
fn in_floats(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(values) => values.iter().map(in_floats).collect(),
        other => other.clone(),
    }
}
