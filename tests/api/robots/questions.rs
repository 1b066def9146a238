//! PUT …/robots/test-urls, POST …/test-urls/query, simulate/query, overlapping-rules/query

use serde_json::{Value, json};
use time::Duration;

use super::{get, path, see};
use crate::harness::{Reply, TestApp};

const FILE: &str = "User-agent: *\nDisallow: /cart\nAllow: /cart/help\n\nUser-agent: Bingbot\nDisallow: /\n";

async fn post(app: &TestApp, rest: &str, body: &Value) -> Reply {
    app.request("POST", &path(app, rest))
        .key(&app.world.key)
        .json(body)
        .send()
        .await
}

async fn put(app: &TestApp, body: &Value) -> Reply {
    app.put(&path(app, "test-urls"), &app.world.key, body)
        .send()
        .await
}

fn saved(url: &str, agent: &str, expectation: &str) -> Value {
    json!({ "url": url, "user_agent": agent, "expectation": expectation })
}

async fn app() -> TestApp {
    let app = TestApp::start().await;
    see(&app, 200, FILE, app.now()).await;
    app
}

#[tokio::test]
async fn saved_urls_are_held_against_the_file() {
    let app = app().await;
    let items = json!([
        saved("https://shop.example/cart?x=1", "Googlebot", "disallowed"),
        saved("https://shop.example/cart/help", "Googlebot", "disallowed"),
        saved("https://shop.example/", "Mozilla/5.0", "allowed"),
        saved("https://shop.example/", "Bingbot/2.0", "allowed"),
    ]);
    let replaced = put(&app, &json!({ "items": items })).await.ok();
    let listed = get(&app, "test-urls").await.ok();
    assert_eq!(listed, replaced);
    let told: Vec<_> = listed["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            (
                row["last_result"].clone(),
                row["passing"].clone(),
                row["matched_rule"]["line"].clone(),
            )
        })
        .collect();
    let (yes, no) = (json!(true), json!(false));
    assert_eq!(
        told,
        [
            (json!("disallowed"), yes.clone(), json!(2)),
            (json!("allowed"), no.clone(), json!(3)),
            (json!("allowed"), yes, Value::Null),
            (json!("disallowed"), no, json!(6)),
        ]
    );
    let overview = get(&app, "overview").await.ok();
    assert_eq!(overview["failing_test_urls"], json!(2));
    put(&app, &json!({ "items": [] })).await.ok();
    assert_eq!(get(&app, "test-urls").await.ok()["items"], json!([]));
}

#[tokio::test]
async fn all_faults_of_saved_urls_are_told() {
    let app = app().await;
    let items = json!([
        saved("https://www.shop.example/", "Googlebot", "allowed"),
        saved("https://shop.example/", "Googlebot", "allowed"),
        saved("not a url", "Googlebot", "allowed"),
    ]);
    let refused = put(&app, &json!({ "items": items })).await;
    refused.problem(400, "invalid-request");
    let faults = refused.faults();
    for at in ["/items/0/url", "/items/2/url"] {
        assert!(faults.iter().any(|fault| fault.contains(at)), "{at}: {faults:?}");
    }
    let nobody = json!({ "items": [saved("https://shop.example/", "(compatible)", "allowed")] });
    assert_eq!(put(&app, &nobody).await.faults(), ["/items/0/user_agent"]);
    let both = json!({ "items": [
        saved("https://shop.example/", "(compatible)", "allowed"),
        saved("not a url", "Googlebot", "perhaps"),
        saved("https://www.shop.example/", "(compatible)", "allowed"),
    ] });
    let mut faults = put(&app, &both).await.faults();
    faults.sort();
    assert_eq!(
        faults,
        [
            "/items/0/user_agent",
            "/items/1/expectation",
            "/items/1/url",
            "/items/2/url",
            "/items/2/user_agent",
        ]
    );
    let many: Vec<Value> = (0..201)
        .map(|number| saved(&format!("https://shop.example/{number}"), "*", "allowed"))
        .collect();
    put(&app, &json!({ "items": many }))
        .await
        .problem(400, "invalid-request");
    assert_eq!(get(&app, "test-urls").await.ok()["items"], json!([]));
}

