//! Finished checks leave behind rows, region states, spans, the next time.

use std::{collections::BTreeMap, net::IpAddr};

use futures_util::future::join_all;
use pharos_domain::{
    identity::DomainAccess,
    ids::{CheckId, DomainId, RunId},
    page::{ListKey, PageRequest},
};
use pharos_due::work::DueClaim;
use pharos_uptime::{
    check::{Check, Outcome},
    error_class::ErrorClass,
    finished::FinishedCheck,
    knowledge::MonitorKnowledge,
    monitor::settings::MonitorSettings,
    probe::HttpVersion,
    state::SpanState,
    store::CheckFilter,
};
use time::{Duration, OffsetDateTime};

use crate::harness::{Fixture, NOW, actor, after};

/// A check of the domain, done at `at`.
pub(crate) fn check(access: &DomainAccess, region: &str, at: OffsetDateTime, outcome: Outcome) -> Check {
    Check {
        id: CheckId::generate(),
        domain_id: access.id(),
        region: region.to_owned(),
        checked_at: at,
        outcome,
        run_id: None,
        status_code: Some(200),
        http_version: Some(HttpVersion::Http2),
        response_ms: Some(12.345),
        dns_ms: None,
        connect_ms: Some(1.0),
        tls_ms: Some(2.5),
        ttfb_ms: Some(5.0),
        download_ms: Some(0.25),
        redirect_count: 1,
        final_url: Some("https://ada.example/".to_owned()),
        response_bytes: Some(5_000_000_000),
        ip_address: Some(IpAddr::from([203, 0, 113, 7])),
        error_class: None,
        error_message: None,
        keyword_matched: Some(true),
        retry_index: 0,
    }
}

pub(crate) fn finished(check: Check, due_at: OffsetDateTime) -> FinishedCheck {
    FinishedCheck {
        check,
        due_at: Some(due_at),
        settings_at: None,
        certificate_valid_until: None,
        response_headers: BTreeMap::new(),
        sighting: None,
    }
}

/// A check that a run asked for.
fn asked(
    access: &DomainAccess,
    run: RunId,
    region: &str,
    at: OffsetDateTime,
    outcome: Outcome,
) -> FinishedCheck {
    FinishedCheck {
        check: Check {
            run_id: Some(run),
            ..check(access, region, at, outcome)
        },
        due_at: None,
        settings_at: None,
        certificate_valid_until: None,
        response_headers: BTreeMap::new(),
        sighting: None,
    }
}

/// Stores checks of one region, a minute apart, one batch each.
pub(crate) async fn run(
    fixture: &Fixture,
    access: &DomainAccess,
    region: &str,
    from: OffsetDateTime,
    outcomes: &[Outcome],
) {
    for (at, outcome) in (0..).map(|minute| from + Duration::minutes(minute)).zip(outcomes) {
        let done = finished(check(access, region, at, *outcome), at);
        fixture.stores.schedule.complete(&[done], at).await.unwrap();
    }
}

pub(crate) async fn status(fixture: &Fixture, access: &DomainAccess) -> MonitorKnowledge {
    let long_ago = NOW - Duration::days(30);
    let monitors = &fixture.stores.monitors;
    monitors.status(access, long_ago).await.unwrap().unwrap()
}

async fn spans(fixture: &Fixture, access: &DomainAccess) -> Vec<(SpanState, i64, i64)> {
    let minutes = |at: OffsetDateTime| (at - NOW).whole_minutes();
    let known = status(fixture, access).await;
    let spans = known.spans.iter();
    spans
        .map(|span| (span.state, minutes(span.started_at), minutes(span.ended_at)))
        .collect()
}

pub(crate) async fn watched(
    fixture: &Fixture,
    change: impl Fn(&mut MonitorSettings) + Send + Sync,
) -> DomainAccess {
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    fixture.monitor(&access, NOW, change).await;
    access
}

fn all(access: &DomainAccess) -> PageRequest {
    PageRequest {
        limit: 500,
        after: None,
        list: ListKey::new("listUptimeChecks", access.id().0),
    }
}

const UP: Outcome = Outcome::Up;
const DOWN: Outcome = Outcome::Down;

