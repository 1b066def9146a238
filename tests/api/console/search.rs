//! The pages of search and of Google's index, and the opportunities of a domain.

use std::collections::BTreeSet;

use pharos_domain::role::Role;
use pharos_search::gsc::figures::SearchType;
use time::{Date, Duration, macros::date};

use super::modules::grouped;
use crate::{
    fixtures,
    harness::TestApp,
    indexing,
    search::{self, Hit, day, days, hit, link},
};

const HOME: &str = "https://shop.example/";
const SHOES: &str = "https://shop.example/shoes/red";

fn page(app: &TestApp, rest: &str) -> String {
    format!("/console/domains/{}/{rest}", app.world.domain)
}

/// Thirteen weeks of a shop: its page of shoes is clicked less and less, and its home begins to be shown for the same query.
async fn shop(app: &TestApp) {
    let last = date!(2026 - 03 - 29);
    link(app, &[SearchType::Web], date!(2025 - 12 - 01), Some(last)).await;
    let shoes = |clicks, position| hit("red shoes", SHOES, clicks, 1_000, position);
    let stored = [
        (date!(2026 - 01 - 06), vec![shoes(60, 3.5)]),
        (
            date!(2026 - 02 - 10),
            vec![shoes(50, 4.0), hit("old hats", HOME, 5, 60, 6.0)],
        ),
        (date!(2026 - 03 - 10), vec![shoes(20, 8.0)]),
        (
            date!(2026 - 03 - 11),
            vec![
                hit("red shoes", HOME, 0, 600, 9.0),
                hit("shop caps", HOME, 7, 90, 2.0),
            ],
        ),
    ];
    let stored = stored.map(|(date, hits)| (date, day(true, &hits)));
    days(app, SearchType::Web, stored).await;
}

async fn say_the_brand(app: &TestApp) {
    app.sql(&format!(
        "INSERT INTO search_configs (domain_id, settings, created_at, updated_at)
        VALUES ('{}', '{{\"brand_terms\": [\"shop\"], \"brand_regex\": null, \"search_types\": [\"web\"], \"excluded_paths\": [],
            \"min_impressions\": 10}}', '2026-03-01Z', '2026-03-01Z')",
        app.world.domain
    ))
    .await;
}

/// A day of the search for pages that could not be read.
async fn miss(app: &TestApp, date: Date) {
    app.sql(&format!(
        "INSERT INTO search_missed_days (domain_id, search_type, date) VALUES ('{}', {}, '{date}')",
        app.world.domain,
        SearchType::Web.code()
    ))
    .await;
}

/// The row of a table that begins with this.
fn row<'a>(text: &'a str, table: &str, begins: &str) -> &'a str {
    let below = text.split_once(&format!("<h2 id=\"{table}\">"));
    let own = below.map_or("", |(_, rest)| rest);
    let own = own.split("</section>").next().unwrap_or_default();
    let mut rows = own.split("<tr>").skip(2);
    let found = rows.find(|row| row.contains(&format!("scope=\"row\"><bdi>{begins}</bdi>")));
    found.unwrap_or_else(|| panic!("{table} has no row of {begins}: {own}"))
}

/// The names of the landmarks of a page, those in folded parts too.
fn landmarks(text: &str) -> Vec<String> {
    let value = |tag: &str, name: &str| {
        let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
        rest.split('"').next().map(str::to_owned)
    };
    let tags = text.split('<').filter_map(|rest| rest.split('>').next());
    let found = tags.filter(|tag| {
        tag.starts_with("section ") || tag.starts_with("nav ") || tag.contains("role=\"region\"")
    });
    let names = found.filter_map(|tag| {
        value(tag, "aria-label").or_else(|| {
            let id = value(tag, "aria-labelledby")?;
            let (_, head) = text.split_once(&format!(" id=\"{id}\""))?;
            head.split('>').nth(1)?.split('<').next().map(str::to_owned)
        })
    });
    names.collect()
}

