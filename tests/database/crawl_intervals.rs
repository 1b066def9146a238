//! How often robots.txt and sitemaps are checked: said of each domain.

use std::sync::Arc;

use pharos_crawl::{
    intervals::{Interval, IntervalStore, Intervals},
    robots::monitor::store::{FinishedCheck, RobotsSchedule, Turn},
    sitemap::monitor::store::{CheckedSite, SitemapSchedule},
};
use pharos_domain::ids::DomainId;
use pharos_due::work::DueClaim;
use time::{Duration, OffsetDateTime};

use crate::harness::{Fixture, Home, actor};

const LEASE: Duration = Duration::minutes(10);

/// The claim of what is due at the moment.
fn due() -> DueClaim {
    DueClaim::of_now(OffsetDateTime::now_utc(), LEASE, 10)
}

async fn set(fixture: &Fixture, domain: DomainId, robots: Interval, sitemaps: Interval) {
    let intervals: Arc<dyn IntervalStore> = fixture.stores.ports.get().unwrap();
    let chosen = Intervals::new(robots, sitemaps).unwrap();
    let now = OffsetDateTime::now_utc();
    assert!(intervals.set_for(domain, chosen, &actor(), now).await.unwrap());
    assert_eq!(intervals.of(domain).await.unwrap(), Some(chosen));
}

/// Whether the one site of a table is due within so many minutes.
async fn is_due_within(fixture: &Fixture, table: &str, minutes: u32) -> bool {
    let query = format!("SELECT next_check_at <= now() + interval '{minutes} minutes' FROM {table}");
    fixture.value(&query, &[]).await
}

async fn robots(name: &str) -> (Fixture, Home, Arc<dyn RobotsSchedule>) {
    let fixture = Fixture::new().await;
    let home = fixture.home(name).await;
    let schedule: Arc<dyn RobotsSchedule> = fixture.stores.ports.get().unwrap();
    schedule.enrol(OffsetDateTime::now_utc(), 10).await.unwrap();
    (fixture, home, schedule)
}

/// A check that came to nothing, after which the site is due in an hour as the node has it.
fn checked(domain: DomainId, leased_until: OffsetDateTime) -> FinishedCheck {
    FinishedCheck {
        domain,
        turn: Some(Turn {
            leased_until,
            next_check_at: OffsetDateTime::now_utc() + Duration::HOUR,
        }),
        run: None,
        fetched: None,
    }
}

#[tokio::test]
async fn a_shorter_interval_brings_the_next_check_forward() {
    let (fixture, home, schedule) = robots("ada").await;
    let claimed = schedule.claim(&due()).await.unwrap();
    assert_eq!(claimed.len(), 1);
    assert_eq!(claimed[0].interval, Duration::HOUR, "by default");
    let done = checked(home.domain, claimed[0].leased_until);
    schedule.complete(&[done]).await.unwrap();
    assert!(!is_due_within(&fixture, "robots_sites", 50).await);

    set(&fixture, home.domain, Interval::QuarterHour, Interval::SixHours).await;
    assert!(is_due_within(&fixture, "robots_sites", 15).await);
    assert_eq!(schedule.claim(&due()).await.unwrap(), [], "it is not due yet");
    let later = "UPDATE robots_sites SET next_check_at = next_check_at - interval '15 minutes'";
    fixture.sql.execute(later, &[]).await.unwrap();
    let claimed = schedule.claim(&due()).await.unwrap();
    assert_eq!(claimed.len(), 1);
    assert_eq!(claimed[0].interval, Duration::minutes(15));
    // A node that claimed it before the change has it due in an hour.
    let done = checked(home.domain, claimed[0].leased_until);
    schedule.complete(&[done]).await.unwrap();
    assert!(is_due_within(&fixture, "robots_sites", 15).await);

    set(&fixture, home.domain, Interval::Day, Interval::SixHours).await;
    assert!(
        is_due_within(&fixture, "robots_sites", 15).await,
        "a longer one puts nothing off"
    );
}

