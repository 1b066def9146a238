//! Answers that are kept for a while.

use futures_util::future::join_all;
use pharos_domain::{ids::DomainId, role::Role};
use serde_json::{Value, json};

use super::ledger;
use crate::harness::{Key, Reply, TestApp, actor, filler};

async fn ask(app: &TestApp, key: &Key, query: &str) -> Reply {
    let path = format!("/domains/{}/cached{query}", app.world.domain);
    app.get(&path, key).send_unchecked().await
}

fn seen(reply: &Reply) -> (Value, &str, &str) {
    assert_eq!(reply.status, 200, "{:?}", reply.body);
    (
        reply.json()["count"].clone(),
        reply.header("x-cache").unwrap(),
        reply.header("x-credits-cost").unwrap(),
    )
}

#[tokio::test]
async fn a_hit_is_the_same_answer_and_costs_nothing_but_its_place_in_the_buckets() {
    let app = TestApp::with(vec![filler::cached()]).await;
    let key = &app.world.key;
    let first = ask(&app, key, "").await;
    let (count, cache, cost) = seen(&first);
    assert_eq!((cache, cost), ("MISS", "5"));
    let second = ask(&app, key, "").await;
    assert_eq!(seen(&second), (count.clone(), "HIT", "0"));
    assert_eq!(second.body, first.body);
    let left = |reply: &Reply| {
        reply
            .header("x-ratelimit-remaining")
            .unwrap()
            .parse::<u32>()
            .unwrap()
    };
    assert_eq!(left(&second), left(&first) - 1);
    assert_eq!(
        second.header("x-credits-remaining"),
        first.header("x-credits-remaining")
    );
    // It ends with its time.
    app.clock.advance(time::Duration::seconds(61));
    let third = ask(&app, key, "").await;
    assert_eq!(seen(&third).1, "MISS");
    assert_ne!(seen(&third).0, count);
    assert_eq!(ledger(&app, 3).await, (10, 10));
    let rows = app
        .sql("SELECT cache FROM credit_log ORDER BY occurred_at, request_id")
        .await;
    let rows: Vec<_> = rows.into_iter().flatten().flatten().collect();
    assert_eq!(rows, ["miss", "hit", "miss"]);
}

#[tokio::test]
async fn a_kept_answer_is_not_sent_again_to_whoever_has_it() {
    let app = TestApp::with(vec![filler::cached()]).await;
    let (key, path) = (&app.world.key, format!("/domains/{}/cached", app.world.domain));
    let ask = async |method: &str, condition: &str| {
        let request = app.request(method, &path).key(key);
        request.header("if-none-match", condition).send_unchecked().await
    };
    // Nothing is kept yet: whatever is computed is charged, and whoever pays gets it.
    let first = ask("GET", "*").await;
    assert_eq!((seen(&first).1, seen(&first).2), ("MISS", "5"));
    let tag = first.header("etag").unwrap();
    assert!(tag.starts_with("W/\"") && tag.len() == 36, "{tag}");
    assert_eq!(first.header("cache-control"), Some("private, no-cache"));
    assert!(
        first
            .header("access-control-expose-headers")
            .unwrap()
            .contains("ETag")
    );

    let strong = &tag[2..];
    let listed = format!("\"another\", {tag}");
    for (method, condition) in [
        ("GET", tag),
        ("GET", strong),
        ("GET", &*listed),
        ("GET", "*"),
        ("HEAD", tag),
    ] {
        let reply = ask(method, condition).await;
        assert_eq!((reply.status, reply.body.len()), (304, 0), "{method} {condition}");
        for (name, value) in [
            ("etag", tag),
            ("cache-control", "private, no-cache"),
            ("vary", "Accept-Encoding"),
            ("x-cache", "HIT"),
            ("x-credits-cost", "0"),
        ] {
            assert_eq!(reply.header(name), Some(value), "{method} {condition} {name}");
        }
        assert!(reply.header("x-ratelimit-remaining").is_some() && reply.header("x-request-id").is_some());
    }
    let other = ask("GET", "W/\"0123456789abcdef0123456789abcdef\"").await;
    assert_eq!((seen(&other).1, &other.body), ("HIT", &first.body));
    assert_eq!(other.header("etag"), Some(tag));

    // An answer that is computed anew has another tag.
    app.clock.advance(time::Duration::seconds(61));
    let second = ask("GET", tag).await;
    assert_eq!((seen(&second).1, seen(&second).2), ("MISS", "5"));
    assert_ne!(second.header("etag"), Some(tag));
    assert_eq!(ledger(&app, 8).await, (10, 10));
    let statuses = app
        .sql("SELECT status::text FROM credit_log ORDER BY occurred_at, request_id")
        .await;
    let statuses: Vec<_> = statuses.into_iter().flatten().flatten().collect();
    assert_eq!(statuses.iter().filter(|status| *status == "304").count(), 5);
}

