//! Clocks of nodes that are ahead of the database's, and what they leave behind. These tests take place now, those of jobs by the
//! clock of a database.

use std::{sync::Arc, time::Duration as StdDuration};

use pharos_alerting::store::EvaluationStore;
use pharos_domain::{
    clock::ManualClock,
    identity::DomainAccess,
    ids::{JobId, WorkerId},
    jobs::{Attempt, Claim, ClaimedJob, JobKind, JobOutcome, LONGEST_LEASE, LONGEST_PAUSE, NewJob},
};
use pharos_due::work::DueClaim;
use pharos_persistence::jobs::enqueued;
use pharos_server::upkeep::Upkeep;
use pharos_uptime::{
    check::Outcome,
    finished::FinishedCheck,
    history::RegionPlace,
    knowledge::MonitorKnowledge,
    registration::{
        Registration,
        change::{RegistrationChange, RegistrationField},
        store::{AskedRegistration, DueRegistration, Learned},
    },
    state::{RegionState, Span, SpanState},
};
use serde_json::json;
use time::{Duration, OffsetDateTime, UtcOffset};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::{
    completion::{check, finished, run, watched},
    harness::{Fixture, NOW, actor, after},
};

const UP: Outcome = Outcome::Up;
const DOWN: Outcome = Outcome::Down;

fn now() -> OffsetDateTime {
    OffsetDateTime::now_utc()
}

/// Stores a check from a region that a node's clock has stamped, which says the same now.
async fn store(fixture: &Fixture, access: &DomainAccess, at: OffsetDateTime, outcome: Outcome) {
    let done = finished(check(access, "eu", at, outcome), at);
    fixture.stores.schedule.complete(&[done], at).await.unwrap();
}

async fn known(fixture: &Fixture, access: &DomainAccess) -> MonitorKnowledge {
    let monitors = &fixture.stores.monitors;
    let since = NOW - Duration::days(30);
    monitors.status(access, since).await.unwrap().unwrap()
}

async fn state(fixture: &Fixture, access: &DomainAccess) -> RegionState {
    known(fixture, access).await.regions[0].state.clone().unwrap()
}

async fn due(fixture: &Fixture) -> OffsetDateTime {
    let schedule = &fixture.stores.schedule;
    schedule.next_due("eu", NOW).await.unwrap().unwrap()
}

#[track_caller]
fn follow_each_other(spans: &[Span]) {
    for pair in spans.windows(2) {
        assert!(pair[0].ended_at <= pair[1].started_at, "{spans:?}");
    }
    assert!(
        spans.iter().all(|span| span.started_at < span.ended_at),
        "{spans:?}"
    );
}

#[tokio::test]
async fn a_site_that_dies_while_a_clock_is_a_day_ahead_is_seen_down_once_it_is_back() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    store(&fixture, &access, now() - Duration::MINUTE, UP).await;
    let early = DueClaim::of_now(now() + Duration::DAY, Duration::MINUTE, 1);
    let claimed = fixture.stores.schedule.claim("eu", &early).await.unwrap();
    let ahead = now() + Duration::DAY;
    let done = finished(check(&access, "eu", ahead, UP), claimed[0].due_at);
    fixture.stores.schedule.complete(&[done], ahead).await.unwrap();
    // It is stamped, and due again, by the database's clock.
    assert!(state(&fixture, &access).await.last_check_at <= now());
    assert!(due(&fixture).await <= now() + Duration::MINUTE);
    let newest: bool = fixture
        .value("SELECT max(checked_at) <= now() FROM uptime_checks", &[])
        .await;
    assert!(newest);

    for _ in 0..2 {
        store(&fixture, &access, now(), DOWN).await;
    }
    let known = known(&fixture, &access).await;
    let incident = known.open_incident().expect("two failures confirm an outage");
    assert!(incident.started_at <= now());
    follow_each_other(&known.spans);
}

