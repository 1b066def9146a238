//! GET /domains/{domain_id}/uptime/checks

use serde_json::{Value, json};
use time::Duration;

use super::{check, path, store};
use crate::harness::{TestApp, World};

async fn with_checks(count: i64) -> TestApp {
    let app = TestApp::start().await;
    app.put(&path(&app, "config"), &app.world.key, &json!({}))
        .send()
        .await
        .ok();
    let start = app.now();
    let checks = (0..count).map(|at| {
        // Pairs of equal times, so that the id must break ties.
        check(
            app.world.domain,
            start + Duration::seconds(at / 2 * 60),
            if at % 5 == 0 { 500 } else { 200 },
        )
    });
    store(&app, checks.collect()).await;
    app
}

#[tokio::test]
async fn without_a_monitor_there_are_no_checks_to_list() {
    let app = TestApp::start().await;
    app.get(&path(&app, "checks"), &app.world.key)
        .send()
        .await
        .problem(404, "uptime-not-found");
    app.put(&path(&app, "config"), &app.world.key, &json!({}))
        .send()
        .await
        .ok();
    let empty = app.get(&path(&app, "checks"), &app.world.key).send().await.ok();
    assert_eq!(
        empty,
        json!({ "items": [], "next_cursor": null, "has_more": false })
    );
}

#[tokio::test]
async fn a_check_is_shown_as_it_was_stored() {
    let app = with_checks(1).await;
    let page = app.get(&path(&app, "checks"), &app.world.key).send().await.ok();
    let mut shown = page["items"][0].clone();
    assert!(shown["check_id"].is_string());
    shown["check_id"] = Value::Null;
    let want = json!({
        "check_id": null,
        "checked_at": "2026-03-31T09:15:00Z",
        "region": "local",
        "outcome": "down",
        "run_id": null,
        "status_code": 500,
        "http_version": "1.1",
        "response_ms": 120.5,
        "dns_ms": 10.25,
        "connect_ms": 20.0,
        "tls_ms": 30.0,
        "ttfb_ms": 50.0,
        "download_ms": 5.125,
        "redirect_count": 0,
        "final_url": "https://shop.example/",
        "response_bytes": 512,
        "ip_address": "203.0.113.7",
        "ip_family": "v4",
        "error_class": "http_status",
        "error_message": "answered 500",
        "keyword_matched": null,
        "retry_index": 0,
    });
    assert_eq!(shown, want);
}

#[tokio::test]
async fn pages_follow_each_other_without_gap_or_repeat() {
    let app = with_checks(25).await;
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = app
            .get(&path(&app, &format!("checks?limit=4{cursor}")), &app.world.key)
            .send()
            .await
            .ok();
        let items = page["items"].as_array().unwrap();
        seen.extend(
            items
                .iter()
                .map(|item| (item["checked_at"].to_string(), item["check_id"].to_string())),
        );
        let Some(next) = page["next_cursor"].as_str() else {
            assert_eq!(page["has_more"], false);
            break;
        };
        assert_eq!((page["has_more"].as_bool(), items.len()), (Some(true), 4));
        cursor = format!("&cursor={next}");
    }
    assert_eq!(seen.len(), 25);
    assert!(seen.is_sorted_by(|a, b| a > b), "newest first, by time, then id");
}

#[tokio::test]
async fn checks_are_filtered() {
    let app = with_checks(10).await;
    let count = async |query: &str| {
        let page = app
            .get(&path(&app, &format!("checks?{query}")), &app.world.key)
            .send()
            .await
            .ok();
        page["items"].as_array().unwrap().len()
    };
    assert_eq!(count("outcome=down").await, 2);
    assert_eq!(count("outcome=up&region=local").await, 8);
    assert_eq!(count("region=mars").await, 0);
    assert_eq!(count("run_id=0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11").await, 0);
    assert_eq!(count("limit=1000000000000").await, 10);
}

#[tokio::test]
async fn a_cursor_of_another_list_is_refused() {
    let app = with_checks(3).await;
    let other = World::create(&app.stores, app.now()).await;
    let config = format!("/domains/{}/uptime/config", other.domain);
    app.put(&config, &other.key, &json!({})).send().await.ok();
    let page = app
        .get(&path(&app, "checks?limit=1"), &app.world.key)
        .send()
        .await
        .ok();
    let cursor = page["next_cursor"].as_str().unwrap();
    let foreign = format!("/domains/{}/uptime/checks?cursor={cursor}", other.domain);
    assert_eq!(app.get(&foreign, &other.key).send().await.faults(), ["cursor"]);
    for bad in ["x", "AAAA", "%00", "%ff", &cursor[1..]] {
        let faults = app
            .get(&path(&app, &format!("checks?cursor={bad}")), &app.world.key)
            .send()
            .await
            .faults();
        assert_eq!(faults, ["cursor"], "{bad}");
    }
}

#[tokio::test]
async fn every_fault_of_the_query_is_named() {
    let app = with_checks(1).await;
    let query = "checks?limit=0&outcome=broken&run_id=7&from=1&region=a&region=b&cursor=x";
    let faults = app.get(&path(&app, query), &app.world.key).send().await.faults();
    assert_eq!(faults, ["cursor", "from", "limit", "outcome", "region", "run_id"]);
}
