//! Results of reports that are no longer kept, among those that are.

use pharos_domain::ids::RunId;
use pharos_reporting::{run::ReportResult, store::ReportWork};

use crate::{
    harness::{Fixture, NOW, connect},
    report_templates::template,
    retries::blocked,
};

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

/// Whoever deletes a template holds it, and then changes its runs.
#[tokio::test]
async fn a_result_and_the_end_of_its_template_wait_for_each_other_in_no_circle() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let (template, run) = (template(&fixture, &home, "Monthly").await, RunId::generate());
    fixture
        .sql
        .batch_execute(&format!(
            "INSERT INTO runs (id, domain_id, kind, status, requested_at, requester_kind, credential_id, credits_charged)
             VALUES ('{run}', '{}', 'report', 'queued', now(), 'api_key', gen_random_uuid(), 25);
             INSERT INTO report_runs (run_id, template_id, template_name, trigger, format, first_day, last_day, ordered)
             VALUES ('{run}', '{template}', 'Monthly', 'api', 'pdf', '2026-03-01', '2026-03-31', '{{}}')",
            home.domain,
        ))
        .await
        .unwrap();
    let other = connect(fixture.test.url()).await;
    let holds = format!("BEGIN; SELECT FROM report_templates WHERE id = '{template}' FOR UPDATE");
    other.batch_execute(&holds).await.unwrap();
    let store = fixture.stores.ports.get::<dyn ReportWork>().unwrap();
    let made = tokio::spawn(async move { store.made(run, &ReportResult::default(), NOW).await });
    blocked(&fixture, "SET last_run_at").await;
    let ends = format!("DELETE FROM report_templates WHERE id = '{template}'; COMMIT");
    other.batch_execute(&ends).await.unwrap();
    made.await.unwrap().unwrap();
    let kept = "SELECT count(*) FROM report_runs WHERE has_result AND template_id IS NULL";
    assert_eq!(fixture.value::<i64>(kept, &[]).await, 1);
}
