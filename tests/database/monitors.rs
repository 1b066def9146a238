//! Monitors, and the schedule that follows them.

use futures_util::future::join_all;
use pharos_domain::{
    credits::Settlement,
    identity::DomainAccess,
    settings::{ChangeError, SettingFault},
};
use pharos_uptime::{
    alert_metrics::MetricStore, history::RegionPlace, knowledge::MonitorKnowledge,
    monitor::settings::MonitorSettings,
};
use time::OffsetDateTime;

use crate::harness::{Fixture, Home, NOW, actor, after, charged};

/// The regions on the schedule, and when each is due.
async fn schedule(fixture: &Fixture, home: &Home) -> Vec<(String, OffsetDateTime)> {
    let rows = fixture
        .sql
        .query(
            "SELECT region, extract(epoch FROM next_check_at)::float8 FROM uptime_schedules WHERE domain_id = $1 ORDER BY region",
            &[&home.domain.0],
        )
        .await
        .unwrap();
    let moment = |epoch: f64| NOW + time::Duration::seconds_f64(epoch - NOW.unix_timestamp() as f64);
    rows.iter().map(|row| (row.get(0), moment(row.get(1)))).collect()
}

async fn status(fixture: &Fixture, access: &DomainAccess) -> MonitorKnowledge {
    let monitors = &fixture.stores.monitors;
    monitors.status(access, NOW).await.unwrap().unwrap()
}

#[tokio::test]
async fn a_monitor_is_created_then_changed() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let monitors = &fixture.stores.monitors;
    assert!(monitors.view(&access).await.unwrap().is_none());
    assert!(monitors.status(&access, NOW).await.unwrap().is_none());
    let created = fixture.monitor(&access, NOW, |_| {}).await;
    assert_eq!((created.created_at, created.updated_at), (NOW, NOW));
    assert_eq!(created.updated_by, Some(home.owner));
    let changed = fixture
        .monitor(&access, after(60), |settings| {
            settings.keyword = Some("in stock".to_owned());
            settings
                .request_headers
                .0
                .insert("Authorization".to_owned(), "hunter2".to_owned());
        })
        .await;
    assert_eq!((changed.created_at, changed.updated_at), (NOW, after(60)));
    let stored = monitors.view(&access).await.unwrap().unwrap();
    assert_eq!(stored.settings, changed.settings);
    assert_eq!(stored.settings.request_headers.0["Authorization"], "hunter2");
    let columns: (bool, i32) = {
        let row = fixture
            .sql
            .query_one("SELECT enabled, interval_seconds FROM uptime_monitors", &[])
            .await
            .unwrap();
        (row.get(0), row.get(1))
    };
    assert_eq!(columns, (true, 60));
}

#[tokio::test]
async fn of_twenty_changes_at_once_none_is_lost() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let changes = (0..20_u32).map(|number| {
        fixture.monitor(&access, NOW, move |settings| {
            settings.ssl_warn_days.push(1_000 + number);
        })
    });
    join_all(changes).await;
    let stored = fixture.stores.monitors.view(&access).await.unwrap().unwrap();
    let mut days = stored.settings.ssl_warn_days;
    days.retain(|day| *day >= 1_000);
    days.sort_unstable();
    assert_eq!(days, (1_000..1_020).collect::<Vec<_>>());
}

#[tokio::test]
async fn faults_change_nothing() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let refuse = |_: Option<&MonitorSettings>| Err(vec![SettingFault::new("/url", "no")]);
    let monitors = &fixture.stores.monitors;
    let paid = charged(&access, 5, NOW);
    let refused = monitors.update(&paid, &refuse, home.owner, NOW).await;
    let Err(ChangeError::Faults(faults)) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(faults[0].pointer, "/url");
    assert!(monitors.view(&access).await.unwrap().is_none());
    assert_eq!(schedule(&fixture, &home).await, []);
    assert_eq!(paid.slip().settlement(), None);
    let logged: i64 = fixture.value("SELECT count(*) FROM credit_log", &[]).await;
    assert_eq!(logged, 0, "faults cost nothing");
}

#[tokio::test]
async fn a_change_is_charged_to_whoever_makes_it_and_to_nobody_where_pharos_does() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let hostname = access.domain().hostname.clone();
    let create = |_: Option<&MonitorSettings>| Ok(MonitorSettings::defaults(&hostname, &["eu".to_owned()]));
    let monitor = fixture
        .stores
        .monitor_admin
        .update(home.domain, &create, NOW)
        .await;
    assert_eq!(monitor.unwrap().updated_by, None);
    let logged: i64 = fixture.value("SELECT count(*) FROM credit_log", &[]).await;
    assert_eq!(logged, 0);

    let paid = charged(&access, 5, NOW);
    let monitors = &fixture.stores.monitors;
    let changed = monitors.update(&paid, &create, home.owner, NOW).await;
    assert_eq!(changed.unwrap().updated_by, Some(home.owner));
    let row = fixture
        .sql
        .query_one("SELECT request_id, cost FROM credit_log", &[])
        .await
        .unwrap();
    assert_eq!(
        (row.get(0), row.get(1)),
        (paid.slip().entry().unwrap().request_id.0, 5)
    );
    assert_eq!(
        paid.slip().settlement(),
        Some(&Settlement::Charged {
            remaining: 999_995,
            answer: None
        })
    );
}

