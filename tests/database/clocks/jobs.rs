//! Jobs, by the clock of a database.

use pharos_domain::{
    ids::{JobId, WorkerId},
    jobs::{Attempt, Claim, ClaimedJob, JobKind, JobOutcome, LONGEST_LEASE, LONGEST_PAUSE, NewJob},
};
use pharos_persistence::jobs::enqueued;
use serde_json::json;
use time::Duration;

use crate::harness::{Fixture, NOW};

const JOB: JobKind = JobKind::new("test");

async fn enqueue(fixture: &Fixture, pause: Duration) -> JobId {
    let job = NewJob {
        id: JobId::generate(),
        kind: JOB,
        lane: None,
        workspace: None,
        payload: json!({}),
        pause,
        max_attempts: 9,
    };
    enqueued(&fixture.database, std::slice::from_ref(&job))
        .await
        .unwrap();
    job.id
}

/// The jobs that a worker gets.
async fn claim(fixture: &Fixture, worker: WorkerId) -> Vec<ClaimedJob> {
    let claim = Claim {
        worker,
        kinds: &[JOB],
        lane: "eu",
        lease: Duration::MINUTE,
        limit: 9,
    };
    fixture.stores.jobs.claim(&claim).await.unwrap()
}

/// The clock of the database was so far ahead when jobs were asked for, claimed and put off, and has been set back.
async fn jobs_of_a_clock_ahead(by: Duration) -> (Fixture, [JobId; 3]) {
    let fixture = Fixture::with_a_clock().await;
    fixture.it_is(NOW + by).await;
    let (held, put_off) = (
        enqueue(&fixture, Duration::ZERO).await,
        enqueue(&fixture, Duration::ZERO).await,
    );
    let worker = WorkerId::generate();
    let put = claim(&fixture, worker)
        .await
        .into_iter()
        .find(|job| job.id == put_off)
        .unwrap();
    let outcome = JobOutcome::PutOff {
        pause: Duration::MINUTE,
    };
    let attempt = Attempt {
        job: put.id,
        number: put.attempt,
        outcome,
    };
    fixture.stores.jobs.settle(worker, &[attempt]).await.unwrap();
    let asked_for = enqueue(&fixture, Duration::MINUTE).await;
    fixture.it_is(NOW).await;
    assert_eq!(claim(&fixture, WorkerId::generate()).await, []);
    (fixture, [held, put_off, asked_for])
}

#[tokio::test]
async fn jobs_that_a_clock_has_put_out_of_reach_are_brought_back() {
    for by in [Duration::DAY, Duration::days(365)] {
        let (fixture, mut jobs) = jobs_of_a_clock_ahead(by).await;
        fixture.database.maintain(NOW).await.unwrap();
        let mut claimed: Vec<JobId> = claim(&fixture, WorkerId::generate())
            .await
            .iter()
            .map(|job| job.id)
            .collect();
        claimed.sort_unstable();
        jobs.sort_unstable();
        assert_eq!(claimed, jobs, "ahead by {by}");
    }
}

/// It was asked for by a clock that was right, and is put off for no longer than any may be.
#[tokio::test]
async fn a_job_that_a_clock_ahead_has_put_off_is_brought_back() {
    let fixture = Fixture::with_a_clock().await;
    let job = enqueue(&fixture, Duration::ZERO).await;
    let put_off = async || {
        let worker = WorkerId::generate();
        let claimed = claim(&fixture, worker).await;
        let attempt = Attempt {
            job,
            number: claimed[0].attempt,
            outcome: JobOutcome::PutOff {
                pause: Duration::HOUR,
            },
        };
        fixture.stores.jobs.settle(worker, &[attempt]).await.unwrap();
    };
    fixture.it_is(NOW + Duration::hours(3)).await;
    put_off().await;
    fixture.it_is(NOW).await;
    fixture.database.maintain(NOW).await.unwrap();
    // The clock is right: this pause is kept.
    put_off().await;
    fixture.database.maintain(NOW).await.unwrap();
    assert_eq!(claim(&fixture, WorkerId::generate()).await, []);
    fixture.it_is(NOW + Duration::HOUR).await;
    assert_eq!(claim(&fixture, WorkerId::generate()).await.len(), 1);
}

#[tokio::test]
async fn no_job_waits_and_none_is_held_longer_than_any_may() {
    let fixture = Fixture::with_a_clock().await;
    enqueue(&fixture, Duration::MAX).await;
    fixture.it_is(NOW + LONGEST_PAUSE - Duration::SECOND).await;
    fixture.database.maintain(NOW).await.unwrap();
    assert_eq!(claim(&fixture, WorkerId::generate()).await, []);
    fixture.it_is(NOW + LONGEST_PAUSE).await;
    let worker = WorkerId::generate();
    let held = claim(&fixture, worker).await;
    let jobs: Vec<JobId> = held.iter().map(|job| job.id).collect();
    assert_eq!(jobs.len(), 1);
    let queue = &fixture.stores.jobs;
    queue.extend(worker, &jobs, Duration::MAX).await.unwrap();
    let next = queue.next_due(&[JOB], "eu").await.unwrap();
    assert_eq!(next, Some(LONGEST_LEASE));
    // It is nobody else's by then.
    fixture.database.maintain(NOW + LONGEST_PAUSE).await.unwrap();
    assert_eq!(claim(&fixture, WorkerId::generate()).await, []);
    let put_off = Attempt {
        job: held[0].id,
        number: held[0].attempt,
        outcome: JobOutcome::PutOff { pause: Duration::MAX },
    };
    queue.settle(worker, &[put_off]).await.unwrap();
    let next = queue.next_due(&[JOB], "eu").await.unwrap();
    assert_eq!(next, Some(LONGEST_PAUSE));
}
