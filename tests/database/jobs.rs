//! The queue of jobs: claims, leases, attempts, the end.

use std::{collections::HashSet, time::Duration as StdDuration};

use futures_util::future::join_all;
use pharos_domain::{
    ids::{JobId, WorkerId, WorkspaceId},
    jobs::{
        Attempt, Claim, ClaimedJob, JobDetails, JobFilter, JobKind, JobOutcome, JobState, NewJob, RetryError,
    },
};
use pharos_persistence::{jobs::enqueued, listener::Listener};
use pharos_supervisor::Supervisor;
use serde_json::json;
use time::{Duration, OffsetDateTime};
use tokio::time::timeout;

use crate::harness::{Fixture, NOW, actor, after};

const KIND: JobKind = JobKind::new("test");
const OTHER: JobKind = JobKind::new("other");
const LEASE: Duration = Duration::seconds(60);

/// A job for the lane that may be done at `run_at`.
fn job(lane: Option<&str>, run_at: OffsetDateTime) -> NewJob {
    NewJob {
        id: JobId::generate(),
        kind: KIND,
        lane: lane.map(str::to_owned),
        workspace: None,
        payload: json!({ "number": 7 }),
        pause: run_at - NOW,
        max_attempts: 3,
    }
}

async fn enqueue(fixture: &Fixture, jobs: &[NewJob]) {
    fixture.it_is(NOW).await;
    enqueued(&fixture.database, jobs).await.unwrap();
}

/// A worker of the lane `eu`.
async fn claim(fixture: &Fixture, worker: WorkerId, now: OffsetDateTime, limit: usize) -> Vec<ClaimedJob> {
    let claim = Claim {
        worker,
        kinds: &[KIND],
        lane: "eu",
        lease: LEASE,
        limit,
    };
    fixture.it_is(now).await;
    fixture.stores.jobs.claim(&claim).await.unwrap()
}

fn ids(jobs: &[ClaimedJob]) -> Vec<JobId> {
    jobs.iter().map(|job| job.id).collect()
}

fn attempt(job: &ClaimedJob, outcome: JobOutcome) -> Attempt {
    Attempt {
        job: job.id,
        number: job.attempt,
        outcome,
    }
}

fn failed(job: &ClaimedJob, pause: Option<Duration>) -> Attempt {
    let outcome = JobOutcome::Failed {
        why: "no\0 luck".to_owned(),
        pause,
        public_error: None,
    };
    attempt(job, outcome)
}

async fn settle(
    fixture: &Fixture,
    worker: WorkerId,
    attempts: &[Attempt],
    now: OffsetDateTime,
) -> Vec<(JobId, JobState)> {
    fixture.it_is(now).await;
    fixture.stores.jobs.settle(worker, attempts).await.unwrap()
}

/// When the next job of that kind is due, in that lane or none.
async fn next_due(fixture: &Fixture, kind: JobKind, lane: &str) -> Option<OffsetDateTime> {
    fixture.it_is(NOW).await;
    let due_in = fixture.stores.jobs.next_due(&[kind], lane).await.unwrap();
    due_in.map(|due_in| NOW + due_in)
}

async fn listed(fixture: &Fixture) -> Vec<JobDetails> {
    let filter = JobFilter {
        limit: 100,
        ..JobFilter::default()
    };
    fixture.stores.job_admin.list(&filter).await.unwrap()
}

#[tokio::test]
async fn the_longest_due_of_the_workers_lane_and_of_none_come_first() {
    let fixture = Fixture::with_a_clock().await;
    let jobs = [
        job(Some("eu"), after(-2)),
        job(None, after(-3)),
        job(Some("us"), after(-9)),
        job(None, after(-1)),
        job(Some("eu"), after(1)),
        NewJob {
            kind: OTHER,
            ..job(None, after(-9))
        },
    ];
    enqueue(&fixture, &jobs).await;
    let worker = WorkerId::generate();
    let first = claim(&fixture, worker, NOW, 2).await;
    assert_eq!(ids(&first), [jobs[1].id, jobs[0].id]);
    assert_eq!((first[0].attempt, &first[0].payload), (1, &jobs[1].payload));
    assert_eq!(ids(&claim(&fixture, worker, NOW, 9).await), [jobs[3].id]);
    assert_eq!(ids(&claim(&fixture, worker, after(1), 9).await), [jobs[4].id]);
    assert_eq!(next_due(&fixture, KIND, "us").await, Some(after(-9)));
    assert_eq!(next_due(&fixture, OTHER, "eu").await, Some(after(-9)));
    // A job that is held comes back when its lease is over.
    assert_eq!(next_due(&fixture, KIND, "eu").await, Some(NOW + LEASE));
    assert_eq!(next_due(&fixture, JobKind::new("none"), "eu").await, None);
}

