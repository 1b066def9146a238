//! Queries that came, went and moved, and the reasons why pages were lost.

use pharos_search::gsc::figures::SearchType;
use serde_json::{Value, json};
use time::{Duration, macros::date};

use super::{HATS, RED, SHOES, close, each, shop};
use crate::{
    fixtures::Fixtures,
    harness::TestApp,
    indexing::fixtures::Indexing,
    search::{day, days, hit, link, read},
};

#[tokio::test]
async fn what_came_went_and_moved_is_told() {
    let app = shop().await;
    let new = read(&app, "new-rankings?start_date=2026-03-02").await;
    assert_eq!(
        (&new["meta"]["compare_range_start"], &new["total_new"]),
        (&json!("2026-02-02"), &json!(1))
    );
    let hats = &new["items"][0];
    assert_eq!(
        json!([
            hats["dimension"],
            hats["value"],
            hats["first_seen_on"],
            hats["best_position"],
            hats["page"]
        ]),
        json!(["query", "hats", "2026-03-29", 8.0, HATS])
    );
    let pages = read(&app, "new-rankings?start_date=2026-03-02&dimension=page").await;
    assert_eq!(json!(each(&pages, "value")), json!([RED, HATS]));
    assert_eq!(json!(each(&pages, "page")), json!([null, null]));
    // The base window begins before what was imported.
    assert_eq!(
        read(&app, "new-rankings?start_date=2026-02-01").await["total_new"],
        Value::Null
    );

    let lost = read(&app, "lost-rankings?start_date=2026-03-03").await;
    let shoes = &lost["items"][0];
    assert_eq!(
        json!([
            shoes["value"],
            shoes["last_seen_on"],
            shoes["days_absent"],
            shoes["base_clicks"],
            shoes["base_impressions"]
        ]),
        json!(["red shoes", "2026-03-02", 27, 6, 70])
    );
    close(&shoes["base_position"], 290.0 / 70.0);
    // None of its pages is seen any more.
    assert_eq!(shoes["likely_reason"], "unknown");
    let path = "lost-rankings?start_date=2026-03-03&dimension=page&limit=1";
    let first = read(&app, path).await;
    assert_eq!(
        json!([first["items"][0]["value"], first["items"][0]["likely_reason"]]),
        json!([SHOES, "demand_gone"])
    );
    assert_eq!(first["has_more"], true);
    let cursor = first["next_cursor"].as_str().unwrap();
    let second = read(&app, &format!("{path}&cursor={cursor}")).await;
    assert_eq!(
        json!([second["items"][0]["value"], second["has_more"]]),
        json!([RED, false])
    );
    // Nothing was imported of the window, so nothing can be told to be lost.
    let unknown = read(&app, "lost-rankings?start_date=2026-03-03&end_date=2026-03-28").await;
    assert_eq!(unknown["items"], json!([]));

    // Its clicks are what they were.
    assert_eq!(read(&app, "movers").await["items"], json!([]));
    let moved = read(&app, "movers?dimension=page").await;
    let shoes = &moved["items"][0];
    assert_eq!(
        json!([
            shoes["value"],
            shoes["direction"],
            shoes["clicks_change"],
            shoes["impressions_change"],
            shoes["driver"]
        ]),
        json!([SHOES, "down", -2, -25, "demand"])
    );
    // The published curve: 0.110 at 3, and two ninths of the way from 0.080 to 0.072 at 4 2/9.
    // They have six decimals: −100 ÷ 45, and 20 × (0.110 − 0.0782…).
    close(&shoes["clicks_from_demand"], -2.222_222);
    close(&shoes["clicks_from_rank"], 0.635_556);
    let parts = ["clicks_from_demand", "clicks_from_rank", "clicks_from_ctr"];
    let sum: f64 = parts.iter().map(|part| shoes[part].as_f64().unwrap()).sum();
    assert!((sum - -2.0).abs() < 1e-9, "{sum}");
    assert_eq!(
        read(&app, "movers?dimension=page&direction=up").await["items"],
        json!([])
    );
    assert_eq!(
        read(&app, "movers?dimension=page&direction=down").await["items"][0]["value"],
        SHOES
    );
}

