//! Analyses of search figures: position-distribution, brand-split, opportunities, ctr-gaps, cannibalization, content-decay.

use pharos_search::gsc::figures::{Device, SearchType};
use serde_json::{Value, json};
use time::{Date, Duration, macros::date};

use super::{Hit, day, days, hit, link, read, try_read};
use crate::harness::TestApp;

const HOME: &str = "https://shop.example/";
const SHOES: &str = "https://shop.example/shoes";
const BLUE: &str = "https://shop.example/blue";
const GUIDE: &str = "https://shop.example/guide";

/// The last day of the windows that no parameter changes.
const LAST: Date = date!(2026 - 03 - 29);

/// A property with these days, linked since the year before.
async fn told(stored: Vec<(Date, Vec<Hit>)>) -> TestApp {
    let app = TestApp::start().await;
    link(&app, &[SearchType::Web], date!(2025 - 12 - 01), Some(LAST)).await;
    let stored = stored.into_iter().map(|(date, hits)| (date, day(true, &hits)));
    days(&app, SearchType::Web, stored).await;
    app
}

async fn configure(app: &TestApp, settings: Value) {
    let mut whole = json!({
        "brand_terms": [], "brand_regex": null, "search_types": ["web"], "excluded_paths": [], "min_impressions": 10
    });
    whole
        .as_object_mut()
        .unwrap()
        .extend(settings.as_object().unwrap().clone());
    app.sql(&format!(
        "INSERT INTO search_configs (domain_id, settings, created_at, updated_at)
        VALUES ('{}', '{whole}', '2026-03-01Z', '2026-03-01Z')
        ON CONFLICT (domain_id) DO UPDATE SET settings = excluded.settings",
        app.world.domain
    ))
    .await;
}

/// Some members of the items of a list.
fn members(found: &Value, names: &[&str]) -> Value {
    let items = found["items"].as_array().unwrap();
    let member = |item: &Value, name: &&str| match &item[*name] {
        Value::Number(number) if number.is_f64() => {
            json!((number.as_f64().unwrap() * 10_000.0).round() / 10_000.0)
        }
        value => value.clone(),
    };
    let row = |item| names.iter().map(|name| member(item, name)).collect::<Vec<_>>();
    json!(items.iter().map(row).collect::<Vec<_>>())
}

/// A query is in the band of its average: 10 impressions at 2 and 10 at 4 are 3.0, which is in the top 3.
#[tokio::test]
async fn queries_are_in_the_band_of_their_mean_position() {
    let before = vec![hit("a", HOME, 0, 5, 1.0), hit("d", HOME, 0, 5, 2.0)];
    let first = vec![
        hit("a", HOME, 1, 10, 2.0),
        hit("b", SHOES, 0, 20, 4.0).at("US", Device::Desktop),
    ];
    let last = vec![hit("a", HOME, 0, 10, 4.0), hit("c", HOME, 0, 5, 60.0)];
    let app = told(vec![
        (date!(2026 - 02 - 10), before),
        (date!(2026 - 03 - 28), first),
        (LAST, last),
    ])
    .await;
    let found = read(&app, "position-distribution").await;
    let third = 100.0 / 3.0;
    assert_eq!(
        found["current"],
        json!([
            { "band": "top_3", "queries": 1, "impressions": 20, "clicks": 1, "share_pct": third, "queries_change": -1 },
            { "band": "4_10", "queries": 1, "impressions": 20, "clicks": 0, "share_pct": third, "queries_change": 1 },
            { "band": "11_20", "queries": 0, "impressions": 0, "clicks": 0, "share_pct": 0.0, "queries_change": 0 },
            { "band": "21_50", "queries": 0, "impressions": 0, "clicks": 0, "share_pct": 0.0, "queries_change": 0 },
            { "band": "51_plus", "queries": 1, "impressions": 5, "clicks": 0, "share_pct": third, "queries_change": 1 }
        ])
    );
    let items = found["items"].as_array().unwrap();
    assert_eq!(items.len(), 28);
    assert_eq!(
        items[25..],
        [
            json!({ "date": "2026-03-27", "top_3": null, "4_10": null, "11_20": null, "21_50": null, "51_plus": null }),
            json!({ "date": "2026-03-28", "top_3": 1, "4_10": 1, "11_20": 0, "21_50": 0, "51_plus": 0 }),
            json!({ "date": "2026-03-29", "top_3": 0, "4_10": 1, "11_20": 0, "21_50": 0, "51_plus": 1 })
        ]
    );
    let queries = |found: &Value| {
        let bands = found["current"].as_array().unwrap();
        bands
            .iter()
            .map(|band| band["queries"].clone())
            .collect::<Vec<_>>()
    };
    for filter in ["device=desktop", "country=us"] {
        let found = read(&app, &format!("position-distribution?{filter}")).await;
        assert_eq!(json!(queries(&found)), json!([0, 1, 0, 0, 0]), "{filter}");
    }
    let nowhere = read(&app, "position-distribution?country=JP").await;
    assert_eq!(json!(queries(&nowhere)), json!([0, 0, 0, 0, 0]));
    let feed = read(&app, "position-distribution?search_type=discover").await;
    assert_eq!((&feed["current"], &feed["items"]), (&json!([]), &json!([])));
    // Changes are not known of a property whose earlier days were never imported.
    link(&app, &[SearchType::Web], date!(2026 - 03 - 01), Some(LAST)).await;
    let later = read(&app, "position-distribution?device=mobile").await;
    assert_eq!(later["current"][0]["queries_change"], Value::Null);
}

