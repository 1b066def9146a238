//! Schedules: runs that are due are recorded, and those that nobody does are given up.

use std::{collections::BTreeMap, sync::Arc};

use pharos_account::admin::plans::Plan;
use pharos_domain::{clock::Clock, module::Module, quota::QuotaResource};
use pharos_due::bell::Bell;
use pharos_synthetic::schedule::LabPlanner;
use serde_json::{Value, json};
use time::Duration;

use super::{ask, get, schedule, send, track};
use crate::harness::{TestApp, actor};

fn planner(app: &TestApp) -> LabPlanner {
    let clock: Arc<dyn Clock> = app.clock.clone();
    LabPlanner {
        store: schedule(app),
        clock,
        bell: Arc::new(Bell::default()),
        answers: app.answers(),
    }
}

async fn hourly(app: &TestApp, profiles: &Value) -> String {
    let body = json!({ "url": "https://shop.example/", "schedule": "hourly", "profile_ids": profiles });
    let made = send(app, "POST", "urls", &body).await.with_status(201);
    made["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_page_is_measured_on_each_profile_once_an_hour_and_never_twice_at_once() {
    let app = TestApp::start().await;
    hourly(&app, &json!(["mobile", "desktop"])).await;
    track(&app, "manual").await;
    assert_eq!(planner(&app).round().await.unwrap(), 0, "nothing is due yet");
    app.clock.advance(Duration::HOUR);
    assert_eq!(planner(&app).round().await.unwrap(), 1);
    let runs = get(&app, "runs?trigger=schedule").await;
    let mut told: Vec<(&str, &str)> = runs["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| {
            (
                run["profile_id"].as_str().unwrap(),
                run["status"].as_str().unwrap(),
            )
        })
        .collect();
    told.sort_unstable();
    assert_eq!(told, [("desktop", "queued"), ("mobile", "queued")]);
    let jobs = app
        .sql("SELECT count(*)::text FROM jobs WHERE kind = 'synthetic' AND state = 'queued'")
        .await;
    assert_eq!(jobs[0][0].as_deref(), Some("2"));
    // They wait still: there is no second of each.
    app.clock.advance(Duration::HOUR);
    assert_eq!(planner(&app).round().await.unwrap(), 1);
    assert_eq!(get(&app, "runs").await["items"].as_array().unwrap().len(), 2);
    // Switched off it is due no more.
    let id = get(&app, "urls").await["items"][1]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    send(&app, "PUT", &format!("urls/{id}"), &json!({ "enabled": false }))
        .await
        .ok();
    app.clock.advance(Duration::DAY);
    assert_eq!(planner(&app).round().await.unwrap(), 0);
}

