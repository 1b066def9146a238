//! The credit log: rows that cost nothing, and lists.

use pharos_domain::{
    credits::{CacheOutcome, LogEntry},
    ids::RequestId,
};

use crate::{
    harness::{Fixture, NOW, after, entry},
    purse::Charged,
};

#[tokio::test]
async fn rows_that_cost_nothing_are_written_once_by_the_thousand() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let rows: Vec<LogEntry> = (0..4_096)
        .map(|second| LogEntry {
            domain_id: (second % 2 == 0).then_some(home.domain),
            cache: CacheOutcome::Hit,
            status: 304,
            ..entry(&home, 0, after(second))
        })
        .collect();
    let ledger = &fixture.stores.ledger;
    ledger.record(&rows[..3_000]).await.unwrap();
    // Some of them again, as after a connection that was lost.
    ledger.record(&rows[2_000..]).await.unwrap();
    ledger.record(&[]).await.unwrap();
    let written: i64 = fixture
        .value(
            "SELECT count(*) FROM credit_log WHERE cache = 'hit' AND status = 304",
            &[],
        )
        .await;
    let of_domain: i64 = fixture
        .value("SELECT count(domain_id) FROM credit_log", &[])
        .await;
    assert_eq!((written, of_domain), (4_096, 2_048));
    assert_eq!(fixture.charged(&home).await, Charged::of(0));
}

#[tokio::test]
async fn a_row_that_was_charged_is_not_overwritten() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let charge = entry(&home, 5, NOW);
    fixture.settle(std::slice::from_ref(&charge)).await;
    fixture
        .stores
        .ledger
        .record(&[LogEntry { cost: 0, ..charge }])
        .await
        .unwrap();
    assert_eq!(fixture.charged(&home).await, Charged::of(5));
}

/// A page of the newest, and one after a cursor, among 100,000 rows of ten days: read by the primary key backwards,
/// merged by it, never sorted.
#[tokio::test]
async fn a_page_is_read_by_the_primary_key_backwards() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    for day in -10..0 {
        fixture
            .database
            .ensure_partitions(after(day * 86_400))
            .await
            .unwrap();
    }
    fixture
        .sql
        .execute(
            "INSERT INTO credit_log (workspace_id, occurred_at, request_id, credential_id, operation, status, cost, cache)
             SELECT CASE n % 10 WHEN 0 THEN $1 ELSE gen_random_uuid() END, '2026-03-31 09:15Z'::timestamptz - n * interval '8 seconds',
                 gen_random_uuid(), gen_random_uuid(), 'listDomains', 200, 1, 'miss'
             FROM generate_series(1, 100000) AS n",
            &[&home.workspace.0],
        )
        .await
        .unwrap();
    fixture.sql.batch_execute("ANALYZE credit_log").await.unwrap();
    let cursor = format!(
        "AND occurred_at <= '2026-03-28 00:00Z' AND (occurred_at, request_id) < ('2026-03-28 00:00Z', '{}')",
        RequestId::generate()
    );
    for cursor in ["", &cursor] {
        let query = format!(
            "EXPLAIN SELECT * FROM credit_log WHERE workspace_id = '{}' AND occurred_at >= '2026-03-22 00:00Z' {cursor}
             ORDER BY occurred_at DESC, request_id DESC LIMIT 51",
            home.workspace
        );
        let plan = fixture.sql.query(&query, &[]).await.unwrap();
        let plan: Vec<String> = plan.iter().map(|line| line.get(0)).collect();
        let plan = plan.join("\n");
        assert!(
            plan.contains("Index Scan Backward using credit_log_2026_03_2"),
            "{plan}"
        );
        assert!(!plan.contains("Seq Scan on credit_log_2026"), "{plan}");
        assert!(!plan.contains("->  Sort  "), "{plan}");
    }
}