#[tokio::test]
async fn the_brand_is_told_from_other_queries_and_from_those_that_are_hidden() {
    let hits = vec![
        hit("Ada shoes", HOME, 4, 8, 1.0),
        hit("red shoes", SHOES, 3, 60, 7.0),
        hit("", SHOES, 3, 32, 2.0).hidden(),
    ];
    let app = told(vec![(LAST, hits)]).await;
    configure(&app, json!({ "brand_terms": ["ada"] })).await;
    let found = read(&app, "brand-split").await;
    assert_eq!(
        (&found["configured"], &found["brand_terms_count"]),
        (&json!(true), &json!(1))
    );
    assert_eq!(
        found["branded"],
        json!({ "clicks": 4, "impressions": 8, "ctr": 0.5, "position": 1.0 })
    );
    assert_eq!(
        found["non_branded"],
        json!({ "clicks": 3, "impressions": 60, "ctr": 0.05, "position": 7.0 })
    );
    assert_eq!(
        found["anonymized"],
        json!({ "clicks": 3, "impressions": 32, "ctr": 0.09375, "position": null })
    );
    let items = found["items"].as_array().unwrap();
    assert_eq!((items.len(), &items[26]["branded_clicks"]), (28, &Value::Null));
    assert_eq!(
        items[27],
        json!({
            "date": "2026-03-29", "branded_clicks": 4, "branded_impressions": 8, "non_branded_clicks": 3,
            "non_branded_impressions": 60, "anonymized_clicks": 3, "anonymized_impressions": 32
        })
    );
    let feed = read(&app, "brand-split?search_type=discover").await;
    assert_eq!(
        (&feed["configured"], &feed["branded"]),
        (&json!(true), &Value::Null)
    );
}

/// The curve: 20 % at 3, (100 + 20) ÷ 2,000 = 6 % at 5, 5 % at 10, 0 at 15.
async fn of_a_curve() -> TestApp {
    let before = vec![
        hit("red shoes", SHOES, 0, 100, 3.5),
        hit("blue shoes", BLUE, 0, 100, 5.0),
    ];
    let hits = vec![
        hit("top", HOME, 2_000, 10_000, 3.0),
        hit("ten", GUIDE, 500, 10_000, 10.0),
        hit("red shoes", SHOES, 100, 1_000, 5.0),
        hit("blue shoes", BLUE, 20, 1_000, 5.2),
        hit("hats", HOME, 0, 20, 15.0),
        hit("few", HOME, 0, 9, 15.0),
    ];
    told(vec![(date!(2026 - 02 - 10), before), (LAST, hits)]).await
}

/// Blue shoes at 5.2: 6 % at 5 less a fifth of the step to 6, 5.8 %, are 5.96 %: 59.6 clicks of 1,000 with a spread of 7.4865.
#[tokio::test]
async fn a_gap_is_told_against_the_curve_of_the_site() {
    let app = of_a_curve().await;
    let found = read(&app, "ctr-gaps").await;
    assert_eq!(
        members(
            &found,
            &[
                "query",
                "clicks",
                "expected_ctr",
                "ctr_gap",
                "missed_clicks",
                "z_score"
            ]
        ),
        json!([["blue shoes", 20, 0.0596, 0.0396, 39.6, -5.2895]])
    );
    assert_eq!(found["items"][0].get("page"), None);
    assert_eq!(found["curve_source"], "own_site");
    let curve = found["curve"].as_array().unwrap();
    assert_eq!(curve.len(), 20);
    assert_eq!(
        (&curve[2], &curve[4]["expected_ctr"]),
        (
            &json!({ "position": 3, "expected_ctr": 0.2, "sample_impressions": 10_000 }),
            &json!(0.06)
        )
    );
    let pages = read(&app, "ctr-gaps?dimension=page").await;
    assert_eq!(members(&pages, &["page", "missed_clicks"]), json!([[BLUE, 39.6]]));
    let feed = read(&app, "ctr-gaps?search_type=discover").await;
    assert_eq!(
        (&feed["items"], &feed["curve_source"]),
        (&json!([]), &json!("generic"))
    );
}

