//! Lists of queries and of pages.

use serde_json::{Value, json};

use super::{HATS, RED, SHOES, close, each, shop};
use crate::search::{read, try_read};

#[tokio::test]
async fn queries_are_listed_filtered_and_ordered() {
    let app = shop().await;
    let all = read(&app, "queries").await;
    assert_eq!(each(&all, "query"), ["red shoes", "hats"]);
    let first = &all["items"][0];
    assert_eq!((&first["clicks"], &first["impressions"]), (&json!(6), &json!(70)));
    close(&first["position"], 290.0 / 70.0);
    assert_eq!(
        (&first["pages_count"], &first["top_page"]),
        (&json!(2), &json!(SHOES))
    );
    assert_eq!(
        (&first["word_count"], &first["is_branded"]),
        (&json!(2), &Value::Null)
    );
    assert!(first.get("clicks_previous").is_none());
    assert_eq!(all["total_queries"], 2);
    assert_eq!(
        (&all["totals"]["clicks"], &all["totals"]["impressions"]),
        (&json!(7), &json!(80))
    );
    close(&all["totals"]["position"], 370.0 / 80.0);
    assert_eq!(
        (&all["aggregation"], &all["data_state"]),
        (&json!("by_property"), &json!("all"))
    );

    for (filter, expected) in [
        ("&search=RED", json!([["red shoes", 6]])),
        ("&search=%25", json!([])),
        ("&country=FR", json!([["red shoes", 1]])),
        ("&device=mobile", json!([["red shoes", 5], ["hats", 1]])),
        ("&page=https://shop.example/shoes/red", json!([["red shoes", 1]])),
        ("&page=https://shop.example/Shoes/red", json!([])),
        ("&page=https://shop.example/shoes/red&country=DE", json!([])),
        ("&sort=query&order=asc", json!([["hats", 1], ["red shoes", 6]])),
        ("&sort=query", json!([["red shoes", 6], ["hats", 1]])),
        ("&sort=position&order=asc", json!([["red shoes", 6], ["hats", 1]])),
        ("&sort=position", json!([["hats", 1], ["red shoes", 6]])),
        ("&sort=ctr", json!([["hats", 1], ["red shoes", 6]])),
        ("&limit=1&offset=1", json!([["hats", 1]])),
        ("&search_type=discover", json!([])),
        ("&search_type=image", json!([])),
        // Nothing says how the brand is called.
        ("&branded=true", json!([])),
        ("&branded=false", json!([])),
    ] {
        let listed = read(&app, &format!("queries?end_date=2026-03-29{filter}")).await;
        let rows: Vec<Value> = listed["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| json!([row["query"], row["clicks"]]))
            .collect();
        // 6 of 70 is less than 1 of 10.
        assert_eq!(json!(rows), expected, "{filter}");
    }
    let of_page = read(&app, "queries?page=https://shop.example/shoes/red").await;
    assert_eq!(of_page["aggregation"], "by_page");
    assert_eq!(of_page["total_queries"], 1);
    // All are counted, those that are not on the page included.
    assert_eq!(read(&app, "queries?limit=1&offset=7").await["total_queries"], 2);
    for (asked, fault) in [
        ("queries?device=phone", "device"),
        ("queries?page=", "page"),
        ("pages?query=", "query"),
    ] {
        assert_eq!(try_read(&app, asked).await.faults(), [fault]);
    }
}

#[tokio::test]
async fn queries_are_told_apart_by_the_brand() {
    let app = shop().await;
    app.sql(&format!(
        "INSERT INTO search_configs (domain_id, settings, created_at, updated_at)
        VALUES ('{}', '{{\"brand_terms\": [\"HAT\"], \"brand_regex\": \"^never$\", \"search_types\": [\"web\"],
            \"excluded_paths\": [], \"min_impressions\": 10}}', '2026-03-01Z', '2026-03-01Z')",
        app.world.domain
    ))
    .await;
    let told = read(&app, "queries").await;
    assert_eq!(json!(each(&told, "is_branded")), json!([false, true]));
    let branded = read(&app, "queries?branded=true").await;
    assert_eq!(each(&branded, "query"), ["hats"]);
    assert_eq!(
        (&branded["total_queries"], &branded["totals"]["clicks"]),
        (&json!(1), &json!(1))
    );
    let others = read(&app, "queries?branded=false&search=shoe").await;
    assert_eq!(each(&others, "query"), ["red shoes"]);
    let new = read(&app, "new-rankings?start_date=2026-03-02").await;
    assert_eq!(json!(each(&new, "is_branded")), json!([true]));
}

#[tokio::test]
async fn rows_are_compared_with_the_days_before() {
    let app = shop().await;
    let compared = read(
        &app,
        "queries?start_date=2026-03-02&end_date=2026-03-02&compare_previous=true",
    )
    .await;
    let row = &compared["items"][0];
    // 3 of 30 at 110/30, against 3 of 40 at 4.5.
    assert_eq!(
        (&row["clicks_previous"], &row["impressions_previous"]),
        (&json!(3), &json!(40))
    );
    assert_eq!(
        (&row["clicks_change_pct"], &row["impressions_change_pct"]),
        (&json!(0.0), &json!(-25.0))
    );
    close(&row["ctr_change"], 0.1 - 0.075);
    close(&row["position_change"], 110.0 / 30.0 - 4.5);
    close(&row["position_previous"], 4.5);
    let hats = read(
        &app,
        "pages?start_date=2026-03-29&end_date=2026-03-29&compare_previous=true&compare_mode=calendar_month",
    )
    .await;
    assert_eq!(hats["meta"]["compare_range_start"], "2026-02-28");
    let row = &hats["items"][0];
    assert_eq!(
        (&row["clicks_previous"], &row["clicks_change_pct"]),
        (&json!(0), &Value::Null)
    );
    assert_eq!(row["position_change"], Value::Null);
    let early = read(
        &app,
        "pages?start_date=2026-01-02&end_date=2026-03-29&compare_previous=true",
    )
    .await;
    assert_eq!(early["items"][0]["clicks_previous"], Value::Null);
    assert_eq!(early["items"][0]["clicks"], 6);
}

#[tokio::test]
async fn pages_are_counted_by_page() {
    let app = shop().await;
    let all = read(&app, "pages").await;
    assert_eq!(json!(each(&all, "page")), json!([SHOES, RED, HATS]));
    let first = &all["items"][0];
    assert_eq!((&first["clicks"], &first["impressions"]), (&json!(6), &json!(65)));
    assert_eq!(
        (&first["queries_count"], &first["top_query"]),
        (&json!(1), &json!("red shoes"))
    );
    assert_eq!(
        (&all["total_pages"], &all["totals"]["clicks"]),
        (&json!(3), &json!(8))
    );
    assert_eq!(all["aggregation"], "by_page");
    let of_query = read(&app, "pages?query=red%20shoes&sort=page&order=asc").await;
    assert_eq!(json!(each(&of_query, "page")), json!([SHOES, RED]));
    // The hidden query is not this one.
    assert_eq!(json!(each(&of_query, "clicks")), json!([5, 1]));
    let french = read(&app, "pages?country=FR&period=this_month").await;
    assert_eq!(json!(each(&french, "page")), json!([RED]));
    assert_eq!(french["meta"]["range_end"], "2026-03-31");
    assert_eq!(read(&app, "pages?search=HAT").await["total_pages"], 1);
}

/// Titles come from web analytics, speed from field data, and where a page is not followed from its views.
#[tokio::test]
async fn pages_have_what_other_modules_know_of_them() {
    let app = shop().await;
    let unknown = read(&app, "pages?start_date=2026-03-01").await;
    assert_eq!(json!(each(&unknown, "title")), json!([null, null, null]));
    assert_eq!(json!(each(&unknown, "lcp_ms")), json!([null, null, null]));
    let config = format!("/domains/{}/analytics/config", app.world.domain);
    let configured = app.put(&config, &app.world.key, &json!({}));
    configured.send().await.ok();
    let domain = app.world.domain;
    app.sql(&format!(
        "WITH page AS (
            INSERT INTO analytics_values (domain_id, dimension, value) VALUES ('{domain}', 0, '/hats') RETURNING id
        )
        INSERT INTO analytics_titles (domain_id, page, title) SELECT '{domain}', id, 'Hats for all' FROM page"
    ))
    .await;
    let mut views = Vec::new();
    // By linear interpolation three quarters of 1, 2, 3 and 5 seconds lie at 3.5 seconds.
    for (load, lcp_ms) in [(1, 1_000.0), (2, 2_000.0), (3, 3_000.0), (4, 5_000.0)] {
        let mut view = crate::rum::view(load, app.now() - time::Duration::days(1));
        (view.path, view.lcp_ms) = ("/hats".to_owned(), Some(lcp_ms));
        views.push((pharos_domain::collect::client::Device::Mobile, view));
    }
    let mut old = crate::rum::view(5, app.now() - time::Duration::days(8));
    (old.path, old.lcp_ms) = ("/hats".to_owned(), Some(90_000.0));
    views.push((pharos_domain::collect::client::Device::Mobile, old));
    crate::rum::store(&app, views).await;
    app.sql(&format!(
        "WITH target AS (
            INSERT INTO crux_targets (id, domain_id, workspace_id, url, status, next_collection_at, created_at)
            VALUES (gen_random_uuid(), '{domain}', '{}', '{SHOES}', 'active', '2026-04-01Z', '2026-03-01Z') RETURNING id
        )
        INSERT INTO crux_figures (target_id, form_factor, grain, period_end, figures)
        SELECT id, 'all', 'day', day, jsonb_build_object('metrics', jsonb_build_object('lcp', jsonb_build_object('p75', p75)))
        FROM target, (VALUES (date '2026-03-27', 1700), (date '2026-03-28', 1840)) AS f (day, p75)",
        app.world.workspace
    ))
    .await;
    let known = read(&app, "pages?start_date=2026-03-01&end_date=2026-03-30").await;
    assert_eq!(json!(each(&known, "page")), json!([SHOES, RED, HATS]));
    assert_eq!(json!(each(&known, "title")), json!([null, null, "Hats for all"]));
    assert_eq!(json!(each(&known, "lcp_ms")), json!([1840.0, null, 3500.0]));
    app.sql("UPDATE crux_targets SET status = 'no_data'").await;
    let gone = read(&app, "pages?start_date=2026-02-27&end_date=2026-03-30").await;
    assert_eq!(
        json!(each(&gone, "lcp_ms")),
        json!([null, null, 3500.0]),
        "what is in the report no more has no speed of today"
    );
}
