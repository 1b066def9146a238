//! One query, and one page.

use serde_json::json;

use super::{RED, SHOES, block, close, each, shop};
use crate::search::{read, try_read};

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
    // A list without a row that fits comes to 0: the days are known.
    let series = read(&app, "timeseries?query=never").await;
    let points = series["points"].as_array().unwrap();
    assert!(
        !points.is_empty() && points.iter().all(|point| point["clicks"].is_null()),
        "{series}"
    );
    let listed = read(&app, "queries?search=never").await;
    assert_eq!(
        (&listed["totals"]["clicks"], &listed["items"]),
        (&json!(0), &json!([]))
    );
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