#[tokio::test]
async fn opportunities_have_a_target_and_a_reason() {
    let app = of_a_curve().await;
    let found = read(&app, "opportunities").await;
    let names = [
        "query",
        "page",
        "band",
        "target_position",
        "expected_ctr_at_target",
        "potential_clicks",
        "effort",
        "reason",
    ];
    let expected = json!([
        ["ten", GUIDE, "4_10", 3, 0.2, 1500.0, "high", "striking_distance"],
        ["blue shoes", BLUE, "4_10", 3, 0.2, 180.0, "medium", "low_ctr"],
        ["red shoes", SHOES, "4_10", 3, 0.2, 100.0, "low", "decaying"],
        ["hats", HOME, "11_20", 10, 0.05, 1.0, "medium", "thin_coverage"]
    ]);
    assert_eq!(members(&found, &names), expected);
}

#[tokio::test]
async fn what_the_settings_leave_out_is_not_among_gaps_and_opportunities() {
    let app = of_a_curve().await;
    configure(
        &app,
        json!({ "excluded_paths": ["/sh*", "/blue"], "min_impressions": 9 }),
    )
    .await;
    let found = read(&app, "opportunities").await;
    assert_eq!(members(&found, &["query"]), json!([["ten"], ["hats"], ["few"]]));
    let pages = read(&app, "ctr-gaps?dimension=page").await;
    assert_eq!(pages["items"], json!([]));
    // A gap needs 100 impressions, and more where the settings say so.
    for (least, expected) in [(0, json!([["blue shoes"]])), (1_001, json!([]))] {
        configure(&app, json!({ "min_impressions": least })).await;
        app.clock.advance(Duration::hours(2));
        let gaps = read(&app, "ctr-gaps").await;
        assert_eq!(members(&gaps, &["query"]), expected, "{least}");
    }
}

/// By day the top pages of red shoes are the shop's, the guide's, the shop's.
async fn of_rivals() -> TestApp {
    let on = |number| LAST - Duration::days(number);
    told(vec![
        (
            on(3),
            vec![
                hit("red shoes", SHOES, 4, 10, 5.0),
                hit("red shoes", GUIDE, 1, 60, 8.0),
            ],
        ),
        (
            on(2),
            vec![
                hit("red shoes", GUIDE, 3, 10, 7.0),
                hit("red shoes", SHOES, 2, 10, 5.0),
                hit("hats", HOME, 0, 30, 9.0),
                hit("hats", SHOES, 0, 6, 9.0),
                hit("alone", HOME, 9, 90, 1.0),
            ],
        ),
        (
            on(0),
            vec![
                hit("red shoes", GUIDE, 0, 5, 7.0),
                hit("red shoes", SHOES, 0, 8, 5.0),
            ],
        ),
        // Before the window.
        (on(28), vec![hit("alone", SHOES, 9, 90, 1.0)]),
    ])
    .await
}

#[tokio::test]
async fn queries_with_several_pages_are_listed_with_all_of_them() {
    let app = of_rivals().await;
    let found = read(&app, "cannibalization").await;
    let names = [
        "query",
        "impressions",
        "clicks",
        "pages_count",
        "switch_count",
        "severity",
        "recommended_page",
    ];
    assert_eq!(
        members(&found, &names),
        json!([
            ["red shoes", 103, 10, 2, 2, "medium", SHOES],
            ["hats", 36, 0, 2, 0, "low", null]
        ])
    );
    let pages = json!({ "items": found["items"][0]["pages"] });
    assert_eq!(
        members(
            &pages,
            &[
                "page",
                "clicks",
                "impressions",
                "position",
                "share_pct",
                "days_top"
            ]
        ),
        json!([[SHOES, 6, 28, 5.0, 60.0, 2], [GUIDE, 4, 75, 7.8, 40.0, 1]])
    );
    let first = read(&app, "cannibalization?limit=1").await;
    assert_eq!(members(&first, &["query"]), json!([["red shoes"]]));
    let cursor = first["next_cursor"].as_str().unwrap();
    let second = read(&app, &format!("cannibalization?limit=1&cursor={cursor}")).await;
    assert_eq!(
        (members(&second, &["query"]), &second["has_more"]),
        (json!([["hats"]]), &json!(false))
    );
}