#[tokio::test]
async fn the_schedule_follows_the_regions() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let eu = || ("eu".to_owned(), NOW);
    fixture.monitor(&access, NOW, |_| {}).await;
    assert_eq!(schedule(&fixture, &home).await, [eu()]);
    fixture
        .monitor(&access, after(10), |settings| {
            settings.regions.push("us".to_owned())
        })
        .await;
    assert_eq!(
        schedule(&fixture, &home).await,
        [eu(), ("us".to_owned(), after(10))]
    );
    let known = status(&fixture, &access).await;
    let regions: Vec<_> = known
        .regions
        .iter()
        .map(|region| {
            (
                region.region.as_str(),
                region.next_check_at,
                region.state.is_none(),
            )
        })
        .collect();
    assert_eq!(regions, [("eu", Some(NOW), true), ("us", Some(after(10)), true)]);

    fixture
        .monitor(&access, after(20), |settings| {
            settings.regions = vec!["us".to_owned()]
        })
        .await;
    assert_eq!(schedule(&fixture, &home).await, [("us".to_owned(), after(10))]);
    fixture
        .monitor(&access, after(30), |settings| settings.enabled = false)
        .await;
    assert_eq!(schedule(&fixture, &home).await, []);
    assert_eq!(status(&fixture, &access).await.regions[0].next_check_at, None);
    fixture
        .monitor(&access, after(40), |settings| settings.enabled = true)
        .await;
    assert_eq!(schedule(&fixture, &home).await, [("us".to_owned(), after(40))]);
}

#[tokio::test]
async fn a_shorter_interval_takes_effect_at_once() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    fixture
        .monitor(&access, NOW, |settings| settings.interval_seconds = 3_600)
        .await;
    let far = after(3_000);
    fixture
        .sql
        .batch_execute("UPDATE uptime_schedules SET next_check_at = next_check_at + interval '3000 seconds'")
        .await
        .unwrap();
    assert_eq!(schedule(&fixture, &home).await[0].1, far);
    fixture
        .monitor(&access, after(5), |settings| settings.interval_seconds = 30)
        .await;
    let soon = schedule(&fixture, &home).await[0].1;
    assert!(soon > after(5) && soon <= after(35), "{soon}");
    // A longer one lets the check come that is due soon.
    fixture
        .monitor(&access, after(6), |settings| settings.interval_seconds = 3_600)
        .await;
    assert_eq!(schedule(&fixture, &home).await[0].1, soon);
}

#[tokio::test]
async fn a_deleted_domain_leaves_the_schedule_until_it_is_restored() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    fixture
        .monitor(&access, NOW, |settings| settings.regions.push("us".to_owned()))
        .await;
    let domains = &fixture.stores.domain_admin;
    domains.delete(home.domain, &actor(), after(1)).await.unwrap();
    assert_eq!(schedule(&fixture, &home).await, []);
    // A change by somebody who still had the way in does not bring it back.
    fixture
        .monitor(&access, after(2), |settings| settings.recovery_checks = 2)
        .await;
    assert_eq!(schedule(&fixture, &home).await, []);
    domains.restore(home.domain, &actor(), after(3)).await.unwrap();
    let due = |region: &str| (region.to_owned(), after(3));
    assert_eq!(schedule(&fixture, &home).await, [due("eu"), due("us")]);

    fixture
        .monitor(&access, after(4), |settings| settings.enabled = false)
        .await;
    domains.delete(home.domain, &actor(), after(5)).await.unwrap();
    domains.restore(home.domain, &actor(), after(6)).await.unwrap();
    assert_eq!(schedule(&fixture, &home).await, [], "paused stays paused");
}

#[tokio::test]
async fn regions_are_known_once_registered() {
    let fixture = Fixture::new().await;
    let schedules = &fixture.stores.schedule;
    for region in ["us", "eu", "us"] {
        schedules
            .register_region(&RegionPlace::unnamed(region), NOW)
            .await
            .unwrap();
    }
    assert_eq!(fixture.stores.monitors.regions().await.unwrap(), ["eu", "us"]);
}

/// Rules of all modules ask for the settings alone: neither one that can't be read nor what else is known of sites keeps the others
/// from theirs.
#[tokio::test]
async fn settings_are_read_without_what_else_is_known_of_sites() {
    let fixture = Fixture::new().await;
    let (bad, good) = (fixture.home("ada").await, fixture.home("bob").await);
    for home in [&bad, &good] {
        let access = fixture.access(home).await;
        fixture.monitor(&access, NOW, |_| {}).await;
    }
    let newer =
        "UPDATE uptime_monitors SET settings = settings || '{\"method\": \"newer\"}' WHERE domain_id = $1";
    fixture.sql.execute(newer, &[&bad.domain.0]).await.unwrap();
    let away = "ALTER TABLE domain_registrations RENAME TO elsewhere";
    fixture.sql.batch_execute(away).await.unwrap();
    let metrics = fixture.stores.ports.get::<dyn MetricStore>().unwrap();
    let found = metrics.settings(&[bad.domain, good.domain]).await.unwrap();
    assert_eq!(found.into_keys().collect::<Vec<_>>(), [good.domain]);
}
