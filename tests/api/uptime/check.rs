//! POST /domains/{domain_id}/uptime/check

use std::{sync::Arc, time::Duration};

use pharos_domain::{
    clock::SystemClock,
    ids::UserId,
    jobs::{JobDetails, JobFilter, JobHandler, JobState},
    role::Role,
};
use pharos_egress::{address_policy::AddressPolicy, resolver::NameResolver, trust::TrustAnchors};
use pharos_server::worker::WorkerPace;
use pharos_uptime::{
    checker::Checker,
    probe::{ProbeLimits, Prober},
    run::CheckRuns,
};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::path;
use crate::{
    harness::{Key, Reply, Request, Site, TestApp},
    jobs::{Crew, connect},
};

pub(super) fn run(app: &TestApp, key: &Key, idempotency: &str, body: &Value) -> Request {
    app.request("POST", &path(app, "check"))
        .key(key)
        .header("idempotency-key", idempotency)
        .json(body)
}

/// An app whose domain's monitor checks the site from these regions.
pub(super) async fn watching(site: &Site, regions: &[&str]) -> TestApp {
    let app = TestApp::start().await;
    watch(&app, site, regions).await;
    app
}

/// Lets the app's monitor check a site on this machine, which its own settings may not name.
pub(crate) async fn watch(app: &TestApp, site: &Site, regions: &[&str]) {
    app.put(&path(app, "config"), &app.world.key, &json!({}))
        .send()
        .await
        .ok();
    let settings = json!({ "url": format!("http://{}/", site.address), "regions": regions });
    app.sql(&format!(
        "UPDATE uptime_monitors SET settings = settings || '{settings}'"
    ))
    .await;
}

/// A worker of a region that can reach the site.
pub(crate) async fn worker(app: &TestApp, site: &Site, region: &str) -> Crew {
    let database = connect(app.database.url()).await;
    let policy = AddressPolicy::public().permitting_exactly(site.address);
    let prober = Prober::new(
        NameResolver::system().unwrap(),
        policy,
        &TrustAnchors::web(),
        ProbeLimits::default(),
    );
    let handler: Arc<dyn JobHandler> = Arc::new(CheckRuns {
        store: app.stores.schedule.clone(),
        runs: app.stores.ports.get().unwrap(),
        checker: Checker {
            prober: Arc::new(prober.unwrap()),
            clock: Arc::new(SystemClock),
            region: region.to_owned(),
        },
    });
    Crew::start(&database, region, WorkerPace::default(), vec![handler]).await
}

/// Polls the run until it has so many checks.
pub(super) async fn polled(app: &TestApp, run: &Value, checks: usize) -> Vec<Value> {
    let poll = run["poll_path"].as_str().unwrap();
    let poll = poll.strip_prefix("/api/public/v1").expect("the base path");
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        let page = app.get(poll, &app.world.key).send().await.ok();
        let items = page["items"].as_array().unwrap();
        if items.len() >= checks {
            return items.clone();
        }
        assert!(Instant::now() < deadline, "{page}");
        sleep(Duration::from_millis(20)).await;
    }
}

/// The status of each run, and why it failed.
async fn runs(app: &TestApp) -> Vec<(String, Option<String>)> {
    let runs = "SELECT status, error_code FROM runs ORDER BY requested_at, id";
    let rows = app.sql(runs).await;
    rows.into_iter()
        .map(|row| (row[0].clone().unwrap(), row[1].clone()))
        .collect()
}

/// Waits until the only run has that status.
async fn reaches(app: &TestApp, status: &str) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while runs(app).await[0].0 != status {
        assert!(Instant::now() < deadline, "still {:?}", runs(app).await);
        sleep(Duration::from_millis(20)).await;
    }
}

async fn jobs(app: &TestApp) -> Vec<JobDetails> {
    let filter = JobFilter {
        limit: 100,
        ..JobFilter::default()
    };
    app.stores.job_admin.list(&filter).await.unwrap()
}

