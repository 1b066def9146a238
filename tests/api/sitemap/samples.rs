//! Answers of the pages that were sampled.

use std::time::Duration;

use pharos_crawl::sitemap::monitor::checker::SitemapChecker;
use pharos_domain::ids::RunId;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::{
    get,
    lab::{Site, issues},
};
use crate::harness::TestApp;

const HTML: &str = "content-type: text/html\r\n";

/// A site whose robots.txt names its sitemap of these pages, and keeps Pharos from one folder.
async fn site(app: &TestApp, pages: &[&str]) -> Site {
    let site = Site::of(app).await;
    let robots = format!(
        "User-agent: Pharos\nDisallow: /private\n\nUser-agent: *\nDisallow:\n\nSitemap: {}\n",
        site.url("/sitemap.xml")
    );
    site.robots(app, &robots).await;
    let pages: Vec<_> = pages.iter().map(|page| (*page, "")).collect();
    site.pages("/sitemap.xml", &pages);
    site
}

async fn row(app: &TestApp, page: &str) -> Value {
    get(app, &format!("urls?search={page}")).await.ok()["items"][0].clone()
}

#[tokio::test]
async fn pages_are_asked_as_robots_txt_lets_pharos() {
    let app = TestApp::start().await;
    let site = site(&app, &["/shoes", "/private/2"]).await;
    site.check(&app).await;
    assert_eq!(site.asked(), ["/sitemap.xml", "/shoes"]);
    assert_eq!(row(&app, "/shoes").await["status_code"], 200);
    assert_eq!(row(&app, "/private/2").await["status_code"], Value::Null);
    assert_eq!(issues(&app).await, Vec::<String>::new());
    assert_eq!(get(&app, "overview").await.ok()["non_200_urls"], 0);
}

#[tokio::test]
async fn no_page_is_asked_before_robots_txt_is_known() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    site.pages("/sitemap.xml", &[("/shoes", "")]);
    site.check(&app).await;
    assert_eq!(site.asked(), ["/sitemap.xml"]);
    assert_eq!(get(&app, "overview").await.ok()["non_200_urls"], Value::Null);
}

/// Each site is wrong in one thing alone.
#[tokio::test]
async fn each_fault_of_a_page_is_found_alone() {
    let app = TestApp::start().await;
    let site = site(&app, &["/shoes"]).await;
    let url = site.url("/shoes");
    for (status, headers, body, found) in [
        (200, HTML, "<title>A page</title>", None),
        (404, HTML, "", Some(("non_200_url", format!("{url} answers 404")))),
        (
            301,
            "location: /new\r\n",
            "",
            Some((
                "redirecting_url",
                format!("{url} redirects to {}", site.url("/new")),
            )),
        ),
        (
            200,
            HTML,
            "<meta name=robots content=noindex>",
            Some(("noindex_url", url.clone())),
        ),
        (
            200,
            "content-type: text/html\r\nx-robots-tag: googlebot: noindex\r\n",
            "",
            Some(("noindex_url", url.clone())),
        ),
        (
            200,
            HTML,
            "<link rel=canonical href=/2>",
            Some(("canonicalised_url", format!("{url} names {}", site.url("/2")))),
        ),
        (200, HTML, "<link rel=canonical href=/shoes#top>", None),
    ] {
        site.lay("/shoes", status, headers, body.as_bytes());
        site.check(&app).await;
        let told = get(&app, "issues").await.ok();
        let told: Vec<_> = told["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| (row["code"].clone(), row["count"].clone(), row["examples"].clone()))
            .collect();
        let expected: Vec<_> = found
            .into_iter()
            .map(|(code, example)| (json!(code), json!(1), json!([example])))
            .collect();
        assert_eq!(told, expected, "{status} {headers} {body}");
    }
    let page = row(&app, "/shoes").await;
    assert_eq!(
        (&page["status_code"], &page["redirects_to"], &page["is_canonical"]),
        (&json!(200), &Value::Null, &json!(true))
    );
}

/// 100 at a time, in a round: of 150 pages two checks ask all, and the third begins anew.
#[tokio::test]
async fn all_pages_have_their_turn() {
    let app = TestApp::start().await;
    let names: Vec<String> = (0..150).map(|number| format!("/page-{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let site = site(&app, &names).await;
    let asked = async || {
        site.check(&app).await;
        let mut asked = site.asked();
        asked.retain(|path| path != "/sitemap.xml");
        asked
    };
    let (first, second, third) = (asked().await, asked().await, asked().await);
    assert_eq!((first.len(), second.len()), (100, 50));
    assert_eq!(third, first);
    let mut all = [first, second].concat();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 150);
    site.lay("/page-7", 500, HTML, b"");
    asked().await;
    asked().await;
    assert_eq!(get(&app, "overview").await.ok()["non_200_urls"], 1);
}

/// A check has asked one page, and waits for its turn to ask the other.
#[tokio::test]
async fn a_check_waits_for_no_pages_of_another() {
    let app = TestApp::start().await;
    let site = site(&app, &["/1", "/2"]).await;
    let checker = SitemapChecker {
        sampler: site.sampler(&app, Duration::from_secs(28)),
        ..site.checker(&app)
    };
    let (domain, address) = (app.world.domain, site.url("/"));
    let scheduled = tokio::spawn({
        let (checker, address) = (checker.clone(), address.clone());
        async move { checker.check(domain, &address, None).await }
    });
    while !site.asked().iter().any(|path| path == "/1" || path == "/2") {
        sleep(Duration::from_millis(10)).await;
    }
    let asked_for = checker.check(domain, &address, Some(RunId::generate())).await;
    let end = asked_for.unwrap().unwrap();
    assert!(!end.is_busy && end.is_whole, "{end:?}");
    assert_eq!(site.asked(), ["/sitemap.xml"]);
    // Nor does another scheduled one ask the same pages once more.
    let end = checker.check(domain, &address, None).await.unwrap().unwrap();
    assert!(!end.is_busy, "{end:?}");
    assert_eq!(site.asked(), ["/sitemap.xml"]);
    scheduled.abort();
}

/// The check that samples pages counts their answers.
#[tokio::test]
async fn a_round_counts_what_its_pages_answered() {
    let app = TestApp::start().await;
    let site = site(&app, &["/shoes", "/hats"]).await;
    site.lay("/shoes", 404, HTML, b"");
    site.lay("/hats", 301, "location: /caps\r\n", b"");
    site.check(&app).await;
    let rounds = app
        .sql("SELECT concat_ws(' ', errors, warnings, non_200) FROM sitemap_rounds")
        .await;
    assert_eq!(rounds, [[Some("1 1 1".to_owned())]]);
}
