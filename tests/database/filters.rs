//! Lists under every combination of their filters: however rare what is asked for is, a page looks at little else.

use pharos_domain::ids::{CheckId, RunId};
use pharos_uptime::{check::Outcome, history::RegionPlace, store::CheckFilter};

use crate::{
    checks::all,
    completion::watched,
    harness::{Fixture, NOW, after},
};

const FOUND: &str = include_str!("../../crates/uptime/pg/src/found_checks.sql");
const INCIDENTS: &str = include_str!("../../crates/uptime/pg/src/incidents/list.sql");
const COUNTS: &str = include_str!("../../crates/uptime/pg/src/incidents/counts.sql");

/// The rows that a statement's scans of these tables gave and looked at in vain, and its plan.
pub(crate) async fn looked_at(fixture: &Fixture, execute: &str, table: &str) -> (u64, String) {
    let rows = fixture
        .sql
        .query(
            &format!("EXPLAIN (ANALYZE, COSTS off, TIMING off) {execute}"),
            &[],
        )
        .await
        .unwrap();
    let lines: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    let number = |line: &str, after: &str| -> Option<f64> {
        let (_, rest) = line.split_once(after)?;
        rest.split([' ', ')']).next()?.parse().ok()
    };
    let (mut looked_at, mut loops) = (0.0, None);
    for line in &lines {
        if line.contains("(actual rows=") || line.contains("(never executed)") {
            loops = (line.contains("Scan") && line.contains(&format!(" on {table}")))
                .then(|| number(line, "loops="))
                .flatten();
            let found = number(line, "(actual rows=").unwrap_or(0.0);
            looked_at += found * loops.unwrap_or(0.0);
        } else if let (Some(loops), Some(removed)) = (loops, number(line, "Rows Removed by Filter: ")) {
            looked_at += removed * loops;
        }
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a count of rows"
    )]
    (looked_at.round() as u64, lines.join("\n"))
}

/// The most rows that any step of a plan gave or dropped, over all of its loops.
pub(crate) fn most_rows(plan: &str) -> u64 {
    let number = |line: &str, after: &str| -> Option<u64> {
        let (_, rest) = line.split_once(after)?;
        rest.split(['.', ' ', ')']).next()?.parse().ok()
    };
    let (mut most, mut loops) = (0, 0);
    for line in plan.lines() {
        let rows = number(line, "(actual rows=").or_else(|| {
            let (_, dropped) = line.split_once("Rows Removed by ")?;
            dropped.split_once(": ")?.1.trim().parse().ok()
        });
        loops = number(line, " loops=").unwrap_or(loops);
        most = most.max(rows.unwrap_or(0) * loops);
    }
    most
}

/// 60,000 checks of `eu` in three months that came to `up`; the oldest of them came to `down`, and one is of `us`.
async fn many_checks(fixture: &Fixture, domain: uuid::Uuid) {
    for days in [-90, -60, -30, 0] {
        fixture
            .database
            .ensure_partitions(after(86_400 * days))
            .await
            .unwrap();
    }
    fixture
        .sql
        .execute(
            "INSERT INTO uptime_checks (id, domain_id, region, checked_at, outcome, redirect_count, retry_index)
             SELECT gen_random_uuid(), $1, CASE n WHEN 59999 THEN 'us' ELSE 'eu' END,
                 '2026-03-31 09:15Z'::timestamptz - n * interval '2 minutes',
                 CASE WHEN n = 60000 THEN 'down' ELSE 'up' END, 0, 0
             FROM generate_series(0, 60000) AS n",
            &[&domain],
        )
        .await
        .unwrap();
    for region in ["ap", "eu", "us"] {
        let place = RegionPlace::unnamed(region);
        fixture
            .stores
            .schedule
            .register_region(&place, NOW)
            .await
            .unwrap();
    }
    fixture
        .sql
        .batch_execute("ANALYZE uptime_checks, regions")
        .await
        .unwrap();
}

#[tokio::test]
async fn checks_are_found_by_every_combination_of_their_filters() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    let domain = access.id();
    many_checks(&fixture, domain.0).await;
    let prepare = format!("PREPARE page (uuid, text, text[], timestamptz, uuid, bigint) AS {FOUND}");
    fixture.sql.batch_execute(&prepare).await.unwrap();
    let every: Vec<&str> = Outcome::ALL.iter().map(|outcome| outcome.as_str()).collect();
    let every = every.join(",");
    let start = "'9999-12-31 23:59:59Z', 'ffffffff-ffff-ffff-ffff-ffffffffffff'";
    let middle = "'2026-02-25 10:00Z', '7fffffff-ffff-ffff-ffff-ffffffffffff'";
    for mode in ["force_custom_plan", "force_generic_plan"] {
        let set = format!("SET plan_cache_mode = {mode}");
        fixture.sql.batch_execute(&set).await.unwrap();
        for outcomes in ["up", "down", "blocked", &every] {
            for region in ["'eu'", "'us'", "'ap'", "NULL"] {
                for cursor in [start, middle] {
                    let execute =
                        format!("EXECUTE page ('{domain}', {region}, '{{{outcomes}}}', {cursor}, 51)");
                    let (looked_at, plan) = looked_at(&fixture, &execute, "uptime_checks").await;
                    // Each partition may give one row to be compared with the others'.
                    assert!(looked_at < 200, "{looked_at} rows, {mode}: {execute}\n{plan}");
                }
            }
        }
    }
}

