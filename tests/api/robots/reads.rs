//! GET …/robots/overview, current, rules, issues, crawlers

use serde_json::{Value, json};
use time::Duration;

use super::{get, see};
use crate::harness::TestApp;

/// By hand: 4 groups with 2 + 1 + 1 + 2 rules. The path in line 14 has no slash.
const FILE: &str = "\
User-agent: *
Disallow: /cart
Allow: /cart/help$
Crawl-delay: 2.5

User-agent: GPTBot
User-agent: CCBot
Disallow: /

User-agent: Bingbot
Disallow: /

User-agent: FooBot
Disallow: a*b
Disalow: /typo
Sitemap: https://shop.example/sitemap.xml
Sitemap: https://cdn.example/sitemap.xml
";

#[tokio::test]
async fn nothing_is_known_before_the_first_check() {
    let app = TestApp::start().await;
    for rest in [
        "overview", "current", "rules", "issues", "crawlers", "versions", "checks",
    ] {
        get(&app, rest).await.problem(404, "robots-not-found");
    }
}

#[tokio::test]
async fn the_overview_counts_and_says_who_is_kept_out() {
    let app = TestApp::start().await;
    see(&app, 200, FILE, app.now()).await;
    let overview = get(&app, "overview").await.ok();
    let of = |name: &str| overview[name].clone();
    assert_eq!(
        (
            of("state"),
            of("effective_policy"),
            of("status_code"),
            of("size_bytes")
        ),
        (json!("ok"), json!("as_written"), json!(200), json!(FILE.len()))
    );
    // `Disalow` is taken for `Disallow`.
    assert_eq!(
        (of("groups_count"), of("rules_count"), of("sitemaps_count")),
        (json!(4), json!(6), json!(2))
    );
    assert_eq!(
        (
            of("blocks_all_crawlers"),
            of("blocks_googlebot"),
            of("blocks_bingbot")
        ),
        (json!(false), json!(false), json!(true))
    );
    assert_eq!(of("ai_crawlers_blocked"), json!(2), "GPTBot and CCBot");
    assert_eq!(of("last_changed_at"), Value::Null);
    // Worked out by hand: the path without a slash and the typo are warnings, the pause and the other host information.
    assert_eq!(of("issues"), json!({ "error": 0, "warning": 2, "info": 2 }));
}

#[tokio::test]
async fn the_text_stands_as_it_was_sent() {
    let app = TestApp::start().await;
    see(&app, 200, "\u{feff}User-agent: *\r\nDisallow: /ä\r\n", app.now()).await;
    let current = get(&app, "current").await.ok();
    assert_eq!(
        current["content"],
        json!("\u{feff}User-agent: *\r\nDisallow: /ä\r\n")
    );
    assert_eq!(
        (&current["has_bom"], &current["encoding"]),
        (&json!(true), &json!("utf-8"))
    );
    // printf '\xef\xbb\xbfUser-agent: *\r\nDisallow: /\xc3\xa4\r\n' | wc -c
    assert_eq!(
        (&current["size_bytes"], &current["truncated"]),
        (&json!(33), &json!(false))
    );
    assert_eq!(
        (&current["response_ms"], &current["etag"]),
        (&json!(84.25), &Value::Null)
    );
}