#[tokio::test]
async fn an_answer_that_is_fresh_has_the_tag_of_the_one_that_is_kept() {
    let app = TestApp::start().await;
    let key = &app.world.key;
    let health = format!("/domains/{}/health", app.world.domain);
    let computed = app.get(&health, key).send().await;
    let tag = computed.header("etag").unwrap();
    let again = app.get(&health, key).header("if-none-match", tag).send().await;
    assert_eq!((again.status, again.header("etag")), (304, Some(tag)));
    let never = app.get("/me", key).header("if-none-match", "*").send().await;
    assert_eq!(
        (never.status, never.header("etag"), never.header("cache-control")),
        (200, None, Some("private, no-store"))
    );
}

#[tokio::test]
async fn an_answer_is_of_its_parameters_alone_whoever_asks() {
    let app = TestApp::with(vec![filler::cached()]).await;
    let (other, _) = app.world.key_of(&app.stores, Role::Viewer, app.now()).await;
    let key = &app.world.key;
    assert_eq!(seen(&ask(&app, key, "?about=shoes&takes_ms=1").await).1, "MISS");
    for (query, cache) in [
        ("?about=shoes&takes_ms=1", "HIT"),
        ("?takes_ms=1&about=sh%6Fes", "HIT"),
        ("?about=hats&takes_ms=1", "MISS"),
        ("?about=shoes", "MISS"),
        ("?about=shoestakes_ms%3A1", "MISS"),
    ] {
        assert_eq!(seen(&ask(&app, &other, query).await).1, cache, "{query}");
    }
}

#[tokio::test]
async fn an_answer_is_found_by_what_its_parameters_mean() {
    let app = TestApp::with(vec![filler::cached()]).await;
    let (domain, key) = (app.world.domain, &app.world.key);
    seen(&ask(&app, key, "").await);
    assert_eq!(seen(&ask(&app, key, "?takes_ms=0").await).1, "HIT");
    app.put(&format!("/domains/{domain}/uptime/config"), key, &json!({}))
        .send()
        .await
        .ok();
    for (path, others) in [
        (
            "uptime/availability",
            &[
                "?granularity=day",
                "?period_days=30&granularity=day",
                "?compare_previous=false",
                "?compare_mode=calendar_month",
                "?start_date=2026-03-02&end_date=2026-03-31",
            ][..],
        ),
        ("uptime/response-times", &["?granularity=hour", "?period_days=30"]),
        (
            "uptime/incidents",
            &["?limit=50", "?limit=050", "?limit=50&start_date=2026-03-02"],
        ),
        (
            "uptime/incidents?limit=1000",
            &["?limit=1001", "?limit=99999999999999"],
        ),
        ("health", &["?freshness=cached"]),
    ] {
        let get = async |query: &str| {
            let path = path.split('?').next().unwrap();
            app.get(&format!("/domains/{domain}/{path}{query}"), key)
                .send()
                .await
        };
        let bare = path
            .split_once('?')
            .map_or(String::new(), |(_, query)| format!("?{query}"));
        let first = get(&bare).await;
        assert_eq!(first.header("x-cache"), Some("MISS"), "{path}");
        for query in others {
            let again = get(query).await;
            assert_eq!(
                (again.header("x-cache"), again.header("x-credits-cost")),
                (Some("HIT"), Some("0")),
                "{path}{query}"
            );
        }
    }
    let other = app.get(
        &format!("/domains/{domain}/uptime/availability?granularity=week"),
        key,
    );
    assert_eq!(other.send().await.header("x-cache"), Some("MISS"));
}

