//! A row that can't be stored or read is set aside, and stops nothing else.

use std::time::Duration as StdDuration;

use pharos_domain::{
    identity::DomainAccess,
    ids::{CheckId, CredentialId, DomainId, JobId, WorkerId},
    jobs::{Attempt, Claim, JobFilter, JobKind, JobOutcome, JobState, NewJob},
    ledger::{LedgerStore, Verdict},
};
use pharos_due::work::DueClaim;
use pharos_persistence::{
    jobs::enqueued,
    metering::ledger::PgLedgerStore,
    pool::{Database, DatabaseOptions},
    set_aside::Summary,
};
use pharos_server::groups::database_options;
use pharos_uptime::{
    check::{Check, Outcome},
    monitor::settings::MonitorSettings,
    registration::{
        Registrar, Registration,
        store::{AskedRegistration, Learned},
    },
};
use pharos_uptime_pg::rollups;
use serde_json::json;
use time::{Duration, OffsetDateTime, PrimitiveDateTime, UtcOffset, macros::datetime};

use crate::{
    completion::{check, finished, status},
    harness::{Fixture, Home, NOW, actor, after, entry},
    rollups::{TODAY, checks, rolled_until},
};

const LEASE: Duration = Duration::seconds(30);

/// No time of PostgreSQL.
const LONG_AGO: OffsetDateTime = PrimitiveDateTime::MIN.assume_utc();

/// Two homes, each with a monitor in `eu` that is due now: what happens to the first must not matter to the second.
async fn two(fixture: &Fixture) -> [(Home, DomainAccess); 2] {
    let mut homes = Vec::new();
    for name in ["ada", "bob"] {
        let home = fixture.home(name).await;
        let access = fixture.access(&home).await;
        fixture.monitor(&access, NOW, |_| {}).await;
        homes.push((home, access));
    }
    homes.try_into().ok().unwrap()
}

async fn set_aside(fixture: &Fixture) -> Vec<Summary> {
    fixture.database.set_aside().await.unwrap()
}

/// The one kind that was set aside, how many things and how often.
async fn only(fixture: &Fixture, kind: &str, things: i64, times: i64) -> Summary {
    let mut all = set_aside(fixture).await;
    let one = all.pop().expect("something that was set aside");
    assert_eq!(
        (all.len(), one.kind.as_str(), one.things, one.times, one.is_recent),
        (0, kind, things, times, true),
        "{one:?}"
    );
    one
}

async fn claim(fixture: &Fixture, now: OffsetDateTime) -> Vec<DomainId> {
    let due = fixture
        .stores
        .schedule
        .claim("eu", &DueClaim::of_now(now, LEASE, 10))
        .await
        .unwrap();
    due.into_iter().map(|due| due.domain_id).collect()
}

/// Whether nobody has the domain's check, and it is due after `now` and within an interval.
async fn waits(fixture: &Fixture, access: &DomainAccess, now: OffsetDateTime) -> bool {
    let row = fixture
        .sql
        .query_one(
            "SELECT s.leased_until IS NULL, extract(epoch FROM s.next_check_at)::float8, m.interval_seconds
             FROM uptime_schedules AS s JOIN uptime_monitors AS m USING (domain_id) WHERE s.domain_id = $1",
            &[&access.id().0],
        )
        .await
        .unwrap();
    let (is_free, next_at, interval): (bool, f64, i32) = (row.get(0), row.get(1), row.get(2));
    let until = next_at - now.unix_timestamp() as f64;
    is_free && until > 0.0 && until <= f64::from(interval)
}

async fn complete(fixture: &Fixture, checks: &[Check], now: OffsetDateTime) -> Vec<CheckId> {
    let finished: Vec<_> = checks.iter().map(|check| finished(check.clone(), NOW)).collect();
    fixture.stores.schedule.complete(&finished, now).await.unwrap()
}

async fn stored(fixture: &Fixture, check: &Check) -> bool {
    let query = "SELECT count(*) FROM uptime_checks WHERE id = $1";
    fixture.value::<i64>(query, &[&check.id.0]).await == 1
}

