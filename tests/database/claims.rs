//! Claiming checks that are due.

use std::{collections::HashSet, time::SystemTime};

use futures_util::future::join_all;
use pharos_domain::ids::DomainId;
use pharos_due::work::DueClaim;
use pharos_persistence::jobs::backlog::Backlog;
use pharos_uptime::schedule::DueCheck;
use pharos_uptime_pg::{GROUP, schedule::CHECKS};
use time::{Duration, OffsetDateTime};
use tokio_postgres::SimpleQueryMessage;

use crate::harness::{Fixture, Home, NOW, after};

const LEASE: Duration = Duration::seconds(30);

/// So many monitors in one region, due one second after the other, beginning now.
async fn monitors(fixture: &Fixture, count: i32) -> Home {
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    fixture.monitor(&access, NOW, |_| {}).await;
    let statements = format!(
        "INSERT INTO domains (id, workspace_id, hostname, created_at)
             SELECT gen_random_uuid(), workspace_id, 'd' || n || '.example', created_at
             FROM domains, generate_series(1, {count}) AS n;
         INSERT INTO uptime_monitors (domain_id, settings, created_at, updated_at)
             SELECT d.id, m.settings, d.created_at, d.created_at FROM domains AS d, uptime_monitors AS m
             ON CONFLICT DO NOTHING;
         INSERT INTO uptime_schedules (domain_id, region, next_check_at)
             SELECT id, 'eu', created_at + (substr(split_part(hostname, '.', 1), 2)::integer - 1) * interval '1 second'
             FROM domains WHERE hostname LIKE 'd%';
         DELETE FROM uptime_schedules WHERE domain_id = '{}'",
        home.domain
    );
    fixture.sql.batch_execute(&statements).await.unwrap();
    home
}

async fn claim(fixture: &Fixture, now: OffsetDateTime, limit: usize) -> Vec<(DomainId, OffsetDateTime)> {
    let claimed = claim_all(fixture, &DueClaim::of_now(now, LEASE, limit)).await;
    claimed.iter().map(|due| (due.domain_id, due.due_at)).collect()
}

async fn claim_all(fixture: &Fixture, claim: &DueClaim) -> Vec<DueCheck> {
    fixture.stores.schedule.claim("eu", claim).await.unwrap()
}

#[tokio::test]
async fn the_longest_due_come_first_and_only_those_that_are_due() {
    let fixture = Fixture::new().await;
    monitors(&fixture, 10).await;
    let first = claim(&fixture, after(5), 3).await;
    assert_eq!(
        first.iter().map(|(_, at)| *at).collect::<Vec<_>>(),
        [NOW, after(1), after(2)]
    );
    let rest = claim(&fixture, after(5), 100).await;
    assert_eq!(
        rest.iter().map(|(_, at)| *at).collect::<Vec<_>>(),
        [after(3), after(4), after(5)]
    );
    assert_eq!(claim(&fixture, after(5), 100).await, []);
    let elsewhere = fixture
        .stores
        .schedule
        .claim("us", &DueClaim::of_now(after(5), LEASE, 100))
        .await;
    assert_eq!(elsewhere.unwrap().len(), 0);
}

/// A monitor that is claimed ahead says how long it has to wait, and is leased from its claim on.
#[tokio::test]
async fn what_is_due_soon_is_claimed_ahead() {
    let fixture = Fixture::new().await;
    monitors(&fixture, 10).await;
    let ahead = DueClaim {
        ahead: Duration::seconds(2),
        ..DueClaim::of_now(after(5), LEASE, 100)
    };
    let claimed = claim_all(&fixture, &ahead).await;
    let waits: Vec<(OffsetDateTime, Duration)> = claimed.iter().map(|due| (due.due_at, due.due_in)).collect();
    let soon = [(6, 1), (7, 2)].map(|(at, wait)| (after(at), Duration::seconds(wait)));
    assert_eq!(waits.len(), 8);
    assert_eq!(waits[6..], soon);
    // The others say how long they have been due.
    assert!(
        waits[..6].iter().all(|(at, wait)| *wait == *at - after(5)),
        "{waits:?}"
    );
    assert!(claimed.iter().all(|due| due.leased_until == after(35)));
    assert_eq!(claim(&fixture, after(7), 100).await, []);
    // A node that dies with claims delays them by the lease, and no more.
    let taken: Vec<_> = claimed.iter().map(|due| (due.domain_id, due.due_at)).collect();
    assert_eq!(claim(&fixture, after(35), 8).await, taken);
}

