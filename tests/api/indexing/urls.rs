//! URLs that are monitored.

use std::collections::BTreeMap;

use pharos_account::admin::plans::Plan;
use pharos_domain::{module::Module, quota::QuotaResource};
use serde_json::{Value, json};
use time::Duration;

use super::{
    add, get, id_of, link, path,
    played::{Played, not_indexed},
    rotation, try_get,
};
use crate::harness::{Reply, TestApp, actor};

async fn remove(app: &TestApp, id: &str) -> Reply {
    app.request("DELETE", &path(app, &format!("urls/{id}")))
        .key(&app.world.key)
        .send()
        .await
}

fn names(page: &Value) -> Vec<&str> {
    let items = page["items"].as_array().unwrap().iter();
    items
        .map(|item| {
            item["url"]
                .as_str()
                .unwrap()
                .strip_prefix("https://shop.example/")
                .unwrap()
        })
        .collect()
}

#[tokio::test]
async fn a_domain_that_is_not_linked_has_no_urls() {
    let app = TestApp::start().await;
    for rest in [
        "urls",
        "overview",
        "timeseries",
        "changes",
        "crawl-stats",
        "canonicals",
        "rich-results",
        "sitemap-gaps",
    ] {
        try_get(&app, rest).await.problem(404, "indexing-not-found");
    }
    try_get(&app, "inspector/runs")
        .await
        .problem(404, "indexing-not-found");
    add(&app, &["https://shop.example/"])
        .await
        .problem(404, "gsc-property-not-linked");
    link(&app).await;
    assert_eq!(get(&app, "urls").await["items"], json!([]));
}

#[tokio::test]
async fn a_url_is_monitored_from_its_first_inspection_to_its_end() {
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    let first = "https://shop.example/blue?size=7";
    let added = add(
        &app,
        &[
            "HTTPS://Shop.Example:443/blue?size=7#top",
            "https://shop.example/red",
            first,
        ],
    )
    .await
    .with_status(201);
    assert_eq!(
        (&added["added"], &added["already_present"]),
        (&json!(2), &json!(0))
    );
    assert_eq!(names(&added), ["blue?size=7", "red"]);
    let new = &added["items"][0];
    assert_eq!(
        (
            &new["source"],
            &new["verdict"],
            &new["is_indexed"],
            &new["inspected_at"],
            &new["sitemaps"],
            &new["clicks_28d"]
        ),
        (
            &json!("manual"),
            &Value::Null,
            &Value::Null,
            &Value::Null,
            &json!([]),
            &Value::Null
        )
    );
    let again = add(&app, &[first]).await.with_status(201);
    assert_eq!(
        (&again["added"], &again["already_present"]),
        (&json!(0), &json!(1))
    );

    assert_eq!(rotation(&app, &played).round().await.unwrap(), 1);
    assert_eq!(played.asked().len(), 2);
    let id = id_of(&added, first);
    let known = get(&app, &format!("urls/{id}")).await;
    assert_eq!(
        (
            &known["verdict"],
            &known["coverage_reason"],
            &known["is_indexed"],
            &known["canonical_matches"]
        ),
        (
            &json!("pass"),
            &json!("submitted_and_indexed"),
            &json!(true),
            &json!(true)
        )
    );
    assert_eq!(
        (
            &known["last_crawl_at"],
            &known["crawled_as"],
            &known["inspected_at"],
            &known["next_inspection_at"]
        ),
        (
            &json!("2026-03-29T08:00:00Z"),
            &json!("mobile"),
            &json!("2026-03-31T09:15:00Z"),
            // Two URLs are gone through within a day.
            &json!("2026-04-01T09:15:00Z")
        )
    );
    assert_eq!(known["sitemaps"], json!(["https://shop.example/sitemap.xml"]));
    assert_eq!(known["referring_urls"], json!(["https://shop.example/"]));
    assert_eq!(
        known["history"],
        json!([{
            "inspected_at": "2026-03-31T09:15:00Z", "verdict": "pass", "coverage_reason": "submitted_and_indexed",
            "page_fetch_state": "successful", "last_crawl_at": "2026-03-29T08:00:00Z",
        }])
    );
    // A list leaves out what is long.
    assert_eq!(get(&app, "urls").await["items"][0].get("referring_urls"), None);

    let gone = remove(&app, &id).await.ok();
    assert_eq!(
        (&gone["id"], &gone["deleted"], &gone["history_retained"]),
        (&json!(id), &json!(true), &json!(false))
    );
    try_get(&app, &format!("urls/{id}"))
        .await
        .problem(404, "indexing-url-not-found");
    remove(&app, &id).await.problem(404, "indexing-url-not-found");
    assert_eq!(names(&get(&app, "urls").await), ["red"]);
    let left = app.sql("SELECT count(*)::text FROM indexing_results").await;
    assert_eq!(left, [[Some("1".to_owned())]]);
}

