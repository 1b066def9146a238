//! Checks: outcomes, states, spans and schedules.

use pharos_domain::identity::DomainAccess;
use pharos_due::work::DueClaim;
use pharos_uptime::{
    finished::FinishedCheck,
    history::RegionPlace,
    knowledge::MonitorKnowledge,
    state::{RegionState, SpanState, StateSpan},
};
use time::{Duration, OffsetDateTime};

use super::{DOWN, UP, now, store};
use crate::{
    completion::{check, finished, run, watched},
    harness::{Fixture, NOW, after},
};

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
fn follow_each_other(spans: &[StateSpan]) {
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