/// So many monitors of a new workspace in the region, all due then.
async fn others(fixture: &Fixture, name: &str, count: i32, due: OffsetDateTime) -> Vec<DomainId> {
    let home = fixture.home(name).await;
    let [now, due] = [NOW, due].map(SystemTime::from);
    let rows = fixture
        .sql
        .query(
            "WITH added AS (
                 INSERT INTO domains (id, workspace_id, hostname, created_at)
                 SELECT gen_random_uuid(), $1, 'd' || n || '.' || $2 || '.example', $4 FROM generate_series(1, $3) AS n
                 RETURNING id
             ), watched AS (
                 INSERT INTO uptime_monitors (domain_id, settings, created_at, updated_at)
                 SELECT added.id, m.settings, $4, $4
                 FROM added, (SELECT settings FROM uptime_monitors LIMIT 1) AS m
             )
             SELECT id FROM added",
            &[&home.workspace.0, &name, &count, &now],
        )
        .await
        .unwrap();
    let ids: Vec<uuid::Uuid> = rows.iter().map(|row| row.get(0)).collect();
    let schedule = "INSERT INTO uptime_schedules (domain_id, region, next_check_at)
                    SELECT id, 'eu', $2 FROM unnest($1::uuid[]) AS added (id)";
    fixture.sql.execute(schedule, &[&ids, &due]).await.unwrap();
    ids.into_iter().map(DomainId).collect()
}

/// A thousand monitors of one workspace have been due for long, and take all the room that there is. Those of the others
/// come due later, and go first all the same as soon as there is any.
#[tokio::test]
async fn a_workspace_with_a_thousand_checks_due_holds_up_nobodys_few() {
    let fixture = Fixture::new().await;
    monitors(&fixture, 1_000).await;
    let now = after(2_000);
    assert_eq!(claim(&fixture, now, 100).await.len(), 100);
    let mut few = HashSet::new();
    for name in ["ben", "cora", "dan", "eve", "finn", "gus", "hal", "ida"] {
        few.extend(others(&fixture, name, 3, after(1_999)).await);
    }
    // Room comes bit by bit, as checks end. A claim looks at eight of the nine workspaces, the next at the ninth.
    let mut claimed = Vec::new();
    for _ in 0..30 {
        claimed.extend(claim(&fixture, now, 2).await);
    }
    let served = claimed.iter().filter(|(domain, _)| few.contains(domain)).count();
    assert_eq!(served, few.len(), "of {}", claimed.len());
    // Nobody else has anything due: the thousand have all the room again, the longest due first.
    let rest = claim(&fixture, now, 10).await;
    let mut ordered = rest.clone();
    ordered.sort_by_key(|(_, due)| *due);
    assert_eq!((rest.len(), &rest), (10, &ordered));
}

#[tokio::test]
async fn claimers_at_once_never_get_the_same_check() {
    let fixture = Fixture::new().await;
    monitors(&fixture, 500).await;
    let claimers = join_all((0..12).map(|_| async {
        let mut mine = Vec::new();
        loop {
            let claimed = claim(&fixture, after(600), 7).await;
            if claimed.is_empty() {
                break mine;
            }
            mine.extend(claimed.into_iter().map(|(domain, _)| domain));
        }
    }))
    .await;
    let busy = claimers.iter().filter(|mine| !mine.is_empty()).count();
    let all: Vec<DomainId> = claimers.into_iter().flatten().collect();
    assert_eq!(all.len(), 500);
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), 500);
    assert!(busy > 6, "{busy} of 12 got any");
}

#[tokio::test]
async fn a_lease_that_ends_gives_the_check_to_another() {
    let fixture = Fixture::new().await;
    monitors(&fixture, 1).await;
    let first = claim(&fixture, NOW, 10).await;
    assert_eq!(claim(&fixture, after(29), 10).await, []);
    assert_eq!(claim(&fixture, after(30), 10).await, first);
    assert_eq!(claim(&fixture, after(59), 10).await, []);
}

#[tokio::test]
async fn what_is_given_back_is_due_again() {
    let fixture = Fixture::new().await;
    monitors(&fixture, 4).await;
    let schedule = &fixture.stores.schedule;
    let claimed = claim_all(&fixture, &DueClaim::of_now(after(10), LEASE, 10)).await;
    let due = |due: &DueCheck| (due.domain_id, due.due_at);
    let some: Vec<&DueCheck> = claimed[..2].iter().collect();
    schedule.release("eu", &some).await.unwrap();
    let again: Vec<_> = claimed[..2].iter().map(due).collect();
    assert_eq!(claim(&fixture, after(11), 10).await, again);
    let all: Vec<&DueCheck> = claimed.iter().collect();
    schedule.release("us", &all).await.unwrap();
    schedule.release("eu", &[]).await.unwrap();
    // Others have claimed the first two since, and keep them.
    schedule.release("eu", &some).await.unwrap();
    assert_eq!(claim(&fixture, after(12), 10).await, []);
}

#[tokio::test]
async fn the_next_is_the_earliest_that_nobody_has_or_the_end_of_a_lease() {
    let fixture = Fixture::new().await;
    let schedule = &fixture.stores.schedule;
    assert_eq!(schedule.next_due("eu", NOW).await.unwrap(), None);
    monitors(&fixture, 3).await;
    assert_eq!(schedule.next_due("eu", NOW).await.unwrap(), Some(NOW));
    claim(&fixture, NOW, 1).await;
    assert_eq!(schedule.next_due("eu", NOW).await.unwrap(), Some(after(1)));
    claim(&fixture, after(5), 10).await;
    assert_eq!(schedule.next_due("eu", NOW).await.unwrap(), Some(after(30)));
    assert_eq!(schedule.next_due("us", NOW).await.unwrap(), None);
}

