//! /domains/{domain_id}/analytics/experiments

use std::sync::Arc;

use pharos_analytics::experiments::{EvaluationJobs, ExperimentStore};
use pharos_domain::{clock::SystemClock, role::Role};
use pharos_search::gsc::figures::SearchType;
use pharos_server::worker::WorkerPace;
use serde_json::{Value, json};
use time::macros::{date, datetime};
use uuid::Uuid;

use super::path;
use crate::{
    harness::{Reply, TestApp},
    jobs::{Crew, connect},
    search::link,
};

/// Fills 1 January to 31 March: on each day `/control` has 20 visitors and as many more as the day of the year by 7 leaves,
/// `/variant` the same, one more on every other day, and from 1 March on 10 more.
const FILL: &str = "
    INSERT INTO analytics_values (domain_id, dimension, value)
    SELECT id, d.dimension, d.value FROM domains, (VALUES (0, '/control'), (0, '/variant'), (1, 'direct')) AS d (dimension, value);
    INSERT INTO analytics_sessions (domain_id, started_at, id, visitor_id, ended_at, pageviews, events, clicks, entry_page,
        entry_at, exit_page, exit_at, channel, source, device)
    SELECT v.domain_id, a.at, a.id, a.id, a.at + interval '10 seconds', 1, 0, 0, v.id, a.at, v.id, a.at, 18, s.id, 0
    FROM generate_series(0, 89) AS day
    CROSS JOIN analytics_values AS v
    JOIN analytics_values AS s ON s.domain_id = v.domain_id AND s.dimension = 1
    CROSS JOIN LATERAL generate_series(
        1, 20 + day % 7 + (day * 5) % 3 + CASE WHEN v.value = '/variant' THEN day % 2 + CASE WHEN day >= 59 THEN 10 ELSE 0 END ELSE 0 END
    ) AS visit
    CROSS JOIN LATERAL (
        SELECT
            '2026-01-01 10:00Z'::timestamptz + day * interval '1 day' + visit * interval '1 minute' AS at,
            (day * 1000 + visit) * 10 + v.id % 10 AS id
    ) AS a
    WHERE v.dimension = 0;
    INSERT INTO analytics_hits (domain_id, at, id, session_id, visitor_id, kind, page, channel, source, device)
    SELECT domain_id, started_at, id, id, visitor_id, 0, entry_page, 18, source, 0 FROM analytics_sessions;
    INSERT INTO analytics_progress (domain_id, first_at, last_at)
    SELECT id, '2026-01-01 10:00Z', '2026-03-31 11:00Z' FROM domains";

/// An app on 1 April whose site had visits until then.
pub(super) async fn visited() -> TestApp {
    let app = TestApp::start().await;
    app.put(&path(&app, "config"), &app.world.key, &json!({}))
        .send()
        .await
        .ok();
    for statement in FILL.split(';') {
        app.sql(statement).await;
    }
    app.clock.advance(datetime!(2026-04-01 09:00 UTC) - app.now());
    app
}

pub(super) fn design(method: &str) -> Value {
    json!({
        "name": "Shorter titles",
        "method": method,
        "primary_metric": "visitors",
        "control_urls": ["/control"],
        "variant_urls": ["https://shop.example/variant#top"],
        "pre_start_date": "2026-01-05",
        "pre_end_date": "2026-02-28",
        "post_start_date": "2026-03-02",
        "post_end_date": "2026-03-29",
    })
}

pub(super) async fn posted(app: &TestApp, body: &Value) -> Reply {
    app.request("POST", &path(app, "experiments"))
        .key(&app.world.key)
        .json(body)
        .send()
        .await
}

pub(super) async fn made(app: &TestApp, body: &Value) -> String {
    let reply = posted(app, body).await;
    assert_eq!(reply.status, 201, "{}", reply.json());
    reply.json()["id"].as_str().unwrap().to_owned()
}

async fn put(app: &TestApp, id: &str, body: Value) -> Reply {
    let path = path(app, &format!("experiments/{id}"));
    app.put(&path, &app.world.key, &body).send().await
}