#[tokio::test]
async fn urls_are_found_by_what_is_known_of_them_and_paged_by_name() {
    let app = TestApp::start().await;
    link(&app).await;
    let played = Played::new();
    played.says(
        "https://shop.example/b",
        not_indexed("Not found (404)", "NOT_FOUND"),
    );
    played.says(
        "https://shop.example/c",
        not_indexed("Page with redirect", "SUCCESSFUL"),
    );
    let urls = ["c", "a", "d", "b"].map(|name| format!("https://shop.example/{name}"));
    add(&app, &urls.each_ref().map(String::as_str))
        .await
        .with_status(201);
    rotation(&app, &played).round().await.unwrap();
    for (query, found) in [
        ("", vec!["a", "b", "c", "d"]),
        ("?verdict=pass", vec!["a", "d"]),
        ("?coverage_reason=redirect", vec!["c"]),
        ("?page_fetch_state=not_found", vec!["b"]),
        ("?search=EXAMPLE/B", vec!["b"]),
        ("?verdict=neutral&search=example/c", vec!["c"]),
        ("?verdict=fail", vec![]),
    ] {
        assert_eq!(names(&get(&app, &format!("urls{query}")).await), found, "{query}");
    }
    let page = get(&app, "urls?limit=3").await;
    assert_eq!(
        (names(&page), &page["has_more"]),
        (vec!["a", "b", "c"], &json!(true))
    );
    let cursor = page["next_cursor"].as_str().unwrap();
    let rest = get(&app, &format!("urls?limit=3&cursor={cursor}")).await;
    assert_eq!((names(&rest), &rest["has_more"]), (vec!["d"], &json!(false)));
}

#[tokio::test]
async fn a_reason_that_there_is_not_is_put_right_from_the_answer() {
    let app = TestApp::start().await;
    link(&app).await;
    let problem = try_get(&app, "urls?coverage_reason=gone")
        .await
        .problem(400, "invalid-request");
    let told = problem["errors"][0]["detail"].as_str().unwrap();
    assert!(
        told.starts_with("not one of submitted_and_indexed, ")
            && told.ends_with(", blocked_page_removal, other"),
        "{told}"
    );
}

#[tokio::test]
async fn all_faults_of_a_list_are_told_at_once() {
    let app = TestApp::start().await;
    link(&app).await;
    let problem = add(
        &app,
        &["https://other.example/", "https://shop.example/", "nowhere"],
    )
    .await
    .problem(400, "invalid-request");
    let errors = problem["errors"].as_array().unwrap().iter();
    let pointers: Vec<&str> = errors.map(|error| error["pointer"].as_str().unwrap()).collect();
    assert_eq!(pointers, ["/urls/0", "/urls/2"]);
    add(&app, &[]).await.problem(400, "invalid-request");
    assert_eq!(get(&app, "urls").await["items"], json!([]));
}

#[tokio::test]
async fn a_plan_has_so_many_urls() {
    let app = TestApp::start().await;
    link(&app).await;
    let plan = Plan {
        key: "limited".to_owned(),
        name: "Limited".to_owned(),
        credits_per_cycle: 1_000,
        modules: vec![Module::Indexing],
        quotas: BTreeMap::from([(QuotaResource::MonitoredUrlsIndexing, 2)]),
    };
    app.stores.plans.put(&plan, &actor(), app.now()).await.unwrap();
    app.stores
        .workspace_admin
        .set_plan(app.world.workspace, "limited", &actor(), app.now())
        .await
        .unwrap();
    let [a, b, c] = ["a", "b", "c"].map(|name| format!("https://shop.example/{name}"));
    let added = add(&app, &[&a, &b]).await.with_status(201);
    let problem = add(&app, &[&a, &c]).await.problem(402, "quota-exhausted");
    assert_eq!((&problem["used"], &problem["limit"]), (&json!(2), &json!(2)));
    remove(&app, &id_of(&added, &a)).await.ok();
    add(&app, &[&c]).await.with_status(201);
}

