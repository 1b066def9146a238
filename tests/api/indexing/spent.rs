//! On which URLs inspections are spent: what goes first, what is kept for whom, what is let go.

use std::{collections::BTreeMap, sync::Arc};

use pharos_account::admin::plans::Plan;
use pharos_domain::{module::Module, quota::QuotaResource, secret::Secret};
use pharos_search::{
    google::account::Credentials,
    gsc::{
        accounts::{AccountStore, NewAccount, NewLink},
        property::Permission,
    },
    indexing::{
        inspector::InspectError,
        store::schedule::{DueSite, IndexingSchedule},
        target::Source,
    },
};
use serde_json::{Value, json};
use time::Duration;

use super::{add, get, id_of, link, played::Played, rotation};
use crate::harness::{TestApp, actor};

fn url(name: &str) -> String {
    format!("https://shop.example/{name}")
}

fn urls(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| url(name)).collect()
}

async fn add_all(app: &TestApp, urls: &[String]) -> Value {
    let named: Vec<&str> = urls.iter().map(String::as_str).collect();
    add(app, &named).await.with_status(201)
}

/// Has web search send so many clicks to pages on the newest final day, 29 March.
async fn searched(app: &TestApp, pages: &[(&str, u32)]) {
    let domain = app.world.domain;
    app.sql("UPDATE search_properties SET data_through = '2026-03-29'")
        .await;
    for (page, clicks) in pages {
        app.sql(&format!(
            "WITH page AS (
                INSERT INTO search_values (domain_id, kind, value) VALUES ('{domain}', 2, '{}') RETURNING id
            )
            INSERT INTO search_sums (domain_id, search_type, kind, date, value_id, clicks, impressions, position_sum)
            SELECT '{domain}', 1, 2, '2026-03-29', id, {clicks}, 100, 200 FROM page",
            url(page),
        ))
        .await;
    }
}

#[tokio::test]
async fn what_the_search_sends_most_to_is_inspected_first() {
    let app = TestApp::start().await;
    link(&app).await;
    searched(&app, &[("a", 1), ("b", 9), ("c", 5), ("d", 0)]).await;
    let played = Played::new();
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(played.asked(), urls(&["b", "c", "a", "d"]));
}

#[tokio::test]
async fn a_third_of_a_round_is_of_what_is_looked_at_daily() {
    let app = TestApp::start().await;
    link(&app).await;
    let pages: Vec<String> = (0..10).map(|page| format!("p{page}")).collect();
    let pages: Vec<(&str, u32)> = pages.iter().map(|page| (page.as_str(), 5)).collect();
    searched(&app, &pages).await;
    let played = Played::new();
    rotation(&app, &played).round().await.unwrap();
    let valuable = played.asked();
    assert_eq!(valuable.len(), 10);
    app.clock.advance(Duration::hours(25));
    let new: Vec<String> = (0..30).map(|page| url(&format!("new-{page:02}"))).collect();
    add_all(&app, &new).await;
    rotation(&app, &played).round().await.unwrap();
    let asked = played.asked();
    assert_eq!(asked[..8].iter().filter(|url| valuable.contains(url)).count(), 8);
    assert_eq!(asked[8..], new[..16]);
}

/// Two valuable pages are due later on the day, of whose inspections four are left: new URLs get two of these.
#[tokio::test]
async fn new_urls_leave_what_valuable_ones_need_later_on_the_day() {
    let app = TestApp::start().await;
    link(&app).await;
    searched(&app, &[("a", 5), ("b", 5)]).await;
    let played = Played::new();
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(played.asked().len(), 2);
    app.sql("UPDATE indexing_urls SET next_inspection_at = '2026-03-31 20:00Z'")
        .await;
    app.sql("UPDATE indexing_quota SET used = 1796, rotation = 1796")
        .await;
    let new = urls(&["n0", "n1", "n2", "n3", "n4"]);
    add_all(&app, &new).await;
    app.clock.advance(Duration::MINUTE);
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(played.asked(), new[..2]);
    app.clock.advance(Duration::hours(2));
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(played.asked(), Vec::<String>::new());
    app.clock.advance(Duration::hours(10));
    rotation(&app, &played).round().await.unwrap();
    let mut asked = played.asked();
    asked.sort_unstable();
    assert_eq!(asked, urls(&["a", "b"]));
}

