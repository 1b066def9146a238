//! Who sees each page, and how much it weighs.

use std::collections::{BTreeMap, BTreeSet};

use pharos_console::routes::mounted;
use pharos_domain::role::Role;

use super::{pages::PAGES, table::Door};
use crate::{
    console::{
        browser::{Browser, Page},
        stage::{Stage, is_before_sign_in},
    },
    harness::Request,
};

/// The most that a page may weigh.
const MOST_BYTES: usize = 100 * 1024;

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_shown_to_those_who_may_see_it_and_weighs_little() {
    let mut stage = Stage::set().await;
    let routes = mounted();
    for row in PAGES {
        let address = stage.fill(row.address);
        let page = stage.read(row.address).await;
        assert_eq!(page.0.status, row.status, "{address}: {}", page.text());
        let weight = page.0.body.len();
        assert!(weight < MOST_BYTES, "{address} has {weight} bytes");
        let route = routes
            .iter()
            .find(|route| route.method == "GET" && route.path == row.route)
            .unwrap();
        if route.answers_head {
            let head = head(&stage, &address).await;
            assert_eq!(head.0.status, row.status, "HEAD {address}");
            assert!(head.0.body.is_empty(), "HEAD {address} has a body");
            let kind = |page: &Page| page.0.header("content-type").map(str::to_owned);
            assert_eq!(kind(&head), kind(&page), "HEAD {address}");
        }
    }
}

/// Tabs of a browser, bookmarks and readers of screens know pages by their titles.
#[tokio::test(flavor = "multi_thread")]
async fn no_two_pages_of_a_domain_have_one_title() {
    let mut stage = Stage::set().await;
    let mut titles: BTreeMap<String, &str> = BTreeMap::new();
    for row in PAGES
        .iter()
        .filter(|row| row.status == 200 && row.route.starts_with("/console/domains/"))
    {
        let text = stage.read(row.address).await.text();
        let (_, rest) = text.split_once("<title>").unwrap();
        let title = rest.split("</title>").next().unwrap().to_owned();
        let path = row.address.split('?').next().unwrap();
        let other = *titles.entry(title.clone()).or_insert(path);
        assert_eq!(other, path, "both are called {title}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_about_days_says_which_days_of_400_years_there_are() {
    let mut stage = Stage::set().await;
    let mut about_days = BTreeSet::new();
    for row in PAGES.iter().filter(|row| row.status == 200) {
        let shown = stage.read(row.address).await;
        if !shown.text().contains("id=\"start_date\"") {
            continue;
        }
        about_days.insert(row.route);
        let next = if row.address.contains('?') { '&' } else { '?' };
        // By the day there are fewer days than are kept.
        let of_kept = if row.address.contains("granularity=day") {
            400
        } else {
            200
        };
        for (days, status, words) in [
            (
                "1626-03-31&end_date=2026-03-31",
                of_kept,
                "from 31 March 1626 on. What is older is not kept",
            ),
            ("2426-03-31&end_date=2826-03-31", 400, "From: lies after today"),
        ] {
            let address = format!("{}{next}start_date={days}", row.address);
            let page = stage.read(&address).await;
            assert_eq!(page.0.status, status, "{address}: {}", page.text());
            page.says(words);
        }
    }
    for route in [
        "/console/w/{workspace_id}",
        "/console/domains/{domain_id}",
        "/console/domains/{domain_id}/{module}",
    ] {
        assert!(about_days.contains(route), "{route} is not among {about_days:?}");
    }
}

/// A quarter is the longest range whose days have a row each in the tables beside pictures.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_about_days_weighs_little_however_many_they_are() {
    let mut stage = Stage::set().await;
    let mut by_the_week = BTreeSet::new();
    for row in PAGES.iter().filter(|row| row.status == 200) {
        if !stage.read(row.address).await.text().contains("id=\"start_date\"") {
            continue;
        }
        let next = if row.address.contains('?') { '&' } else { '?' };
        for days in [
            "start_date=1626-03-31&end_date=2026-03-31",
            "start_date=2025-03-31&end_date=2026-03-31",
            "period=last_90_days",
        ] {
            let address = format!("{}{next}{days}&compare_previous=true", row.address);
            let page = stage.read(&address).await;
            let (status, weight) = (page.0.status, page.0.body.len());
            assert!([200, 400].contains(&status), "{address}: {}", page.text());
            assert!(weight < MOST_BYTES, "{address} has {weight} bytes");
            if page.text().contains("Each row spans ") {
                by_the_week.insert(row.address);
            }
        }
    }
    for address in [
        "/console/domains/{domain_id}/analytics",
        "/console/domains/{domain_id}/gsc",
    ] {
        assert!(
            by_the_week.contains(address),
            "{address} is not in {by_the_week:?}"
        );
    }
}

/// The answer to HEAD by the reader of a page.
async fn head(stage: &Stage, address: &str) -> Page {
    let request = Request::new(stage.app.address, "HEAD", &format!("/{address}"));
    let request = if is_before_sign_in(address) {
        request
    } else {
        let cookies = &stage.owner.cookies;
        let cookies = cookies.iter().map(|(name, value)| format!("{name}={value}"));
        request.header("cookie", cookies.collect::<Vec<_>>().join("; "))
    };
    Page(request.send_unchecked().await)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_hidden_from_strangers_and_refused_to_who_has_too_low_a_role() {
    let stage = Stage::set().await;
    for (mut browser, role) in people(&stage).await {
        for row in PAGES
            .iter()
            .filter(|row| !is_before_sign_in(&stage.fill(row.address)))
        {
            let address = stage.fill(row.address);
            let page = browser.get(&address).await;
            let expected = row.door.status(role, row.status);
            let text = page.text();
            assert_eq!(page.0.status, expected, "{role:?} at {address}: {text}");
            if expected == 403 {
                page.says("Nothing was changed");
            }
            if role.is_none() && row.door != Door::Open {
                page.is_silent_on("shop.example")
                    .is_silent_on("reader@example.org");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_not_signed_in_does_first() {
    let stage = Stage::set().await;
    for row in PAGES.iter().filter(|row| row.door != Door::Open) {
        let address = stage.fill(row.address);
        let page = stage.app.browser().get(&address).await;
        let location = page.location();
        assert!(
            location.starts_with("/console/sign-in?next=%2Fconsole"),
            "{address}: {location}"
        );
        page.is_silent_on("shop.example");
    }
}

/// A stranger, and members of each role below the owner's; the stranger owns a workspace of their own.
pub(super) async fn people(stage: &Stage) -> Vec<(Browser, Option<Role>)> {
    let app = &stage.app;
    let stranger = app.person("stranger@example.org").await;
    let mut stranger = app.signed_in(stranger).await;
    stranger.get("/console/workspaces/new").await;
    stranger
        .submit("/console/workspaces/new", &[("name", "Elsewhere")])
        .await
        .location();
    let mut people = vec![(stranger, None)];
    for role in [Role::Viewer, Role::Member, Role::Admin] {
        let mut browser = app
            .signed_in_as(&format!("{role}-of-the-sweep@example.org"), role)
            .await;
        // A page with the token of its forms.
        browser.get("/console/apps").await.is(200);
        people.push((browser, Some(role)));
    }
    people
}