pub(super) async fn get(app: &TestApp, rest: &str) -> Reply {
    app.get(&path(app, &format!("experiments{rest}")), &app.world.key)
        .send()
        .await
}

pub(super) async fn evaluated(app: &TestApp, id: &str, idempotency: &str) -> Reply {
    app.request("POST", &path(app, &format!("experiments/{id}/evaluate")))
        .key(&app.world.key)
        .header("idempotency-key", idempotency)
        .send()
        .await
}

pub(super) async fn worker(app: &TestApp) -> Crew {
    let database = connect(app.database.url()).await;
    let handler = Arc::new(EvaluationJobs {
        store: app.stores.ports.get::<dyn ExperimentStore>().unwrap(),
        updates: app.stores.ports.get().unwrap(),
        addresses: app.stores.ports.get().unwrap(),
        speed: app.stores.ports.get().unwrap(),
        searches: app.stores.ports.get().unwrap(),
        clock: Arc::new(SystemClock),
    });
    Crew::start(&database, "local", WorkerPace::default(), vec![handler]).await
}

/// An experiment that was evaluated.
pub(crate) async fn evaluated_experiment(app: &TestApp, idempotency: &str) -> Uuid {
    let mut body = design("mann_whitney");
    // The document's example of a change names no control; this goes with it.
    body["control_urls"] = json!([]);
    let id = made(app, &body).await;
    evaluated(app, &id, idempotency).await.ok();
    // So that all that may follow on a draft can be tried.
    app.sql("UPDATE analytics_experiments SET status = 'draft'").await;
    id.parse().unwrap()
}

pub(super) fn near(value: &Value, expected: f64, tolerance: f64) {
    let found = value.as_f64().unwrap();
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
}

#[tokio::test]
async fn an_experiment_is_a_draft_that_can_be_changed_until_it_runs() {
    let app = visited().await;
    let id = made(&app, &design("did")).await;
    let shown = get(&app, &format!("/{id}")).await.ok();
    for (member, expected) in [
        ("status", json!("draft")),
        ("variant_urls", json!(["/variant"])),
        ("metric_direction", json!("higher_is_better")),
        ("hypothesis", Value::Null),
        ("latest_evaluation_id", Value::Null),
        ("created_by", json!(app.world.owner)),
    ] {
        assert_eq!(shown[member], expected, "{member}");
    }
    let changed = put(&app, &id, json!({ "hypothesis": "More", "pre_start_date": null }))
        .await
        .ok();
    assert_eq!(
        (
            &changed["hypothesis"],
            &changed["pre_start_date"],
            &changed["name"]
        ),
        (&json!("More"), &Value::Null, &shown["name"])
    );
    let running = put(&app, &id, json!({ "status": "running" })).await.ok();
    assert_eq!(running["status"], "ready", "there are 28 days after the change");
    let refused = put(
        &app,
        &id,
        json!({ "name": "", "method": "bsts", "variant_urls": ["/control"], "status": "draft" }),
    )
    .await;
    let mut faults = refused.faults();
    faults.sort_unstable();
    faults.dedup();
    assert_eq!(
        faults,
        ["/method", "/name", "/status", "/variant_urls", "/variant_urls/0"]
    );
    assert_eq!(
        put(&app, &id, json!({ "name": "Other" })).await.ok()["name"],
        "Other"
    );
    assert_eq!(
        put(&app, &id, json!({ "status": "archived" })).await.ok()["status"],
        "archived"
    );
    assert_eq!(
        put(&app, &id, json!({ "status": "completed" })).await.faults(),
        ["/status"]
    );
    let list = get(&app, "").await.ok();
    assert_eq!(list["items"].as_array().unwrap().len(), 1);
    let gone = app
        .request("DELETE", &path(&app, &format!("experiments/{id}")))
        .key(&app.world.key)
        .send()
        .await
        .ok();
    assert_eq!(
        (&gone["deleted"], &gone["history_retained"]),
        (&json!(true), &json!(false))
    );
    get(&app, &format!("/{id}"))
        .await
        .problem(404, "experiment-not-found");
    put(&app, &id, json!({}))
        .await
        .problem(404, "experiment-not-found");
    evaluated(&app, &id, "a")
        .await
        .problem(404, "experiment-not-found");
}