#[tokio::test]
async fn urls_are_asked_about_for_crawlers() {
    let app = app().await;
    let body = json!({
        "urls": ["https://shop.example/cart", "https://shop.example/robots.txt"],
        "user_agents": ["Googlebot", "Bingbot", "AdsBot-Google"]
    });
    let answer = post(&app, "test-urls/query", &body).await.ok();
    let told: Vec<_> = answer["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| {
            (
                item["user_agent"].clone(),
                item["allowed"].clone(),
                item["reason"].clone(),
            )
        })
        .collect();
    let row = |agent: &str, is_allowed: bool, reason: &str| (json!(agent), json!(is_allowed), json!(reason));
    assert_eq!(
        told,
        [
            row("Googlebot", false, "rule_match"),
            row("Googlebot", true, "always_allowed"),
            row("Bingbot", false, "rule_match"),
            row("Bingbot", true, "always_allowed"),
            row("AdsBot-Google", true, "no_group"),
            row("AdsBot-Google", true, "always_allowed"),
        ]
    );
    assert_eq!(
        answer["items"][0]["matched_rule"],
        json!({ "line": 2, "type": "disallow", "path": "/cart" })
    );
    assert_eq!(
        answer["items"][2]["matched_group"],
        json!({ "user_agent": "Bingbot", "start_line": 5 })
    );
    let usual = post(
        &app,
        "test-urls/query",
        &json!({ "urls": ["https://shop.example/"] }),
    )
    .await
    .ok();
    assert_eq!(usual["items"][0]["user_agent"], json!("Googlebot"));

    see(&app, 500, "", app.now() + Duration::MINUTE).await;
    let down = post(
        &app,
        "test-urls/query",
        &json!({ "urls": ["https://shop.example/"] }),
    )
    .await
    .ok();
    assert_eq!(down["items"][0]["reason"], json!("robots_unreachable"));
    see(&app, 404, "", app.now() + Duration::MINUTE).await;
    let gone = post(
        &app,
        "test-urls/query",
        &json!({ "urls": ["https://shop.example/"] }),
    )
    .await
    .ok();
    assert_eq!(gone["items"][0]["reason"], json!("robots_missing"));
}

#[tokio::test]
async fn a_whole_user_agent_is_asked_about_as_the_crawler_in_it() {
    let app = TestApp::start().await;
    let file = "User-agent: *\nAllow: /\n\nUser-agent: GPTBot\nDisallow: /\n";
    see(&app, 200, file, app.now()).await;
    let agent = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)";
    let body = json!({ "urls": ["https://shop.example/"], "user_agents": [agent] });
    let answer = post(&app, "test-urls/query", &body).await.ok();
    let item = &answer["items"][0];
    assert_eq!(
        (&item["user_agent"], &item["allowed"]),
        (&json!(agent), &json!(false))
    );
    assert_eq!(
        item["matched_group"],
        json!({ "user_agent": "GPTBot", "start_line": 4 })
    );
}

#[tokio::test]
async fn a_group_whose_name_is_no_token_speaks_to_nobody() {
    let app = TestApp::start().await;
    let file = "User-agent: 360Spider\nUser-agent: *\nDisallow: /cart\n\nUser-agent: 80legs\nDisallow: /\n";
    see(&app, 200, file, app.now()).await;
    let body = json!({
        "urls": ["https://shop.example/cart", "https://shop.example/"],
        "user_agents": ["*"]
    });
    let answer = post(&app, "test-urls/query", &body).await.ok();
    assert_eq!(
        answer["items"][0]["matched_group"],
        json!({ "user_agent": "*", "start_line": 1 })
    );
    assert_eq!(answer["items"][1]["allowed"], json!(true));
    let overview = get(&app, "overview").await.ok();
    assert_eq!(overview["blocks_all_crawlers"], json!(false));
}

