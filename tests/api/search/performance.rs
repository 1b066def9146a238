//! Reads of search performance, against answers that were worked out by hand.

use pharos_search::gsc::figures::{Device, Figures, SearchType};
use serde_json::{Value, json};
use time::{Duration, macros::date};

use super::{day, days, hit, link, read, try_read};
use crate::{fixtures::Fixtures, harness::TestApp, indexing::fixtures::Indexing};

const SHOES: &str = "https://shop.example/shoes/";
const RED: &str = "https://shop.example/shoes/red";
const HATS: &str = "https://shop.example/hats";

/// Web has three days, the last of which is provisional; Discover is imported and has nothing.
///
/// | day | query | page | place | clicks | impressions | position |
/// | --- | --- | --- | --- | --- | --- | --- |
/// | 1 March | red shoes | /shoes/ | DE, mobile | 3 | 40 | 4.5 |
/// | 1 March | hidden | /shoes/ | DE, mobile | 1 | 5 | 2 |
/// | 2 March | red shoes | /shoes/ | DE, mobile | 2 | 20 | 3 |
/// | 2 March | red shoes | /shoes/red | FR, desktop | 1 | 10 | 5 |
/// | 29 March | hats | /hats | DE, mobile | 1 | 10 | 8 |
async fn shop() -> TestApp {
    let app = TestApp::start().await;
    let types = [SearchType::Web, SearchType::Discover];
    link(&app, &types, date!(2026 - 01 - 01), Some(date!(2026 - 03 - 28))).await;
    let hidden = hit("", SHOES, 1, 5, 2.0).hidden();
    let mut first = day(true, &[hit("red shoes", SHOES, 3, 40, 4.5), hidden]);
    let figures = |clicks, impressions, position_sum| Figures {
        clicks,
        impressions,
        position_sum,
    };
    first.appearances = vec![
        (
            "review_snippet".to_owned(),
            SHOES.to_owned(),
            figures(3, 30, 90.0),
        ),
        ("forums".to_owned(), SHOES.to_owned(), figures(1, 10, 20.0)),
    ];
    let mut second = day(
        true,
        &[
            hit("red shoes", SHOES, 2, 20, 3.0),
            hit("red shoes", RED, 1, 10, 5.0).at("FR", Device::Desktop),
        ],
    );
    second.appearances = vec![("review_snippet".to_owned(), RED.to_owned(), figures(1, 10, 50.0))];
    let last = day(false, &[hit("hats", HATS, 1, 10, 8.0)]);
    let stored = [
        (date!(2026 - 03 - 01), first),
        (date!(2026 - 03 - 02), second),
        (date!(2026 - 03 - 29), last),
    ];
    days(&app, SearchType::Web, stored).await;
    app
}

/// A member of every item.
fn each<'a>(answer: &'a Value, member: &str) -> Vec<&'a Value> {
    answer["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| &item[member])
        .collect()
}

fn block(value: &Value) -> Value {
    json!([
        value["clicks"],
        value["impressions"],
        value["ctr"],
        value["position"]
    ])
}

#[track_caller]
fn close(value: &Value, expected: f64) {
    let value = value.as_f64().unwrap();
    assert!((value - expected).abs() < 1e-9, "{value} is not {expected}");
}

#[tokio::test]
async fn a_domain_without_a_property_is_told_so() {
    let app = TestApp::start().await;
    for rest in [
        "overview",
        "timeseries",
        "queries",
        "queries/detail?query=a",
        "pages",
        "pages/detail?url=https://shop.example/",
        "countries",
        "devices",
        "search-appearances",
        "new-rankings",
        "lost-rankings",
        "movers",
        "directories",
    ] {
        try_read(&app, rest).await.problem(404, "gsc-property-not-linked");
    }
}

