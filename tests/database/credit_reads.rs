//! Balances and the credit log as the reads see them.

use std::sync::Arc;

use pharos_domain::{
    credits::{Allowance, Balance},
    identity::{Identity, WorkspaceAccess},
    ids::WorkspaceId,
};
use time::macros::datetime;

use crate::harness::{Fixture, Home, NOW};

/// The statement that the store reads a page of the log with.
const LOG: &str = include_str!("../../crates/account/pg/src/credit_log.sql");

/// The ways into these workspaces of one who reaches them all: the owner of the first.
async fn reach(fixture: &Fixture, homes: &[&Home]) -> Vec<WorkspaceAccess> {
    let mut identity = Identity::clone(&*fixture.identity(homes[0]).await);
    for home in &homes[1..] {
        let other = fixture.identity(home).await;
        identity.workspaces.extend(other.workspaces.iter().cloned());
    }
    WorkspaceAccess::open_all(&Arc::new(identity))
}

async fn created_at(fixture: &Fixture, workspace: WorkspaceId, at: &str) {
    let change = format!("UPDATE workspaces SET created_at = '{at}' WHERE id = '{workspace}'");
    fixture.sql.batch_execute(&change).await.unwrap();
}

#[tokio::test]
async fn each_workspace_has_its_own_cycle_plan_and_cap() {
    let fixture = Fixture::new().await;
    let (ada, bob, eve) = (
        fixture.home("ada").await,
        fixture.home("bob").await,
        fixture.home("eve").await,
    );
    // The order is that of their ages, whatever the order of the accesses.
    created_at(&fixture, bob.workspace, "2024-02-29 12:00Z").await;
    created_at(&fixture, eve.workspace, "2025-01-15 23:59Z").await;
    fixture
        .sql
        .batch_execute(&format!(
            "UPDATE credit_balances SET used = 70, cycle_start = '2026-02-28 00:00Z', cycle_end = '2026-03-29 00:00Z'
             WHERE workspace_id = '{bob}';
             UPDATE credit_balances SET used = 9, cycle_start = '2026-03-15 00:00Z', cycle_end = '2026-04-15 00:00Z'
             WHERE workspace_id = '{eve}';
             INSERT INTO plans (key, name, credits_per_cycle, modules) VALUES ('small', 'Small', 500, '{{}}');
             UPDATE workspaces SET plan_key = 'small' WHERE id = '{eve}';
             INSERT INTO members SELECT id, '{owner}', 'viewer', created_at, 30 FROM workspaces WHERE id = '{eve}';
             INSERT INTO members SELECT id, '{owner}', 'viewer', created_at, 40 FROM workspaces WHERE id = '{bob}';
             INSERT INTO credit_member_usage VALUES
                 ('{eve}', '{owner}', '2026-03-15 00:00Z', 4), ('{bob}', '{owner}', '2026-02-28 00:00Z', 25)",
            bob = bob.workspace,
            eve = eve.workspace,
            owner = ada.owner,
        ))
        .await
        .unwrap();
    let reach = reach(&fixture, &[&ada, &eve, &bob]).await;
    let balances = fixture.stores.credits.balances(&reach, NOW).await.unwrap();
    let balance = |workspace_id, granted, used, cycle_start, cycle_end, member: Option<(u64, u64)>| Balance {
        workspace_id,
        granted,
        used,
        cycle_start,
        cycle_end,
        member: member.map(|(granted, used)| Allowance { granted, used }),
    };
    let want = [
        // Its row is of the cycle before, and so is what was used of the cap.
        balance(
            bob.workspace,
            1_000_000,
            0,
            datetime!(2026-03-29 00:00 UTC),
            datetime!(2026-04-29 00:00 UTC),
            Some((40, 0)),
        ),
        balance(
            eve.workspace,
            500,
            9,
            datetime!(2026-03-15 00:00 UTC),
            datetime!(2026-04-15 00:00 UTC),
            Some((30, 4)),
        ),
        balance(
            ada.workspace,
            1_000_000,
            0,
            datetime!(2026-03-31 00:00 UTC),
            datetime!(2026-04-30 00:00 UTC),
            None,
        ),
    ];
    assert_eq!(balances, want);
    assert_eq!(fixture.stores.credits.balances(&[], NOW).await.unwrap(), []);
}

