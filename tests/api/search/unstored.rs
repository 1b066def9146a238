//! Imports of which the store takes a part, or nothing.

use serde_json::json;

use super::{
    misread::days,
    read,
    sync::{cell, past, round},
    trouble::property,
};
use crate::doctor::{findings, only};

/// The days that are missing.
const MISSED: &str =
    "SELECT string_agg(search_type || ' ' || date, ', ' ORDER BY search_type, date) FROM search_missed_days";

/// The two days are of web search, the newest and one of the past.
#[tokio::test(flavor = "multi_thread")]
async fn a_day_that_can_not_be_stored_stops_no_other_and_is_tried_again() {
    let (app, google) = property(&["web", "discover"]).await;
    app.sql(
        "ALTER TABLE search_days ADD CONSTRAINT played
        CHECK (search_type <> 1 OR date NOT IN ('2026-03-17', '2026-03-25'))",
    )
    .await;
    round(&app, &google).await;
    let property = read(&app, "property").await;
    assert_eq!(
        (
            &property["status"],
            &property["last_sync_status"],
            &property["data_through"]
        ),
        (&json!("connected"), &json!("partial"), &json!("2026-03-28"))
    );
    let why = "SELECT last_failure FROM search_properties";
    assert_eq!(
        cell(&app, why).await.as_deref(),
        Some("Pharos could not store what came in")
    );
    past(&app, &google).await;
    assert_eq!(days(&app).await, "1:14 2:16");
    assert_eq!(
        cell(&app, MISSED).await.as_deref(),
        Some("1 2026-03-17, 1 2026-03-25")
    );
    let (is_well, detail) = only(findings(
        &[("PHAROS_DATABASE_URL", app.database.url())],
        "set aside",
    ));
    let which = format!(
        "search_import: 2 times, of 1; the last, {}, at ",
        app.world.domain
    );
    assert!(
        !is_well
            && detail.starts_with(&which)
            && detail.contains("web of 2026-03-17 can't be stored: the store failed"),
        "{detail}"
    );
    app.sql("ALTER TABLE search_days DROP CONSTRAINT played").await;
    app.sql("UPDATE search_missed_days SET tried_at = '2026-01-01'")
        .await;
    past(&app, &google).await;
    assert_eq!(days(&app).await, "1:16 2:16");
    assert_eq!(cell(&app, MISSED).await, None);
}

#[tokio::test]
async fn hours_that_can_not_be_stored_keep_nothing_else_waiting() {
    let (app, google) = property(&["web", "discover"]).await;
    app.sql("ALTER TABLE search_hours ADD CONSTRAINT played CHECK (search_type <> 1)")
        .await;
    round(&app, &google).await;
    let hours = "SELECT string_agg(DISTINCT search_type::text, ' ') FROM search_hours";
    assert_eq!(cell(&app, hours).await.as_deref(), Some("2"));
    assert_eq!(read(&app, "property").await["last_sync_status"], "partial");
    past(&app, &google).await;
    assert_eq!(days(&app).await, "1:16 2:16");
    let aside = "SELECT reason LIKE 'the hours of web can''t be stored: %' FROM set_aside";
    assert_eq!(
        cell(&app, &format!("SELECT ({aside})::text")).await.as_deref(),
        Some("true")
    );
}

/// The schema of an older version: all days would fail alike, and none is to blame.
#[tokio::test]
async fn a_store_that_takes_no_day_has_none_missing() {
    let (app, google) = property(&["web"]).await;
    app.sql("ALTER TABLE search_days RENAME COLUMN position_sum TO away")
        .await;
    round(&app, &google).await;
    assert_eq!(days(&app).await, "");
    assert_eq!(cell(&app, MISSED).await, None);
    let aside = "SELECT count(*)::text FROM set_aside";
    assert_eq!(cell(&app, aside).await.as_deref(), Some("0"));
    let next = "SELECT (next_sync_at = '2026-03-31 09:25Z')::text FROM search_properties";
    assert_eq!(cell(&app, next).await.as_deref(), Some("true"));
    app.sql("ALTER TABLE search_days RENAME COLUMN away TO position_sum")
        .await;
    round(&app, &google).await;
    past(&app, &google).await;
    assert_eq!(days(&app).await, "1:16");
}