/// The property has ten inspections left, and three URLs of the other domain need three.
#[tokio::test]
async fn domains_of_one_property_leave_each_other_a_share() {
    let app = TestApp::start().await;
    link(&app).await;
    let (workspace, other) = (app.world.workspace, "0190f3c2-cf93-7186-b2a7-8e6e60bf3d77");
    app.sql(&format!(
        "INSERT INTO domains (id, workspace_id, hostname, created_at)
        VALUES ('{other}', '{workspace}', 'blog.shop.example', '2026-01-01Z');
        INSERT INTO search_properties (domain_id, workspace_id, site_url, permission, status, linked_at)
        VALUES ('{other}', '{workspace}', 'sc-domain:shop.example', 'owner', 'connected', '2026-01-01Z');
        INSERT INTO indexing_sites (domain_id, workspace_id, next_round_at, leased_until)
        VALUES ('{other}', '{workspace}', '2026-03-01Z', now() + interval '10 minutes');
        INSERT INTO indexing_urls (id, domain_id, url, source, created_at, next_inspection_at)
        SELECT gen_random_uuid(), '{other}', 'https://blog.shop.example/' || n, 'manual', '2026-03-01Z', '2026-03-01Z'
        FROM generate_series(1, 3) AS n;
        INSERT INTO indexing_quota (site_url, day, used, rotation)
        VALUES ('sc-domain:shop.example', '2026-03-31', 1790, 1790)"
    ))
    .await;
    let new: Vec<String> = (0..12).map(|page| url(&format!("{page:02}"))).collect();
    add_all(&app, &new).await;
    let played = Played::new();
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(played.asked(), new[..7]);
    app.clock.advance(Duration::hours(2));
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(played.asked(), Vec::<String>::new());
    // Once the other domain needs none, what is left is anybody's.
    app.sql(&format!("DELETE FROM indexing_urls WHERE domain_id = '{other}'"))
        .await;
    app.clock.advance(Duration::hours(2));
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(played.asked(), new[7..10]);
}

#[tokio::test]
async fn a_day_on_which_every_inspection_failed_has_none() {
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    add_all(&app, &urls(&["a"])).await;
    rotation(&app, &played).round().await.unwrap();
    played.says_to_all(Some(InspectError::Away("503".to_owned())));
    app.clock.advance(Duration::days(2));
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(played.asked().len(), 2);
    let days = app.sql("SELECT day::text FROM indexing_days").await;
    assert_eq!(days, [[Some("2026-03-31".to_owned())]]);
}

/// Google says of a URL outside the property what it says of a property that the account may not read.
#[tokio::test]
async fn a_url_that_is_not_permitted_does_not_stop_the_others() {
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    let all = urls(&["a", "b", "c", "d", "e", "f"]);
    played.fails(&all[1], InspectError::NotPermitted("403".to_owned()));
    add_all(&app, &all).await;
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(played.asked(), all);
    let refused = &get(&app, "urls").await["items"][1];
    assert_eq!(refused["last_error_code"], "invalid-request");
    // Where all of them are refused, the next round asks for others.
    let app = TestApp::start().await;
    link(&app).await;
    for url in &all[..4] {
        played.fails(url, InspectError::NotPermitted("403".to_owned()));
    }
    add_all(&app, &all).await;
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(played.asked(), all[..4]);
    let refused = &get(&app, "urls").await["items"][0];
    assert_eq!(refused["last_error_code"], "forbidden");
    app.clock.advance(Duration::hours(2));
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(played.asked(), all[4..]);
}

/// The URLs that are monitored, and how much the workspace has used of its quota.
async fn monitored(app: &TestApp) -> (Vec<String>, String) {
    let rows = app
        .sql("SELECT url FROM indexing_urls WHERE next_inspection_at IS NOT NULL ORDER BY url")
        .await;
    let used = app
        .sql("SELECT used::text FROM quota_usage WHERE resource = 'monitored_urls_indexing'")
        .await;
    let urls = rows.into_iter().filter_map(|mut row| row.remove(0));
    (urls.collect(), used[0][0].clone().unwrap_or_default())
}

#[tokio::test]
async fn a_narrower_property_lets_urls_outside_it_go() {
    const NARROW: &str = "https://www.shop.example/";
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    let (inside, outside) = ("https://www.shop.example/b".to_owned(), url("a"));
    add_all(&app, &[outside, inside.clone()]).await;
    let accounts: Arc<dyn AccountStore> = app.stores.ports.get().unwrap();
    let new = NewAccount {
        workspace: app.world.workspace,
        label: "ada@shop.example".to_owned(),
        credentials: Credentials::Oauth {
            refresh_token: Secret::from("the-refresh-token".to_owned()),
        },
        created_by: None,
    };
    let account = accounts.add(&new, &actor(), app.now()).await.unwrap();
    let moved = NewLink {
        domain: app.world.domain,
        account,
        site_url: NARROW.to_owned(),
        permission: Permission::Owner,
        linked_by: Some(app.world.owner),
    };
    accounts.link(&moved, &actor(), app.now()).await.unwrap();
    assert_eq!(monitored(&app).await, (vec![inside.clone()], "1".to_owned()));
    played.is_of(NARROW);
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(played.asked(), [inside]);
}