#[tokio::test]
async fn workers_at_once_never_get_the_same_job() {
    let fixture = Fixture::with_a_clock().await;
    let jobs: Vec<NewJob> = (0..600)
        .map(|number| job((number % 3 > 0).then_some("eu"), after(-number)))
        .collect();
    enqueue(&fixture, &jobs).await;
    let workers = join_all((0..8).map(|_| async {
        let worker = WorkerId::generate();
        let mut mine = Vec::new();
        loop {
            let claimed = claim(&fixture, worker, NOW, 5).await;
            if claimed.is_empty() && next_due(&fixture, KIND, "eu").await > Some(NOW) {
                break mine;
            }
            mine.extend(ids(&claimed));
        }
    }))
    .await;
    let busy = workers.iter().filter(|mine| !mine.is_empty()).count();
    let all: Vec<JobId> = workers.into_iter().flatten().collect();
    assert_eq!(all.len(), 600);
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), 600);
    assert!(busy > 4, "{busy} of 8 got any");
}

#[tokio::test]
async fn a_lease_that_ends_gives_the_job_to_another_unless_it_is_extended() {
    let fixture = Fixture::with_a_clock().await;
    enqueue(&fixture, &[job(None, NOW), job(None, NOW)]).await;
    let (first, second) = (WorkerId::generate(), WorkerId::generate());
    let held = claim(&fixture, first, NOW, 9).await;
    assert_eq!(claim(&fixture, second, after(59), 9).await, []);
    let queue = &fixture.stores.jobs;
    let until = async |worker, jobs: &[JobId], now: OffsetDateTime, until: OffsetDateTime| {
        fixture.it_is(now).await;
        queue.extend(worker, jobs, until - now).await.unwrap()
    };
    let beaten = until(first, &[held[0].id], after(59), after(100)).await;
    assert_eq!(beaten, [held[0].id]);
    let taken = claim(&fixture, second, after(60), 9).await;
    assert_eq!(ids(&taken), [held[1].id]);
    assert_eq!(taken[0].attempt, 2);
    // The first hears of its loss at its next beat, and its beat does not disturb the second's lease.
    let still = until(first, &ids(&held), after(60), after(200)).await;
    assert_eq!(still, [held[0].id]);
    assert_eq!(claim(&fixture, first, after(119), 9).await, []);
    assert_eq!(ids(&claim(&fixture, first, after(120), 9).await), [held[1].id]);
}

#[tokio::test]
async fn a_late_worker_completes_nothing() {
    let fixture = Fixture::with_a_clock().await;
    enqueue(&fixture, &[job(None, NOW)]).await;
    let (late, next) = (WorkerId::generate(), WorkerId::generate());
    let held = claim(&fixture, late, NOW, 1).await;
    let taken = claim(&fixture, next, after(60), 1).await;
    let done = attempt(&held[0], JobOutcome::Succeeded);
    assert_eq!(
        settle(&fixture, late, std::slice::from_ref(&done), after(61)).await,
        []
    );
    assert_eq!(
        settle(&fixture, late, &[failed(&held[0], None)], after(61)).await,
        []
    );
    fixture.stores.jobs.release(late, &[held[0].id]).await.unwrap();
    assert_eq!(listed(&fixture).await[0].state, JobState::Running);
    // Nor does the one who holds it complete an attempt of before.
    assert_eq!(settle(&fixture, next, &[done], after(61)).await, []);
    let done = attempt(&taken[0], JobOutcome::Succeeded);
    assert_eq!(
        settle(&fixture, next, std::slice::from_ref(&done), after(62)).await,
        [(held[0].id, JobState::Succeeded)]
    );
    assert_eq!(settle(&fixture, next, &[done], after(63)).await, []);
    let job = &listed(&fixture).await[0];
    assert_eq!((job.state, job.attempts), (JobState::Succeeded, 2));
    assert_eq!(job.finished_at, Some(after(62).into()));
    assert_eq!(claim(&fixture, next, after(9_999), 1).await, []);
}