/// Whoever jumps from landmark to landmark has their names alone to go by.
#[track_caller]
fn has_landmarks_of_their_own_names(text: &str, one: &str) {
    let found = landmarks(text);
    assert!(found.iter().any(|name| name == one), "{one} is not in {found:?}");
    let unique: BTreeSet<&String> = found.iter().collect();
    assert_eq!(unique.len(), found.len(), "{found:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_two_landmarks_of_the_pages_of_search_have_one_name() {
    let app = TestApp::start().await;
    shop(&app).await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    for (rest, one) in [
        (
            "gsc?start_date=2026-03-04&end_date=2026-03-31&compare_previous=true",
            "Table: Queries",
        ),
        ("gsc/opportunities", "Table: Opportunities"),
    ] {
        let shown = viewer.get(&page(&app, rest)).await;
        shown.is(200);
        has_landmarks_of_their_own_names(&shown.text(), one);
    }
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let shown = viewer.get(&page(&app, "indexing")).await;
    shown.is(200);
    has_landmarks_of_their_own_names(&shown.text(), "Table: Reasons");
}

#[tokio::test(flavor = "multi_thread")]
async fn opportunities_are_those_of_the_api() {
    let app = TestApp::start().await;
    shop(&app).await;
    say_the_brand(&app).await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let shown = viewer.get(&page(&app, "gsc/opportunities")).await;
    shown.is(200).says("2 March 2026 to 29 March 2026");
    let text = shown.text();

    let found = search::read(&app, "opportunities").await;
    let one = &found["items"][0];
    assert_eq!(one["query"], "red shoes");
    let more = format!("{:.0}", one["potential_clicks"].as_f64().unwrap());
    let told = row(&text, "opportunities", "red shoes");
    for part in [SHOES, ">1,600<", &format!(">+{more}<"), ">Decaying<", ">High<"] {
        assert!(told.contains(part), "{part} is not in {told}");
    }
    let found = search::read(&app, "ctr-gaps").await;
    let missed = found["items"][0]["missed_clicks"].as_f64().unwrap();
    assert!(row(&text, "gaps", "red shoes").contains(&format!(">{missed:.0}<")));
    shown.says("published averages");

    let found = search::read(&app, "movers").await;
    let clicks = found["items"][0]["clicks"].as_u64().unwrap();
    let told = row(&text, "movers", "red shoes");
    for part in [
        format!(">{}<", grouped(clicks)).as_str(),
        ">50<",
        ">−30<",
        ">+600<",
        "4.4 worse",
    ] {
        assert!(told.contains(part), "{part} is not in {told}");
    }
    assert!(row(&text, "new", "shop caps").contains(">11 Mar<"));
    let told = row(&text, "lost", "old hats");
    assert!(told.contains(">10 Feb<") && told.contains(">60<"), "{told}");
    let found = search::read(&app, "cannibalization").await;
    assert_eq!(found["items"][0]["pages_count"], 2);
    let told = row(&text, "cannibalization", "red shoes");
    assert!(told.contains(">2<") && told.contains(SHOES), "{told}");
    let told = row(&text, "decay", SHOES);
    for part in [">60<", ">5 Jan<", "−100%", ">Collapsed<"] {
        assert!(told.contains(part), "{part} is not in {told}");
    }
    shown.says("<th scope=\"row\">The brand</th><td class=\"figure\">7</td>");
    let told = row(&text, "directories", "/shoes/");
    assert!(told.contains(">20<") && told.contains(">1,000<"), "{told}");
    viewer
        .get(&page(&app, "gsc"))
        .await
        .is(200)
        .says(&format!("href=\"{}\"", page(&app, "gsc/opportunities")));
    let stranger = app.person("stranger@example.org").await;
    let mut stranger = app.signed_in(stranger).await;
    stranger.get(&page(&app, "gsc/opportunities")).await.is(404);
}

#[tokio::test]
async fn a_table_of_opportunities_that_has_no_row_says_why() {
    let app = TestApp::start().await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let opportunities = page(&app, "gsc/opportunities");
    viewer
        .get(&opportunities)
        .await
        .is(200)
        .says("No property of Search Console is linked")
        .is_silent_on("<table>");
    let last = date!(2026 - 03 - 29);
    link(&app, &[SearchType::Web], date!(2026 - 03 - 28), Some(last)).await;
    viewer
        .get(&opportunities)
        .await
        .is(200)
        .says("Nothing is known of these days. Imported are days from 28 March 2026 on, final up to 29 March 2026.")
        .says("nothing can be told to be lost");
    let hats = hit("hats", HOME, 1, 10, 8.0);
    days(&app, SearchType::Web, [(last, day(true, &[hats]))]).await;
    viewer
        .get(&opportunities)
        .await
        .is(200)
        .says("No query up to position 20 with 100 impressions is clicked less than expected.")
        .says("Not told yet: the 28 days before are not imported whole. Imported are days from 28 March 2026 on")
        .says("For no query with 10 impressions more than one page was shown.")
        .says("None in the weeks that are known")
        .says("The settings do not say how the brand is called.")
        .says("An owner or admin of the workspace writes down the words of the brand there.")
        .is_silent_on("Nothing is known of these days.");
    link(&app, &[SearchType::Web], date!(2025 - 12 - 01), Some(last)).await;
    miss(&app, date!(2026 - 02 - 10)).await;
    viewer
        .get(&opportunities)
        .await
        .is(200)
        .says("Not told yet: some of the 28 days before could not be read from Google yet.")
        .says("None in the weeks that are known: some of their days could not be read from Google yet.");
    app.move_to_plan_without_uptime().await;
    viewer.get(&opportunities).await.is(404);
}

#[tokio::test(flavor = "multi_thread")]
async fn search_is_shown_with_changes_provisional_days_and_bands() {
    let app = TestApp::start().await;
    shop(&app).await;
    app.sql(&format!(
        "INSERT INTO rum_releases (domain_id, name, released_at) VALUES ('{}', '2.4.1', '2026-03-10 18:00Z')",
        app.world.domain
    ))
    .await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let march = page(&app, "gsc?start_date=2026-03-04&end_date=2026-03-31");
    let compared = viewer.get(&format!("{march}&compare_previous=true")).await;
    compared
        .is(200)
        .says("<rect class=\"provisional\"")
        .says("Shaded days, from 30 Mar 2026 on, are provisional")
        .says("scope=\"col\">Change</th>")
        .says(">-60.0%</span>")
        .says(">+4.4\u{a0}places</span>")
        .says("\u{a0}pp</span>")
        .is_silent_on("-60.0% worse")
        .says("Up to 3: 1\n4 to 10: 1\n11 to 20: 0")
        .says("<h2 id=\"gsc-0-head\">")
        .says("class=\"turn\"")
        .says("10 Mar 2026: deploy 2.4.1.")
        .says("Each day beside one of the days from 4 February 2026 to 3 March 2026")
        .says("10 Mar\nClicks: 20\nClicks of the days before: 55");
    viewer
        .get(&march)
        .await
        .is(200)
        .is_silent_on("scope=\"col\">Change</th>")
        .is_silent_on("Beside the days before");
    viewer
        .get(&page(&app, "gsc?start_date=2026-03-04&end_date=2026-03-29"))
        .await
        .is(200)
        .is_silent_on("class=\"provisional\"");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_index_is_shown_as_a_stack_of_each_day() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let shown = viewer
        .get(&page(&app, "indexing?start_date=2026-03-29&end_date=2026-03-31"))
        .await;
    shown.is(200).says("Google does not say");
    let areas = shown.text().matches("<path class=\"fill ink-").count();
    assert_eq!(areas, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn days_that_were_not_imported_and_an_account_that_may_not_inspect_are_told() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let last = date!(2026 - 03 - 29);
    link(&app, &[SearchType::Web], date!(2026 - 03 - 20), Some(last)).await;
    for (days, told) in [
        (
            "start_date=2026-03-01&end_date=2026-03-29",
            "Figures begin with 20 March 2026: sums are of 10 of these 29 days alone.",
        ),
        (
            "start_date=2026-03-01&end_date=2026-03-10",
            "None of these days is imported: figures begin with 20 March 2026.",
        ),
        (
            "start_date=2026-03-22&end_date=2026-03-29&compare_previous=true",
            "Figures begin with 20 March 2026: not all of the days before are imported",
        ),
    ] {
        viewer
            .get(&page(&app, &format!("gsc?{days}")))
            .await
            .is(200)
            .says(told);
    }
    let may_not_inspect = "Google may refuse to inspect URLs";
    viewer
        .get(&page(&app, "gsc?start_date=2026-03-22&end_date=2026-03-29"))
        .await
        .is(200)
        .is_silent_on("Figures begin with")
        .is_silent_on("could not be read")
        .is_silent_on(may_not_inspect);
    miss(&app, date!(2026 - 03 - 25)).await;
    for (days, told) in [
        (
            "start_date=2026-03-22&end_date=2026-03-29",
            "Some of these days could not be read from Google yet: sums are of 7 of these 8 days alone.",
        ),
        (
            "start_date=2026-03-01&end_date=2026-03-29",
            "Figures begin with 20 March 2026: sums are of 9 of these 29 days alone.",
        ),
        (
            "start_date=2026-03-26&end_date=2026-03-29&compare_previous=true",
            "Some of the days before could not be read from Google yet, so nothing is compared with them.",
        ),
    ] {
        viewer
            .get(&page(&app, &format!("gsc?{days}")))
            .await
            .is(200)
            .says(told);
    }
    app.sql("UPDATE search_properties SET permission = 'restricted_user'")
        .await;
    for module in ["gsc", "indexing"] {
        viewer
            .get(&page(&app, module))
            .await
            .is(200)
            .says(may_not_inspect)
            .is_silent_on("No URL is inspected");
    }
}

/// The days of the tables, as addresses ask for them.
const MARCH: &str = "start_date=2026-03-02&end_date=2026-03-29";

/// Sixty queries of one day, each clicked as often as its number says, and a page that Discover showed.
async fn hats(app: &TestApp) {
    let last = date!(2026 - 03 - 29);
    let both = [SearchType::Web, SearchType::Discover];
    link(app, &both, date!(2025 - 12 - 01), Some(last)).await;
    let hats: Vec<Hit> = (1..=60)
        .map(|number| {
            let query: &'static str = Box::leak(format!("hat {number:02}").into_boxed_str());
            hit(query, HOME, number, 100, 5.0)
        })
        .collect();
    days(app, SearchType::Web, [(date!(2026 - 03 - 10), day(true, &hats))]).await;
    let shown = hit("", SHOES, 777, 9_000, 0.0).hidden();
    let shown = [(date!(2026 - 03 - 11), day(true, &[shown]))];
    days(app, SearchType::Discover, shown).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_of_search_is_of_the_kind_of_its_address() {
    let app = TestApp::start().await;
    hats(&app).await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    viewer
        .get(&page(&app, &format!("gsc?{MARCH}")))
        .await
        .is(200)
        .says("aria-current=\"true\">Web</a>")
        .says(">Queries</h2>")
        .says(&format!("{}?", page(&app, "gsc/queries")))
        .is_silent_on(">777<");
    viewer
        .get(&page(&app, &format!("gsc?{MARCH}&search_type=discover")))
        .await
        .is(200)
        .says("aria-current=\"true\">Discover</a>")
        .says("name=\"search_type\" value=\"discover\"")
        .says(">777<")
        .is_silent_on(">Queries</h2>")
        .is_silent_on(">Positions of queries</h2>");
    viewer
        .get(&page(&app, &format!("gsc?{MARCH}&search_type=news")))
        .await
        .is(200)
        .says("Nothing is imported of News: the settings of the domain say which kinds of search are.");
    viewer
        .get(&page(&app, "gsc?search_type=maps"))
        .await
        .is(400)
        .says("Kind of search: &quot;maps&quot; is none of web, discover");
}

#[tokio::test(flavor = "multi_thread")]
async fn all_queries_are_listed_sorted_and_narrowed_as_by_the_api() {
    let app = TestApp::start().await;
    hats(&app).await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let list = page(&app, &format!("gsc/queries?{MARCH}"));
    let first = viewer.get(&list).await;
    first
        .is(200)
        .says("1 to 50 of 60 queries")
        .says("&amp;page=2\"")
        .says("have 1,830 clicks and 6,000 impressions")
        .is_silent_on("<bdi>hat 10</bdi>");
    let text = first.text();
    assert!(text.find("<bdi>hat 60</bdi>") < text.find("<bdi>hat 59</bdi>"));
    viewer
        .get(&format!("{list}&page=2"))
        .await
        .is(200)
        .says("51 to 60 of 60 queries")
        .says("<bdi>hat 10</bdi>")
        .is_silent_on("<bdi>hat 11</bdi>");
    viewer
        .get(&format!("{list}&page=9"))
        .await
        .is(200)
        .says("The first page of the list");
    let sorted = viewer.get(&format!("{list}&sort=value&order=asc")).await;
    sorted
        .is(200)
        .says("aria-sort=\"ascending\"")
        .is_silent_on("<bdi>hat 51</bdi>");
    let narrowed = viewer.get(&format!("{list}&search=hat+0")).await;
    let found = search::read(&app, &format!("queries?{MARCH}&search=hat%200")).await;
    let found = found["items"].as_array().unwrap();
    narrowed
        .is(200)
        .is_silent_on("<bdi>hat 10</bdi>")
        .says("&amp;search_type=discover&amp;search=hat+0\"");
    assert_eq!(narrowed.text().matches("<bdi>hat 0").count(), found.len());
    viewer
        .get(&format!("{list}&device=tablet"))
        .await
        .is(200)
        .says("No queries here");
    viewer
        .get(&format!("{list}&device=watch&country=Germany&sort=fame"))
        .await
        .is(400)
        .says("Device: &quot;watch&quot; is none of")
        .says("Country: ")
        .says("Sorted by: ")
        .says("1 to 50 of 60 queries");
    viewer
        .get(&format!("{list}&search_type=discover"))
        .await
        .is(200)
        .says("Discover has no queries");
    viewer
        .get(&format!("{list}&search_type=news"))
        .await
        .is(200)
        .says("Nothing is imported of News");
    first.is_silent_on("Figures begin with");
    viewer
        .get(&page(
            &app,
            "gsc/queries?start_date=2025-11-20&end_date=2026-03-29",
        ))
        .await
        .is(200)
        .says("Figures begin with 1 December 2025: sums are of 119 of these 130 days alone.");
    viewer
        .get(&page(&app, &format!("gsc/pages?{MARCH}&search_type=discover")))
        .await
        .is(200)
        .says(&format!("<bdi>{SHOES}</bdi>"))
        .says(">777<");
    let stranger = app.person("stranger@example.org").await;
    let mut stranger = app.signed_in(stranger).await;
    stranger.get(&list).await.is(404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_and_a_page_have_their_days_their_others_and_their_places() {
    let app = TestApp::start().await;
    shop(&app).await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let compared = format!("{MARCH}&compare_previous=true");
    let found = search::read(&app, "queries/detail?query=red%20shoes").await;
    let clicks = found["totals"]["clicks"].as_u64().unwrap();
    let impressions = found["totals"]["impressions"].as_u64().unwrap();
    let shown = viewer
        .get(&page(
            &app,
            &format!("gsc/queries/detail?{compared}&query=red+shoes"),
        ))
        .await;
    shown
        .is(200)
        .says(&format!("<dt>Clicks</dt><dd><strong>{clicks}</strong>"))
        .says(&format!(
            "<dt>Impressions</dt><dd><strong>{}</strong>",
            grouped(impressions)
        ))
        .says("−60.0%</span>, before: <span class=\"figure\">50<")
        .says("10 Mar\nClicks: 20\nClicks of the days before: ")
        .says("<h2 id=\"partners\">Pages</h2>")
        .says("url=https%3A%2F%2Fshop.example%2Fshoes%2Fred\"");
    let text = shown.text();
    for (table, part) in [("devices", "Mobile"), ("countries", "Germany")] {
        let told = row(&text, table, part);
        assert!(told.contains(&format!(">{clicks}<")), "{told}");
    }
    has_landmarks_of_their_own_names(&text, "Table: Pages");

    let found = search::read(&app, &format!("pages/detail?url={SHOES}")).await;
    let clicks = found["totals"]["clicks"].as_u64().unwrap();
    let shown = viewer
        .get(&page(&app, &format!("gsc/pages/detail?{MARCH}&url={SHOES}")))
        .await;
    shown
        .is(200)
        .says(&format!("<dt>Clicks</dt><dd><strong>{clicks}</strong>"))
        .says("<h2 id=\"partners\">Queries</h2>")
        .says("query=red+shoes\"")
        .is_silent_on("before: ");
    has_landmarks_of_their_own_names(&shown.text(), "Table: Queries");
    viewer
        .get(&page(&app, "gsc/queries/detail?query=of+nobody"))
        .await
        .is(200)
        .says("It was never seen in the results");
    viewer.get(&page(&app, "gsc/queries/detail")).await.is(404);
    let stranger = app.person("stranger@example.org").await;
    let mut stranger = app.signed_in(stranger).await;
    stranger
        .get(&page(&app, "gsc/queries/detail?query=red+shoes"))
        .await
        .is(404);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_inspections_found_is_shown_as_by_the_api() {
    let app = TestApp::start().await;
    let findings = page(&app, "indexing/findings");
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    viewer
        .get(&findings)
        .await
        .is(200)
        .says("No page is inspected yet")
        .says("once one is linked");
    indexing::reads::inspected(&app).await;
    let shown = viewer.get(&findings).await;
    shown
        .is(200)
        .says("No sitemap of the domain was read yet")
        .says("URLs that were fetched by day");
    let text = shown.text();
    let key = &app.world.key;
    let canonicals = app
        .get(&indexing::path(&app, "canonicals"), key)
        .send()
        .await
        .ok();
    assert_eq!(canonicals["total_urls"], 1);
    let told = row(&text, "canonicals", "https://shop.example/g");
    for part in ["<bdi>https://shop.example/a</bdi>", "Google chose other"] {
        assert!(told.contains(part), "{part} is not in {told}");
    }
    let crawl = app
        .get(&indexing::path(&app, "crawl-stats"), key)
        .send()
        .await
        .ok();
    shown.says(&format!(
        "<th scope=\"row\">Never fetched</th><td class=\"figure\">{}</td>",
        crawl["never_crawled"]
    ));
    shown.says("<th scope=\"row\">By the crawler of desktops</th><td class=\"figure\">1</td>");
    has_landmarks_of_their_own_names(&text, "Table: Another canonical page");
    viewer
        .get(&page(&app, "indexing"))
        .await
        .is(200)
        .says(&format!("href=\"{findings}\""));
    let stranger = app.person("stranger@example.org").await;
    let mut stranger = app.signed_in(stranger).await;
    stranger.get(&findings).await.is(404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_site_that_was_unlinked_is_told_that_nothing_is_inspected() {
    let app = TestApp::start().await;
    indexing::reads::inspected(&app).await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    let told = "No URL is inspected any more";
    let shown = page(&app, "indexing");
    viewer.get(&shown).await.is(200).is_silent_on(told);
    member.get(&shown).await.is(200).says("Inspect now");
    app.sql("DELETE FROM search_properties").await;
    viewer
        .get(&shown)
        .await
        .is(200)
        .says(told)
        .says("Not in the index");
    member.get(&shown).await.is(200).is_silent_on("Inspect now");
    member
        .get(&page(&app, "gsc"))
        .await
        .is(200)
        .says("No property of Search Console is linked")
        .is_silent_on("Import now");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_index_stands_on_a_day_without_an_inspection_as_the_day_before() {
    let app = TestApp::start().await;
    indexing::reads::inspected(&app).await;
    app.clock.advance(Duration::days(2));
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    viewer
        .get(&page(&app, "indexing?start_date=2026-03-31&end_date=2026-04-02"))
        .await
        .is(200)
        .says("A day without an inspection stands as the day before.")
        .is_silent_on("not measured");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_inspection_says_why_a_page_is_not_in_the_index() {
    let app = TestApp::start().await;
    let run = indexing::runs::done(&app).await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    viewer
        .get(&page(&app, &format!("indexing/runs/{run}")))
        .await
        .is(200)
        .says("<th scope=\"col\">Reason</th>")
        .says("Not in the index")
        .says("<bdi>Not found (404)</bdi>")
        .says("Asked for twice, inspected once")
        .is_silent_on("Not inspected yet");
}
