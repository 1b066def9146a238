//! A node while PostgreSQL is stopped, and after its return.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use pharos_persistence::testing::look;
use serde_json::json;
use time::OffsetDateTime;
use tokio::time::{sleep, timeout};

use super::ledger;
use crate::harness::{Node, OwnPostgres, Reply, Request, Site, TestApp, World};

/// Far longer than any wait may be, on however busy a machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// How soon a node serves again. It is not restarted.
const BACK_WITHIN: Duration = Duration::from_secs(30);

/// A free read, a charged one, one that is kept, a write, and a run.
fn requests(node: &Node, world: &World) -> [Request; 5] {
    let request = |method: &str, path: &str| Request::new(node.address, method, path).key(&world.key);
    let domain = world.domain;
    [
        request("GET", "/me"),
        request("GET", &format!("/domains/{domain}/uptime/config")),
        request("GET", &format!("/domains/{domain}/overview")),
        request("PUT", &format!("/domains/{domain}/uptime/config")).json(&json!({})),
        request("POST", &format!("/domains/{domain}/uptime/check"))
            .header("idempotency-key", "once")
            .json(&json!({})),
    ]
}

async fn send(request: Request) -> Reply {
    timeout(Duration::from_secs(30), request.send())
        .await
        .expect("an answer within 10 s")
}

fn cost(reply: &Reply) -> i64 {
    reply.header("x-credits-cost").unwrap().parse().unwrap()
}

/// While it is stopped nothing is served, not even what is kept or free: nobody could say what it was charged. The
/// ledger knows of what was answered before and after, and of nothing else.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_served_while_postgresql_is_stopped_and_all_is_soon_after_its_return() {
    let mut postgres = OwnPostgres::start().await;
    let world = World::create(&postgres.stores().await, OffsetDateTime::now_utc()).await;
    let node = Node::start(&["--roles", "api"], &[("PHAROS_DATABASE_URL", postgres.url())]);
    let mut told = 0;
    let mut first = Vec::new();
    for request in requests(&node, &world) {
        let reply = send(request).await;
        assert!(matches!(reply.status, 200 | 202), "{reply:?}");
        told += cost(&reply);
        first.push(reply);
    }
    let run = first.pop().unwrap();

    postgres.stop();
    for _ in 0..10 {
        for request in requests(&node, &world) {
            let reply = send(request).await;
            reply.problem(503, "credit-balance-unavailable");
            assert_eq!(reply.header("retry-after"), Some("2"));
            assert_eq!(cost(&reply), 0);
        }
        sleep(Duration::from_millis(100)).await;
    }

    postgres.restart().await;
    let back = Instant::now();
    let mut last = None;
    for request in requests(&node, &world) {
        let reply = loop {
            let reply = send(request.clone()).await;
            if reply.status != 503 {
                break reply;
            }
            assert!(back.elapsed() < BACK_WITHIN, "not back: {reply:?}");
            sleep(Duration::from_millis(20)).await;
        };
        assert!(matches!(reply.status, 200 | 202), "{reply:?}");
        told += cost(&reply);
        last = Some(reply);
    }
    // The run was answered before: it is no second one.
    let replayed = last.unwrap();
    assert_eq!(replayed.header("idempotent-replayed"), Some("true"));
    assert_eq!(replayed.body, run.body);
    let sums = "SELECT sum(used), (SELECT sum(cost) FROM credit_log) FROM credit_balances";
    let told = Some(told.to_string());
    assert_eq!(look(postgres.url(), sums).await.unwrap(), [[told.clone(), told]]);
}