#[tokio::test]
async fn a_check_that_cannot_be_stored_stops_no_other_and_is_not_claimed_over_and_over() {
    let fixture = Fixture::new().await;
    let [(_, ada), (_, bob)] = two(&fixture).await;
    assert_eq!(claim(&fixture, NOW).await.len(), 2);
    let bad = Check {
        checked_at: LONG_AGO,
        ..check(&ada, "eu", NOW, Outcome::Up)
    };
    let good: Vec<Check> = (0..20)
        .map(|second| check(&bob, "eu", after(second), Outcome::Up))
        .collect();
    let batch = [&good[..7], std::slice::from_ref(&bad), &good[7..]].concat();
    assert_eq!(complete(&fixture, &batch, NOW).await, [bad.id]);
    for check in &good {
        assert!(stored(&fixture, check).await);
    }
    assert!(!stored(&fixture, &bad).await);
    assert!(waits(&fixture, &ada, NOW).await && waits(&fixture, &bob, NOW).await);
    let summary = only(&fixture, "check", 1, 1).await;
    assert_eq!(summary.subject, format!("{} eu", ada.id()));
    // The batch whose answer was lost comes again.
    assert_eq!(complete(&fixture, &batch, NOW).await, [bad.id]);
    only(&fixture, "check", 1, 2).await;
    let payload: String = fixture.value("SELECT payload FROM set_aside", &[]).await;
    assert!(
        payload.contains(&bad.id.to_string()) && payload.len() < 10_000,
        "{payload}"
    );
}

#[tokio::test]
async fn a_check_whose_rule_panics_is_set_aside() {
    let fixture = Fixture::new().await;
    let [(_, ada), (_, bob)] = two(&fixture).await;
    let quick = |settings: &mut MonitorSettings| {
        settings.confirmation_checks = 1;
        settings.recovery_checks = 1;
    };
    fixture.monitor(&ada, NOW, quick).await;
    let first = check(&ada, "eu", after(1), Outcome::Down);
    assert_eq!(complete(&fixture, &[first], after(1)).await, []);
    // Where the outage ends can't be said in UTC.
    let passing = "UPDATE uptime_region_states SET state = jsonb_set(state, '{passing_since}',
                   '\"9999-12-31T23:59:59-01:00\"') WHERE domain_id = $1";
    fixture.sql.execute(passing, &[&ada.id().0]).await.unwrap();
    let second = check(&ada, "eu", after(2), Outcome::Up);
    let good = check(&bob, "eu", after(2), Outcome::Up);
    assert_eq!(
        complete(&fixture, &[second.clone(), good.clone()], after(2)).await,
        [second.id]
    );
    assert!(stored(&fixture, &good).await);
    only(&fixture, "check", 1, 1).await;
}

#[tokio::test]
async fn a_monitor_that_cannot_be_read_waits_for_its_next_slot_and_stops_no_other() {
    let fixture = Fixture::new().await;
    let [(_, ada), (_, bob)] = two(&fixture).await;
    fixture
        .sql
        .execute(
            "UPDATE uptime_monitors SET settings = settings || '{\"method\": \"newer\"}' WHERE domain_id = $1",
            &[&ada.id().0],
        )
        .await
        .unwrap();
    assert_eq!(claim(&fixture, NOW).await, [bob.id()]);
    assert!(waits(&fixture, &ada, NOW).await);
    let summary = only(&fixture, "monitor", 1, 1).await;
    assert_eq!(summary.subject, ada.id().to_string());
    // A check that was under way meanwhile is kept.
    fixture
        .sql
        .execute(
            "UPDATE uptime_schedules SET next_check_at = to_timestamp($1)",
            &[&(NOW.unix_timestamp() as f64)],
        )
        .await
        .unwrap();
    let both = [
        check(&ada, "eu", NOW, Outcome::Up),
        check(&bob, "eu", NOW, Outcome::Up),
    ];
    assert_eq!(complete(&fixture, &both, NOW).await, []);
    for check in &both {
        assert!(stored(&fixture, check).await);
    }
    assert!(waits(&fixture, &ada, NOW).await && waits(&fixture, &bob, NOW).await);
    only(&fixture, "monitor", 1, 2).await;
}