#[tokio::test]
async fn a_batch_of_a_clock_ahead_keeps_its_order_and_counts_once_however_often_it_comes() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |settings| settings.confirmation_checks = 3).await;
    let ahead = now() + Duration::DAY;
    let batch: Vec<FinishedCheck> = [40, 20, 0]
        .map(|seconds| ahead - Duration::seconds(seconds))
        .map(|at| finished(check(&access, "eu", at, DOWN), at))
        .into();
    for _ in 0..2 {
        fixture.stores.schedule.complete(&batch, ahead).await.unwrap();
        assert_eq!(state(&fixture, &access).await.consecutive_failures, 3);
    }
    // Its answer was lost, and the clock is back.
    fixture.stores.schedule.complete(&batch, now()).await.unwrap();
    assert_eq!(state(&fixture, &access).await.consecutive_failures, 3);
    let rows: i64 = fixture.value("SELECT count(*) FROM uptime_checks", &[]).await;
    assert_eq!(rows, 3);
    let known = known(&fixture, &access).await;
    let [span] = known.spans.as_slice() else {
        panic!("{:?}", known.spans);
    };
    assert_eq!(
        (span.state, span.ended_at - span.started_at),
        (SpanState::Down, Duration::seconds(40))
    );
}

/// The second node's clock is a minute ahead: what the first finds counts all the same, and nothing is due early.
#[tokio::test]
async fn two_schedulers_a_minute_apart_count_alike() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    let schedule = &fixture.stores.schedule;
    let ahead = || now() + Duration::MINUTE;
    for (at, outcome) in [
        (now(), UP),
        (ahead(), UP),
        (ahead(), DOWN),
        (now(), DOWN),
        (ahead(), DOWN),
    ] {
        // Each is a moment later than the one before.
        let at = if at > now() { ahead() } else { now() };
        store(&fixture, &access, at, outcome).await;
        assert_eq!(state(&fixture, &access).await.last_outcome, outcome);
    }
    let known = known(&fixture, &access).await;
    assert!(known.open_incident().is_some());
    follow_each_other(&known.spans);

    let soon =
        "UPDATE uptime_schedules SET next_check_at = now() + interval '40 seconds', leased_until = NULL";
    fixture.sql.batch_execute(soon).await.unwrap();
    let claimed = schedule
        .claim("eu", &DueClaim::of_now(ahead(), Duration::MINUTE, 1))
        .await
        .unwrap();
    assert_eq!(claimed.len(), 0);
    let by_its_clock = schedule.next_due("eu", ahead()).await.unwrap().unwrap();
    assert!(by_its_clock > ahead() + Duration::seconds(20));
    let due = "UPDATE uptime_schedules SET next_check_at = now()";
    fixture.sql.batch_execute(due).await.unwrap();
    let claimed = schedule
        .claim("eu", &DueClaim::of_now(ahead(), Duration::MINUTE, 1))
        .await
        .unwrap();
    assert_eq!(claimed.len(), 1);
    let holds: bool = fixture
        .value(
            "SELECT leased_until <= now() + interval '1 minute' FROM uptime_schedules",
            &[],
        )
        .await;
    assert!(holds, "the lease is as long as any");
}

