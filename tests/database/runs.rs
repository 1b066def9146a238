//! Runs: what they come to is read off their jobs, once.

use std::sync::Arc;

use futures_util::future::join_all;
use pharos_domain::{
    credits::{Keyed, RequestKey, SettleError, Slip, StoredAnswer},
    identity::DomainAccess,
    ids::{JobId, RunId, WorkerId},
    jobs::{Attempt, Claim, ClaimedJob, JobKind, JobOutcome, NewJob, RunError},
    problem::Suffix,
    runs::{KEEP_RUNS, NewRun, OPEN_FOR, Run, RunItems, RunKind, RunStatus},
};
use serde_json::json;
use time::{Duration, OffsetDateTime};

use crate::harness::{Fixture, Home, NOW, actor, after, entry};

const KIND: JobKind = JobKind::new("test");
const LEASE: Duration = Duration::seconds(60);
const WEEK: Duration = Duration::days(7);

fn keyed(home: &Home, access: &DomainAccess, key: &str) -> Keyed<DomainAccess> {
    let key = RequestKey {
        key: key.to_owned(),
        fingerprint: [7; 32],
    };
    let slip = Slip::new(entry(home, 25, NOW), Some(key));
    Keyed::new(access.clone(), Arc::new(slip))
}

fn new(keyed: &Keyed<DomainAccess>, jobs: usize) -> NewRun {
    let job = |_| NewJob {
        id: JobId::generate(),
        kind: KIND,
        lane: None,
        workspace: None,
        payload: json!({}),
        pause: Duration::ZERO,
        max_attempts: 2,
    };
    NewRun {
        run: Run::requested(RunKind::Report, keyed, NOW),
        jobs: (0..jobs).map(job).collect(),
        result_kept: Some(WEEK),
    }
}

async fn request(
    fixture: &Fixture,
    keyed: &Keyed<DomainAccess>,
    jobs: usize,
) -> Result<(Run, Vec<JobId>), SettleError> {
    let new = new(keyed, jobs);
    let answer = |run: &Run| StoredAnswer {
        status: 202,
        body: run.id.to_string().into(),
    };
    let run = fixture.stores.runs.request(keyed, &new, &answer).await?;
    Ok((run, new.jobs.iter().map(|job| job.id).collect()))
}

/// A home with a run of so many jobs.
pub(crate) struct Asked {
    pub(crate) fixture: Fixture,
    pub(crate) home: Home,
    access: DomainAccess,
    pub(crate) run: Run,
    jobs: Vec<JobId>,
}

impl Asked {
    pub(crate) async fn new(jobs: usize) -> Self {
        let fixture = Fixture::with_a_clock().await;
        let home = fixture.home("ada").await;
        let access = fixture.access(&home).await;
        let (run, jobs) = request(&fixture, &keyed(&home, &access, "k"), jobs)
            .await
            .unwrap();
        Self {
            fixture,
            home,
            access,
            run,
            jobs,
        }
    }

    async fn at(&self, now: OffsetDateTime) -> Run {
        let runs = &self.fixture.stores.runs;
        let found = runs.find(&self.access, RunKind::Report, self.run.id, now).await;
        found.unwrap().expect("the run")
    }

    async fn is(&self) -> RunStatus {
        self.at(NOW).await.status
    }

    /// Claims up to so many jobs, in the order in which the run has them.
    pub(crate) async fn claim(&self, worker: WorkerId, now: OffsetDateTime, limit: usize) -> Vec<ClaimedJob> {
        let claim = Claim {
            worker,
            kinds: &[KIND],
            lane: "eu",
            lease: LEASE,
            limit,
        };
        self.fixture.it_is(now).await;
        let mut claimed = self.fixture.stores.jobs.claim(&claim).await.unwrap();
        claimed.sort_by_key(|job| self.jobs.iter().position(|id| *id == job.id));
        claimed
    }

    pub(crate) async fn settle(
        &self,
        worker: WorkerId,
        job: &ClaimedJob,
        outcome: JobOutcome,
        now: OffsetDateTime,
    ) {
        let attempt = Attempt {
            job: job.id,
            number: job.attempt,
            outcome,
        };
        self.fixture.it_is(now).await;
        let jobs = &self.fixture.stores.jobs;
        jobs.settle(worker, &[attempt]).await.unwrap();
    }
}