#[tokio::test]
async fn a_proposed_text_is_held_against_the_file() {
    let app = app().await;
    let body = json!({
        "content": "User-agent: *\nDisallow: /help\nDisalow: /x\n",
        "urls": ["https://shop.example/cart", "https://shop.example/help", "https://shop.example/"],
        "user_agents": ["Googlebot"]
    });
    let answer = post(&app, "simulate/query", &body).await.ok();
    assert_eq!(
        answer["summary"],
        json!({
            "evaluated": 3, "newly_blocked": 1, "newly_allowed": 1, "unchanged": 1, "clicks_at_risk_28d": null
        })
    );
    assert_eq!(answer["items"][0]["matched_rule_current"]["line"], json!(2));
    assert_eq!(answer["items"][0]["matched_rule_proposed"], Value::Null);
    assert_eq!(answer["issues"][0]["code"], json!("directive_typo"));
}

#[tokio::test]
async fn a_url_that_is_saved_for_two_crawlers_is_simulated_once() {
    let app = app().await;
    let items = json!([
        saved("https://shop.example/help", "Googlebot", "allowed"),
        saved("https://shop.example/", "Googlebot", "allowed"),
        saved("https://shop.example/help", "Bingbot", "allowed"),
    ]);
    put(&app, &json!({ "items": items })).await.ok();
    let body = json!({
        "content": "User-agent: *\nDisallow: /help\n", "source": "test_urls", "user_agents": ["Googlebot"]
    });
    let answer = post(&app, "simulate/query", &body).await.ok();
    assert_eq!(
        (
            &answer["summary"]["evaluated"],
            &answer["summary"]["newly_blocked"]
        ),
        (&json!(2), &json!(1))
    );
}

