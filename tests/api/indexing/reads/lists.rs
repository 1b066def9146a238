//! Changes, fetches, canonical pages and rich results.

use serde_json::{Value, json};
use time::Duration;

use super::{eight_days_later, site, url};
use crate::{
    harness::TestApp,
    indexing::{
        add, get, id_of, link,
        played::{Played, indexed, with},
        rotation,
    },
};

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
    let changes = get(&app, "changes").await;
    assert_eq!(changes["meta"]["data_through"], "2026-04-08");
    assert_eq!(told(changes), all);
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
