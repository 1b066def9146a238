//! Results of reports that are no longer kept, among those that are.

use crate::harness::Fixture;

const OLD: &str = include_str!("../../crates/reporting/pg/src/runs/old_results.sql");

/// However many results are kept, upkeep looks at those that are not.
#[tokio::test]
async fn old_results_are_found_by_their_indexes() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    fixture
        .sql
        .batch_execute(&format!(
            "INSERT INTO runs (id, domain_id, kind, status, requested_at, started_at, finished_at, expires_at,
                 requester_kind, credential_id, credits_charged)
             SELECT gen_random_uuid(), '{}', 'report', 'succeeded', at, at, at, at + interval '400 days', 'api_key',
                 gen_random_uuid(), 25
             FROM (SELECT now() - n * interval '15 minutes' AS at FROM generate_series(1, 30000) AS n) AS kept;
             INSERT INTO report_runs (run_id, template_name, trigger, format, first_day, last_day, ordered, result, has_result)
             SELECT id, 'Monthly', 'api', 'pdf', '2026-03-01', '2026-03-31', '{{}}', '{{}}', true FROM runs;
             UPDATE runs SET status = 'failed', expires_at = NULL WHERE id IN (SELECT id FROM runs ORDER BY id LIMIT 20);
             UPDATE runs SET status = 'expired', expires_at = now()
             WHERE id IN (SELECT id FROM runs WHERE status = 'succeeded' ORDER BY id LIMIT 20);
             UPDATE runs SET expires_at = now()
             WHERE id IN (SELECT id FROM runs WHERE status = 'succeeded' ORDER BY id LIMIT 20)",
            home.domain
        ))
        .await
        .unwrap();
    fixture
        .sql
        .batch_execute("VACUUM ANALYZE runs, report_runs")
        .await
        .unwrap();
    let old = OLD
        .replace("$1", "now()")
        .replace("$2", "500")
        .replace("$3", "'{}'::uuid[]");
    let count = format!("SELECT count(*) FROM ({old}) AS old");
    assert_eq!(fixture.value::<i64>(&count, &[]).await, 60);
    let rows = fixture.sql.query(&format!("EXPLAIN {old}"), &[]).await.unwrap();
    let plan: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    let plan = plan.join("\n");
    for index in ["report_runs_over_idx", "runs_expiry_idx"] {
        assert!(plan.contains(index), "{plan}");
    }
    assert!(!plan.contains("Seq Scan"), "{plan}");
}