/// As a version left it that let nothing go.
#[tokio::test]
async fn a_round_lets_urls_go_that_lie_outside_the_property() {
    const NARROW: &str = "https://www.shop.example/";
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    let inside = "https://www.shop.example/b".to_owned();
    add_all(&app, &[url("a"), inside.clone()]).await;
    app.sql(&format!("UPDATE search_properties SET site_url = '{NARROW}'"))
        .await;
    played.is_of(NARROW);
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(played.asked(), std::slice::from_ref(&inside));
    assert_eq!(monitored(&app).await, (vec![inside], "1".to_owned()));
}

/// Another property was linked while a round was under way.
#[tokio::test]
async fn a_round_of_a_property_that_is_linked_no_longer_changes_nothing() {
    let app = TestApp::start().await;
    link(&app).await;
    add_all(&app, &urls(&["a"])).await;
    let schedule: Arc<dyn IndexingSchedule> = app.stores.ports.get().unwrap();
    schedule.enrol(app.now(), 10).await.unwrap();
    let round_of = |site_url: &str| DueSite {
        domain: app.world.domain,
        site_url: site_url.to_owned(),
        linked_at: app.now(),
        gathered_at: None,
        failures: 0,
        due_in: Duration::ZERO,
        leased_until: app.now(),
    };
    let gathered = "SELECT (gathered_at IS NOT NULL)::text FROM indexing_sites";
    let before = round_of("https://www.shop.example/");
    let of_before = ["https://www.shop.example/b".to_owned()];
    schedule
        .gather(&before, Source::Sitemap, &of_before, app.now())
        .await
        .unwrap();
    schedule.let_go_outside(&before, app.now()).await.unwrap();
    schedule.gathered(&before, app.now()).await.unwrap();
    assert_eq!(monitored(&app).await, (urls(&["a"]), "1".to_owned()));
    assert_eq!(app.sql(gathered).await, [[Some("false".to_owned())]]);
    let present = round_of("sc-domain:shop.example");
    schedule.gathered(&present, app.now()).await.unwrap();
    assert_eq!(app.sql(gathered).await, [[Some("true".to_owned())]]);
}

/// Six are gathered of a plan that has eight.
#[tokio::test]
async fn a_quarter_of_the_plan_is_left_for_urls_that_somebody_adds() {
    let app = TestApp::start().await;
    link(&app).await;
    let plan = Plan {
        key: "limited".to_owned(),
        name: "Limited".to_owned(),
        credits_per_cycle: 1_000,
        modules: vec![Module::Indexing],
        quotas: BTreeMap::from([(QuotaResource::MonitoredUrlsIndexing, 8)]),
    };
    app.stores.plans.put(&plan, &actor(), app.now()).await.unwrap();
    app.stores
        .workspace_admin
        .set_plan(app.world.workspace, "limited", &actor(), app.now())
        .await
        .unwrap();
    let pages: Vec<String> = (0..10).map(|page| format!("p{page}")).collect();
    let pages: Vec<(&str, u32)> = pages.iter().map(|page| (page.as_str(), 5)).collect();
    searched(&app, &pages).await;
    rotation(&app, &Played::new()).round().await.unwrap();
    assert_eq!(monitored(&app).await.1, "6");
    add_all(&app, &urls(&["a", "b"])).await;
    assert_eq!(monitored(&app).await.1, "8");
}

#[tokio::test]
async fn what_nothing_lists_any_more_is_let_go_after_five_weeks() {
    let app = TestApp::start().await;
    link(&app).await;
    searched(&app, &[("a", 5), ("b", 5)]).await;
    let played = Played::new();
    add_all(&app, &urls(&["mine"])).await;
    rotation(&app, &played).round().await.unwrap();
    app.sql(
        "DELETE FROM search_sums WHERE value_id = (SELECT id FROM search_values WHERE value = 'https://shop.example/a')",
    )
    .await;
    for days in [10, 20] {
        app.clock.advance(Duration::days(days));
        rotation(&app, &played).round().await.unwrap();
        assert_eq!(monitored(&app).await, (urls(&["a", "b", "mine"]), "3".to_owned()));
    }
    app.clock.advance(Duration::days(6));
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(monitored(&app).await, (urls(&["b", "mine"]), "2".to_owned()));
    // Its inspection stays, and it may be added.
    let listed = get(&app, "urls").await;
    assert_eq!(listed["items"][0]["verdict"], "pass");
    add_all(&app, &urls(&["a"])).await;
    assert_eq!(monitored(&app).await.0, urls(&["a", "b", "mine"]));
    assert_eq!(
        id_of(&listed, &url("a")),
        id_of(&get(&app, "urls").await, &url("a"))
    );
}