#[tokio::test]
async fn a_domain_has_five_hundred_experiments_at_most() {
    let app = visited().await;
    let id = made(&app, &design("did")).await;
    app.sql(
        "INSERT INTO analytics_experiments
         SELECT (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid()))).*
         FROM analytics_experiments AS e, generate_series(2, 500)",
    )
    .await;
    let refused = posted(&app, &design("did")).await;
    let problem = refused.problem(400, "invalid-request");
    assert!(problem.to_string().contains("500 experiments"), "{problem}");
    app.sql(&format!("DELETE FROM analytics_experiments WHERE id = '{id}'"))
        .await;
    made(&app, &design("did")).await;
}

#[tokio::test]
async fn what_cannot_be_compared_is_refused_with_all_that_is_wrong() {
    let app = TestApp::start().await;
    let refused = posted(&app, &design("did")).await;
    refused.problem(404, "analytics-not-found");
    let why = refused.json()["detail"].as_str().unwrap().to_owned();
    assert!(why.contains("PUT …/analytics/config sets it up"), "{why}");
    app.put(&path(&app, "config"), &app.world.key, &json!({}))
        .send()
        .await
        .ok();
    let mut bad = design("bsts");
    bad["control_urls"] = json!([]);
    bad["post_start_date"] = json!("2026-02-28");
    bad["post_end_date"] = json!("2026-02-01");
    let mut faults = posted(&app, &bad).await.faults();
    faults.sort_unstable();
    assert_eq!(faults, ["/control_urls", "/post_end_date", "/post_start_date"]);
    let mut no_days = design("did");
    no_days["pre_end_date"] = json!("2026-02-30");
    no_days["post_end_date"] = json!("soon");
    let faults = posted(&app, &no_days).await.faults();
    assert!(faults.contains(&"/post_end_date".to_owned()), "{faults:?}");
    let mut same = design("did");
    same["control_urls"] = json!(["/variant"]);
    assert_eq!(posted(&app, &same).await.faults(), ["/variant_urls/0"]);
    let (member, _) = app.world.key_of(&app.stores, Role::Member, app.now()).await;
    let refused = app
        .request("POST", &path(&app, "experiments"))
        .key(&member)
        .json(&design("did"));
    refused.send().await.problem(403, "insufficient-role");
}

/// The variant has 10 visitors more a day, the control none.
#[tokio::test]
async fn ranks_and_differences_are_answered_at_once() {
    let app = visited().await;
    let id = made(&app, &design("did")).await;
    get(&app, &format!("/{id}/evaluations/latest"))
        .await
        .problem(404, "evaluation-not-found");
    let first = evaluated(&app, &id, "a").await;
    let found = first.ok();
    for (member, expected) in [
        ("status", json!("completed")),
        ("pre_days", json!(55)),
        ("post_days", json!(28)),
        ("excluded_days", json!(1)),
        ("verdict", json!("improved")),
        ("is_significant", json!(true)),
        ("ci_level", json!(0.95)),
        ("error_code", Value::Null),
    ] {
        assert_eq!(found[member], expected, "{member}");
    }
    // One more on 27 of 55 days before, on 14 of 28 after: 10 + 1/2 − 27/55.
    let expected = 10.5 - 27.0 / 55.0;
    near(&found["effect_absolute"], expected, 1e-9);
    near(&found["details"]["did_estimate"], expected, 1e-9);
    assert_eq!(evaluated(&app, &id, "a").await.body, first.body);
    let latest = get(&app, &format!("/{id}/evaluations/latest")).await.ok();
    assert_eq!(latest["id"], found["id"]);
    let experiment = get(&app, &format!("/{id}")).await.ok();
    assert_eq!(
        (&experiment["status"], &experiment["latest_evaluation_id"]),
        (&json!("ready"), &found["id"])
    );

    let id = made(&app, &design("mann_whitney")).await;
    let found = evaluated(&app, &id, "b").await.ok();
    assert_eq!(found["verdict"], "improved");
    assert_eq!(
        found["warnings"],
        json!(["low_volume", "seasonality_mismatch", "search_update_in_window"]),
        "the control has fewer visitors, 55 days are no whole weeks, and Google updated its ranking meanwhile"
    );
    assert!(found["details"]["ties_corrected"].as_bool().unwrap());
    near(&found["effect_absolute"], 10.0, 1.0);
}

