//! GET …/sitemap/issues: those that take more than the file to find. `crates/crawl/core/tests/sitemaps.rs` has a fixture of
//! each that is found by reading one.

use std::{collections::BTreeMap, sync::Arc};

use async_trait::async_trait;
use pharos_crawl::sitemap::monitor::{
    checker::SitemapChecker,
    languages::{LanguageArchive, NamingPage, NoReturn},
};
use pharos_domain::{ids::DomainId, store::StoreError};
use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{
    get, index,
    lab::{Site, issues},
    urlset,
};
use crate::harness::TestApp;

/// A sitemap that robots.txt names, and with which nothing is wrong.
async fn well(app: &TestApp) -> Site {
    let site = Site::of(app).await;
    let robots = format!(
        "User-agent: *\nDisallow: /cart\nSitemap: {}\n",
        site.url("/sitemap.xml")
    );
    site.robots(app, &robots).await;
    site.pages("/sitemap.xml", &[("/1", "")]);
    site
}

#[tokio::test]
async fn nothing_is_wrong_with_a_file_that_is_in_order() {
    let app = TestApp::start().await;
    let site = well(&app).await;
    site.check(&app).await;
    assert_eq!(issues(&app).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_file_that_nobody_can_fetch_is_unreachable_until_somebody_can() {
    let app = TestApp::start().await;
    let site = well(&app).await;
    site.pages("/sitemap.xml", &[("/1", "<priority>2</priority>")]);
    site.check(&app).await;
    site.lay("/sitemap.xml", 500, "", b"");
    site.check(&app).await;
    let found = get(&app, "issues").await.ok();
    assert_eq!(
        found["items"][0],
        json!({
            "code": "unreachable", "severity": "error", "file_id": found["items"][0]["file_id"], "count": 1,
            "examples": ["status 500"], "first_seen_at": "2026-03-31T09:17:00Z",
        })
    );
    assert_eq!(
        issues(&app).await,
        ["unreachable", "invalid_priority"],
        "what was wrong when it was read is told besides"
    );
    site.check(&app).await;
    let again = get(&app, "issues?code=unreachable").await.ok();
    assert_eq!(again["items"][0]["first_seen_at"], "2026-03-31T09:17:00Z");
    site.pages("/sitemap.xml", &[("/1", "")]);
    site.check(&app).await;
    assert_eq!(issues(&app).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_file_is_named_by_robots_txt_or_an_index() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    site.pages("/sitemap.xml", &[("/1", "")]);
    site.check(&app).await;
    assert_eq!(
        issues(&app).await,
        Vec::<String>::new(),
        "robots.txt is not known"
    );
    site.robots(&app, "User-agent: *\nDisallow:\n").await;
    site.check(&app).await;
    assert_eq!(issues(&app).await, ["not_in_robots_txt"]);
    let robots = format!("Sitemap: {}\n", site.url("/index.xml"));
    site.xml("/index.xml", &index(&[site.url("/sitemap.xml")]));
    site.robots(&app, &robots).await;
    site.check(&app).await;
    assert_eq!(issues(&app).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_page_that_robots_txt_blocks_is_an_error() {
    let app = TestApp::start().await;
    let site = well(&app).await;
    site.pages("/sitemap.xml", &[("/1", ""), ("/cart", "")]);
    site.check(&app).await;
    let found = get(&app, "issues").await.ok();
    assert_eq!(
        (
            &found["items"][0]["code"],
            &found["items"][0]["count"],
            &found["items"][0]["examples"]
        ),
        (
            &json!("blocked_by_robots"),
            &json!(1),
            &json!([site.url("/cart")])
        )
    );
    assert_eq!(issues(&app).await.len(), 1);
    let robots = format!("Sitemap: {}\n", site.url("/sitemap.xml"));
    site.robots(&app, &robots).await;
    site.check(&app).await;
    assert_eq!(issues(&app).await, Vec::<String>::new());
}

/// At most 10,000 pages of a crawler are kept: here there was no room for any.
#[tokio::test]
async fn blocked_pages_that_are_not_kept_are_counted() {
    let app = TestApp::start().await;
    let site = well(&app).await;
    site.pages("/sitemap.xml", &[("/1", ""), ("/cart", ""), ("/cart/2", "")]);
    site.check(&app).await;
    app.sql("DELETE FROM sitemap_conflicts").await;
    site.check(&app).await;
    let found = get(&app, "issues").await.ok();
    assert_eq!(
        (
            &found["items"][0]["code"],
            &found["items"][0]["count"],
            &found["items"][0]["examples"]
        ),
        (&json!("blocked_by_robots"), &json!(2), &json!([]))
    );
    assert_eq!(issues(&app).await.len(), 1);
    let urls = get(&app, "urls?search=/cart").await.ok();
    assert_eq!(
        urls["items"][0]["blocked_by_robots"],
        json!(null),
        "which are blocked is not known one by one"
    );
}

/// Nodes are upgraded one by one: one of the last version did not count the pages of each file.
#[tokio::test]
async fn what_an_earlier_version_worked_out_is_worked_out_anew() {
    let app = TestApp::start().await;
    let site = well(&app).await;
    site.pages("/sitemap.xml", &[("/1", ""), ("/cart", "")]);
    site.check(&app).await;
    let counted = "SELECT (conflicts -> 'googlebot_files')::text FROM sitemap_sites";
    let first = app.sql(counted).await;
    assert!(first[0][0].is_some());
    app.sql("UPDATE sitemap_sites SET conflicts = conflicts - 'googlebot_files'")
        .await;
    site.check(&app).await;
    assert_eq!(app.sql(counted).await, first);
}

#[tokio::test]
async fn a_page_is_named_back_in_its_language() {
    let app = TestApp::start().await;
    let site = well(&app).await;
    let link = |language: &str, path: &str| {
        let url = site.url(path);
        format!(r#"<xhtml:link rel="alternate" hreflang="{language}" href="{url}"/>"#)
    };
    let entry = |path: &str, rest: &str| format!("<url><loc>{}</loc>{rest}</url>", site.url(path));
    // /en names itself, /de, and a page that is in no sitemap; /de names nobody.
    let en = entry(
        "/en",
        &[link("en", "/en"), link("de", "/de"), link("fr", "/fr")].concat(),
    );
    site.xml("/sitemap.xml", &urlset(&format!("{en}{}", entry("/de", ""))));
    site.check(&app).await;
    let found = get(&app, "issues").await.ok();
    assert_eq!(
        (
            &found["items"][0]["code"],
            &found["items"][0]["count"],
            &found["items"][0]["examples"]
        ),
        (
            &json!("hreflang_no_return"),
            &json!(1),
            &json!([format!("{} names {}", site.url("/en"), site.url("/de"))])
        )
    );
    assert_eq!(issues(&app).await.len(), 1);
    site.xml(
        "/sitemap.xml",
        &urlset(&format!("{en}{}", entry("/de", &link("en", "/en")))),
    );
    site.check(&app).await;
    assert_eq!(issues(&app).await, Vec::<String>::new());
}

#[tokio::test]
async fn findings_are_narrowed_and_the_gravest_come_first() {
    let app = TestApp::start().await;
    let site = well(&app).await;
    site.pages(
        "/sitemap.xml",
        &[
            ("/1", "<priority>2</priority>"),
            ("/1", "<lastmod>soon</lastmod>"),
            ("/cart", ""),
        ],
    );
    site.check(&app).await;
    assert_eq!(
        issues(&app).await,
        [
            "blocked_by_robots",
            "invalid_lastmod",
            "duplicate_url",
            "invalid_priority"
        ]
    );
    let of = async |query: &str| super::each(&get(&app, &format!("issues?{query}")).await.ok(), "code");
    assert_eq!(of("severity=warning").await, ["invalid_lastmod"]);
    assert_eq!(of("code=duplicate_url").await, ["duplicate_url"]);
    assert_eq!(
        of("severity=error&code=duplicate_url").await,
        Vec::<String>::new()
    );
    let files = get(&app, "files").await.ok();
    assert_eq!(
        files["items"][0]["issues"],
        json!({ "error": 1, "warning": 1, "info": 2 })
    );
    let overview = get(&app, "overview").await.ok();
    assert_eq!(overview["issues"], json!({ "error": 1, "warning": 1, "info": 2 }));
    // 100 − 20 − 5.
    let health = format!("/domains/{}/health", app.world.domain);
    let health = app.get(&health, &app.world.key).send().await.ok();
    let modules = health["modules"].as_array().unwrap();
    let row = modules.iter().find(|row| row["module"] == "sitemap").unwrap();
    assert_eq!((&row["score"], &row["status"]), (&json!(75.0), &json!("warning")));
}

/// An archive that can't read which pages name others in languages.
struct Unread(Arc<dyn LanguageArchive>);

#[async_trait]
impl LanguageArchive for Unread {
    async fn is_stale(&self, domain: DomainId) -> Result<bool, StoreError> {
        self.0.is_stale(domain).await
    }

    async fn naming(&self, _: DomainId, _: (Uuid, Uuid), _: usize) -> Result<Vec<NamingPage>, StoreError> {
        Err(StoreError::Corrupt("played".to_owned()))
    }

    async fn put(
        &self,
        domain: DomainId,
        found: &BTreeMap<Uuid, NoReturn>,
        now: OffsetDateTime,
    ) -> Result<(), StoreError> {
        self.0.put(domain, found, now).await
    }
}

#[tokio::test]
async fn a_check_that_can_not_compare_pages_ends_and_the_next_one_compares_them() {
    let app = TestApp::start().await;
    let site = well(&app).await;
    let de = format!(
        r#"<xhtml:link rel="alternate" hreflang="de" href="{}"/>"#,
        site.url("/de")
    );
    site.pages("/sitemap.xml", &[("/en", de.as_str()), ("/de", "")]);
    let checker = SitemapChecker {
        languages: Arc::new(Unread(app.stores.ports.get().unwrap())),
        ..site.checker(&app)
    };
    let end = checker
        .check(app.world.domain, &site.url("/"), None)
        .await
        .unwrap();
    assert!(end.unwrap().is_whole);
    assert_eq!(
        get(&app, "overview").await.ok()["urls_unique"],
        2,
        "totals are told"
    );
    assert_eq!(issues(&app).await, Vec::<String>::new());
    // The files are what they were.
    site.check(&app).await;
    assert_eq!(issues(&app).await, ["hreflang_no_return"]);
    assert_eq!(get(&app, "overview").await.ok()["urls_unique"], 2);
}
