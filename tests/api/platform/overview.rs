//! GET /domains/{domain_id}/overview

use std::time::{Duration, Instant};

use pharos_account::admin::plans::Plan;
use pharos_domain::{module::Module, scope::Scope, timestamp::Timestamp};
use serde_json::{Value, json};

use super::modules::{Fault, FaultyMonitors, monitor_for_100_hours, see_certificate_end_in};
use crate::{
    harness::{
        Reply, TestApp, World, actor,
        openssl::{TlsSite, Vault},
    },
    uptime::{
        certificates::{check_site, watched_now},
        registration,
    },
};

async fn ask(app: &TestApp) -> Reply {
    let path = format!("/domains/{}/overview", app.world.domain);
    app.get(&path, &app.world.key).send().await
}

fn served(reply: &Reply) -> (&str, &str) {
    (
        reply.header("x-cache").unwrap(),
        reply.header("x-credits-cost").unwrap(),
    )
}

/// Counted on a calendar: the 28 days up to 31 March begin on the 4th, those before them on 4 February.
#[tokio::test]
async fn without_any_module_every_block_is_null_and_none_is_configured() {
    let app = TestApp::start().await;
    assert_eq!(
        ask(&app).await.ok(),
        json!({
            "domain_id": app.world.domain,
            "domain": "shop.example",
            "uptime": null,
            "rum": null,
            "crux": null,
            "gsc": null,
            "analytics": null,
            "comparison": { "crux": null, "gsc": null, "analytics": null },
            "unavailable_modules": [],
            "configured_modules": [],
            "compare_range_start": "2026-02-04",
            "compare_range_end": "2026-03-03",
            "meta": {
                "range_start": "2026-03-04",
                "range_end": "2026-03-31",
                "generated_at": "2026-03-31T09:15:00Z",
                "period": null,
                "clamped_from": null,
                "compare_range_start": "2026-02-04",
                "compare_range_end": "2026-03-03",
                "compare_mode": "previous_period",
                "range_end_partial": true,
                "data_through": null,
            },
        })
    );
}

#[tokio::test]
async fn a_module_that_is_set_up_and_reported_nothing_is_configured_and_null() {
    let app = TestApp::start().await;
    let config = format!("/domains/{}/uptime/config", app.world.domain);
    app.put(&config, &app.world.key, &json!({})).send().await.ok();
    let overview = ask(&app).await.ok();
    assert_eq!(overview["uptime"], Value::Null);
    assert_eq!(overview["configured_modules"], json!(["uptime"]));
}

/// See `monitor_for_100_hours`: 98 of 100 hours up, 50 checks.
#[tokio::test]
async fn the_block_of_uptime_sums_the_window() {
    let app = TestApp::start().await;
    monitor_for_100_hours(&app).await;
    see_certificate_end_in(&app, time::Duration::hours(50)).await;
    let overview = ask(&app).await.ok();
    assert_eq!(
        overview["uptime"],
        json!({
            "uptime_pct": 98.0,
            "ssl_days_remaining": 2,
            "domain_days_remaining": null,
            "is_blocked_403": false,
            "checks_total": 50,
        })
    );
    // 28 days on, the window has passed all of it; what was seen of the certificate stays.
    app.clock.advance(time::Duration::days(28));
    let overview = ask(&app).await.ok();
    assert_eq!(
        (
            &overview["uptime"]["uptime_pct"],
            &overview["uptime"]["checks_total"]
        ),
        (&Value::Null, &json!(0))
    );
    assert_eq!(overview["uptime"]["ssl_days_remaining"], -26);
}

/// A certificate that OpenSSL made for 90 days, a minute ago, and a registration of 400 days and an hour.
#[tokio::test(flavor = "multi_thread")]
async fn the_block_of_uptime_tells_the_days_that_site_and_registry_have_left() {
    let vault = Vault::new("Test_Root");
    vault.issue("site", "-newkey ec -pkeyopt ec_paramgen_curve:P-256", 90);
    let site = TlsSite::start(&vault, "site", &[]);
    let app = watched_now().await;
    check_site(&app, &vault, &site, true).await;
    let end = app.now() + time::Duration::days(400) + time::Duration::HOUR;
    registration::ask(&app, &Timestamp::from(end).to_string()).await;
    let overview = ask(&app).await.ok();
    assert_eq!(
        overview["uptime"],
        json!({
            "uptime_pct": 100.0,
            "ssl_days_remaining": 89,
            "domain_days_remaining": 400,
            "is_blocked_403": false,
            "checks_total": 1,
        })
    );
}

