//! The worker, on a real queue. Its tests share a queue, a worker at work and a handler.

mod admin;
mod processes;
mod worker;

use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    time::{Duration, Instant},
};

use pharos_domain::{
    clock::SystemClock,
    ids::JobId,
    jobs::{
        Changed, ClaimedJob, JobDetails, JobFailure, JobFilter, JobHandler, JobKind, JobQueue, JobState,
        NewJob,
    },
    module::Module,
};
use pharos_metering::cache::memory::MemoryResponseCache;
use pharos_persistence::{
    jobs::enqueued,
    listener::Listener,
    pool::{Database, DatabaseOptions},
    testing::TestDatabase,
};
use pharos_server::{
    groups::{SCHEMAS, database_options},
    worker::{Worker, WorkerPace},
};
use pharos_supervisor::Supervisor;
use pharos_tests::stores::Stores;
use serde_json::{Value, json};
use tokio::{
    task::JoinHandle,
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;

const KIND: JobKind = JobKind::new("test");

/// A queue of its own.
struct Queue {
    database: Database,
    stores: Stores,
    test: TestDatabase,
}

impl Queue {
    async fn new() -> Self {
        let test = TestDatabase::create(SCHEMAS)
            .await
            .expect("a database for the test");
        let database = connect(test.url()).await;
        Self {
            stores: Stores::new(&database),
            database,
            test,
        }
    }

    async fn enqueue(&self, lane: Option<&str>) -> JobId {
        self.enqueue_of(KIND, lane).await
    }

    async fn enqueue_of(&self, kind: JobKind, lane: Option<&str>) -> JobId {
        self.enqueue_with(kind, lane, json!({})).await
    }

    async fn enqueue_with(&self, kind: JobKind, lane: Option<&str>, payload: Value) -> JobId {
        let job = NewJob {
            id: JobId::generate(),
            kind,
            lane: lane.map(str::to_owned),
            workspace: None,
            payload,
            pause: time::Duration::ZERO,
            max_attempts: 3,
        };
        let id = job.id;
        enqueued(&self.database, &[job]).await.unwrap();
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
        let deadline = Instant::now() + Duration::from_secs(30);
        loop {
            let job = self.job(id).await;
            if job.state == state {
                return job;
            }
            assert!(Instant::now() < deadline, "still {job:?}");
            sleep(Duration::from_millis(10)).await;
        }
    }

    async fn crew(&self, pace: WorkerPace, handler: impl Work) -> Crew {
        Crew::start(&self.database, "eu", pace, vec![handle(handler)]).await
    }
}

pub(crate) async fn connect(url: &str) -> Database {
    let options = DatabaseOptions {
        pool_size: 4,
        ..database_options()
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
        pace: WorkerPace,
        handlers: Vec<Arc<dyn JobHandler>>,
    ) -> Self {
        let queue = Stores::new(database).jobs;
        Self::start_on(queue, database, region, pace, handlers).await
    }

    async fn start_on(
        queue: Arc<dyn JobQueue>,
        database: &Database,
        region: &str,
        pace: WorkerPace,
        handlers: Vec<Arc<dyn JobHandler>>,
    ) -> Self {
        let listener = Listener::start(database, &Supervisor::default()).await.unwrap();
        let cache = Arc::new(MemoryResponseCache::new(1 << 20, Arc::new(SystemClock)));
        let worker = Worker {
            queue,
            handlers,
            bell: listener.jobs(),
            cache: cache.clone(),
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
        timeout(Duration::from_secs(30), &mut self.task)
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

/// The function that a handler of a test calls for each job.
trait Work: Fn(ClaimedJob) -> Doing + Send + Sync + 'static {}
impl<F: Fn(ClaimedJob) -> Doing + Send + Sync + 'static> Work for F {}

/// Does jobs of a kind, of which so many run at once.
struct Handler<F> {
    kind: JobKind,
    most: usize,
    work: F,
}

impl<F: Work> JobHandler for Handler<F> {
    fn kind(&self) -> JobKind {
        self.kind
    }

    fn most_at_once(&self, places: usize) -> usize {
        self.most.min(places)
    }

    fn touched(&self, job: &ClaimedJob) -> Changed {
        job.of_domain(Module::Uptime)
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
        (self.work)(job.clone())
    }
}

fn handle(work: impl Work) -> Arc<dyn JobHandler> {
    Arc::new(Handler {
        kind: KIND,
        most: usize::MAX,
        work,
    })
}

/// A worker that never polls while a test lasts: what it finds out, it was told.
fn told() -> WorkerPace {
    WorkerPace {
        poll: Duration::from_secs(600),
        ..WorkerPace::default()
    }
}
