//! The facts of pages in Google's index and search, beside their addresses in sitemaps and robots.txt.

use pharos_search::gsc::figures::SearchType;
use serde_json::{Value, json};
use time::{Duration, macros::date};

use super::{fixtures::see, get, lab::Site};
use crate::{
    fixtures::Fixtures,
    harness::{Reply, TestApp},
    indexing::{self, fixtures::Indexing},
    robots,
    search::{day, days, hit, link},
};

/// By hand: the cart has 2 clicks of 40 impressions, the shoes 9 of 90; most is sent to another host of the property.
async fn searched(app: &TestApp) {
    let (first, last) = (date!(2026 - 03 - 28), date!(2026 - 03 - 29));
    link(app, &[SearchType::Web], date!(2025 - 12 - 01), Some(last)).await;
    let cart = hit("cart", "https://shop.example/cart", 1, 20, 3.0);
    let shoes = hit("red shoes", "https://shop.example/shoes", 9, 90, 4.5);
    let blog = hit("laces", "https://blog.shop.example/laces", 50, 500, 2.0);
    let stored = [
        (first, day(true, &[cart])),
        (last, day(true, &[cart, shoes, blog])),
    ];
    days(app, SearchType::Web, stored).await;
}

async fn simulate(app: &TestApp, body: &Value) -> Reply {
    app.request("POST", &robots::path(app, "simulate/query"))
        .key(&app.world.key)
        .json(body)
        .send()
        .await
}

/// The row of a page.
fn row<'a>(answer: &'a Value, url: &str) -> &'a Value {
    let items = answer["items"].as_array().unwrap();
    items.iter().find(|item| item["url"] == url).unwrap()
}

/// Four pages are inspected, of which the first is not indexed.
#[tokio::test]
async fn pages_have_the_verdict_of_their_newest_inspection() {
    let app = TestApp::start().await;
    Indexing.fill(&app).await;
    see(&app, &["/page-1", "/page-2", "/other"], app.now()).await;
    let urls = get(&app, "urls?limit=100").await.ok();
    let verdict = |page: &str| row(&urls, &format!("https://shop.example{page}"))["index_verdict"].clone();
    assert_eq!(
        (verdict("/page-1"), verdict("/page-2"), verdict("/other")),
        (json!("neutral"), json!("pass"), Value::Null)
    );
    let overview = get(&app, "overview").await.ok();
    assert_eq!(overview["indexed_pct"], json!(75.0));
}

#[tokio::test]
async fn blocked_pages_have_the_impressions_that_are_at_stake() {
    let app = TestApp::start().await;
    robots::see(&app, 200, "User-agent: *\nDisallow: /cart\n", app.now()).await;
    see(&app, &["/cart", "/cart/2", "/shoes"], app.now()).await;
    let conflicts = async || robots::get(&app, "sitemap-conflicts").await.ok();
    let before = conflicts().await;
    let impressions = |answer: &Value, page: &str| {
        row(answer, &format!("https://shop.example{page}"))["impressions_28d"].clone()
    };
    assert_eq!(impressions(&before, "/cart"), Value::Null);
    searched(&app).await;
    // Answers are cached for five minutes.
    app.clock.advance(Duration::minutes(6));
    let found = conflicts().await;
    assert_eq!(
        (impressions(&found, "/cart"), impressions(&found, "/cart/2")),
        (json!(40), json!(0))
    );
}

#[tokio::test]
async fn a_simulation_says_how_many_clicks_are_at_risk() {
    let app = TestApp::start().await;
    robots::see(&app, 200, "User-agent: *\nDisallow: /cart\n", app.now()).await;
    let top = json!({
        "content": "User-agent: *\nDisallow: /shoes\n", "source": "gsc_top_pages", "user_agents": ["Googlebot", "Bingbot"]
    });
    assert_eq!(simulate(&app, &top).await.faults(), ["/source"]);
    searched(&app).await;
    let answer = simulate(&app, &top).await.ok();
    let clicks: Vec<_> = answer["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| {
            (
                item["url"].as_str().unwrap(),
                item["clicks_28d"].as_u64().unwrap(),
            )
        })
        .collect();
    let of_one = [
        ("https://shop.example/shoes", 9),
        ("https://shop.example/cart", 2),
    ];
    assert_eq!(clicks, [of_one, of_one].concat());
    assert_eq!(
        answer["summary"],
        json!({
            "evaluated": 4, "newly_blocked": 2, "newly_allowed": 2, "unchanged": 0, "clicks_at_risk_28d": 9
        })
    );
    let named = json!({ "content": "", "urls": ["https://shop.example/nobody-clicks"] });
    let answer = simulate(&app, &named).await.ok();
    assert_eq!(answer["items"][0]["clicks_28d"], json!(0));
    assert_eq!(answer["summary"]["clicks_at_risk_28d"], json!(0));
}

