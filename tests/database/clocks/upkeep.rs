//! Upkeep, and other work that takes rows away or makes room for them.

use std::{sync::Arc, time::Duration as StdDuration};

use pharos_domain::clock::ManualClock;
use pharos_server::upkeep::Upkeep;
use pharos_uptime::history::RegionPlace;
use time::{Duration, OffsetDateTime};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::{DOWN, UP, now, store};
use crate::{
    completion::watched,
    harness::{Fixture, actor},
};

/// How many rows there are of each kind that upkeep deletes or ends.
async fn kept(fixture: &Fixture) -> Vec<i64> {
    let mut kept = Vec::new();
    for rows in [
        "uptime_checks",
        "uptime_spans",
        "uptime_incidents",
        "credit_log WHERE occurred_at > now() - interval '1 hour'",
        "idempotency_records",
        "jobs WHERE state = 'succeeded'",
        "jobs WHERE state = 'dead'",
        "jobs WHERE state = 'queued'",
        "sessions",
        "set_aside",
    ] {
        kept.push(fixture.value(&format!("SELECT count(*) FROM {rows}"), &[]).await);
    }
    kept
}

#[tokio::test]
async fn upkeep_by_a_clock_years_ahead_takes_nothing_away_that_is_kept() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    fixture.monitor(&access, now(), |_| {}).await;
    for outcome in [DOWN, DOWN, UP] {
        store(&fixture, &access, now(), outcome).await;
    }
    let done = "INSERT INTO jobs (id, kind, payload, state, run_at, attempts, max_attempts, created_at, finished_at)
             SELECT gen_random_uuid(), 'test', '{}', state, now(), 1, 3, now(), CASE WHEN state <> 'queued' THEN now() END
             FROM unnest(ARRAY['succeeded', 'dead', 'queued']) AS state;
         INSERT INTO idempotency_records (credential_id, key, fingerprint, status, body, created_at)
             VALUES (gen_random_uuid(), 'k', decode(repeat('00', 32), 'hex'), 200, '', now());
         INSERT INTO set_aside (kind, subject, reason) VALUES ('check', 'shop', 'why');
         INSERT INTO sessions (digest, user_id, signed_in_at, last_used_at)
             SELECT decode(repeat('00', 32), 'hex'), id, now(), now() FROM users LIMIT 1";
    fixture.sql.batch_execute(done).await.unwrap();
    let before = kept(&fixture).await;
    assert!(before.iter().all(|rows| *rows > 0), "{before:?}");
    let over = "INSERT INTO set_aside (kind, subject, reason, last_at)
         VALUES ('check', 'blog', 'why', now() - interval '31 days')";
    fixture.sql.batch_execute(over).await.unwrap();

    let clock = Arc::new(ManualClock::at(now() + Duration::days(3 * 365)));
    let jobs = Arc::clone(&fixture.stores.jobs);
    let upkeep = Upkeep::new(fixture.database.clone(), jobs, clock);
    let stop = CancellationToken::new();
    let round = tokio::spawn(upkeep.run(stop.clone()));
    let over = "SELECT count(*) FROM set_aside WHERE subject = 'blog'";
    while fixture.value::<i64>(over, &[]).await > 0 {
        sleep(StdDuration::from_millis(20)).await;
    }
    // The round that has begun is done to its end.
    stop.cancel();
    round.await.unwrap();
    assert_eq!(kept(&fixture).await, before);
}

/// Does one step of upkeep.
async fn step(fixture: &Fixture, name: &str, now: OffsetDateTime) {
    let steps = fixture.database.groups().iter().flat_map(|group| group.upkeep);
    for step in steps.filter(|step| step.name == name) {
        (step.run)(&fixture.database, now).await.unwrap();
    }
}

#[tokio::test]
async fn a_deletion_is_taken_back_whatever_the_clock_said_by_which_it_was_made() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let domains = &fixture.stores.domain_admin;
    for wrong in [Duration::days(-40), Duration::days(400)] {
        let deleted = domains.delete(home.domain, &actor(), now() + wrong).await;
        let ago = now() - deleted.unwrap().deleted_at.unwrap();
        assert!(ago.abs() < Duration::HOUR, "{ago}");
        step(&fixture, "domains that were deleted", now()).await;
        domains
            .restore(home.domain, &actor(), now() + wrong)
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn a_clock_years_ahead_takes_nothing_of_the_audit_trail() {
    let fixture = Fixture::new().await;
    fixture.home("ada").await;
    let rows = "SELECT count(*) FROM audit_log";
    let before: i64 = fixture.value(rows, &[]).await;
    assert!(before > 0);
    step(&fixture, "audit trail", now() + Duration::days(3 * 365)).await;
    assert_eq!(fixture.value::<i64>(rows, &[]).await, before);
}

#[tokio::test]
async fn a_region_that_registers_by_a_clock_years_ahead_makes_partitions_of_the_present() {
    let fixture = Fixture::new().await;
    let partitions = "SELECT count(*) FROM pg_inherits WHERE inhparent = 'uptime_checks'::regclass";
    let before: i64 = fixture.value(partitions, &[]).await;
    let ahead = now() + Duration::days(3 * 365);
    let schedule = &fixture.stores.schedule;
    let place = RegionPlace::unnamed("eu");
    schedule.register_region(&place, ahead).await.unwrap();
    assert_eq!(fixture.value::<i64>(partitions, &[]).await, before);
}
