//! Reads over URLs, with figures worked out by hand.

use std::sync::Arc;

use pharos_crawl::sitemap::monitor::site::key;
use pharos_domain::{
    alert_metric::{AlertMetric, MetricFilter, MetricQuery, MetricSource, Window},
    time_range::TimeRange,
};
use pharos_search::indexing::alert_metrics::{CATALOGUE, IndexingMetrics};
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime, macros::datetime};

use super::{
    add, get, id_of, link,
    played::{Played, indexed, not_indexed, with},
    rotation,
};
use crate::harness::TestApp;

fn url(name: &str) -> String {
    format!("https://shop.example/{name}")
}

fn crawled(answer: Value, at: &str) -> Value {
    with(answer, &json!({ "lastCrawlTime": at }))
}

/// Eight URLs of all kinds that were inspected on 31 March at 9:15, and a ninth that was not.
async fn site(app: &TestApp) -> Arc<Played> {
    link(app).await;
    let played = Played::new();
    let says = |name: &str, answer| played.says(&url(name), answer);
    says("a", indexed(&url("a"), "2026-03-31T03:15:00Z"));
    says("b", indexed(&url("b"), "2026-03-29T09:15:00Z"));
    let declined = || not_indexed("Crawled - currently not indexed", "SUCCESSFUL");
    let desktop = with(declined(), &json!({ "crawledAs": "DESKTOP" }));
    says("c", crawled(desktop, "2026-03-21T09:15:00Z"));
    says("d", crawled(declined(), "2025-12-01T09:15:00Z"));
    says(
        "e",
        crawled(
            not_indexed("Not found (404)", "NOT_FOUND"),
            "2026-02-19T09:15:00Z",
        ),
    );
    says(
        "f",
        not_indexed("URL is unknown to Google", "PAGE_FETCH_STATE_UNSPECIFIED"),
    );
    let duplicate = not_indexed(
        "Duplicate, Google chose different canonical than user",
        "SUCCESSFUL",
    );
    let canonicals = json!({ "userCanonical": url("g"), "googleCanonical": url("a") });
    says("g", crawled(with(duplicate, &canonicals), "2026-03-31T09:15:00Z"));
    let silent = json!({ "verdict": "VERDICT_UNSPECIFIED", "coverageState": "A sentence of tomorrow", "pageFetchState": null });
    says("h", with(not_indexed("", ""), &silent));
    let names: Vec<String> = "abcdefgh".chars().map(|name| url(&name.to_string())).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    add(app, &names).await.with_status(201);
    assert_eq!(rotation(app, &played).round().await.unwrap(), 1);
    add(app, &[&url("i")]).await.with_status(201);
    played
}

/// Eight days later `a` says noindex, `e` is there again, and `i` is inspected for the first time.
async fn eight_days_later(app: &TestApp, played: &Arc<Played>) {
    let noindex = json!({
        "verdict": "NEUTRAL", "coverageState": "Excluded by ‘noindex’ tag", "indexingState": "BLOCKED_BY_META_TAG",
    });
    played.says(
        &url("a"),
        with(indexed(&url("a"), "2026-04-07T00:00:00Z"), &noindex),
    );
    played.says(&url("e"), indexed(&url("e"), "2026-04-07T00:00:00Z"));
    app.clock.advance(Duration::days(8));
    assert_eq!(rotation(app, played).round().await.unwrap(), 1);
}

fn reasons(overview: &Value) -> Vec<(&str, u64, f64, Option<i64>)> {
    let reasons = overview["by_reason"].as_array().unwrap().iter();
    reasons
        .map(|row| {
            (
                row["coverage_reason"].as_str().unwrap(),
                row["urls"].as_u64().unwrap(),
                row["share_pct"].as_f64().unwrap(),
                row["urls_change"].as_i64(),
            )
        })
        .collect()
}