/// The clock of a whole machine, its database included, was a day ahead, and has been set back.
#[tokio::test]
async fn what_lies_ahead_of_the_present_begins_anew() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    for at in [4, 3, 2].map(|minutes| now() - Duration::minutes(minutes)) {
        store(
            &fixture,
            &access,
            at,
            if at < now() - Duration::seconds(200) {
                UP
            } else {
                DOWN
            },
        )
        .await;
    }
    let incident = *known(&fixture, &access).await.open_incident().unwrap();
    fixture
        .sql
        .batch_execute(
            "UPDATE uptime_region_states SET state = state || jsonb_build_object(
                 'last_check_at', to_char(now() AT TIME ZONE 'UTC' + interval '1 day', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'));
             UPDATE uptime_spans SET started_at = started_at + interval '1 day', ended_at = ended_at + interval '1 day';
             UPDATE uptime_incidents SET started_at = started_at + interval '1 day',
                 confirmed_at = confirmed_at + interval '1 day';
             UPDATE uptime_incident_events SET at = at + interval '1 day';
             UPDATE uptime_schedules SET next_check_at = next_check_at + interval '1 day',
                 leased_until = now() + interval '1 day'",
        )
        .await
        .unwrap();
    assert_eq!(known(&fixture, &access).await.regions[0].state, None);

    let place = RegionPlace::unnamed("eu");
    fixture
        .stores
        .schedule
        .register_region(&place, now())
        .await
        .unwrap();
    assert!(due(&fixture).await <= now(), "it is checked at once");

    // The site is down still: that is one outage, and it lies in the past.
    for expected in [false, true] {
        store(&fixture, &access, now(), DOWN).await;
        assert_eq!(state(&fixture, &access).await.is_down, expected);
        let open = known(&fixture, &access).await.open_incident().copied();
        assert_eq!(open.map(|open| open.id), Some(incident.id));
    }
    store(&fixture, &access, now(), UP).await;
    let known = known(&fixture, &access).await;
    assert_eq!(known.open_incident(), None);
    let [closed] = known.incidents.as_slice() else {
        panic!("{:?}", known.incidents);
    };
    assert!(closed.started_at <= closed.resolved_at.unwrap() && closed.resolved_at.unwrap() <= now());
    let events: bool = fixture
        .value("SELECT bool_and(at <= now()) FROM uptime_incident_events", &[])
        .await;
    assert!(events);
    follow_each_other(&known.spans);
}

/// The state that is seen now counts, whatever was said of that time before.
#[tokio::test]
async fn spans_never_overlap() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |settings| settings.confirmation_checks = 1).await;
    run(&fixture, &access, "eu", NOW, &[UP, UP]).await;
    // A clock that was two minutes ahead.
    let insert = "INSERT INTO uptime_spans (domain_id, region, state, started_at, ended_at)
        SELECT domain_id, region, 'blocked', '2026-03-31 09:16:30Z', '2026-03-31 09:17:20Z' FROM uptime_spans";
    fixture.sql.batch_execute(insert).await.unwrap();
    run(&fixture, &access, "eu", after(120), &[DOWN, UP, UP]).await;
    let spans = known(&fixture, &access).await.spans;
    follow_each_other(&spans);
    let seen: Vec<(SpanState, i64, i64)> = spans
        .iter()
        .map(|span| {
            let seconds = |at: OffsetDateTime| (at - NOW).whole_seconds();
            (span.state, seconds(span.started_at), seconds(span.ended_at))
        })
        .collect();
    assert_eq!(
        seen,
        [
            (SpanState::Up, 0, 60),
            (SpanState::Up, 60, 120),
            (SpanState::Down, 120, 180),
            (SpanState::Up, 180, 240)
        ]
    );
    // The last one reaches beyond where the next begins.
    let longer =
        "UPDATE uptime_spans SET ended_at = '2026-03-31 09:30Z' WHERE started_at = '2026-03-31 09:18Z'";
    fixture.sql.batch_execute(longer).await.unwrap();
    run(&fixture, &access, "eu", after(300), &[DOWN, UP]).await;
    follow_each_other(&known(&fixture, &access).await.spans);
}

#[tokio::test]
async fn a_change_of_settings_by_a_clock_ahead_takes_place_now() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    store(&fixture, &access, now() - Duration::MINUTE, UP).await;
    for is_enabled in [false, true] {
        let change = fixture.monitor(&access, now() + Duration::DAY, |settings| {
            settings.enabled = is_enabled;
        });
        assert!(change.await.updated_at <= now());
    }
    assert!(due(&fixture).await <= now());
    assert!(state(&fixture, &access).await.paused_at.unwrap() <= now());
    store(&fixture, &access, now(), DOWN).await;
    assert_eq!(state(&fixture, &access).await.last_outcome, DOWN);
}

const JOB: JobKind = JobKind::new("test");