#[tokio::test]
async fn pages_that_the_settings_leave_out_are_no_rivals() {
    let app = of_rivals().await;
    configure(
        &app,
        json!({ "excluded_paths": ["/guide"], "min_impressions": 36 }),
    )
    .await;
    let found = read(&app, "cannibalization").await;
    assert_eq!(members(&found, &["query"]), json!([["hats"]]));
}

/// The clicks of `docs/guides/search-figures.md`, a day a week.
async fn of_decay() -> TestApp {
    let clicks = [80, 90, 100, 95, 90, 84, 75, 70, 60, 52, 48, 46, 40];
    let monday = |week: i64| date!(2025 - 12 - 29) + Duration::weeks(week);
    let stored = (0..).zip(clicks).map(|(week, clicks)| {
        let ties = if week == 12 { 10 } else { 6 * clicks / 10 };
        let hits = vec![
            hit("tie shoes", GUIDE, ties, 10 * ties, 3.0),
            hit("knots", GUIDE, clicks - ties, 10 * (clicks - ties), 3.0),
            hit("steady", HOME, 50, 100, 1.0),
        ];
        (monday(week), hits)
    });
    told(stored.collect()).await
}

#[tokio::test]
async fn a_page_that_loses_clicks_decays() {
    let app = of_decay().await;
    let found = read(&app, "content-decay").await;
    assert_eq!(
        (&found["meta"]["range_start"], &found["meta"]["range_end"]),
        (&json!("2025-12-29"), &json!("2026-03-29"))
    );
    let items = found["items"].as_array().unwrap();
    assert_eq!(items.len(), 1);
    let mut item = items[0].clone();
    let slope = item["slope_clicks_per_week"].as_f64().unwrap();
    assert!((slope + 4.785_714_285_714_286).abs() < 1e-9, "{slope}");
    item.as_object_mut().unwrap().remove("slope_clicks_per_week");
    assert_eq!(
        item,
        json!({
            "page": GUIDE, "clicks_current": 40, "clicks_peak": 100, "peak_week_start": "2026-01-12",
            "decline_pct": 60.0, "weeks_declining": 10, "position_change": 0.0, "impressions_change_pct": -60.0,
            "status": "declining", "top_lost_queries": [
                { "query": "tie shoes", "clicks_peak": 60, "clicks_current": 10 },
                { "query": "knots", "clicks_peak": 40, "clicks_current": 30 }
            ]
        })
    );
}

/// The last week is not final yet; then a day of those before could not be read.
#[tokio::test]
async fn weeks_that_were_not_imported_are_none_without_clicks() {
    let app = of_decay().await;
    let behind = Some(date!(2026 - 03 - 25));
    link(&app, &[SearchType::Web], date!(2025 - 12 - 01), behind).await;
    let found = read(&app, "content-decay").await;
    assert_eq!(found["meta"]["range_end"], "2026-03-22");
    assert_eq!(members(&found, &["page", "clicks_current"]), json!([[GUIDE, 46]]));
    app.sql(&format!(
        "INSERT INTO search_missed_days (domain_id, search_type, date) VALUES ('{}', 1, '2026-03-17')",
        app.world.domain
    ))
    .await;
    app.clock.advance(Duration::hours(2));
    assert_eq!(read(&app, "content-decay").await["items"], json!([]));
}

#[tokio::test]
async fn a_page_that_the_settings_leave_out_does_not_decay() {
    let app = of_decay().await;
    configure(&app, json!({ "excluded_paths": ["/guide"] })).await;
    assert_eq!(read(&app, "content-decay").await["items"], json!([]));
}

#[tokio::test]
async fn nothing_is_analysed_of_a_domain_without_a_property_and_nothing_found_in_an_empty_one() {
    const ALL: [&str; 6] = [
        "position-distribution",
        "brand-split",
        "opportunities",
        "ctr-gaps",
        "cannibalization",
        "content-decay",
    ];
    let app = TestApp::start().await;
    for read in ALL {
        try_read(&app, read).await.problem(404, "gsc-property-not-linked");
    }
    link(&app, &[SearchType::Web], date!(2025 - 12 - 01), None).await;
    for operation in ALL {
        let found = read(&app, operation).await;
        assert_eq!(found["meta"]["data_through"], Value::Null, "{operation}");
        match operation {
            "position-distribution" => {
                assert_eq!(found["current"][0]["queries"], Value::Null);
                assert_eq!(found["items"][0]["top_3"], Value::Null);
            }
            "brand-split" => assert_eq!(
                (&found["configured"], &found["anonymized"], &found["items"]),
                (&json!(false), &Value::Null, &json!([]))
            ),
            _ => assert_eq!(found["items"], json!([]), "{operation}"),
        }
    }
}
