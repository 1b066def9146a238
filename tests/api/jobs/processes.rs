//! Workers as processes of their own, that end while they work.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::time::{sleep, timeout};

use crate::{
    harness::{Node, Site, TestApp},
    uptime::check::watch,
};

/// An app whose clock says what that of the nodes says: a run is not open for months.
async fn started_now() -> TestApp {
    let app = TestApp::start().await;
    app.clock.advance(time::OffsetDateTime::now_utc() - app.now());
    app
}

/// A node that answers and does jobs, and may reach this machine.
fn node(app: &TestApp) -> Node {
    let environment = [
        ("PHAROS_DATABASE_URL", app.database.url()),
        ("PHAROS_PROBE_NETWORKS", "[\"127.0.0.0/8\"]"),
    ];
    Node::start(&["--roles", "api,worker"], &environment)
}

async fn ask_for_a_check(app: &TestApp) -> String {
    let path = format!("/domains/{}/uptime/check", app.world.domain);
    let key = uuid::Uuid::now_v7().to_string();
    let request = app.request("POST", &path).key(&app.world.key);
    let reply = request
        .header("idempotency-key", key)
        .json(&json!({}))
        .send()
        .await;
    reply.json()["run_id"].as_str().expect("a run").to_owned()
}

/// The jobs, the oldest first: state, worker, attempts.
async fn rows(app: &TestApp) -> Vec<Vec<Option<String>>> {
    app.sql("SELECT state, worker, attempts FROM jobs ORDER BY id")
        .await
}

async fn checks(app: &TestApp, run: &str) -> String {
    let count = format!("SELECT count(*) FROM uptime_checks WHERE run_id = '{run}'");
    app.sql(&count).await[0][0].clone().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_gets_sigterm_finishes_its_jobs_while_another_takes_the_new_ones() {
    let (app, mut site) = (started_now().await, Site::held().await);
    watch(&app, &site, &["local"]).await;
    let leaving = node(&app);
    let first = ask_for_a_check(&app).await;
    site.is_asked().await;
    let staying = node(&app);
    leaving.signal("TERM");
    // It must have heard of its end before there is more to do.
    leaving.closes();
    let second = ask_for_a_check(&app).await;
    let taken = timeout(Duration::from_secs(30), site.is_asked()).await;
    taken.expect("the other node takes it");
    let jobs = rows(&app).await;
    assert!(
        jobs.iter().all(|job| job[0].as_deref() == Some("running")),
        "{jobs:?}"
    );
    assert_ne!(jobs[0][1], jobs[1][1], "two workers");
    site.answer(2);
    assert_eq!(leaving.end(Duration::from_secs(30)), Some(0));
    assert_eq!(rows(&app).await[0][0].as_deref(), Some("succeeded"));
    staying.signal("TERM");
    assert_eq!(staying.end(Duration::from_secs(30)), Some(0));
    for (run, job) in [first, second].iter().zip(rows(&app).await) {
        assert_eq!(job, [Some("succeeded".to_owned()), None, Some("1".to_owned())]);
        assert_eq!(checks(&app, run).await, "1");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_node_can_t_finish_is_taken_over_as_soon_as_it_ends() {
    let (app, mut site) = (started_now().await, Site::held().await);
    watch(&app, &site, &["local"]).await;
    let leaving = node(&app);
    let run = ask_for_a_check(&app).await;
    site.is_asked().await;
    let _staying = node(&app);
    let first_worker = rows(&app).await[0][1].clone();
    leaving.signal("INT");
    // Two seconds are left to what runs; then it is given back, long before its lease ends.
    let taken_over = timeout(Duration::from_secs(30), site.is_asked()).await;
    taken_over.expect("the job is handed over");
    let job = &rows(&app).await[0];
    assert_eq!(
        (job[0].as_deref(), job[2].as_deref()),
        (Some("running"), Some("1"))
    );
    assert_ne!(job[1], first_worker);
    assert_eq!(leaving.end(Duration::from_secs(30)), Some(0));
    site.answer(2);
    let deadline = Instant::now() + Duration::from_secs(30);
    while rows(&app).await[0][0].as_deref() != Some("succeeded") {
        assert!(Instant::now() < deadline, "{:?}", rows(&app).await);
        sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(checks(&app, &run).await, "1");
}