#[tokio::test]
async fn an_item_that_stands_twice_is_saved_once() {
    let app = app().await;
    let twice = saved("https://shop.example/help", "Googlebot", "allowed");
    let items = json!([
        twice,
        twice,
        saved("https://shop.example/help", "Googlebot", "disallowed"),
    ]);
    let replaced = put(&app, &json!({ "items": items })).await.ok();
    let expected: Vec<_> = replaced["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["expectation"].clone())
        .collect();
    assert_eq!(expected, [json!("allowed"), json!("disallowed")]);
}

#[tokio::test]
async fn a_source_that_is_none_is_the_one_fault() {
    let app = app().await;
    let body = json!({ "content": "", "source": "nope" });
    assert_eq!(post(&app, "simulate/query", &body).await.faults(), ["/source"]);
    let neither = post(&app, "simulate/query", &json!({ "content": "" })).await;
    assert_eq!(neither.faults(), ["/urls"]);
}

#[tokio::test]
async fn a_simulation_has_bounds() {
    let app = app().await;
    let urls = |count: usize| -> Vec<String> {
        (0..count)
            .map(|number| format!("https://shop.example/{number}"))
            .collect()
    };
    let long = "#".repeat(600 * 1024);
    for body in [
        json!({ "content": "", "urls": urls(501) }),
        json!({ "content": long, "urls": urls(1) }),
        json!({ "content": "", "urls": urls(1), "user_agents": ["x".repeat(10_240)] }),
        json!({ "content": "", "urls": urls(500), "user_agents": ["a", "b", "c", "d", "e"] }),
        json!({ "content": "", "urls": urls(1), "source": "test_urls" }),
        json!({ "content": "" }),
        json!({ "content": "", "source": "test_urls" }),
        json!({ "content": "", "source": "gsc_top_pages" }),
        json!({ "content": "", "source": "sitemap_sample" }),
        json!({ "content": "", "urls": ["http://shop.example/"] }),
    ] {
        post(&app, "simulate/query", &body)
            .await
            .problem(400, "invalid-request");
    }
    // Two bytes each, and a URL that is none: both are told.
    let wide = json!({ "content": "é".repeat(300 * 1024), "urls": ["nowhere"] });
    let refused = post(&app, "simulate/query", &wide).await;
    assert_eq!(refused.faults(), ["/content", "/urls/0"]);
    let largest = "#\n".repeat(256_000);
    let body = json!({ "content": largest, "urls": urls(500), "user_agents": ["a", "b", "c", "d"] });
    let answer = post(&app, "simulate/query", &body).await.ok();
    assert_eq!(answer["summary"]["evaluated"], json!(2_000));
}

/// Each of 2,000 pairs points at the rule.
#[tokio::test]
async fn a_long_rule_is_told_by_its_beginning() {
    let app = app().await;
    let rule = format!("User-agent: *\nDisallow: /{}\n", "*".repeat(10_000));
    let body = json!({ "content": rule, "urls": ["https://shop.example/a"] });
    let answer = post(&app, "simulate/query", &body).await.ok();
    let told = &answer["items"][0]["matched_rule_proposed"];
    assert_eq!(told["line"], json!(2));
    assert_eq!(told["path"].as_str().unwrap().len(), 500);
    let twice = format!("{rule}Disallow: /{}\n", "b".repeat(3_000));
    let answer = post(&app, "overlapping-rules/query", &json!({ "content": twice }))
        .await
        .ok();
    assert_eq!(answer["items"][0]["rule_a"]["line"], json!(3));
    assert_eq!(answer["items"][0]["example_url"], Value::Null);
}

#[tokio::test]
async fn overlapping_rules_are_shown_by_a_url() {
    let app = app().await;
    let body = json!({ "content": "User-agent: *\nDisallow: /a\nDisallow: /a/b\nAllow: /c\nDisallow: /c\n" });
    let answer = post(&app, "overlapping-rules/query", &body).await.ok();
    let rule = |line: u32, kind: &str, path: &str| json!({ "line": line, "type": kind, "path": path });
    assert_eq!(
        answer["items"],
        json!([
            {
                "user_agent": "*", "kind": "redundant", "rule_a": rule(3, "disallow", "/a/b"),
                "rule_b": rule(2, "disallow", "/a"), "winner": "a", "example_url": "https://shop.example/a/b",
                "severity": "info"
            },
            {
                "user_agent": "*", "kind": "contradicting", "rule_a": rule(5, "disallow", "/c"),
                "rule_b": rule(4, "allow", "/c"), "winner": "tie_allow", "example_url": "https://shop.example/c",
                "severity": "warning"
            }
        ])
    );
    let live = post(&app, "overlapping-rules/query", &json!({})).await.ok();
    assert_eq!(live["items"], json!([]), "an exception is none");
}

/// 42,000 rules and 500 long URLs that hold most of what they ask for are answered; what is written to take hours is refused.
#[tokio::test]
async fn a_simulation_has_an_end_whatever_the_rules_are() {
    let app = app().await;
    let of = |content: String, letters: &str| {
        let urls: Vec<String> = (100..600)
            .map(|number| {
                format!(
                    "https://shop.example/{}{number}",
                    letters.repeat(1_950 / letters.len())
                )
            })
            .collect();
        json!({ "content": content, "urls": urls })
    };
    let many = format!("User-agent: *\n{}", "Allow:*zqzz\n".repeat(42_000));
    let told = post(&app, "simulate/query", &of(many, "zq")).await.ok();
    assert_eq!(told["summary"]["evaluated"], json!(500));
    assert_eq!(told["items"][0]["matched_rule_proposed"], Value::Null);
    let long: String = (1..900)
        .map(|length| format!("Disallow: /*{}*b\n", "a".repeat(length)))
        .collect();
    let long = format!("User-agent: *\n{long}");
    let refused = post(&app, "simulate/query", &of(long.clone(), "a")).await;
    refused.problem(400, "invalid-request");
    assert_eq!(refused.faults(), ["/user_agents"]);
    see(&app, 200, &long, app.now() + Duration::MINUTE).await;
    let urls: Vec<String> = (100..200)
        .map(|number| format!("https://shop.example/{}{number}", "a".repeat(1_950)))
        .collect();
    let asked = post(&app, "test-urls/query", &json!({ "urls": urls })).await;
    asked.problem(400, "invalid-request");
    let overlaps = post(&app, "overlapping-rules/query", &json!({})).await;
    overlaps.ok();
}