#[tokio::test]
async fn a_failed_job_comes_back_at_its_time_until_its_attempts_are_used_up() {
    let fixture = Fixture::with_a_clock().await;
    enqueue(&fixture, &[job(Some("eu"), NOW)]).await;
    let worker = WorkerId::generate();
    let mut now = NOW;
    for number in 1..=3 {
        let held = claim(&fixture, worker, now, 1).await;
        assert_eq!(held[0].attempt, number);
        let pause = Duration::seconds(5);
        let settled = settle(&fixture, worker, &[failed(&held[0], Some(pause))], now).await;
        let retry_at = now + pause;
        let want = if number < 3 {
            JobState::Queued
        } else {
            JobState::Dead
        };
        assert_eq!(settled, [(held[0].id, want)]);
        let before = retry_at - Duration::milliseconds(1);
        assert_eq!(claim(&fixture, worker, before, 1).await, []);
        let next = next_due(&fixture, KIND, "eu").await;
        assert_eq!(next, (number < 3).then_some(retry_at));
        now = retry_at;
    }
    let job = &listed(&fixture).await[0];
    assert_eq!((job.state, job.attempts), (JobState::Dead, 3));
    assert_eq!(job.last_error.as_deref(), Some("no\u{fffd} luck"));
    assert_eq!(job.finished_at, Some(after(10).into()));
}

#[tokio::test]
async fn a_failure_that_no_attempt_would_mend_is_the_end() {
    let fixture = Fixture::with_a_clock().await;
    enqueue(&fixture, &[job(None, NOW)]).await;
    let worker = WorkerId::generate();
    let held = claim(&fixture, worker, NOW, 1).await;
    let settled = settle(&fixture, worker, &[failed(&held[0], None)], after(1)).await;
    assert_eq!(settled, [(held[0].id, JobState::Dead)]);
}

/// A job that takes its worker down with it is not tried for ever.
#[tokio::test]
async fn a_job_whose_workers_are_lost_each_time_is_dead_after_its_last_attempt() {
    let fixture = Fixture::with_a_clock().await;
    enqueue(&fixture, &[job(None, NOW), job(None, after(200))]).await;
    for number in 0..3 {
        let worker = WorkerId::generate();
        assert_eq!(claim(&fixture, worker, after(60 * number), 1).await.len(), 1);
    }
    let worker = WorkerId::generate();
    let claimed = claim(&fixture, worker, after(200), 9).await;
    assert_eq!(claimed.len(), 1, "the other one is not held up");
    let dead = &listed(&fixture).await[1];
    assert_eq!((dead.state, dead.attempts), (JobState::Dead, 3));
    assert!(dead.last_error.as_deref().unwrap().contains("worker was lost"));
}

#[tokio::test]
async fn what_is_given_back_is_due_at_once_and_its_attempt_does_not_count() {
    let fixture = Fixture::with_a_clock().await;
    enqueue(&fixture, &[job(Some("eu"), NOW), job(None, after(1))]).await;
    let (leaving, next) = (WorkerId::generate(), WorkerId::generate());
    let held = claim(&fixture, leaving, after(1), 9).await;
    let done = attempt(&held[1], JobOutcome::Succeeded);
    settle(&fixture, leaving, &[done], after(2)).await;
    let queue = &fixture.stores.jobs;
    queue.release(next, &ids(&held)).await.unwrap();
    assert_eq!(claim(&fixture, next, after(2), 9).await, []);
    queue.release(leaving, &ids(&held)).await.unwrap();
    assert_eq!(claim(&fixture, next, after(2), 9).await, held[..1]);
    // The attempt of the next worker has the same number, and is another one all the same.
    let late = attempt(&held[0], JobOutcome::Succeeded);
    assert_eq!(settle(&fixture, leaving, &[late], after(3)).await, []);
}

