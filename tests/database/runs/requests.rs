//! Runs as they are asked for and found.

use pharos_domain::{
    credits::SettleError,
    ids::{RunId, WorkerId},
    jobs::JobOutcome,
    runs::{RunItems, RunKind, RunStatus},
};

use super::{Asked, keyed, request};
use crate::harness::{Fixture, NOW, actor, after};

#[tokio::test]
async fn a_run_is_found_by_its_domain_and_kind_alone() {
    let asked = Asked::new(1).await;
    let bob = asked.fixture.home("bob").await;
    let bob = asked.fixture.access(&bob).await;
    let runs = &asked.fixture.stores.runs;
    let find = async |access, kind, id| runs.find(access, kind, id, NOW).await.unwrap();
    let (report, id) = (RunKind::Report, asked.run.id);
    assert_eq!(find(&asked.access, report, id).await.as_ref(), Some(&asked.run));
    assert_eq!(find(&bob, report, id).await, None);
    assert_eq!(find(&asked.access, RunKind::Inspector, id).await, None);
    assert_eq!(find(&asked.access, report, RunId::generate()).await, None);

    let newest = keyed(&asked.home, &asked.access, "newest");
    let (newest, _) = request(&asked.fixture, &newest, 1).await.unwrap();
    let last = async |access, kind| runs.last(access, kind, NOW).await.unwrap();
    assert_eq!(last(&asked.access, report).await, Some(newest));
    assert_eq!(last(&bob, report).await, None);
    assert_eq!(last(&asked.access, RunKind::Inspector).await, None);
}

#[tokio::test]
async fn the_runs_of_a_domain_that_is_deleted_are_canceled_and_nobody_begins_their_jobs() {
    let asked = Asked::new(3).await;
    let other = asked.fixture.home("bob").await;
    let access = asked.fixture.access(&other).await;
    let (kept, _) = request(&asked.fixture, &keyed(&other, &access, "k"), 1)
        .await
        .unwrap();
    let worker = WorkerId::generate();
    let held = asked.claim(worker, NOW, 1).await.remove(0);
    let domains = &asked.fixture.stores.domain_admin;
    domains
        .delete(asked.home.domain, &actor(), after(1))
        .await
        .unwrap();
    let canceled = asked.at(NOW).await;
    assert_eq!(
        (canceled.status, canceled.finished_at),
        (RunStatus::Canceled, Some(after(1)))
    );
    let runs = &asked.fixture.stores.runs;
    assert!(!runs.progress(&held, RunItems::of(8)).await.unwrap());
    asked.settle(worker, &held, JobOutcome::Succeeded, after(2)).await;
    assert_eq!(asked.at(NOW).await, canceled);
    let left = asked.claim(worker, after(2), 9).await;
    assert_eq!(left.len(), 1, "that of the other domain");
    let found = runs.find(&access, RunKind::Report, kept.id, NOW).await.unwrap();
    assert_eq!(found.unwrap().status, RunStatus::Running);
}

/// Charge, run, jobs and answer are one transaction.
#[tokio::test]
async fn a_run_that_cannot_be_paid_or_has_no_job_leaves_nothing_behind() {
    let fixture = Fixture::with_a_clock().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let rows = async || -> i64 {
        let count = "SELECT (SELECT count(*) FROM runs) + (SELECT count(*) FROM jobs)";
        fixture.value(count, &[]).await
    };
    let without = request(&fixture, &keyed(&home, &access, "k"), 0).await;
    assert!(matches!(without, Err(SettleError::Store(_))), "{without:?}");
    fixture.grant(&home, 24).await;
    let unpaid = request(&fixture, &keyed(&home, &access, "k"), 1).await;
    assert!(matches!(unpaid, Err(SettleError::Exhausted(_))), "{unpaid:?}");
    assert_eq!(rows().await, 0);
    fixture.grant(&home, 25).await;
    let paid = request(&fixture, &keyed(&home, &access, "k"), 1).await.unwrap();
    let again = request(&fixture, &keyed(&home, &access, "k"), 1).await;
    assert!(matches!(again, Err(SettleError::Replayed)), "{again:?}");
    assert_eq!((rows().await, paid.1.len()), (2, 1));
}

/// However many runs there are, a read and upkeep look at those that they are about.
#[tokio::test]
async fn runs_are_read_by_their_indexes() {
    let asked = Asked::new(1).await;
    asked
        .fixture
        .sql
        .batch_execute(&format!(
            "INSERT INTO runs (id, domain_id, kind, status, requested_at, started_at, finished_at, expires_at,
                 requester_kind, credential_id, credits_charged)
             SELECT gen_random_uuid(), '{}', CASE WHEN n % 9 > 0 THEN 'report' ELSE 'inspector' END, 'expired', at, at, at,
                 at, 'api_key', gen_random_uuid(), 25
             FROM (SELECT n, timestamptz '2026-03-31Z' - n * interval '1 minute' AS at FROM generate_series(1, 30000) AS n)
                 AS old;
             INSERT INTO jobs (id, kind, payload, state, run_at, attempts, max_attempts, created_at, finished_at)
             SELECT gen_random_uuid(), 'test', '{{}}', 'succeeded', '2026-03-31Z', 1, 3, '2026-03-31Z', '2026-03-31Z'
             FROM generate_series(1, 30000);
             ANALYZE runs; ANALYZE jobs",
            asked.home.domain
        ))
        .await
        .unwrap();
    let upkeep = |text: &str| {
        text.replace("$1", "timestamptz '2025-03-30Z'")
            .replace("$2", "1000")
    };
    let domain = asked.home.domain;
    for (text, index) in [
        (
            format!(
                "SELECT * FROM runs WHERE domain_id = '{domain}' AND kind = 'report'
                 ORDER BY requested_at DESC, id DESC LIMIT 1"
            ),
            "runs_domain_idx",
        ),
        (
            include_str!("../../../crates/persistence/src/runs/end.sql")
                .replace("$1", "timestamptz '2025-03-30Z'")
                .replace("$2", "timestamptz '2025-03-30Z'")
                .replace("$3", "1000")
                .replace("$4", "'why'"),
            "runs_open_idx",
        ),
        (
            upkeep(include_str!("../../../crates/persistence/src/runs/expire.sql")),
            "runs_expiry_idx",
        ),
        (
            upkeep(include_str!("../../../crates/persistence/src/runs/forget.sql")),
            "runs_finished_idx",
        ),
        (
            format!(
                "SELECT count(*) FROM jobs WHERE run_id = ANY(ARRAY['{}'::uuid])",
                asked.run.id
            ),
            "jobs_run_idx",
        ),
    ] {
        let rows = asked
            .fixture
            .sql
            .query(&format!("EXPLAIN {text}"), &[])
            .await
            .unwrap();
        let plan: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
        let plan = plan.join("\n");
        assert!(plan.contains(index), "{plan}");
        assert!(!plan.contains("Seq Scan"), "{plan}");
    }
}
