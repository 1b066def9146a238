//! GET …/sitemap/overview, urls, timeseries, google

use serde_json::{Value, json};
use time::Duration;

use super::{each, get, lab::Site, urlset};
use crate::harness::TestApp;

#[tokio::test]
async fn nothing_is_known_before_the_first_check() {
    let app = TestApp::start().await;
    for rest in ["overview", "files", "urls", "changes", "issues", "timeseries"] {
        get(&app, rest).await.problem(404, "sitemap-not-found");
    }
    assert_eq!(get(&app, "google").await.ok()["items"], json!([]));
}

#[tokio::test]
async fn a_site_without_a_sitemap_is_in_order() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    site.check(&app).await;
    assert_eq!(site.asked(), ["/sitemap.xml"]);
    let overview = get(&app, "overview").await.ok();
    assert_eq!(
        (&overview["files_total"], &overview["urls_total"]),
        (&json!(0), &json!(0))
    );
    assert_eq!(
        (&overview["lastmod_coverage_pct"], &overview["last_changed_at"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(overview["issues"], json!({ "error": 0, "warning": 0, "info": 0 }));
    assert_eq!(get(&app, "files").await.ok()["items"], json!([]));
}

#[tokio::test]
async fn a_file_that_was_never_read_has_no_entries() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    site.pages("/a.xml", &[("/1", ""), ("/2", "")]);
    site.lay("/page.xml", 200, "content-type: text/html\r\n", b"<html></html>");
    let robots: String = ["/a.xml", "/gone.xml", "/page.xml"]
        .iter()
        .map(|path| format!("Sitemap: {}\n", site.url(path)))
        .collect();
    site.robots(&app, &robots).await;
    site.check(&app).await;
    let overview = get(&app, "overview").await.ok();
    assert_eq!(
        (
            &overview["files_total"],
            &overview["urls_total"],
            &overview["duplicate_urls"]
        ),
        (&json!(3), &json!(2), &json!(0))
    );
    let points = get(&app, "timeseries").await.ok()["points"].clone();
    assert_eq!(points.as_array().unwrap().last().unwrap()["urls_total"], 2);
}

/// By hand. Two files: `a` has /1, /2 and /1 once more; `b` has /2 and /3. Entries 5, pages 3, so 2 are too many. Dates: of /1
/// and /2, 2 of 3 pages. The clock stands at 09:16 on 31 March 2026; the date in the middle of 1 and 21 March is the first,
/// 30 days and 9.27 hours before: 30.4 days.
#[tokio::test]
async fn the_overview_adds_all_files_up() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    let entry = |path: &str, rest: &str| format!("<url><loc>{}</loc>{rest}</url>", site.url(path));
    let link = format!(
        r#"<xhtml:link rel="alternate" hreflang="de" href="{}"/>"#,
        site.url("/de/1")
    );
    let image = r#"<image:image xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"><image:loc>x</image:loc></image:image>"#;
    let first = entry(
        "/1",
        &format!("<lastmod>2026-03-01</lastmod>{link}{image}{image}"),
    );
    let news = r#"<n:news xmlns:n="http://www.google.com/schemas/sitemap-news/0.9"/>"#;
    site.xml(
        "/a.xml",
        &urlset(&format!(
            "{first}{}{first}",
            entry("/2", "<lastmod>2026-03-21</lastmod>")
        )),
    );
    site.xml(
        "/b.xml",
        &urlset(&format!("{}{}", entry("/2", ""), entry("/3", news))),
    );
    let robots = format!(
        "Sitemap: {}\nSitemap: {}\n",
        site.url("/a.xml"),
        site.url("/b.xml")
    );
    site.robots(&app, &robots).await;
    site.check(&app).await;
    let overview = get(&app, "overview").await.ok();
    let of = |name: &str| overview[name].clone();
    assert_eq!(
        (
            of("files_total"),
            of("index_files"),
            of("urls_total"),
            of("urls_unique"),
            of("duplicate_urls")
        ),
        (json!(2), json!(0), json!(5), json!(3), json!(2))
    );
    assert_eq!(
        (of("robots_declared"), of("discovered_via")),
        (json!(true), json!(["robots_txt"]))
    );
    assert_eq!(
        (of("lastmod_coverage_pct"), of("lastmod_age_median_days")),
        (json!(66.7), json!(30.4))
    );
    assert_eq!(
        (
            of("image_entries"),
            of("video_entries"),
            of("news_entries"),
            of("hreflang_entries")
        ),
        (json!(2), json!(0), json!(1), json!(1))
    );
    assert_eq!(
        (
            of("urls_added_7d"),
            of("urls_removed_7d"),
            of("indexed_pct"),
            of("non_200_urls")
        ),
        (json!(0), json!(0), Value::Null, json!(0))
    );
    assert_eq!(of("last_checked_at"), "2026-03-31T09:16:00Z");

    let urls = get(&app, "urls").await.ok();
    let mut found = each(&urls, "url");
    found.sort();
    assert_eq!(found, [site.url("/1"), site.url("/2"), site.url("/3")]);
    let items = urls["items"].as_array().unwrap();
    let second = items.iter().find(|item| item["url"] == site.url("/2")).unwrap();
    assert_eq!(second["in_files"], 2);
    let first = items.iter().find(|item| item["url"] == site.url("/1")).unwrap();
    assert_eq!(
        (
            &first["images_count"],
            &first["lastmod"],
            &first["first_seen_at"],
            &first["last_seen_at"]
        ),
        (
            &json!(2),
            &json!("2026-03-01T00:00:00Z"),
            &json!("2026-03-31T09:16:00Z"),
            &json!("2026-03-31T09:16:00Z")
        )
    );
    assert_eq!(
        first["alternates"],
        json!([{ "hreflang": "de", "href": site.url("/de/1") }])
    );
}

