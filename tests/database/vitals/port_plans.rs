//! How reads for alert rules, experiments and lists of pages are planned, and those of field data: by primary keys, too.

use super::plans::{BANDS, FILL, assert_by_index, plan};
use crate::harness::Fixture;

/// One of the domains that have views is one of those that there are.
const RECEIVED: &str = "
    INSERT INTO domains (id, workspace_id, hostname, created_at)
    SELECT 'cfcd2084-95d5-65ef-66e7-dff9f98764da', workspace_id, 'plans.example', created_at FROM domains;
    INSERT INTO rum_progress (domain_id, first_at, last_at)
    VALUES ('cfcd2084-95d5-65ef-66e7-dff9f98764da', '2031-01-01Z', '2031-03-25Z')";

#[tokio::test]
async fn reads_of_views_for_others_go_by_the_primary_keys_of_the_months_that_they_are_about() {
    let fixture = Fixture::new().await;
    fixture.home("ada").await;
    fixture.sql.batch_execute(FILL).await.unwrap();
    fixture.sql.batch_execute(RECEIVED).await.unwrap();
    let domain = "'cfcd2084-95d5-65ef-66e7-dff9f98764da'";
    for (name, types, sql, values) in [
        (
            "alert metrics",
            "uuid[], timestamptz[], timestamptz[], smallint[], boolean[], double precision[], double precision, \
             double precision, integer",
            include_str!("../../../crates/vitals/pg/src/reads/alert_metrics.sql"),
            format!(
                "ARRAY[{domain}]::uuid[], '{{2031-02-03Z}}', '{{2031-02-13Z}}', '{{NULL}}', '{{true}}', {BANDS}, 0.00001, \
                 1.0199, 75"
            ),
        ),
        (
            "speed of pages by day",
            "uuid, text[], timestamptz, timestamptz, text[]",
            include_str!("../../../crates/vitals/pg/src/reads/speed_days.sql"),
            format!("{domain}, '{{/1, /2}}', '2031-02-03Z', '2031-02-13Z', '{{:8080}}'"),
        ),
        (
            "speed of pages",
            "uuid, text[], timestamptz, timestamptz",
            include_str!("../../../crates/vitals/pg/src/reads/page_speed.sql"),
            format!("{domain}, '{{https://plans.example/1}}', '2031-02-03Z', '2031-02-13Z'"),
        ),
        (
            "received",
            "uuid, timestamptz",
            include_str!("../../../crates/vitals/pg/src/reads/received.sql"),
            format!("{domain}, '2031-02-13Z'"),
        ),
    ] {
        assert_by_index(&plan(&fixture, sql, types, &values).await, name);
    }
}

/// An origin and 200 pages that are followed, each with 30 days and as many weeks.
const FOLLOWED: &str = "
    INSERT INTO crux_targets (id, domain_id, workspace_id, url, status, next_collection_at, created_at)
    SELECT md5(n::text)::uuid, d.id, d.workspace_id, nullif('https://ada.example/' || n, 'https://ada.example/0'), 'active',
        '2031-01-01Z', '2031-01-01Z'
    FROM domains AS d, generate_series(0, 200) AS n;
    INSERT INTO crux_figures (target_id, form_factor, grain, period_end, figures)
    SELECT t.id, f.form_factor, g.grain, date '2031-01-01' + n, '{}'
    FROM crux_targets AS t
    CROSS JOIN unnest(ARRAY['all', 'mobile', 'desktop', 'tablet']) AS f (form_factor)
    CROSS JOIN unnest(ARRAY['day', 'week']) AS g (grain)
    CROSS JOIN generate_series(0, 29) AS n;
    ANALYZE";

#[tokio::test]
async fn periods_are_found_by_their_target_however_many_others_end_on_the_same_days() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    fixture.sql.batch_execute(FOLLOWED).await.unwrap();
    let domain = home.domain.0;
    for (name, types, sql, values) in [
        (
            "periods",
            "uuid, text, text, bigint",
            include_str!("../../../crates/vitals/pg/src/crux/periods.sql"),
            "md5('7')::uuid, 'mobile', 'day', 40".to_owned(),
        ),
        (
            "ended on",
            "uuid, date",
            include_str!("../../../crates/vitals/pg/src/crux/ended_on.sql"),
            "md5('7')::uuid, '2031-01-20'".to_owned(),
        ),
        (
            "followed",
            "uuid, text, uuid, text",
            include_str!("../../../crates/vitals/pg/src/crux/followed.sql"),
            format!("'{domain}', 'origin', NULL, NULL"),
        ),
        (
            "alert metrics",
            "uuid[], text[], text[], date[]",
            include_str!("../../../crates/vitals/pg/src/crux/alert_metrics.sql"),
            format!("ARRAY['{domain}']::uuid[], '{{NULL}}', '{{mobile}}', '{{2031-01-20}}'"),
        ),
    ] {
        let plan = plan(&fixture, sql, types, &values).await;
        assert!(plan.contains("crux_figures_pkey"), "{name}: {plan}");
        for other in ["Seq Scan on crux_figures", "crux_figures_end_idx"] {
            assert!(!plan.contains(other), "{name}: {plan}");
        }
    }
}