/// A newer node has made it, and its kind of device is not known here.
#[tokio::test]
async fn a_profile_that_is_not_known_is_asked_for_by_nobody() {
    let app = TestApp::start().await;
    let page = hourly(&app, &json!(["mobile"])).await;
    app.sql(r#"UPDATE synthetic_urls SET settings = jsonb_set(settings, '{profile_ids}', '["tablet"]')"#)
        .await;
    app.clock.advance(Duration::HOUR);
    planner(&app).round().await.unwrap();
    assert_eq!(ask(&app, &page, &json!({})).await.status, 500);
    assert_eq!(get(&app, "runs").await["items"], json!([]));
    let told = app.sql("SELECT subject, reason FROM set_aside").await;
    let [Some(subject), Some(reason)] = &told[0][..] else {
        panic!("{told:?}");
    };
    assert!(*subject == page && reason.contains("tablet"), "{told:?}");
}

/// It is noted and waits for a day. The page that is planned with it is measured.
#[tokio::test]
async fn a_page_whose_runs_can_not_be_stored_stops_no_other() {
    let app = TestApp::start().await;
    let bad = hourly(&app, &json!(["mobile"])).await;
    let body = json!({ "url": "https://shop.example/good", "schedule": "hourly", "profile_ids": ["mobile"] });
    let good = send(&app, "POST", "urls", &body).await.with_status(201);
    app.sql(&format!(
        "ALTER TABLE synthetic_runs ADD CONSTRAINT played CHECK (url_id <> '{bad}')"
    ))
    .await;
    app.clock.advance(Duration::HOUR);
    planner(&app).round().await.unwrap();
    let runs = get(&app, "runs").await;
    let runs = runs["items"].as_array().unwrap();
    assert_eq!((runs.len(), &runs[0]["url_id"]), (1, &good["id"]));
    app.clock.advance(Duration::hours(20));
    planner(&app).round().await.unwrap();
    let noted = app.sql("SELECT kind, subject, times::text FROM set_aside").await;
    assert_eq!(
        noted,
        [["lab_test", bad.as_str(), "1"].map(|cell| Some(cell.to_owned()))]
    );
}

/// The clock was a day ahead.
#[tokio::test]
async fn a_page_that_a_clock_ahead_has_planned_is_due_once_that_is_set_back() {
    let app = TestApp::start().await;
    hourly(&app, &json!(["mobile"])).await;
    track(&app, "manual").await;
    let brought_back = async |planned: &str, next: &str| -> Option<String> {
        app.sql(&format!(
            "UPDATE synthetic_urls SET planned_at = now() + interval '{planned}', next_run_at = now() + interval '{next}' \
             WHERE next_run_at IS NOT NULL"
        ))
        .await;
        schedule(&app).bring_back().await.unwrap();
        let due = "SELECT (next_run_at <= now())::text FROM synthetic_urls WHERE next_run_at IS NOT NULL";
        let due = app.sql(due).await;
        assert_eq!(due.len(), 1, "that of the schedule alone");
        due[0][0].clone()
    };
    assert_eq!(brought_back("1 day", "25 hours").await.as_deref(), Some("true"));
    let ahead = "SELECT (planned_at > now())::text FROM synthetic_urls WHERE planned_at IS NOT NULL";
    assert_eq!(
        app.sql(ahead).await[0][0].as_deref(),
        Some("false"),
        "it is brought back once"
    );
    assert_eq!(
        brought_back("-1 minute", "59 minutes").await.as_deref(),
        Some("false")
    );
}

#[tokio::test]
async fn runs_that_nobody_does_end_with_their_reason() {
    let app = TestApp::start().await;
    let page = track(&app, "shoes").await;
    let waits = ask(&app, &page, &json!({})).await.with_status(202);
    let lost = ask(&app, &page, &json!({})).await.with_status(202);
    schedule(&app).give_up().await.unwrap();
    let status = async |run: &Value| {
        let told = get(&app, &format!("runs/{}", run["run_id"].as_str().unwrap())).await;
        let text = |name: &str| told[name].as_str().unwrap_or_default().to_owned();
        [text("status"), text("error_code"), text("runtime_error_message")]
    };
    assert_eq!(
        status(&waits).await[0],
        "queued",
        "it waits for no more than a moment"
    );
    let id = |run: &Value| run["run_id"].as_str().unwrap().to_owned();
    app.sql(&format!(
        "UPDATE jobs SET created_at = now() - interval '7 hours' WHERE run_id = '{}'",
        id(&waits)
    ))
    .await;
    app.sql(&format!(
        "UPDATE jobs SET state = 'dead', finished_at = now() WHERE run_id = '{}'",
        id(&lost)
    ))
    .await;
    schedule(&app).give_up().await.unwrap();
    for (run, code, reason) in [
        (&waits, "upstream-unavailable", "pharos doctor"),
        (&lost, "internal-error", "The node that measured the page failed"),
    ] {
        let [status, told, why] = status(run).await;
        assert_eq!([status.as_str(), told.as_str()], ["failed", code], "{why}");
        assert!(why.contains(reason), "{why}");
    }
    // Nobody does it later, and who asked for it is told.
    let rows = app
        .sql("SELECT state FROM jobs WHERE kind = 'synthetic' AND state <> 'dead'")
        .await;
    assert!(rows.is_empty(), "{rows:?}");
    app.reaches("NOT EXISTS (SELECT FROM runs WHERE status IN ('queued', 'running'))")
        .await;
}

#[tokio::test]
async fn the_overview_that_was_kept_is_served_no_more_once_a_run_is_given_up() {
    let app = TestApp::start().await;
    let page = track(&app, "shoes").await;
    ask(&app, &page, &json!({})).await.with_status(202);
    app.sql("UPDATE jobs SET created_at = now() - interval '7 hours'")
        .await;
    assert_eq!(get(&app, "overview").await["failed_runs_30d"], json!(0));
    planner(&app).round().await.unwrap();
    assert_eq!(get(&app, "overview").await["failed_runs_30d"], json!(1));
}

#[tokio::test]
async fn a_spent_quota_is_told_by_the_run() {
    let app = TestApp::start().await;
    let plan = Plan {
        key: "limited".to_owned(),
        name: "Limited".to_owned(),
        credits_per_cycle: 1_000,
        modules: vec![Module::Synthetic],
        quotas: BTreeMap::from([(QuotaResource::SyntheticRuns, 1)]),
    };
    app.stores.plans.put(&plan, &actor(), app.now()).await.unwrap();
    app.stores
        .workspace_admin
        .set_plan(app.world.workspace, "limited", &actor(), app.now())
        .await
        .unwrap();
    hourly(&app, &json!(["mobile", "desktop"])).await;
    app.clock.advance(Duration::HOUR);
    planner(&app).round().await.unwrap();
    let runs = get(&app, "runs").await;
    let mut told: Vec<(&str, Option<&str>)> = runs["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| (run["status"].as_str().unwrap(), run["error_code"].as_str()))
        .collect();
    told.sort_unstable();
    assert_eq!(told, [("failed", Some("quota-exhausted")), ("queued", None)]);
    let jobs = app.sql("SELECT id FROM jobs WHERE kind = 'synthetic'").await;
    assert_eq!(jobs.len(), 1, "nobody does what was refused");
}

#[tokio::test]
async fn a_domain_that_is_deleted_takes_its_tests_along() {
    let app = TestApp::start().await;
    let page = hourly(&app, &json!(["mobile"])).await;
    let run = ask(&app, &page, &json!({})).await.with_status(202);
    let begun = ask(&app, &page, &json!({})).await.with_status(202);
    // A node whose clock is ahead has begun it.
    app.sql(&format!(
        "UPDATE synthetic_runs SET status = 'running', started_at = requested_at + interval '1 second' WHERE id = '{}'",
        begun["run_id"].as_str().unwrap()
    ))
    .await;
    app.stores
        .domain_admin
        .delete(app.world.domain, &actor(), app.now())
        .await
        .unwrap();
    let rows = app
        .sql("SELECT status, (finished_at >= coalesce(started_at, requested_at))::text FROM synthetic_runs")
        .await;
    let ended = ["canceled", "true"].map(|word| Some(word.to_owned())).to_vec();
    assert_eq!(rows, [ended.clone(), ended], "none ended sooner than it began");
    let id = run["run_id"].as_str().unwrap().parse().unwrap();
    assert_eq!(schedule(&app).begin(id, app.now()).await.unwrap(), None);
    app.clock.advance(Duration::HOUR);
    assert_eq!(planner(&app).round().await.unwrap(), 0);
}

/// Runs of its schedule, and one that somebody asked for: nobody hears that what was called off has succeeded.
#[tokio::test]
async fn a_page_that_is_let_go_takes_its_tests_along() {
    let app = TestApp::start().await;
    let page = hourly(&app, &json!(["mobile", "desktop"])).await;
    let kept = track(&app, "kept").await;
    app.clock.advance(Duration::HOUR);
    assert_eq!(planner(&app).round().await.unwrap(), 1);
    ask(&app, &page, &json!({})).await.with_status(202);
    let other = ask(&app, &kept, &json!({})).await.with_status(202);
    app.request("DELETE", &super::path(&app, &format!("urls/{page}")))
        .key(&app.world.key)
        .send()
        .await
        .ok();
    let statuses = async |of: &str| -> Vec<(String, String)> {
        let rows = app
            .sql(&format!(
                "SELECT status, count(*)::text FROM {of} GROUP BY status ORDER BY status"
            ))
            .await;
        let text = |cell: &Option<String>| cell.clone().unwrap();
        rows.iter().map(|row| (text(&row[0]), text(&row[1]))).collect()
    };
    let told = |canceled: &str| {
        vec![
            ("canceled".to_owned(), canceled.to_owned()),
            ("queued".to_owned(), "1".to_owned()),
        ]
    };
    assert_eq!(statuses("synthetic_runs").await, told("3"));
    assert_eq!(statuses("runs").await, told("1"));
    let jobs = app.sql("SELECT id FROM jobs WHERE kind = 'synthetic'").await;
    assert_eq!(jobs.len(), 1, "that of the other page");
    // Another node let the page go while the run was asked for.
    app.sql(&format!(
        "UPDATE synthetic_urls SET deleted_at = now() WHERE id = '{kept}'"
    ))
    .await;
    let id = other["run_id"].as_str().unwrap().parse().unwrap();
    assert_eq!(schedule(&app).begin(id, app.now()).await.unwrap(), None);
    let open = "SELECT id FROM runs WHERE status <> 'canceled'";
    assert_eq!(app.sql(open).await.len(), 0);
}