#[tokio::test]
async fn a_check_comes_back_as_it_was_stored() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    let full = check(&access, "eu", NOW, UP);
    let mut bare = Check {
        run_id: Some(RunId::generate()),
        status_code: None,
        http_version: None,
        response_ms: None,
        connect_ms: None,
        tls_ms: None,
        ttfb_ms: None,
        download_ms: None,
        redirect_count: 0,
        final_url: None,
        response_bytes: None,
        ip_address: Some("2001:db8::1".parse().unwrap()),
        error_class: Some(ErrorClass::TlsExpired),
        error_message: Some("The certificate\0 has expired.".to_owned()),
        keyword_matched: None,
        retry_index: 1,
        ..check(
            &access,
            "eu",
            after(60) + Duration::nanoseconds(123_456_789),
            DOWN,
        )
    };
    let batch = [finished(full.clone(), NOW), finished(bare.clone(), after(60))];
    fixture.stores.schedule.complete(&batch, after(61)).await.unwrap();
    let checks = &fixture.stores.checks;
    let page = checks
        .list(&access, &CheckFilter::default(), &all(&access))
        .await
        .unwrap();
    bare.checked_at = after(60) + Duration::microseconds(123_456);
    bare.error_message = Some("The certificate\u{fffd} has expired.".to_owned());
    // It is the store that knows how often the site was asked.
    bare.retry_index = 0;
    assert_eq!(page.items, [bare, full]);
}

#[tokio::test]
async fn neighbours_of_one_state_are_one_span() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    run(&fixture, &access, "eu", NOW, &[UP, UP, Outcome::Degraded, UP]).await;
    assert_eq!(spans(&fixture, &access).await, [(SpanState::Up, 0, 3)]);
    let known = status(&fixture, &access).await;
    let state = known.regions[0].state.as_ref().unwrap();
    assert_eq!((state.last_check_at, state.consecutive_passes), (after(180), 4));
    // A time that nobody saw parts them: a state holds for two intervals.
    run(&fixture, &access, "eu", after(600), &[UP, UP]).await;
    assert_eq!(
        spans(&fixture, &access).await,
        [(SpanState::Up, 0, 5), (SpanState::Up, 10, 11)]
    );
}

#[tokio::test]
async fn what_was_suspect_becomes_down_once_confirmed() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |settings| settings.confirmation_checks = 3).await;
    run(&fixture, &access, "eu", NOW, &[UP, DOWN, UP, DOWN, DOWN]).await;
    assert_eq!(
        spans(&fixture, &access).await,
        [
            (SpanState::Up, 0, 1),
            (SpanState::Suspect, 1, 2),
            (SpanState::Up, 2, 3),
            (SpanState::Suspect, 3, 4)
        ]
    );
    run(&fixture, &access, "eu", after(300), &[DOWN, DOWN, UP, UP]).await;
    assert_eq!(
        spans(&fixture, &access).await,
        [
            (SpanState::Up, 0, 1),
            (SpanState::Suspect, 1, 2),
            (SpanState::Up, 2, 3),
            (SpanState::Down, 3, 7),
            (SpanState::Up, 7, 8)
        ]
    );
}

/// The same checks in one batch, in any order, leave what they leave one by one.
#[tokio::test]
async fn a_batch_leaves_what_its_checks_leave_one_by_one() {
    let outcomes = [
        UP,
        DOWN,
        DOWN,
        Outcome::Maintenance,
        DOWN,
        UP,
        UP,
        Outcome::Blocked,
        DOWN,
        DOWN,
        UP,
    ];
    let single = Fixture::new().await;
    let access = watched(&single, |_| {}).await;
    run(&single, &access, "eu", NOW, &outcomes).await;
    let one_by_one = (spans(&single, &access).await, status(&single, &access).await);

    let whole = Fixture::new().await;
    let access = watched(&whole, |_| {}).await;
    let mut batch: Vec<FinishedCheck> = (0..)
        .zip(outcomes)
        .map(|(minute, outcome)| {
            let at = NOW + Duration::minutes(minute);
            finished(check(&access, "eu", at, outcome), at)
        })
        .collect();
    batch.reverse();
    whole.stores.schedule.complete(&batch, after(600)).await.unwrap();
    assert_eq!(spans(&whole, &access).await, one_by_one.0);
    assert_eq!(
        status(&whole, &access).await.regions[0].state,
        one_by_one.1.regions[0].state
    );
}

#[tokio::test]
async fn a_batch_that_comes_twice_counts_once() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    let batch = [
        finished(check(&access, "eu", NOW, DOWN), NOW),
        finished(check(&access, "eu", after(60), DOWN), after(60)),
    ];
    let schedule = &fixture.stores.schedule;
    schedule.complete(&batch, after(61)).await.unwrap();
    let (before, next) = (
        status(&fixture, &access).await,
        schedule.next_due("eu", NOW).await.unwrap(),
    );
    schedule.complete(&batch, after(200)).await.unwrap();
    let again = status(&fixture, &access).await;
    assert_eq!(again.regions[0].state, before.regions[0].state);
    assert_eq!(again.open_incident(), before.open_incident());
    assert_eq!(schedule.next_due("eu", NOW).await.unwrap(), next);
    let rows: i64 = fixture.value("SELECT count(*) FROM uptime_checks", &[]).await;
    assert_eq!(rows, 2);
}

