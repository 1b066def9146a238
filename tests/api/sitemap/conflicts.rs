//! …/robots/sitemap-conflicts

use std::sync::Arc;

use pharos_crawl::sitemap::monitor::run::ConflictRuns;
use pharos_domain::jobs::JobHandler;
use pharos_server::worker::WorkerPace;
use serde_json::{Value, json};
use tokio::time::{Duration, Instant, sleep};

use super::lab::Site;
use crate::{
    harness::{Reply, TestApp},
    jobs::{Crew, connect},
    robots,
};

const ROBOTS: &str = "User-agent: *\nDisallow: /cart\n\nUser-agent: Bingbot\nDisallow: /\n";

async fn conflicts(app: &TestApp, query: &str) -> Reply {
    robots::get(app, &format!("sitemap-conflicts{query}")).await
}

/// Answers are cached for five minutes.
fn later(app: &TestApp) {
    app.clock.advance(time::Duration::minutes(6));
}

/// By hand: of /shoes, /cart and /cart/2 a crawler that no group names may not fetch two, Bingbot none of the three; AdsBot-Google
/// does not follow `*`. The page on another host is none of this file's.
#[tokio::test]
async fn pages_are_held_against_what_a_crawler_obeys() {
    let app = TestApp::start().await;
    conflicts(&app, "").await.problem(404, "robots-not-found");
    let site = Site::of(&app).await;
    site.robots(&app, ROBOTS).await;
    later(&app);
    let before = conflicts(&app, "").await.ok();
    assert_eq!(
        (&before["computed_at"], &before["stale"], &before["items"]),
        (&Value::Null, &json!(false), &json!([]))
    );
    site.pages("/sitemap.xml", &[("/shoes", ""), ("/cart", ""), ("/cart/2", "")]);
    site.check(&app).await;
    later(&app);
    let found = conflicts(&app, "").await.ok();
    assert_eq!(
        (
            &found["computed_at"],
            &found["urls_checked"],
            &found["conflicts_total"],
            &found["stale"]
        ),
        (
            &json!("2026-03-31T09:22:00Z"),
            &json!(3),
            &json!(2),
            &json!(false)
        )
    );
    let row = &found["items"][0];
    assert_eq!(
        row["matched_rule"],
        json!({ "line": 2, "type": "disallow", "path": "/cart" })
    );
    assert_eq!(
        (&row["user_agent"], &row["sitemap_url"], &row["impressions_28d"]),
        (
            &json!("Googlebot"),
            &json!(site.url("/sitemap.xml")),
            &Value::Null
        )
    );
    let total = async |query: &str| {
        let found = conflicts(&app, query).await.ok();
        (
            found["conflicts_total"].clone(),
            found["items"].as_array().unwrap().len(),
        )
    };
    assert_eq!(total("?user_agent=Bingbot").await, (json!(3), 3));
    assert_eq!(total("?user_agent=*").await, (json!(2), 2));
    assert_eq!(total("?user_agent=AdsBot-Google").await, (json!(0), 0));
    assert_eq!(total("?limit=1").await, (json!(2), 1));
    let first = conflicts(&app, "?limit=1").await.ok();
    let cursor = first["next_cursor"].as_str().unwrap();
    let second = conflicts(&app, &format!("?limit=1&cursor={cursor}")).await.ok();
    assert_ne!(first["items"][0]["url"], second["items"][0]["url"]);
    assert_eq!(second["has_more"], false);
    let overview = robots::get(&app, "overview").await.ok();
    assert_eq!(
        (
            &overview["sitemap_conflicts"],
            &overview["sitemap_conflicts_computed_at"]
        ),
        (&json!(2), &json!("2026-03-31T09:22:00Z"))
    );
    let urls = super::get(&app, "urls?search=/cart/2").await.ok();
    assert_eq!(urls["items"][0]["blocked_by_robots"], true);
    let urls = super::get(&app, "urls?search=/shoes").await.ok();
    assert_eq!(urls["items"][0]["blocked_by_robots"], false);
}

#[tokio::test]
async fn they_are_stale_once_robots_txt_is_another_and_the_next_check_mends_that() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    site.robots(&app, ROBOTS).await;
    site.pages("/sitemap.xml", &[("/1", ""), ("/cart", "")]);
    site.check(&app).await;
    site.robots(&app, "User-agent: *\nDisallow: /1\nDisallow: /cart\n")
        .await;
    later(&app);
    let stale = conflicts(&app, "").await.ok();
    assert_eq!(
        (&stale["stale"], &stale["conflicts_total"]),
        (&json!(true), &json!(1))
    );
    site.check(&app).await;
    later(&app);
    let fresh = conflicts(&app, "").await.ok();
    assert_eq!(
        (&fresh["stale"], &fresh["conflicts_total"]),
        (&json!(false), &json!(2))
    );
    let cart = fresh["items"].as_array().unwrap();
    let cart = cart.iter().find(|row| row["url"] == site.url("/cart")).unwrap();
    assert_eq!(
        (&cart["first_seen_at"], &cart["matched_rule"]["line"]),
        (&json!("2026-03-31T09:16:00Z"), &json!(3)),
        "it was there before, by another line"
    );
}

#[tokio::test]
async fn a_run_works_them_out_anew() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    site.pages("/sitemap.xml", &[("/cart", "")]);
    site.check(&app).await;
    site.robots(&app, ROBOTS).await;
    let path = format!("/domains/{}/robots/sitemap-conflicts/recompute", app.world.domain);
    let without = app.request("POST", &path).key(&app.world.key).send().await;
    without.problem(400, "invalid-request");
    let ask = || {
        app.request("POST", &path)
            .key(&app.world.key)
            .header("idempotency-key", "first")
    };
    let reply = ask().send().await;
    assert_eq!(reply.status, 202);
    let run = reply.json();
    assert_eq!(
        (&run["kind"], &run["credits_charged"]),
        (&json!("robots_check"), &json!(25))
    );
    assert_eq!(ask().send().await.json(), run, "a replay");
    let database = connect(app.database.url()).await;
    let handler: Arc<dyn JobHandler> = Arc::new(ConflictRuns {
        checker: site.checker(&app),
    });
    site.asked();
    let _crew = Crew::start(&database, "local", WorkerPace::default(), vec![handler]).await;
    let poll = run["poll_path"]
        .as_str()
        .unwrap()
        .strip_prefix("/api/public/v1")
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        later(&app);
        let found = app.get(poll, &app.world.key).send().await.ok();
        if found["conflicts_total"] == 1 {
            break;
        }
        assert!(Instant::now() < deadline, "the run worked nothing out");
        sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(site.asked(), Vec::<String>::new(), "nothing is fetched");
}

/// PostgreSQL takes no NUL, and its indexes no name of 10,000 letters.
#[tokio::test]
async fn a_rule_and_a_crawler_that_no_store_takes_stop_nothing() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    let mut state = 1_u64;
    let mut letter = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        char::from(b'a' + u8::try_from((state >> 33) % 26).unwrap())
    };
    let long: String = (0..10_000).map(|_| letter()).collect();
    let text = format!("User-agent: *\nDisallow: /a\0\n\nUser-agent: {long}\nDisallow: /\n");
    site.robots(&app, &text).await;
    site.pages("/sitemap.xml", &[("/a%00b", ""), ("/1", "")]);
    site.check(&app).await;
    let found = conflicts(&app, "").await.ok();
    assert_eq!(
        (&found["urls_checked"], &found["conflicts_total"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(
        found["items"][0]["matched_rule"],
        json!({ "line": 2, "type": "disallow", "path": "/a\u{fffd}" })
    );
}
