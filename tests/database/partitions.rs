//! Partitions: made ahead, and dropped when retention has passed.

use std::collections::BTreeSet;

use time::{Duration, OffsetDateTime, macros::datetime};

use crate::harness::{Fixture, NOW};

/// Tables in partitions of months that are kept equally long: the last month at [`NOW`] that is over for as long, the one after it, and
/// the tables.
const KEPT: [(&str, &str, &[&str]); 3] = [
    // Ten years.
    (
        "2016_02",
        "2016_03",
        &[
            "analytics_commerce",
            "analytics_engagements",
            "analytics_hits",
            "analytics_items",
            "analytics_properties",
            "analytics_sessions",
            "search_appearances",
            "search_pages",
            "search_pairs",
            "search_places",
            "search_queries",
            "search_sums",
        ],
    ),
    // 16 months.
    (
        "2024_10",
        "2024_11",
        &[
            "rum_cls",
            "rum_engagements",
            "rum_errors",
            "rum_frames",
            "rum_inp",
            "rum_lcp",
            "rum_reasons",
            "rum_resources",
            "rum_scripts",
            "rum_server_timings",
            "rum_ttfb",
            "rum_views",
        ],
    ),
    // 12 months.
    (
        "2025_02",
        "2025_03",
        &[
            "indexing_changes",
            "indexing_results",
            "robots_checks",
            "sitemap_changes",
            "sitemap_checks",
            "sitemap_rounds",
            "uptime_checks",
        ],
    ),
];

/// How many rows a table has.
async fn rows(fixture: &Fixture, table: &str) -> i64 {
    fixture.value(&format!("SELECT count(*) FROM {table}"), &[]).await
}

/// The partitions of the credit log, by name, without the default one.
async fn days(fixture: &Fixture) -> Vec<String> {
    let partitions = fixture
        .sql
        .query(
            "SELECT c.relname::text FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
             WHERE i.inhparent = 'credit_log'::regclass AND c.relname <> 'credit_log_default' ORDER BY 1",
            &[],
        )
        .await
        .unwrap();
    partitions.iter().map(|row| row.get(0)).collect()
}

/// A row of the log for each of these hours.
async fn log(fixture: &Fixture, from: &str, to: &str, step: &str) {
    let insert = format!(
        "INSERT INTO credit_log (workspace_id, occurred_at, request_id, credential_id, operation, status, cost, cache)
         SELECT gen_random_uuid(), at, gen_random_uuid(), gen_random_uuid(), 'listDomains', 200, 0, 'miss'
         FROM generate_series('{from}'::timestamptz, '{to}', '{step}') AS at"
    );
    fixture.sql.batch_execute(&insert).await.unwrap();
}

#[tokio::test]
async fn months_are_made_ahead_and_take_over_what_the_default_one_has() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let checks =
        "INSERT INTO uptime_checks (id, domain_id, region, checked_at, outcome, redirect_count, retry_index)
                  SELECT gen_random_uuid(), $1, 'eu', at, 'up', 0, 0
                  FROM generate_series('2031-05-30'::timestamptz, '2031-08-02', '1 day') AS at";
    fixture.sql.execute(checks, &[&home.domain.0]).await.unwrap();
    assert_eq!(rows(&fixture, "uptime_checks_default").await, 65);
    let may = datetime!(2031-05-31 23:59:59 UTC);
    fixture.database.ensure_partitions(may).await.unwrap();
    fixture.database.ensure_partitions(may).await.unwrap();
    assert_eq!(rows(&fixture, "uptime_checks_2031_05").await, 2);
    assert_eq!(rows(&fixture, "uptime_checks_2031_06").await, 30);
    assert_eq!(rows(&fixture, "uptime_checks_2031_07").await, 31);
    assert_eq!(rows(&fixture, "uptime_checks_default").await, 2);
    assert_eq!(rows(&fixture, "uptime_checks").await, 65);
}

#[tokio::test]
async fn days_are_made_ahead_across_the_end_of_a_year_and_take_over_what_the_default_one_has() {
    let fixture = Fixture::new().await;
    let before = days(&fixture).await;
    log(&fixture, "2031-12-29 22:00Z", "2032-01-03 01:00Z", "1 hour").await;
    assert_eq!(rows(&fixture, "credit_log_default").await, 100);
    // Several nodes at once.
    let eve = datetime!(2031-12-30 23:59:59.999999 UTC);
    let ensure = || fixture.database.ensure_partitions(eve);
    futures_util::future::try_join_all([ensure(), ensure(), ensure()])
        .await
        .unwrap();
    let mut made = days(&fixture).await;
    made.retain(|day| !before.contains(day));
    let names = ["2031_12_30", "2031_12_31", "2032_01_01", "2032_01_02"];
    assert_eq!(made, names.map(|name| format!("credit_log_{name}")));
    for name in made {
        assert_eq!(rows(&fixture, &name).await, 24, "{name}");
    }
    assert_eq!(rows(&fixture, "credit_log_default").await, 4);
    assert_eq!(rows(&fixture, "credit_log").await, 100);
}

