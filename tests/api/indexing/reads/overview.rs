//! The overview and the days.

use serde_json::{Value, json};
use time::Duration;

use super::{eight_days_later, site, url};
use crate::{
    harness::TestApp,
    indexing::{get, id_of},
};

fn reasons(overview: &Value) -> Vec<(&str, u64, f64, Option<i64>)> {
    let reasons = overview["by_reason"].as_array().unwrap().iter();
    reasons
        .map(|row| {
            (
                row["coverage_reason"].as_str().unwrap(),
                row["urls"].as_u64().unwrap(),
                row["share_pct"].as_f64().unwrap(),
                row["urls_change"].as_i64(),
            )
        })
        .collect()
}

#[tokio::test]
async fn the_overview_counts_what_was_inspected() {
    let app = TestApp::start().await;
    let played = site(&app).await;
    let overview = get(&app, "overview").await;
    assert_eq!(
        [
            "urls_monitored",
            "urls_inspected",
            "indexed",
            "not_indexed",
            "unknown",
            "stale_urls",
            "canonical_mismatches"
        ]
        .map(|name| overview[name].as_u64().unwrap()),
        [9, 8, 2, 5, 1, 0, 1]
    );
    assert_eq!(
        (
            &overview["indexed_pct"],
            &overview["indexed_change"],
            &overview["indexed_pct_change_pp"]
        ),
        (&json!(25.0), &Value::Null, &Value::Null)
    );
    assert_eq!(
        reasons(&overview),
        [
            ("crawled_not_indexed", 2, 25.0, None),
            ("submitted_and_indexed", 2, 25.0, None),
            ("duplicate_google_chose_other", 1, 12.5, None),
            ("not_found_404", 1, 12.5, None),
            ("other", 1, 12.5, None),
            ("unknown_to_google", 1, 12.5, None),
        ]
    );
    assert_eq!(
        overview["by_reason"][4]["coverage_state"],
        "A sentence of tomorrow"
    );
    assert_eq!(
        overview["by_fetch_state"],
        json!([{ "key": "successful", "urls": 5 }, { "key": "unknown", "urls": 2 }, { "key": "not_found", "urls": 1 }])
    );
    assert_eq!(
        overview["crawled_as"],
        json!({ "mobile": 2, "desktop": 1, "unknown": 5 })
    );
    assert_eq!(
        overview["inspector_quota"],
        json!({ "used": 8, "limit": 2000, "remaining": 1992, "resets_on": "2026-04-01" })
    );
    assert_eq!(overview["oldest_inspection_at"], "2026-03-31T09:15:00Z");

    eight_days_later(&app, &played).await;
    let later = get(&app, "overview").await;
    // 3 of 9 are 33.33 %, and 2 of 8 were 25 %.
    assert_eq!(
        (
            &later["indexed"],
            &later["indexed_pct"],
            &later["indexed_change"],
            &later["indexed_pct_change_pp"]
        ),
        (&json!(3), &json!(33.33), &json!(1), &json!(8.33))
    );
    let changed: Vec<_> = reasons(&later)
        .into_iter()
        .filter(|row| row.3 != Some(0))
        .collect();
    assert_eq!(
        changed,
        [
            ("submitted_and_indexed", 3, 33.33, Some(1)),
            ("excluded_noindex", 1, 11.11, Some(1)),
        ]
    );
}

#[tokio::test]
async fn a_domain_that_is_not_linked_any_more_has_no_inspections_left() {
    let app = TestApp::start().await;
    site(&app).await;
    app.sql("DELETE FROM search_properties").await;
    let overview = get(&app, "overview").await;
    assert_eq!(overview["urls_inspected"], 8);
    assert_eq!(
        overview["inspector_quota"],
        json!({ "used": 0, "limit": 0, "remaining": 0, "resets_on": "2026-04-01" })
    );
}

#[tokio::test]
async fn an_inspection_is_stale_after_14_days() {
    let app = TestApp::start().await;
    site(&app).await;
    app.clock.advance(Duration::days(14));
    assert_eq!(get(&app, "overview").await["stale_urls"], 0);
    app.clock.advance(Duration::hours(2));
    assert_eq!(get(&app, "overview").await["stale_urls"], 8);
}

#[tokio::test]
async fn a_day_without_an_inspection_has_nulls() {
    let app = TestApp::start().await;
    let played = site(&app).await;
    eight_days_later(&app, &played).await;
    let series = get(&app, "timeseries?days=9").await;
    let points = series["points"].as_array().unwrap();
    assert_eq!(points.len(), 9);
    assert_eq!(
        points[0],
        json!({ "date": "2026-03-31", "inspected": 8, "indexed": 2, "not_indexed": 5, "unknown": 1, "indexed_pct": 25.0 })
    );
    assert_eq!(
        points[1],
        json!({
            "date": "2026-04-01", "inspected": null, "indexed": null, "not_indexed": null, "unknown": null,
            "indexed_pct": null,
        })
    );
    assert_eq!(
        (&points[8]["date"], &points[8]["inspected"], &points[8]["indexed"]),
        (&json!("2026-04-08"), &json!(9), &json!(3))
    );
    assert_eq!(series["meta"]["data_through"], "2026-04-08");
}

/// Nodes are upgraded one by one: one of the next version may know a reason that this one does not.
#[tokio::test]
async fn a_reason_of_a_later_version_is_another() {
    let app = TestApp::start().await;
    site(&app).await;
    app.sql(
        r#"UPDATE indexing_urls SET coverage_reason = 'of_tomorrow',
            inspection = jsonb_set(inspection, '{coverage_reason}', '"of_tomorrow"')
        WHERE coverage_reason = 'not_found_404'"#,
    )
    .await;
    app.sql(r#"UPDATE indexing_days SET by_reason = by_reason || '{"of_tomorrow": 1}'"#)
        .await;
    let overview = get(&app, "overview").await;
    let others = reasons(&overview).into_iter().filter(|row| row.0 == "other");
    assert_eq!(others.map(|row| row.1).sum::<u64>(), 2);
    let urls = get(&app, "urls").await;
    let items = urls["items"].as_array().unwrap();
    let others = items.iter().filter(|row| row["coverage_reason"] == "other");
    assert_eq!(others.count(), 2);
    get(&app, "timeseries?days=9").await;
}

/// Nodes are upgraded one by one: one of the next version may have words that this one does not know. They count as unknown.
#[tokio::test]
async fn words_of_a_later_version_count_as_unknown() {
    let app = TestApp::start().await;
    site(&app).await;
    for (table, column, known) in [
        ("indexing_urls", "page_fetch_state", "not_found"),
        ("indexing_urls", "crawled_as", "desktop"),
        ("indexing_urls", "verdict", "pass"),
        ("indexing_results", "page_fetch_state", "not_found"),
    ] {
        app.sql(&format!(
            "UPDATE {table} SET {column} = 'of_tomorrow' WHERE {column} = '{known}'"
        ))
        .await;
    }
    let overview = get(&app, "overview").await;
    assert_eq!(
        overview["by_fetch_state"],
        json!([{ "key": "successful", "urls": 5 }, { "key": "unknown", "urls": 3 }])
    );
    assert_eq!(
        overview["crawled_as"],
        json!({ "mobile": 2, "desktop": 0, "unknown": 6 })
    );
    let id = id_of(&get(&app, "urls").await, &url("e"));
    let detail = get(&app, &format!("urls/{id}")).await;
    assert_eq!(detail["history"][0]["page_fetch_state"], "unknown", "{detail}");
}
