//! GET …/robots/versions, versions/{version_id}, checks

use serde_json::{Value, json};
use time::Duration;

use super::{get, see};
use crate::harness::TestApp;

const FIRST: &str = "User-agent: *\nDisallow: /a\n\nUser-agent: GPTBot\nDisallow: /b\n";
/// Beside the first, by hand: rule `/a` is gone, `/` and `/z` are new. The groups `*` and GPTBot have other rules. All
/// crawlers without a group lose the root, GPTBot has one and does not.
const SECOND: &str = "User-agent: *\nDisallow: /\n\nUser-agent: GPTBot\nDisallow: /b\nDisallow: /z\nSitemap: https://shop.example/s.xml\n";

async fn three_versions(app: &TestApp) {
    let now = app.now();
    see(app, 200, FIRST, now - Duration::hours(3)).await;
    see(app, 200, FIRST, now - Duration::hours(2)).await;
    see(app, 200, SECOND, now - Duration::hours(1)).await;
    see(app, 404, "", now).await;
}

#[tokio::test]
async fn a_version_is_made_where_the_content_changes() {
    let app = TestApp::start().await;
    three_versions(&app).await;
    let versions = get(&app, "versions").await.ok();
    let items = versions["items"].as_array().unwrap();
    let told: Vec<_> = items
        .iter()
        .map(|version| {
            (
                version["detected_at"].clone(),
                version["replaced_at"].clone(),
                version["status_code"].clone(),
                version["impact"].clone(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            (
                json!("2026-03-31T09:15:00Z"),
                Value::Null,
                json!(404),
                json!("high")
            ),
            (
                json!("2026-03-31T08:15:00Z"),
                json!("2026-03-31T09:15:00Z"),
                json!(200),
                json!("high")
            ),
            (
                json!("2026-03-31T06:15:00Z"),
                json!("2026-03-31T08:15:00Z"),
                json!(200),
                json!("none")
            ),
        ]
    );
    // printf 'User-agent: *\nDisallow: /a\n\nUser-agent: GPTBot\nDisallow: /b\n' | wc -c
    assert_eq!(items[2]["size_bytes"], json!(60));
    // sha256sum of nothing
    assert_eq!(
        items[0]["sha256"],
        json!("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    );
    let first = get(&app, "versions?limit=1").await.ok();
    let cursor = first["next_cursor"].as_str().unwrap();
    let second = get(&app, &format!("versions?limit=1&cursor={cursor}")).await.ok();
    assert_eq!(second["items"][0], items[1]);
    let overview = get(&app, "overview").await.ok();
    assert_eq!(overview["last_changed_at"], json!("2026-03-31T09:15:00Z"));
    assert_eq!(overview["size_bytes"], Value::Null);
}

#[tokio::test]
async fn a_version_tells_its_difference_and_who_lost_the_site() {
    let app = TestApp::start().await;
    three_versions(&app).await;
    let versions = get(&app, "versions").await.ok();
    let id = versions["items"][1]["version_id"].as_str().unwrap();
    let version = get(&app, &format!("versions/{id}")).await.ok();
    let counts = [
        "rules_added",
        "rules_removed",
        "groups_changed",
        "sitemaps_changed",
    ];
    assert_eq!(
        counts.map(|name| version[name].clone()),
        [json!(2), json!(1), json!(2), json!(1)]
    );
    let line = |op: &str, before: Option<u32>, after: Option<u32>, text: &str| json!({ "op": op, "line_before": before, "line_after": after, "text": text });
    assert_eq!(
        version["diff"],
        json!([
            line("equal", Some(1), Some(1), "User-agent: *"),
            line("removed", Some(2), None, "Disallow: /a"),
            line("added", None, Some(2), "Disallow: /"),
            line("equal", Some(3), Some(3), ""),
            line("equal", Some(4), Some(4), "User-agent: GPTBot"),
            line("equal", Some(5), Some(5), "Disallow: /b"),
            line("added", None, Some(6), "Disallow: /z"),
            line("added", None, Some(7), "Sitemap: https://shop.example/s.xml"),
        ])
    );
    let changes = version["access_changes"].as_array().unwrap();
    let has = |token: &str| changes.iter().any(|change| change["user_agent_token"] == token);
    assert!(has("*") && has("Googlebot") && has("Bingbot"));
    assert!(
        !has("GPTBot") && !has("AdsBot-Google"),
        "they have rules of their own, or none"
    );
    assert_eq!(
        (&changes[0]["before"], &changes[0]["after"]),
        (&json!("allowed"), &json!("disallowed"))
    );
    let codes = |name: &str| -> Vec<Value> {
        let issues = version[name].as_array().unwrap();
        issues.iter().map(|issue| issue["code"].clone()).collect()
    };
    assert_eq!(codes("issues_added"), [json!("blocks_root")]);
    assert_eq!(codes("issues_resolved"), Vec::<Value>::new());
    let nobody = uuid::Uuid::now_v7();
    get(&app, &format!("versions/{nobody}"))
        .await
        .problem(404, "robots-version-not-found");
}

#[tokio::test]
async fn checks_are_listed_with_what_they_came_to() {
    let app = TestApp::start().await;
    three_versions(&app).await;
    let checks = get(&app, "checks").await.ok();
    let items = checks["items"].as_array().unwrap();
    let outcomes: Vec<_> = items.iter().map(|check| check["outcome"].clone()).collect();
    assert_eq!(
        outcomes,
        ["changed", "changed", "unchanged", "changed"].map(Value::from)
    );
    assert_eq!(items[1]["size_bytes"], json!(SECOND.len()));
    assert_eq!(items[2]["version_id"], items[3]["version_id"]);
}

#[tokio::test]
async fn a_change_is_an_event_for_alert_rules() {
    let app = TestApp::start().await;
    three_versions(&app).await;
    let events = app
        .sql("SELECT metric FROM metric_events WHERE module = 'robots'")
        .await;
    assert_eq!(events.len(), 2, "the first version is no change");
}