/// Its regions are known all the same, so that a newer node goes on where it is restored.
#[tokio::test]
async fn a_domain_whose_monitor_cannot_be_read_is_deleted_and_restored() {
    let fixture = Fixture::new().await;
    let [(_, ada), (_, bob)] = two(&fixture).await;
    let newer = format!(
        "UPDATE uptime_monitors SET settings = settings || '{{\"method\": \"newer\"}}' WHERE domain_id = '{domain}';
         INSERT INTO uptime_incidents (id, domain_id, started_at, confirmed_at, class, severity, response_headers, checks_failed,
             during_maintenance)
         VALUES (gen_random_uuid(), '{domain}', to_timestamp({at}), to_timestamp({at}), 'timeout', 'outage', '{{}}', 2, false)",
        domain = ada.id(),
        at = NOW.unix_timestamp(),
    );
    fixture.sql.batch_execute(&newer).await.unwrap();
    let admin = &fixture.stores.domain_admin;
    let scheduled = "SELECT count(*) FROM uptime_schedules WHERE domain_id = $1 AND region = 'eu'";
    let open = "SELECT count(*) FROM uptime_incidents WHERE domain_id = $1 AND resolved_at IS NULL";

    admin.delete(ada.id(), &actor(), NOW).await.unwrap();
    for nothing_left in [scheduled, open] {
        assert_eq!(fixture.value::<i64>(nothing_left, &[&ada.id().0]).await, 0);
    }
    let summary = only(&fixture, "monitor", 1, 1).await;
    assert_eq!(summary.subject, ada.id().to_string());

    admin.restore(ada.id(), &actor(), NOW).await.unwrap();
    assert_eq!(fixture.value::<i64>(scheduled, &[&ada.id().0]).await, 1);
    assert_eq!(claim(&fixture, NOW).await, [bob.id()]);
    assert!(waits(&fixture, &ada, NOW).await);
    only(&fixture, "monitor", 1, 2).await;
}

#[tokio::test]
async fn a_state_that_cannot_be_read_stays_as_it_is_and_checks_are_kept() {
    let fixture = Fixture::new().await;
    let [(_, ada), (_, bob)] = two(&fixture).await;
    let first = [&ada, &bob].map(|access| check(access, "eu", NOW, Outcome::Up));
    assert_eq!(complete(&fixture, &first, NOW).await, []);
    let strange =
        "UPDATE uptime_region_states SET state = state || '{\"current\": \"newer\"}' WHERE domain_id = $1";
    fixture.sql.execute(strange, &[&ada.id().0]).await.unwrap();
    let state = "SELECT state::text FROM uptime_region_states WHERE domain_id = $1";
    let before: String = fixture.value(state, &[&ada.id().0]).await;
    let next = [&ada, &bob].map(|access| check(access, "eu", after(60), Outcome::Down));
    assert_eq!(complete(&fixture, &next, after(60)).await, []);
    for check in &next {
        assert!(stored(&fixture, check).await);
    }
    assert_eq!(fixture.value::<String>(state, &[&ada.id().0]).await, before);
    let bobs = status(&fixture, &bob).await.regions;
    assert_eq!(bobs[0].state.as_ref().unwrap().last_outcome, Outcome::Down);
    only(&fixture, "region_state", 1, 1).await;
    // The monitor can be paused all the same.
    let paused = fixture
        .monitor(&ada, after(70), |settings| settings.enabled = false)
        .await;
    assert!(!paused.settings.enabled);
}

const KIND: JobKind = JobKind::new("test");

fn job() -> NewJob {
    NewJob {
        id: JobId::generate(),
        kind: KIND,
        lane: None,
        workspace: None,
        payload: json!({}),
        pause: Duration::ZERO,
        max_attempts: 3,
    }
}

