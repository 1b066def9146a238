//! Work that goes on while requests have taken all connections of their pools.

use std::time::Duration as StdDuration;

use pharos_auth::secret::SecretDigest;
use pharos_domain::{
    ids::{JobId, WorkerId},
    jobs::{Claim, JobKind, NewJob},
    ledger::Verdict,
    store::StoreError,
};
use pharos_due::work::DueClaim;
use pharos_persistence::{jobs::enqueued, pool::Database, pooled::PooledConnection};
use pharos_server::{config::Config, serve::databases};
use pharos_tests::stores::Stores;
use serde_json::json;
use time::Duration;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::{
    harness::{Fixture, NOW, after, entry},
    purse::Charged,
};

/// Far longer than any of it may take, on however busy a machine.
const PATIENCE: StdDuration = StdDuration::from_secs(60);

const KIND: JobKind = JobKind::new("test");

/// Pools of two connections.
fn small() -> Config {
    Config {
        database_connections: 2,
        long_read_connections: 2,
        background_connections: 2,
        ..Config::default()
    }
}

/// Takes all connections of both pools, and sees that there are no more.
async fn taken(requests: &Database) -> Vec<PooledConnection> {
    let mut held = Vec::new();
    for _ in 0..2 {
        held.push(requests.connection().await.unwrap());
        held.push(requests.long_read().await.unwrap());
    }
    let (short, long) = tokio::join!(requests.connection(), requests.long_read());
    for full in [short, long] {
        assert!(
            matches!(full, Err(StoreError::Unavailable(_))),
            "the pool is full"
        );
    }
    held
}

/// As a node connects: requests have a database of their own, and what goes on behind them another.
#[tokio::test]
async fn full_pools_of_requests_and_long_reads_stop_no_claim_no_upkeep_and_no_log() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    fixture.monitor(&access, NOW, |_| {}).await;
    let (requests, behind) = databases(&small(), fixture.test.url(), &CancellationToken::new())
        .await
        .unwrap();
    let (of_requests, of_behind) = (Stores::new(&requests), Stores::new(&behind));
    let before = fixture.charged(&home).await;
    let held = taken(&requests).await;
    let goes_on = async {
        // Checks and jobs are claimed.
        let due = DueClaim::of_now(after(3_600), Duration::MINUTE, 10);
        assert_eq!(of_behind.schedule.claim("eu", &due).await.unwrap().len(), 1);
        let job = NewJob {
            id: JobId::generate(),
            kind: KIND,
            lane: None,
            workspace: None,
            payload: json!({}),
            pause: Duration::ZERO,
            max_attempts: 1,
        };
        enqueued(&behind, &[job]).await.unwrap();
        let claim = Claim {
            worker: WorkerId::generate(),
            kinds: &[KIND],
            lane: "eu",
            lease: Duration::MINUTE,
            limit: 10,
        };
        assert_eq!(of_behind.jobs.claim(&claim).await.unwrap().len(), 1);
        behind.maintain(NOW).await.unwrap();
        // Requests are charged and written down on connections apart, and short reads are answered on those that all share.
        let verdicts = of_requests.ledger.settle(&[entry(&home, 4, NOW)], false).await;
        assert!(matches!(verdicts.unwrap()[0], Verdict::Settled { .. }));
        of_requests.ledger.record(&[entry(&home, 0, NOW)]).await.unwrap();
        let digest = SecretDigest::of("svc_dev_no");
        assert!(of_requests.credentials.find_key(&digest).await.unwrap().is_none());
    };
    timeout(PATIENCE, goes_on)
        .await
        .expect("nothing waits for those pools");
    let expected = Charged {
        logged: before.logged + 4,
        used: before.used + 4,
        of_members: before.of_members + 4,
    };
    assert_eq!(fixture.charged(&home).await, expected);
    drop(held);
}