pub(super) fn accepted(reply: &Reply) -> Value {
    assert_eq!(reply.status, 202, "{}", String::from_utf8_lossy(&reply.body));
    reply.json()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_checks_the_site_now_and_a_replay_is_the_same_run() {
    let mut site = Site::open().await;
    let app = watching(&site, &["local"]).await;
    let _worker = worker(&app, &site, "local").await;
    let first = run(&app, &app.world.key, "now", &json!({})).send().await;
    let run_object = accepted(&first);
    let run_id = run_object["run_id"].as_str().unwrap();
    let want = json!({
        "run_id": run_id,
        "kind": "uptime_check",
        "status": "queued",
        "requested_at": "2026-03-31T09:15:00Z",
        "started_at": null,
        "finished_at": null,
        "expires_at": null,
        "progress_pct": 0.0,
        "total_items": 1,
        "completed_items": 0,
        "failed_items": 0,
        "error_code": null,
        "error_detail": null,
        "requested_by": { "kind": "api_key", "credential_id": app.world.key.id },
        "poll_path": format!(
            "/api/public/v1/domains/{}/uptime/checks?run_id={run_id}", app.world.domain
        ),
        "credits_charged": 25,
    });
    assert_eq!(run_object, want);
    let checks = polled(&app, &run_object, 1).await;
    let [check] = checks.as_slice() else {
        panic!("{checks:?}");
    };
    assert_eq!(
        (&check["outcome"], &check["run_id"]),
        (&json!("up"), &json!(run_id))
    );
    assert_eq!(
        (&check["region"], &check["status_code"]),
        (&json!("local"), &json!(200))
    );

    reaches(&app, "succeeded").await;
    let items = app
        .sql("SELECT total_items::text, completed_items::text FROM runs")
        .await;
    assert_eq!(items, [[Some("1".to_owned()), Some("1".to_owned())]]);
    let told = app
        .get("/notifications?type=run_finished", &app.world.key)
        .send()
        .await
        .ok();
    let [told] = told["items"].as_array().unwrap().as_slice() else {
        panic!("{told}");
    };
    assert_eq!(
        (&told["title"], &told["module"], &told["domain_id"]),
        (
            &json!("shop.example: Check finished: up"),
            &json!("uptime"),
            &json!(app.world.domain)
        )
    );
    let told_path = format!("/api/public/v1{}", told["resource_path"].as_str().unwrap());
    assert_eq!(run_object["poll_path"], told_path);

    let again = run(&app, &app.world.key, "now", &json!({})).send().await;
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(again.body, first.body);
    sleep(Duration::from_millis(300)).await;
    assert_eq!(polled(&app, &run_object, 1).await.len(), 1);
    assert_eq!(site.asks(), 1);
    let status = app.get(&path(&app, "status"), &app.world.key).send().await.ok();
    assert_eq!(status["last_status_code"], 200, "the run's check counts");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_region_checks_by_its_own_worker_and_a_region_without_one_waits() {
    let site = Site::open().await;
    let app = watching(&site, &["local", "us", "mars"]).await;
    let _workers = [
        worker(&app, &site, "local").await,
        worker(&app, &site, "us").await,
    ];
    let all = accepted(
        &run(&app, &app.world.key, "all", &json!({ "regions": null }))
            .send()
            .await,
    );
    let some = json!({ "regions": ["us"] });
    let some = accepted(&run(&app, &app.world.key, "some", &some).send().await);
    let regions = |checks: &[Value]| {
        let mut regions: Vec<String> = checks
            .iter()
            .map(|check| check["region"].as_str().unwrap().to_owned())
            .collect();
        regions.sort();
        regions
    };
    assert_eq!(regions(&polled(&app, &all, 2).await), ["local", "us"]);
    assert_eq!(regions(&polled(&app, &some, 1).await), ["us"]);
    let waiting: Vec<_> = jobs(&app)
        .await
        .into_iter()
        .filter(|job| job.state == JobState::Queued)
        .map(|job| job.lane)
        .collect();
    assert_eq!(waiting, [Some("mars".to_owned())]);
    reaches(&app, "running").await;
    let _late = worker(&app, &site, "mars").await;
    assert_eq!(regions(&polled(&app, &all, 3).await), ["local", "mars", "us"]);
    reaches(&app, "succeeded").await;
}

/// By the time that the second region comes to it, the settings make no request.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_of_which_one_region_gave_up_is_partial_and_one_that_all_gave_up_has_failed() {
    let site = Site::open().await;
    let app = watching(&site, &["local", "us"]).await;
    let both = accepted(&run(&app, &app.world.key, "both", &json!({})).send().await);
    let here = worker(&app, &site, "local").await;
    polled(&app, &both, 1).await;
    drop(here);
    app.sql("UPDATE uptime_monitors SET settings = settings || '{\"url\": \"nowhere\"}'")
        .await;
    let some = json!({ "regions": ["us"] });
    accepted(&run(&app, &app.world.key, "some", &some).send().await);
    let _there = worker(&app, &site, "us").await;
    reaches(&app, "partial").await;
    let why = Some("internal-error".to_owned());
    let deadline = Instant::now() + Duration::from_secs(30);
    while runs(&app).await
        != [
            ("partial".to_owned(), why.clone()),
            ("failed".to_owned(), why.clone()),
        ]
    {
        assert!(Instant::now() < deadline, "still {:?}", runs(&app).await);
        sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paused_monitor_can_be_checked_and_stays_as_it_was() {
    let site = Site::open().await;
    let app = watching(&site, &["local"]).await;
    app.sql("UPDATE uptime_monitors SET settings = settings || '{\"enabled\": false}'")
        .await;
    let _worker = worker(&app, &site, "local").await;
    let asked = accepted(&run(&app, &app.world.key, "a", &json!({})).send().await);
    polled(&app, &asked, 1).await;
    let status = app.get(&path(&app, "status"), &app.world.key).send().await.ok();
    assert_eq!(
        (&status["state"], &status["is_up"], &status["uptime_24h_pct"]),
        (&json!("paused"), &Value::Null, &Value::Null)
    );
    assert_eq!(status["last_status_code"], 200, "what it found is shown");
    assert!(status["last_check_at"].is_string());
}

/// Between the request and its check the domain was deleted: nobody asks the site, and nothing is left to do.
#[tokio::test(flavor = "multi_thread")]
async fn a_domain_that_was_deleted_meanwhile_is_not_checked() {
    let mut site = Site::open().await;
    let app = watching(&site, &["local"]).await;
    accepted(&run(&app, &app.world.key, "a", &json!({})).send().await);
    let domains = &app.stores.domain_admin;
    let actor = crate::harness::actor();
    domains.delete(app.world.domain, &actor, app.now()).await.unwrap();
    assert_eq!(jobs(&app).await, []);
    assert_eq!(runs(&app).await, [("canceled".to_owned(), None)]);
    let _worker = worker(&app, &site, "local").await;
    sleep(Duration::from_millis(300)).await;
    assert_eq!(site.asks(), 0);
}

#[tokio::test]
async fn a_run_without_a_body_is_one_from_all_regions() {
    let site = Site::open().await;
    let app = watching(&site, &["local", "us"]).await;
    let ask = |idempotency: &str| {
        app.request("POST", &path(&app, "check"))
            .key(&app.world.key)
            .header("idempotency-key", idempotency)
    };
    accepted(&ask("a").send().await);
    assert_eq!(jobs(&app).await.len(), 2);
    let other = ask("b").body("text/plain", "regions").send().await;
    other.problem(415, "unsupported-media-type");
}

#[tokio::test]
async fn a_refused_run_has_no_job_and_leaves_its_key_free() {
    let site = Site::open().await;
    let app = TestApp::start().await;
    let key = &app.world.key;
    run(&app, key, "a", &json!({}))
        .send()
        .await
        .problem(404, "uptime-not-found");
    watch(&app, &site, &["local", "us"]).await;
    for (body, faults) in [
        (json!({ "regions": [] }), &["/regions"][..]),
        (
            json!({ "regions": ["mars", "us", "us", 7] }),
            &["/regions/0", "/regions/2", "/regions/3"],
        ),
        (
            json!({ "regions": ["mars", "us", "us"] }),
            &["/regions/0", "/regions/2"],
        ),
        (json!({ "regions": "us" }), &["/regions"]),
        (json!({ "region": "us" }), &["/region"]),
    ] {
        assert_eq!(run(&app, key, "a", &body).send().await.faults(), faults, "{body}");
    }
    let without_key = app
        .request("POST", &path(&app, "check"))
        .key(key)
        .json(&json!({}));
    assert_eq!(without_key.send().await.faults(), ["Idempotency-Key"]);
    let (viewer, _): (Key, UserId) = app.world.key_of(&app.stores, Role::Viewer, app.now()).await;
    run(&app, &viewer, "a", &json!({}))
        .send()
        .await
        .problem(403, "insufficient-role");
    assert_eq!(jobs(&app).await, []);
    // The key of a refused attempt is free.
    accepted(&run(&app, key, "a", &json!({})).send().await);
    assert_eq!(jobs(&app).await.len(), 2);
}
