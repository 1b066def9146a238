//! Keys of runs: replays, conflicts, waiting duplicates.

use std::time::Duration;

use futures_util::{future::join_all, join};
use serde_json::json;
use tokio::time::{sleep, timeout};

use super::ledger;
use crate::harness::{Key, Reply, Request, TestApp};

fn run(app: &TestApp, key: &Key, idempotency: &str) -> Request {
    run_by(app.request("POST", &path(app)), key, idempotency)
}

fn run_by(request: Request, key: &Key, idempotency: &str) -> Request {
    request
        .key(key)
        .header("idempotency-key", idempotency)
        .json(&json!({}))
}

fn path(app: &TestApp) -> String {
    format!("/domains/{}/uptime/check", app.world.domain)
}

async fn watched() -> TestApp {
    let app = TestApp::start().await;
    let config = format!("/domains/{}/uptime/config", app.world.domain);
    app.put(&config, &app.world.key, &json!({})).send().await.ok();
    app
}

async fn jobs(app: &TestApp) -> String {
    app.sql("SELECT count(*) FROM jobs").await[0][0].clone().unwrap()
}

#[track_caller]
fn is_replay(reply: &Reply, of: &Reply) {
    assert_eq!(
        (reply.status, reply.header("idempotent-replayed")),
        (of.status, Some("true"))
    );
    assert_eq!(reply.header("x-credits-cost"), Some("0"));
    assert_eq!(reply.body, of.body, "byte for byte");
}

#[tokio::test]
async fn the_same_key_replays_the_answer_and_does_nothing() {
    let app = watched().await;
    let first = run(&app, &app.world.key, "a").send().await;
    assert_eq!((first.status, first.header("x-credits-cost")), (202, Some("25")));
    assert!(first.header("idempotent-replayed").is_none());
    for _ in 0..3 {
        is_replay(&run(&app, &app.world.key, "a").send().await, &first);
    }
    assert_eq!(jobs(&app).await, "1");
    assert_eq!(ledger(&app, 5).await, (26, 26));
    let second = run(&app, &app.world.key, "b").send().await;
    assert_eq!(second.status, 202);
    assert_ne!(second.json()["run_id"], first.json()["run_id"]);
}

#[tokio::test]
async fn a_key_is_a_credentials_own_and_one_requests_alone() {
    let app = watched().await;
    let first = run(&app, &app.world.key, "a").send().await;
    let other = app
        .world
        .another_key(&app.stores, app.world.owner, app.now())
        .await;
    let theirs = run(&app, &other, "a").send().await;
    assert_eq!(theirs.status, 202);
    assert_ne!(theirs.json()["run_id"], first.json()["run_id"]);
    for body in ["{ }", r#"{"regions":null}"#, r#"{"regions":["local"]}"#] {
        let reused = app
            .request("POST", &path(&app))
            .key(&app.world.key)
            .header("idempotency-key", "a")
            .body("application/json", body);
        reused.send().await.problem(409, "idempotency-key-reuse");
    }
    let now = app.now();
    let hostname = "blog.example".parse().unwrap();
    let actor = crate::harness::actor();
    let second = app
        .stores
        .domain_admin
        .add(app.world.workspace, &hostname, None, &actor, now)
        .await
        .unwrap()
        .id;
    app.put(
        &format!("/domains/{second}/uptime/config"),
        &app.world.key,
        &json!({}),
    )
    .send()
    .await
    .ok();
    let elsewhere = app
        .request("POST", &format!("/domains/{second}/uptime/check"))
        .key(&app.world.key)
        .header("idempotency-key", "a")
        .json(&json!({}));
    elsewhere.send().await.problem(409, "idempotency-key-reuse");
}

#[tokio::test]
async fn a_key_lasts_24_hours() {
    let app = watched().await;
    let first = run(&app, &app.world.key, "a").send().await;
    app.clock
        .advance(time::Duration::hours(24) - time::Duration::seconds(1));
    is_replay(&run(&app, &app.world.key, "a").send().await, &first);
    app.clock.advance(time::Duration::seconds(2));
    let anew = run(&app, &app.world.key, "a").send().await;
    assert_eq!((anew.status, anew.header("idempotent-replayed")), (202, None));
    assert_ne!(anew.json()["run_id"], first.json()["run_id"]);
}