#[tokio::test]
async fn a_job_that_cannot_be_read_is_dead_and_one_that_cannot_be_settled_comes_again() {
    let fixture = Fixture::with_a_clock().await;
    let jobs: Vec<NewJob> = (0..3).map(|_| job()).collect();
    enqueued(&fixture.database, &jobs).await.unwrap();
    let unreadable = "UPDATE jobs SET payload = '{\"number\": 1e400}' WHERE id = $1";
    fixture.sql.execute(unreadable, &[&jobs[0].id.0]).await.unwrap();
    let worker = WorkerId::generate();
    let claim = Claim {
        worker,
        kinds: &[KIND],
        lane: "eu",
        lease: LEASE,
        limit: 10,
    };
    let queue = &fixture.stores.jobs;
    let claimed = queue.claim(&claim).await.unwrap();
    let mut ids: Vec<JobId> = claimed.iter().map(|job| job.id).collect();
    ids.sort_unstable();
    assert_eq!(ids, [jobs[1].id, jobs[2].id]);
    only(&fixture, "job", 1, 1).await;
    let dead = JobFilter {
        state: Some(JobState::Dead),
        limit: 10,
        ..JobFilter::default()
    };
    let dead = fixture.stores.job_admin.list(&dead).await.unwrap();
    assert_eq!(dead.iter().map(|job| job.id).collect::<Vec<_>>(), [jobs[0].id]);

    let attempt = |index: usize, outcome| Attempt {
        job: claimed[index].id,
        number: 1,
        outcome,
    };
    let failed = JobOutcome::Failed {
        why: String::new(),
        pause: Some(Duration::MIN),
        public_error: None,
    };
    let attempts = [attempt(0, failed), attempt(1, JobOutcome::Succeeded)];
    let settled = queue.settle(worker, &attempts).await.unwrap();
    assert_eq!(settled, [(claimed[1].id, JobState::Succeeded)]);
    only(&fixture, "job", 2, 2).await;
    fixture.it_is(NOW + LEASE).await;
    let again = queue.claim(&claim).await.unwrap();
    assert_eq!(
        again.iter().map(|job| job.id).collect::<Vec<_>>(),
        [claimed[0].id]
    );
}

/// How many of these registrations are due before a day is over.
async fn due_within_a_day(fixture: &Fixture, name: &str) -> i64 {
    let query = "SELECT count(*) FROM domain_registrations
         WHERE name = $1 AND (leased_until IS NOT NULL OR next_check_at < to_timestamp($2))";
    let tomorrow = (NOW + Duration::DAY).unix_timestamp() as f64;
    fixture.value(query, &[&name, &tomorrow]).await
}

#[tokio::test]
async fn a_registration_that_cannot_be_read_or_stored_is_put_off_and_stops_no_other() {
    let fixture = Fixture::new().await;
    let [(_, ada), (_, bob)] = two(&fixture).await;
    let registrations = &fixture.stores.registrations;
    registrations.enrol(NOW, 10).await.unwrap();
    let strange = format!(
        "INSERT INTO domain_registrations (name, next_check_at) VALUES ('no name', to_timestamp({}));
         UPDATE uptime_monitors SET registrable_domain = 'no name' WHERE domain_id = '{}'",
        NOW.unix_timestamp(),
        ada.id()
    );
    fixture.sql.batch_execute(&strange).await.unwrap();
    let due = registrations
        .claim(&DueClaim::of_now(NOW, LEASE, 10))
        .await
        .unwrap();
    let [due] = due.as_slice() else {
        panic!("{due:?}");
    };
    assert_eq!(due.name.as_str(), "bob.example");
    assert_eq!(due_within_a_day(&fixture, "no name").await, 0);
    only(&fixture, "registration", 1, 1).await;

    let asked = |registration| AskedRegistration {
        name: due.name.clone(),
        leased_until: due.leased_until,
        asked_at: NOW,
        next_check_at: after(3_600),
        learned: Learned::Answer(Box::new(registration), Vec::new()),
    };
    let a_day = UtcOffset::from_hms(24, 0, 0).unwrap();
    let unwritable = Registration {
        expires_at: Some(NOW.to_offset(a_day)),
        ..Registration::default()
    };
    registrations.complete(&[asked(unwritable)]).await.unwrap();
    assert_eq!(due_within_a_day(&fixture, "bob.example").await, 0);
    only(&fixture, "registration", 2, 2).await;

    let due = registrations
        .claim(&DueClaim::of_now(NOW + Duration::DAY, LEASE, 10))
        .await
        .unwrap();
    let due = due.iter().find(|due| due.name.as_str() == "bob.example").unwrap();
    let with_nul = Registration {
        registrar: Registrar {
            name: Some("a\0b".to_owned()),
            ..Registrar::default()
        },
        ..Registration::default()
    };
    let asked = AskedRegistration {
        leased_until: due.leased_until,
        ..asked(with_nul)
    };
    registrations.complete(&[asked]).await.unwrap();
    let known = registrations.view(&bob).await.unwrap().unwrap().known.unwrap();
    let (answer, _) = known.answer.unwrap();
    assert_eq!(answer.registrar.name.as_deref(), Some("a\u{fffd}b"));
}