/// The day of 1 March ends at midnight; 90 days after that its last row is old enough, and not a moment before.
#[tokio::test]
async fn days_are_dropped_whole_once_they_are_90_days_old() {
    let fixture = Fixture::new().await;
    let day = datetime!(2026-03-01 00:00 UTC);
    fixture.database.ensure_partitions(day).await.unwrap();
    log(&fixture, "2026-03-01 00:00Z", "2026-03-02 23:00Z", "1 hour").await;
    // From before there were partitions.
    log(&fixture, "2026-02-27 12:00Z", "2026-02-28 12:00Z", "1 day").await;
    let first = "credit_log_2026_03_01".to_owned();
    let maintain = async |at: OffsetDateTime| fixture.database.maintain(at).await.unwrap();

    let due = datetime!(2026-03-02 00:00 UTC) + Duration::days(90);
    maintain(due - Duration::microseconds(1)).await;
    assert!(days(&fixture).await.contains(&first));
    assert_eq!(
        rows(&fixture, "credit_log").await,
        48,
        "the default one's are gone"
    );
    maintain(due).await;
    let left = days(&fixture).await;
    assert!(!left.contains(&first), "{left:?}");
    assert!(left.contains(&"credit_log_2026_03_02".to_owned()), "{left:?}");
    assert_eq!(rows(&fixture, "credit_log").await, 24);
    assert_eq!(rows(&fixture, "uptime_checks").await, 0);
}

/// Names out of the catalogue.
async fn names(fixture: &Fixture, query: &str) -> BTreeSet<String> {
    let rows = fixture.sql.query(query, &[]).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

/// At 31 March 2026 its like of ten years ago is kept, and so is all of that month; 16 months ago it was 30 November.
#[tokio::test]
async fn months_are_dropped_whole_once_all_of_them_is_as_old_as_it_is_kept() {
    let fixture = Fixture::new().await;
    let listed: BTreeSet<String> = KEPT
        .iter()
        .flat_map(|(_, _, tables)| tables.iter().map(|table| (*table).to_owned()))
        .collect();
    let partitioned = "SELECT p.partrelid::regclass::text FROM pg_partitioned_table AS p
        WHERE p.partrelid <> 'credit_log'::regclass";
    assert_eq!(names(&fixture, partitioned).await, listed);

    let (mut made, mut kept) = (BTreeSet::new(), BTreeSet::new());
    for (gone, first, tables) in KEPT {
        let ensure = format!(
            "SELECT ensure_partitions(t, 'month', to_date('{gone}', 'YYYY_MM') + 14, 1)
             FROM unnest('{{{}}}'::regclass[]) AS t",
            tables.join(", ")
        );
        fixture.sql.batch_execute(&ensure).await.unwrap();
        let of = |month: &'static str| tables.iter().map(move |table| format!("{table}_{month}"));
        made.extend(of(gone).chain(of(first)));
        kept.extend(of(first));
    }
    let old = "SELECT relname::text FROM pg_class
        WHERE relkind = 'r' AND relname ~ '_(2016_0[23]|2024_1[01]|2025_0[23])$'";
    assert_eq!(names(&fixture, old).await, made);
    fixture.database.maintain(NOW).await.unwrap();
    assert_eq!(names(&fixture, old).await, kept);
}

/// Whoever reads for long is not waited for, and nobody queues behind that.
#[tokio::test]
async fn a_log_in_use_is_dropped_another_time() {
    let fixture = Fixture::new().await;
    fixture
        .database
        .ensure_partitions(datetime!(2026-03-01 00:00 UTC))
        .await
        .unwrap();
    let before = days(&fixture).await;
    fixture
        .sql
        .batch_execute("BEGIN; SELECT count(*) FROM credit_log")
        .await
        .unwrap();
    let later = datetime!(2026-06-30 00:00 UTC);
    let drop = async || -> i32 {
        let sql = crate::harness::connect(fixture.test.url()).await;
        let query = "SELECT drop_partitions('credit_log', '2026-03-20Z')";
        sql.query_one(query, &[]).await.unwrap().get(0)
    };
    // The table is in use until the COMMIT below.
    assert_eq!(drop().await, 0);
    fixture.sql.batch_execute("COMMIT").await.unwrap();
    assert_eq!(days(&fixture).await, before);
    fixture.database.maintain(later).await.unwrap();
    assert_eq!(days(&fixture).await.len(), before.len(), "4 went, 4 came");
}

#[tokio::test]
async fn a_step_of_upkeep_that_fails_keeps_no_other_from_being_done() {
    let fixture = Fixture::new().await;
    let day = datetime!(2026-03-01 00:00 UTC);
    fixture.database.ensure_partitions(day).await.unwrap();
    let first = "credit_log_2026_03_01".to_owned();
    assert!(days(&fixture).await.contains(&first));
    fixture
        .sql
        .batch_execute("DROP FUNCTION ensure_partitions(regclass, text, timestamptz, integer)")
        .await
        .unwrap();
    assert!(
        fixture
            .database
            .maintain(day + Duration::days(200))
            .await
            .is_err()
    );
    assert!(!days(&fixture).await.contains(&first));
}
