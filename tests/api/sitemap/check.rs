//! POST …/sitemap/check

use serde_json::{Value, json};
use tokio::time::{Duration, Instant, sleep};

use super::{each, get, index, lab::Site, path};
use crate::harness::TestApp;

#[tokio::test]
async fn a_run_fetches_all_files() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    site.xml(
        "/sitemap.xml",
        &index(&[site.url("/a.xml"), site.url("/gone.xml")]),
    );
    site.pages("/a.xml", &[("/1", "")]);
    let ask = || {
        app.request("POST", &path(&app, "check"))
            .key(&app.world.key)
            .header("idempotency-key", "first")
    };
    let reply = ask().send().await;
    assert_eq!(reply.status, 202);
    let run = reply.json();
    assert_eq!(
        (&run["kind"], &run["credits_charged"]),
        (&json!("sitemap_check"), &json!(25))
    );
    assert_eq!(ask().send().await.json(), run, "a replay");
    let poll = run["poll_path"]
        .as_str()
        .unwrap()
        .strip_prefix("/api/public/v1")
        .unwrap();
    let waiting = app.get(poll, &app.world.key).send().await.ok();
    assert_eq!(waiting["items"], json!([]));

    let _crew = site.worker(&app).await;
    let deadline = Instant::now() + Duration::from_secs(30);
    let done = loop {
        let files = app.get(poll, &app.world.key).send().await.ok();
        if files["last_run"]["status"] == "succeeded" {
            break files;
        }
        assert!(
            Instant::now() < deadline,
            "the run is not done: {}",
            files["last_run"]
        );
        sleep(Duration::from_millis(50)).await;
    };
    assert_eq!(
        (
            &done["last_run"]["run_id"],
            &done["last_run"]["total_items"],
            &done["last_run"]["completed_items"]
        ),
        (&run["run_id"], &json!(3), &json!(3))
    );
    assert_eq!(each(&done, "status"), ["ok", "ok", "gone"]);
    assert_eq!(site.asked(), ["/sitemap.xml", "/a.xml", "/gone.xml"]);
    let other = get(&app, &format!("files?run_id={}", uuid::Uuid::now_v7()))
        .await
        .ok();
    assert_eq!(other["items"], Value::Array(Vec::new()));
}

/// A job may be done twice: files that the run has fetched are not fetched again, so that nothing is missed twice.
#[tokio::test]
async fn a_run_that_is_done_twice_fetches_each_file_once() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    site.pages("/sitemap.xml", &[("/1", ""), ("/2", "")]);
    site.check(&app).await;
    site.pages("/sitemap.xml", &[("/1", "")]);
    site.asked();
    let checker = site.checker(&app);
    let run = Some(pharos_domain::ids::RunId::generate());
    let address = site.url("/");
    for (files, before) in [(1, 0), (0, 1)] {
        let end = checker.check(app.world.domain, &address, run).await.unwrap();
        let end = end.unwrap();
        assert!(end.is_whole);
        assert_eq!(
            (end.counts.files, end.fetched_before),
            (files, before),
            "all count for the run"
        );
    }
    assert_eq!(site.asked(), ["/sitemap.xml"]);
    assert_eq!(get(&app, "changes").await.ok()["items"], json!([]));
}

/// The samples of pages can't be read; the check ends all the same, and its findings stay as they were.
#[tokio::test]
async fn a_finding_that_fails_keeps_no_check_from_ending() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    site.pages("/sitemap.xml", &[("/1", "<priority>2</priority>")]);
    site.check(&app).await;
    app.sql("ALTER TABLE sitemap_samples RENAME TO sitemap_samples_away")
        .await;
    site.pages("/sitemap.xml", &[("/1", "<lastmod>soon</lastmod>")]);
    site.check(&app).await;
    app.sql("ALTER TABLE sitemap_samples_away RENAME TO sitemap_samples")
        .await;
    let overview = get(&app, "overview").await.ok();
    assert_eq!(overview["last_checked_at"], "2026-03-31T09:17:00Z");
    let found = each(&get(&app, "issues").await.ok(), "code");
    assert!(found.contains(&"invalid_lastmod".to_owned()), "{found:?}");
}
