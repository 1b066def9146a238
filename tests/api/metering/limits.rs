//! Rate limits as callers meet them. The tests of `pharos-metering` hold each backing to its counts.

use futures_util::future::join_all;
use pharos_domain::scope::Scope;
use pharos_persistence::testing::look;
use serde_json::json;

use crate::harness::{Reply, TestApp, filler};

fn standing(reply: &Reply) -> [i64; 3] {
    ["limit", "remaining", "reset"].map(|name| {
        let value = reply.header(&format!("x-ratelimit-{name}")).unwrap();
        value.parse().unwrap()
    })
}

#[tokio::test]
async fn a_bucket_refuses_past_its_ceiling_and_says_when_to_come_again() {
    let app = TestApp::start().await;
    let (key, now) = (&app.world.key, app.now().unix_timestamp());
    let first = app.get("/me", key).send().await;
    // The slice of five seconds leaves a minute after it began.
    assert_eq!(standing(&first), [600, 599, now + 60]);
    for _ in 1..600 {
        assert_eq!(app.get("/me", key).send().await.status, 200);
    }
    let refused = app.get("/me", key).send().await;
    let problem = refused.problem(429, "rate-limited");
    assert_eq!(problem["bucket"], "general");
    assert_eq!(problem["retry_after_seconds"], json!(60));
    assert_eq!(refused.header("retry-after"), Some("60"));
    assert_eq!(standing(&refused), [600, 0, now + 60]);
    // Neither scope nor parameters are looked at before.
    app.get("/nothing?colour=red", key)
        .send()
        .await
        .problem(404, "not-found");
    app.get("/me?colour=red", key)
        .send()
        .await
        .problem(429, "rate-limited");
    app.clock.advance(time::Duration::seconds(60));
    app.get("/me", key).send().await.ok();
}

#[tokio::test]
async fn the_tightest_bucket_is_told_and_each_credential_has_its_own() {
    let app = TestApp::with(vec![filler::heavy()]).await;
    let path = format!("/domains/{}/heavy", app.world.domain);
    let other = app
        .world
        .another_key(&app.stores, app.world.owner, app.now())
        .await;
    let now = app.now().unix_timestamp();
    let heavy = app.get(&path, &app.world.key).send_unchecked().await;
    assert_eq!(standing(&heavy), [120, 119, now + 60]);
    let general = app.get("/me", &app.world.key).send().await;
    assert_eq!(standing(&general), [600, 598, now + 60]);
    for _ in 1..120 {
        assert_eq!(app.get(&path, &app.world.key).send_unchecked().await.status, 200);
    }
    let refused = app.get(&path, &app.world.key).send_unchecked().await;
    assert_eq!(refused.problem(429, "rate-limited")["bucket"], "heavy-query");
    app.get("/me", &app.world.key).send().await.ok();
    assert_eq!(app.get(&path, &other).send_unchecked().await.status, 200);
}

#[tokio::test]
async fn five_heavy_queries_run_at_once() {
    let app = TestApp::with(vec![filler::heavy()]).await;
    let path = format!("/domains/{}/heavy?takes_ms=500", app.world.domain);
    let replies = join_all((0..8).map(|_| app.get(&path, &app.world.key).send_unchecked())).await;
    let (served, refused): (Vec<_>, Vec<_>) = replies.iter().partition(|reply| reply.status == 200);
    assert_eq!((served.len(), refused.len()), (5, 3));
    for reply in refused {
        let problem = reply.problem(429, "rate-limited");
        assert_eq!(
            (&problem["bucket"], &problem["retry_after_seconds"]),
            (&json!("heavy-query"), &json!(1))
        );
        assert!(standing(reply)[1] > 100, "the bucket itself is healthy");
        let detail = problem["detail"].as_str().unwrap();
        assert!(
            detail.contains("as may be at once") && !detail.contains("empty"),
            "{detail}"
        );
    }
    // Their places are free again.
    assert_eq!(app.get(&path, &app.world.key).send_unchecked().await.status, 200);
}

/// Each of three keys asks for less than it may, and all together for more.
#[tokio::test]
async fn ten_heavy_queries_of_a_workspace_run_at_once_whoever_asks() {
    let app = TestApp::with(vec![filler::heavy()]).await;
    let path = format!("/domains/{}/heavy?takes_ms=3000", app.world.domain);
    let mut keys = Vec::new();
    for _ in 0..3 {
        let key = app
            .world
            .another_key(&app.stores, app.world.owner, app.now())
            .await;
        keys.push(key);
    }
    let asked = (0..12).map(|at| app.get(&path, &keys[at % 3]).send_unchecked());
    let replies = join_all(asked).await;
    let (served, refused): (Vec<_>, Vec<_>) = replies.iter().partition(|reply| reply.status == 200);
    assert_eq!((served.len(), refused.len()), (10, 2));
    for reply in refused {
        let problem = reply.problem(429, "rate-limited");
        assert_eq!(problem["bucket"], "heavy-query");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains("of this workspace are under way"), "{detail}");
    }
    // Their places are free again.
    assert_eq!(app.get(&path, &keys[0]).send_unchecked().await.status, 200);
}