#[tokio::test]
async fn a_refused_attempt_leaves_the_key_free() {
    let app = TestApp::start().await;
    run(&app, &app.world.key, "a")
        .send()
        .await
        .problem(404, "uptime-not-found");
    let config = format!("/domains/{}/uptime/config", app.world.domain);
    app.put(&config, &app.world.key, &json!({})).send().await.ok();
    app.grant(20).await;
    run(&app, &app.world.key, "a")
        .send()
        .await
        .problem(402, "quota-exhausted");
    app.grant(100).await;
    let first = run(&app, &app.world.key, "a").send().await;
    assert_eq!(first.status, 202);
    // A replay asks for no credits.
    app.grant(0).await;
    is_replay(&run(&app, &app.world.key, "a").send().await, &first);
}

#[tokio::test]
async fn duplicates_wait_for_the_first_and_replay_it() {
    let app = watched().await;
    let replies = join_all((0..16).map(|_| run(&app, &app.world.key, "a").send())).await;
    let (fresh, replayed): (Vec<_>, Vec<_>) = replies
        .iter()
        .partition(|reply| reply.header("idempotent-replayed").is_none());
    assert_eq!(fresh.len(), 1);
    for reply in replayed {
        is_replay(reply, fresh[0]);
    }
    assert_eq!(jobs(&app).await, "1");
    assert_eq!(ledger(&app, 17).await, (26, 26));
}

/// Waits until a session of the database waits for this.
async fn waits_for(app: &TestApp, what: &str) {
    let waiting = format!(
        "SELECT FROM pg_stat_activity
         WHERE datname = current_database() AND '{what}' IN (wait_event_type, wait_event)"
    );
    let waits = async {
        while app.sql(&waiting).await.is_empty() {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(Duration::from_secs(5), waits).await.expect("it waits");
}

/// For ten seconds a duplicate waits in the process of the first request, or on another node in the store.
#[tokio::test(flavor = "multi_thread")]
async fn a_duplicate_of_what_still_runs_is_told_so_and_replays_it_later() {
    let app = watched().await;
    let elsewhere = app.sibling().await;
    let there = || run_by(elsewhere.request("POST", &path(&app)), &app.world.key, "a");
    // The first can't be charged before this lets go.
    let held = app.sql("SELECT FROM credit_balances FOR UPDATE; SELECT pg_sleep(15)");
    let first = async {
        waits_for(&app, "PgSleep").await;
        run(&app, &app.world.key, "a").send().await
    };
    let duplicates = async {
        waits_for(&app, "Lock").await;
        join!(run(&app, &app.world.key, "a").send(), there().send())
    };
    let (_, first, (here, other)) = join!(held, first, duplicates);
    assert_eq!(first.status, 202);
    for duplicate in [here, other] {
        duplicate.problem(409, "idempotency-in-progress");
        assert_eq!(duplicate.header("retry-after"), Some("1"));
        assert_eq!(duplicate.header("x-credits-cost"), Some("0"));
    }
    is_replay(&run(&app, &app.world.key, "a").send().await, &first);
    is_replay(&there().send().await, &first);
    assert_eq!(jobs(&app).await, "1");
    assert_eq!(ledger(&app, 6).await, (26, 26));
}

#[tokio::test]
async fn a_key_that_is_none_is_named_with_all_other_faults() {
    let app = watched().await;
    let without = app
        .request("POST", &path(&app))
        .key(&app.world.key)
        .json(&json!({ "colour": 1 }));
    assert_eq!(without.send().await.faults(), ["/colour", "Idempotency-Key"]);
    let longest = "k".repeat(255);
    for bad in ["", "a\tb", "\u{e9}", &"k".repeat(256)] {
        let reply = run(&app, &app.world.key, bad).send().await;
        assert_eq!(reply.faults(), ["Idempotency-Key"], "{bad:?}");
    }
    let twice = run(&app, &app.world.key, "a").header("idempotency-key", "a");
    assert_eq!(twice.send().await.faults(), ["Idempotency-Key"]);
    assert_eq!(run(&app, &app.world.key, &longest).send().await.status, 202);
    assert_eq!(jobs(&app).await, "1");
}