/// The walk of what the filters leave: nothing is left out, nothing stands twice, and the order is the list's.
#[tokio::test]
async fn pages_under_filters_are_the_list_without_what_they_leave_out() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    many_checks(&fixture, access.id().0).await;
    let run = RunId::generate();
    fixture
        .sql
        .execute(
            "INSERT INTO uptime_checks (id, domain_id, region, checked_at, outcome, redirect_count, retry_index, run_id)
             SELECT gen_random_uuid(), $1, (ARRAY['ap', 'us'])[1 + n % 2], '2026-03-30 09:15Z'::timestamptz - n / 3 * interval '1 day',
                 (ARRAY['down', 'blocked', 'up'])[1 + n % 3], 0, 0, CASE n WHEN 40 THEN $2::uuid END
             FROM generate_series(0, 80) AS n",
            &[&access.id().0, &run.0],
        )
        .await
        .unwrap();
    for outcome in [None, Some(Outcome::Down), Some(Outcome::Blocked)] {
        for region in [None, Some("ap"), Some("us")] {
            for run_id in [None, Some(run)] {
                let filter = CheckFilter {
                    outcome,
                    region: region.map(str::to_owned),
                    run_id,
                };
                if (outcome, region, run_id) == (None, None, None) {
                    continue;
                }
                let rows = fixture
                    .sql
                    .query(
                        "SELECT id FROM uptime_checks WHERE domain_id = $1 AND ($2::text IS NULL OR outcome = $2)
                             AND ($3::text IS NULL OR region = $3) AND ($4::uuid IS NULL OR run_id = $4)
                         ORDER BY checked_at DESC, id DESC",
                        &[
                            &access.id().0,
                            &outcome.map(|outcome| outcome.as_str()),
                            &region,
                            &run_id.map(|run| run.0),
                        ],
                    )
                    .await
                    .unwrap();
                let want: Vec<CheckId> = rows.iter().map(|row| CheckId(row.get(0))).collect();
                assert_eq!(all(&fixture, &access, &filter, 7).await, want, "{filter:?}");
            }
        }
    }
}

/// 30,000 outages in a year: one of another class, the oldest; one that is open, the newest.
#[tokio::test]
async fn incidents_are_found_by_every_combination_of_their_filters() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    let domain = access.id();
    fixture
        .sql
        .execute(
            "INSERT INTO uptime_incidents (id, domain_id, started_at, confirmed_at, resolved_at, class, severity, checks_failed,
                 response_headers, during_maintenance)
             SELECT gen_random_uuid(), $1, at, at, CASE n WHEN 0 THEN NULL ELSE at + interval '1 minute' END,
                 CASE n WHEN 30000 THEN 'dns' ELSE 'timeout' END, 'outage', 1, '{}', false
             FROM generate_series(0, 30000) AS n
             CROSS JOIN LATERAL (SELECT '2026-03-31 09:15Z'::timestamptz - n * interval '15 minutes' AS at) AS _",
            &[&domain.0],
        )
        .await
        .unwrap();
    fixture
        .sql
        .batch_execute("ANALYZE uptime_incidents")
        .await
        .unwrap();
    let prepare = format!(
        "PREPARE page (uuid, timestamptz, timestamptz, text, boolean, bigint, timestamptz, uuid, bigint) AS {INCIDENTS}"
    );
    fixture.sql.batch_execute(&prepare).await.unwrap();
    let prepare =
        format!("PREPARE counts (uuid, timestamptz, timestamptz, text, boolean, bigint) AS {COUNTS}");
    fixture.sql.batch_execute(&prepare).await.unwrap();
    let year = "'2025-03-31 09:15Z', '2026-03-31 09:16Z'";
    let [day, none] = [
        "'2026-01-31 09:15Z', '2026-02-01 09:15Z'",
        "'2024-01-31 09:15Z', '2024-02-01 09:15Z'",
    ];
    for mode in ["force_custom_plan", "force_generic_plan"] {
        let set = format!("SET plan_cache_mode = {mode}");
        fixture.sql.batch_execute(&set).await.unwrap();
        for window in [year, day, none] {
            for class in ["NULL", "'dns'", "'timeout'", "'tls'"] {
                for is_open in ["NULL", "true", "false"] {
                    let asked = format!("'{domain}', {window}, {class}, {is_open}, 2000");
                    for execute in [
                        format!("EXECUTE page ({asked}, NULL, NULL, 51)"),
                        format!("EXECUTE counts ({asked})"),
                    ] {
                        let (looked_at, plan) = looked_at(&fixture, &execute, "uptime_incidents").await;
                        // At most 2,000 rows of all classes, and 2,000 of one.
                        assert!(looked_at < 4_200, "{looked_at} rows, {mode}: {execute}\n{plan}");
                    }
                }
            }
        }
    }
}