/// A workspace has a thousand jobs waiting, and all the room. Jobs that others ask for later go first as soon as there is
/// any, whether a region must do them or whoever comes first.
#[tokio::test]
async fn a_workspace_with_a_thousand_jobs_holds_up_nobodys_few() {
    for (busy_lane, lane) in [
        (Some("eu"), Some("eu")),
        (None, None),
        (Some("eu"), None),
        (None, Some("eu")),
    ] {
        let fixture = Fixture::with_a_clock().await;
        let of = |workspace: WorkspaceId, lane, run_at| NewJob {
            workspace: Some(workspace),
            ..job(lane, run_at)
        };
        let busy = WorkspaceId::generate();
        let many: Vec<NewJob> = (0..1_000)
            .map(|number| of(busy, busy_lane, after(number)))
            .collect();
        enqueue(&fixture, &many).await;
        let (worker, now) = (WorkerId::generate(), after(2_000));
        assert_eq!(claim(&fixture, worker, now, 32).await.len(), 32);
        let few: Vec<NewJob> = (0..8)
            .flat_map(|_| {
                let workspace = WorkspaceId::generate();
                (0..3).map(move |_| of(workspace, lane, after(1_999)))
            })
            .collect();
        enqueue(&fixture, &few).await;
        let mut claimed = Vec::new();
        for _ in 0..30 {
            claimed.extend(ids(&claim(&fixture, worker, now, 2).await));
        }
        let served = few.iter().filter(|job| claimed.contains(&job.id)).count();
        assert_eq!(served, few.len(), "{lane:?} behind {busy_lane:?}");
        // Nobody else waits: the thousand have all the room again.
        assert_eq!(claim(&fixture, worker, now, 40).await.len(), 40);
    }
}

/// A worker that does one job at a time, such as a lab with two cores, has none under way when it claims the next.
#[tokio::test]
async fn where_one_job_is_done_at_a_time_workspaces_take_turns() {
    let fixture = Fixture::with_a_clock().await;
    let [first, second, third] = [(); 3].map(|()| WorkspaceId::generate());
    let of = |workspace: WorkspaceId, run_at| NewJob {
        workspace: Some(workspace),
        ..job(None, run_at)
    };
    // Two ask for fifty each, and one for a single one after them.
    let asked: Vec<NewJob> = (0..50)
        .map(|number| of(first, after(number)))
        .chain((50..100).map(|number| of(second, after(number))))
        .chain([of(third, after(100))])
        .collect();
    enqueue(&fixture, &asked).await;
    let (worker, now) = (WorkerId::generate(), after(200));
    let mut served = Vec::new();
    for _ in 0..5 {
        let claimed = claim(&fixture, worker, now, 1).await;
        let whose = asked.iter().find(|job| job.id == claimed[0].id).unwrap();
        served.push(whose.workspace.unwrap());
        let done = attempt(&claimed[0], JobOutcome::Succeeded);
        settle(&fixture, worker, &[done], now).await;
        // Another worker, for which there is nothing to do, changes nothing of whose turn it is.
        let nothing = Claim {
            worker: WorkerId::generate(),
            kinds: &[OTHER],
            lane: "eu",
            lease: LEASE,
            limit: 9,
        };
        assert!(fixture.stores.jobs.claim(&nothing).await.unwrap().is_empty());
    }
    assert_eq!(served, [first, second, third, first, second]);
}

/// A job is asked for, given back or tried again: whoever does such jobs is woken, and nobody else.
#[tokio::test]
async fn the_bell_rings_for_the_lane_or_the_kind_of_a_job() {
    let fixture = Fixture::with_a_clock().await;
    let listener = Listener::start(&fixture.database, &Supervisor::default())
        .await
        .unwrap();
    let bell = listener.jobs();
    let within = async |millis| {
        timeout(StdDuration::from_millis(millis), bell.rung())
            .await
            .is_ok()
    };
    let (rings, is_silent) = (async || within(5_000).await, async || !within(300).await);
    assert!(rings().await, "what came before it listened may have been missed");
    bell.ring_for(HashSet::from(["eu".to_owned(), "test".to_owned()]));
    enqueue(&fixture, &[job(Some("eu"), NOW)]).await;
    assert!(rings().await);
    enqueue(&fixture, &[job(None, NOW)]).await;
    assert!(rings().await);
    let elsewhere = NewJob {
        kind: OTHER,
        ..job(None, NOW)
    };
    enqueue(&fixture, &[job(Some("us"), NOW), elsewhere]).await;
    assert!(is_silent().await);
    let worker = WorkerId::generate();
    let held = claim(&fixture, worker, NOW, 9).await;
    fixture.stores.jobs.release(worker, &[held[0].id]).await.unwrap();
    assert!(rings().await);
    let held = claim(&fixture, worker, NOW, 1).await;
    settle(&fixture, worker, &[failed(&held[0], None)], NOW).await;
    assert!(is_silent().await);
    let admin = &fixture.stores.job_admin;
    admin.retry(held[0].id, &actor(), after(5)).await.unwrap();
    assert!(rings().await);
}