#[tokio::test]
async fn an_answer_is_kept_for_an_hour() {
    let app = TestApp::start().await;
    let first = ask(&app).await;
    assert_eq!(served(&first), ("MISS", "5"));
    let second = ask(&app).await;
    assert_eq!(served(&second), ("HIT", "0"));
    assert_eq!(second.body, first.body);
    app.clock.advance(time::Duration::seconds(3_601));
    assert_eq!(served(&ask(&app).await), ("MISS", "5"));
    let path = format!("/domains/{}/overview?freshness=live", app.world.domain);
    let refused = app.get(&path, &app.world.key).send().await;
    assert_eq!(refused.faults(), ["freshness"], "there is no override here");
}

#[tokio::test]
async fn a_module_that_fails_is_named_and_the_answer_is_not_kept() {
    let faulty = FaultyMonitors::default();
    let app = TestApp::with_monitors(faulty.wrapper()).await;
    let config = format!("/domains/{}/uptime/config", app.world.domain);
    app.put(&config, &app.world.key, &json!({})).send().await.ok();
    faulty.set(Fault::Fails);
    for _ in 0..2 {
        let reply = ask(&app).await;
        assert_eq!(served(&reply), ("MISS", "5"));
        let overview = reply.ok();
        assert_eq!(overview["unavailable_modules"], json!(["uptime"]));
        assert_eq!(overview["configured_modules"], json!([]));
        assert_eq!(overview["uptime"], Value::Null);
    }
    faulty.set(Fault::Works);
    let healed = ask(&app).await;
    assert_eq!(served(&healed), ("MISS", "5"));
    assert_eq!(healed.ok()["configured_modules"], json!(["uptime"]));
    assert_eq!(served(&ask(&app).await), ("HIT", "0"));
}

#[tokio::test]
async fn a_module_that_hangs_is_waited_for_two_seconds() {
    let faulty = FaultyMonitors::default();
    let app = TestApp::with_monitors(faulty.wrapper()).await;
    faulty.set(Fault::Hangs);
    let begun = Instant::now();
    let overview = ask(&app).await.ok();
    let took = begun.elapsed();
    assert_eq!(overview["unavailable_modules"], json!(["uptime"]));
    assert!(took >= Duration::from_secs(2), "{took:?}");
}

/// The first is waited for by the others, and its answer is not kept: they then compute at once, not one by one.
#[tokio::test]
async fn equal_requests_do_not_wait_for_a_module_that_hangs_one_by_one() {
    let faulty = FaultyMonitors::default();
    let app = TestApp::with_monitors(faulty.wrapper()).await;
    faulty.set(Fault::Hangs);
    let begun = Instant::now();
    let replies = futures_util::future::join_all((0..5).map(|_| ask(&app))).await;
    let took = begun.elapsed();
    for reply in replies {
        let overview = reply.ok();
        // On a busy machine another may be late too.
        let late = overview["unavailable_modules"].as_array().unwrap();
        assert!(late.contains(&json!("uptime")), "{overview}");
    }
    assert!(took < Duration::from_secs(10), "{took:?}");
}

#[tokio::test]
async fn a_module_outside_the_plan_is_not_shown() {
    let app = TestApp::start().await;
    monitor_for_100_hours(&app).await;
    let plan = Plan {
        key: "no-uptime".to_owned(),
        name: "No uptime".to_owned(),
        credits_per_cycle: 1_000,
        modules: vec![Module::Rum],
        quotas: std::collections::BTreeMap::new(),
    };
    app.stores.plans.put(&plan, &actor(), app.now()).await.unwrap();
    let admin = &app.stores.workspace_admin;
    admin
        .set_plan(app.world.workspace, &plan.key, &actor(), app.now())
        .await
        .unwrap();
    let overview = ask(&app).await.ok();
    assert_eq!(overview["uptime"], Value::Null);
    assert_eq!(overview["configured_modules"], json!([]));
}

#[tokio::test]
async fn the_overview_needs_its_scope_and_a_domain_in_reach() {
    let app = TestApp::start().await;
    let path = format!("/domains/{}/overview", app.world.domain);
    let key = app.world.key(&app.stores, &[Scope::ReadUptime], app.now()).await;
    let refused = app.get(&path, &key).send().await;
    refused.problem(403, "insufficient-scope");
    let other = World::create(&app.stores, app.now()).await;
    app.get(&path, &other.key)
        .send()
        .await
        .problem(404, "domain-not-found");
}
