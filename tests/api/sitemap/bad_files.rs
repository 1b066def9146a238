//! Sitemaps that are none, too large, or that mean harm.

use std::io::Write as _;

use flate2::{Compression, write::GzEncoder};
use serde_json::json;

use super::{
    get,
    lab::{Site, issues},
    urlset,
};
use crate::harness::TestApp;

/// A site whose robots.txt names the file, which holds a page.
async fn known(app: &TestApp) -> Site {
    let site = Site::of(app).await;
    let robots = format!("Sitemap: {}\n", site.url("/sitemap.xml"));
    site.robots(app, &robots).await;
    site.pages("/sitemap.xml", &[("/1", "")]);
    site.check(app).await;
    site
}

#[tokio::test]
async fn a_page_in_place_of_a_sitemap_changes_nothing() {
    let app = TestApp::start().await;
    let site = known(&app).await;
    for (body, issue) in [
        ("<html><body>Sorry</body></html>", "invalid_xml"),
        (
            "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><urlset>&e;</urlset>",
            "invalid_xml",
        ),
        (
            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url>",
            "invalid_xml",
        ),
        ("", "empty"),
    ] {
        site.xml("/sitemap.xml", body);
        site.check(&app).await;
        assert_eq!(issues(&app).await, [issue], "{body}");
        let files = get(&app, "files").await.ok();
        assert_eq!(files["items"][0]["status"], "invalid", "{body}");
        assert_eq!(files["items"][0]["urls_count"], 1, "{body}");
    }
    assert_eq!(get(&app, "overview").await.ok()["urls_unique"], 1);
    assert_eq!(get(&app, "changes").await.ok()["items"], json!([]));
}

#[tokio::test]
async fn a_file_of_another_namespace_is_read_and_told() {
    let app = TestApp::start().await;
    let site = known(&app).await;
    let body = urlset(&format!("<url><loc>{}</loc></url>", site.url("/2")));
    site.xml("/sitemap.xml", &body.replace("/sitemap/0.9", "/sitemap/0.84"));
    site.check(&app).await;
    assert_eq!(issues(&app).await, ["wrong_namespace"]);
    let files = get(&app, "files").await.ok();
    assert_eq!(
        (&files["items"][0]["status"], &files["items"][0]["urls_count"]),
        (&json!("ok"), &json!(1))
    );
}

/// Scripts and addresses without a host make no page; one on another host does, and nobody asks for it.
#[tokio::test]
async fn addresses_that_are_none_of_the_site_are_told() {
    let app = TestApp::start().await;
    let site = known(&app).await;
    let elsewhere = "http://10.0.0.1/secret";
    let entries: String = [
        "javascript:alert(1)",
        "/relative",
        elsewhere,
        site.url("/1").as_str(),
    ]
    .iter()
    .map(|loc| format!("<url><loc>{loc}</loc></url>"))
    .collect();
    site.xml("/sitemap.xml", &urlset(&entries));
    site.check(&app).await;
    let mut found = issues(&app).await;
    found.sort();
    assert_eq!(found, ["relative_url", "url_off_host", "url_wrong_scheme"]);
    let urls = get(&app, "urls").await.ok();
    let mut told: Vec<_> = urls["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|page| {
            (
                page["url"].as_str().unwrap().to_owned(),
                page["status_code"].clone(),
            )
        })
        .collect();
    told.sort_by(|one, other| one.0.cmp(&other.0));
    assert_eq!(
        told,
        [(elsewhere.to_owned(), json!(null)), (site.url("/1"), json!(200))]
    );
}

#[tokio::test]
async fn the_first_hundred_files_that_robots_txt_names_are_watched() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    let robots: String = (0..101)
        .map(|number| format!("Sitemap: {}\n", site.url(&format!("/{number}.xml"))))
        .collect();
    site.robots(&app, &robots).await;
    site.pages("/0.xml", &[("/1", "")]);
    site.check(&app).await;
    let files = site.asked().into_iter().filter(|path| path.ends_with(".xml"));
    assert_eq!(files.count(), 101, "a hundred, and the usual path");
    let overview = get(&app, "overview").await.ok();
    assert_eq!(
        (&overview["files_total"], &overview["urls_unique"]),
        (&json!(100), &json!(1))
    );
}

/// The first of two holds a page that the database does not take.
#[tokio::test]
async fn a_file_that_can_not_be_stored_stops_no_other() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    let (refused, good) = (site.url("/a.xml"), site.url("/b.xml"));
    site.robots(&app, &format!("Sitemap: {refused}\nSitemap: {good}\n"))
        .await;
    site.pages("/a.xml", &[("/refused", "")]);
    site.pages("/b.xml", &[("/1", "")]);
    app.sql("ALTER TABLE sitemap_urls ADD CONSTRAINT played CHECK (url NOT LIKE '%/refused')")
        .await;
    site.check(&app).await;
    assert_eq!(get(&app, "overview").await.ok()["urls_unique"], 1);
    let set_aside = app.sql("SELECT kind, payload FROM set_aside").await;
    assert_eq!(
        set_aside,
        [[Some("sitemap_file".to_owned()), Some(format!("{refused:?}"))]]
    );
    app.sql("ALTER TABLE sitemap_urls DROP CONSTRAINT played").await;
    site.check(&app).await;
    assert_eq!(get(&app, "overview").await.ok()["urls_unique"], 2);
}

