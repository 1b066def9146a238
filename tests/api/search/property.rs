//! GET /domains/{domain_id}/gsc/property

use pharos_search::gsc::figures::SearchType;
use serde_json::{Value, json};
use time::macros::date;

use super::{link, read, try_read};
use crate::harness::TestApp;

#[tokio::test]
async fn a_domain_that_is_not_linked_has_no_property() {
    let app = TestApp::start().await;
    try_read(&app, "property")
        .await
        .problem(404, "gsc-property-not-linked");
    try_read(&app, "hourly")
        .await
        .problem(404, "gsc-property-not-linked");
}

#[tokio::test]
async fn a_linked_property_is_shown_without_its_internal_name() {
    let app = TestApp::start().await;
    link(
        &app,
        &[SearchType::Web, SearchType::Discover],
        date!(2025 - 12 - 01),
        Some(date!(2026 - 03 - 28)),
    )
    .await;
    let found = read(&app, "property").await;
    assert_eq!(
        found,
        json!({
            "property_type": "domain", "site_label": "shop.example", "permission": "owner",
            "linked_at": "2026-01-01T00:00:00Z", "linked_by": null, "status": "connected", "last_sync_at": null,
            "last_sync_status": null, "data_through": "2026-03-28", "provisional_through": null,
            "first_incomplete_date": null, "first_incomplete_hour": null, "backfill_from": "2025-12-01",
            "source_timezone": "America/Los_Angeles", "search_types": ["web", "discover"], "last_run": null,
        })
    );
    // An import that goes on: news is not imported any more.
    app.sql(&format!(
        "INSERT INTO search_imports (domain_id, site_url, search_type, reached)
        SELECT '{}'::uuid, 'sc-domain:shop.example', * FROM (VALUES ({}, date '2025-01-01'), ({}, '2025-06-01'), ({}, '2026-01-01')) AS reached
        ON CONFLICT (domain_id, site_url, search_type) DO UPDATE SET reached = excluded.reached",
        app.world.domain,
        SearchType::Web.code(),
        SearchType::Discover.code(),
        SearchType::News.code()
    ))
    .await;
    assert_eq!(read(&app, "property").await["backfill_from"], "2025-06-01");
    let prefix = "https://shop.example/";
    app.sql(&format!(
        "UPDATE search_properties SET site_url = '{prefix}', status = 'permission_lost'"
    ))
    .await;
    let found = read(&app, "property").await;
    assert_eq!(found["property_type"], "url_prefix");
    assert_eq!(found["site_label"], prefix);
    assert_eq!(found["status"], "permission_lost");
    assert_eq!(found.get("site_url"), None::<&Value>);
}

/// The app's clock stands at 2026-03-31 09:15: the window begins on 2026-03-21 at 10:00.
#[tokio::test]
async fn hours_of_ten_days_are_shown_and_those_without_data_left_out() {
    let app = TestApp::start().await;
    link(&app, &[SearchType::Web], date!(2025 - 12 - 01), None).await;
    let domain = app.world.domain;
    app.sql(&format!(
        "INSERT INTO search_hours (domain_id, search_type, hour, clicks, impressions, position_sum) VALUES
            ('{domain}', 1, '2026-03-31 04:00Z', 12, 240, 1008), ('{domain}', 1, '2026-03-31 06:00Z', 0, 4, 10),
            ('{domain}', 1, '2026-03-21 10:00Z', 1, 1, 1), ('{domain}', 1, '2026-03-21 09:00Z', 5, 9, 9),
            ('{domain}', 2, '2026-03-31 04:00Z', 3, 30, 0)"
    ))
    .await;
    app.sql("UPDATE search_properties SET first_incomplete_hour = '2026-03-31 05:00Z'")
        .await;
    let found = read(&app, "hourly").await;
    assert_eq!(
        found["points"],
        json!([
            { "hour": "2026-03-21T10:00:00Z", "clicks": 1, "impressions": 1, "ctr": 1.0, "position": 1.0, "is_final": false },
            { "hour": "2026-03-31T04:00:00Z", "clicks": 12, "impressions": 240, "ctr": 0.05, "position": 4.2, "is_final": false },
            { "hour": "2026-03-31T06:00:00Z", "clicks": 0, "impressions": 4, "ctr": 0.0, "position": 2.5, "is_final": false },
        ])
    );
    assert_eq!(found["first_incomplete_hour"], "2026-03-31T05:00:00Z");
    assert_eq!(found["meta"]["range_start"], "2026-03-21T10:00:00Z");
    assert_eq!(found["meta"]["range_end"], "2026-03-31T10:00:00Z");
    assert_eq!(found["meta"]["data_through"], "2026-03-31T05:00:00Z");
    let found = read(&app, "hourly?search_type=discover").await;
    assert_eq!(found["search_type"], "discover");
    assert_eq!(
        found["points"][0]["position"],
        Value::Null,
        "Discover ranks nothing"
    );
    assert_eq!(found["points"].as_array().unwrap().len(), 1);
}
