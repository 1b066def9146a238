//! Reads that are no heavy queries and may take long all the same: whoever has many under way waits for their own, and leaves
//! connections to others.

use std::sync::Arc;

use pharos_analytics::{
    experiments::{Design, ExperimentMethod, ExperimentMetric, ExperimentStore},
    store::VisitStore,
};
use pharos_analytics_pg::reads::PgVisitStore;
use pharos_domain::{identity::DomainAccess, store::StoreError};
use pharos_vitals::store::VitalsReads;
use time::macros::date;

use crate::harness::{Fixture, NOW};

/// With all shares of a workspace taken, its read is refused, and another's is answered.
async fn assert_has_a_share(read: impl AsyncFn(&Fixture, &DomainAccess) -> Result<(), StoreError>) {
    let fixture = Fixture::new().await;
    let (home, other) = (fixture.home("ada").await, fixture.home("grace").await);
    let (ada, grace) = (fixture.access(&home).await, fixture.access(&other).await);
    let mut shares = Vec::new();
    for _ in 0..4 {
        shares.push(fixture.database.long_read_share(home.workspace.0).await.unwrap());
    }
    let refused = read(&fixture, &ada).await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    read(&fixture, &grace).await.unwrap();
    drop(shares);
    read(&fixture, &ada).await.unwrap();
}

#[tokio::test]
async fn whoever_looks_on_at_many_sites_leaves_connections_to_others() {
    assert_has_a_share(async |fixture, access| {
        let visits = PgVisitStore::new(fixture.database.clone());
        visits.realtime(access, NOW).await.map(|_| ())
    })
    .await;
}

#[tokio::test]
async fn whoever_asks_often_what_was_received_leaves_connections_to_others() {
    assert_has_a_share(async |fixture, access| {
        let reads: Arc<dyn VitalsReads> = fixture.stores.ports.get().unwrap();
        reads.received(access, NOW).await.map(|_| ())
    })
    .await;
}

#[tokio::test]
async fn whoever_evaluates_many_experiments_leaves_connections_to_others() {
    let design = Design {
        method: ExperimentMethod::Did,
        metric: ExperimentMetric::Visitors,
        control_urls: vec!["/a".to_owned()],
        variant_urls: vec!["/b".to_owned()],
        pre_start: None,
        pre_end: date!(2026 - 03 - 10),
        post_start: date!(2026 - 03 - 11),
        post_end: None,
    };
    assert_has_a_share(async |fixture, access| {
        let experiments: Arc<dyn ExperimentStore> = fixture.stores.ports.get().unwrap();
        experiments.panel(access, &design).await.map(|_| ())
    })
    .await;
}
