//! Events on days of a time series.

use pharos_search::gsc::figures::SearchType;
use serde_json::json;
use time::macros::date;

use super::{link, read};
use crate::harness::TestApp;

/// Google began an update on 27 March 2026, and a spam update on 24 March. Releases stand on the days of California: the first of
/// them came the day before the window, and the last the day after.
#[tokio::test]
async fn experiments_and_releases_stand_beside_what_google_told() {
    let app = TestApp::start().await;
    link(
        &app,
        &[SearchType::Web],
        date!(2026 - 01 - 01),
        Some(date!(2026 - 03 - 28)),
    )
    .await;
    let domain = app.world.domain;
    app.sql(&format!(
        "INSERT INTO analytics_experiments (id, domain_id, name, status, method, metric, control_urls, variant_urls,
            pre_end, post_start, created_at, updated_at)
        SELECT gen_random_uuid(), '{domain}', e.name, e.status, 'mann_whitney', 'pageviews', '{{}}', '{{/a}}',
            e.post_start::date - 1, e.post_start::date, '2026-03-01Z', '2026-03-01Z'
        FROM (VALUES
            ('Shorter titles', 'running', '2026-03-25'), ('Never begun', 'draft', '2026-03-25'),
            ('Too early', 'completed', '2026-02-25')
        ) AS e (name, status, post_start)"
    ))
    .await;
    app.sql(&format!(
        "INSERT INTO rum_releases (domain_id, name, released_at) SELECT '{domain}', name, at::timestamptz FROM (VALUES
            ('1.0', '2026-03-20 06:59Z'), ('1.1', '2026-03-20 07:00Z'), ('2.0', '2026-03-29 06:59Z'),
            ('2.1', '2026-03-29 07:00Z')
        ) AS r (name, at)"
    ))
    .await;
    let series = read(&app, "timeseries?start_date=2026-03-20&end_date=2026-03-28").await;
    assert_eq!(
        series["annotations"],
        json!([
            { "date": "2026-03-20", "kind": "deploy", "label": "1.1" },
            { "date": "2026-03-24", "kind": "search_update", "label": "March 2026 spam update" },
            { "date": "2026-03-25", "kind": "experiment", "label": "Shorter titles" },
            { "date": "2026-03-27", "kind": "search_update", "label": "March 2026 core update" },
            { "date": "2026-03-28", "kind": "deploy", "label": "2.0" },
        ])
    );
}
