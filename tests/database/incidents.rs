//! When an outage begins and ends.

use pharos_domain::identity::DomainAccess;
use pharos_uptime::check::Outcome;
use time::{OffsetDateTime, macros::datetime};

use crate::{
    completion::{check, finished, run, status, watched},
    harness::{Fixture, NOW, after},
};

const UP: Outcome = Outcome::Up;
const DOWN: Outcome = Outcome::Down;

/// The outages as seconds: began, confirmed, ended.
async fn incidents(fixture: &Fixture) -> Vec<(i64, i64, Option<i64>)> {
    let rows = fixture
        .sql
        .query(
            "SELECT extract(epoch FROM started_at)::bigint, extract(epoch FROM confirmed_at)::bigint,
                 extract(epoch FROM resolved_at)::bigint
             FROM uptime_incidents ORDER BY started_at",
            &[],
        )
        .await
        .unwrap();
    let zero = NOW.unix_timestamp();
    rows.iter()
        .map(|row| {
            let resolved: Option<i64> = row.get(2);
            (
                row.get::<_, i64>(0) - zero,
                row.get::<_, i64>(1) - zero,
                resolved.map(|at| at - zero),
            )
        })
        .collect()
}

async fn one(fixture: &Fixture, access: &DomainAccess, region: &str, at: OffsetDateTime, outcome: Outcome) {
    run(fixture, access, region, at, &[outcome]).await;
}

#[tokio::test]
async fn an_outage_begins_with_its_first_failure_and_ends_with_recovery() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |settings| settings.recovery_checks = 2).await;
    run(&fixture, &access, "eu", NOW, &[UP, DOWN]).await;
    assert_eq!(incidents(&fixture).await, []);
    one(&fixture, &access, "eu", after(120), DOWN).await;
    assert_eq!(incidents(&fixture).await, [(60, 120, None)]);
    assert!(status(&fixture, &access).await.open_incident().is_some());
    one(&fixture, &access, "eu", after(180), UP).await;
    assert_eq!(incidents(&fixture).await, [(60, 120, None)]);
    one(&fixture, &access, "eu", after(240), UP).await;
    // The second passing check ends it, the first is when it ended.
    assert_eq!(incidents(&fixture).await, [(60, 120, Some(180))]);
    assert_eq!(status(&fixture, &access).await.open_incident(), None);
}

#[tokio::test]
async fn with_three_regions_two_make_an_outage() {
    let fixture = Fixture::new().await;
    let regions = ["ap", "eu", "us"].map(str::to_owned);
    let access = watched(&fixture, |settings| {
        settings.regions = regions.to_vec();
        settings.confirmation_checks = 1;
    })
    .await;
    for region in &regions {
        one(&fixture, &access, region, NOW, UP).await;
    }
    one(&fixture, &access, "eu", after(60), DOWN).await;
    assert_eq!(incidents(&fixture).await, []);
    one(&fixture, &access, "us", after(65), DOWN).await;
    assert_eq!(incidents(&fixture).await, [(65, 65, None)]);
    one(&fixture, &access, "ap", after(70), DOWN).await;
    one(&fixture, &access, "us", after(125), UP).await;
    assert_eq!(incidents(&fixture).await, [(65, 65, None)]);
    one(&fixture, &access, "eu", after(130), UP).await;
    assert_eq!(incidents(&fixture).await, [(65, 65, Some(130))]);
}

#[tokio::test]
async fn several_outages_of_one_batch_are_all_kept() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |settings| settings.confirmation_checks = 1).await;
    one(&fixture, &access, "eu", NOW, DOWN).await;
    let outcomes = [UP, DOWN, UP, DOWN];
    let batch: Vec<_> = (1..)
        .zip(outcomes)
        .map(|(minute, outcome)| {
            let at = after(minute * 60);
            finished(check(&access, "eu", at, outcome), at)
        })
        .collect();
    fixture
        .stores
        .schedule
        .complete(&batch, after(300))
        .await
        .unwrap();
    assert_eq!(
        incidents(&fixture).await,
        [(0, 0, Some(60)), (120, 120, Some(180)), (240, 240, None)]
    );
}