#[tokio::test]
async fn the_next_time_lies_whole_intervals_on_and_frees_the_claim() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    let schedule = &fixture.stores.schedule;
    let lease = Duration::seconds(90);
    let mut now = NOW;
    let mut due = Vec::new();
    for _ in 0..4 {
        let claimed = schedule
            .claim("eu", &DueClaim::of_now(now, lease, 10))
            .await
            .unwrap();
        assert_eq!(claimed.len(), 1, "{now}");
        let done = finished(check(&access, "eu", now, UP), claimed[0].due_at);
        due.push(claimed[0].due_at);
        schedule
            .complete(&[done], now + Duration::milliseconds(400))
            .await
            .unwrap();
        now = schedule.next_due("eu", NOW).await.unwrap().unwrap();
    }
    assert_eq!(due[0], NOW, "the first is due at once");
    assert!(due[1] > NOW && due[1] <= after(61), "{due:?}");
    assert_eq!(
        (due[2] - due[1], due[3] - due[2]),
        (Duration::MINUTE, Duration::MINUTE)
    );

    // After a long silence the missed ones are not made up for.
    let late = now + Duration::seconds(10 * 60 + 7);
    let claimed = schedule
        .claim("eu", &DueClaim::of_now(late, lease, 10))
        .await
        .unwrap();
    let done = finished(check(&access, "eu", late, UP), claimed[0].due_at);
    schedule.complete(&[done], late).await.unwrap();
    let next = schedule.next_due("eu", NOW).await.unwrap().unwrap();
    assert_eq!(next, now + Duration::minutes(11));
}

#[tokio::test]
async fn one_who_lost_the_lease_does_not_free_the_claim_of_another() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    let schedule = &fixture.stores.schedule;
    let lease = Duration::seconds(30);
    let slow = schedule
        .claim("eu", &DueClaim::of_now(NOW, lease, 1))
        .await
        .unwrap();
    let quick = schedule
        .claim("eu", &DueClaim::of_now(after(31), lease, 1))
        .await
        .unwrap();
    assert_eq!(slow[0].due_at, quick[0].due_at);
    let done = finished(check(&access, "eu", after(31), UP), quick[0].due_at);
    schedule.complete(&[done], after(32)).await.unwrap();
    let next = schedule.next_due("eu", NOW).await.unwrap().unwrap();
    let claimed = schedule
        .claim("eu", &DueClaim::of_now(next, lease, 1))
        .await
        .unwrap();
    assert_eq!(claimed.len(), 1);
    let late = finished(check(&access, "eu", NOW, UP), slow[0].due_at);
    schedule.complete(&[late], next + Duration::SECOND).await.unwrap();
    assert_eq!(
        schedule
            .claim("eu", &DueClaim::of_now(next, lease, 1))
            .await
            .unwrap()
            .len(),
        0
    );
    let known = status(&fixture, &access).await;
    assert_eq!(known.regions[0].state.as_ref().unwrap().last_check_at, after(31));
}

#[tokio::test]
async fn a_run_that_was_asked_for_leaves_the_schedule_alone() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    let schedule = &fixture.stores.schedule;
    let asked = asked(&access, RunId::generate(), "eu", NOW, UP);
    schedule.complete(&[asked], after(1)).await.unwrap();
    assert_eq!(schedule.next_due("eu", NOW).await.unwrap(), Some(NOW));
    assert!(status(&fixture, &access).await.regions[0].state.is_some());
}

/// A job whose worker was too slow is done twice, by two workers at once at worst.
#[tokio::test]
async fn a_run_has_one_check_of_a_region_however_often_its_job_is_done() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |settings| settings.regions.push("us".to_owned())).await;
    let schedule = &fixture.stores.schedule;
    let (run, another) = (RunId::generate(), RunId::generate());
    let twice = join_all((0..6).map(async |second| {
        let done = asked(&access, run, "eu", after(second), DOWN);
        schedule.complete(&[done], after(9)).await.unwrap();
    }));
    twice.await;
    let rows = async || -> i64 { fixture.value("SELECT count(*) FROM uptime_checks", &[]).await };
    assert_eq!(rows().await, 1);
    let state = async || status(&fixture, &access).await.regions[0].state.clone().unwrap();
    assert_eq!(state().await.consecutive_failures, 1);
    // Nor twice within a batch; of other regions and runs each is one of its own.
    let batch = [
        asked(&access, run, "eu", after(20), UP),
        asked(&access, run, "us", after(20), UP),
        asked(&access, another, "eu", after(21), DOWN),
        asked(&access, another, "eu", after(22), DOWN),
        finished(check(&access, "eu", after(23), DOWN), NOW),
    ];
    schedule.complete(&batch, after(30)).await.unwrap();
    assert_eq!(rows().await, 4);
    assert_eq!(state().await.consecutive_failures, 3);
}

