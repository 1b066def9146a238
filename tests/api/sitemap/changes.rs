//! GET …/sitemap/changes: what counts as a change, and when.

use serde_json::{Value, json};

use super::{
    get, index,
    lab::{Site, changes},
};
use crate::harness::TestApp;

fn change(kind: &str, path: &str) -> (String, String) {
    (kind.to_owned(), path.to_owned())
}

#[tokio::test]
async fn the_first_good_fetch_is_the_baseline() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    site.pages(
        "/sitemap.xml",
        &[("/1", "<lastmod>2026-03-01</lastmod>"), ("/2", "")],
    );
    site.check(&app).await;
    assert_eq!(changes(&app, &site).await, []);
    site.check(&app).await;
    assert_eq!(changes(&app, &site).await, [], "it is what it was");
    site.pages(
        "/sitemap.xml",
        &[("/1", "<lastmod>2026-03-02</lastmod>"), ("/2", ""), ("/3", "")],
    );
    site.check(&app).await;
    assert_eq!(
        changes(&app, &site).await,
        [change("added", "/3"), change("lastmod_changed", "/1")]
    );
    let told = get(&app, "changes?change=lastmod_changed").await.ok();
    assert_eq!(
        (&told["items"][0]["before"], &told["items"][0]["after"]),
        (&json!("2026-03-01T00:00:00Z"), &json!("2026-03-02T00:00:00Z"))
    );
    assert_eq!(told["items"][0]["changed_at"], "2026-03-31T09:18:00Z");
}

#[tokio::test]
async fn a_page_is_removed_once_two_good_fetches_miss_it() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    let both: &[(&str, &str)] = &[("/1", ""), ("/2", "")];
    site.pages("/sitemap.xml", both);
    site.check(&app).await;
    site.pages("/sitemap.xml", &[("/1", "")]);
    site.check(&app).await;
    assert_eq!(changes(&app, &site).await, [], "missed once");
    let missed = get(&app, "urls?search=/2").await.ok();
    assert_eq!(
        (
            &missed["items"][0]["removed_at"],
            &missed["items"][0]["last_seen_at"]
        ),
        (&Value::Null, &json!("2026-03-31T09:16:00Z"))
    );
    // Neither a failure nor a page that is no sitemap counts.
    site.lay("/sitemap.xml", 503, "", b"");
    site.check(&app).await;
    site.lay("/sitemap.xml", 200, "", b"<html>down</html>");
    site.check(&app).await;
    assert_eq!(changes(&app, &site).await, []);
    // Back, and missed anew: the count begins anew.
    site.pages("/sitemap.xml", both);
    site.check(&app).await;
    site.pages("/sitemap.xml", &[("/1", "")]);
    site.check(&app).await;
    assert_eq!(changes(&app, &site).await, []);
    site.check(&app).await;
    assert_eq!(
        changes(&app, &site).await,
        [change("removed", "/2")],
        "the same file is a good fetch, too"
    );
    let removed = get(&app, "urls?status=removed").await.ok();
    assert_eq!(
        (
            &removed["items"][0]["url"],
            &removed["items"][0]["removed_at"],
            &removed["items"][0]["in_files"]
        ),
        (&json!(site.url("/2")), &json!("2026-03-31T09:22:00Z"), &json!(0))
    );
    assert_eq!(
        get(&app, "urls?status=present").await.ok()["items"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let overview = get(&app, "overview").await.ok();
    assert_eq!(
        (&overview["urls_removed_7d"], &overview["urls_unique"]),
        (&json!(1), &json!(1))
    );
    // It comes back for good.
    site.pages("/sitemap.xml", both);
    site.check(&app).await;
    assert_eq!(
        changes(&app, &site).await,
        [change("added", "/2"), change("removed", "/2")]
    );
    let back = get(&app, "urls?search=/2").await.ok();
    assert_eq!(
        (
            &back["items"][0]["removed_at"],
            &back["items"][0]["first_seen_at"]
        ),
        (&Value::Null, &json!("2026-03-31T09:16:00Z"))
    );
}

#[tokio::test]
async fn a_page_that_another_file_names_has_moved() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    let robots = format!(
        "Sitemap: {}\nSitemap: {}\n",
        site.url("/a.xml"),
        site.url("/b.xml")
    );
    site.robots(&app, &robots).await;
    site.pages("/a.xml", &[("/1", ""), ("/both", ""), ("/moves", "")]);
    site.pages("/b.xml", &[("/2", ""), ("/both", "")]);
    site.check(&app).await;
    site.pages("/a.xml", &[("/1", "")]);
    site.pages("/b.xml", &[("/2", ""), ("/both", ""), ("/moves", "")]);
    site.check(&app).await;
    assert_eq!(changes(&app, &site).await, [], "not added, and missed once");
    site.check(&app).await;
    assert_eq!(
        changes(&app, &site).await,
        [change("moved_file", "/moves")],
        "a page that both had is still there"
    );
    let files = get(&app, "files").await.ok();
    let id = |path: &str| {
        let items = files["items"].as_array().unwrap();
        let file = items.iter().find(|file| file["url"] == site.url(path)).unwrap();
        file["file_id"].clone()
    };
    let told = get(&app, "changes?change=moved_file").await.ok();
    let told = &told["items"][0];
    assert_eq!(
        (&told["before"], &told["after"], &told["file_id"]),
        (&id("/a.xml"), &id("/b.xml"), &id("/b.xml"))
    );
}