#[tokio::test]
async fn what_lies_further_ahead_than_the_interval_is_brought_back() {
    let (fixture, home, schedule) = robots("ada").await;
    set(&fixture, home.domain, Interval::Day, Interval::SixHours).await;
    let ahead = "UPDATE robots_sites SET next_check_at = now() + interval '23 hours'";
    fixture.sql.execute(ahead, &[]).await.unwrap();
    schedule.bring_back().await.unwrap();
    assert!(!is_due_within(&fixture, "robots_sites", 22 * 60).await);
    let shorter = "UPDATE robots_sites SET interval_seconds = 21600";
    fixture.sql.execute(shorter, &[]).await.unwrap();
    schedule.bring_back().await.unwrap();
    assert!(is_due_within(&fixture, "robots_sites", 0).await);
}

#[tokio::test]
async fn a_site_is_overdue_by_its_interval_and_by_an_hour_at_most() {
    let (fixture, home, schedule) = robots("ada").await;
    for (interval, minutes, overdue) in [
        (Interval::QuarterHour, 10, 0),
        (Interval::QuarterHour, 20, 1),
        (Interval::Hour, 20, 0),
        (Interval::Day, 70, 1),
    ] {
        set(&fixture, home.domain, interval, Interval::SixHours).await;
        let late = format!("UPDATE robots_sites SET next_check_at = now() - interval '{minutes} minutes'");
        fixture.sql.execute(late.as_str(), &[]).await.unwrap();
        let health = schedule.watch_health().await.unwrap();
        assert_eq!(health.overdue, overdue, "{interval:?}, {minutes} minutes");
    }
}

#[tokio::test]
async fn sitemaps_have_an_interval_of_their_own() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let schedule: Arc<dyn SitemapSchedule> = fixture.stores.ports.get().unwrap();
    // The schedule has not seen the domain yet.
    set(&fixture, home.domain, Interval::Hour, Interval::Week).await;
    let claimed = schedule.claim(&due()).await.unwrap();
    assert_eq!(claimed.len(), 1);
    assert_eq!(claimed[0].interval, Duration::WEEK);
    set(&fixture, home.domain, Interval::Hour, Interval::Hour).await;
    let settled = CheckedSite {
        domain: home.domain,
        leased_until: claimed[0].leased_until,
        next_check_at: OffsetDateTime::now_utc() + Duration::WEEK,
    };
    schedule.settle(&[settled]).await.unwrap();
    assert!(is_due_within(&fixture, "sitemap_sites", 60).await);
    assert!(!is_due_within(&fixture, "sitemap_sites", 50).await);
}

#[tokio::test]
async fn no_other_interval_can_be_stored() {
    let (fixture, home, _) = robots("ada").await;
    set(&fixture, home.domain, Interval::Hour, Interval::Hour).await;
    for (table, seconds) in [
        ("robots_sites", 604_800),
        ("sitemap_sites", 900),
        ("robots_sites", 0),
    ] {
        let change = format!("UPDATE {table} SET interval_seconds = {seconds}");
        let refused = fixture.sql.execute(change.as_str(), &[]).await.unwrap_err();
        let code = refused.code().map(|code| code.code().to_owned());
        assert_eq!(code.as_deref(), Some("23514"), "{table}: {seconds}");
    }
}

#[tokio::test]
async fn a_domain_that_is_deleted_has_none() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let intervals: Arc<dyn IntervalStore> = fixture.stores.ports.get().unwrap();
    assert_eq!(
        intervals.of(home.domain).await.unwrap(),
        Some(Intervals::default())
    );
    let delete = "UPDATE domains SET deleted_at = now()";
    fixture.sql.execute(delete, &[]).await.unwrap();
    assert_eq!(intervals.of(home.domain).await.unwrap(), None);
    let now = OffsetDateTime::now_utc();
    let actor = actor();
    let set = intervals.set_for(home.domain, Intervals::default(), &actor, now);
    assert!(!set.await.unwrap());
    let audited: i64 = fixture
        .value(
            "SELECT count(*) FROM audit_log WHERE action = 'domain.configure'",
            &[],
        )
        .await;
    assert_eq!(audited, 0);
}
