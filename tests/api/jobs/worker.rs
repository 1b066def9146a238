//! The worker in this process: when jobs begin, and what comes of them.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use pharos_domain::{
    clock::{Clock, SystemClock},
    ids::{DomainId, JobId, WorkerId, WorkspaceId},
    jobs::{Attempt, Changed, Claim, ClaimedJob, JobFailure, JobKind, JobQueue, JobState},
    module::Module,
    problem::Suffix,
    store::StoreError,
};
use pharos_http::{
    metering::{CacheKey, CachedAnswer, Lookup, ResponseCache},
    validator::EntityTag,
};
use pharos_persistence::testing::look;
use pharos_server::worker::WorkerPace;
use serde_json::json;
use time::OffsetDateTime;
use tokio::{
    sync::{Semaphore, mpsc},
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use super::{Crew, Doing, Handler, KIND, Queue, handle, told};

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_sleeps_is_woken_by_what_is_asked_for() {
    let queue = Queue::new().await;
    let (begun, mut begins) = mpsc::unbounded_channel();
    let _crew = queue
        .crew(told(), move |job| {
            let _ = begun.send(job.id);
            Box::pin(async { Ok(Changed::new()) })
        })
        .await;
    for round in 0..20 {
        // Long enough for the worker to have gone to sleep.
        sleep(Duration::from_millis(50)).await;
        let id = queue.enqueue((round % 2 == 0).then_some("eu")).await;
        // By itself it looks every ten minutes.
        let begun = timeout(Duration::from_secs(30), begins.recv()).await;
        assert_eq!(begun.expect("it is woken"), Some(id));
        queue.reaches(id, JobState::Succeeded).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_of_another_region_waits_for_its_own_worker() {
    let queue = Queue::new().await;
    let quick = WorkerPace {
        poll: Duration::from_millis(100),
        ..WorkerPace::default()
    };
    let done = |_| -> Doing { Box::pin(async { Ok(Changed::new()) }) };
    let _crew = queue.crew(quick, done).await;
    let (elsewhere, anywhere) = (queue.enqueue(Some("us")).await, queue.enqueue(None).await);
    queue.reaches(anywhere, JobState::Succeeded).await;
    sleep(Duration::from_millis(400)).await;
    assert_eq!(queue.job(elsewhere).await.state, JobState::Queued);
    let _other = Crew::start(&queue.database, "us", quick, vec![handle(done)]).await;
    queue.reaches(elsewhere, JobState::Succeeded).await;
}

/// They take half of the four places, and the next of them begins as soon as one ends.
#[tokio::test(flavor = "multi_thread")]
async fn jobs_of_a_kind_that_hang_leave_places_to_those_of_another() {
    const HANGING: JobKind = JobKind::new("hanging");
    let queue = Queue::new().await;
    let (go, begun) = (Arc::new(Semaphore::new(0)), Arc::new(AtomicUsize::new(0)));
    let (going, counted) = (Arc::clone(&go), Arc::clone(&begun));
    let hang = Handler {
        kind: HANGING,
        most: 2,
        work: move |_| -> Doing {
            counted.fetch_add(1, Ordering::SeqCst);
            let going = Arc::clone(&going);
            Box::pin(async move {
                going.acquire().await.unwrap().forget();
                Ok(Changed::new())
            })
        },
    };
    let mut hanging = Vec::new();
    for _ in 0..8 {
        hanging.push(queue.enqueue_of(HANGING, None).await);
    }
    let others = [
        queue.enqueue(None).await,
        queue.enqueue(None).await,
        queue.enqueue(None).await,
    ];
    let done = handle(|_| -> Doing { Box::pin(async { Ok(Changed::new()) }) });
    let _crew = Crew::start(&queue.database, "eu", told(), vec![Arc::new(hang), done]).await;
    for other in others {
        queue.reaches(other, JobState::Succeeded).await;
    }
    assert_eq!(begun.load(Ordering::SeqCst), 2);
    go.add_permits(8);
    for job in hanging {
        queue.reaches(job, JobState::Succeeded).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_panic_is_a_failed_attempt_and_the_worker_lives_on() {
    let queue = Queue::new().await;
    let _crew = queue
        .crew(told(), |job| {
            Box::pin(async move {
                assert!(job.attempt > 1, "not at the first go");
                Ok(Changed::new())
            })
        })
        .await;
    let job = queue.enqueue(None).await;
    let done = queue.reaches(job, JobState::Succeeded).await;
    assert_eq!(done.attempts, 2);
    let why = done.last_error.unwrap();
    assert!(why.contains("panicked: not at the first go"), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_fails_each_time_is_dead_in_the_end_and_what_nothing_would_mend_at_once() {
    let queue = Queue::new().await;
    let _crew = queue
        .crew(told(), |job| {
            let why = format!("attempt {}", job.attempt);
            Box::pin(async move { Err(JobFailure::retry(why)) })
        })
        .await;
    let job = queue.enqueue(None).await;
    let dead = queue.reaches(job, JobState::Dead).await;
    assert_eq!(
        (dead.attempts, dead.last_error.as_deref()),
        (3, Some("attempt 3"))
    );
    drop(_crew);
    let _crew = queue
        .crew(told(), |_| {
            Box::pin(async move { Err(JobFailure::permanent("no such thing")) })
        })
        .await;
    let job = queue.enqueue(None).await;
    assert_eq!(queue.reaches(job, JobState::Dead).await.attempts, 1);
}

/// Keeps an answer.
async fn keep(crew: &Crew, key: &CacheKey) {
    let Lookup::Miss(ticket) = crew.cache.get(key).await else {
        panic!("nothing was kept yet");
    };
    let answer = CachedAnswer {
        body: Bytes::from_static(b"{}"),
        tag: EntityTag::of(b"{}"),
        next: None,
    };
    crew.cache
        .put(key, ticket, answer, Duration::from_secs(600))
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_kept_of_a_module_that_a_job_changed_is_served_no_more() {
    let queue = Queue::new().await;
    let [changed, other] = [DomainId::generate(), DomainId::generate()];
    let crew = queue
        .crew(told(), move |_| {
            Box::pin(async move { Ok(vec![(changed, Module::Uptime)]) })
        })
        .await;
    let key = |domain, module| CacheKey {
        operation: "getUptimeAvailability",
        module,
        workspace: WorkspaceId::generate(),
        domain: Some(domain),
        parameters: String::new(),
    };
    let keys = [
        (key(changed, Module::Uptime), false),
        // The platform tells of all modules.
        (key(changed, Module::Platform), false),
        (key(other, Module::Platform), true),
        (key(changed, Module::Rum), true),
        (key(other, Module::Uptime), true),
    ];
    for (key, _) in &keys {
        keep(&crew, key).await;
    }
    let job = queue.enqueue(None).await;
    queue.reaches(job, JobState::Succeeded).await;
    let mut lost = Vec::new();
    for (key, is_kept) in &keys {
        let found = matches!(crew.cache.get(key).await, Lookup::Hit(..));
        assert!(*is_kept || !found, "{key:?}");
        if *is_kept && !found {
            lost.push(key);
        }
    }
    // Now and then two domains share a generation of the cache, and drop each other's answers.
    assert!(lost.len() <= 1, "{lost:?}");
}

/// A handler stores why it failed before it says so: a page that can't be measured, a site that Google refuses.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_kept_of_the_domain_of_a_job_that_failed_is_served_no_more() {
    let queue = Queue::new().await;
    let crew = queue
        .crew(told(), |_| {
            Box::pin(async { Err(JobFailure::expected(Suffix::UpstreamError, "there is no page")) })
        })
        .await;
    let domain = DomainId::generate();
    let key = CacheKey {
        operation: "getUptimeAvailability",
        module: Module::Uptime,
        workspace: WorkspaceId::generate(),
        domain: Some(domain),
        parameters: String::new(),
    };
    keep(&crew, &key).await;
    let job = queue
        .enqueue_with(KIND, None, json!({ "domain_id": domain }))
        .await;
    queue.reaches(job, JobState::Dead).await;
    assert!(matches!(crew.cache.get(&key).await, Lookup::Miss(_)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_runs_longer_than_its_lease_is_nobody_elses() {
    let queue = Queue::new().await;
    let pace = WorkerPace {
        lease: Duration::from_secs(3),
        beat: Duration::from_millis(200),
        poll: Duration::from_millis(50),
    };
    let begun = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&begun);
    let work = move |_| -> Doing {
        counted.fetch_add(1, Ordering::SeqCst);
        Box::pin(async {
            sleep(Duration::from_secs(5)).await;
            Ok(Changed::new())
        })
    };
    let _crews = [queue.crew(pace, work.clone()).await, queue.crew(pace, work).await];
    let job = queue.enqueue(None).await;
    assert_eq!(queue.reaches(job, JobState::Succeeded).await.attempts, 1);
    assert_eq!(begun.load(Ordering::SeqCst), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_lost_a_job_drops_it_and_completes_nothing() {
    let queue = Queue::new().await;
    let pace = WorkerPace {
        beat: Duration::from_millis(200),
        ..told()
    };
    let (begun, mut begins) = mpsc::unbounded_channel();
    let _crew = queue
        .crew(pace, move |_| {
            let (begun, dropped) = (begun.clone(), begun.clone());
            Box::pin(async move {
                begun.send("begun").unwrap();
                let _guard = OnDrop(Some(move || dropped.send("dropped").unwrap()));
                std::future::pending::<()>().await;
                Ok(Changed::new())
            })
        })
        .await;
    let job = queue.enqueue(None).await;
    assert_eq!(begins.recv().await, Some("begun"));
    let stolen =
        "UPDATE jobs SET worker = gen_random_uuid(), attempts = 2, leased_until = now() + interval '1 hour'";
    look(queue.test.url(), stolen).await.unwrap();
    let heard = timeout(Duration::from_secs(30), begins.recv()).await.unwrap();
    assert_eq!(heard, Some("dropped"));
    sleep(Duration::from_millis(300)).await;
    let job = queue.job(job).await;
    assert_eq!((job.state, job.attempts), (JobState::Running, 2));
}

struct OnDrop<F: FnOnce()>(Option<F>);

impl<F: FnOnce()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        self.0.take().unwrap()();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_is_stopped_finishes_what_it_can_and_hands_over_the_rest_at_once() {
    let queue = Queue::new().await;
    let (begun, mut begins) = mpsc::unbounded_channel();
    let go = CancellationToken::new();
    let going = go.clone();
    let mut leaving = queue
        .crew(told(), move |job| {
            let (going, begun) = (going.clone(), begun.clone());
            Box::pin(async move {
                begun.send(job.id).unwrap();
                going.cancelled().await;
                Ok(Changed::new())
            })
        })
        .await;
    let finished = queue.enqueue(None).await;
    assert_eq!(begins.recv().await, Some(finished));
    leaving.stop.cancel();
    let late = queue.enqueue(None).await;
    sleep(Duration::from_millis(300)).await;
    assert_eq!(
        queue.job(late).await.state,
        JobState::Queued,
        "nothing new is begun"
    );
    go.cancel();
    leaving.end().await;
    assert_eq!(queue.job(finished).await.state, JobState::Succeeded);

    let hang = |_| -> Doing { Box::pin(std::future::pending()) };
    let mut leaving = queue.crew(told(), hang).await;
    queue.reaches(late, JobState::Running).await;
    let done = |_| -> Doing { Box::pin(async { Ok(Changed::new()) }) };
    let _next = queue.crew(told(), done).await;
    sleep(Duration::from_millis(200)).await;
    leaving.stop.cancel();
    leaving.abandon.cancel();
    leaving.end().await;
    // Long before the lease ends, or the next worker looks by itself.
    let job = queue.reaches(late, JobState::Succeeded).await;
    assert_eq!(
        (job.attempts, job.last_error),
        (1, None),
        "the first attempt does not count"
    );
}

/// A store that does not take what came of jobs, twice.
struct Flaky {
    queue: Arc<dyn JobQueue>,
    refusals: AtomicUsize,
}

#[async_trait::async_trait]
impl JobQueue for Flaky {
    async fn claim(&self, claim: &Claim<'_>) -> Result<Vec<ClaimedJob>, StoreError> {
        self.queue.claim(claim).await
    }

    async fn extend(
        &self,
        worker: WorkerId,
        jobs: &[JobId],
        lease: time::Duration,
    ) -> Result<Vec<JobId>, StoreError> {
        self.queue.extend(worker, jobs, lease).await
    }

    async fn settle(
        &self,
        worker: WorkerId,
        attempts: &[Attempt],
    ) -> Result<Vec<(JobId, JobState)>, StoreError> {
        if self.refusals.fetch_add(1, Ordering::SeqCst) < 2 {
            return Err(StoreError::Unavailable("away".into()));
        }
        self.queue.settle(worker, attempts).await
    }

    async fn release(&self, worker: WorkerId, jobs: &[JobId]) -> Result<(), StoreError> {
        self.queue.release(worker, jobs).await
    }

    async fn next_due(&self, kinds: &[JobKind], lane: &str) -> Result<Option<time::Duration>, StoreError> {
        self.queue.next_due(kinds, lane).await
    }

    async fn clean_up(&self, now: OffsetDateTime) -> Result<usize, StoreError> {
        self.queue.clean_up(now).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_is_done_once_though_the_store_is_away_when_it_ends() {
    let queue = Queue::new().await;
    let begun = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&begun);
    let flaky = Arc::new(Flaky {
        queue: Arc::clone(&queue.stores.jobs),
        refusals: AtomicUsize::new(0),
    });
    let handler = handle(move |_| {
        counted.fetch_add(1, Ordering::SeqCst);
        Box::pin(async { Ok(Changed::new()) })
    });
    let _crew = Crew::start_on(flaky, &queue.database, "eu", told(), vec![handler]).await;
    let job = queue.enqueue(None).await;
    assert_eq!(queue.reaches(job, JobState::Succeeded).await.attempts, 1);
    assert_eq!(begun.load(Ordering::SeqCst), 1);
    let later = SystemClock.now() + time::Duration::days(8);
    assert_eq!(queue.stores.jobs.clean_up(later).await.unwrap(), 1);
}