#[tokio::test]
async fn urls_are_paged_searched_and_narrowed() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    site.pages("/sitemap.xml", &[("/1", ""), ("/2", ""), ("/Shoes", "")]);
    site.check(&app).await;
    site.pages(
        "/sitemap.xml",
        &[("/1", ""), ("/2", ""), ("/Shoes", ""), ("/new", "")],
    );
    site.check(&app).await;
    let first = get(&app, "urls?limit=3").await.ok();
    assert_eq!(first["items"][0]["url"], site.url("/new"), "the newest first");
    let cursor = first["next_cursor"].as_str().unwrap();
    let second = get(&app, &format!("urls?limit=3&cursor={cursor}")).await.ok();
    assert_eq!(
        (&second["has_more"], second["items"].as_array().unwrap().len()),
        (&json!(false), 1)
    );
    let mut all = each(&first, "url");
    all.extend(each(&second, "url"));
    all.sort();
    let mut expected = ["/1", "/2", "/Shoes", "/new"].map(|path| site.url(path));
    expected.sort();
    assert_eq!(all, expected);
    assert_eq!(
        each(&get(&app, "urls?search=SHOE").await.ok(), "url"),
        [site.url("/Shoes")]
    );
    assert_eq!(get(&app, "urls?status=removed").await.ok()["items"], json!([]));
    let file = first["items"][0]["file_id"].as_str().unwrap();
    let of_file = get(&app, &format!("urls?file_id={file}&status=present"))
        .await
        .ok();
    assert_eq!(of_file["items"].as_array().unwrap().len(), 4);
    let of_none = format!("urls?file_id={}", uuid::Uuid::now_v7());
    assert_eq!(get(&app, &of_none).await.ok()["items"], json!([]));
}

/// By hand: two pages on the first day; on the next one is new and one has another date; a day without a check; a file that
/// fails on the last.
#[tokio::test]
async fn the_timeseries_has_a_point_a_day() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    site.pages("/sitemap.xml", &[("/1", ""), ("/2", "")]);
    site.check(&app).await;
    app.clock.advance(Duration::DAY);
    site.pages(
        "/sitemap.xml",
        &[("/1", "<lastmod>2026-03-30</lastmod>"), ("/2", ""), ("/3", "")],
    );
    site.check(&app).await;
    app.clock.advance(Duration::DAY * 2);
    site.lay("/sitemap.xml", 500, "", b"");
    site.check(&app).await;
    let series = get(&app, "timeseries").await.ok();
    let points = series["points"].as_array().unwrap();
    assert_eq!(points.len(), 90);
    let last = |back: usize| points[89 - back].clone();
    assert_eq!(
        last(3),
        json!({ "date": "2026-03-31", "urls_total": 2, "added": 0, "removed": 0, "lastmod_changed": 0, "files_failed": 0 })
    );
    assert_eq!(
        last(2),
        json!({ "date": "2026-04-01", "urls_total": 3, "added": 1, "removed": 0, "lastmod_changed": 1, "files_failed": 0 })
    );
    assert_eq!(
        last(1),
        json!({ "date": "2026-04-02", "urls_total": null, "added": 0, "removed": 0, "lastmod_changed": 0, "files_failed": 0 })
    );
    assert_eq!(
        last(0),
        json!({ "date": "2026-04-03", "urls_total": 3, "added": 0, "removed": 0, "lastmod_changed": 0, "files_failed": 1 })
    );
    assert_eq!(
        (&series["meta"]["range_end"], &series["meta"]["data_through"]),
        (&json!("2026-04-03"), &json!("2026-04-03T09:18:00Z"))
    );
    assert_eq!(get(&app, "overview").await.ok()["urls_added_7d"], 1);
}