async fn enqueue(fixture: &Fixture, pause: Duration) -> JobId {
    let job = NewJob {
        id: JobId::generate(),
        kind: JOB,
        lane: None,
        workspace: None,
        payload: json!({}),
        pause,
        max_attempts: 9,
    };
    enqueued(&fixture.database, std::slice::from_ref(&job))
        .await
        .unwrap();
    job.id
}

/// The jobs that a worker gets.
async fn claim(fixture: &Fixture, worker: WorkerId) -> Vec<ClaimedJob> {
    let claim = Claim {
        worker,
        kinds: &[JOB],
        lane: "eu",
        lease: Duration::MINUTE,
        limit: 9,
    };
    fixture.stores.jobs.claim(&claim).await.unwrap()
}

/// The clock of the database was so far ahead when jobs were asked for, claimed and put off, and has been set back.
async fn jobs_of_a_clock_ahead(by: Duration) -> (Fixture, [JobId; 3]) {
    let fixture = Fixture::with_a_clock().await;
    fixture.it_is(NOW + by).await;
    let (held, put_off) = (
        enqueue(&fixture, Duration::ZERO).await,
        enqueue(&fixture, Duration::ZERO).await,
    );
    let worker = WorkerId::generate();
    let put = claim(&fixture, worker)
        .await
        .into_iter()
        .find(|job| job.id == put_off)
        .unwrap();
    let outcome = JobOutcome::PutOff {
        pause: Duration::MINUTE,
    };
    let attempt = Attempt {
        job: put.id,
        number: put.attempt,
        outcome,
    };
    fixture.stores.jobs.settle(worker, &[attempt]).await.unwrap();
    let asked_for = enqueue(&fixture, Duration::MINUTE).await;
    fixture.it_is(NOW).await;
    assert_eq!(claim(&fixture, WorkerId::generate()).await, []);
    (fixture, [held, put_off, asked_for])
}

#[tokio::test]
async fn jobs_that_a_clock_has_put_out_of_reach_are_brought_back() {
    for by in [Duration::DAY, Duration::days(365)] {
        let (fixture, mut jobs) = jobs_of_a_clock_ahead(by).await;
        fixture.database.maintain(NOW).await.unwrap();
        let mut claimed: Vec<JobId> = claim(&fixture, WorkerId::generate())
            .await
            .iter()
            .map(|job| job.id)
            .collect();
        claimed.sort_unstable();
        jobs.sort_unstable();
        assert_eq!(claimed, jobs, "ahead by {by}");
    }
}

/// It was asked for by a clock that was right, and is put off for no longer than any may be.
#[tokio::test]
async fn a_job_that_a_clock_ahead_has_put_off_is_brought_back() {
    let fixture = Fixture::with_a_clock().await;
    let job = enqueue(&fixture, Duration::ZERO).await;
    let put_off = async || {
        let worker = WorkerId::generate();
        let claimed = claim(&fixture, worker).await;
        let attempt = Attempt {
            job,
            number: claimed[0].attempt,
            outcome: JobOutcome::PutOff {
                pause: Duration::HOUR,
            },
        };
        fixture.stores.jobs.settle(worker, &[attempt]).await.unwrap();
    };
    fixture.it_is(NOW + Duration::hours(3)).await;
    put_off().await;
    fixture.it_is(NOW).await;
    fixture.database.maintain(NOW).await.unwrap();
    // The clock is right: this pause is kept.
    put_off().await;
    fixture.database.maintain(NOW).await.unwrap();
    assert_eq!(claim(&fixture, WorkerId::generate()).await, []);
    fixture.it_is(NOW + Duration::HOUR).await;
    assert_eq!(claim(&fixture, WorkerId::generate()).await.len(), 1);
}