#[tokio::test]
async fn what_was_gathered_is_kept_once_somebody_adds_it() {
    let app = TestApp::start().await;
    link(&app).await;
    searched(&app, &[("a", 5), ("b", 5), ("c", 5)]).await;
    let played = Played::new();
    rotation(&app, &played).round().await.unwrap();
    let added = add_all(&app, &urls(&["a", "new"])).await;
    assert_eq!(
        (&added["added"], &added["already_present"]),
        (&json!(1), &json!(1))
    );
    let sources = |listed: &Value| -> Vec<Value> {
        let items = listed["items"].as_array().unwrap().iter();
        items.map(|item| item["source"].clone()).collect()
    };
    assert_eq!(sources(&added), ["manual", "manual"]);
    let listed = get(&app, "urls").await;
    assert_eq!(sources(&listed), ["manual", "gsc_pages", "gsc_pages", "manual"]);
    assert_eq!(
        listed["items"][0]["verdict"], "pass",
        "what was known of it stays"
    );
    assert_eq!(monitored(&app).await.1, "4", "it counts once");
    app.sql(
        "DELETE FROM search_sums
        WHERE value_id IN (SELECT id FROM search_values WHERE value IN ('https://shop.example/a', 'https://shop.example/b'))",
    )
    .await;
    for days in [10, 20, 6] {
        app.clock.advance(Duration::days(days));
        rotation(&app, &played).round().await.unwrap();
    }
    assert_eq!(monitored(&app).await, (urls(&["a", "c", "new"]), "3".to_owned()));
}

#[tokio::test]
async fn pages_that_are_visited_are_gathered() {
    let app = TestApp::start().await;
    link(&app).await;
    let domain = app.world.domain;
    for (path, views) in [("/often", 40), ("/seldom", 9), ("(other)", 99)] {
        app.sql(&format!(
            "WITH page AS (
                INSERT INTO analytics_values (domain_id, dimension, value) VALUES ('{domain}', 0, '{path}') RETURNING id
            )
            INSERT INTO analytics_pages (domain_id, grain, part, starts_on, page, visitors, pageviews, sessions, entries,
                exits, bounces, engaged_ms, engaged_views, scroll_pct, scrolled_views)
            SELECT '{domain}', 0, 0, '2026-03-29', id, 1, {views}, 1, 1, 1, 1, 0, 0, 0, 0 FROM page"
        ))
        .await;
    }
    let played = Played::new();
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(played.asked(), urls(&["often"]));
    let listed = get(&app, "urls").await;
    assert_eq!(listed["items"][0]["source"], "analytics");
}

#[tokio::test]
async fn the_permission_of_the_account_is_looked_up_daily() {
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    played.permits(Permission::RestrictedUser);
    rotation(&app, &played).round().await.unwrap();
    let property = app.sql("SELECT permission FROM search_properties").await;
    assert_eq!(property, [[Some("restricted_user".to_owned())]]);
}

/// The search shows pages first: sitemaps of a property that was linked a moment ago wait for its first import.
#[tokio::test]
async fn a_new_link_waits_for_the_pages_of_the_search() {
    let app = TestApp::start().await;
    link(&app).await;
    app.sql("UPDATE search_properties SET linked_at = '2026-03-31 09:14Z'")
        .await;
    let played = Played::new();
    played.permits(Permission::FullUser);
    rotation(&app, &played).round().await.unwrap();
    let gathered = "SELECT permission, (SELECT gathered_at IS NOT NULL FROM indexing_sites)::text FROM search_properties";
    let row =
        |permission: &str, is_gathered: &str| vec![Some(permission.to_owned()), Some(is_gathered.to_owned())];
    assert_eq!(app.sql(gathered).await, [row("owner", "false")]);
    searched(&app, &[("a", 1)]).await;
    app.clock.advance(Duration::seconds(61));
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(app.sql(gathered).await, [row("full_user", "true")]);
    assert_eq!(played.asked(), [url("a")]);
    assert_eq!(get(&app, "urls").await["items"][0]["source"], json!("gsc_pages"));
}
