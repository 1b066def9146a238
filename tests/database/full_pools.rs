//! Work that goes on while others have taken all connections of their pools.

use std::time::Duration as StdDuration;

use pharos_auth::secret::SecretDigest;
use pharos_domain::{
    ids::{JobId, WorkerId},
    jobs::{Attempt, Claim, JobKind, JobOutcome, JobState, NewJob},
    ledger::Verdict,
    store::StoreError,
};
use pharos_due::work::DueClaim;
use pharos_persistence::{jobs::enqueued, pool::Database, pooled::PooledConnection};
use pharos_server::{config::Config, serve::databases};
use pharos_tests::stores::Stores;
use pharos_uptime::check::Outcome;
use serde_json::json;
use time::Duration;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::{
    completion::{check, finished},
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

fn job() -> NewJob {
    NewJob {
        id: JobId::generate(),
        kind: KIND,
        lane: None,
        workspace: None,
        payload: json!({}),
        pause: Duration::ZERO,
        max_attempts: 1,
    }
}

fn claim(worker: WorkerId) -> Claim<'static> {
    Claim {
        worker,
        kinds: &[KIND],
        lane: "eu",
        lease: Duration::MINUTE,
        limit: 10,
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
        enqueued(&behind, &[job()]).await.unwrap();
        let claim = claim(WorkerId::generate());
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

/// Long imports and jobs hold the connections of the work behind requests, as two do here that nobody gives back.
#[tokio::test]
async fn work_that_holds_all_of_its_connections_stops_no_check_and_no_job() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    fixture.monitor(&access, NOW, |_| {}).await;
    enqueued(&fixture.database, &[job()]).await.unwrap();
    let config = small();
    let (_, behind) = databases(&config, fixture.test.url(), &CancellationToken::new())
        .await
        .unwrap();
    let stores = Stores::new(&behind);
    let held = [
        behind.connection().await.unwrap(),
        behind.connection().await.unwrap(),
    ];
    let full = behind.connection().await;
    assert!(
        matches!(full, Err(StoreError::Unavailable(_))),
        "the pool is full"
    );
    let goes_on = async {
        let schedule = &stores.schedule;
        schedule.register_region(&config.place(), NOW).await.unwrap();
        let due = DueClaim::of_now(after(3_600), Duration::MINUTE, 10);
        let claimed = schedule.claim("eu", &due).await.unwrap();
        assert_eq!(claimed.len(), 1);
        let done = finished(check(&access, "eu", NOW, Outcome::Up), claimed[0].due_at);
        assert_eq!(schedule.complete(&[done], NOW).await.unwrap(), []);
        assert!(schedule.next_due("eu", NOW).await.unwrap().is_some());

        let (jobs, worker) = (&stores.jobs, WorkerId::generate());
        let claimed = jobs.claim(&claim(worker)).await.unwrap();
        assert_eq!(claimed.len(), 1);
        let id = claimed[0].id;
        assert_eq!(jobs.extend(worker, &[id], Duration::MINUTE).await.unwrap(), [id]);
        let attempt = Attempt {
            job: id,
            number: claimed[0].attempt,
            outcome: JobOutcome::Succeeded,
        };
        let settled = jobs.settle(worker, &[attempt]).await.unwrap();
        assert_eq!(settled, [(id, JobState::Succeeded)]);
        assert_eq!(jobs.next_due(&[KIND], "eu").await.unwrap(), None);
    };
    timeout(PATIENCE, goes_on)
        .await
        .expect("nothing waits for that pool");
    let stored: i64 = fixture.value("SELECT count(*) FROM uptime_checks", &[]).await;
    assert_eq!(stored, 1);
    drop(held);
}