/// As it is stopped by SIGSTOP, or its machine hangs: connections stay, new ones are taken, and no answer comes. The
/// unfinished commit of a charge aside, nobody waits for it.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_hangs_while_postgresql_is_silent_and_all_is_served_soon_after() {
    let postgres = OwnPostgres::start().await;
    let world = World::create(&postgres.stores().await, OffsetDateTime::now_utc()).await;
    let node = Node::start(&["--roles", "api"], &[("PHAROS_DATABASE_URL", postgres.url())]);
    let ready = async || {
        let probe = Request::new(node.address, "GET", "//readyz").send_unchecked();
        timeout(PATIENCE, probe).await.expect("an answer").status
    };
    // A busy node may not know at once what is left to the workspace, which the contract asks of it.
    for request in requests(&node, &world) {
        let reply = timeout(PATIENCE, request.send_unchecked())
            .await
            .expect("an answer");
        assert!(matches!(reply.status, 200 | 202), "{reply:?}");
    }
    assert_eq!(ready().await, 200);

    postgres.freeze(true);
    // By the time that this is told, what is in memory is no longer trusted either.
    assert_eq!((ready().await, ready().await), (503, 503));
    for _ in 0..2 {
        for reply in join_all(requests(&node, &world).map(|request| timeout(PATIENCE, request.send()))).await
        {
            let reply = reply.expect("an answer");
            reply.problem(503, "credit-balance-unavailable");
            assert_eq!(reply.header("retry-after"), Some("2"));
            assert_eq!(cost(&reply), 0);
        }
        assert_eq!(ready().await, 503);
    }

    postgres.freeze(false);
    let back = async {
        for request in requests(&node, &world) {
            while request.clone().send_unchecked().await.status == 503 {
                sleep(Duration::from_millis(20)).await;
            }
        }
        while ready().await != 200 {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(PATIENCE, back).await.expect("it serves again");
    let sums = "SELECT sum(used) = (SELECT sum(cost) FROM credit_log) FROM credit_balances";
    assert_eq!(
        look(postgres.url(), sums).await.unwrap(),
        [[Some("t".to_owned())]]
    );
}

/// Waits until a query says `t`. A row that was claimed in vain waits for the end of its lease.
async fn until(postgres: &OwnPostgres, query: &str) {
    let deadline = Instant::now() + Duration::from_secs(300);
    while look(postgres.url(), query).await.unwrap()[0][0].as_deref() != Some("t") {
        assert!(Instant::now() < deadline, "not yet: {query}");
        sleep(Duration::from_millis(100)).await;
    }
}

/// Scheduled checks and a job are under way as it falls silent: both go on, and no wait of theirs holds up an answer.
#[tokio::test(flavor = "multi_thread")]
async fn checks_and_jobs_go_on_once_postgresql_that_was_silent_speaks_again() {
    let postgres = OwnPostgres::start().await;
    let world = World::create(&postgres.stores().await, OffsetDateTime::now_utc()).await;
    let site = Site::open().await;
    let node = Node::start(
        &["--roles", "api,scheduler,worker"],
        &[
            ("PHAROS_DATABASE_URL", postgres.url()),
            ("PHAROS_PROBE_NETWORKS", "[\"127.0.0.0/8\"]"),
            ("PHAROS_REGION", "local"),
        ],
    );
    let ready = async || {
        let probe = Request::new(node.address, "GET", "//readyz").send_unchecked();
        timeout(PATIENCE, probe).await.expect("an answer").status
    };
    let domain = world.domain;
    let config = format!("/domains/{domain}/uptime/config");
    let config = Request::new(node.address, "PUT", &config).key(&world.key);
    assert_eq!(config.json(&json!({})).send_unchecked().await.status, 200);
    // No caller may name these: a site on this machine, and an interval that a test has time for.
    let settings = json!({
        "url": format!("http://{}/", site.address), "regions": ["local"],
        "interval_seconds": 3, "timeout_seconds": 2,
    });
    let set = format!("UPDATE uptime_monitors SET settings = settings || '{settings}'");
    look(postgres.url(), &set).await.unwrap();
    let due = "UPDATE uptime_schedules SET next_check_at = now()";
    look(postgres.url(), due).await.unwrap();
    let run = async |key: &str| {
        let path = format!("/domains/{domain}/uptime/check");
        let asked = Request::new(node.address, "POST", &path).key(&world.key);
        let asked = asked.header("idempotency-key", key).json(&json!({}));
        let reply = timeout(PATIENCE, asked.send_unchecked()).await;
        reply.expect("an answer").status
    };
    assert_eq!(run("long before").await, 202);
    let one_run = "SELECT count(*) = 1 FROM runs WHERE status = 'succeeded'";
    until(&postgres, one_run).await;
    let checked = "SELECT count(*) >= 2 FROM uptime_checks WHERE run_id IS NULL";
    until(&postgres, checked).await;
    assert_eq!(ready().await, 200);

    assert_eq!(run("just before").await, 202);
    postgres.freeze(true);
    for _ in 0..3 {
        assert_eq!(ready().await, 503);
        assert_eq!(run("meanwhile").await, 503);
    }
    postgres.freeze(false);

    let known = "SELECT count(*) FROM uptime_checks WHERE run_id IS NULL";
    let known = look(postgres.url(), known).await.unwrap()[0][0].clone().unwrap();
    let back = async {
        let asked = loop {
            match run("afterwards").await {
                503 => sleep(Duration::from_millis(20)).await,
                status => break status,
            }
        };
        assert_eq!(asked, 202);
        while ready().await != 200 {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(PATIENCE, back).await.expect("it serves again");
    // Whoever was refused meanwhile may have a run all the same: nobody knew what became of the commit.
    let all_runs = "SELECT count(*) >= 3 AND bool_and(status = 'succeeded') FROM runs";
    until(&postgres, all_runs).await;
    // More than could have been under way as it fell silent.
    let checked = format!("SELECT count(*) >= {known} + 3 FROM uptime_checks WHERE run_id IS NULL");
    until(&postgres, &checked).await;
}

/// The credential is known, the row was read, and only the ledger can't be written.
#[tokio::test]
async fn a_read_that_can_t_be_charged_is_not_served() {
    let app = TestApp::start().await;
    let path = format!("/domains/{}/uptime/config", app.world.domain);
    let read = async || app.get(&path, &app.world.key).send().await;
    read().await.ok();
    app.sql("ALTER TABLE credit_balances RENAME TO elsewhere").await;
    for _ in 0..3 {
        let refused = read().await;
        refused.problem(503, "credit-balance-unavailable");
        assert_eq!(cost(&refused), 0);
    }
    app.sql("ALTER TABLE elsewhere RENAME TO credit_balances").await;
    read().await.ok();
    assert_eq!(ledger(&app, 5).await, (2, 2));
}