#[tokio::test]
async fn the_overview_counts_what_was_inspected() {
    let app = TestApp::start().await;
    let played = site(&app).await;
    let overview = get(&app, "overview").await;
    assert_eq!(
        [
            "urls_monitored",
            "urls_inspected",
            "indexed",
            "not_indexed",
            "unknown",
            "stale_urls",
            "canonical_mismatches"
        ]
        .map(|name| overview[name].as_u64().unwrap()),
        [9, 8, 2, 5, 1, 0, 1]
    );
    assert_eq!(
        (
            &overview["indexed_pct"],
            &overview["indexed_change"],
            &overview["indexed_pct_change_pp"]
        ),
        (&json!(25.0), &Value::Null, &Value::Null)
    );
    assert_eq!(
        reasons(&overview),
        [
            ("crawled_not_indexed", 2, 25.0, None),
            ("submitted_and_indexed", 2, 25.0, None),
            ("duplicate_google_chose_other", 1, 12.5, None),
            ("not_found_404", 1, 12.5, None),
            ("other", 1, 12.5, None),
            ("unknown_to_google", 1, 12.5, None),
        ]
    );
    assert_eq!(
        overview["by_reason"][4]["coverage_state"],
        "A sentence of tomorrow"
    );
    assert_eq!(
        overview["by_fetch_state"],
        json!([{ "key": "successful", "urls": 5 }, { "key": "unknown", "urls": 2 }, { "key": "not_found", "urls": 1 }])
    );
    assert_eq!(
        overview["crawled_as"],
        json!({ "mobile": 2, "desktop": 1, "unknown": 5 })
    );
    assert_eq!(
        overview["inspector_quota"],
        json!({ "used": 8, "limit": 2000, "remaining": 1992, "resets_on": "2026-04-01" })
    );
    assert_eq!(overview["oldest_inspection_at"], "2026-03-31T09:15:00Z");

    eight_days_later(&app, &played).await;
    let later = get(&app, "overview").await;
    // 3 of 9 are 33.33 %, and 2 of 8 were 25 %.
    assert_eq!(
        (
            &later["indexed"],
            &later["indexed_pct"],
            &later["indexed_change"],
            &later["indexed_pct_change_pp"]
        ),
        (&json!(3), &json!(33.33), &json!(1), &json!(8.33))
    );
    let changed: Vec<_> = reasons(&later)
        .into_iter()
        .filter(|row| row.3 != Some(0))
        .collect();
    assert_eq!(
        changed,
        [
            ("submitted_and_indexed", 3, 33.33, Some(1)),
            ("excluded_noindex", 1, 11.11, Some(1)),
        ]
    );
}

#[tokio::test]
async fn an_inspection_is_stale_after_14_days() {
    let app = TestApp::start().await;
    site(&app).await;
    app.clock.advance(Duration::days(14));
    assert_eq!(get(&app, "overview").await["stale_urls"], 0);
    app.clock.advance(Duration::hours(2));
    assert_eq!(get(&app, "overview").await["stale_urls"], 8);
}

#[tokio::test]
async fn a_day_without_an_inspection_has_nulls() {
    let app = TestApp::start().await;
    let played = site(&app).await;
    eight_days_later(&app, &played).await;
    let series = get(&app, "timeseries?days=9").await;
    let points = series["points"].as_array().unwrap();
    assert_eq!(points.len(), 9);
    assert_eq!(
        points[0],
        json!({ "date": "2026-03-31", "inspected": 8, "indexed": 2, "not_indexed": 5, "unknown": 1, "indexed_pct": 25.0 })
    );
    assert_eq!(
        points[1],
        json!({
            "date": "2026-04-01", "inspected": null, "indexed": null, "not_indexed": null, "unknown": null,
            "indexed_pct": null,
        })
    );
    assert_eq!(
        (&points[8]["date"], &points[8]["inspected"], &points[8]["indexed"]),
        (&json!("2026-04-08"), &json!(9), &json!(3))
    );
    assert_eq!(series["meta"]["data_through"], "2026-04-08");
}

