//! …/sitemap/files: what is found, what is added and stopped.

use serde_json::{Value, json};

use super::{
    each, get, index,
    lab::{Site, changes, issues},
    path,
};
use crate::harness::{Reply, TestApp};

async fn add(app: &TestApp, url: &str) -> Reply {
    app.request("POST", &path(app, "files"))
        .key(&app.world.key)
        .json(&json!({ "url": url }))
        .send()
        .await
}

async fn stop(app: &TestApp, id: &Value) -> Reply {
    let path = path(app, &format!("files/{}", id.as_str().unwrap()));
    app.request("DELETE", &path).key(&app.world.key).send().await
}

/// A row of the list, by the path of its file.
async fn row(app: &TestApp, site: &Site, path: &str) -> Value {
    let files = get(app, "files").await.ok();
    let items = files["items"].as_array().unwrap();
    let found = items.iter().find(|file| file["url"] == site.url(path));
    found.cloned().unwrap_or(Value::Null)
}

#[tokio::test]
async fn files_are_found_by_robots_txt_by_indexes_and_at_the_usual_path() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    let robots = format!("Sitemap: {}\n", site.url("/index.xml"));
    site.robots(&app, &robots).await;
    site.xml("/index.xml", &index(&[site.url("/a.xml")]));
    site.pages("/a.xml", &[("/1", ""), ("/2", "")]);
    site.pages("/sitemap.xml", &[("/3", "")]);
    site.check(&app).await;
    let files = get(&app, "files").await.ok();
    assert_eq!(each(&files, "source"), ["robots_txt", "default_path", "index"]);
    assert_eq!(each(&files, "type"), ["sitemap_index", "urlset", "urlset"]);
    assert_eq!(each(&files, "status"), ["ok", "ok", "ok"]);
    assert_eq!(files["last_run"], Value::Null);
    let (parent, child) = (
        row(&app, &site, "/index.xml").await,
        row(&app, &site, "/a.xml").await,
    );
    assert_eq!(
        (
            &parent["children_count"],
            &parent["urls_count"],
            &child["urls_count"],
            &child["children_count"]
        ),
        (&json!(1), &Value::Null, &json!(2), &Value::Null)
    );
    assert_eq!(child["parent_id"], parent["file_id"]);
    let overview = get(&app, "overview").await.ok();
    assert_eq!(overview["discovered_via"], json!(["robots_txt", "default_path"]));
    let id = parent["file_id"].as_str().unwrap();
    let detail = get(&app, &format!("files/{id}")).await.ok();
    assert_eq!(detail["children"], json!([child["file_id"]]));
    assert_eq!(
        (
            &detail["checks"][0]["status_code"],
            &detail["checks"][0]["urls_count"],
            &detail["checks"][0]["urls_added"]
        ),
        (&json!(200), &json!(1), &json!(0))
    );
}

#[tokio::test]
async fn an_index_is_read_to_depth_three_and_circles_are_cut() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    site.xml(
        "/sitemap.xml",
        &index(&[
            site.url("/2.xml"),
            site.url("/sitemap.xml"),
            site.url("/sitemap.xml#again"),
        ]),
    );
    site.xml("/2.xml", &index(&[site.url("/3.xml"), site.url("/sitemap.xml")]));
    site.xml("/3.xml", &index(&[site.url("/4.xml")]));
    site.pages("/4.xml", &[("/1", "")]);
    site.check(&app).await;
    assert_eq!(site.asked(), ["/sitemap.xml", "/2.xml", "/3.xml"]);
    site.check(&app).await;
    assert_eq!(site.asked(), ["/sitemap.xml", "/2.xml", "/3.xml"]);
    assert_eq!(row(&app, &site, "/sitemap.xml").await["parent_id"], Value::Null);
    let issues = get(&app, "issues?code=nested_index").await.ok();
    assert_eq!(issues["items"].as_array().unwrap().len(), 2, "2.xml and 3.xml");
}

#[tokio::test]
async fn a_file_that_did_not_change_is_asked_for_conditionally() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    let body = super::urlset(&format!("<url><loc>{}</loc></url>", site.url("/1")));
    let headers = "content-type: application/xml\r\netag: \"one\"\r\n";
    site.lay("/sitemap.xml", 200, headers, body.as_bytes());
    site.check(&app).await;
    site.check(&app).await;
    let file = row(&app, &site, "/sitemap.xml").await;
    assert_eq!(
        (
            &file["status"],
            &file["status_code"],
            &file["urls_count"],
            &file["changed_at"]
        ),
        (&json!("not_modified"), &json!(304), &json!(1), &Value::Null)
    );
    assert_eq!(file["fetched_at"], "2026-03-31T09:17:00Z");
    let urls = get(&app, "urls").await.ok();
    assert_eq!(urls["items"][0]["last_seen_at"], "2026-03-31T09:17:00Z");
}

#[tokio::test]
async fn the_same_bytes_with_other_headers_are_asked_for_by_those() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    let body = super::urlset(&format!("<url><loc>{}</loc></url>", site.url("/1")));
    site.lay(
        "/sitemap.xml",
        200,
        "content-type: application/xml\r\n",
        body.as_bytes(),
    );
    site.check(&app).await;
    let headers = "content-type: application/xml\r\netag: \"two\"\r\n";
    site.lay("/sitemap.xml", 200, headers, body.as_bytes());
    site.check(&app).await;
    assert_eq!(row(&app, &site, "/sitemap.xml").await["status"], "ok");
    site.check(&app).await;
    assert_eq!(row(&app, &site, "/sitemap.xml").await["status"], "not_modified");
}

