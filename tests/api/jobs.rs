//! The worker, on a real queue: in this process, and as processes of their own.

use std::{
    future::Future,
    pin::Pin,
    process::{Command, Output},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use bytes::Bytes;
use pharos_domain::{
    clock::{Clock, SystemClock},
    ids::{DomainId, JobId, WorkerId, WorkspaceId},
    jobs::{
        Attempt, Changed, Claim, ClaimedJob, JobDetails, JobFailure, JobFilter, JobHandler, JobKind,
        JobQueue, JobState, NewJob,
    },
    module::Module,
    store::StoreError,
};
use pharos_http::metering::{CacheKey, Lookup, ResponseCache};
use pharos_metering::cache::memory::MemoryResponseCache;
use pharos_persistence::{
    jobs::enqueued,
    listener::Listener,
    pool::{Database, DatabaseOptions},
    stores::Stores,
    testing::TestDatabase,
};
use pharos_server::worker::{Pace, Worker};
use serde_json::{Value, json};
use time::OffsetDateTime;
use tokio::{
    sync::mpsc,
    task::JoinHandle,
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use crate::{
    harness::{Node, Site, TestApp, binary},
    uptime::check::watch,
};

const KIND: JobKind = JobKind::new("test");

/// A queue of its own.
struct Queue {
    database: Database,
    stores: Stores,
    test: TestDatabase,
}

impl Queue {
    async fn new() -> Self {
        let test = TestDatabase::create().await.expect("a database for the test");
        let database = connect(test.url()).await;
        Self {
            stores: Stores::new(&database),
            database,
            test,
        }
    }

    async fn enqueue(&self, lane: Option<&str>) -> JobId {
        let now = OffsetDateTime::now_utc();
        let job = NewJob {
            id: JobId::generate(),
            kind: KIND,
            lane: lane.map(str::to_owned),
            payload: json!({}),
            run_at: now,
            max_attempts: 3,
        };
        let id = job.id;
        enqueued(&self.database, &[job], now).await.unwrap();
        id
    }

    async fn job(&self, id: JobId) -> JobDetails {
        let filter = JobFilter {
            limit: 100,
            ..JobFilter::default()
        };
        let jobs = self.stores.job_admin.list(&filter).await.unwrap();
        jobs.into_iter().find(|job| job.id == id).unwrap()
    }

    /// Waits until the job is in that state.
    async fn reaches(&self, id: JobId, state: JobState) -> JobDetails {
        let deadline = Instant::now() + Duration::from_secs(10);
        loop {
            let job = self.job(id).await;
            if job.state == state {
                return job;
            }
            assert!(Instant::now() < deadline, "still {job:?}");
            sleep(Duration::from_millis(10)).await;
        }
    }

    async fn crew(&self, pace: Pace, handler: impl Work) -> Crew {
        Crew::start(&self.database, "eu", pace, vec![handle(handler)]).await
    }
}

pub(crate) async fn connect(url: &str) -> Database {
    let options = DatabaseOptions {
        pool_size: 4,
        ..DatabaseOptions::default()
    };
    Database::connect(url, &options).await.unwrap()
}

/// A worker at work. It ends at once when dropped.
pub(crate) struct Crew {
    cache: Arc<MemoryResponseCache>,
    stop: CancellationToken,
    abandon: CancellationToken,
    task: JoinHandle<()>,
    _listener: Listener,
}

impl Crew {
    pub(crate) async fn start(
        database: &Database,
        region: &str,
        pace: Pace,
        handlers: Vec<Arc<dyn JobHandler>>,
    ) -> Self {
        let queue = Stores::new(database).jobs;
        Self::start_on(queue, database, region, pace, handlers).await
    }

    async fn start_on(
        queue: Arc<dyn JobQueue>,
        database: &Database,
        region: &str,
        pace: Pace,
        handlers: Vec<Arc<dyn JobHandler>>,
    ) -> Self {
        let listener = Listener::start(database).await.unwrap();
        let cache = Arc::new(MemoryResponseCache::new(1 << 20, Arc::new(SystemClock)));
        let worker = Worker {
            queue,
            handlers,
            bell: listener.jobs(),
            cache: cache.clone(),
            clock: Arc::new(SystemClock),
            region: region.to_owned(),
            concurrency: 4,
            pace,
        };
        let (stop, abandon) = (CancellationToken::new(), CancellationToken::new());
        let task = tokio::spawn(worker.run(stop.clone(), abandon.clone()));
        Self {
            cache,
            stop,
            abandon,
            task,
            _listener: listener,
        }
    }

    /// Waits for its end.
    async fn end(&mut self) {
        timeout(Duration::from_secs(5), &mut self.task)
            .await
            .unwrap()
            .unwrap();
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.task.abort();
    }
}

type Doing = Pin<Box<dyn Future<Output = Result<Changed, JobFailure>> + Send>>;

/// What a handler of a test does.
trait Work: Fn(ClaimedJob) -> Doing + Send + Sync + 'static {}
impl<F: Fn(ClaimedJob) -> Doing + Send + Sync + 'static> Work for F {}

struct Handler<F>(F);

impl<F: Work> JobHandler for Handler<F> {
    fn kind(&self) -> JobKind {
        KIND
    }

    fn run<'a, 'b, 'c>(
        &'a self,
        job: &'b ClaimedJob,
    ) -> Pin<Box<dyn Future<Output = Result<Changed, JobFailure>> + Send + 'c>>
    where
        'a: 'c,
        'b: 'c,
        Self: 'c,
    {
        self.0(job.clone())
    }
}

fn handle(work: impl Work) -> Arc<dyn JobHandler> {
    Arc::new(Handler(work))
}

/// A worker that never polls while a test lasts: what it finds out, it was told.
fn told() -> Pace {
    Pace {
        poll: Duration::from_secs(600),
        ..Pace::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_begins_as_soon_as_it_is_asked_for() {
    const ROUNDS: usize = 20;
    let queue = Queue::new().await;
    let (begun, mut begins) = mpsc::unbounded_channel();
    let _crew = queue
        .crew(told(), move |job| {
            let _ = begun.send((job.id, Instant::now()));
            Box::pin(async { Ok(Changed::new()) })
        })
        .await;
    let mut slowest = Duration::ZERO;
    for round in 0..ROUNDS {
        // Long enough for the worker to have gone to sleep.
        sleep(Duration::from_millis(50)).await;
        let asked = Instant::now();
        let id = queue.enqueue((round % 2 == 0).then_some("eu")).await;
        let (job, at) = timeout(Duration::from_secs(5), begins.recv())
            .await
            .unwrap()
            .unwrap();
        assert_eq!(job, id);
        slowest = slowest.max(at - asked);
        queue.reaches(id, JobState::Succeeded).await;
    }
    println!("the slowest of {ROUNDS} jobs began {slowest:?} after it was asked for");
    assert!(slowest < Duration::from_secs(1), "{slowest:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_of_another_region_waits_for_its_own_worker() {
    let queue = Queue::new().await;
    let quick = Pace {
        poll: Duration::from_millis(100),
        ..Pace::default()
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
            Box::pin(async move { Err(JobFailure::Retry { why }) })
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
            let why = "no such thing".to_owned();
            Box::pin(async move { Err(JobFailure::Permanent { why }) })
        })
        .await;
    let job = queue.enqueue(None).await;
    assert_eq!(queue.reaches(job, JobState::Dead).await.attempts, 1);
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
        (key(changed, Module::Rum), true),
        (key(other, Module::Uptime), true),
    ];
    for (key, _) in &keys {
        let Lookup::Miss(ticket) = crew.cache.get(key).await else {
            panic!("nothing was kept yet");
        };
        let body = Bytes::from_static(b"{}");
        crew.cache.put(key, ticket, body, Duration::from_secs(600)).await;
    }
    let job = queue.enqueue(None).await;
    queue.reaches(job, JobState::Succeeded).await;
    for (key, is_kept) in &keys {
        let found = crew.cache.get(key).await;
        assert_eq!(matches!(found, Lookup::Hit(..)), *is_kept, "{key:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_runs_longer_than_its_lease_is_nobody_elses() {
    let queue = Queue::new().await;
    let pace = Pace {
        lease: Duration::from_millis(900),
        beat: Duration::from_millis(200),
        poll: Duration::from_millis(50),
    };
    let begun = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&begun);
    let work = move |_| -> Doing {
        counted.fetch_add(1, Ordering::SeqCst);
        Box::pin(async {
            sleep(Duration::from_secs(3)).await;
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
    let pace = Pace {
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
    let thief = WorkerId::generate();
    let claim = Claim {
        worker: thief,
        kinds: &[KIND],
        lane: "eu",
        lease: time::Duration::HOUR,
        limit: 9,
    };
    let later = OffsetDateTime::now_utc() + time::Duration::minutes(2);
    assert_eq!(
        queue.stores.jobs.claim(&claim, later).await.unwrap()[0].attempt,
        2
    );
    let heard = timeout(Duration::from_secs(2), begins.recv()).await.unwrap();
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
    let told_to_end = Instant::now();
    leaving.stop.cancel();
    leaving.abandon.cancel();
    leaving.end().await;
    let job = queue.reaches(late, JobState::Succeeded).await;
    let took = told_to_end.elapsed();
    println!("the next worker had done it {took:?} after the first was told to end");
    assert!(took < Duration::from_secs(1), "{took:?}");
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
    async fn claim(&self, claim: &Claim<'_>, now: OffsetDateTime) -> Result<Vec<ClaimedJob>, StoreError> {
        self.queue.claim(claim, now).await
    }

    async fn extend(
        &self,
        worker: WorkerId,
        jobs: &[JobId],
        until: OffsetDateTime,
    ) -> Result<Vec<JobId>, StoreError> {
        self.queue.extend(worker, jobs, until).await
    }

    async fn settle(
        &self,
        worker: WorkerId,
        attempts: &[Attempt],
        now: OffsetDateTime,
    ) -> Result<Vec<(JobId, JobState)>, StoreError> {
        if self.refusals.fetch_add(1, Ordering::SeqCst) < 2 {
            return Err(StoreError::Unavailable("away".into()));
        }
        self.queue.settle(worker, attempts, now).await
    }

    async fn release(&self, worker: WorkerId, jobs: &[JobId]) -> Result<(), StoreError> {
        self.queue.release(worker, jobs).await
    }

    async fn next_due(&self, kinds: &[JobKind], lane: &str) -> Result<Option<OffsetDateTime>, StoreError> {
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

/// A node that answers and does jobs, and may reach this machine.
fn node(app: &TestApp) -> Node {
    let environment = [
        ("PHAROS_DATABASE_URL", app.database.url()),
        ("PHAROS_PROBE_NETWORKS", "[\"127.0.0.0/8\"]"),
    ];
    Node::start(&["--roles", "api,worker"], &environment)
}

async fn ask_for_a_check(app: &TestApp) -> String {
    let path = format!("/domains/{}/uptime/check", app.world.domain);
    let key = uuid::Uuid::now_v7().to_string();
    let request = app.request("POST", &path).key(&app.world.key);
    let reply = request
        .header("idempotency-key", key)
        .json(&json!({}))
        .send()
        .await;
    reply.json()["run_id"].as_str().expect("a run").to_owned()
}

/// The jobs, the oldest first: state, worker, attempts.
async fn rows(app: &TestApp) -> Vec<Vec<Option<String>>> {
    app.sql("SELECT state, worker, attempts FROM jobs ORDER BY id")
        .await
}

async fn checks(app: &TestApp, run: &str) -> String {
    let count = format!("SELECT count(*) FROM uptime_checks WHERE run_id = '{run}'");
    app.sql(&count).await[0][0].clone().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_gets_sigterm_finishes_its_jobs_while_another_takes_the_new_ones() {
    let (app, mut site) = (TestApp::start().await, Site::held().await);
    watch(&app, &site, &["local"]).await;
    let leaving = node(&app);
    let first = ask_for_a_check(&app).await;
    site.is_asked().await;
    let staying = node(&app);
    leaving.signal("TERM");
    // It must have heard of its end before there is more to do.
    sleep(Duration::from_millis(300)).await;
    let second = ask_for_a_check(&app).await;
    let asked = Instant::now();
    site.is_asked().await;
    let took = asked.elapsed();
    assert!(took < Duration::from_secs(2), "{took:?}");
    let jobs = rows(&app).await;
    assert!(
        jobs.iter().all(|job| job[0].as_deref() == Some("running")),
        "{jobs:?}"
    );
    assert_ne!(jobs[0][1], jobs[1][1], "two workers");
    site.answer(2);
    assert_eq!(leaving.end(Duration::from_secs(5)), Some(0));
    assert_eq!(rows(&app).await[0][0].as_deref(), Some("succeeded"));
    staying.signal("TERM");
    assert_eq!(staying.end(Duration::from_secs(5)), Some(0));
    for (run, job) in [first, second].iter().zip(rows(&app).await) {
        assert_eq!(job, [Some("succeeded".to_owned()), None, Some("1".to_owned())]);
        assert_eq!(checks(&app, run).await, "1");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_node_can_t_finish_is_taken_over_as_soon_as_it_ends() {
    let (app, mut site) = (TestApp::start().await, Site::held().await);
    watch(&app, &site, &["local"]).await;
    let leaving = node(&app);
    let run = ask_for_a_check(&app).await;
    site.is_asked().await;
    let _staying = node(&app);
    let first_worker = rows(&app).await[0][1].clone();
    let told = Instant::now();
    leaving.signal("INT");
    site.is_asked().await;
    let took = told.elapsed();
    println!("the other node had the job {took:?} after Ctrl-C");
    assert!(took < Duration::from_secs(4), "{took:?}");
    let job = &rows(&app).await[0];
    assert_eq!(
        (job[0].as_deref(), job[2].as_deref()),
        (Some("running"), Some("1"))
    );
    assert_ne!(job[1], first_worker);
    assert_eq!(leaving.end(Duration::from_secs(5)), Some(0));
    site.answer(2);
    let deadline = Instant::now() + Duration::from_secs(5);
    while rows(&app).await[0][0].as_deref() != Some("succeeded") {
        assert!(Instant::now() < deadline, "{:?}", rows(&app).await);
        sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(checks(&app, &run).await, "1");
}

fn pharos(queue: &Queue, arguments: &[&str]) -> Output {
    let mut command = Command::new(binary());
    command
        .env("PHAROS_DATABASE_URL", queue.test.url())
        .args(["admin", "--json", "job"])
        .args(arguments);
    command.output().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_sees_the_dead_jobs_and_has_one_tried_again() {
    let queue = Queue::new().await;
    let fails = |_| -> Doing {
        let why = "no such thing".to_owned();
        Box::pin(async move { Err(JobFailure::Permanent { why }) })
    };
    let crew = queue.crew(told(), fails).await;
    let job = queue.enqueue(None).await;
    queue.reaches(job, JobState::Dead).await;
    drop(crew);
    queue.enqueue(Some("us")).await;
    let listed = pharos(&queue, &["list", "--state", "dead", "--kind", "test"]);
    let listed: Value = serde_json::from_slice(&listed.stdout).unwrap();
    assert_eq!(listed.as_array().map(Vec::len), Some(1), "{listed}");
    assert_eq!(
        (&listed[0]["id"], &listed[0]["last_error"]),
        (&json!(job), &json!("no such thing"))
    );

    let done = |_| -> Doing { Box::pin(async { Ok(Changed::new()) }) };
    let _crew = queue.crew(told(), done).await;
    sleep(Duration::from_millis(200)).await;
    let id = job.to_string();
    let retried = pharos(&queue, &["retry", &id]);
    let retried: Value = serde_json::from_slice(&retried.stdout).unwrap();
    assert_eq!(
        (&retried["state"], &retried["attempts"]),
        (&json!("queued"), &json!(0))
    );
    queue.reaches(job, JobState::Succeeded).await;
    let again = pharos(&queue, &["retry", &id]);
    let error = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(
        !again.status.success() && error.contains("the job is succeeded"),
        "{error}"
    );
}