pub(crate) fn failed(pause: Option<Duration>, public_error: Option<(Suffix, &str)>) -> JobOutcome {
    JobOutcome::Failed {
        why: "no luck, by the operator's log".to_owned(),
        pause,
        public_error: public_error.map(|(code, detail)| RunError {
            code,
            detail: detail.to_owned(),
        }),
    }
}

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

#[tokio::test]
async fn progress_is_noted_by_the_worker_that_has_the_job_and_what_failed_makes_it_partial() {
    let asked = Asked::new(1).await;
    let runs = &asked.fixture.stores.runs;
    let items = |completed, failed| RunItems {
        total: 8,
        completed,
        failed,
    };
    let (slow, next) = (WorkerId::generate(), WorkerId::generate());
    let lost = asked.claim(slow, NOW, 1).await.remove(0);
    assert!(runs.progress(&lost, items(5, 0)).await.unwrap());
    let held = asked.claim(next, NOW + LEASE, 1).await.remove(0);
    assert!(runs.progress(&held, items(2, 1)).await.unwrap());
    assert!(!runs.progress(&lost, items(8, 0)).await.unwrap());
    assert_eq!(asked.at(NOW).await.items, Some(items(2, 1)));
    asked.settle(next, &held, JobOutcome::Succeeded, after(90)).await;
    assert_eq!(asked.is().await, RunStatus::Partial);
    assert!(!runs.progress(&held, items(8, 0)).await.unwrap());
    assert_eq!(asked.at(NOW).await.items, Some(items(2, 1)));
}

/// Each of them notes its own, as often as it likes.
#[tokio::test]
async fn the_items_of_a_run_are_those_of_all_its_jobs() {
    let asked = Asked::new(2).await;
    let runs = &asked.fixture.stores.runs;
    let items = |total, completed, failed| RunItems {
        total,
        completed,
        failed,
    };
    let worker = WorkerId::generate();
    let held = asked.claim(worker, NOW, 2).await;
    assert!(runs.progress(&held[0], items(8, 5, 1)).await.unwrap());
    assert!(runs.progress(&held[1], items(4, 1, 0)).await.unwrap());
    assert_eq!(asked.at(NOW).await.items, Some(items(12, 6, 1)));
    assert!(runs.progress(&held[0], items(8, 7, 1)).await.unwrap());
    assert_eq!(asked.at(NOW).await.items, Some(items(12, 8, 1)));
    let most = items(u32::MAX, u32::MAX, 0);
    assert!(runs.progress(&held[1], most).await.unwrap());
    assert_eq!(asked.at(NOW).await.items.unwrap().total, 0x7fff_ffff);
    assert!(runs.progress(&held[1], items(4, 4, 0)).await.unwrap());
    for job in &held {
        asked.settle(worker, job, JobOutcome::Succeeded, after(1)).await;
    }
    let over = asked.at(NOW).await;
    assert_eq!(
        (over.status, over.items),
        (RunStatus::Partial, Some(items(12, 11, 1)))
    );
}

/// The total of a run that says it when it is asked for is known before its jobs have found out theirs.
#[tokio::test]
async fn a_run_has_the_total_with_which_it_was_asked_for() {
    let fixture = Fixture::with_a_clock().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let keyed = keyed(&home, &access, "k");
    let mut new = new(&keyed, 2);
    new.run.items = Some(RunItems::of(12));
    let answer = |_: &Run| StoredAnswer {
        status: 202,
        body: "{}".to_owned().into(),
    };
    let runs = &fixture.stores.runs;
    let run = runs.request(&keyed, &new, &answer).await.unwrap();
    let claim = Claim {
        worker: WorkerId::generate(),
        kinds: &[KIND],
        lane: "eu",
        lease: LEASE,
        limit: 1,
    };
    let held = fixture.stores.jobs.claim(&claim).await.unwrap();
    let noted = RunItems {
        total: 8,
        completed: 3,
        failed: 0,
    };
    assert!(runs.progress(&held[0], noted).await.unwrap());
    let found = runs.find(&access, RunKind::Report, run.id, NOW).await.unwrap();
    assert_eq!(found.unwrap().items, Some(RunItems { total: 12, ..noted }));
}