#[tokio::test]
async fn paused_monitors_deleted_domains_and_unreadable_settings_are_never_due() {
    let fixture = Fixture::new().await;
    monitors(&fixture, 4).await;
    fixture
        .sql
        .batch_execute(
            "UPDATE uptime_monitors SET settings = settings || '{\"enabled\": false}'
                 WHERE domain_id = (SELECT id FROM domains WHERE hostname = 'd1.example');
             UPDATE domains SET deleted_at = now() WHERE hostname = 'd2.example';
             UPDATE uptime_monitors SET settings = settings - 'url'
                 WHERE domain_id = (SELECT id FROM domains WHERE hostname = 'd3.example')",
        )
        .await
        .unwrap();
    let claimed = claim(&fixture, after(10), 10).await;
    assert_eq!(claimed.iter().map(|(_, at)| *at).collect::<Vec<_>>(), [after(3)]);
}

/// Else the scheduler would look for it again and again.
#[tokio::test]
async fn what_is_never_claimed_is_never_the_next() {
    let fixture = Fixture::new().await;
    monitors(&fixture, 2).await;
    fixture
        .sql
        .batch_execute(
            "UPDATE uptime_monitors SET settings = settings || '{\"enabled\": false}'
                 WHERE domain_id = (SELECT id FROM domains WHERE hostname = 'd1.example');
             UPDATE domains SET deleted_at = now() WHERE hostname = 'd2.example'",
        )
        .await
        .unwrap();
    assert_eq!(claim(&fixture, after(5), 9).await, []);
    assert_eq!(fixture.stores.schedule.next_due("eu", NOW).await.unwrap(), None);
}

/// However many monitors there are, a claim reads what is due and no more: as it is planned for the values at hand, and
/// as it is planned once for any, which is how a connection runs it after a while.
#[tokio::test]
async fn a_claim_reads_by_its_index() {
    let fixture = Fixture::new().await;
    monitors(&fixture, 20_000).await;
    for number in 0..20_i64 {
        others(&fixture, &format!("w{number}"), 5, after(100_000 + number)).await;
    }
    fixture.sql.batch_execute("ANALYZE").await.unwrap();
    let (claim, next_due, backlog) = (CHECKS.claim, CHECKS.next_due, CHECKS.backlog);
    let values = "'eu', '2026-03-31 09:16:00Z', 2, 120, 512, gen_random_uuid(), 64";
    for mode in ["force_custom_plan", "force_generic_plan"] {
        let prepare = format!(
            "SET plan_cache_mode = {mode};
             DEALLOCATE ALL;
             PREPARE claim (text, timestamptz, float8, float8, bigint, uuid, bigint) AS {claim};
             PREPARE next_due (text, timestamptz) AS {next_due};
             PREPARE backlog (text, bigint) AS {backlog}"
        );
        fixture.sql.batch_execute(&prepare).await.unwrap();
        for execute in [
            format!("claim ({values})"),
            "next_due ('eu', '2026-03-31 09:16:00Z')".to_owned(),
            "backlog ('eu', 1000)".to_owned(),
        ] {
            let explain = format!("EXPLAIN EXECUTE {execute}");
            let rows = fixture.sql.simple_query(&explain).await.unwrap();
            let plan = rows.iter().filter_map(|row| match row {
                SimpleQueryMessage::Row(row) => row.get(0),
                _ => None,
            });
            let plan = plan.collect::<Vec<_>>().join("\n");
            assert!(plan.contains("uptime_schedules_due_idx"), "{mode}: {plan}");
            assert!(!plan.contains("Seq Scan"), "{mode}: {plan}");
            let shares = plan.matches("uptime_schedules_turns_idx").count();
            assert_eq!(shares >= 3, execute.starts_with("claim"), "{mode}: {plan}");
        }
    }
}

/// All regions count that a node has registered. A thing that somebody has claimed does not wait until the lease is over.
#[tokio::test]
async fn what_nobody_has_claimed_is_counted_with_its_age() {
    let fixture = Fixture::with_a_clock().await;
    fixture.it_is(after(2)).await;
    monitors(&fixture, 5).await;
    let another_region = "INSERT INTO regions (key, registered_at) VALUES ('eu', now()), ('us', now()) ON CONFLICT DO NOTHING;
        INSERT INTO uptime_schedules (domain_id, region, next_check_at)
            SELECT domain_id, 'us', next_check_at FROM uptime_schedules WHERE region = 'eu' ORDER BY next_check_at LIMIT 1";
    fixture.sql.batch_execute(another_region).await.unwrap();
    let checks = GROUP.due.iter().find(|kind| kind.name == "checks").unwrap();
    let waiting = async || {
        let Backlog { due, age } = (checks.backlog)(&fixture.database).await.unwrap();
        (due, age)
    };
    assert_eq!(waiting().await, (4, Some(2.0)));
    assert_eq!(claim(&fixture, after(2), 100).await.len(), 3);
    assert_eq!(waiting().await, (1, Some(2.0)));
    fixture.it_is(after(33)).await;
    assert_eq!(waiting().await, (6, Some(33.0)));
}