#[tokio::test]
async fn a_page_that_nobody_viewed_has_no_verdict() {
    let app = visited().await;
    let mut mistyped = design("did");
    mistyped["variant_urls"] = json!(["/variant/"]);
    let mut alone = design("did");
    alone["control_urls"] = json!(["/control/"]);
    for (idempotency, body) in [("a", mistyped), ("b", alone)] {
        let id = made(&app, &body).await;
        let found = evaluated(&app, &id, idempotency).await.ok();
        assert_eq!(
            (&found["verdict"], &found["effect_absolute"], &found["warnings"]),
            (
                &json!("inconclusive"),
                &Value::Null,
                &json!(["low_volume", "search_update_in_window"])
            )
        );
    }
}

/// All who view the variant view a second page of it, which is no second visit.
#[tokio::test]
async fn a_visit_of_several_pages_has_its_effect_once() {
    let app = visited().await;
    app.sql("INSERT INTO analytics_values (domain_id, dimension, value) SELECT id, 0, '/more' FROM domains")
        .await;
    app.sql(
        "INSERT INTO analytics_hits (domain_id, at, id, session_id, visitor_id, kind, page, channel, source, device)
         SELECT h.domain_id, h.at + interval '1 second', h.id + 10000000, h.session_id, h.visitor_id, 0, m.id, 18, h.source, 0
         FROM analytics_hits AS h
         JOIN analytics_values AS v ON v.id = h.page AND v.domain_id = h.domain_id AND v.value = '/variant'
         JOIN analytics_values AS m ON m.domain_id = h.domain_id AND m.dimension = 0 AND m.value = '/more'",
    )
    .await;
    let expected = 10.5 - 27.0 / 55.0;
    for (metric, times) in [("visitors", 1.0), ("sessions", 1.0), ("pageviews", 2.0)] {
        let mut both = design("did");
        both["primary_metric"] = json!(metric);
        both["variant_urls"] = json!(["/variant", "/more"]);
        let id = made(&app, &both).await;
        let found = evaluated(&app, &id, metric).await.ok();
        near(&found["details"]["did_estimate"], expected, 1e-9);
        near(&found["effect_absolute"], times * expected, 1e-9);
    }
}

/// The variant's largest contentful paint goes from 2,000 to 2,004 ms down by 500 on 1 March.
pub(super) async fn felt(app: &TestApp) {
    app.sql(
        "INSERT INTO rum_texts (domain_id, dimension, value, used_on)
         SELECT d.id, 0, 'https://shop.example/variant', '2026-03-31' FROM domains AS d WHERE d.hostname = 'shop.example'",
    )
    .await;
    app.sql(
        "INSERT INTO rum_views (domain_id, at, load_id, page, navigation, was_hidden, lcp_ms, device, errors)
         SELECT t.domain_id, '2026-01-01 10:00Z'::timestamptz + day * interval '1 day', day, t.id, 0, false,
             CASE WHEN day < 59 THEN 2000 ELSE 1500 END + day % 5, 0, 0
         FROM rum_texts AS t, generate_series(0, 89) AS day",
    )
    .await;
}

