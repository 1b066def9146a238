//! Reports that are made, and their results.

use bytes::Bytes;
use ring::digest::{SHA256, digest};
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime, format_description::well_known::Rfc3339};

use pharos_artefacts::store::Artefacts;
use pharos_domain::{clock::Clock, hex::hex, ids::RunId};
use pharos_reporting::{
    generate::ReportMaker, render::pdf::Printer, results::Results, store::ReportWork, upkeep::ResultUpkeep,
};
use pharos_server::{config::Config, worker::WorkerPace};
use std::{fs, os::unix::fs::PermissionsExt, sync::Arc};

use super::{asked, download, get, made, maker, only, post, results, template, worker};
use crate::{
    fixtures,
    harness::TestApp,
    jobs::{Crew, connect},
};

#[tokio::test(flavor = "multi_thread")]
async fn a_report_in_json_is_what_the_data_call_answers() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let _worker = worker(&app).await;
    let window = json!({ "start_date": "2026-03-01", "end_date": "2026-03-31", "compare_previous": true });
    let id = template(&app, &json!({ "name": "All of it", "format": "json" })).await;
    let run = made(&app, &id, &window).await;
    assert_eq!(
        (
            &run["kind"],
            &run["trigger"],
            &run["template_id"],
            &run["range_start"],
            &run["range_end"]
        ),
        (
            &json!("report"),
            &json!("api"),
            &json!(id),
            &json!("2026-03-01"),
            &json!("2026-03-31")
        )
    );
    let result = get(&app, &format!("runs/{}/result", run["run_id"].as_str().unwrap()))
        .await
        .ok();
    let data = post(&app, &format!("data/{id}"), &window).await.ok();
    assert_eq!(result["inline"]["sections"], data["sections"]);
    assert_eq!(result["inline"]["meta"], data["meta"]);
    let whole = download(&app, result["download_url"].as_str().unwrap()).await;
    assert_eq!(whole.status, 200);
    assert_eq!(whole.header("content-type"), Some("application/json"));
    assert_eq!(whole.json(), result["inline"]);
    assert_eq!(result["sha256"], hex(digest(&SHA256, &whole.body).as_ref()));
    assert_eq!(result["size_bytes"], whole.body.len());
    assert_eq!(run["size_bytes"], result["size_bytes"]);
    let listed = get(&app, &format!("runs?template_id={id}&status=succeeded"))
        .await
        .ok();
    assert_eq!(listed["items"][0], run);
    let last = get(&app, &format!("templates/{id}")).await.ok();
    assert!(last["last_run_at"].is_string(), "{last}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_that_is_asked_for_twice_is_one() {
    let app = TestApp::start().await;
    let id = template(&app, &json!({ "name": "Once" })).await;
    let first = asked(&app, &id, "key", &json!({})).await;
    let again = asked(&app, &id, "key", &json!({})).await;
    assert_eq!((first.status, &first.body), (202, &again.body));
    assert_eq!(again.header("x-credits-cost"), Some("0"));
    asked(&app, &id, "key", &json!({ "format": "csv" }))
        .await
        .problem(409, "idempotency-key-reuse");
    assert_eq!(get(&app, "runs").await.ok()["items"].as_array().unwrap().len(), 1);
    let run = first.json()["run_id"].as_str().unwrap().to_owned();
    get(&app, &format!("runs/{run}/result"))
        .await
        .problem(404, "report-not-found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_none_of_a_report_is_not_found() {
    let app = TestApp::start().await;
    let run = uuid::Uuid::now_v7();
    let is_not_found = async || {
        for rest in [format!("runs/{run}"), format!("runs/{run}/result")] {
            get(&app, &rest).await.problem(404, "report-run-not-found");
        }
    };
    is_not_found().await;
    app.sql(&format!(
        "INSERT INTO runs (id, domain_id, kind, status, requested_at, requester_kind, credential_id, credits_charged)
         VALUES ('{run}', '{}', 'gsc_report', 'queued', now(), 'api_key', gen_random_uuid(), 25)",
        app.world.domain
    ))
    .await;
    is_not_found().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_and_templates_are_no_ids_of_templates_in_paths() {
    let app = TestApp::start().await;
    for rest in ["runs/generate", "templates/generate"] {
        post(&app, rest, &json!({}))
            .await
            .problem(405, "method-not-allowed");
    }
}

/// The browser never comes to its end, so the report stays at its last item.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_says_how_many_of_its_sections_are_there_and_then_its_file() {
    let app = TestApp::start().await;
    let folder = tempfile::tempdir().unwrap();
    let browser = folder.path().join("browser");
    fs::write(&browser, "#!/bin/sh\nexec sleep 600\n").unwrap();
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).unwrap();
    let maker = ReportMaker {
        printer: Printer::new(Some(browser), 1),
        ..maker(&app).await
    };
    let database = connect(app.database.url()).await;
    let _crew = Crew::start(&database, "local", WorkerPace::default(), vec![Arc::new(maker)]).await;
    let figures = json!([{ "widget": "kpi_row" }]);
    let body = json!({ "name": "Far", "sections_config": { "version": 1, "sections": [
        { "section": "uptime", "widgets": figures },
        { "section": "robots", "widgets": figures, "enabled": false },
        { "section": "analytics", "widgets": figures },
        { "section": "rum", "widgets": figures },
    ] } });
    let id = template(&app, &body).await;
    let items = |run: &Value| {
        let told = ["total_items", "completed_items", "failed_items"];
        (
            told.map(|member| run[member].as_u64()),
            run["progress_pct"].as_f64(),
        )
    };
    let json = made(&app, &id, &json!({ "format": "json" })).await;
    assert_eq!(items(&json), ([Some(4), Some(4), Some(0)], Some(100.0)));

    let pdf = asked(&app, &id, "printed", &json!({ "format": "pdf" }))
        .await
        .json();
    assert_eq!(items(&pdf), ([Some(4), Some(0), Some(0)], Some(0.0)));
    let run = pdf["run_id"].as_str().unwrap();
    app.reaches(&format!(
        "(SELECT completed_items = 3 FROM runs WHERE id = '{run}')"
    ))
    .await;
    let printing = get(&app, &format!("runs/{run}")).await.ok();
    assert_eq!(items(&printing), ([Some(4), Some(3), Some(0)], Some(75.0)));
    assert_eq!(printing["status"], "running");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_template_that_is_deleted_as_its_report_is_asked_for_is_not_there() {
    let app = TestApp::start().await;
    let id = template(&app, &json!({ "name": "Short-lived" })).await;
    // The template is read while its deletion is not committed yet, and the run waits for that.
    let deletion = format!(
        "WITH gone AS (DELETE FROM report_templates WHERE id = '{id}' RETURNING id) SELECT pg_sleep(2)::text FROM gone"
    );
    let deleted = app.sql(&deletion);
    let nothing = json!({});
    let request = async {
        app.reaches("EXISTS (SELECT FROM pg_stat_activity WHERE query LIKE 'WITH gone AS%' AND wait_event = 'PgSleep')")
            .await;
        asked(&app, &id, "key", &nothing).await
    };
    let (_, reply) = tokio::join!(deleted, request);
    reply.problem(404, "report-template-not-found");
    assert_eq!(get(&app, "runs").await.ok()["items"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_for_spreadsheets_has_no_formula() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let _worker = worker(&app).await;
    let text = "=HYPERLINK(\"https://evil.example\")";
    let id = template(
        &app,
        &json!({ "name": "+Sales", "sections_config": only("notes", "text", &json!({ "text": text })) }),
    )
    .await;
    let run = made(&app, &id, &json!({ "format": "csv" })).await;
    let result = get(&app, &format!("runs/{}/result", run["run_id"].as_str().unwrap()))
        .await
        .ok();
    assert_eq!(result["inline"], Value::Null);
    let reply = download(&app, result["download_url"].as_str().unwrap()).await;
    let csv = String::from_utf8(reply.body.to_vec()).unwrap();
    assert!(csv.starts_with("\u{feff}'+Sales,shop.example,"), "{csv}");
    assert!(csv.contains("\n\"'=HYPERLINK("), "{csv}");
    assert_eq!(
        reply.header("content-disposition"),
        Some("attachment; filename=\"shop.example-sales-2026-03-31.csv\"")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_for_browsers_needs_nothing_else_and_runs_nothing() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let _worker = worker(&app).await;
    let body = json!({
        "name": "<script>alert(1)</script>", "locale": "de", "branding": { "accent_color": "#0a7f5c" },
        "sections_config": { "version": 1, "sections": [
            { "section": "analytics", "title": "Besuche & mehr", "widgets": [
                { "widget": "kpi_row" }, { "widget": "timeseries" }, { "widget": "top_pages", "enabled": false }
            ] },
            { "section": "uptime", "enabled": false, "widgets": [{ "widget": "kpi_row" }] },
        ] },
    });
    let id = template(&app, &body).await;
    let window = json!({ "start_date": "2026-03-01", "end_date": "2026-04-03", "format": "html" });
    let run = made(&app, &id, &window).await;
    let result = get(&app, &format!("runs/{}/result", run["run_id"].as_str().unwrap()))
        .await
        .ok();
    let reply = download(&app, result["download_url"].as_str().unwrap()).await;
    let html = String::from_utf8(reply.body.to_vec()).unwrap();
    assert!(
        html.contains("lang=\"en\"") && html.contains("--accent: #0a7f5c"),
        "{html:.2000}"
    );
    assert!(html.contains("01.03.2026 – 31.03.2026"), "{html:.3000}");
    assert!(html.contains("Besuche &amp; mehr") && html.contains("<svg"));
    assert!(!html.contains("<script") && html.contains("&lt;script&gt;"));
    assert!(
        !html.contains("src=\"http") && !html.contains("url("),
        "nothing is fetched"
    );
    assert!(
        !html.contains("id=\"uptime\"") && !html.contains("<h3>Pages</h3>"),
        "what is off is not there"
    );
    assert!(
        reply
            .header("content-security-policy")
            .unwrap()
            .contains("default-src 'none'")
    );
}

/// The URL was in order when it was chosen. The policy changed since.
#[tokio::test(flavor = "multi_thread")]
async fn a_report_without_its_logo_says_so() {
    let app = TestApp::start().await;
    let _worker = worker(&app).await;
    let config = only("notes", "text", &json!({ "text": "x" }));
    let id = template(
        &app,
        &json!({ "name": "Bare", "format": "html", "sections_config": config }),
    )
    .await;
    app.sql("UPDATE report_templates SET branding = '{\"logo_url\": \"http://10.1.2.3/logo.png\"}'")
        .await;
    let run = made(&app, &id, &json!({})).await;
    let told =
        "The report is without its logo: not at a public address: a logo is fetched from the internet alone.";
    assert_eq!(
        (&run["error_detail"], &run["error_code"], &run["failed_items"]),
        (&json!(told), &Value::Null, &json!(0))
    );
    let listed = get(&app, "runs").await.ok();
    assert_eq!(listed["items"][0]["error_detail"], told);
    // Tables have none, so that nothing is missing.
    let csv = made(&app, &id, &json!({ "format": "csv" })).await;
    assert_eq!(csv["error_detail"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_holds_for_15_minutes_and_a_result_for_12_months() {
    let app = TestApp::start().await;
    let _worker = worker(&app).await;
    let id = template(&app, &json!({ "name": "Kept", "format": "html", "sections_config": only("notes", "text", &json!({ "text": "x" })) })).await;
    let run = made(&app, &id, &json!({})).await;
    let run_id = run["run_id"].as_str().unwrap();
    let result = get(&app, &format!("runs/{run_id}/result")).await.ok();
    let url = result["download_url"].as_str().unwrap();
    let at = |member: &str| OffsetDateTime::parse(result[member].as_str().unwrap(), &Rfc3339).unwrap();
    assert_eq!(at("url_expires_at"), app.now() + Duration::minutes(15));
    let kept = format!("SELECT (expires_at - finished_at)::text FROM runs WHERE id = '{run_id}'");
    assert_eq!(app.sql(&kept).await[0][0].as_deref(), Some("365 days"));
    assert_eq!(download(&app, url).await.status, 200);
    let forged = url.replace(run_id, &uuid::Uuid::now_v7().to_string());
    assert_eq!(download(&app, &forged).await.status, 403);
    assert_eq!(download(&app, url.split_once('?').unwrap().0).await.status, 404);
    app.clock.advance(Duration::minutes(15));
    assert_eq!(download(&app, url).await.status, 410);

    // Answers have whole seconds.
    app.clock.advance(at("expires_at") - app.now() + Duration::SECOND);
    get(&app, &format!("runs/{run_id}/result"))
        .await
        .problem(410, "report-result-expired");
    assert_eq!(
        get(&app, &format!("runs/{run_id}")).await.ok()["status"],
        "expired"
    );
    // Upkeep takes it out of its place: here once the database's clock is as far.
    app.sql(&format!(
        "UPDATE runs SET expires_at = now() - interval '1 second' WHERE id = '{run_id}'"
    ))
    .await;
    let upkeep = ResultUpkeep {
        store: app.stores.ports.get().unwrap(),
        results: results(&app),
        clock: Arc::clone(&app.clock) as Arc<dyn Clock>,
    };
    let key = url
        .split_once("/artefacts/")
        .unwrap()
        .1
        .split_once('?')
        .unwrap()
        .0
        .parse()
        .unwrap();
    let artefacts = app.stores.ports.get::<Artefacts>().unwrap();
    assert!(artefacts.get(&key).await.unwrap().is_some());
    assert_eq!(upkeep.round().await.unwrap(), 1);
    assert!(artefacts.get(&key).await.unwrap().is_none());
    assert_eq!(upkeep.round().await.unwrap(), 0);
}

/// Nobody took down that it was made: the worker was killed, and its last attempt with it.
#[tokio::test(flavor = "multi_thread")]
async fn a_result_whose_worker_was_killed_is_taken_out_once_its_run_has_failed() {
    let app = TestApp::start().await;
    let id = template(&app, &json!({ "name": "Killed", "format": "csv" })).await;
    let run = asked(&app, &id, "key", &json!({})).await.json()["run_id"].clone();
    let run: RunId = run.as_str().unwrap().parse().unwrap();
    let work = app.stores.ports.get::<dyn ReportWork>().unwrap();
    let wanted = work.wanted(run, app.now()).await.unwrap().unwrap();
    let results = results(&app);
    work.storing(run).await.unwrap();
    results
        .put(&wanted.run, Bytes::from_static(b"figures"))
        .await
        .unwrap();
    let upkeep = ResultUpkeep {
        store: Arc::clone(&work),
        results: results.clone(),
        clock: Arc::clone(&app.clock) as Arc<dyn Clock>,
    };
    assert_eq!(upkeep.round().await.unwrap(), 0, "it is under way");
    let ends = async |status: &str, finished: &str| {
        app.sql(&format!(
            "UPDATE runs SET status = '{status}', finished_at = {finished} WHERE id = '{run}'"
        ))
        .await;
    };
    ends("failed", "now()").await;
    // An operator has its job tried again.
    ends("queued", "NULL").await;
    assert_eq!(upkeep.round().await.unwrap(), 0, "it is not over any more");
    ends("failed", "now()").await;
    assert_eq!(upkeep.round().await.unwrap(), 1);
    assert!(results.get(&wanted.run).await.unwrap().is_none());
    assert_eq!(upkeep.round().await.unwrap(), 0);
}

/// Its folder can't be listed, as where its rights are wrong.
#[tokio::test(flavor = "multi_thread")]
async fn a_result_that_cant_be_taken_out_is_told_to_operators_until_it_can() {
    let app = TestApp::start().await;
    let id = template(&app, &json!({ "name": "Stuck", "format": "csv" })).await;
    let run = asked(&app, &id, "key", &json!({})).await.json()["run_id"].clone();
    let run: RunId = run.as_str().unwrap().parse().unwrap();
    let work = app.stores.ports.get::<dyn ReportWork>().unwrap();
    let wanted = work.wanted(run, app.now()).await.unwrap().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let results = Results::new(Artefacts::in_folder(folder.path()).unwrap());
    work.storing(run).await.unwrap();
    results
        .put(&wanted.run, Bytes::from_static(b"figures"))
        .await
        .unwrap();
    let path = folder.path().join(format!("reports/{run}/loop"));
    std::os::unix::fs::symlink(".", &path).unwrap();
    app.sql(&format!(
        "UPDATE runs SET status = 'failed', finished_at = now() WHERE id = '{run}'"
    ))
    .await;
    let upkeep = ResultUpkeep {
        store: work,
        results: results.clone(),
        clock: Arc::clone(&app.clock) as Arc<dyn Clock>,
    };
    let told = async || app.sql("SELECT step, reason FROM upkeep_failures").await;
    assert_eq!(upkeep.round().await.unwrap(), 0);
    let failures = told().await;
    let [Some(step), Some(reason)] = &failures[0][..] else {
        panic!("{failures:?}");
    };
    assert_eq!(step, "results of reports");
    assert!(reason.contains(&run.to_string()), "{reason}");
    std::fs::remove_file(&path).unwrap();
    assert_eq!(upkeep.round().await.unwrap(), 1);
    assert!(results.get(&wanted.run).await.unwrap().is_none());
    assert!(told().await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_is_made_from_the_template_as_it_was() {
    let app = TestApp::start().await;
    let body = json!({ "name": "Before", "format": "html", "sections_config": only("notes", "text", &json!({ "text": "as it was" })) });
    let id = template(&app, &body).await;
    let run = asked(&app, &id, "key", &json!({})).await.json()["run_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let gone = app
        .request("DELETE", &super::path(&app, &format!("templates/{id}")))
        .key(&app.world.key)
        .send()
        .await;
    gone.ok();
    let _worker = worker(&app).await;
    app.reaches(&format!(
        "(SELECT status = 'succeeded' FROM runs WHERE id = '{run}')"
    ))
    .await;
    let found = get(&app, &format!("runs/{run}")).await.ok();
    assert_eq!(
        (&found["template_id"], &found["template_name"]),
        (&Value::Null, &json!("Before"))
    );
    let result = get(&app, &format!("runs/{run}/result")).await.ok();
    let reply = download(&app, result["download_url"].as_str().unwrap()).await;
    assert!(String::from_utf8_lossy(&reply.body).contains("as it was"));
}

/// The browser waits until the template is gone.
#[tokio::test(flavor = "multi_thread")]
async fn a_report_that_is_under_way_is_made_though_its_template_is_deleted() {
    let app = TestApp::start().await;
    let folder = tempfile::tempdir().unwrap();
    let (browser, goes_on) = (folder.path().join("browser"), folder.path().join("goes-on"));
    let real = Config::default().printing_browser().unwrap();
    let script = format!(
        "#!/bin/sh\nuntil [ -e '{}' ]; do sleep 0.1; done\nexec '{}' \"$@\"\n",
        goes_on.display(),
        real.display()
    );
    fs::write(&browser, script).unwrap();
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).unwrap();
    let maker = ReportMaker {
        printer: Printer::new(Some(browser), 1),
        ..maker(&app).await
    };
    let database = connect(app.database.url()).await;
    let _crew = Crew::start(&database, "local", WorkerPace::default(), vec![Arc::new(maker)]).await;
    let config = only("notes", "text", &json!({ "text": "as it was" }));
    let body = json!({ "name": "Before", "format": "pdf", "sections_config": config });
    let id = template(&app, &body).await;
    let run = asked(&app, &id, "key", &json!({})).await.json()["run_id"].clone();
    let run = run.as_str().unwrap();
    app.reaches(&format!(
        "(SELECT status = 'running' AND completed_items = 1 FROM runs WHERE id = '{run}')"
    ))
    .await;
    let path = super::path(&app, &format!("templates/{id}"));
    app.request("DELETE", &path).key(&app.world.key).send().await.ok();
    fs::write(&goes_on, "").unwrap();
    app.reaches(&format!(
        "(SELECT status = 'succeeded' FROM runs WHERE id = '{run}')"
    ))
    .await;
    let found = get(&app, &format!("runs/{run}")).await.ok();
    assert_eq!(
        (&found["template_id"], &found["template_name"], &found["pages"]),
        (&Value::Null, &json!("Before"), &json!(1))
    );
    let result = get(&app, &format!("runs/{run}/result")).await.ok();
    let reply = download(&app, result["download_url"].as_str().unwrap()).await;
    assert!(reply.body.starts_with(b"%PDF-"));
}

/// The shape of the data call names its template, which is never null.
#[tokio::test(flavor = "multi_thread")]
async fn a_report_in_json_names_its_template_also_where_it_was_deleted_meanwhile() {
    let app = TestApp::start().await;
    let body = json!({ "name": "Before", "format": "json", "sections_config": only("notes", "text", &json!({ "text": "x" })) });
    let id = template(&app, &body).await;
    let run = asked(&app, &id, "key", &json!({})).await.json()["run_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let gone = app
        .request("DELETE", &super::path(&app, &format!("templates/{id}")))
        .key(&app.world.key)
        .send()
        .await;
    gone.ok();
    let _worker = worker(&app).await;
    app.reaches(&format!(
        "(SELECT status = 'succeeded' FROM runs WHERE id = '{run}')"
    ))
    .await;
    let result = get(&app, &format!("runs/{run}/result")).await.ok();
    assert_eq!(result["inline"]["template_id"], id);
}

#[tokio::test(flavor = "multi_thread")]
async fn sections_that_are_chosen_for_one_report_change_no_template() {
    let app = TestApp::start().await;
    let _worker = worker(&app).await;
    let of = |text: &str| only("notes", "text", &json!({ "text": text }));
    let body = json!({ "name": "Usual", "format": "json", "sections_config": of("usual") });
    let id = template(&app, &body).await;
    for (request, text) in [
        (json!({ "sections_config": of("once") }), "once"),
        (json!({}), "usual"),
    ] {
        let run = made(&app, &id, &request).await;
        let result = get(&app, &format!("runs/{}/result", run["run_id"].as_str().unwrap())).await;
        let widget = &result.ok()["inline"]["sections"][0]["widgets"][0];
        assert_eq!(widget["data"]["text"], text);
    }
}

/// Nodes are upgraded one by one: one of the next version may have made a report in a form that this one does not know, of a plan
/// with a module that it does not know either.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_of_a_later_version_keeps_no_other_off_the_list() {
    let app = TestApp::start().await;
    app.sql("ALTER TABLE plans DROP CONSTRAINT plans_modules_check")
        .await;
    app.sql("UPDATE plans SET modules = modules || '{of_tomorrow}'::text[]")
        .await;
    let _worker = worker(&app).await;
    let id = template(&app, &json!({ "name": "Both", "format": "json" })).await;
    let window = json!({ "start_date": "2026-03-01", "end_date": "2026-03-31" });
    let [first, second] = [made(&app, &id, &window).await, made(&app, &id, &window).await];
    let later = second["run_id"].as_str().unwrap();
    app.sql("ALTER TABLE report_runs DROP CONSTRAINT report_runs_format_check")
        .await;
    app.sql(&format!(
        "UPDATE report_runs SET format = 'of_tomorrow' WHERE run_id = '{later}'"
    ))
    .await;
    let listed = get(&app, &format!("runs?template_id={id}&status=succeeded"))
        .await
        .ok();
    assert_eq!(listed["items"], json!([first]));
    let noted = app.sql("SELECT kind, subject FROM set_aside").await;
    assert_eq!(
        noted,
        [["report_template", later].map(|text| Some(text.to_owned()))]
    );
}
