//! How much of the queue is due, as operators are told.

use pharos_domain::{
    ids::{JobId, WorkerId},
    jobs::{Claim, JobKind, NewJob},
};
use pharos_persistence::jobs::{backlog::Backlog, enqueued};
use serde_json::json;
use time::{Duration, OffsetDateTime};

use crate::harness::{Fixture, NOW, after};

const KIND: JobKind = JobKind::new("test");

fn job(lane: Option<&str>, run_at: OffsetDateTime) -> NewJob {
    NewJob {
        id: JobId::generate(),
        kind: KIND,
        lane: lane.map(str::to_owned),
        workspace: None,
        payload: json!({}),
        pause: run_at - NOW,
        max_attempts: 3,
    }
}

async fn backlog(fixture: &Fixture, now: OffsetDateTime) -> (i64, Option<OffsetDateTime>) {
    fixture.it_is(now).await;
    let Backlog { due, age } = fixture.database.job_backlog().await.unwrap();
    (due, age.map(|age| now - Duration::seconds_f64(age)))
}

#[tokio::test]
async fn what_could_be_claimed_is_counted_in_every_lane() {
    let fixture = Fixture::with_a_clock().await;
    assert_eq!(backlog(&fixture, NOW).await, (0, None));
    let jobs = [
        job(Some("eu"), after(-2)),
        job(Some("eu"), after(5)),
        job(Some("us"), after(-9)),
        job(Some("asia"), after(5)),
        job(None, after(-3)),
        job(None, after(5)),
    ];
    enqueued(&fixture.database, &jobs).await.unwrap();
    assert_eq!(backlog(&fixture, NOW).await, (3, Some(after(-9))));
    assert_eq!(backlog(&fixture, after(5)).await, (6, Some(after(-9))));
    fixture.it_is(NOW).await;

    let claim = Claim {
        worker: WorkerId::generate(),
        kinds: &[KIND],
        lane: "us",
        lease: Duration::seconds(60),
        limit: 9,
    };
    let claimed = fixture.stores.jobs.claim(&claim).await.unwrap();
    assert_eq!(claimed.len(), 2, "that of its lane, and that of none");
    assert_eq!(backlog(&fixture, NOW).await, (1, Some(after(-2))));
    // Whose lease is over waits for another worker.
    let over = NOW + claim.lease;
    assert_eq!(backlog(&fixture, over).await, (6, Some(after(-2))));
}

/// A long queue is looked at no longer than it takes to count so many.
#[tokio::test]
async fn no_more_than_ten_thousand_of_a_lane_are_counted() {
    let fixture = Fixture::with_a_clock().await;
    let jobs: Vec<NewJob> = (0..10_001).map(|_| job(Some("eu"), after(-1))).collect();
    for jobs in jobs.chunks(1_000) {
        enqueued(&fixture.database, jobs).await.unwrap();
    }
    enqueued(&fixture.database, &[job(None, after(-1))])
        .await
        .unwrap();
    assert_eq!(backlog(&fixture, NOW).await.0, 10_001);
}
