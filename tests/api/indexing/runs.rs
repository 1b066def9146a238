//! Inspector runs.

use std::{collections::BTreeMap, sync::Arc};

use pharos_account::admin::plans::Plan;
use pharos_domain::{jobs::JobHandler, module::Module, quota::QuotaResource};
use pharos_search::indexing::{inspector::InspectError, run::InspectorJobs};
use pharos_server::worker::WorkerPace;
use serde_json::{Value, json};
use time::Duration;

use super::{
    add, get, id_of, link, path,
    played::{Played, not_indexed},
    try_get,
};
use crate::{
    harness::{Reply, TestApp, actor},
    jobs::{Crew, connect},
};

async fn ask(app: &TestApp, key: &str, body: &Value) -> Reply {
    app.request("POST", &path(app, "inspector/runs"))
        .key(&app.world.key)
        .header("idempotency-key", key)
        .json(body)
        .send()
        .await
}

async fn worker(app: &TestApp, played: &Arc<Played>) -> Crew {
    let database = connect(app.database.url()).await;
    let handler: Arc<dyn JobHandler> = Arc::new(InspectorJobs {
        store: app.stores.ports.get().unwrap(),
        runs: app.stores.ports.get().unwrap(),
        inspector: played.clone(),
        clock: app.clock.clone(),
    });
    Crew::start(&database, "local", WorkerPace::default(), vec![handler]).await
}

/// A run that is done, of one URL that Google does not have, named twice; its id.
pub(crate) async fn done(app: &TestApp) -> String {
    link(app).await;
    let played = Played::new();
    let url = "https://shop.example/b";
    played.says(url, not_indexed("Not found (404)", "NOT_FOUND"));
    let run = ask(app, "done", &json!({ "urls": [url, url] }))
        .await
        .with_status(202);
    let _crew = worker(app, &played).await;
    app.reaches("EXISTS (SELECT FROM runs WHERE status = 'succeeded')")
        .await;
    run["run_id"].as_str().unwrap().to_owned()
}

fn rows(results: &Value) -> Vec<(&str, &str, Option<&str>)> {
    let items = results["items"].as_array().unwrap().iter();
    items
        .map(|item| {
            (
                item["url"]
                    .as_str()
                    .unwrap()
                    .strip_prefix("https://shop.example/")
                    .unwrap(),
                item["status"].as_str().unwrap(),
                item["error_code"].as_str(),
            )
        })
        .collect()
}