#[tokio::test]
async fn submitted_sitemaps_are_told_in_our_words_with_the_file_that_is_watched() {
    let app = TestApp::start().await;
    see(&app, &["/"], app.now()).await;
    indexing::link(&app).await;
    app.sql(&format!(
        "INSERT INTO search_submitted_sitemaps (domain_id, site_url, path, form, is_index, is_pending, last_submitted_at,
            last_downloaded_at, errors, warnings, contents)
        VALUES
            ('{domain}', 'sc-domain:shop.example', 'https://SHOP.example/0.xml', 'sitemap', false, false, '2026-01-12 10:00Z',
                '2026-03-30 04:11:09Z', 0, 1, '[[\"web\", 12], [\"pattern\", 3]]'),
            ('{domain}', 'sc-domain:shop.example', 'https://shop.example/old', NULL, false, true, NULL, NULL, 2, 0, '[]')",
        domain = app.world.domain,
    ))
    .await;
    let files = get(&app, "files").await.ok();
    let file = row(&files, "https://shop.example/0.xml")["file_id"].clone();
    let told = get(&app, "google").await.ok();
    assert_eq!(
        told["items"],
        json!([
            {
                "path": "https://SHOP.example/0.xml", "type": "sitemap", "is_index": false, "is_pending": false,
                "last_submitted_at": "2026-01-12T10:00:00Z", "last_downloaded_at": "2026-03-30T04:11:09Z", "errors": 0,
                "warnings": 1,
                "contents": [{ "type": "web", "submitted": 12 }, { "type": "other", "submitted": 3 }], "file_id": file
            },
            {
                "path": "https://shop.example/old", "type": null, "is_index": false, "is_pending": true,
                "last_submitted_at": null, "last_downloaded_at": null, "errors": 2, "warnings": 0, "contents": [],
                "file_id": null
            }
        ])
    );
}

#[tokio::test]
async fn a_submitted_sitemap_that_can_not_be_read_keeps_no_other_from_being_told() {
    let app = TestApp::start().await;
    indexing::link(&app).await;
    let domain = app.world.domain;
    app.sql(&format!(
        "INSERT INTO search_submitted_sitemaps (domain_id, site_url, path, is_index, is_pending, errors, warnings, contents)
        SELECT '{domain}', 'sc-domain:shop.example', 'https://shop.example/' || of.name, false, false, 0, 0, of.contents::jsonb
        FROM (VALUES ('1.xml', '[]'), ('2.xml', '{{\"web\": 12}}'), ('3.xml', '[]')) AS of (name, contents)",
    ))
    .await;
    let told = get(&app, "google").await.ok();
    let paths: Vec<&str> = told["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|item| item["path"].as_str())
        .collect();
    assert_eq!(
        paths,
        ["https://shop.example/1.xml", "https://shop.example/3.xml"]
    );
    let aside = app
        .sql("SELECT kind, subject, reason LIKE '%the contents of a submitted sitemap%' FROM set_aside")
        .await;
    let cells = ["search_import", &domain.to_string(), "t"].map(|cell| Some(cell.to_owned()));
    assert_eq!(aside, [cells]);
}

/// Two files name the same 60 pages, of which ten begin with /1/.
#[tokio::test]
async fn a_sample_of_the_pages_of_sitemaps_is_simulated() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    let (one, two) = (site.url("/one.xml"), site.url("/two.xml"));
    site.robots(
        &app,
        &format!("User-agent: *\nDisallow: /0/\nSitemap: {one}\nSitemap: {two}\n"),
    )
    .await;
    let paths: Vec<String> = (0..60)
        .map(|number| format!("/{}/{number}", number / 10))
        .collect();
    let pages: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), "")).collect();
    site.pages("/one.xml", &pages);
    site.pages("/two.xml", &pages);
    site.check(&app).await;
    let body = json!({
        "content": "User-agent: *\nDisallow: /1/\n", "source": "sitemap_sample", "user_agents": ["Googlebot"]
    });
    let answer = simulate(&app, &body).await.ok();
    assert_eq!(
        answer["summary"],
        json!({
            "evaluated": 60, "newly_blocked": 10, "newly_allowed": 10, "unchanged": 40, "clicks_at_risk_28d": null
        })
    );
}

/// The sitemap names two pages of the site, and 150 of another host that stand before them.
#[tokio::test]
async fn a_sample_is_of_pages_that_the_robots_txt_speaks_for() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    let file = site.url("/one.xml");
    site.robots(&app, &format!("User-agent: *\nDisallow: /0\nSitemap: {file}\n"))
        .await;
    site.pages("/one.xml", &[("/0", ""), ("/1", "")]);
    site.check(&app).await;
    app.sql(
        "INSERT INTO sitemap_urls (file_id, url_key, domain_id, url, images, videos, is_news, first_seen_at, listed_at)
         SELECT u.file_id, lpad(to_hex(n), 32, '0')::uuid, u.domain_id, 'https://other.example/' || n, 0, 0, false,
             u.first_seen_at, u.listed_at
         FROM sitemap_urls AS u, generate_series(1, 150) AS n
         WHERE u.url LIKE '%/0'",
    )
    .await;
    let body = json!({ "content": "", "source": "sitemap_sample", "user_agents": ["Googlebot"] });
    let answer = simulate(&app, &body).await.ok();
    assert_eq!(
        (
            &answer["summary"]["evaluated"],
            &answer["summary"]["newly_allowed"]
        ),
        (&json!(2), &json!(1))
    );
}