#[tokio::test]
async fn a_domain_whose_name_cannot_be_read_keeps_no_other_from_being_enrolled() {
    let fixture = Fixture::new().await;
    let [(_, ada), (_, bob)] = two(&fixture).await;
    let strange = "UPDATE domains SET hostname = 'no name' WHERE id = $1";
    fixture.sql.execute(strange, &[&ada.id().0]).await.unwrap();
    for _ in 0..2 {
        fixture.stores.registrations.enrol(NOW, 1).await.unwrap();
    }
    let enrolled =
        "SELECT count(*) FROM uptime_monitors WHERE domain_id = $1 AND registrable_domain IS NOT NULL";
    assert_eq!(fixture.value::<i64>(enrolled, &[&bob.id().0]).await, 1);
    only(&fixture, "hostname", 1, 1).await;
}

#[tokio::test]
async fn a_domain_that_cannot_be_rolled_up_is_set_aside() {
    let fixture = Fixture::new().await;
    let [(_, ada), (_, bob)] = two(&fixture).await;
    let yesterday = TODAY - Duration::DAY;
    for access in [&ada, &bob] {
        checks(&fixture, access, yesterday, "1 hour").await;
    }
    let nonsense = "UPDATE uptime_checks SET response_ms = 'NaN', outcome = 'up' WHERE domain_id = $1";
    fixture.sql.execute(nonsense, &[&ada.id().0]).await.unwrap();
    assert!(rollups::roll_up(&fixture.database, ada.id(), NOW).await.is_err());
    while rollups::roll_up(&fixture.database, bob.id(), NOW).await.unwrap() {}
    assert_eq!(rolled_until(&fixture, &bob).await, Some(TODAY));
    assert_eq!(only(&fixture, "rollup", 1, 1).await.subject, ada.id().to_string());
}

/// A domain that is too much for a statement is no sign of a database that is away: upkeep goes on with the next.
#[tokio::test]
async fn a_roll_up_that_takes_too_long_is_set_aside() {
    let fixture = Fixture::new().await;
    let [(_, ada), _] = two(&fixture).await;
    checks(&fixture, &ada, TODAY - Duration::DAY, "1 hour").await;
    // Somebody else is at it, and does not end.
    let held = format!(
        "BEGIN; INSERT INTO uptime_rollups (domain_id, grain, starts_at, region, counts, samples, micros)
         SELECT '{}', 'hour', hour, region, '{{0,0,0,0}}', '{{0,0,0,0,0,0}}', '{{0,0,0,0,0,0}}'
         FROM generate_series(to_timestamp({}), to_timestamp({}), '1 hour') AS hour, unnest(ARRAY['eu', 'us']) AS region",
        ada.id(),
        (TODAY - Duration::DAY).unix_timestamp(),
        TODAY.unix_timestamp(),
    );
    fixture.sql.batch_execute(&held).await.unwrap();
    let options = DatabaseOptions {
        statement_timeout: StdDuration::from_secs(1),
        ..database_options()
    };
    let impatient = Database::connect(fixture.test.url(), &options).await.unwrap();
    let failed = rollups::roll_up(&impatient, ada.id(), NOW).await;
    assert!(
        matches!(failed, Err(pharos_domain::store::StoreError::Failed(_))),
        "{failed:?}"
    );
    fixture.sql.batch_execute("ROLLBACK").await.unwrap();
    only(&fixture, "rollup", 1, 1).await;
}

