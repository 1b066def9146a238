//! Gaps between sitemaps and the index, and URLs that come from sitemaps.

use pharos_crawl::sitemap::monitor::site::key;
use serde_json::{Value, json};
use time::Duration;

use super::url;
use crate::{
    harness::TestApp,
    indexing::{
        add, get, id_of, link, path,
        played::{Played, indexed, with},
        rotation,
    },
};

#[tokio::test]
async fn without_sitemaps_gaps_are_what_google_says() {
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    let unlisted = json!({ "coverageState": "Indexed, not submitted in sitemap" });
    played.says(
        &url("b"),
        with(indexed(&url("b"), "2026-03-29T08:00:00Z"), &unlisted),
    );
    let names = ["a", "b"].map(url);
    add(&app, &names.each_ref().map(String::as_str))
        .await
        .with_status(201);
    rotation(&app, &played).round().await.unwrap();
    let gaps = get(&app, "sitemap-gaps").await;
    assert_eq!(
        gaps["items"],
        json!([{
            "url": url("b"), "gap": "indexed_not_in_sitemap", "coverage_reason": "indexed_not_submitted",
            "sitemap_file_id": null, "lastmod": null, "impressions_28d": null,
        }])
    );
    assert_eq!(
        (
            &gaps["in_sitemap_not_indexed"],
            &gaps["indexed_not_in_sitemap"],
            &gaps["truncated"]
        ),
        (&Value::Null, &Value::Null, &json!(false))
    );
    let none = get(&app, "sitemap-gaps?gap=in_sitemap_not_indexed").await;
    assert_eq!(none["items"], json!([]));
}

/// Has a sitemap of the domain list these pages, as a check found it.
async fn listed(app: &TestApp, pages: &[&str]) {
    let file = "01900000-0000-7000-8000-0000000005a1";
    let domain = app.world.domain;
    app.sql(&format!(
        "INSERT INTO sitemap_files (id, domain_id, url, url_key, depth, found_at, kind, status, fetched_at, good_at)
        VALUES ('{file}', '{domain}', '{}', '{}', 1, now(), 'urlset', 'ok', now(), now())",
        url("sitemap.xml"),
        key(&url("sitemap.xml")),
    ))
    .await;
    for page in pages {
        app.sql(&format!(
            "INSERT INTO sitemap_urls (file_id, url_key, domain_id, url, lastmod, images, videos, is_news, first_seen_at, listed_at)
            VALUES ('{file}', '{}', '{domain}', '{}', '2026-03-01Z', 0, 0, false, now(), now())",
            key(&url(page)),
            url(page),
        ))
        .await;
    }
}

/// Listed are a, which is in the index, and x, which nobody has inspected; b is in the index alone.
#[tokio::test]
async fn gaps_are_told_against_the_sitemaps_that_were_read() {
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    for name in ["a", "b"] {
        played.says(&url(name), indexed(&url(name), "2026-03-29T08:00:00Z"));
    }
    let names = ["a", "b"].map(url);
    add(&app, &names.each_ref().map(String::as_str))
        .await
        .with_status(201);
    rotation(&app, &played).round().await.unwrap();
    listed(&app, &["a", "x"]).await;
    let gaps = get(&app, "sitemap-gaps").await;
    let rows: Vec<(&Value, &Value, bool)> = gaps["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (&row["url"], &row["gap"], row["sitemap_file_id"].is_string()))
        .collect();
    assert_eq!(
        rows,
        [
            (&json!(url("b")), &json!("indexed_not_in_sitemap"), false),
            (&json!(url("x")), &json!("in_sitemap_not_inspected"), true),
        ]
    );
    assert_eq!(
        (
            &gaps["in_sitemap_not_indexed"],
            &gaps["indexed_not_in_sitemap"],
            &gaps["in_sitemap_not_inspected"]
        ),
        (&json!(0), &json!(1), &json!(1))
    );
}

#[tokio::test]
async fn urls_of_sitemaps_are_gathered_and_inspected() {
    let app = TestApp::start().await;
    link(&app).await;
    listed(&app, &["x", "y"]).await;
    let played = Played::new();
    for name in ["x", "y"] {
        played.says(&url(name), indexed(&url(name), "2026-03-29T08:00:00Z"));
    }
    rotation(&app, &played).round().await.unwrap();
    let found = get(&app, "urls").await;
    let mut rows: Vec<(&str, &str, &Value)> = found["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            (
                row["url"].as_str().unwrap(),
                row["source"].as_str().unwrap(),
                &row["is_indexed"],
            )
        })
        .collect();
    rows.sort_unstable_by_key(|(url, ..)| *url);
    let (x, y) = (url("x"), url("y"));
    assert_eq!(
        rows,
        [
            (x.as_str(), "sitemap", &json!(true)),
            (y.as_str(), "sitemap", &json!(true))
        ]
    );
}

/// Before sitemaps were read and days imported there is nothing: the next round does not wait for a day.
#[tokio::test]
async fn a_gathering_that_finds_nothing_does_not_count() {
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    assert_eq!(rotation(&app, &played).round().await.unwrap(), 1);
    assert_eq!(get(&app, "urls").await["items"], json!([]));
    listed(&app, &["x"]).await;
    app.clock.advance(Duration::hours(1));
    assert_eq!(rotation(&app, &played).round().await.unwrap(), 1);
    assert_eq!(played.asked(), [url("x")]);
    // This one found something: the next is in a day.
    app.sql("DELETE FROM indexing_urls").await;
    app.clock.advance(Duration::hours(2));
    assert_eq!(rotation(&app, &played).round().await.unwrap(), 1);
    assert_eq!(played.asked(), Vec::<String>::new());
}

#[tokio::test]
async fn a_url_that_was_taken_out_does_not_come_back_from_a_sitemap() {
    let app = TestApp::start().await;
    link(&app).await;
    listed(&app, &["x", "y"]).await;
    let played = Played::new();
    rotation(&app, &played).round().await.unwrap();
    let id = id_of(&get(&app, "urls").await, &url("x"));
    app.request("DELETE", &path(&app, &format!("urls/{id}")))
        .key(&app.world.key)
        .send()
        .await
        .ok();
    app.clock.advance(Duration::days(2));
    rotation(&app, &played).round().await.unwrap();
    let left = get(&app, "urls").await;
    let left: Vec<&str> = left["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["url"].as_str().unwrap())
        .collect();
    assert_eq!(left, [url("y")]);
}