/// Results of two regions can be stored in the other order than their checks were made.
#[tokio::test]
async fn an_outage_never_ends_before_it_was_confirmed() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |settings| {
        settings.regions.push("us".to_owned());
        settings.confirmation_checks = 1;
    })
    .await;
    one(&fixture, &access, "eu", NOW, UP).await;
    one(&fixture, &access, "us", after(5), DOWN).await;
    assert_eq!(incidents(&fixture).await, []);
    one(&fixture, &access, "eu", after(90), DOWN).await;
    one(&fixture, &access, "us", after(65), UP).await;
    assert_eq!(incidents(&fixture).await, [(90, 90, Some(90))]);
}

/// Workers of different regions store at once: of two that each see the site down, one has to see the other.
#[tokio::test]
async fn regions_that_go_down_at_once_open_one_outage() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |settings| {
        settings.regions.push("us".to_owned());
        settings.confirmation_checks = 1;
    })
    .await;
    for round in 0..10 {
        let at = after(round * 120);
        let store = async |region: &str, at: OffsetDateTime, outcome: Outcome| {
            let done = finished(check(&access, region, at, outcome), at);
            fixture.stores.schedule.complete(&[done], at).await.unwrap();
        };
        tokio::join!(store("eu", at, DOWN), store("us", at, DOWN));
        let open: i64 = fixture
            .value(
                "SELECT count(*) FROM uptime_incidents WHERE resolved_at IS NULL",
                &[],
            )
            .await;
        assert_eq!(open, 1, "round {round}");
        let end = at + time::Duration::MINUTE;
        tokio::join!(store("eu", end, UP), store("us", end, UP));
    }
    let ended: i64 = fixture
        .value(
            "SELECT count(*) FROM uptime_incidents WHERE resolved_at IS NOT NULL",
            &[],
        )
        .await;
    assert_eq!(ended, 10);
}

#[tokio::test]
async fn taking_out_the_region_that_is_down_ends_the_outage_with_the_next_check() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |settings| {
        settings.regions.push("us".to_owned());
        settings.confirmation_checks = 1;
    })
    .await;
    one(&fixture, &access, "us", NOW, DOWN).await;
    one(&fixture, &access, "eu", after(1), DOWN).await;
    one(&fixture, &access, "eu", after(60), UP).await;
    one(&fixture, &access, "eu", after(120), DOWN).await;
    assert_eq!(incidents(&fixture).await.len(), 2);
    fixture
        .monitor(&access, after(130), |settings| {
            settings.regions = vec!["eu".to_owned()]
        })
        .await;
    one(&fixture, &access, "eu", after(180), UP).await;
    assert_eq!(incidents(&fixture).await[1], (120, 120, Some(180)));
}

#[tokio::test]
async fn what_monitoring_found_is_kept_for_twelve_months() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    run(&fixture, &access, "eu", NOW, &[UP, DOWN, DOWN, UP]).await;
    let kept = async || -> Vec<i64> {
        let tables = [
            "uptime_checks",
            "uptime_spans",
            "uptime_incidents",
            "uptime_incident_events",
        ];
        let mut rows = Vec::new();
        for table in tables {
            rows.push(fixture.value(&format!("SELECT count(*) FROM {table}"), &[]).await);
        }
        rows
    };
    let found = kept().await;
    assert!(found.iter().all(|rows| *rows > 0), "{found:?}");
    // The day of the checks is the last one that is kept.
    let last = NOW.replace_year(NOW.year() + 1).unwrap();
    fixture.database.maintain(last).await.unwrap();
    assert_eq!(kept().await, found);
    // Checks go by the month.
    fixture
        .database
        .maintain(datetime!(2030-01-01 00:00 UTC))
        .await
        .unwrap();
    assert_eq!(kept().await, [0, 0, 0, 0]);
}