#[tokio::test]
async fn a_dead_job_is_tried_again_as_often_as_a_new_one() {
    let fixture = Fixture::with_a_clock().await;
    enqueue(&fixture, &[job(None, NOW)]).await;
    let worker = WorkerId::generate();
    let held = claim(&fixture, worker, NOW, 1).await;
    let admin = &fixture.stores.job_admin;
    let running = admin.retry(held[0].id, &actor(), after(1)).await;
    assert!(
        matches!(running, Err(RetryError::NotDead(JobState::Running))),
        "{running:?}"
    );
    let unknown = admin.retry(JobId::generate(), &actor(), after(1)).await;
    assert!(matches!(unknown, Err(RetryError::NotFound)), "{unknown:?}");
    settle(&fixture, worker, &[failed(&held[0], None)], after(1)).await;

    fixture.it_is(after(5)).await;
    let again = admin.retry(held[0].id, &actor(), after(5)).await.unwrap();
    assert_eq!(
        (again.state, again.attempts, again.finished_at),
        (JobState::Queued, 0, None)
    );
    let audited: i64 = fixture
        .value(
            "SELECT count(*) FROM audit_log WHERE action = 'job.retry' AND subject_id = $1",
            &[&held[0].id.to_string()],
        )
        .await;
    assert_eq!(audited, 1);
    assert_eq!(claim(&fixture, worker, after(4), 1).await, []);
    assert_eq!(claim(&fixture, worker, after(5), 1).await[0].attempt, 1);
}

#[tokio::test]
async fn the_list_shows_the_newest_first_by_state_and_kind() {
    let fixture = Fixture::with_a_clock().await;
    let jobs: Vec<NewJob> = (0..5)
        .map(|number| NewJob {
            kind: if number == 3 { OTHER } else { KIND },
            ..job(None, after(number))
        })
        .collect();
    enqueue(&fixture, &jobs).await;
    claim(&fixture, WorkerId::generate(), after(1), 1).await;
    let shown = async |state: Option<JobState>, kind: Option<&str>, limit: u32| -> Vec<JobId> {
        let filter = JobFilter {
            state,
            kind: kind.map(str::to_owned),
            limit,
            ..JobFilter::default()
        };
        let list = fixture.stores.job_admin.list(&filter).await.unwrap();
        list.iter().map(|job| job.id).collect()
    };
    assert_eq!(shown(None, None, 2).await, [jobs[4].id, jobs[3].id]);
    assert_eq!(shown(Some(JobState::Running), None, 9).await, [jobs[0].id]);
    assert_eq!(shown(None, Some("other"), 9).await, [jobs[3].id]);
    assert_eq!(
        shown(Some(JobState::Queued), Some("test"), 9).await,
        [jobs[4].id, jobs[2].id, jobs[1].id]
    );
}

#[tokio::test]
async fn a_workspace_is_shown_its_own_jobs_page_by_page_from_an_index() {
    let fixture = Fixture::with_a_clock().await;
    let own = WorkspaceId::generate();
    let jobs: Vec<NewJob> = (0..5)
        .map(|number| NewJob {
            workspace: Some(if number == 2 { WorkspaceId::generate() } else { own }),
            ..job(None, after(number))
        })
        .collect();
    enqueue(&fixture, &jobs).await;
    let admin = &fixture.stores.job_admin;
    let shown = async |before: Option<JobId>| -> Vec<JobId> {
        let filter = JobFilter {
            state: Some(JobState::Queued),
            workspace: Some(own),
            before,
            limit: 2,
            ..JobFilter::default()
        };
        let list = admin.list(&filter).await.unwrap();
        assert!(list.iter().all(|job| job.workspace_id == Some(own)));
        list.iter().map(|job| job.id).collect()
    };
    assert_eq!(shown(None).await, [jobs[4].id, jobs[3].id]);
    assert_eq!(shown(Some(jobs[3].id)).await, [jobs[1].id, jobs[0].id]);
    let found = admin.find(jobs[2].id).await.unwrap().unwrap();
    assert_eq!(found.workspace_id, jobs[2].workspace);
    assert_eq!(admin.find(JobId::generate()).await.unwrap(), None);

    // A table of a few rows is read whole otherwise.
    let settings = "SET enable_seqscan = off; SET enable_bitmapscan = off";
    fixture.sql.batch_execute(settings).await.unwrap();
    let plan: Vec<String> = fixture
        .sql
        .query(
            "EXPLAIN SELECT id FROM jobs WHERE workspace_id = '01900000-0000-7000-8000-000000000011' AND state = 'dead'
             AND id < '01900000-0000-7000-8000-000000000012' ORDER BY id DESC LIMIT 51",
            &[],
        )
        .await
        .unwrap()
        .iter()
        .map(|row| row.get(0))
        .collect();
    let plan = plan.join("\n");
    assert!(
        plan.contains("jobs_of_workspace_idx") && !plan.contains("Sort"),
        "{plan}"
    );
}