#[tokio::test]
async fn changes_are_told_with_their_direction() {
    let app = TestApp::start().await;
    let played = site(&app).await;
    assert_eq!(
        get(&app, "changes").await["items"],
        json!([]),
        "a first inspection is no change"
    );
    eight_days_later(&app, &played).await;
    let told = |page: Value| -> Vec<[String; 3]> {
        let rows = page["items"].as_array().unwrap().iter();
        let mut told: Vec<_> = rows
            .map(|row| ["url", "field", "direction"].map(|name| row[name].as_str().unwrap().to_owned()))
            .collect();
        told.sort_unstable();
        told
    };
    let row = |name: &str, field: &str, direction: &str| [url(name), field.to_owned(), direction.to_owned()];
    let all = [
        row("a", "coverage_reason", "worsened"),
        row("a", "indexing_state", "worsened"),
        row("a", "verdict", "worsened"),
        row("e", "coverage_reason", "improved"),
        row("e", "google_canonical", "neutral"),
        row("e", "page_fetch_state", "improved"),
        row("e", "user_canonical", "neutral"),
        row("e", "verdict", "improved"),
    ];
    assert_eq!(told(get(&app, "changes").await), all);
    assert_eq!(told(get(&app, "changes?direction=worsened").await), all[..3]);
    assert_eq!(
        told(get(&app, "changes?field=verdict").await),
        [all[2].clone(), all[7].clone()]
    );
    let one = get(&app, "changes?field=verdict&direction=worsened").await;
    assert_eq!(
        (
            &one["items"][0]["before"],
            &one["items"][0]["after"],
            &one["items"][0]["changed_at"]
        ),
        (&json!("pass"), &json!("neutral"), &json!("2026-04-08T09:15:00Z"))
    );
    let first = get(&app, "changes?limit=5").await;
    let cursor = first["next_cursor"].as_str().unwrap();
    let rest = get(&app, &format!("changes?limit=5&cursor={cursor}")).await;
    assert_eq!(rest["items"].as_array().unwrap().len(), 3);
    app.clock.advance(Duration::days(7));
    assert_eq!(get(&app, "changes").await["items"], json!([]));
    assert_eq!(told(get(&app, "changes?days=8").await), all);
}