#[tokio::test]
async fn no_job_waits_and_none_is_held_longer_than_any_may() {
    let fixture = Fixture::with_a_clock().await;
    enqueue(&fixture, Duration::MAX).await;
    fixture.it_is(NOW + LONGEST_PAUSE - Duration::SECOND).await;
    fixture.database.maintain(NOW).await.unwrap();
    assert_eq!(claim(&fixture, WorkerId::generate()).await, []);
    fixture.it_is(NOW + LONGEST_PAUSE).await;
    let worker = WorkerId::generate();
    let held = claim(&fixture, worker).await;
    let jobs: Vec<JobId> = held.iter().map(|job| job.id).collect();
    assert_eq!(jobs.len(), 1);
    let queue = &fixture.stores.jobs;
    queue.extend(worker, &jobs, Duration::MAX).await.unwrap();
    let next = queue.next_due(&[JOB], "eu").await.unwrap();
    assert_eq!(next, Some(LONGEST_LEASE));
    // It is nobody else's by then.
    fixture.database.maintain(NOW + LONGEST_PAUSE).await.unwrap();
    assert_eq!(claim(&fixture, WorkerId::generate()).await, []);
    let put_off = Attempt {
        job: held[0].id,
        number: held[0].attempt,
        outcome: JobOutcome::PutOff { pause: Duration::MAX },
    };
    queue.settle(worker, &[put_off]).await.unwrap();
    let next = queue.next_due(&[JOB], "eu").await.unwrap();
    assert_eq!(next, Some(LONGEST_PAUSE));
}

/// The domain's registration, claimed by a node whose clock is right.
async fn claimed(fixture: &Fixture) -> DueRegistration {
    let registrations = &fixture.stores.registrations;
    registrations.enrol(now(), 9).await.unwrap();
    let claim = DueClaim::of_now(now(), Duration::MINUTE, 9);
    registrations.claim(&claim).await.unwrap().remove(0)
}

#[tokio::test]
async fn a_registration_that_was_asked_for_by_a_clock_ahead_was_asked_for_now() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    let ahead = now() + Duration::days(365);
    let change = RegistrationChange {
        detected_at: ahead,
        field: RegistrationField::Registrar,
        before: None,
        after: Some("Example Registrar".to_owned()),
    };
    let due = claimed(&fixture).await;
    let asked = AskedRegistration {
        name: due.name,
        leased_until: due.leased_until,
        asked_at: ahead,
        next_check_at: ahead + Duration::HOUR,
        learned: Learned::Answer(Box::default(), vec![change]),
    };
    let registrations = &fixture.stores.registrations;
    registrations.complete(&[asked]).await.unwrap();
    let stored = registrations.view(&access).await.unwrap().unwrap();
    let known = stored.known.unwrap();
    assert!(known.answer.unwrap().1 <= now());
    assert!(known.changes[0].detected_at <= now());
    let next = registrations.next_due(now()).await.unwrap().unwrap();
    assert!(
        next > now() + Duration::minutes(50) && next <= now() + Duration::HOUR,
        "{next}"
    );
}

/// A registration that is set aside waits for a day, and no longer.
#[tokio::test]
async fn a_clock_ahead_sets_no_registration_aside_for_longer() {
    let fixture = Fixture::new().await;
    watched(&fixture, |_| {}).await;
    let due = claimed(&fixture).await;
    let ahead = now() + Duration::days(365);
    let unwritable = Registration {
        expires_at: Some(ahead.to_offset(UtcOffset::from_hms(24, 0, 0).unwrap())),
        ..Registration::default()
    };
    let asked = AskedRegistration {
        name: due.name,
        leased_until: due.leased_until,
        asked_at: ahead,
        next_check_at: ahead,
        learned: Learned::Answer(Box::new(unwritable), Vec::new()),
    };
    let registrations = &fixture.stores.registrations;
    registrations.complete(&[asked]).await.unwrap();
    let next = registrations.next_due(now()).await.unwrap().unwrap();
    assert!(
        next > now() + Duration::hours(23) && next <= now() + Duration::DAY,
        "{next}"
    );
}