#[tokio::test]
async fn the_clean_up_keeps_succeeded_jobs_7_days_dead_ones_90_and_the_others_for_good() {
    let fixture = Fixture::with_a_clock().await;
    let days = |count: i64| NOW + Duration::days(count);
    enqueue(
        &fixture,
        &[job(None, NOW), job(None, after(1)), job(None, after(2))],
    )
    .await;
    let worker = WorkerId::generate();
    let held = claim(&fixture, worker, after(1), 9).await;
    let settled = [attempt(&held[0], JobOutcome::Succeeded), failed(&held[1], None)];
    settle(&fixture, worker, &settled, NOW).await;
    let queue = &fixture.stores.jobs;
    assert_eq!(queue.clean_up(days(7)).await.unwrap(), 0);
    assert_eq!(queue.clean_up(days(7) + Duration::SECOND).await.unwrap(), 1);
    assert_eq!(queue.clean_up(days(90)).await.unwrap(), 0);
    assert_eq!(queue.clean_up(days(91)).await.unwrap(), 1);
    let left = listed(&fixture).await;
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].state, JobState::Queued);
}

/// However many jobs were done, or wait for a region whose worker never comes, a claim reads what it can have.
#[tokio::test]
async fn a_claim_reads_by_its_index() {
    let fixture = Fixture::with_a_clock().await;
    fixture
        .sql
        .batch_execute(
            "INSERT INTO jobs (id, kind, workspace_id, lane, payload, state, run_at, attempts, max_attempts, created_at, finished_at)
             SELECT gen_random_uuid(), 'test', ('0190f3c2-7a4e-7c31-9d52-00000000' || lpad(to_hex(n % 50), 4, '0'))::uuid, CASE WHEN n % 10 > 2 THEN 'mars' WHEN n % 10 > 0 THEN 'eu' END, '{}',
                 CASE WHEN n % 3 = 0 THEN 'queued' ELSE 'succeeded' END, '2026-03-31Z', 0, 3, '2026-03-31Z',
                 CASE WHEN n % 3 > 0 THEN timestamptz '2026-03-31Z' - n * interval '1 minute' END
             FROM generate_series(1, 30000) AS n;
             ANALYZE jobs",
        )
        .await
        .unwrap();
    for (text, index) in [
        (
            include_str!("../../crates/persistence/src/jobs/claim.sql"),
            "jobs_due_idx",
        ),
        (
            include_str!("../../crates/persistence/src/jobs/next_due.sql"),
            "jobs_due_idx",
        ),
        (
            include_str!("../../crates/persistence/src/jobs/clean_up.sql"),
            "jobs_succeeded_idx",
        ),
    ] {
        let is_clean_up = index != "jobs_due_idx";
        let moment = "timestamptz '2026-03-10 16:00:00Z'";
        let text = text
            .replace("$1", if is_clean_up { moment } else { "'eu'" })
            .replace(
                "$2",
                if is_clean_up {
                    moment
                } else {
                    "ARRAY['test', 'other']"
                },
            )
            .replace("$3", if is_clean_up { "1000" } else { "60" })
            .replace("$4", "'0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11'")
            .replace("$5", "64")
            .replace("$6", "'0190f3c2-7a4e-7c31-9d52-000000000000'")
            .replace("$7", "64");
        let rows = fixture.sql.query(&format!("EXPLAIN {text}"), &[]).await.unwrap();
        let plan: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
        let plan = plan.join("\n");
        assert!(plan.contains(index), "{plan}");
        assert!(!plan.contains("Seq Scan on jobs"), "{plan}");
        assert!(!plan.contains("Sort Key: COALESCE(leased_until"), "{plan}");
        assert!(
            !text.contains("visited") || plan.matches("jobs_turns_idx").count() >= 3,
            "{plan}"
        );
    }
}