#[tokio::test]
async fn a_bomb_of_gzip_ends_at_the_limit() {
    let app = TestApp::start().await;
    let site = known(&app).await;
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let start = urlset(&format!("<url><loc>{}</loc></url>", site.url("/2")));
    encoder
        .write_all(start.replace("</urlset>", "").as_bytes())
        .unwrap();
    for _ in 0..100 {
        encoder.write_all(&[b' '; 1024 * 1024]).unwrap();
    }
    let bomb = encoder.finish().unwrap();
    site.lay("/sitemap.xml", 200, "content-type: application/gzip\r\n", &bomb);
    site.check(&app).await;
    let files = get(&app, "files").await.ok();
    let file = &files["items"][0];
    assert_eq!(
        (
            &file["over_limits"],
            &file["uncompressed_bytes"],
            &file["size_bytes"],
            &file["is_gzip"]
        ),
        (&json!(true), &json!(52_428_800), &json!(bomb.len()), &json!(true))
    );
    assert_eq!(issues(&app).await, ["too_large"]);
    // The part beyond the limit is not known, so nothing is missing.
    site.check(&app).await;
    site.check(&app).await;
    let urls = get(&app, "urls?status=present").await.ok();
    assert_eq!(urls["items"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_redirect_to_an_internal_address_is_not_followed() {
    let app = TestApp::start().await;
    let site = known(&app).await;
    for location in [
        "http://169.254.169.254/latest",
        "file:///etc/passwd",
        "http://127.0.0.1:1/",
    ] {
        site.lay("/sitemap.xml", 302, &format!("location: {location}\r\n"), b"");
        site.check(&app).await;
        let files = get(&app, "files").await.ok();
        assert_eq!(files["items"][0]["status"], "unreachable", "{location}");
        let id = files["items"][0]["file_id"].as_str().unwrap();
        let detail = get(&app, &format!("files/{id}")).await.ok();
        assert_eq!(
            (
                &detail["checks"][0]["error_class"],
                &detail["checks"][0]["urls_count"]
            ),
            (&json!("refused"), &json!(null)),
            "{location}"
        );
    }
    // To itself.
    site.lay("/sitemap.xml", 302, "location: /sitemap.xml\r\n", b"");
    site.check(&app).await;
    let files = get(&app, "files").await.ok();
    assert_eq!(files["items"][0]["status"], "unreachable");
    site.lay(
        "/sitemap.xml",
        301,
        &format!("location: {}\r\n", site.url("/moved.xml")),
        b"",
    );
    site.pages("/moved.xml", &[("/1", ""), ("/2", "")]);
    site.check(&app).await;
    assert_eq!(get(&app, "overview").await.ok()["urls_unique"], 2);
}

/// 60,000 entries: 50,000 are read, and a page that falls out of them has not gone.
#[tokio::test]
async fn more_entries_than_allowed_are_counted() {
    let app = TestApp::start().await;
    let site = known(&app).await;
    let entries = |first: usize| -> String {
        (first..60_000)
            .map(|number| format!("<url><loc>{}</loc></url>", site.url(&format!("/{number}"))))
            .collect()
    };
    site.xml("/sitemap.xml", &urlset(&entries(0)));
    site.check(&app).await;
    let overview = get(&app, "overview").await.ok();
    assert_eq!(
        (&overview["urls_total"], &overview["urls_unique"]),
        (&json!(50_000), &json!(50_000))
    );
    let files = get(&app, "files").await.ok();
    assert_eq!(
        (
            &files["items"][0]["urls_count"],
            &files["items"][0]["over_limits"]
        ),
        (&json!(60_000), &json!(true))
    );
    assert_eq!(issues(&app).await, ["too_many_urls"]);
}

#[tokio::test]
async fn the_file_at_the_usual_path_goes_without_a_word() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    site.pages("/sitemap.xml", &[("/1", "")]);
    site.check(&app).await;
    site.remove("/sitemap.xml");
    site.check(&app).await;
    assert_eq!(get(&app, "overview").await.ok()["files_total"], 1);
    site.check(&app).await;
    let overview = get(&app, "overview").await.ok();
    assert_eq!(
        (
            &overview["files_total"],
            &overview["urls_total"],
            &overview["urls_removed_7d"]
        ),
        (&json!(0), &json!(0), &json!(1))
    );
    assert_eq!(issues(&app).await, Vec::<String>::new());
}

/// In UTC the first lies a year before the first that can be written, the second a year behind the last.
#[tokio::test]
async fn dates_that_can_not_be_written_stop_no_check() {
    let app = TestApp::start().await;
    let site = known(&app).await;
    let dated = |date: &str| format!("<lastmod>{date}</lastmod>");
    let (early, late) = (
        dated("0000-01-01T00:00:00+14:00"),
        dated("9999-12-31T23:59:59-14:00"),
    );
    site.pages("/sitemap.xml", &[("/1", &early), ("/2", &late), ("/3", &early)]);
    site.check(&app).await;
    let overview = get(&app, "overview").await.ok();
    assert_eq!(overview["urls_unique"], json!(3));
    assert_eq!(overview["lastmod_age_median_days"], json!(null));
    assert_eq!(issues(&app).await, ["invalid_lastmod"]);
    // One that an earlier version stored stops nothing, either: totals alone stay as they were.
    app.sql("UPDATE sitemap_urls SET lastmod = '0002-06-01 BC'").await;
    let robots = format!(
        "Sitemap: {}\nSitemap: {}\n",
        site.url("/sitemap.xml"),
        site.url("/b.xml")
    );
    site.robots(&app, &robots).await;
    site.pages("/b.xml", &[("/4", "")]);
    site.check(&app).await;
    let after = get(&app, "overview").await.ok();
    assert_ne!(after["last_checked_at"], overview["last_checked_at"]);
    assert_eq!(after["files_total"], json!(2));
    assert_eq!(after["urls_unique"], json!(3));
}