/// Clicks and impressions are those of web search within 28 days up to the newest final one, 29 March: from 2 March on.
#[tokio::test]
async fn a_url_has_what_the_search_sent_to_it() {
    let app = TestApp::start().await;
    link(&app).await;
    let domain = app.world.domain;
    app.sql(&format!(
        "UPDATE search_properties SET data_through = '2026-03-29';
        INSERT INTO search_values (domain_id, kind, value) VALUES ('{domain}', 2, 'https://shop.example/a');
        INSERT INTO search_sums (domain_id, search_type, kind, date, value_id, clicks, impressions, position_sum)
        SELECT '{domain}', s.search_type, 2, s.date::date, v.id, s.clicks, s.impressions, 1
        FROM search_values AS v, (VALUES
            (1, '2026-03-29', 5, 100), (1, '2026-03-02', 2, 30),
            -- Too old, not final yet, and of another search type.
            (1, '2026-03-01', 70, 700), (1, '2026-03-30', 70, 700), (2, '2026-03-29', 70, 700)
        ) AS s (search_type, date, clicks, impressions)"
    ))
    .await;
    let values = |answer: &Value| -> Vec<[Value; 2]> {
        let items = answer["items"].as_array().unwrap().iter();
        items
            .map(|item| [item["clicks_28d"].clone(), item["impressions_28d"].clone()])
            .collect()
    };
    let unknown = [[Value::Null, Value::Null], [Value::Null, Value::Null]];
    let added = add(&app, &["https://shop.example/a", "https://shop.example/b"])
        .await
        .with_status(201);
    assert_eq!(
        values(&added),
        unknown,
        "nothing says that all days were imported"
    );
    app.sql(&format!(
        "INSERT INTO search_imports (domain_id, site_url, search_type, reached)
        VALUES ('{domain}', 'sc-domain:shop.example', 1, '2026-03-02')"
    ))
    .await;
    assert_eq!(
        values(&get(&app, "urls").await),
        [[json!(7), json!(130)], [json!(0), json!(0)]]
    );
    app.sql(&format!(
        "INSERT INTO search_missed_days (domain_id, search_type, date) VALUES ('{domain}', 1, '2026-03-10')"
    ))
    .await;
    assert_eq!(values(&get(&app, "urls?limit=9").await), unknown);
}

#[tokio::test]
async fn what_somebody_took_out_is_not_gathered_again() {
    let app = TestApp::start().await;
    link(&app).await;
    let domain = app.world.domain;
    app.sql(&format!(
        "UPDATE search_properties SET data_through = '2026-03-29';
        INSERT INTO search_values (domain_id, kind, value) VALUES
            ('{domain}', 2, 'https://shop.example/a'), ('{domain}', 2, 'https://shop.example/a#reviews'),
            ('{domain}', 2, 'https://shop.example/b'), ('{domain}', 2, 'https://other.example/');
        INSERT INTO search_sums (domain_id, search_type, kind, date, value_id, clicks, impressions, position_sum)
        SELECT '{domain}', 1, 2, '2026-03-29', id, 1, 10, 20 FROM search_values"
    ))
    .await;
    let played = Played::new();
    rotation(&app, &played).round().await.unwrap();
    let listed = get(&app, "urls").await;
    assert_eq!(names(&listed), ["a", "b"]);
    assert_eq!(listed["items"][0]["source"], "gsc_pages");
    assert_eq!(played.asked().len(), 2);
    remove(&app, &id_of(&listed, "https://shop.example/a")).await.ok();
    app.clock.advance(Duration::days(2));
    rotation(&app, &played).round().await.unwrap();
    assert_eq!(names(&get(&app, "urls").await), ["b"]);
    add(&app, &["https://shop.example/a"]).await.with_status(201);
    assert_eq!(names(&get(&app, "urls").await), ["a", "b"]);
}