#[tokio::test]
async fn vitals_are_those_that_visitors_had_day_by_day() {
    let app = visited().await;
    felt(&app).await;
    let mut asked = design("mann_whitney");
    asked["primary_metric"] = json!("lcp_ms");
    let id = made(&app, &asked).await;
    let found = evaluated(&app, &id, "a").await.ok();
    assert_eq!(
        (&found["verdict"], &found["pre_days"], &found["post_days"]),
        (&json!("improved"), &json!(55), &json!(28))
    );
    near(&found["effect_absolute"], -500.0, 2.0);
    assert_eq!(found["warnings"], json!(["low_volume", "seasonality_mismatch"]));
    asked["primary_metric"] = json!("inp_ms");
    let id = made(&app, &asked).await;
    assert_eq!(evaluated(&app, &id, "b").await.ok()["verdict"], "inconclusive");
}

#[tokio::test]
async fn vitals_are_known_of_a_site_whose_visits_are_not_counted() {
    let app = TestApp::start().await;
    app.clock.advance(datetime!(2026-04-01 09:00 UTC) - app.now());
    felt(&app).await;
    let mut asked = design("mann_whitney");
    asked["primary_metric"] = json!("lcp_ms");
    let id = made(&app, &asked).await;
    let found = evaluated(&app, &id, "a").await.ok();
    assert_eq!(
        (&found["verdict"], &found["pre_days"], &found["post_days"]),
        (&json!("improved"), &json!(55), &json!(28))
    );
    assert_eq!(found["warnings"], json!(["seasonality_mismatch"]));
}

#[tokio::test]
async fn an_experiment_by_vitals_is_not_put_to_visits_that_are_not_counted() {
    let app = TestApp::start().await;
    let mut asked = design("mann_whitney");
    asked["primary_metric"] = json!("lcp_ms");
    let id = made(&app, &asked).await;
    put(&app, &id, json!({ "primary_metric": "visitors" }))
        .await
        .problem(404, "analytics-not-found");
    let shown = get(&app, &format!("/{id}")).await.ok();
    assert_eq!(shown["primary_metric"], "lcp_ms");
    let changed = put(&app, &id, json!({ "primary_metric": "gsc_clicks" }))
        .await
        .ok();
    assert_eq!(changed["primary_metric"], "gsc_clicks");
    app.put(&path(&app, "config"), &app.world.key, &json!({}))
        .send()
        .await
        .ok();
    let changed = put(&app, &id, json!({ "primary_metric": "visitors" })).await.ok();
    assert_eq!(changed["primary_metric"], "visitors");
}

/// Fills 1 January to 31 March in search: on each day both pages have 100 impressions, and 10 clicks and as many more as the day of
/// the year by 7 leaves. The variant has one click more on every other day, from 1 March on 5 more. It stands at 9, from then on at 7:
/// a quarter of its impressions is of another address, four positions lower. From 29 March on days are not final, and far off.
const SEARCHED: &str = "
    INSERT INTO search_values (domain_id, kind, value)
    SELECT id, 2, v.value FROM domains, (VALUES
        ('https://shop.example/control'), ('https://shop.example/variant'), ('http://www.shop.example/variant'),
        ('https://blog.shop.example/variant')
    ) AS v (value) WHERE hostname = 'shop.example';
    INSERT INTO search_sums (domain_id, search_type, kind, date, value_id, clicks, impressions, position_sum)
    SELECT v.domain_id, 1, 2, date '2026-01-01' + day, v.id,
        CASE
            WHEN day >= 87 THEN 900
            WHEN v.value LIKE '%/control' THEN 10 + day % 7
            WHEN v.value LIKE 'https://shop%' THEN 10 + day % 7 + day % 2 + CASE WHEN day < 59 THEN 0 ELSE 5 END
            WHEN v.value LIKE '%blog%' THEN 50
            ELSE 0
        END,
        shown.impressions,
        shown.impressions * (
            CASE WHEN day < 59 OR v.value LIKE '%/control' THEN 8 ELSE 6 END + CASE WHEN v.value LIKE '%www%' THEN 4 ELSE 0 END
        )
    FROM search_values AS v, generate_series(0, 89) AS day, LATERAL (
        SELECT CASE
            WHEN day >= 87 THEN 1000
            WHEN v.value LIKE '%www%' THEN 25
            WHEN v.value LIKE '%/control' THEN 100
            ELSE 75
        END AS impressions
    ) AS shown";