/// A job that did all that it could succeeds, though nothing came of it.
#[tokio::test]
async fn a_run_of_which_every_item_failed_has_failed() {
    let asked = Asked::new(2).await;
    let runs = &asked.fixture.stores.runs;
    let worker = WorkerId::generate();
    let held = asked.claim(worker, NOW, 2).await;
    let lost = RunItems {
        total: 8,
        completed: 0,
        failed: 8,
    };
    for job in &held {
        assert!(runs.progress(job, lost).await.unwrap());
        asked.settle(worker, job, JobOutcome::Succeeded, after(1)).await;
    }
    let over = asked.at(NOW).await;
    assert_eq!((over.status, over.expires_at), (RunStatus::Failed, None));
    assert_eq!(over.error_code.as_deref(), Some("internal-error"));
    assert_eq!(over.error_detail.as_deref(), Some("All of its items failed."));
}

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
async fn a_run_is_found_by_its_domain_and_kind_alone() {
    let asked = Asked::new(1).await;
    let bob = asked.fixture.home("bob").await;
    let bob = asked.fixture.access(&bob).await;
    let runs = &asked.fixture.stores.runs;
    let find = async |access, kind, id| runs.find(access, kind, id, NOW).await.unwrap();
    let (report, id) = (RunKind::Report, asked.run.id);
    assert_eq!(find(&asked.access, report, id).await.as_ref(), Some(&asked.run));
    assert_eq!(find(&bob, report, id).await, None);
    assert_eq!(find(&asked.access, RunKind::Inspector, id).await, None);
    assert_eq!(find(&asked.access, report, RunId::generate()).await, None);

    let newest = keyed(&asked.home, &asked.access, "newest");
    let (newest, _) = request(&asked.fixture, &newest, 1).await.unwrap();
    let last = async |access, kind| runs.last(access, kind, NOW).await.unwrap();
    assert_eq!(last(&asked.access, report).await, Some(newest));
    assert_eq!(last(&bob, report).await, None);
    assert_eq!(last(&asked.access, RunKind::Inspector).await, None);
}

#[tokio::test]
async fn a_result_expires_to_the_second_and_the_run_is_forgotten_a_year_later() {
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
    asked.fixture.database.maintain(NOW + KEEP_RUNS).await.unwrap();
    assert_eq!(left().await, 1);
    let later = NOW + KEEP_RUNS + Duration::SECOND;
    asked.fixture.database.maintain(later).await.unwrap();
    assert_eq!(left().await, 0);
}

#[tokio::test]
async fn the_runs_of_a_domain_that_is_deleted_are_canceled_and_nobody_begins_their_jobs() {
    let asked = Asked::new(3).await;
    let other = asked.fixture.home("bob").await;
    let access = asked.fixture.access(&other).await;
    let (kept, _) = request(&asked.fixture, &keyed(&other, &access, "k"), 1)
        .await
        .unwrap();
    let worker = WorkerId::generate();
    let held = asked.claim(worker, NOW, 1).await.remove(0);
    let domains = &asked.fixture.stores.domain_admin;
    domains
        .delete(asked.home.domain, &actor(), after(1))
        .await
        .unwrap();
    let canceled = asked.at(NOW).await;
    assert_eq!(
        (canceled.status, canceled.finished_at),
        (RunStatus::Canceled, Some(after(1)))
    );
    let runs = &asked.fixture.stores.runs;
    assert!(!runs.progress(&held, RunItems::of(8)).await.unwrap());
    asked.settle(worker, &held, JobOutcome::Succeeded, after(2)).await;
    assert_eq!(asked.at(NOW).await, canceled);
    let left = asked.claim(worker, after(2), 9).await;
    assert_eq!(left.len(), 1, "that of the other domain");
    let found = runs.find(&access, RunKind::Report, kept.id, NOW).await.unwrap();
    assert_eq!(found.unwrap().status, RunStatus::Running);
}