#[tokio::test]
async fn rules_are_told_with_their_lines() {
    let app = TestApp::start().await;
    see(&app, 200, FILE, app.now()).await;
    let rules = get(&app, "rules").await.ok();
    assert_eq!(
        rules["groups"][0],
        json!({
            "index": 0,
            "user_agents": ["*"],
            "start_line": 1,
            "end_line": 4,
            "crawl_delay_seconds": 2.5,
            "rules": [
                {
                    "line": 2, "type": "disallow", "path": "/cart", "path_length": 5, "has_wildcard": false,
                    "has_end_anchor": false, "is_empty": false
                },
                {
                    "line": 3, "type": "allow", "path": "/cart/help$", "path_length": 11, "has_wildcard": false,
                    "has_end_anchor": true, "is_empty": false
                }
            ]
        })
    );
    assert_eq!(rules["groups"][1]["user_agents"], json!(["GPTBot", "CCBot"]));
    assert_eq!(
        rules["other_lines"],
        json!([
            { "line": 4, "key": "Crawl-delay", "value": "2.5", "kind": "unused", "accepted_as": null },
            { "line": 15, "key": "Disalow", "value": "/typo", "kind": "typo", "accepted_as": "disallow" }
        ])
    );
    let same_host: Vec<_> = rules["sitemaps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["same_host"].clone())
        .collect();
    assert_eq!(same_host, [json!(true), json!(false)]);
}

#[tokio::test]
async fn a_finding_keeps_its_first_moment_when_lines_move() {
    let app = TestApp::start().await;
    let (then, now) = (app.now() - Duration::DAY, app.now());
    see(&app, 200, "User-agent: *\nDisallow: cart\n", then).await;
    see(
        &app,
        200,
        "# moved\nUser-agent: *\nDisallow: cart\nDisallow: help\n",
        now,
    )
    .await;
    let issues = get(&app, "issues").await.ok();
    let seen: Vec<_> = issues["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|issue| {
            (
                issue["line"].clone(),
                issue["excerpt"].clone(),
                issue["first_seen_at"].clone(),
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            (json!(3), json!("Disallow: cart"), json!("2026-03-30T09:15:00Z")),
            (json!(4), json!("Disallow: help"), json!("2026-03-31T09:15:00Z")),
        ]
    );
    let narrowed = get(&app, "issues?severity=error").await.ok();
    assert_eq!(narrowed["items"], json!([]));
}

#[tokio::test]
async fn crawlers_are_held_against_a_path() {
    let app = TestApp::start().await;
    see(&app, 200, FILE, app.now()).await;
    let row = async |query: &str, token: &str| {
        let crawlers = get(&app, &format!("crawlers{query}")).await.ok();
        let items = crawlers["items"].as_array().unwrap().clone();
        assert!(items.len() >= 45);
        let row = items
            .into_iter()
            .find(|row| row["user_agent_token"] == token)
            .unwrap();
        (
            row["matched_group_index"].clone(),
            row["matched_via"].clone(),
            row["root_access"].clone(),
        )
    };
    let allowed = json!("allowed");
    assert_eq!(
        row("", "Googlebot").await,
        (json!(0), json!("wildcard"), allowed.clone())
    );
    assert_eq!(
        row("", "GPTBot").await,
        (json!(1), json!("own_group"), json!("disallowed"))
    );
    assert_eq!(
        row("", "AdsBot-Google").await,
        (Value::Null, json!("none"), allowed.clone())
    );
    assert_eq!(row("?path=/cart", "Googlebot").await.2, json!("disallowed"));
    assert_eq!(row("?path=/cart/help", "Googlebot").await.2, allowed);
    let refused = get(&app, "crawlers?path=cart").await;
    let problem = refused.problem(400, "invalid-request");
    assert_eq!(
        problem["errors"][0]["detail"],
        "not a path with its query, from its first slash on"
    );
    // Nobody answers: all are kept out.
    see(&app, 503, "", app.now()).await;
    app.clock.advance(Duration::minutes(6));
    assert_eq!(row("", "Googlebot").await.2, json!("disallowed"));
}

/// Nodes are upgraded one by one: one of the next version may have found what this one does not know.
#[tokio::test]
async fn a_finding_of_a_later_version_is_passed_over() {
    let app = TestApp::start().await;
    let (then, now) = (app.now() - Duration::HOUR, app.now());
    see(&app, 200, FILE, then - Duration::HOUR).await;
    see(&app, 200, &format!("{FILE}Disallow: b\n"), then).await;
    let known = get(&app, "issues").await.ok();
    for list in ["issues", "issues_added", "issues_resolved"] {
        app.sql(&format!(
            r#"UPDATE robots_versions SET {list} = '[{{"code": "of_tomorrow", "line": 1, "excerpt": null, "message": "?"}}]' || {list}"#
        ))
        .await;
    }
    app.sql(
        r#"UPDATE robots_sites SET issues = '[{"code": "of_tomorrow", "line": 1, "excerpt": null, "message": "?",
            "first_seen_at": "2026-03-31T08:00:00Z"}]' || issues"#,
    )
    .await;
    app.sql("UPDATE robots_checks SET outcome = 'failed', error_class = 'of_tomorrow'")
        .await;
    // Answers are cached for five minutes.
    app.clock.advance(Duration::minutes(6));
    assert_eq!(get(&app, "issues").await.ok(), known);
    for rest in ["overview", "current", "rules", "crawlers", "versions"] {
        get(&app, rest).await.ok();
    }
    let versions = get(&app, "versions").await.ok();
    let id = versions["items"][0]["version_id"].as_str().unwrap();
    let version = get(&app, &format!("versions/{id}")).await.ok();
    assert_eq!(version["issues_added"].as_array().unwrap().len(), 1);
    assert_eq!(version["issues_resolved"], json!([]));
    let checks = get(&app, "checks").await.ok();
    assert_eq!(checks["items"][0]["error_class"], Value::Null);
    // The next check is stored.
    see(&app, 200, "User-agent: *\nDisallow:\n", now).await;
    app.clock.advance(Duration::minutes(6));
    let versions = get(&app, "versions").await.ok();
    assert_eq!(versions["items"].as_array().unwrap().len(), 3);
}

/// As many short lines as a file has room for, of each kind.
#[tokio::test]
async fn answers_about_a_full_file_have_an_end() {
    let app = TestApp::start().await;
    see(&app, 200, FILE, app.now()).await;
    let lines: String = "allow:/\na:b\nsitemap:c\nuser-agent:d\n".repeat(11_000);
    let text = format!("User-agent: *\nDisallow: /x\n{lines}");
    see(&app, 200, &text, app.now() + Duration::MINUTE).await;
    let rules = get(&app, "rules").await.ok();
    let told = |name: &str| rules[name].as_array().unwrap().len();
    // By hand: 19,998 lines behind the first two are 4,999 times the four, and the first two of them.
    assert_eq!(told("other_lines"), 5_000);
    assert_eq!((told("sitemaps"), told("groups")), (4_999, 5_000));
    let groups = rules["groups"].as_array().unwrap();
    let of_groups = groups
        .iter()
        .map(|group| group["rules"].as_array().unwrap().len());
    assert_eq!(of_groups.sum::<usize>(), 5_001);
    let versions = get(&app, "versions").await.ok();
    let id = versions["items"][0]["version_id"].as_str().unwrap();
    let version = get(&app, &format!("versions/{id}")).await.ok();
    assert_eq!(version["diff"].as_array().unwrap().len(), 20_000);
}
