//! How a run goes on and ends with its jobs.

use futures_util::future::join_all;
use pharos_domain::{
    credits::StoredAnswer,
    ids::WorkerId,
    jobs::{Attempt, JobOutcome},
    problem::Suffix,
    runs::{Run, RunKind, RunStatus},
};
use time::{Duration, OffsetDateTime};

use super::{Asked, LEASE, WEEK, failed, keyed, new, request};
use crate::harness::{NOW, actor, after};

#[tokio::test]
async fn a_run_is_queued_runs_and_is_over_with_its_last_job() {
    let asked = Asked::new(2).await;
    assert_eq!(
        asked.at(NOW).await,
        asked.run,
        "what was answered is what is stored"
    );
    assert_eq!(
        (asked.run.status, asked.run.credits_charged),
        (RunStatus::Queued, 25)
    );
    let worker = WorkerId::generate();
    let first = asked.claim(worker, after(1), 1).await.remove(0);
    let running = asked.at(NOW).await;
    assert_eq!(
        (running.status, running.started_at),
        (RunStatus::Running, Some(after(1)))
    );
    asked
        .settle(worker, &first, JobOutcome::Succeeded, after(2))
        .await;
    assert_eq!(asked.is().await, RunStatus::Running);
    let second = asked.claim(worker, after(3), 1).await.remove(0);
    asked
        .settle(worker, &second, JobOutcome::Succeeded, after(4))
        .await;
    let over = asked.at(NOW).await;
    assert_eq!(
        (over.status, over.started_at, over.finished_at),
        (RunStatus::Succeeded, Some(after(1)), Some(after(4)))
    );
    assert_eq!(over.expires_at, Some(after(4) + WEEK));
    assert_eq!((over.error_code, over.error_detail), (None, None));
}

#[tokio::test]
async fn a_run_that_a_clock_ahead_has_asked_for_was_asked_for_now() {
    let asked = Asked::new(1).await;
    let mut ahead = new(&keyed(&asked.home, &asked.access, "ahead"), 1);
    ahead.run.requested_at = OffsetDateTime::now_utc() + Duration::DAY;
    let keyed = keyed(&asked.home, &asked.access, "ahead");
    let answer = |run: &Run| {
        assert!(run.requested_at <= OffsetDateTime::now_utc());
        StoredAnswer {
            status: 202,
            body: "{}".to_owned().into(),
        }
    };
    let runs = &asked.fixture.stores.runs;
    let run = runs.request(&keyed, &ahead, &answer).await.unwrap();
    let stored = runs.find(&asked.access, RunKind::Report, run.id, NOW).await;
    assert_eq!(stored.unwrap(), Some(run));
}

/// The worker that lost its lease ends the job, too; and an operator has a job tried again whose run is long over.
#[tokio::test]
async fn a_job_that_is_done_twice_moves_its_run_once() {
    let asked = Asked::new(2).await;
    let (slow, next) = (WorkerId::generate(), WorkerId::generate());
    let lost = asked.claim(slow, NOW, 1).await.remove(0);
    let later = NOW + LEASE;
    let held = asked.claim(next, later, 2).await;
    let again = held.iter().find(|job| job.id == lost.id).unwrap();
    let other = held.iter().find(|job| job.id != lost.id).unwrap();
    asked.settle(slow, &lost, JobOutcome::Succeeded, later).await;
    asked.settle(next, again, JobOutcome::Succeeded, later).await;
    asked.settle(next, again, JobOutcome::Succeeded, later).await;
    assert_eq!(asked.is().await, RunStatus::Running, "one job is left");
    asked.settle(next, other, failed(None, None), after(90)).await;
    let over = asked.at(NOW).await;
    assert_eq!(
        (over.status, over.finished_at),
        (RunStatus::Partial, Some(after(90)))
    );

    let admin = &asked.fixture.stores.job_admin;
    asked.fixture.it_is(after(100)).await;
    admin.retry(other.id, &actor(), after(100)).await.unwrap();
    let retried = asked.claim(next, after(100), 1).await.remove(0);
    asked
        .settle(next, &retried, JobOutcome::Succeeded, after(101))
        .await;
    assert_eq!(asked.at(NOW).await, over, "what is over stays as it was told");
}