/// The figures of `docs/guides/search-figures.md`.
#[tokio::test]
async fn what_came_and_went_is_as_the_guide_says() {
    let app = TestApp::start().await;
    link(
        &app,
        &[SearchType::Web],
        date!(2026 - 01 - 01),
        Some(date!(2026 - 03 - 29)),
    )
    .await;
    let (boots, old) = ("https://shop.example/boots", "https://shop.example/old");
    let new = "https://shop.example/new";
    let stored = [
        (date!(2026 - 02 - 10), vec![hit("boots", boots, 3, 40, 4.0)]),
        (
            date!(2026 - 02 - 15),
            vec![hit("red boots", old, 2, 30, 5.0), hit("wellies", old, 0, 10, 5.0)],
        ),
        (date!(2026 - 02 - 20), vec![hit("boots", boots, 0, 10, 14.0)]),
        (date!(2026 - 03 - 12), vec![hit("hats", HATS, 1, 20, 9.0)]),
        (date!(2026 - 03 - 18), vec![hit("red boots", new, 2, 30, 5.0)]),
        (date!(2026 - 03 - 20), vec![hit("hats", HATS, 1, 20, 6.0)]),
    ]
    .map(|(date, hits)| (date, day(true, &hits)));
    days(&app, SearchType::Web, stored).await;
    let window = "start_date=2026-03-02&end_date=2026-03-29";
    let came = read(&app, &format!("new-rankings?{window}")).await;
    assert_eq!(came["total_new"], 1);
    let hats = &came["items"][0];
    assert_eq!(
        json!([hats["value"], hats["first_seen_on"], hats["best_position"]]),
        json!(["hats", "2026-03-12", 6.0])
    );
    let queries = read(&app, &format!("lost-rankings?{window}")).await;
    let lost = &queries["items"][0];
    assert_eq!(
        json!([
            lost["value"],
            lost["base_clicks"],
            lost["base_impressions"],
            lost["last_seen_on"],
            lost["days_absent"],
            lost["likely_reason"]
        ]),
        json!(["boots", 3, 50, "2026-02-20", 37, "rank_lost"])
    );
    close(&lost["base_position"], 6.0);
    let pages = read(&app, &format!("lost-rankings?{window}&dimension=page")).await;
    let reasons: Vec<Value> = pages["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| json!([row["value"], row["base_impressions"], row["likely_reason"]]))
        .collect();
    assert_eq!(
        reasons,
        [json!([boots, 50, "rank_lost"]), json!([old, 40, "consolidated"])]
    );
}

#[tokio::test]
async fn a_lost_page_whose_queries_others_have_was_consolidated() {
    let app = shop().await;
    let stored = [
        (
            date!(2026 - 03 - 10),
            day(true, &[hit("sandals", "https://shop.example/old", 1, 20, 4.0)]),
        ),
        (
            date!(2026 - 03 - 11),
            day(true, &[hit("boots", "https://shop.example/fell", 1, 20, 3.0)]),
        ),
        (
            date!(2026 - 03 - 12),
            day(true, &[hit("boots", "https://shop.example/fell", 0, 2, 40.0)]),
        ),
        (
            date!(2026 - 03 - 20),
            day(true, &[hit("sandals", "https://shop.example/new", 1, 20, 4.0)]),
        ),
        (
            date!(2026 - 03 - 21),
            day(
                true,
                &[hit("shoes for hats", "https://shop.example/fell", 1, 20, 4.0)],
            ),
        ),
    ];
    days(&app, SearchType::Web, stored).await;
    let reasons = |answer: &Value| -> Vec<Value> {
        let rows = answer["items"].as_array().unwrap().iter();
        rows.map(|row| json!([row["value"], row["likely_reason"]]))
            .collect()
    };
    let window = "start_date=2026-03-15&end_date=2026-03-24";
    let pages = read(&app, &format!("lost-rankings?{window}&dimension=page")).await;
    assert_eq!(
        reasons(&pages),
        [json!(["https://shop.example/old", "consolidated"])]
    );
    let queries = read(&app, &format!("lost-rankings?{window}")).await;
    // Its page is still seen, but it stood at 40 on its last day, against 6.4 on average.
    assert_eq!(reasons(&queries), [json!(["boots", "rank_lost"])]);
}

/// Inspected are the first three pages, of which the first left the index; the shop was seen with one of them and another since.
async fn inspected() -> TestApp {
    let app = TestApp::start().await;
    Indexing.fill(&app).await;
    link(
        &app,
        &[SearchType::Web],
        date!(2026 - 01 - 01),
        Some(date!(2026 - 03 - 28)),
    )
    .await;
    let hats = hit("hats", "https://shop.example/page-1", 4, 40, 4.0);
    let boots = hit("boots", "https://shop.example/page-2", 3, 30, 4.0);
    let laces = hit("laces", "https://shop.example/page-3", 2, 20, 4.0);
    let belts = hit("belts", "https://shop.example/other", 1, 10, 4.0);
    let stored = [
        (date!(2026 - 03 - 10), day(true, &[hats, boots])),
        (date!(2026 - 03 - 20), day(true, &[laces, belts])),
    ];
    days(&app, SearchType::Web, stored).await;
    app
}

#[tokio::test]
async fn pages_say_whether_they_are_in_the_index_by_their_newest_inspection() {
    let app = inspected().await;
    let pages = read(&app, "pages").await;
    assert_eq!(
        json!([each(&pages, "page"), each(&pages, "index_verdict")]),
        json!([
            [
                "https://shop.example/page-1",
                "https://shop.example/page-2",
                "https://shop.example/page-3",
                "https://shop.example/other"
            ],
            ["neutral", "pass", "pass", null]
        ])
    );
}

#[tokio::test]
async fn a_lost_page_that_left_the_index_was_deindexed() {
    let app = inspected().await;
    let lost = "lost-rankings?start_date=2026-03-15&end_date=2026-03-24&dimension=page";
    let reasons = |lost: &Value| json!([each(lost, "value"), each(lost, "likely_reason")]);
    let pages = ["https://shop.example/page-1", "https://shop.example/page-2"];
    assert_eq!(
        reasons(&read(&app, lost).await),
        json!([pages, ["deindexed", "demand_gone"]])
    );
    // It left before the base window began, in which it was shown all the same.
    app.sql("UPDATE indexing_changes SET changed_at = '2026-03-04 12:00Z'")
        .await;
    app.clock.advance(Duration::hours(2));
    assert_eq!(
        reasons(&read(&app, lost).await),
        json!([pages, ["demand_gone", "demand_gone"]])
    );
}