#[tokio::test]
async fn pages_of_a_file_that_its_index_drops_are_removed() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    site.pages("/a.xml", &[("/1", "")]);
    site.pages("/b.xml", &[("/2", "")]);
    site.xml("/sitemap.xml", &index(&[site.url("/a.xml"), site.url("/b.xml")]));
    site.check(&app).await;
    site.xml("/sitemap.xml", &index(&[site.url("/a.xml")]));
    site.check(&app).await;
    assert_eq!(changes(&app, &site).await, []);
    assert_eq!(get(&app, "overview").await.ok()["files_total"], 3, "missed once");
    site.check(&app).await;
    assert_eq!(changes(&app, &site).await, [change("removed", "/2")]);
    let overview = get(&app, "overview").await.ok();
    assert_eq!(
        (&overview["files_total"], &overview["urls_total"]),
        (&json!(2), &json!(1))
    );
    // Named again: as if it was new.
    site.xml("/sitemap.xml", &index(&[site.url("/a.xml"), site.url("/b.xml")]));
    site.check(&app).await;
    assert_eq!(changes(&app, &site).await, [change("removed", "/2")]);
    assert_eq!(get(&app, "overview").await.ok()["urls_unique"], 2);
}

#[tokio::test]
async fn an_index_that_is_renamed_keeps_its_files() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    let names = |paths: &[&str]| -> String {
        let line = |path: &&str| format!("Sitemap: {}\n", site.url(path));
        paths.iter().map(line).collect()
    };
    site.robots(&app, &names(&["/sitemap.xml"])).await;
    site.pages("/a.xml", &[("/1", "")]);
    site.pages("/b.xml", &[("/2", "")]);
    let body = index(&[site.url("/a.xml"), site.url("/b.xml")]);
    site.xml("/sitemap.xml", &body);
    site.check(&app).await;
    site.xml("/sitemap2.xml", &body);
    site.remove("/sitemap.xml");
    site.robots(&app, &names(&["/sitemap2.xml"])).await;
    // The first check reads the new index, the second lets go of the old one.
    for check in 1..=3 {
        site.asked();
        site.check(&app).await;
        assert_eq!(changes(&app, &site).await, [], "check {check}");
        let asked = site.asked();
        for path in ["/a.xml", "/b.xml"] {
            assert!(
                asked.iter().any(|asked| asked == path),
                "check {check}: {asked:?}"
            );
        }
    }
    let overview = get(&app, "overview").await.ok();
    assert_eq!(
        (&overview["files_total"], &overview["urls_total"]),
        (&json!(3), &json!(2))
    );
    // Both names at once, and the older goes once the newer has had the same bytes for long.
    site.xml("/sitemap3.xml", &body);
    site.robots(&app, &names(&["/sitemap2.xml", "/sitemap3.xml"]))
        .await;
    site.check(&app).await;
    site.check(&app).await;
    site.remove("/sitemap2.xml");
    site.robots(&app, &names(&["/sitemap3.xml"])).await;
    for _ in 0..3 {
        site.check(&app).await;
    }
    assert_eq!(changes(&app, &site).await, []);
    let files = get(&app, "files").await.ok();
    let urls: Vec<String> = ["/sitemap3.xml", "/a.xml", "/b.xml"]
        .iter()
        .map(|path| site.url(path))
        .collect();
    assert_eq!(super::each(&files, "url"), urls);
    assert_eq!(files["items"][1]["parent_id"], files["items"][0]["file_id"]);
}

#[tokio::test]
async fn a_file_at_the_usual_path_stays_when_robots_txt_names_it_no_longer() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    site.robots(&app, &format!("Sitemap: {}\n", site.url("/sitemap.xml")))
        .await;
    site.pages("/sitemap.xml", &[("/1", ""), ("/2", "")]);
    site.check(&app).await;
    site.robots(&app, "User-agent: *\nDisallow:\n").await;
    for check in 1..=3 {
        site.check(&app).await;
        assert_eq!(changes(&app, &site).await, [], "check {check}");
        assert_eq!(
            get(&app, "overview").await.ok()["files_total"],
            1,
            "check {check}"
        );
    }
    let files = get(&app, "files").await.ok();
    assert_eq!(super::each(&files, "source"), ["default_path"]);
    // Two good answers that it is gone are what takes its pages away.
    site.remove("/sitemap.xml");
    site.check(&app).await;
    assert_eq!(changes(&app, &site).await, []);
    site.check(&app).await;
    assert_eq!(
        changes(&app, &site).await,
        [change("removed", "/1"), change("removed", "/2")]
    );
}

#[tokio::test]
async fn a_file_at_the_usual_path_stays_when_its_index_drops_it() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    site.robots(&app, &format!("Sitemap: {}\n", site.url("/index.xml")))
        .await;
    site.pages("/sitemap.xml", &[("/1", "")]);
    site.pages("/a.xml", &[("/2", "")]);
    site.xml(
        "/index.xml",
        &index(&[site.url("/sitemap.xml"), site.url("/a.xml")]),
    );
    site.check(&app).await;
    site.xml("/index.xml", &index(&[site.url("/a.xml")]));
    // The first of them misses it, the second lets go of it.
    for check in 1..=3 {
        site.check(&app).await;
        assert_eq!(changes(&app, &site).await, [], "check {check}");
        assert_eq!(
            get(&app, "overview").await.ok()["files_total"],
            3,
            "check {check}"
        );
    }
}