#[tokio::test]
async fn a_write_outdates_the_cached_answer() {
    let app = TestApp::with(vec![filler::cached()]).await;
    let key = &app.world.key;
    let config = format!("/domains/{}/uptime/config", app.world.domain);
    seen(&ask(&app, key, "").await);
    assert_eq!(seen(&ask(&app, key, "").await).1, "HIT");
    app.put(&config, key, &json!({ "interval_seconds": 7 }))
        .send()
        .await
        .problem(400, "invalid-request");
    assert_eq!(
        seen(&ask(&app, key, "").await).1,
        "HIT",
        "what changed nothing overtakes nothing"
    );
    app.put(&config, key, &json!({ "interval_seconds": 120 }))
        .send()
        .await
        .ok();
    assert_eq!(seen(&ask(&app, key, "").await).1, "MISS");
}

/// A client may encode any character of a path (RFC 3986, section 2.3).
#[tokio::test]
async fn a_domain_has_its_own_answers_however_its_id_is_written() {
    let app = TestApp::with(vec![filler::cached()]).await;
    let key = &app.world.key;
    let hostname = "other.example".parse().unwrap();
    let admin = &app.stores.domain_admin;
    let added = admin
        .add(app.world.workspace, &hostname, None, &actor(), app.now())
        .await;
    let encoded = |id: DomainId| id.to_string().replace('-', "%2D");
    let (first, second) = (encoded(app.world.domain), encoded(added.unwrap().id));
    let ask = async |id: &str| {
        app.get(&format!("/domains/{id}/cached"), key)
            .send_unchecked()
            .await
    };

    let kept = ask(&first).await;
    assert_eq!(seen(&kept).1, "MISS");
    assert_eq!(
        seen(&ask(&second).await).1,
        "MISS",
        "the other domain's answer is not this one's"
    );
    let plain = ask(&app.world.domain.to_string()).await;
    assert_eq!((seen(&plain).1, &plain.body), ("HIT", &kept.body));

    let config = format!("/domains/{first}/uptime/config");
    let change = app.put(&config, key, &json!({ "interval_seconds": 120 }));
    assert_eq!(change.send_unchecked().await.status, 200);
    assert_eq!(seen(&ask(&first).await).1, "MISS", "a write outdates");
    assert_eq!(seen(&ask(&second).await).1, "HIT");

    ledger(&app, 6).await;
    let rows = app.sql("SELECT domain_id::text FROM credit_log").await;
    let named = |id: &str| rows.iter().flatten().flatten().filter(|row| *row == id).count();
    assert_eq!(named(&app.world.domain.to_string()), 4, "{rows:?}");
}

#[tokio::test]
async fn a_live_answer_is_computed_charged_and_kept() {
    let app = TestApp::with(vec![filler::cached()]).await;
    let key = &app.world.key;
    let first = seen(&ask(&app, key, "").await).0;
    let live = ask(&app, key, "?freshness=live").await;
    assert_eq!((seen(&live).1, seen(&live).2), ("MISS", "5"));
    assert_ne!(seen(&live).0, first);
    let kept = ask(&app, key, "").await;
    assert_eq!(seen(&kept), (seen(&live).0, "HIT", "0"));
}

#[tokio::test]
async fn a_stampede_of_100_equal_requests_computes_once() {
    let app = TestApp::with(vec![filler::cached()]).await;
    // 5 heavy queries run at once for each credential: the crowd comes with many.
    let mut keys = Vec::new();
    for _ in 0..9 {
        keys.push(
            app.world
                .another_key(&app.stores, app.world.owner, app.now())
                .await,
        );
    }
    let before = seen(&ask(&app, &app.world.key, "?about=before").await).0;
    let crowd = (0..100).map(|at| {
        let (app, key) = (&app, &keys[at % 9]);
        async move {
            loop {
                let reply = ask(app, key, "?about=stampede&takes_ms=300").await;
                if reply.status != 429 {
                    return reply;
                }
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            }
        }
    });
    let replies = join_all(crowd).await;
    let computed = replies.iter().filter(|reply| seen(reply).1 == "MISS").count();
    assert_eq!(computed, 1);
    let expected = json!(before.as_u64().unwrap() + 1);
    for reply in &replies {
        assert_eq!(seen(reply).0, expected);
    }
    let (used, _) = ledger(&app, 101).await;
    assert_eq!(used, 10, "one computation each");
}