#[tokio::test]
async fn a_run_confirms_an_outage_as_the_schedule_does_and_changes_nothing_of_a_paused_monitor() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    let schedule = &fixture.stores.schedule;
    run(&fixture, &access, "eu", NOW, &[UP, DOWN]).await;
    let second = asked(&access, RunId::generate(), "eu", after(70), DOWN);
    schedule.complete(&[second], after(70)).await.unwrap();
    let known = status(&fixture, &access).await;
    assert!(known.regions[0].state.as_ref().unwrap().is_down);
    assert!(known.open_incident().is_some());

    let paused = fixture.monitor(&access, after(80), |settings| settings.enabled = false);
    paused.await;
    let settings = schedule.settings(access.id()).await.unwrap().unwrap();
    assert!(!settings.enabled, "a paused monitor can be checked");
    let third = asked(&access, RunId::generate(), "eu", after(90), UP);
    schedule.complete(&[third], after(90)).await.unwrap();
    let rows: i64 = fixture.value("SELECT count(*) FROM uptime_checks", &[]).await;
    assert_eq!(rows, 4);
    let known = status(&fixture, &access).await;
    let state = known.regions[0].state.clone().unwrap();
    assert_eq!((state.last_check_at, state.last_outcome), (after(90), UP));
    assert_eq!((state.paused_at, state.last_success_at), (Some(after(80)), None));
    assert_eq!(known.spans.last().map(|span| span.ended_at), Some(after(80)));
}

#[tokio::test]
async fn the_settings_of_a_deleted_domain_are_not_given_to_workers() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    let schedule = &fixture.stores.schedule;
    assert!(schedule.settings(access.id()).await.unwrap().is_some());
    assert_eq!(schedule.settings(DomainId::generate()).await.unwrap(), None);
    let domains = &fixture.stores.domain_admin;
    domains.delete(access.id(), &actor(), NOW).await.unwrap();
    assert_eq!(schedule.settings(access.id()).await.unwrap(), None);
}

#[tokio::test]
async fn what_comes_from_a_region_that_was_taken_out_changes_nothing_but_is_kept() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |settings| settings.regions.push("us".to_owned())).await;
    run(&fixture, &access, "us", NOW, &[DOWN, DOWN]).await;
    fixture
        .monitor(&access, after(100), |settings| {
            settings.regions = vec!["eu".to_owned()]
        })
        .await;
    run(&fixture, &access, "us", after(120), &[DOWN]).await;
    run(&fixture, &access, "eu", after(130), &[UP]).await;
    let known = status(&fixture, &access).await;
    assert_eq!(known.regions.len(), 1);
    assert_eq!(known.open_incident(), None);
    let states: i64 = fixture
        .value("SELECT count(*) FROM uptime_region_states", &[])
        .await;
    assert_eq!(states, 1);
    let page = fixture
        .stores
        .checks
        .list(&access, &CheckFilter::default(), &all(&access))
        .await;
    assert_eq!(page.unwrap().items.len(), 4);
}

#[tokio::test]
async fn spans_are_read_from_a_moment_on_with_the_one_that_reaches_in() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |settings| settings.confirmation_checks = 1).await;
    run(&fixture, &access, "eu", NOW, &[UP, UP, UP, DOWN, DOWN, UP, UP]).await;
    let since = async |seconds: i64| -> Vec<SpanState> {
        let known = fixture.stores.monitors.status(&access, after(seconds)).await;
        let spans = known.unwrap().unwrap().spans;
        spans.iter().map(|span| span.state).collect()
    };
    assert_eq!(since(0).await, [SpanState::Up, SpanState::Down, SpanState::Up]);
    assert_eq!(since(179).await, [SpanState::Up, SpanState::Down, SpanState::Up]);
    assert_eq!(since(180).await, [SpanState::Down, SpanState::Up]);
    assert_eq!(since(200).await, [SpanState::Down, SpanState::Up]);
    assert_eq!(since(359).await, [SpanState::Up]);
    assert_eq!(since(360).await, []);
}

#[tokio::test]
async fn a_batch_of_thousands_is_stored_whole() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    let batch: Vec<FinishedCheck> = (0..4_000)
        .map(|second| finished(check(&access, "eu", after(second), UP), NOW))
        .collect();
    let began = std::time::Instant::now();
    fixture
        .stores
        .schedule
        .complete(&batch, after(4_000))
        .await
        .unwrap();
    println!("a batch of 4,000 checks of one monitor: {:?}", began.elapsed());
    let rows: i64 = fixture.value("SELECT count(*) FROM uptime_checks", &[]).await;
    assert_eq!(rows, 4_000);
    fixture.stores.schedule.complete(&[], NOW).await.unwrap();
}