fn urls(names: &[&str]) -> Vec<String> {
    names
        .iter()
        .map(|name| format!("https://shop.example/{name}"))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_inspects_each_url_once() {
    let app = TestApp::start().await;
    link(&app).await;
    let added = add(&app, &["https://shop.example/a"]).await.with_status(201);
    let played = Played::new();
    played.says(
        "https://shop.example/b",
        not_indexed("Not found (404)", "NOT_FOUND"),
    );
    let body = json!({ "urls": urls(&["a", "b", "a#top"]), "label": " After the relaunch " });
    let run = ask(&app, "one", &body).await.with_status(202);
    assert_eq!(
        (
            &run["kind"],
            &run["status"],
            &run["label"],
            &run["total_items"],
            &run["credits_charged"]
        ),
        (
            &json!("inspector"),
            &json!("queued"),
            &json!("After the relaunch"),
            &json!(3),
            &json!(25)
        )
    );
    assert_eq!(
        run["quota"],
        json!({ "used": 2, "limit": 2000, "remaining": 1998, "resets_on": "2026-04-01" })
    );
    assert_eq!(ask(&app, "one", &body).await.with_status(202), run, "a replay");
    let id = run["run_id"].as_str().unwrap();
    let waiting = get(&app, &format!("inspector/runs/{id}/results")).await;
    assert_eq!(rows(&waiting), [("a", "skipped_duplicate", None)]);
    let _crew = worker(&app, &played).await;
    app.reaches("EXISTS (SELECT FROM runs WHERE status = 'succeeded')")
        .await;
    assert_eq!(played.asked(), urls(&["a", "b"]));
    let done = get(&app, &format!("inspector/runs/{id}")).await;
    assert_eq!(
        (
            &done["status"],
            &done["completed_items"],
            &done["failed_items"],
            &done["progress_pct"]
        ),
        (&json!("succeeded"), &json!(3), &json!(0), &json!(100.0))
    );
    let results = get(&app, &format!("inspector/runs/{id}/results")).await;
    assert_eq!(
        rows(&results),
        [
            ("a", "done", None),
            ("b", "done", None),
            ("a", "skipped_duplicate", None)
        ]
    );
    let [first, second, third] = [0, 1, 2].map(|at| &results["items"][at]);
    assert_eq!(
        (
            &first["verdict"],
            &first["source"],
            &first["url_id"],
            &first["history"].as_array().unwrap().len()
        ),
        (
            &json!("pass"),
            &json!("manual"),
            &json!(id_of(&added, "https://shop.example/a")),
            &1
        )
    );
    assert_eq!(
        (
            &second["coverage_reason"],
            &second["source"],
            &second["next_inspection_at"]
        ),
        (&json!("not_found_404"), &json!("inspector"), &Value::Null)
    );
    assert_eq!(
        (&third["verdict"], &third["inspected_at"]),
        (&Value::Null, &Value::Null)
    );
    // The monitored URL has the result of the run, too; a URL that nobody monitors is not counted.
    let known = get(&app, &format!("urls/{}", second["url_id"].as_str().unwrap())).await;
    assert_eq!(
        (&known["verdict"], &known["is_indexed"]),
        (&json!("neutral"), &json!(false))
    );
    let overview = get(&app, "overview").await;
    assert_eq!(
        (&overview["urls_monitored"], &overview["urls_inspected"]),
        (&json!(1), &json!(1))
    );
    let page = get(&app, &format!("inspector/runs/{id}/results?limit=2")).await;
    let cursor = page["next_cursor"].as_str().unwrap();
    let rest = get(
        &app,
        &format!("inspector/runs/{id}/results?limit=2&cursor={cursor}"),
    )
    .await;
    assert_eq!(rows(&rest), [("a", "skipped_duplicate", None)]);
    let listed = get(&app, "inspector/runs").await;
    assert_eq!(listed["items"].as_array().unwrap().len(), 1);
    assert_eq!(listed["items"][0]["run_id"], run["run_id"]);
    // Adding it monitors it.
    let added = add(&app, &["https://shop.example/b"]).await.with_status(201);
    assert_eq!(
        (&added["added"], &added["items"][0]["verdict"]),
        (&json!(1), &json!("neutral"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_day_that_is_used_up_in_the_middle_leaves_a_partial_result() {
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    let all = urls(&["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
    played.fails(&all[1], InspectError::Refused("400".to_owned()));
    played.fails(&all[9], InspectError::DayExhausted);
    let run = ask(&app, "one", &json!({ "urls": all })).await.with_status(202);
    let _crew = worker(&app, &played).await;
    app.reaches("EXISTS (SELECT FROM runs WHERE status = 'partial')")
        .await;
    let id = run["run_id"].as_str().unwrap();
    let done = get(&app, &format!("inspector/runs/{id}")).await;
    assert_eq!(
        (&done["completed_items"], &done["failed_items"]),
        (&json!(8), &json!(2))
    );
    let results = get(&app, &format!("inspector/runs/{id}/results")).await;
    let results = rows(&results);
    assert_eq!(results.len(), 10);
    assert_eq!(results[1], ("1", "failed", Some("invalid-request")));
    assert_eq!(results[8], ("8", "done", None));
    assert_eq!(results[9], ("9", "skipped_quota", Some("quota-exhausted")));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_is_refused_ends_the_run_with_a_reason() {
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    played.says_to_all(Some(InspectError::NoAccess("revoked".to_owned())));
    let run = ask(&app, "one", &json!({ "urls": urls(&["a", "b"]) }))
        .await
        .with_status(202);
    let _crew = worker(&app, &played).await;
    app.reaches("EXISTS (SELECT FROM runs WHERE status = 'failed')")
        .await;
    let id = run["run_id"].as_str().unwrap();
    let failed = get(&app, &format!("inspector/runs/{id}")).await;
    assert_eq!(
        (&failed["error_code"], &failed["failed_items"]),
        (&json!("gsc-property-not-linked"), &json!(2))
    );
    let results = get(&app, &format!("inspector/runs/{id}/results")).await;
    assert_eq!(
        rows(&results)[1],
        ("b", "failed", Some("gsc-property-not-linked"))
    );
}

#[tokio::test]
async fn a_run_without_room_spends_nothing() {
    let app = TestApp::start().await;
    let body = json!({ "urls": urls(&["a", "b", "c"]) });
    ask(&app, "none", &body)
        .await
        .problem(404, "gsc-property-not-linked");
    link(&app).await;
    app.sql("INSERT INTO indexing_quota (site_url, day, used, rotation) VALUES ('sc-domain:shop.example', '2026-03-31', 1998, 0)")
        .await;
    let problem = ask(&app, "one", &body).await.problem(402, "quota-exhausted");
    assert_eq!(
        (&problem["used"], &problem["limit"], &problem["resets_on"]),
        (&json!(1998), &json!(2000), &json!("2026-04-01"))
    );
    assert_eq!(
        problem["detail"],
        "2 of the 2000 inspections that Google grants the property a day are left, and 3 are asked for; all are there again on \
         2026-04-01, Pacific time. No plan has more."
    );
    let two = json!({ "urls": urls(&["a", "b", "a"]) });
    let run = ask(&app, "two", &two).await.with_status(202);
    assert_eq!(run["quota"]["remaining"], 0);
    // The plan's own quota is as whole, and what it has not room for takes nothing of the property either.
    app.sql("DELETE FROM indexing_quota").await;
    let plan = Plan {
        key: "limited".to_owned(),
        name: "Limited".to_owned(),
        credits_per_cycle: 1_000,
        modules: vec![Module::Indexing],
        quotas: BTreeMap::from([(QuotaResource::InspectorUrls, 4)]),
    };
    app.stores.plans.put(&plan, &actor(), app.now()).await.unwrap();
    app.stores
        .workspace_admin
        .set_plan(app.world.workspace, "limited", &actor(), app.now())
        .await
        .unwrap();
    let problem = ask(&app, "three", &body).await.problem(402, "quota-exhausted");
    assert_eq!((&problem["used"], &problem["limit"]), (&json!(2), &json!(4)));
    assert_eq!(
        get(&app, "inspector/runs").await["items"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let quota = &get(&app, "overview").await["inspector_quota"];
    assert_eq!(
        (&quota["used"], &quota["limit"], &quota["remaining"]),
        (&json!(2), &json!(4), &json!(2))
    );
    assert_eq!(
        app.sql("SELECT 1 FROM indexing_quota WHERE used > 0").await.len(),
        0
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn results_are_gone_after_30_days() {
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    let run = ask(&app, "one", &json!({ "urls": urls(&["a"]) }))
        .await
        .with_status(202);
    let crew = worker(&app, &played).await;
    app.reaches("EXISTS (SELECT FROM runs WHERE status = 'succeeded')")
        .await;
    drop(crew);
    let id = run["run_id"].as_str().unwrap();
    // Runs end by the database's clock.
    app.sql("UPDATE runs SET expires_at = '2026-04-30 09:15Z'").await;
    app.clock.advance(Duration::days(31));
    try_get(&app, &format!("inspector/runs/{id}/results"))
        .await
        .problem(410, "report-result-expired");
    assert_eq!(
        get(&app, &format!("inspector/runs/{id}")).await["status"],
        "expired"
    );
    let other = "0190f3c2-cf93-7186-b2a7-8e6e60bf3d66";
    try_get(&app, &format!("inspector/runs/{other}"))
        .await
        .problem(404, "inspector-run-not-found");
}

#[tokio::test]
async fn all_faults_of_a_run_are_told_at_once() {
    let app = TestApp::start().await;
    link(&app).await;
    let body = json!({ "urls": ["https://other.example/", "https://shop.example/"], "label": " " });
    let problem = ask(&app, "one", &body).await.problem(400, "invalid-request");
    let errors = problem["errors"].as_array().unwrap().iter();
    let pointers: Vec<&str> = errors.map(|error| error["pointer"].as_str().unwrap()).collect();
    assert_eq!(pointers, ["/urls/0", "/label"]);
    for (number, body) in [
        json!({}),
        json!({ "urls": [] }),
        json!({ "urls": vec!["https://shop.example/"; 201] }),
        json!({ "urls": ["https://shop.example/"], "label": "x".repeat(101) }),
        json!({ "urls": ["https://shop.example/"], "live": true }),
    ]
    .iter()
    .enumerate()
    {
        ask(&app, &format!("bad-{number}"), body)
            .await
            .problem(400, "invalid-request");
    }
}

/// Four are asked for at once; after a failure that is of all, no other.
#[tokio::test(flavor = "multi_thread")]
async fn answers_beside_a_failure_count_and_what_was_not_asked_is_given_back() {
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    let all = urls(&["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
    played.fails(&all[1], InspectError::NoAccess("revoked".to_owned()));
    let run = ask(&app, "one", &json!({ "urls": all })).await.with_status(202);
    assert_eq!(run["quota"]["used"], 10);
    let _crew = worker(&app, &played).await;
    app.reaches("EXISTS (SELECT FROM runs WHERE status = 'partial')")
        .await;
    assert_eq!(played.asked(), all[..4]);
    let id = run["run_id"].as_str().unwrap();
    let results = get(&app, &format!("inspector/runs/{id}/results")).await;
    let results = rows(&results);
    assert_eq!(
        results[..5],
        [
            ("0", "done", None),
            ("1", "failed", Some("gsc-property-not-linked")),
            ("2", "done", None),
            ("3", "done", None),
            ("4", "failed", Some("gsc-property-not-linked")),
        ]
    );
    assert_eq!(get(&app, "overview").await["inspector_quota"]["used"], 4);
    let of_plan = app
        .sql("SELECT used::text FROM quota_usage WHERE resource = 'inspector_urls'")
        .await;
    assert_eq!(of_plan, [[Some("4".to_owned())]]);
}

/// A URL that is tried again takes of the day as well.
#[tokio::test(flavor = "multi_thread")]
async fn answers_before_a_pause_are_kept() {
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    let all = urls(&["0", "1", "2", "3", "4"]);
    let pause = InspectError::Busy {
        retry_after: Some(Duration::HOUR),
    };
    played.fails(&all[1], pause);
    ask(&app, "one", &json!({ "urls": all })).await.with_status(202);
    let _crew = worker(&app, &played).await;
    app.reaches("(SELECT count(*) FROM indexing_run_urls WHERE status = 'done') = 3")
        .await;
    assert_eq!(played.asked(), all[..4]);
    app.reaches("(SELECT unspent FROM indexing_runs) = 1").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_url_that_is_not_permitted_where_others_are_is_refused_alone() {
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    let all = urls(&["0", "1", "2"]);
    played.fails(&all[1], InspectError::NotPermitted("403".to_owned()));
    let run = ask(&app, "one", &json!({ "urls": all })).await.with_status(202);
    let _crew = worker(&app, &played).await;
    app.reaches("EXISTS (SELECT FROM runs WHERE status = 'partial')")
        .await;
    let id = run["run_id"].as_str().unwrap();
    let results = get(&app, &format!("inspector/runs/{id}/results")).await;
    assert_eq!(
        rows(&results),
        [
            ("0", "done", None),
            ("1", "failed", Some("invalid-request")),
            ("2", "done", None)
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_may_not_inspect_is_told_from_one_that_is_not_linked() {
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    played.says_to_all(Some(InspectError::NotPermitted("403".to_owned())));
    let run = ask(&app, "one", &json!({ "urls": urls(&["a"]) }))
        .await
        .with_status(202);
    let _crew = worker(&app, &played).await;
    app.reaches("EXISTS (SELECT FROM runs WHERE status = 'failed')")
        .await;
    let id = run["run_id"].as_str().unwrap();
    let failed = get(&app, &format!("inspector/runs/{id}")).await;
    assert_eq!(failed["error_code"], "forbidden");
}

/// The upstream's day ends at 7:00 UTC in April.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_waits_beyond_the_end_of_the_day_is_of_the_next() {
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    ask(&app, "one", &json!({ "urls": urls(&["a", "b"]) }))
        .await
        .with_status(202);
    app.clock.advance(Duration::hours(23));
    let _crew = worker(&app, &played).await;
    app.reaches("EXISTS (SELECT FROM runs WHERE status = 'succeeded')")
        .await;
    let used = app
        .sql("SELECT day::text, used::text FROM indexing_quota ORDER BY day")
        .await;
    let row = |day: &str, used: &str| vec![Some(day.to_owned()), Some(used.to_owned())];
    assert_eq!(used, [row("2026-03-31", "0"), row("2026-04-01", "2")]);
}

/// Nodes are upgraded one by one: one of the next version may have been asked for a run by what this one does not know.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_of_a_later_version_keeps_no_other_off_the_list() {
    let app = TestApp::start().await;
    link(&app).await;
    let first = ask(&app, "one", &json!({ "urls": urls(&["a"]) })).await;
    let second = ask(&app, "two", &json!({ "urls": urls(&["b"]) })).await;
    let (first, second) = (first.with_status(202), second.with_status(202));
    app.sql(&format!(
        "UPDATE runs SET requester_kind = 'of_tomorrow' WHERE id = '{}'",
        second["run_id"].as_str().unwrap()
    ))
    .await;
    let listed = get(&app, "inspector/runs").await;
    let items = listed["items"].as_array().unwrap();
    assert_eq!((items.len(), &items[0]["run_id"]), (1, &first["run_id"]));
    let noted = app.sql("SELECT DISTINCT kind FROM set_aside").await;
    assert_eq!(noted, [[Some("inspection".to_owned())]]);
}

/// To work out how a domain stands reads all of its URLs.
#[tokio::test(flavor = "multi_thread")]
async fn the_account_is_opened_for_each_step_of_a_run_and_how_the_domain_stands_is_worked_out_once() {
    let app = TestApp::start().await;
    link(&app).await;
    let all: Vec<String> = (0..20)
        .map(|page| format!("https://shop.example/{page}"))
        .collect();
    let named: Vec<&str> = all.iter().map(String::as_str).collect();
    add(&app, &named).await.with_status(201);
    app.sql(
        "CREATE TABLE stands (inspected bigint);
        CREATE FUNCTION take_down() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN INSERT INTO stands VALUES (new.inspected); RETURN NULL; END $$;
        CREATE TRIGGER take_down AFTER INSERT OR UPDATE ON indexing_days FOR EACH ROW EXECUTE FUNCTION take_down()",
    )
    .await;
    ask(&app, "one", &json!({ "urls": all })).await.with_status(202);
    let played = Played::new();
    let _crew = worker(&app, &played).await;
    app.reaches("EXISTS (SELECT FROM runs WHERE status = 'succeeded')")
        .await;
    assert_eq!(played.opened(), 3, "once for eight URLs");
    let stands = app.sql("SELECT inspected::text FROM stands").await;
    assert_eq!(stands, [[Some("20".to_owned())]]);
}

/// The first attempt finds all of the run, and can't store how the domain stands by then.
#[tokio::test(flavor = "multi_thread")]
async fn what_an_attempt_before_found_is_counted_by_the_next() {
    let app = TestApp::start().await;
    link(&app).await;
    add(&app, &["https://shop.example/a"]).await.with_status(201);
    app.sql(
        "CREATE SEQUENCE tries;
        CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF nextval('tries') = 1 THEN RAISE EXCEPTION USING ERRCODE = 'disk_full'; END IF;
                RETURN new;
            END $$;
        CREATE TRIGGER fail_once BEFORE INSERT ON indexing_days FOR EACH ROW EXECUTE FUNCTION fail_once()",
    )
    .await;
    let one = json!({ "urls": urls(&["a"]) });
    ask(&app, "one", &one).await.with_status(202);
    let played = Played::new();
    let _crew = worker(&app, &played).await;
    app.reaches("EXISTS (SELECT FROM runs WHERE status = 'succeeded')")
        .await;
    assert_eq!(played.asked(), urls(&["a"]));
    let counted = app.sql("SELECT inspected::text FROM indexing_days").await;
    assert_eq!(counted, [[Some("1".to_owned())]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_whose_account_cannot_be_opened_fails_and_spends_nothing() {
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    played.is_closed(InspectError::NoAccess("unlinked".to_owned()));
    let run = ask(&app, "one", &json!({ "urls": urls(&["a", "b"]) }))
        .await
        .with_status(202);
    let _crew = worker(&app, &played).await;
    app.reaches("EXISTS (SELECT FROM runs WHERE status = 'failed')")
        .await;
    let id = run["run_id"].as_str().unwrap();
    let failed = get(&app, &format!("inspector/runs/{id}")).await;
    assert_eq!(
        (&failed["error_code"], &failed["failed_items"]),
        (&json!("gsc-property-not-linked"), &json!(2))
    );
    assert_eq!(played.asked(), Vec::<String>::new());
    assert_eq!(get(&app, "overview").await["inspector_quota"]["used"], 0);
}