/// The clock of a whole machine, its database included, was a day ahead, and has been set back.
#[tokio::test]
async fn registrations_that_a_clock_has_put_out_of_reach_are_brought_back() {
    let fixture = Fixture::new().await;
    watched(&fixture, |_| {}).await;
    let due = claimed(&fixture).await;
    let registrations = &fixture.stores.registrations;
    registrations.release(&[&due]).await.unwrap();
    for ahead in [
        "asked_at = now() + interval '1 day', next_check_at = now() + interval '23 hours'",
        "next_check_at = now() + interval '2 days'",
        "leased_until = now() + interval '1 day'",
    ] {
        let set_back = format!("UPDATE domain_registrations SET {ahead}");
        fixture.sql.batch_execute(&set_back).await.unwrap();
        let claim = DueClaim::of_now(now(), Duration::MINUTE, 9);
        assert_eq!(registrations.claim(&claim).await.unwrap(), [], "{ahead}");
        registrations.bring_back().await.unwrap();
        let claim = DueClaim::of_now(now(), Duration::MINUTE, 9);
        let due = registrations.claim(&claim).await.unwrap();
        assert_eq!(due.len(), 1, "{ahead}");
        // A claim that holds is left alone.
        let stamp = "UPDATE domain_registrations SET asked_at = now()";
        fixture.sql.batch_execute(stamp).await.unwrap();
        registrations.bring_back().await.unwrap();
        assert_eq!(registrations.claim(&claim).await.unwrap(), [], "{ahead}");
        registrations.release(&[&due[0]]).await.unwrap();
    }
}

/// The clock of a whole machine was less than a day ahead: what was evaluated by it, and rules that were made or set aside.
#[tokio::test]
async fn alert_rules_that_a_clock_was_ahead_of_are_evaluated_once_it_is_back() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let rule = "WITH rule AS (
            INSERT INTO alert_rules (id, domain_id, workspace_id, module, metric, operator, threshold, evaluation_window, severity,
                enabled, cooldown_minutes, created_at, updated_at)
            VALUES (uuid_v7(), $1, $2, 'uptime', 'consecutive_failures', 'gte', 2, 'latest', 'warning', true, 60, now(), now())
            RETURNING id, domain_id, workspace_id
        )
        INSERT INTO alert_evaluations (rule_id, domain_id, workspace_id) SELECT id, domain_id, workspace_id FROM rule";
    fixture
        .sql
        .execute(rule, &[&home.domain.0, &home.workspace.0])
        .await
        .unwrap();
    let store = fixture.stores.ports.get::<dyn EvaluationStore>().unwrap();
    let set_aside = "INSERT INTO set_aside (kind, subject, reason, last_at)
        SELECT 'alert_rule', rule_id::text, 'why', now() + make_interval(hours => $1) FROM alert_evaluations";
    let stands = "SELECT next_evaluation_at <= now() AND coalesce(last_evaluated_at <= now(), true) FROM alert_evaluations";
    for (evaluated, set_aside_at, due, is_back) in [
        ("interval '20 hours'", None, "20 hours 1 minute", true),
        ("interval '1 minute'", None, "2 minutes", true),
        // Nobody has evaluated it yet.
        ("NULL::interval", None, "20 hours", true),
        ("interval '0'", Some(20), "44 hours", true),
        ("interval '0'", Some(-30), "20 hours", true),
        // These wait as they should.
        ("interval '0'", None, "1 hour", false),
        ("interval '-1 hour'", Some(-1), "23 hours", false),
        ("NULL::interval", Some(-1), "23 hours", false),
    ] {
        fixture.sql.batch_execute("DELETE FROM set_aside").await.unwrap();
        if let Some(hours) = set_aside_at {
            fixture.sql.execute(set_aside, &[&hours]).await.unwrap();
        }
        let ahead = format!(
            "UPDATE alert_evaluations SET last_evaluated_at = now() + {evaluated}, next_evaluation_at = now() + interval '{due}'"
        );
        fixture.sql.batch_execute(&ahead).await.unwrap();
        store.bring_back().await.unwrap();
        let is_due: bool = fixture.value(stands, &[]).await;
        assert_eq!(is_due, is_back, "{ahead}, set aside: {set_aside_at:?}");
    }
}

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
