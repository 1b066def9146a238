//! Checks that come soon, since the ones before settled nothing.

use pharos_domain::{
    identity::DomainAccess,
    ids::RunId,
    page::{ListKey, PageRequest},
};
use pharos_due::work::DueClaim;
use pharos_uptime::{
    check::{Check, Outcome},
    finished::FinishedCheck,
    store::CheckFilter,
};
use time::{Duration, OffsetDateTime};

use crate::{
    completion::{check, finished, status, watched},
    harness::{Fixture, NOW, after},
};

const UP: Outcome = Outcome::Up;
const DOWN: Outcome = Outcome::Down;

async fn next(fixture: &Fixture, region: &str) -> OffsetDateTime {
    fixture
        .stores
        .schedule
        .next_due(region, NOW)
        .await
        .unwrap()
        .unwrap()
}

/// Does the check of a region when it is due: it takes a second. Says when it is due next.
async fn due(fixture: &Fixture, access: &DomainAccess, region: &str, outcome: Outcome) -> OffsetDateTime {
    let schedule = &fixture.stores.schedule;
    let at = next(fixture, region).await;
    let claimed = schedule
        .claim(region, &DueClaim::of_now(at, Duration::MINUTE, 1))
        .await
        .unwrap();
    let done = finished(check(access, region, at, outcome), claimed[0].due_at);
    schedule.complete(&[done], at + Duration::SECOND).await.unwrap();
    next(fixture, region).await
}

/// The retry index of each check, the newest first.
async fn retries(fixture: &Fixture, access: &DomainAccess) -> Vec<u32> {
    let page = PageRequest {
        limit: 100,
        after: None,
        list: ListKey::new("listUptimeChecks", access.id().0),
    };
    let all = CheckFilter::default();
    let listed = fixture.stores.checks.list(access, &all, &page);
    let checks = listed.await.unwrap().items;
    checks.iter().map(|check| check.retry_index).collect()
}

#[tokio::test]
async fn a_failure_is_checked_again_after_ten_seconds_until_it_is_confirmed() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |settings| {
        settings.interval_seconds = 3_600;
        settings.confirmation_checks = 3;
    })
    .await;
    let slot = due(&fixture, &access, "eu", UP).await;
    assert_eq!(
        due(&fixture, &access, "eu", DOWN).await,
        slot + Duration::seconds(11)
    );
    assert_eq!(
        due(&fixture, &access, "eu", DOWN).await,
        slot + Duration::seconds(22)
    );
    assert_eq!(status(&fixture, &access).await.open_incident(), None);
    // An hourly monitor has confirmed it within the minute, and goes on as it did.
    assert_eq!(due(&fixture, &access, "eu", DOWN).await, slot + Duration::HOUR);
    let incident = *status(&fixture, &access).await.open_incident().unwrap();
    assert_eq!(incident.started_at, slot);
    assert_eq!(
        due(&fixture, &access, "eu", DOWN).await,
        slot + Duration::hours(2)
    );
    assert_eq!(retries(&fixture, &access).await, [0, 2, 1, 0, 0]);
}

#[tokio::test]
async fn a_settled_state_or_maintenance_ends_the_quick_rechecks() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |settings| {
        settings.interval_seconds = 3_600;
        settings.recovery_checks = 2;
    })
    .await;
    let slot = due(&fixture, &access, "eu", UP).await;
    due(&fixture, &access, "eu", DOWN).await;
    assert_eq!(due(&fixture, &access, "eu", UP).await, slot + Duration::HOUR);
    due(&fixture, &access, "eu", DOWN).await;
    assert_eq!(
        due(&fixture, &access, "eu", DOWN).await,
        slot + Duration::hours(2)
    );
    // The first pass does not end the outage yet: it is settled as fast.
    let passing = slot + Duration::hours(2);
    assert_eq!(
        due(&fixture, &access, "eu", UP).await,
        passing + Duration::seconds(11)
    );
    assert_eq!(due(&fixture, &access, "eu", UP).await, slot + Duration::hours(3));
    assert_eq!(status(&fixture, &access).await.open_incident(), None);
    let failing = due(&fixture, &access, "eu", DOWN).await;
    assert_eq!(failing, slot + Duration::hours(3) + Duration::seconds(11));
    assert_eq!(
        due(&fixture, &access, "eu", Outcome::Maintenance).await,
        slot + Duration::hours(4)
    );
    assert_eq!(retries(&fixture, &access).await, [1, 0, 1, 0, 1, 0, 1, 0, 0]);
}

#[tokio::test]
async fn an_interval_below_ten_seconds_is_soon_enough() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |settings| settings.interval_seconds = 3).await;
    let slot = due(&fixture, &access, "eu", UP).await;
    assert_eq!(
        due(&fixture, &access, "eu", DOWN).await,
        slot + Duration::seconds(4)
    );
}

#[tokio::test]
async fn a_failure_that_a_run_finds_is_checked_again_too() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |settings| settings.interval_seconds = 3_600).await;
    due(&fixture, &access, "eu", UP).await;
    let far = "UPDATE uptime_schedules SET next_check_at = '2026-03-31 10:05Z'";
    fixture.sql.batch_execute(far).await.unwrap();
    let at = after(600);
    let asked = FinishedCheck {
        check: Check {
            run_id: Some(RunId::generate()),
            ..check(&access, "eu", at, DOWN)
        },
        due_at: None,
        settings_at: None,
        ..finished(check(&access, "eu", at, DOWN), at)
    };
    fixture.stores.schedule.complete(&[asked], at).await.unwrap();
    assert_eq!(next(&fixture, "eu").await, at + Duration::seconds(10));
    due(&fixture, &access, "eu", DOWN).await;
    assert!(status(&fixture, &access).await.open_incident().is_some());
}

/// Both regions must see an outage: the second need not wait for its hour.
#[tokio::test]
async fn once_one_region_is_sure_the_others_look_at_once() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |settings| {
        settings.interval_seconds = 3_600;
        settings.regions.push("us".to_owned());
    })
    .await;
    for region in ["eu", "us"] {
        due(&fixture, &access, region, UP).await;
    }
    // Both are due far from each other.
    let (sooner, later) = (after(600), after(3_000));
    fixture
        .sql
        .batch_execute(
            "UPDATE uptime_schedules SET next_check_at = '2026-03-31 09:25Z' WHERE region = 'eu';
             UPDATE uptime_schedules SET next_check_at = '2026-03-31 10:05Z' WHERE region = 'us'",
        )
        .await
        .unwrap();
    due(&fixture, &access, "eu", DOWN).await;
    assert_eq!(next(&fixture, "us").await, later, "it is not sure yet");
    due(&fixture, &access, "eu", DOWN).await;
    let sure = sooner + Duration::seconds(12);
    assert_eq!(next(&fixture, "us").await, sure);
    due(&fixture, &access, "us", DOWN).await;
    due(&fixture, &access, "us", DOWN).await;
    let known = status(&fixture, &access).await;
    assert_eq!(known.open_incident().unwrap().started_at, sure);
    // The region that saw the outage already is not asked again.
    assert_ne!(next(&fixture, "eu").await, sure + Duration::seconds(12));
}