#[tokio::test]
async fn a_check_from_before_all_that_is_kept_has_no_ages_rolled_up() {
    let fixture = Fixture::new().await;
    let [(_, ada), _] = two(&fixture).await;
    assert!(!rollups::roll_up(&fixture.database, ada.id(), NOW).await.unwrap());
    let ancient = check(&ada, "eu", datetime!(1970-01-01 00:00 UTC), Outcome::Up);
    assert_eq!(complete(&fixture, &[ancient], NOW).await, []);
    let mut months = 1;
    while rollups::roll_up(&fixture.database, ada.id(), NOW).await.unwrap() {
        months += 1;
    }
    assert_eq!((months, rolled_until(&fixture, &ada).await), (1, Some(TODAY)));
}

#[tokio::test]
async fn a_row_of_the_log_a_charge_and_a_use_that_cannot_be_written_stop_no_other() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let ledger = PgLedgerStore::new(fixture.database.clone());
    let rows = "SELECT count(*) FROM credit_log WHERE cost = $1";
    let before: i64 = fixture.value(rows, &[&0]).await;
    let free = [
        entry(&home, 0, NOW),
        entry(&home, 0, LONG_AGO),
        entry(&home, 0, NOW),
    ];
    ledger.record(&free).await.unwrap();
    assert_eq!(fixture.value::<i64>(rows, &[&0]).await, before + 2);
    only(&fixture, "log_row", 1, 1).await;

    let paid = [
        entry(&home, 5, NOW),
        entry(&home, 5, LONG_AGO),
        entry(&home, 5, NOW),
    ];
    let verdicts = ledger.settle(&paid, false).await.unwrap();
    let settled = |verdict: &Verdict| matches!(verdict, Verdict::Settled { .. });
    assert_eq!(
        (
            verdicts.len(),
            settled(&verdicts[0]),
            &verdicts[1],
            settled(&verdicts[2])
        ),
        (3, true, &Verdict::Unsettled, true),
        "{verdicts:?}"
    );
    assert_eq!(fixture.value::<i64>(rows, &[&5]).await, 2);

    let (key, _) = fixture.key(&home).await;
    let key = key.id;
    let uses = [(CredentialId::generate(), LONG_AGO), (key, NOW)];
    fixture.stores.credentials.note_use(&uses).await.unwrap();
    let used = "SELECT last_used_at IS NOT NULL FROM api_keys WHERE id = $1";
    assert!(fixture.value::<bool>(used, &[&key.0]).await);
    let kinds: Vec<String> = set_aside(&fixture)
        .await
        .into_iter()
        .map(|one| one.kind)
        .collect();
    assert_eq!(kinds, ["charge", "key_use", "log_row"]);
}

#[tokio::test]
async fn a_step_of_maintenance_that_fails_stops_no_other() {
    let fixture = Fixture::new().await;
    let note = "INSERT INTO set_aside (kind, subject, reason, first_at, last_at)
         VALUES ('check', 'old', '', to_timestamp($1), to_timestamp($1)), ('check', 'new', '', now(), now())";
    let long_ago = (NOW - Duration::days(31)).unix_timestamp() as f64;
    fixture.sql.execute(note, &[&long_ago]).await.unwrap();
    let broken = "ALTER TABLE uptime_spans RENAME TO spans_that_are_gone";
    fixture.sql.batch_execute(broken).await.unwrap();
    assert!(fixture.database.maintain(NOW).await.is_err());
    assert_eq!(only(&fixture, "check", 1, 1).await.subject, "new");
}