/// An app on 1 April whose days of search are final up to 28 March, and which has no web analytics.
pub(super) async fn searched() -> TestApp {
    let app = TestApp::start().await;
    link(
        &app,
        &[SearchType::Web],
        date!(2025 - 12 - 01),
        Some(date!(2026 - 03 - 28)),
    )
    .await;
    for statement in SEARCHED.split(';') {
        app.sql(statement).await;
    }
    app.clock.advance(datetime!(2026-04-01 09:00 UTC) - app.now());
    app
}

#[tokio::test]
async fn metrics_of_search_are_those_of_final_days() {
    let app = searched().await;
    let mut clicked = design("did");
    clicked["primary_metric"] = json!("gsc_clicks");
    let id = made(&app, &clicked).await;
    let found = evaluated(&app, &id, "a").await.ok();
    for (member, expected) in [
        ("pre_days", json!(55)),
        ("post_days", json!(27)),
        ("excluded_days", json!(1)),
        ("verdict", json!("improved")),
        // The 29th, which the experiment is about, is not final.
        ("warnings", json!(["search_update_in_window", "data_incomplete"])),
    ] {
        assert_eq!(found[member], expected, "{member}");
    }
    // One more on 27 of 55 days before, on 13 of 27 after.
    let more = 5.0 + 13.0 / 27.0 - 27.0 / 55.0;
    near(&found["effect_absolute"], more, 1e-9);

    // As far as there is data.
    clicked["post_end_date"] = Value::Null;
    clicked["primary_metric"] = json!("gsc_ctr");
    let id = made(&app, &clicked).await;
    let found = evaluated(&app, &id, "b").await.ok();
    assert_eq!(found["post_days"], 27);
    assert_eq!(found["warnings"], json!(["search_update_in_window"]));
    near(&found["effect_absolute"], more / 100.0, 1e-9);

    clicked["primary_metric"] = json!("gsc_impressions");
    let id = made(&app, &clicked).await;
    let found = evaluated(&app, &id, "c").await.ok();
    near(&found["pre_mean_variant"], 100.0, 1e-9);
    near(&found["post_mean_control"], 100.0, 1e-9);

    let mut placed = design("mann_whitney");
    placed["primary_metric"] = json!("gsc_position");
    placed["post_end_date"] = json!("2026-03-28");
    let id = made(&app, &placed).await;
    let found = evaluated(&app, &id, "d").await.ok();
    assert_eq!(
        (&found["verdict"], &found["warnings"]),
        (
            &json!("improved"),
            &json!(["seasonality_mismatch", "search_update_in_window"])
        )
    );
    near(&found["pre_mean_variant"], 9.0, 1e-9);
    near(&found["post_mean_variant"], 7.0, 1e-9);
    near(&found["effect_absolute"], -2.0, 1e-9);
}