/// 60,000 rows of each of two workspaces, over 69 days.
async fn fill(fixture: &Fixture, homes: [&Home; 2]) {
    let [first, second] = homes.map(|home| home.workspace.0);
    fixture
        .sql
        .batch_execute(&format!(
            "SELECT ensure_partitions('credit_log', 'day', '2026-01-20Z', 80);
             INSERT INTO credit_log (workspace_id, occurred_at, request_id, credential_id, operation, status, cost, cache)
             SELECT w, '2026-03-31 09:15Z'::timestamptz - n * interval '100 seconds', gen_random_uuid(), w,
                 'getMe', 200, 0, 'miss'
             FROM generate_series(1, 60000) AS n CROSS JOIN unnest('{{{first},{second}}}'::uuid[]) AS w;
             ANALYZE credit_log"
        ))
        .await
        .unwrap();
}

/// The scans of the log that a plan did: each partition, and how many rows it gave.
fn scans(plan: &[String]) -> Vec<(String, usize)> {
    let executed = plan.iter().filter_map(|line| {
        let (scan, rest) = line.trim().strip_prefix("->  ")?.split_once(" (actual rows=")?;
        let partition = scan.strip_prefix("Index Scan Backward using credit_log_")?;
        let rows = rest.split(' ').next()?.parse().ok()?;
        Some((partition.split("_pkey").next()?.to_owned(), rows))
    });
    executed.collect()
}

#[tokio::test]
async fn a_page_of_the_log_reads_its_own_rows_of_the_cycle_s_partitions() {
    let fixture = Fixture::new().await;
    let (home, other) = (fixture.home("ada").await, fixture.home("eve").await);
    let cycle =
        "UPDATE credit_balances SET cycle_start = '2026-03-20 00:00Z', cycle_end = '2026-04-20 00:00Z'";
    fixture.sql.batch_execute(cycle).await.unwrap();
    fill(&fixture, [&home, &other]).await;
    let prepare = format!("PREPARE page (uuid, timestamptz, timestamptz, uuid, bigint) AS {LOG}");
    fixture.sql.batch_execute(&prepare).await.unwrap();
    let start = "'9999-12-31 23:59:59Z', 'ffffffff-ffff-ffff-ffff-ffffffffffff'";
    let middle = "'2026-03-25 10:00Z', '7fffffff-ffff-ffff-ffff-ffffffffffff'";
    for mode in ["force_custom_plan", "force_generic_plan"] {
        for (after, newest) in [(start, "2026_03_31"), (middle, "2026_03_25")] {
            fixture
                .sql
                .batch_execute(&format!("SET plan_cache_mode = {mode}"))
                .await
                .unwrap();
            let explain = format!(
                "EXPLAIN (ANALYZE, COSTS off, TIMING off) EXECUTE page ('{}', '2026-03-31 09:15Z', {after}, 51)",
                home.workspace
            );
            let rows = fixture.sql.query(explain.as_str(), &[]).await.unwrap();
            let plan: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
            let shown = plan.join("\n");
            let sorts = plan
                .iter()
                .any(|line| line.trim_start_matches([' ', '-', '>']).starts_with("Sort ("));
            assert!(
                !sorts && !shown.contains("Seq Scan on credit_log"),
                "{mode}: {shown}"
            );
            let scans = scans(&plan);
            let days: Vec<&str> = scans
                .iter()
                .map(|(partition, _)| partition.as_str())
                .filter(|partition| *partition != "default")
                .collect();
            let in_cycle = days.iter().all(|day| *day >= "2026_03_20");
            assert!(in_cycle && days.contains(&newest), "{mode}: {shown}");
            let read: usize = scans.iter().map(|(_, rows)| rows).sum();
            // Each partition may give one row to be compared with the others'.
            assert!(
                (51..=51 + scans.len()).contains(&read),
                "{mode}: {read} rows: {shown}"
            );
        }
    }
}
