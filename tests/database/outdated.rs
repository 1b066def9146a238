//! Monitors that change between the claim of a check and the check: nothing is kept of what no longer holds.

use std::{collections::HashSet, time::Duration as StdDuration};

use pharos_domain::{identity::DomainAccess, ids::DomainId};
use pharos_due::{bell::Bell, work::DueClaim};
use pharos_persistence::listener::Listener;
use pharos_supervisor::Supervisor;
use pharos_uptime::{check::Outcome, finished::FinishedCheck, schedule::DueCheck};
use time::{Duration, OffsetDateTime};
use tokio::time::timeout;

use crate::{
    completion::{check, finished, watched},
    harness::{Fixture, NOW, actor, after},
};

/// Claims the domain's check, due in a second.
async fn claimed_ahead(fixture: &Fixture) -> DueCheck {
    let soon = "UPDATE uptime_schedules SET next_check_at = '2026-03-31 09:15:10Z'";
    fixture.sql.batch_execute(soon).await.unwrap();
    let claim = DueClaim {
        ahead: Duration::seconds(2),
        ..DueClaim::of_now(after(9), Duration::MINUTE, 1)
    };
    let mut claimed = fixture.stores.schedule.claim("eu", &claim).await.unwrap();
    assert_eq!(claimed[0].due_in, Duration::SECOND);
    claimed.remove(0)
}

/// The check that was claimed, as it began at that time.
fn done(access: &DomainAccess, claimed: &DueCheck, began: OffsetDateTime) -> FinishedCheck {
    FinishedCheck {
        settings_at: Some(claimed.settings_at),
        ..finished(check(access, "eu", began, Outcome::Up), claimed.due_at)
    }
}

async fn complete(fixture: &Fixture, done: FinishedCheck) {
    let set_aside = fixture.stores.schedule.complete(&[done], after(11)).await;
    assert_eq!(set_aside.unwrap(), []);
}

async fn stored(fixture: &Fixture) -> i64 {
    fixture.value("SELECT count(*) FROM uptime_checks", &[]).await
}

async fn next_due(fixture: &Fixture) -> Option<OffsetDateTime> {
    fixture.stores.schedule.next_due("eu", NOW).await.unwrap()
}

#[tokio::test]
async fn a_check_with_settings_that_were_changed_before_it_began_is_done_anew() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    let claimed = claimed_ahead(&fixture).await;
    fixture
        .monitor(&access, after(10), |settings| settings.url.push_str("new"))
        .await;
    complete(&fixture, done(&access, &claimed, after(10))).await;
    assert_eq!(
        (stored(&fixture).await, next_due(&fixture).await),
        (0, Some(after(11)))
    );
    let again = DueClaim::of_now(after(12), Duration::MINUTE, 1);
    let again = fixture
        .stores
        .schedule
        .claim("eu", &again)
        .await
        .unwrap()
        .remove(0);
    assert!(again.settings.url.ends_with("new"));
    complete(&fixture, done(&access, &again, after(12))).await;
    assert_eq!(stored(&fixture).await, 1);
}

/// It was under way already, as a check may be for long.
#[tokio::test]
async fn a_check_that_began_before_the_change_is_kept() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    let claimed = claimed_ahead(&fixture).await;
    fixture
        .monitor(&access, after(11), |settings| settings.url.push_str("new"))
        .await;
    complete(&fixture, done(&access, &claimed, after(10))).await;
    assert_eq!(stored(&fixture).await, 1);
    assert!(next_due(&fixture).await > Some(after(11)));
}

#[tokio::test]
async fn nothing_is_kept_of_a_check_that_began_after_its_monitor_was_paused() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    let claimed = claimed_ahead(&fixture).await;
    fixture
        .monitor(&access, after(10), |settings| settings.enabled = false)
        .await;
    complete(&fixture, done(&access, &claimed, after(10))).await;
    assert_eq!((stored(&fixture).await, next_due(&fixture).await), (0, None));
}

#[tokio::test]
async fn nothing_is_kept_of_a_check_that_began_after_its_domain_was_deleted() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    let claimed = claimed_ahead(&fixture).await;
    let admin = &fixture.stores.domain_admin;
    admin.delete(access.id(), &actor(), after(10)).await.unwrap();
    // Deletions are dated by the database's clock, checks here by the tests'.
    let deleted = "UPDATE domains SET deleted_at = '2026-03-31 09:15:10Z'";
    fixture.sql.batch_execute(deleted).await.unwrap();
    complete(&fixture, done(&access, &claimed, after(10))).await;
    assert_eq!((stored(&fixture).await, next_due(&fixture).await), (0, None));
}

async fn rings(bell: &Bell) -> bool {
    timeout(StdDuration::from_secs(10), bell.rung()).await.is_ok()
}

/// Whoever holds checks of its region hears of it.
#[tokio::test]
async fn the_bell_of_a_region_rings_when_a_monitor_changes_or_goes_or_comes_back() {
    let fixture = Fixture::new().await;
    let supervisor = Supervisor::default();
    let listener = Listener::start(&fixture.database, &supervisor).await.unwrap();
    let bell = listener.schedule().add();
    bell.ring_for(HashSet::from(["eu".to_owned()]));
    let access = watched(&fixture, |_| {}).await;
    assert!(rings(&bell).await, "a monitor is new");
    fixture
        .monitor(&access, NOW, |settings| settings.enabled = false)
        .await;
    assert!(rings(&bell).await, "it is paused");
    let admin = &fixture.stores.domain_admin;
    admin.delete(access.id(), &actor(), NOW).await.unwrap();
    assert!(rings(&bell).await, "its domain is deleted");
    fixture
        .monitor(&access, NOW, |settings| settings.regions = vec!["us".to_owned()])
        .await;
    assert!(rings(&bell).await, "it has lost the region");
    fixture
        .monitor(&access, NOW, |settings| settings.interval_seconds = 300)
        .await;
    let unchanged = timeout(StdDuration::from_millis(200), bell.rung()).await.is_err();
    assert!(unchanged, "it is of another region");
    fixture
        .monitor(&access, NOW, |settings| settings.regions = vec!["eu".to_owned()])
        .await;
    let news = timeout(StdDuration::from_secs(10), bell.rung()).await.unwrap();
    assert!(news.concerns(&access.id().to_string()), "it came back");
    assert!(!news.concerns(&DomainId::generate().to_string()), "and it alone");
    fixture.monitor(&access, NOW, |_| {}).await;
    let silent = timeout(StdDuration::from_millis(500), bell.rung()).await.is_err();
    assert!(silent, "nothing of it has changed");
}