#[tokio::test]
async fn the_overview_tells_totals_days_and_what_is_hidden() {
    let app = shop().await;
    let overview = read(&app, "overview").await;
    assert_eq!(
        (&overview["meta"]["range_start"], &overview["meta"]["range_end"]),
        (&json!("2026-02-28"), &json!("2026-03-29"))
    );
    assert_eq!(overview["meta"]["data_through"], "2026-03-28");
    assert_eq!(
        (&overview["clicks"], &overview["impressions"]),
        (&json!(8), &json!(85))
    );
    close(&overview["ctr"], 8.0 / 85.0);
    // 180 + 10 + 60 + 50 + 80.
    close(&overview["position"], 380.0 / 85.0);
    assert_eq!(
        (&overview["queries_count"], &overview["pages_count"]),
        (&json!(2), &json!(3))
    );
    assert_eq!(
        (
            &overview["anonymized_clicks"],
            &overview["anonymized_impressions"]
        ),
        (&json!(1), &json!(5))
    );
    assert_eq!(overview["anonymized_clicks_pct"], 12.5);
    assert_eq!(overview["data_state"], "all");
    assert_eq!(overview["aggregation"], "by_property");
    assert!(overview.get("comparison").is_none());
    let days = overview["items"].as_array().unwrap();
    assert_eq!(days.len(), 30);
    assert_eq!(days[1]["date"], "2026-03-01");
    assert_eq!(days[1]["clicks"], 4);
    // Nothing is stored of the day in any search type.
    assert_eq!(days[3]["clicks"], Value::Null);
    assert_eq!(days[29]["clicks"], 1);
    // The window is not covered, so no row is no zero.
    assert_eq!(overview["by_search_type"]["discover"], Value::Null);

    let covered = read(&app, "overview?end_date=2026-03-28").await;
    assert_eq!(covered["data_state"], "final");
    assert_eq!(
        block(&covered["by_search_type"]["discover"]),
        json!([0, 0, null, null])
    );
    assert_eq!(covered["by_search_type"]["news"], Value::Null, "not imported");
    let discover = read(&app, "overview?end_date=2026-03-28&search_type=discover").await;
    assert_eq!(block(&discover), json!([0, 0, null, null]));
    assert_eq!(
        (&discover["queries_count"], &discover["anonymized_clicks"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(discover["aggregation"], "by_page");
    assert_eq!(
        (&discover["items"][2]["clicks"], &discover["items"][9]["clicks"]),
        (&json!(0), &Value::Null)
    );
    let news = read(&app, "overview?search_type=news").await;
    assert_eq!(block(&news), json!([null, null, null, null]));
}

#[tokio::test]
async fn the_overview_compares() {
    let app = shop().await;
    let two = "overview?start_date=2026-03-02&end_date=2026-03-02&compare_previous=true";
    let compared = read(&app, two).await["comparison"].clone();
    // 3 of 30 at 110/30, against 4 of 45 at 190/45.
    assert_eq!(
        compared["clicks"],
        json!({ "current": 3.0, "previous": 4.0, "change": -1.0, "change_pct": -25.0 })
    );
    close(&compared["position"]["change"], 110.0 / 30.0 - 190.0 / 45.0);
    close(&compared["ctr"]["previous"], 4.0 / 45.0);
    assert_eq!(compared["compare_mode"], "previous_period");
    // The days before begin before what was imported.
    let early = read(
        &app,
        "overview?start_date=2026-02-20&end_date=2026-03-29&compare_previous=true&compare_mode=calendar_month",
    )
    .await;
    assert_eq!(early["comparison"]["compare_mode"], "calendar_month");
    assert_eq!(early["comparison"]["clicks"]["previous"], Value::Null);
    let before_history = read(
        &app,
        "overview?start_date=2026-01-05&end_date=2026-03-29&compare_previous=true",
    )
    .await;
    assert_eq!(before_history["comparison"]["clicks"]["current"], 8.0);
    assert_eq!(before_history["comparison"]["clicks"]["change"], Value::Null);
}

#[tokio::test]
async fn a_series_has_every_piece_and_says_what_is_final() {
    let app = shop().await;
    let weeks = read(
        &app,
        "timeseries?start_date=2026-03-01&end_date=2026-03-31&granularity=week",
    )
    .await;
    let points = weeks["points"].as_array().unwrap();
    let starts: Vec<&Value> = points.iter().map(|point| &point["bucket_start"]).collect();
    // 1 March is a Sunday.
    assert_eq!(
        starts,
        [
            "2026-02-23",
            "2026-03-02",
            "2026-03-09",
            "2026-03-16",
            "2026-03-23",
            "2026-03-30"
        ]
    );
    let clicks: Vec<&Value> = points.iter().map(|point| &point["clicks"]).collect();
    assert_eq!(json!(clicks), json!([4, 3, null, null, 1, null]));
    let finals: Vec<&Value> = points.iter().map(|point| &point["is_final"]).collect();
    assert_eq!(json!(finals), json!([true, true, true, true, false, false]));
    assert_eq!(
        weeks["annotations"],
        json!([
            { "date": "2026-03-24", "kind": "search_update", "label": "March 2026 spam update" },
            { "date": "2026-03-27", "kind": "search_update", "label": "March 2026 core update" },
        ])
    );
    let window = "timeseries?start_date=2026-03-01&end_date=2026-03-03";
    for (filter, expected) in [
        ("&query=red%20shoes", json!([3, 3, null])),
        ("&query=Red%20shoes", json!([null, null, null])),
        ("&page=https://shop.example/shoes/", json!([4, 2, null])),
        (
            "&page=https://shop.example/shoes/&query=red%20shoes",
            json!([3, 2, null]),
        ),
        // Final days on which the property had something.
        ("&page=https://shop.example/hats", json!([0, 0, null])),
        ("&country=fr", json!([0, 1, null])),
        ("&country=fr&device=mobile", json!([0, 0, null])),
        ("&country=fr&query=red%20shoes", json!([0, 1, null])),
        (
            "&device=mobile&page=https://shop.example/shoes/",
            json!([4, 2, null]),
        ),
        ("&country=nowhere", json!([0, 0, null])),
        (
            "&search_type=discover&query=red%20shoes",
            json!([null, null, null]),
        ),
        ("&search_type=discover", json!([0, 0, null])),
    ] {
        let series = read(&app, &format!("{window}{filter}")).await;
        let points = series["points"].as_array().unwrap();
        let clicks: Vec<&Value> = points.iter().map(|point| &point["clicks"]).collect();
        assert_eq!(json!(clicks), expected, "{filter}");
    }
    let filtered = read(&app, &format!("{window}&country=fr&device=desktop")).await;
    assert_eq!(
        filtered["filters"],
        json!({ "page": null, "query": null, "country": "FR", "device": "desktop" })
    );
}

#[tokio::test]
async fn queries_are_listed_filtered_and_ordered() {
    let app = shop().await;
    let all = read(&app, "queries").await;
    assert_eq!(each(&all, "query"), ["red shoes", "hats"]);
    let first = &all["items"][0];
    assert_eq!((&first["clicks"], &first["impressions"]), (&json!(6), &json!(70)));
    close(&first["position"], 290.0 / 70.0);
    assert_eq!(
        (&first["pages_count"], &first["top_page"]),
        (&json!(2), &json!(SHOES))
    );
    assert_eq!(
        (&first["word_count"], &first["is_branded"]),
        (&json!(2), &Value::Null)
    );
    assert!(first.get("clicks_previous").is_none());
    assert_eq!(all["total_queries"], 2);
    assert_eq!(
        (&all["totals"]["clicks"], &all["totals"]["impressions"]),
        (&json!(7), &json!(80))
    );
    close(&all["totals"]["position"], 370.0 / 80.0);
    assert_eq!(
        (&all["aggregation"], &all["data_state"]),
        (&json!("by_property"), &json!("all"))
    );

    for (filter, expected) in [
        ("&search=RED", json!([["red shoes", 6]])),
        ("&search=%25", json!([])),
        ("&country=FR", json!([["red shoes", 1]])),
        ("&device=mobile", json!([["red shoes", 5], ["hats", 1]])),
        ("&page=https://shop.example/shoes/red", json!([["red shoes", 1]])),
        ("&page=https://shop.example/Shoes/red", json!([])),
        ("&page=https://shop.example/shoes/red&country=DE", json!([])),
        ("&sort=query&order=asc", json!([["hats", 1], ["red shoes", 6]])),
        ("&sort=query", json!([["red shoes", 6], ["hats", 1]])),
        ("&sort=position&order=asc", json!([["red shoes", 6], ["hats", 1]])),
        ("&sort=position", json!([["hats", 1], ["red shoes", 6]])),
        ("&sort=ctr", json!([["hats", 1], ["red shoes", 6]])),
        ("&limit=1&offset=1", json!([["hats", 1]])),
        ("&search_type=discover", json!([])),
        ("&search_type=image", json!([])),
        // Nothing says how the brand is called.
        ("&branded=true", json!([])),
        ("&branded=false", json!([])),
    ] {
        let listed = read(&app, &format!("queries?end_date=2026-03-29{filter}")).await;
        let rows: Vec<Value> = listed["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| json!([row["query"], row["clicks"]]))
            .collect();
        // 6 of 70 is less than 1 of 10.
        assert_eq!(json!(rows), expected, "{filter}");
    }
    let of_page = read(&app, "queries?page=https://shop.example/shoes/red").await;
    assert_eq!(of_page["aggregation"], "by_page");
    assert_eq!(of_page["total_queries"], 1);
    // All are counted, those that are not on the page included.
    assert_eq!(read(&app, "queries?limit=1&offset=7").await["total_queries"], 2);
    assert_eq!(try_read(&app, "queries?device=phone").await.faults(), ["device"]);
}

#[tokio::test]
async fn queries_are_told_apart_by_the_brand() {
    let app = shop().await;
    app.sql(&format!(
        "INSERT INTO search_configs (domain_id, settings, created_at, updated_at)
        VALUES ('{}', '{{\"brand_terms\": [\"HAT\"], \"brand_regex\": \"^never$\", \"search_types\": [\"web\"],
            \"excluded_paths\": [], \"min_impressions\": 10}}', '2026-03-01Z', '2026-03-01Z')",
        app.world.domain
    ))
    .await;
    let told = read(&app, "queries").await;
    assert_eq!(json!(each(&told, "is_branded")), json!([false, true]));
    let branded = read(&app, "queries?branded=true").await;
    assert_eq!(each(&branded, "query"), ["hats"]);
    assert_eq!(
        (&branded["total_queries"], &branded["totals"]["clicks"]),
        (&json!(1), &json!(1))
    );
    let others = read(&app, "queries?branded=false&search=shoe").await;
    assert_eq!(each(&others, "query"), ["red shoes"]);
    let new = read(&app, "new-rankings?start_date=2026-03-02").await;
    assert_eq!(json!(each(&new, "is_branded")), json!([true]));
}

#[tokio::test]
async fn rows_are_compared_with_the_days_before() {
    let app = shop().await;
    let compared = read(
        &app,
        "queries?start_date=2026-03-02&end_date=2026-03-02&compare_previous=true",
    )
    .await;
    let row = &compared["items"][0];
    // 3 of 30 at 110/30, against 3 of 40 at 4.5.
    assert_eq!(
        (&row["clicks_previous"], &row["impressions_previous"]),
        (&json!(3), &json!(40))
    );
    assert_eq!(
        (&row["clicks_change_pct"], &row["impressions_change_pct"]),
        (&json!(0.0), &json!(-25.0))
    );
    close(&row["ctr_change"], 0.1 - 0.075);
    close(&row["position_change"], 110.0 / 30.0 - 4.5);
    close(&row["position_previous"], 4.5);
    let hats = read(
        &app,
        "pages?start_date=2026-03-29&end_date=2026-03-29&compare_previous=true&compare_mode=calendar_month",
    )
    .await;
    assert_eq!(hats["meta"]["compare_range_start"], "2026-02-28");
    let row = &hats["items"][0];
    assert_eq!(
        (&row["clicks_previous"], &row["clicks_change_pct"]),
        (&json!(0), &Value::Null)
    );
    assert_eq!(row["position_change"], Value::Null);
    let early = read(
        &app,
        "pages?start_date=2026-01-02&end_date=2026-03-29&compare_previous=true",
    )
    .await;
    assert_eq!(early["items"][0]["clicks_previous"], Value::Null);
    assert_eq!(early["items"][0]["clicks"], 6);
}

#[tokio::test]
async fn pages_are_counted_by_page() {
    let app = shop().await;
    let all = read(&app, "pages").await;
    assert_eq!(json!(each(&all, "page")), json!([SHOES, RED, HATS]));
    let first = &all["items"][0];
    assert_eq!((&first["clicks"], &first["impressions"]), (&json!(6), &json!(65)));
    assert_eq!(
        (&first["queries_count"], &first["top_query"]),
        (&json!(1), &json!("red shoes"))
    );
    assert_eq!(
        (&all["total_pages"], &all["totals"]["clicks"]),
        (&json!(3), &json!(8))
    );
    assert_eq!(all["aggregation"], "by_page");
    let of_query = read(&app, "pages?query=red%20shoes&sort=page&order=asc").await;
    assert_eq!(json!(each(&of_query, "page")), json!([SHOES, RED]));
    // The hidden query is not this one.
    assert_eq!(json!(each(&of_query, "clicks")), json!([5, 1]));
    let french = read(&app, "pages?country=FR&period=this_month").await;
    assert_eq!(json!(each(&french, "page")), json!([RED]));
    assert_eq!(french["meta"]["range_end"], "2026-03-31");
    assert_eq!(read(&app, "pages?search=HAT").await["total_pages"], 1);
}

/// Titles come from web analytics, speed from field data, and where a page is not followed from its views.
#[tokio::test]
async fn pages_have_what_other_modules_know_of_them() {
    let app = shop().await;
    let unknown = read(&app, "pages?start_date=2026-03-01").await;
    assert_eq!(json!(each(&unknown, "title")), json!([null, null, null]));
    assert_eq!(json!(each(&unknown, "lcp_ms")), json!([null, null, null]));
    let config = format!("/domains/{}/analytics/config", app.world.domain);
    let configured = app.put(&config, &app.world.key, &json!({}));
    configured.send().await.ok();
    let domain = app.world.domain;
    app.sql(&format!(
        "WITH page AS (
            INSERT INTO analytics_values (domain_id, dimension, value) VALUES ('{domain}', 0, '/hats') RETURNING id
        )
        INSERT INTO analytics_titles (domain_id, page, title) SELECT '{domain}', id, 'Hats for all' FROM page"
    ))
    .await;
    let mut views = Vec::new();
    // By linear interpolation three quarters of 1, 2, 3 and 5 seconds lie at 3.5 seconds.
    for (load, lcp_ms) in [(1, 1_000.0), (2, 2_000.0), (3, 3_000.0), (4, 5_000.0)] {
        let mut view = crate::rum::view(load, app.now() - time::Duration::days(1));
        (view.path, view.lcp_ms) = ("/hats".to_owned(), Some(lcp_ms));
        views.push((pharos_domain::collect::client::Device::Mobile, view));
    }
    let mut old = crate::rum::view(5, app.now() - time::Duration::days(8));
    (old.path, old.lcp_ms) = ("/hats".to_owned(), Some(90_000.0));
    views.push((pharos_domain::collect::client::Device::Mobile, old));
    crate::rum::store(&app, views).await;
    app.sql(&format!(
        "WITH target AS (
            INSERT INTO crux_targets (id, domain_id, workspace_id, url, status, next_collection_at, created_at)
            VALUES (gen_random_uuid(), '{domain}', '{}', '{SHOES}', 'active', '2026-04-01Z', '2026-03-01Z') RETURNING id
        )
        INSERT INTO crux_figures (target_id, form_factor, grain, period_end, figures)
        SELECT id, 'all', 'day', day, jsonb_build_object('metrics', jsonb_build_object('lcp', jsonb_build_object('p75', p75)))
        FROM target, (VALUES (date '2026-03-27', 1700), (date '2026-03-28', 1840)) AS f (day, p75)",
        app.world.workspace
    ))
    .await;
    let known = read(&app, "pages?start_date=2026-03-01&end_date=2026-03-30").await;
    assert_eq!(json!(each(&known, "page")), json!([SHOES, RED, HATS]));
    assert_eq!(json!(each(&known, "title")), json!([null, null, "Hats for all"]));
    assert_eq!(json!(each(&known, "lcp_ms")), json!([1840.0, null, 3500.0]));
}

#[tokio::test]
async fn a_query_is_told_in_detail() {
    let app = shop().await;
    let told = read(&app, "queries/detail?query=red%20shoes").await;
    assert_eq!(told["meta"]["range_start"], "2026-03-02");
    assert_eq!(told["meta"]["range_end"], "2026-03-29");
    assert_eq!(
        (&told["totals"]["clicks"], &told["totals"]["impressions"]),
        (&json!(3), &json!(30))
    );
    assert_eq!(
        told["comparison"]["impressions"],
        json!({ "current": 30.0, "previous": 40.0, "change": -10.0, "change_pct": -25.0 })
    );
    let pages = told["pages"].as_array().unwrap();
    assert_eq!(
        json!([pages[0]["page"], pages[0]["clicks"], pages[1]["page"]]),
        json!([SHOES, 2, RED])
    );
    close(&pages[0]["share_pct"], 200.0 / 3.0);
    close(&pages[1]["share_pct"], 100.0 / 3.0);
    assert_eq!(
        json!([told["devices"][0]["device"], told["devices"][1]["device"]]),
        json!(["mobile", "desktop"])
    );
    assert_eq!(
        json!([
            told["countries"][1]["country"],
            told["countries"][1]["country_name"]
        ]),
        json!(["FR", "France"])
    );
    close(&told["best_position"], 110.0 / 30.0);
    let clicks = each(&told, "clicks");
    assert_eq!(clicks.len(), 28);
    assert_eq!(json!([clicks[0], clicks[1], clicks[27]]), json!([3, null, null]));
    for unknown in ["query=never", "query=red%20shoes&search_type=discover"] {
        let told = read(&app, &format!("queries/detail?{unknown}")).await;
        assert_eq!(
            block(&told["totals"]),
            json!([null, null, null, null]),
            "{unknown}"
        );
        assert_eq!(
            json!([told["pages"], told["devices"], told["best_position"]]),
            json!([[], [], null])
        );
    }
    assert_eq!(try_read(&app, "queries/detail").await.faults(), ["query"]);
    assert_eq!(try_read(&app, "queries/detail?query=").await.faults(), ["query"]);
}

#[tokio::test]
async fn a_page_is_told_in_detail() {
    let app = shop().await;
    // The window of 28 days has it from 2 March on; a day later it had more.
    let told = read(&app, "pages/detail?url=https://shop.example/shoes/red").await;
    assert_eq!(
        (&told["totals"]["clicks"], &told["anonymized_clicks"]),
        (&json!(1), &json!(0))
    );
    let query = &told["queries"][0];
    assert_eq!(
        json!([query["query"], query["clicks"], query["share_pct"]]),
        json!(["red shoes", 1, 100.0])
    );
    assert_eq!(
        json!([
            told["search_appearances"][0]["search_appearance"],
            told["search_appearances"][0]["label"]
        ]),
        json!(["review_snippet", "Review snippet"])
    );
    assert_eq!(told["devices"][0]["device"], "desktop");
    // Two days earlier it was the page of the hidden query.
    app.clock.advance(time::Duration::days(-1));
    let shoes = read(&app, "pages/detail?url=https://shop.example/shoes/").await;
    assert_eq!(
        (&shoes["totals"]["clicks"], &shoes["anonymized_clicks"]),
        (&json!(6), &json!(1))
    );
    close(&shoes["queries"][0]["share_pct"], 500.0 / 6.0);
    let never = read(&app, "pages/detail?url=https://shop.example/never").await;
    assert_eq!(
        json!([
            never["totals"]["clicks"],
            never["anonymized_clicks"],
            never["queries"]
        ]),
        json!([null, null, []])
    );
}

#[tokio::test]
async fn places_looks_and_directories_are_told() {
    let app = shop().await;
    let countries = read(&app, "countries").await;
    assert_eq!(
        json!(each(&countries, "country_name")),
        json!(["Germany", "France"])
    );
    assert_eq!(json!(each(&countries, "clicks")), json!([7, 1]));
    assert_eq!(countries["total_countries"], 2);
    let desktop = read(&app, "countries?device=desktop&limit=1").await;
    assert_eq!(json!(each(&desktop, "country")), json!(["FR"]));
    assert_eq!(
        read(&app, "countries?offset=1").await["items"][0]["country"],
        "FR"
    );
    let devices = read(&app, "devices").await;
    assert_eq!(json!(each(&devices, "device")), json!(["mobile", "desktop"]));
    let french = read(&app, "devices?country=FR").await;
    assert_eq!(json!(each(&french, "device")), json!(["desktop"]));
    assert_eq!(read(&app, "devices?country=F").await["items"], json!([]));
    let looks = read(&app, "search-appearances").await;
    assert_eq!(
        json!(each(&looks, "search_appearance")),
        json!(["review_snippet"])
    );
    assert_eq!(looks["items"][0]["impressions"], 10);
    for depth in 1..=3 {
        let directories = read(&app, &format!("directories?depth={depth}")).await;
        assert_eq!(
            json!(each(&directories, "path_prefix")),
            json!(["/shoes/", "/"]),
            "{depth}"
        );
        assert_eq!(json!(each(&directories, "depth")), json!([1, 0]));
        assert_eq!(json!(each(&directories, "pages_count")), json!([2, 1]));
        assert_eq!(json!(each(&directories, "clicks")), json!([3, 1]));
        assert_eq!(directories["total_directories"], 2);
    }
    assert_eq!(try_read(&app, "directories?depth=4").await.faults(), ["depth"]);
}

#[tokio::test]
async fn an_unknown_place_is_told_as_such() {
    let app = TestApp::start().await;
    link(
        &app,
        &[SearchType::GoogleNews],
        date!(2026 - 01 - 01),
        Some(date!(2026 - 03 - 29)),
    )
    .await;
    let mut nowhere = hit("", "https://shop.example/a/b/c/d", 1, 4, 0.0).hidden();
    (nowhere.country, nowhere.device) = (None, None);
    let kosovo = nowhere.at("XK", Device::Tablet);
    let mut news = day(true, &[nowhere, kosovo, kosovo]);
    news.queries = Vec::new();
    days(&app, SearchType::GoogleNews, [(date!(2026 - 03 - 20), news)]).await;
    let countries = read(&app, "countries?search_type=google_news").await;
    assert_eq!(json!(each(&countries, "country")), json!(["XK", null]));
    assert_eq!(
        json!(each(&countries, "country_name")),
        json!(["Kosovo", "Unknown"])
    );
    let devices = read(&app, "devices?search_type=google_news").await;
    assert_eq!(json!(each(&devices, "device")), json!(["tablet", null]));
    assert_eq!(json!(each(&devices, "position")), json!([null, null]));
    let overview = read(&app, "overview?search_type=google_news").await;
    assert_eq!(block(&overview), json!([3, 12, 0.25, null]));
    assert_eq!(
        json!([overview["queries_count"], overview["pages_count"]]),
        json!([null, 1])
    );
    for (depth, prefix) in [(1, "/a/"), (2, "/a/b/"), (3, "/a/b/c/")] {
        let told = read(
            &app,
            &format!("directories?search_type=google_news&depth={depth}"),
        )
        .await;
        assert_eq!(json!(each(&told, "path_prefix")), json!([prefix]));
    }
}

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
    close(&shoes["clicks_from_demand"], -25.0 * 4.0 / 45.0);
    close(
        &shoes["clicks_from_rank"],
        20.0 * (0.110 - (0.080 - 0.008 * 2.0 / 9.0)),
    );
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