#[tokio::test]
async fn a_day_without_impressions_has_no_clicks_and_no_position() {
    let app = searched().await;
    app.sql("DELETE FROM search_sums WHERE date = '2026-01-10'").await;
    let mut asked = design("mann_whitney");
    asked["control_urls"] = json!([]);
    asked["post_end_date"] = json!("2026-03-28");
    for (metric, days, is_incomplete) in [
        ("gsc_clicks", 55, false),
        ("gsc_impressions", 55, false),
        ("gsc_ctr", 54, true),
        ("gsc_position", 54, true),
    ] {
        asked["primary_metric"] = json!(metric);
        let id = made(&app, &asked).await;
        let found = evaluated(&app, &id, metric).await.ok();
        assert_eq!(found["pre_days"], days, "{metric}");
        let warnings = found["warnings"].as_array().unwrap();
        let told = warnings.contains(&json!("data_incomplete"));
        assert_eq!(told, is_incomplete, "{metric}");
        if metric == "gsc_impressions" {
            near(&found["pre_mean_variant"], 100.0 * 54.0 / 55.0, 1e-9);
        }
    }
    // One that could not be read is unknown instead.
    app.sql("INSERT INTO search_missed_days (domain_id, search_type, date) SELECT id, 1, '2026-01-10' FROM domains")
        .await;
    asked["primary_metric"] = json!("gsc_clicks");
    let id = made(&app, &asked).await;
    assert_eq!(evaluated(&app, &id, "missed").await.ok()["pre_days"], 54);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_time_series_of_search_is_drawn_from_final_days() {
    let app = searched().await;
    let mut asked = design("bsts");
    asked["primary_metric"] = json!("gsc_clicks");
    let id = made(&app, &asked).await;
    evaluated(&app, &id, "a").await.ok();
    let _worker = worker(&app).await;
    app.reaches("(SELECT status = 'completed' FROM analytics_evaluations)")
        .await;
    let found = get(&app, &format!("/{id}/evaluations/latest")).await.ok();
    assert_eq!(
        (&found["verdict"], &found["post_days"]),
        (&json!("improved"), &json!(27))
    );
    near(&found["effect_absolute"], 5.0, 1.0);
    // 5 January to 28 March.
    let series = found["details"]["series"].as_array().unwrap();
    assert_eq!((series.len(), &series[82]["date"]), (83, &json!("2026-03-28")));
}

#[tokio::test]
async fn where_too_little_is_known_nothing_is_concluded() {
    let app = visited().await;
    let mut short = design("mann_whitney");
    short["pre_start_date"] = json!("2026-02-20");
    short["post_end_date"] = json!("2026-03-05");
    // The domain is linked to no property.
    let mut unseen = design("did");
    unseen["primary_metric"] = json!("gsc_clicks");
    // How fast pages are does not go with rankings.
    let mut felt = design("did");
    felt["primary_metric"] = json!("lcp_ms");
    let mut before = design("did");
    for (member, day) in [
        ("pre_start_date", "2025-01-01"),
        ("pre_end_date", "2025-02-01"),
        ("post_start_date", "2025-03-01"),
        ("post_end_date", "2025-04-01"),
    ] {
        before[member] = json!(day);
    }
    for (at, (body, warnings)) in [
        (
            short,
            json!([
                "short_pre_period",
                "short_post_period",
                "low_volume",
                "seasonality_mismatch"
            ]),
        ),
        (
            unseen,
            json!(["short_pre_period", "short_post_period", "data_incomplete"]),
        ),
        (
            felt,
            json!([
                "short_pre_period",
                "short_post_period",
                "low_volume",
                "data_incomplete"
            ]),
        ),
        (
            before,
            json!(["short_pre_period", "short_post_period", "data_incomplete"]),
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let id = made(&app, &body).await;
        let found = evaluated(&app, &id, &at.to_string()).await.ok();
        assert_eq!(found["verdict"], "inconclusive", "{at}");
        assert_eq!(found["warnings"], warnings, "{at}");
        for member in ["effect_absolute", "p_value", "is_significant", "details"] {
            assert_eq!(found[member], Value::Null, "{at}: {member}");
        }
    }
}

/// Nodes are upgraded one by one: one of the next version may have a method that this one does not know.
#[tokio::test]
async fn an_experiment_of_a_later_version_keeps_no_other_off_the_list_and_can_be_deleted() {
    let app = visited().await;
    let id = made(&app, &design("did")).await;
    let later = made(&app, &design("did")).await;
    app.sql(&format!(
        "UPDATE analytics_experiments SET method = 'of_tomorrow' WHERE id = '{later}'"
    ))
    .await;
    let listed = get(&app, "").await.ok();
    let items = listed["items"].as_array().unwrap();
    assert_eq!((items.len(), &items[0]["id"]), (1, &json!(id)));
    let noted = app.sql("SELECT kind, subject FROM set_aside").await;
    assert_eq!(
        noted,
        [["experiment", later.as_str()].map(|text| Some(text.to_owned()))]
    );
    let gone = app
        .request("DELETE", &path(&app, &format!("experiments/{later}")))
        .key(&app.world.key)
        .send()
        .await
        .ok();
    assert_eq!(gone["deleted"], true, "nobody is stuck with it");
}
