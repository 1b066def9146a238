//! Partitions: made ahead, and dropped when retention has passed.

use time::{Duration, OffsetDateTime, macros::datetime};

use crate::harness::Fixture;

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
