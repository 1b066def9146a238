//! Runs that grow old: unfinished ones, and results.

use pharos_domain::{
    ids::WorkerId,
    jobs::JobOutcome,
    runs::{KEEP_RUNS, OPEN_FOR, RunItems, RunStatus},
};
use time::Duration;

use super::{Asked, WEEK, failed};
use crate::harness::NOW;

/// The other region's worker is away for longer than succeeded jobs are kept.
#[tokio::test]
async fn a_run_counts_a_job_that_succeeded_long_before_its_last() {
    let asked = Asked::new(2).await;
    let queue = &asked.fixture.stores.jobs;
    let worker = WorkerId::generate();
    let first = asked.claim(worker, NOW, 1).await.remove(0);
    asked.settle(worker, &first, JobOutcome::Succeeded, NOW).await;
    let later = NOW + Duration::days(8);
    assert_eq!(queue.clean_up(later).await.unwrap(), 0);
    let second = asked.claim(worker, later, 1).await.remove(0);
    asked.settle(worker, &second, failed(None, None), later).await;
    assert_eq!(asked.is().await, RunStatus::Partial);
    assert_eq!(queue.clean_up(later).await.unwrap(), 1);
}

/// One job is done; the worker that began the other is gone, and so is its region.
#[tokio::test]
async fn a_run_that_no_worker_ends_is_over_after_30_days() {
    let asked = Asked::new(2).await;
    let worker = WorkerId::generate();
    let held = asked.claim(worker, NOW, 2).await;
    asked.settle(worker, &held[0], JobOutcome::Succeeded, NOW).await;
    let database = &asked.fixture.database;
    let end = NOW + OPEN_FOR;
    database.maintain(end - Duration::SECOND).await.unwrap();
    assert_eq!(asked.is().await, RunStatus::Running);
    database.maintain(end).await.unwrap();
    let over = asked.at(NOW).await;
    assert_eq!((over.status, over.finished_at), (RunStatus::Partial, Some(end)));
    assert_eq!(over.error_code.as_deref(), Some("internal-error"));
    assert_eq!(
        over.error_detail.as_deref(),
        Some("No worker did it within 30 days.")
    );
    assert_eq!(asked.claim(worker, end, 9).await, [], "nobody does it any more");
    assert!(
        !asked
            .fixture
            .stores
            .runs
            .progress(&held[1], RunItems::of(8))
            .await
            .unwrap()
    );
}

#[tokio::test]
async fn a_run_that_no_worker_began_has_failed_after_30_days() {
    let asked = Asked::new(2).await;
    let database = &asked.fixture.database;
    database.maintain(NOW + OPEN_FOR).await.unwrap();
    let over = asked.at(NOW).await;
    assert_eq!(
        (over.status, over.finished_at, over.expires_at),
        (RunStatus::Failed, Some(NOW + OPEN_FOR), None)
    );
    assert_eq!(
        over.error_detail.as_deref(),
        Some("No worker did it within 30 days.")
    );
}

#[tokio::test]
async fn a_job_that_a_worker_has_after_30_days_still_ends_its_run() {
    let asked = Asked::new(1).await;
    let (worker, end) = (WorkerId::generate(), NOW + OPEN_FOR);
    let held = asked.claim(worker, end, 1).await.remove(0);
    asked.fixture.database.maintain(end).await.unwrap();
    assert_eq!(asked.is().await, RunStatus::Running);
    asked.settle(worker, &held, JobOutcome::Succeeded, end).await;
    assert_eq!(asked.is().await, RunStatus::Succeeded);
}

#[tokio::test]
async fn a_result_expires_to_the_second_and_its_run_is_forgotten_a_year_later() {
    let asked = Asked::new(1).await;
    let worker = WorkerId::generate();
    let job = asked.claim(worker, NOW, 1).await.remove(0);
    asked.settle(worker, &job, JobOutcome::Succeeded, NOW).await;
    let ends = NOW + WEEK;
    assert_eq!(
        asked.at(ends - Duration::SECOND).await.status,
        RunStatus::Succeeded
    );
    assert_eq!(
        asked.at(ends).await.status,
        RunStatus::Expired,
        "before upkeep knows"
    );
    asked.fixture.database.maintain(ends).await.unwrap();
    assert_eq!(asked.is().await, RunStatus::Expired);
    let left = async || -> i64 { asked.fixture.value("SELECT count(*) FROM runs", &[]).await };
    asked.fixture.database.maintain(ends + KEEP_RUNS).await.unwrap();
    assert_eq!(left().await, 1);
    let later = ends + KEEP_RUNS + Duration::SECOND;
    asked.fixture.database.maintain(later).await.unwrap();
    assert_eq!(left().await, 0);
}

#[tokio::test]
async fn a_run_without_a_result_is_forgotten_a_year_after_its_end() {
    let asked = Asked::new(1).await;
    let worker = WorkerId::generate();
    let job = asked.claim(worker, NOW, 1).await.remove(0);
    asked.settle(worker, &job, failed(None, None), NOW).await;
    let left = async || -> i64 { asked.fixture.value("SELECT count(*) FROM runs", &[]).await };
    asked.fixture.database.maintain(NOW + KEEP_RUNS).await.unwrap();
    assert_eq!(left().await, 1);
    let later = NOW + KEEP_RUNS + Duration::SECOND;
    asked.fixture.database.maintain(later).await.unwrap();
    assert_eq!(left().await, 0);
}