#[tokio::test]
async fn a_file_can_be_added_and_stopped() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    site.check(&app).await;
    site.pages("/hidden.xml", &[("/1", "")]);
    let added = add(&app, &format!("{}#top", site.url("/hidden.xml"))).await;
    assert_eq!(added.status, 201);
    let added = added.json();
    assert_eq!(
        (&added["source"], &added["status"], &added["url"]),
        (
            &json!("manual"),
            &json!("pending"),
            &json!(site.url("/hidden.xml"))
        )
    );
    let again = add(&app, &site.url("/hidden.xml")).await;
    assert_eq!(again.json()["file_id"], added["file_id"], "it is watched already");
    site.check(&app).await;
    assert_eq!(row(&app, &site, "/hidden.xml").await["urls_count"], 1);
    assert_eq!(
        get(&app, "overview").await.ok()["discovered_via"],
        json!(["manual"])
    );

    let stopped = stop(&app, &added["file_id"]).await.ok();
    assert_eq!(
        (&stopped["id"], &stopped["history_retained"]),
        (&added["file_id"], &json!(true))
    );
    stop(&app, &added["file_id"])
        .await
        .problem(404, "sitemap-file-not-found");
    let id = added["file_id"].as_str().unwrap();
    get(&app, &format!("files/{id}"))
        .await
        .problem(404, "sitemap-file-not-found");
    site.check(&app).await;
    assert_eq!(changes(&app, &site).await, [], "its page has not left the site");
    assert_eq!(get(&app, "urls").await.ok()["items"], json!([]));
    let overview = get(&app, "overview").await.ok();
    assert_eq!(
        (&overview["files_total"], &overview["urls_total"]),
        (&json!(0), &json!(0))
    );
}

#[tokio::test]
async fn nothing_finds_a_stopped_file_anew_until_it_is_added() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    let robots = format!("Sitemap: {}\n", site.url("/sitemap.xml"));
    site.robots(&app, &robots).await;
    site.xml("/sitemap.xml", &index(&[site.url("/a.xml")]));
    site.pages("/a.xml", &[("/1", "")]);
    site.check(&app).await;
    let file = row(&app, &site, "/sitemap.xml").await;
    stop(&app, &file["file_id"]).await.ok();
    assert_eq!(
        get(&app, "files").await.ok()["items"],
        json!([]),
        "nor the file that it alone names"
    );
    site.asked();
    site.check(&app).await;
    assert_eq!(site.asked(), Vec::<String>::new());
    assert_eq!(changes(&app, &site).await, []);
    assert_eq!(add(&app, &site.url("/sitemap.xml")).await.status, 201);
    site.check(&app).await;
    assert_eq!(get(&app, "overview").await.ok()["urls_unique"], 1);
    assert_eq!(
        changes(&app, &site).await,
        [],
        "the first good fetch is the baseline anew"
    );
}

/// Neither was ever read: the one is named no longer, the other is stopped.
#[tokio::test]
async fn findings_of_a_file_that_was_never_good_go_with_it() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    site.pages("/sitemap.xml", &[("/1", "")]);
    let named = |path: &str| format!("Sitemap: {}\n", site.url(path));
    let both = named("/sitemap.xml") + &named("/broken.xml");
    site.robots(&app, &both).await;
    let added = add(&app, &site.url("/stopped.xml")).await.with_status(201);
    site.check(&app).await;
    assert_eq!(issues(&app).await[..2], ["unreachable", "unreachable"]);
    let errors = async || {
        app.sql("SELECT errors::text FROM sitemap_rounds ORDER BY ended_at DESC LIMIT 1")
            .await
    };
    assert_eq!(errors().await[0][0].as_deref(), Some("2"));

    stop(&app, &added["file_id"]).await.ok();
    site.robots(&app, &named("/sitemap.xml")).await;
    // It goes once robots.txt does not name it twice in a row.
    site.check(&app).await;
    site.check(&app).await;
    assert_eq!(errors().await[0][0].as_deref(), Some("0"));
    assert_eq!(issues(&app).await, Vec::<String>::new());
    let left = app.sql("SELECT count(*)::text FROM sitemap_issues").await;
    assert_eq!(left[0][0].as_deref(), Some("0"), "so the files can be forgotten");
}

#[tokio::test]
async fn a_file_lies_on_the_domain() {
    let app = TestApp::start().await;
    for (url, why) in [
        ("https://other.example/sitemap.xml", "not on shop.example"),
        ("https://notshop.example/sitemap.xml", "not on shop.example"),
        ("ftp://shop.example/sitemap.xml", "neither http nor https"),
        ("https://user@shop.example/sitemap.xml", "a user or a password"),
        ("/sitemap.xml", "not a URL"),
        ("https://10.0.0.1/sitemap.xml", "not on shop.example"),
    ] {
        let problem = add(&app, url).await.problem(400, "invalid-request");
        let detail = problem["errors"][0]["detail"].as_str().unwrap();
        assert!(detail.contains(why), "{url}: {detail}");
    }
    for url in [
        "https://shop.example/a.xml",
        "http://www.shop.example/b.xml.gz?c=1",
    ] {
        assert_eq!(add(&app, url).await.status, 201, "{url}");
    }
}
