//! Upkeep that fails, and roll-ups that are late: what operators are told of them.

use std::{
    future::ready,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use futures_util::FutureExt;
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{failure::Abort, roll_up::RolledSeries};
use time::Duration;
use tokio_util::sync::CancellationToken;
use uuid::uuid;

use crate::harness::{Fixture, NOW};

#[tokio::test]
async fn a_step_that_fails_is_noted_until_it_is_done() {
    let fixture = Fixture::new().await;
    let database = &fixture.database;
    let rename = async |statement: &str| fixture.sql.batch_execute(statement).await.unwrap();
    assert_eq!(database.failing_upkeep().await.unwrap(), []);
    rename("ALTER TABLE rum_source_maps RENAME TO elsewhere").await;
    for times in 1..=2 {
        database.maintain(NOW).await.unwrap_err();
        let failing = database.failing_upkeep().await.unwrap();
        assert_eq!(failing.len(), 1, "{failing:?}");
        let found = &failing[0];
        assert_eq!((found.step.as_str(), found.times), ("source maps", times));
        assert!(found.reason.contains("rum_source_maps"), "{found:?}");
        assert!(found.first_at <= found.last_at, "{found:?}");
    }
    rename("ALTER TABLE elsewhere RENAME TO rum_source_maps").await;
    database.maintain(NOW).await.unwrap();
    assert_eq!(database.failing_upkeep().await.unwrap(), []);
}

/// A monitor of today has nothing to be rolled up yet.
#[tokio::test]
async fn a_domain_is_behind_once_a_day_of_it_is_over_and_not_rolled_up() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    fixture.monitor(&access, NOW, |_| {}).await;
    let behind = async |then| fixture.database.behind_in_roll_ups(then).await.unwrap();
    let later = NOW + Duration::days(2);
    assert_eq!(behind(NOW).await, []);
    assert_eq!(behind(later).await, [("uptime", 1)]);
    fixture.database.roll_up(later, &CancellationToken::new()).await;
    assert_eq!(behind(later).await, []);
}

#[tokio::test]
async fn every_domain_that_is_behind_is_counted_by_its_group() {
    let fixture = Fixture::new().await;
    for name in ["ada", "bob"] {
        let home = fixture.home(name).await;
        let access = fixture.access(&home).await;
        fixture.monitor(&access, NOW, |_| {}).await;
        for table in ["analytics_progress", "rum_progress"] {
            let heard = format!(
                "INSERT INTO {table} (domain_id, first_at, last_at)
                 VALUES ($1, to_timestamp($2::bigint), to_timestamp($2::bigint))"
            );
            fixture
                .sql
                .execute(&heard, &[&home.domain.0, &NOW.unix_timestamp()])
                .await
                .unwrap();
        }
    }
    let later = NOW + Duration::days(2);
    let mut behind = fixture.database.behind_in_roll_ups(later).await.unwrap();
    behind.sort_unstable();
    assert_eq!(behind, [("analytics", 2), ("uptime", 2), ("vitals", 2)]);
}

const PANICS: DomainId = DomainId(uuid!("01900000-0000-7000-8000-000000000031"));
const FAILS: DomainId = DomainId(uuid!("01900000-0000-7000-8000-000000000032"));
const WORKS: DomainId = DomainId(uuid!("01900000-0000-7000-8000-000000000033"));
/// How many steps were taken of the domain that works.
static TAKEN: AtomicUsize = AtomicUsize::new(0);

const SERIES: RolledSeries = RolledSeries {
    records: "days",
    behind: |_, _| ready(Ok(vec![PANICS, FAILS, WORKS])).boxed(),
    step: |_, domain, _| async move { step(domain) }.boxed(),
};

/// There are two steps of the domain that works.
fn step(domain: DomainId) -> Result<bool, Abort<StoreError>> {
    assert_ne!(domain, PANICS);
    if domain == FAILS {
        return Err(Abort::Port(StoreError::Corrupt("a day".to_owned())));
    }
    Ok(TAKEN.fetch_add(1, Relaxed) == 0)
}

#[tokio::test]
async fn a_domain_that_panics_or_fails_keeps_no_other_from_being_rolled_up() {
    let fixture = Fixture::new().await;
    let database = fixture.database.clone();
    let stopped = CancellationToken::new();
    stopped.cancel();
    SERIES.roll_up(&database, NOW, &stopped).await;
    assert_eq!(TAKEN.load(Relaxed), 0);
    let rolled = async move { SERIES.roll_up(&database, NOW, &CancellationToken::new()).await };
    assert!(tokio::spawn(rolled).await.unwrap_err().is_panic());
    assert_eq!(TAKEN.load(Relaxed), 2);
    let aside = fixture.database.set_aside().await.unwrap();
    let aside: Vec<_> = aside.into_iter().map(|one| (one.subject, one.things)).collect();
    assert_eq!(aside, [(FAILS.to_string(), 1)]);
}