#[tokio::test]
async fn a_caller_who_hangs_up_gives_the_place_back() {
    let app = TestApp::with(vec![filler::heavy()]).await;
    let path = format!("/domains/{}/heavy?takes_ms=20000", app.world.domain);
    let waiting = (0..5).map(|_| app.get(&path, &app.world.key).send_unchecked());
    let cut = tokio::time::timeout(std::time::Duration::from_millis(500), join_all(waiting));
    assert!(cut.await.is_err(), "they all wait");
    let quick = format!("/domains/{}/heavy", app.world.domain);
    for _ in 0..100 {
        let reply = app.get(&quick, &app.world.key).send_unchecked().await;
        if reply.status == 200 {
            return;
        }
        reply.problem(429, "rate-limited");
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("the places were not given back");
}

/// PostgreSQL works for no more callers than there are places, however often they hang up and come again.
#[tokio::test(flavor = "multi_thread")]
async fn whoever_hangs_up_leaves_no_work_behind() {
    let app = TestApp::start().await;
    let config = format!("/domains/{}/uptime/config", app.world.domain);
    app.put(&config, &app.world.key, &json!({})).send().await.ok();
    // Each of another window: equal ones would wait for each other.
    let path = |days: usize| {
        let domain = app.world.domain;
        format!("/domains/{domain}/uptime/response-times?period_days={days}")
    };
    let url = app.database.url().to_owned();
    let blocked = "BEGIN; LOCK TABLE uptime_rollup_progress IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(3600)";
    let blocker = tokio::spawn(async move { look(&url, blocked).await });
    let locked = "SELECT pid FROM pg_locks WHERE relation = 'uptime_rollup_progress'::regclass AND granted
        AND mode = 'AccessExclusiveLock'";
    while app.sql(locked).await.is_empty() {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    let at_work = async || -> i64 {
        let waiting = "SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'";
        app.sql(waiting).await[0][0].as_ref().unwrap().parse().unwrap()
    };
    let mut most = 0;
    let mut hung_up = 0;
    while hung_up < 12 {
        let asked = join_all((1..=5).map(|days| app.get(&path(days), &app.world.key).try_send()));
        // They hang up once one of them is at work, and the others had the time for it too.
        let seen_at_work = async {
            while at_work().await == 0 {
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            at_work().await
        };
        tokio::select! {
            replies = asked => {
                // The places of those before are not free yet, on a busy machine.
                assert!(replies.iter().all(|reply| reply.as_ref().is_some_and(|reply| reply.status == 429)));
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
            at_work = seen_at_work => {
                most = most.max(at_work);
                hung_up += 1;
            }
        }
        most = most.max(at_work().await);
    }
    assert!((1..=5).contains(&most), "{most} at work");
    app.sql(&locked.replace("SELECT pid", "SELECT pg_terminate_backend(pid)"))
        .await;
    assert!(blocker.await.unwrap().is_err());
    while app.get(&path(1), &app.world.key).send().await.status == 429 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let kept = "SELECT count(*) FROM credit_log WHERE operation = 'getUptimeResponseTimes' AND cost > 0";
    assert_eq!(
        app.sql(kept).await,
        [[Some("1".to_owned())]],
        "whoever hangs up pays nothing"
    );
}

#[tokio::test]
async fn rum_reads_are_limited_by_address_and_not_told_in_headers() {
    let app = TestApp::with(vec![filler::rum_like()]).await;
    let path = format!("/domains/{}/rum-like", app.world.domain);
    let other = app
        .world
        .another_key(&app.stores, app.world.owner, app.now())
        .await;
    for at in 0..20 {
        let key = if at % 2 == 0 { &app.world.key } else { &other };
        let reply = app.get(&path, key).send_unchecked().await;
        assert_eq!((reply.status, standing(&reply)[0]), (200, 120));
    }
    let refused = app.get(&path, &other).send_unchecked().await;
    let problem = refused.problem(429, "rate-limited");
    assert_eq!(problem["bucket"], "rum-read");
    assert!(standing(&refused)[1] > 0);
}

#[tokio::test]
async fn a_refusal_of_the_limiter_is_logged_and_costs_nothing() {
    let app = TestApp::with(vec![filler::rum_like()]).await;
    let path = format!("/domains/{}/rum-like", app.world.domain);
    for _ in 0..21 {
        app.get(&path, &app.world.key).send_unchecked().await;
    }
    assert_eq!(super::ledger(&app, 21).await, (100, 100));
    let refused = app
        .sql("SELECT status, cost FROM credit_log WHERE status <> 200")
        .await;
    assert_eq!(refused, [[Some("429".to_owned()), Some("0".to_owned())]]);
}

#[tokio::test]
async fn what_is_judged_ahead_for_the_cache_is_refused_in_order() {
    let app = TestApp::with(vec![filler::cached()]).await;
    let path = format!("/domains/{}/cached", app.world.domain);
    let bare = app.world.key(&app.stores, &[Scope::ReadDomains], app.now()).await;
    for key in [&app.world.key, &bare] {
        for _ in 0..120 {
            let reply = app.get(&path, key).send_unchecked().await;
            assert!(matches!(reply.status, 200 | 403), "{}", reply.status);
        }
        for query in ["", "?colour=red"] {
            let refused = app.get(&format!("{path}{query}"), key).send_unchecked().await;
            assert_eq!(refused.problem(429, "rate-limited")["bucket"], "heavy-query");
        }
    }
}