/// Ages on 31 March at 9:15, in days: 0 (g), 0.25 (a), 2 (b), 10 (c), 40 (e), 120 (d). The median lies half-way between 2 and 10,
/// the 90th percentile half-way between 40 and 120.
#[tokio::test]
async fn crawl_statistics_are_those_of_last_fetches() {
    let app = TestApp::start().await;
    site(&app).await;
    let stats = get(&app, "crawl-stats").await;
    assert_eq!(
        (&stats["median_crawl_age_days"], &stats["p90_crawl_age_days"]),
        (&json!(6.0), &json!(80.0))
    );
    assert_eq!(
        stats["age_buckets"],
        json!([
            { "label": "up_to_1d", "urls": 2 }, { "label": "up_to_7d", "urls": 1 }, { "label": "up_to_30d", "urls": 1 },
            { "label": "up_to_90d", "urls": 1 }, { "label": "older", "urls": 1 }, { "label": "never", "urls": 2 },
        ])
    );
    assert_eq!(
        (&stats["urls_crawled"], &stats["never_crawled"]),
        (&json!(3), &json!(2))
    );
    let days: Vec<(&str, u64)> = stats["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|day| {
            (
                day["date"].as_str().unwrap(),
                day["urls_crawled"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        days,
        [
            ("2026-03-25", 0),
            ("2026-03-26", 0),
            ("2026-03-27", 0),
            ("2026-03-28", 0),
            ("2026-03-29", 1),
            ("2026-03-30", 0),
            ("2026-03-31", 2),
        ]
    );
    assert_eq!(
        stats["by_crawler"],
        json!([{ "key": "unknown", "urls": 5 }, { "key": "mobile", "urls": 2 }, { "key": "desktop", "urls": 1 }])
    );
}

#[tokio::test]
async fn another_canonical_page_is_listed_with_its_kind() {
    let app = TestApp::start().await;
    let played = site(&app).await;
    let listed = get(&app, "canonicals").await;
    assert_eq!(
        (&listed["total_urls"], &listed["truncated"]),
        (&json!(1), &json!(false))
    );
    assert_eq!(
        listed["items"],
        json!([{
            "url_id": id_of(&get(&app, "urls").await, &url("g")), "url": url("g"), "user_canonical": url("g"),
            "google_canonical": url("a"), "kind": "google_chose_other", "clicks_28d": null,
            "inspected_at": "2026-03-31T09:15:00Z",
        }])
    );
    played.says(&url("g"), indexed(&url("g"), "2026-04-07T00:00:00Z"));
    let elsewhere = json!({ "userCanonical": null, "googleCanonical": "https://www.shop.example/i" });
    played.says(
        &url("i"),
        with(indexed(&url("i"), "2026-04-07T00:00:00Z"), &elsewhere),
    );
    app.clock.advance(Duration::days(1));
    rotation(&app, &played).round().await.unwrap();
    let listed = get(&app, "canonicals").await;
    assert_eq!(
        (
            &listed["items"][0]["url"],
            &listed["items"][0]["kind"],
            &listed["total_urls"]
        ),
        (&json!(url("i")), &json!("cross_domain"), &json!(1))
    );
}

#[tokio::test]
async fn rich_results_count_a_url_by_its_gravest_issue() {
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    let says = |name: &str, items: Value| {
        let mut answer = indexed(&url(name), "2026-03-29T08:00:00Z");
        answer["inspectionResult"]["richResultsResult"] =
            json!({ "verdict": "PASS", "detectedItems": items });
        played.says(&url(name), answer);
    };
    let warning = json!({ "issueMessage": "Missing field \"brand\"", "severity": "WARNING" });
    let error = json!({ "issueMessage": "Missing field \"price\"", "severity": "ERROR" });
    let product = |items: Value| json!({ "richResultType": "Product snippets", "items": items });
    says(
        "a",
        json!([product(
            json!([{ "name": "Teapot", "issues": [error, warning] }, { "issues": [warning] }])
        )]),
    );
    says("b", json!([product(json!([{ "issues": [warning] }]))]));
    says(
        "c",
        json!([{ "richResultType": "FAQ", "items": [{ "name": "How big is it?" }] }]),
    );
    let names = ["a", "b", "c", "d"].map(url);
    let added = add(&app, &names.each_ref().map(String::as_str))
        .await
        .with_status(201);
    rotation(&app, &played).round().await.unwrap();
    let expected = json!([
        {
            "type": "Product snippets", "urls_valid": 0, "urls_warning": 1, "urls_error": 1, "items_total": 3,
            "top_issues": [
                { "message": "Missing field \"price\"", "severity": "error", "urls": 1 },
                { "message": "Missing field \"brand\"", "severity": "warning", "urls": 2 },
            ],
        },
        { "type": "FAQ", "urls_valid": 1, "urls_warning": 0, "urls_error": 0, "items_total": 1, "top_issues": [] },
    ]);
    assert_eq!(get(&app, "rich-results").await["items"], expected);
    assert_eq!(get(&app, "overview").await["rich_result_errors"], 1);
    let detail = get(&app, &format!("urls/{}", id_of(&added, &url("a")))).await;
    assert_eq!(
        (
            &detail["rich_results"][0]["type"],
            &detail["rich_results"][0]["items"][1]["name"]
        ),
        (&json!("Product snippets"), &Value::Null)
    );
    // The error is mended: the type stays with its warnings.
    says("a", json!([product(json!([{ "issues": [warning] }]))]));
    app.clock.advance(Duration::days(1));
    rotation(&app, &played).round().await.unwrap();
    let mended = get(&app, "rich-results").await;
    let first = &mended["items"][0];
    assert_eq!(
        (
            &first["type"],
            &first["urls_warning"],
            &first["urls_error"],
            &first["items_total"]
        ),
        (&json!("Product snippets"), &json!(2), &json!(0), &json!(2)),
        "{mended}"
    );
}

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
async fn health_is_the_share_in_the_index() {
    let app = TestApp::start().await;
    site(&app).await;
    let health = app
        .get(&format!("/domains/{}/health", app.world.domain), &app.world.key)
        .send()
        .await
        .ok();
    let modules = health["modules"].as_array().unwrap().iter();
    let mut modules = modules.filter(|module| module["module"] == "indexing");
    let indexing = modules.next().unwrap();
    assert_eq!(
        (&indexing["score"], &indexing["status"]),
        (&json!(25.0), &json!("critical"))
    );
    assert_eq!(
        (
            &indexing["reasons"][0]["code"],
            &indexing["reasons"][1]["code"],
            &indexing["reasons"][1]["value"]
        ),
        (
            &json!("few_indexed_urls"),
            &json!("indexing_fetch_errors"),
            &json!(1.0)
        )
    );
}

fn metric(name: &str) -> &'static AlertMetric {
    CATALOGUE
        .metrics
        .iter()
        .find(|metric| metric.name == name)
        .unwrap()
}

#[tokio::test]
async fn rules_may_watch_how_urls_stand_and_which_leave() {
    let app = TestApp::start().await;
    let played = site(&app).await;
    eight_days_later(&app, &played).await;
    let source = IndexingMetrics::new(&app.stores.ports).unwrap();
    let now = app.now();
    let hour = |until: OffsetDateTime| Window::Over(TimeRange::new(until - Duration::HOUR, until));
    let day = |until: OffsetDateTime| Window::Over(TimeRange::new(until - Duration::DAY, until));
    let soon = now + Duration::MINUTE;
    let asked = [
        (
            "indexed_urls",
            vec![
                Window::Latest,
                hour(datetime!(2026-04-02 10:00 UTC)),
                hour(datetime!(2026-03-30 10:00 UTC)),
            ],
        ),
        ("indexed_pct", vec![Window::Latest]),
        ("crawled_not_indexed", vec![Window::Latest]),
        (
            "noindex_urls",
            vec![Window::Latest, hour(datetime!(2026-04-02 10:00 UTC))],
        ),
        (
            "fetch_errors",
            vec![Window::Latest, hour(datetime!(2026-04-02 10:00 UTC))],
        ),
        ("canonical_mismatches", vec![Window::Latest]),
        (
            "newly_deindexed",
            vec![
                day(soon),
                day(datetime!(2026-04-02 10:00 UTC)),
                day(datetime!(2026-03-30 10:00 UTC)),
            ],
        ),
    ];
    let queries: Vec<MetricQuery> = asked
        .iter()
        .map(|(name, windows)| MetricQuery {
            domain: app.world.domain,
            metric: metric(name),
            filter: MetricFilter::default(),
            windows: windows.clone(),
            needs_sample: false,
        })
        .collect();
    let answers = source.read(&queries, now).await.unwrap();
    let values: Vec<Vec<Option<f64>>> = answers
        .iter()
        .map(|answer| answer.values.iter().map(|value| value.reading.value()).collect())
        .collect();
    assert_eq!(
        values,
        [
            vec![Some(3.0), Some(2.0), None],
            vec![Some(33.33)],
            vec![Some(2.0)],
            vec![Some(1.0), Some(0.0)],
            vec![Some(0.0), Some(1.0)],
            vec![Some(1.0)],
            vec![Some(1.0), Some(0.0), None],
        ]
    );
}
