//! Countries, devices, looks of results, and directories.

use pharos_search::gsc::figures::{Device, SearchType};
use serde_json::json;
use time::macros::date;

use super::{block, each, shop};
use crate::{
    harness::TestApp,
    search::{day, days, hit, link, read, try_read},
};

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
    assert_eq!(read(&app, "devices?country=jp").await["items"], json!([]));
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