/// While the run goes on, a dead job that an operator has tried again counts as what it comes to then.
#[tokio::test]
async fn a_dead_job_that_is_tried_again_in_time_is_no_failure() {
    let asked = Asked::new(2).await;
    let worker = WorkerId::generate();
    let held = asked.claim(worker, NOW, 2).await;
    asked.settle(worker, &held[0], failed(None, None), after(1)).await;
    assert_eq!(asked.is().await, RunStatus::Running);
    let admin = &asked.fixture.stores.job_admin;
    asked.fixture.it_is(after(2)).await;
    admin.retry(held[0].id, &actor(), after(2)).await.unwrap();
    asked
        .settle(worker, &held[1], JobOutcome::Succeeded, after(3))
        .await;
    assert_eq!(asked.is().await, RunStatus::Running);
    let again = asked.claim(worker, after(4), 1).await.remove(0);
    asked
        .settle(worker, &again, JobOutcome::Succeeded, after(5))
        .await;
    assert_eq!(asked.is().await, RunStatus::Succeeded);
}

#[tokio::test]
async fn a_run_whose_jobs_are_dead_has_failed_for_what_the_caller_may_know() {
    let asked = Asked::new(1).await;
    let worker = WorkerId::generate();
    let upstream = Some((Suffix::UpstreamError, "The registry\0 answered 500."));
    let first = asked.claim(worker, NOW, 1).await.remove(0);
    asked
        .settle(worker, &first, failed(Some(Duration::SECOND), upstream), NOW)
        .await;
    let waiting = asked.at(NOW).await;
    assert_eq!((waiting.status, waiting.error_code), (RunStatus::Running, None));
    let last = asked.claim(worker, after(1), 1).await.remove(0);
    asked
        .settle(worker, &last, failed(Some(Duration::SECOND), upstream), after(1))
        .await;
    let over = asked.at(NOW).await;
    assert_eq!((over.status, over.expires_at), (RunStatus::Failed, None));
    assert_eq!(over.error_code.as_deref(), Some("upstream-error"));
    assert_eq!(
        over.error_detail.as_deref(),
        Some("The registry\u{fffd} answered 500.")
    );
}

/// The reason that operators are told stays with them.
#[tokio::test]
async fn a_worker_that_is_lost_in_the_last_attempt_fails_its_run_without_a_word_of_why() {
    let asked = Asked::new(1).await;
    for number in 0..2 {
        let worker = WorkerId::generate();
        assert_eq!(asked.claim(worker, after(60 * number), 1).await.len(), 1);
    }
    assert_eq!(asked.claim(WorkerId::generate(), after(120), 1).await, []);
    let over = asked.at(NOW).await;
    assert_eq!(
        (over.status, over.error_code.as_deref()),
        (RunStatus::Failed, Some("internal-error"))
    );
    assert_eq!(over.error_detail.as_deref(), Some("Pharos failed to do it."));
}

/// Two workers end jobs of the same runs at the same moment, in opposite orders: neither is the last for both of them.
#[tokio::test]
async fn workers_that_end_jobs_of_the_same_runs_at_once_leave_none_open() {
    let asked = Asked::new(2).await;
    let mut runs = vec![(asked.run.id, asked.jobs.clone())];
    for number in 0..15 {
        let keyed = keyed(&asked.home, &asked.access, &format!("more {number}"));
        let (run, jobs) = request(&asked.fixture, &keyed, 2).await.unwrap();
        runs.push((run.id, jobs));
    }
    let workers = [WorkerId::generate(), WorkerId::generate()];
    let held = [
        asked.claim(workers[0], NOW, 16).await,
        asked.claim(workers[1], NOW, 16).await,
    ];
    let settled = join_all([0, 1].map(|number| {
        let mut attempts: Vec<Attempt> = held[number]
            .iter()
            .map(|job| Attempt {
                job: job.id,
                number: job.attempt,
                outcome: JobOutcome::Succeeded,
            })
            .collect();
        if number == 1 {
            attempts.reverse();
        }
        let (jobs, worker) = (&asked.fixture.stores.jobs, workers[number]);
        async move { jobs.settle(worker, &attempts).await.unwrap().len() }
    }))
    .await;
    assert_eq!(settled, [16, 16]);
    let open: i64 = asked
        .fixture
        .value("SELECT count(*) FROM runs WHERE status <> 'succeeded'", &[])
        .await;
    assert_eq!(open, 0);
}
