//! Reads of search performance, against answers that were worked out by hand.

mod details;
mod lists;
mod overview;
mod places;
mod rankings;

use pharos_search::gsc::figures::{Device, Figures, SearchType};
use serde_json::{Value, json};
use time::macros::date;

use super::{day, days, hit, link, try_read};
use crate::harness::TestApp;

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