/// Charge, run, jobs and answer are one transaction.
#[tokio::test]
async fn a_run_that_cannot_be_paid_or_has_no_job_leaves_nothing_behind() {
    let fixture = Fixture::with_a_clock().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let rows = async || -> i64 {
        let count = "SELECT (SELECT count(*) FROM runs) + (SELECT count(*) FROM jobs)";
        fixture.value(count, &[]).await
    };
    let without = request(&fixture, &keyed(&home, &access, "k"), 0).await;
    assert!(matches!(without, Err(SettleError::Store(_))), "{without:?}");
    fixture.grant(&home, 24).await;
    let unpaid = request(&fixture, &keyed(&home, &access, "k"), 1).await;
    assert!(matches!(unpaid, Err(SettleError::Exhausted(_))), "{unpaid:?}");
    assert_eq!(rows().await, 0);
    fixture.grant(&home, 25).await;
    let paid = request(&fixture, &keyed(&home, &access, "k"), 1).await.unwrap();
    let again = request(&fixture, &keyed(&home, &access, "k"), 1).await;
    assert!(matches!(again, Err(SettleError::Replayed)), "{again:?}");
    assert_eq!((rows().await, paid.1.len()), (2, 1));
}

/// However many runs there are, a read and upkeep look at those that they are about.
#[tokio::test]
async fn runs_are_read_by_their_indexes() {
    let asked = Asked::new(1).await;
    asked
        .fixture
        .sql
        .batch_execute(&format!(
            "INSERT INTO runs (id, domain_id, kind, status, requested_at, started_at, finished_at, expires_at,
                 requester_kind, credential_id, credits_charged)
             SELECT gen_random_uuid(), '{}', CASE WHEN n % 9 > 0 THEN 'report' ELSE 'inspector' END, 'expired', at, at, at,
                 at, 'api_key', gen_random_uuid(), 25
             FROM (SELECT n, timestamptz '2026-03-31Z' - n * interval '1 minute' AS at FROM generate_series(1, 30000) AS n)
                 AS old;
             INSERT INTO jobs (id, kind, payload, state, run_at, attempts, max_attempts, created_at, finished_at)
             SELECT gen_random_uuid(), 'test', '{{}}', 'succeeded', '2026-03-31Z', 1, 3, '2026-03-31Z', '2026-03-31Z'
             FROM generate_series(1, 30000);
             ANALYZE runs; ANALYZE jobs",
            asked.home.domain
        ))
        .await
        .unwrap();
    let upkeep = |text: &str| {
        text.replace("$1", "timestamptz '2025-03-30Z'")
            .replace("$2", "1000")
    };
    let domain = asked.home.domain;
    for (text, index) in [
        (
            format!(
                "SELECT * FROM runs WHERE domain_id = '{domain}' AND kind = 'report'
                 ORDER BY requested_at DESC, id DESC LIMIT 1"
            ),
            "runs_domain_idx",
        ),
        (
            include_str!("../../crates/persistence/src/runs/end.sql")
                .replace("$1", "timestamptz '2025-03-30Z'")
                .replace("$2", "timestamptz '2025-03-30Z'")
                .replace("$3", "1000")
                .replace("$4", "'why'"),
            "runs_open_idx",
        ),
        (
            upkeep(include_str!("../../crates/persistence/src/runs/expire.sql")),
            "runs_expiry_idx",
        ),
        (
            upkeep(include_str!("../../crates/persistence/src/runs/forget.sql")),
            "runs_finished_idx",
        ),
        (
            format!(
                "SELECT count(*) FROM jobs WHERE run_id = ANY(ARRAY['{}'::uuid])",
                asked.run.id
            ),
            "jobs_run_idx",
        ),
    ] {
        let rows = asked
            .fixture
            .sql
            .query(&format!("EXPLAIN {text}"), &[])
            .await
            .unwrap();
        let plan: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
        let plan = plan.join("\n");
        assert!(plan.contains(index), "{plan}");
        assert!(!plan.contains("Seq Scan"), "{plan}");
    }
}
