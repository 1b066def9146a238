//! Every page in a real browser. See `tests/browser/README.md`.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{
    pages::PAGES,
    table::{Door, PageRow},
};
use crate::console::{chromium::walk_on, stage::Stage};

/// The walks that share the pages: a test may take ten minutes.
const WALKS: usize = 3;

/// The routes of which nothing can be opened on the stage. Another walk comes by them, or they lead to no page.
const NOT_ON_THE_STAGE: [&str; 10] = [
    "/console",
    "/console/",
    "/console/style/{digest}.css",
    "/console/script/{digest}.js",
    // pages.mjs
    "/console/sign-in/code",
    // console.mjs
    "/console/consent",
    "/console/apps/revoke",
    // search_console.mjs
    "/console/search-console/callback",
    "/console/domains/{domain_id}/reports/runs/{run_id}",
    "/status/{slug}/feed.xml",
];

/// Pages about as many days as are kept: their pictures have other tooltips, and their tables a row for several days.
const WIDE: [&str; 2] = [
    "/console/domains/{domain_id}/analytics?start_date=2016-03-31&end_date=2026-03-31",
    "/console/domains/{domain_id}/gsc?start_date=2016-03-31&end_date=2026-03-31",
];

/// The pages that a browser can be sent to.
fn shown() -> impl Iterator<Item = &'static PageRow> {
    PAGES
        .iter()
        .filter(|row| row.status == 200 && !row.route.contains('.'))
}

/// The words of an address, as a file is named.
fn name(address: &str) -> String {
    let words = address.split(|character: char| !character.is_ascii_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join("-")
}

/// Opens one share of the pages in Chromium.
async fn share(first: usize) {
    let stage = Stage::set().await;
    let pages = shown().skip(first).step_by(WALKS).map(|row| {
        json!({
            "path": stage.fill(row.address),
            "name": name(row.address),
            "is_open": row.door == Door::Open,
        })
    });
    // The first share opens them besides.
    let wide = WIDE
        .iter()
        .filter(|_| first == 0)
        .map(|address| json!({ "path": stage.fill(address), "name": name(address), "is_open": false }));
    let pages = Value::from_iter(pages.chain(wide)).to_string();
    walk_on(&stage, "every.mjs", &[("PAGES", pages.as_str())]).await;
}

#[test]
fn every_route_has_a_page_that_a_browser_opens() {
    let routes: BTreeSet<&str> = PAGES.iter().map(|row| row.route).collect();
    let opened: BTreeSet<&str> = shown().map(|row| row.route).collect();
    let not_opened: BTreeSet<&str> = routes.difference(&opened).copied().collect();
    assert_eq!(not_opened, BTreeSet::from(NOT_ON_THE_STAGE));
    let names: BTreeSet<String> = shown().map(|row| name(row.address)).collect();
    assert_eq!(names.len(), shown().count(), "two pages share their screenshots");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_share_of_all_pages_opens_in_chromium() {
    share(0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_second_share_of_all_pages_opens_in_chromium() {
    share(1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_third_share_of_all_pages_opens_in_chromium() {
    share(2).await;
}
