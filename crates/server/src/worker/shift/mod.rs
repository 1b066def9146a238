//! The jobs that a worker has, from their claim on.

mod ends;
mod leases;

use std::{collections::HashMap, future::Future, sync::Arc, time::Duration};

use pharos_domain::{
    ids::{JobId, WorkerId},
    jobs::{Attempt, Changed, Claim, ClaimedJob, JobFailure, JobHandler, JobKind, LONGEST_LEASE, Retry},
    store::StoreError,
};
use pharos_persistence::metrics::{self, JobEnd};
use pharos_traces::span::Span;
use tokio::{
    task::{self, AbortHandle, JoinSet},
    time::{Instant, timeout},
};

use super::Worker;

/// How many jobs one statement claims.
const BATCH: usize = 64;
/// The shortest pause between two looks: a job that is due may be another's in this moment.
const SHORTEST_PAUSE: Duration = Duration::from_millis(50);
/// How long the store may take to answer, so that a slow one does not cost the leases.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// A worker at work.
pub(super) struct Shift {
    worker: Worker,
    id: WorkerId,
    handlers: HashMap<JobKind, Arc<dyn JobHandler>>,
    running: JoinSet<Result<(), JobFailure>>,
    held: HashMap<task::Id, Held>,
    ended: Vec<Ended>,
    look_at: Instant,
    settle_at: Instant,
}

/// The kinds and the number of jobs that a worker has room for.
struct Room {
    kinds: Vec<JobKind>,
    limit: usize,
}

/// A job that runs.
struct Held {
    job: JobId,
    number: u32,
    kind: JobKind,
    task: AbortHandle,
}

/// A job that has run, and whose outcome is not stored yet.
struct Ended {
    attempt: Attempt,
    kind: JobKind,
    /// Whether only its caller has to know how it ended.
    is_expected: bool,
}

impl Shift {
    pub(super) fn new(worker: Worker) -> Self {
        let handlers: HashMap<JobKind, Arc<dyn JobHandler>> = worker
            .handlers
            .iter()
            .map(|handler| (handler.kind(), Arc::clone(handler)))
            .collect();
        handlers.keys().copied().for_each(metrics::jobs_of);
        Self {
            id: WorkerId::generate(),
            handlers,
            running: JoinSet::new(),
            held: HashMap::new(),
            ended: Vec::new(),
            look_at: Instant::now(),
            settle_at: Instant::now(),
            worker,
        }
    }

    /// Whether nothing runs, and everything is stored.
    pub(super) fn is_over(&self) -> bool {
        self.held.is_empty() && self.ended.is_empty()
    }

    pub(super) fn has_room(&self) -> bool {
        self.room().limit > 0
    }

    fn room(&self) -> Room {
        let places = self.worker.concurrency;
        let mut limit = places.saturating_sub(self.running.len()).min(BATCH);
        let mut kinds = Vec::with_capacity(self.handlers.len());
        for kind in self.handlers.keys().copied() {
            let left = self.left(kind);
            if left > 0 {
                // All that is claimed may be of this kind. The next claim is without it, and goes on.
                limit = limit.min(left);
                kinds.push(kind);
            }
        }
        if kinds.is_empty() {
            limit = 0;
        }
        Room { kinds, limit }
    }

    /// How many more jobs of a kind may run.
    fn left(&self, kind: JobKind) -> usize {
        let running = self.held.values().filter(|held| held.kind == kind).count();
        let most = self
            .handlers
            .get(&kind)
            .map_or(0, |handler| handler.most_at_once(self.worker.concurrency));
        most.saturating_sub(running)
    }

    /// How long nobody else gets its jobs.
    fn lease(&self) -> time::Duration {
        time::Duration::try_from(self.worker.pace.lease).unwrap_or(LONGEST_LEASE)
    }

    /// When to look for jobs.
    pub(super) fn look_at(&self) -> Instant {
        self.look_at
    }

    pub(super) fn look_now(&mut self) {
        self.look_at = Instant::now();
    }

    /// Claims jobs, begins them, and computes when to look again.
    pub(super) async fn claim(&mut self) {
        let Room { kinds, limit } = self.room();
        let Worker {
            queue, region, pace, ..
        } = &self.worker;
        let claim = Claim {
            worker: self.id,
            kinds: &kinds,
            lane: region,
            lease: self.lease(),
            limit,
        };
        let pause = match answer(queue.claim(&claim)).await {
            // There may be more.
            Ok(claimed) if claimed.len() == claim.limit => {
                self.begin_all(claimed);
                Duration::ZERO
            }
            Ok(claimed) => {
                self.begin_all(claimed);
                self.pause().await
            }
            Err(error) => {
                tracing::warn!(%error, "jobs can't be claimed at the moment");
                pace.poll
            }
        };
        self.look_at = Instant::now() + pause;
    }

    /// Until the next job is due. The poll is for what nobody rang for.
    async fn pause(&self) -> Duration {
        // A kind without room is looked for again when one of its jobs ends.
        let Room { kinds, .. } = self.room();
        let Worker {
            queue, region, pace, ..
        } = &self.worker;
        let pause = match answer(queue.next_due(&kinds, region)).await {
            Ok(Some(due_in)) => Duration::try_from(due_in).unwrap_or(Duration::ZERO),
            Ok(None) | Err(_) => Duration::MAX,
        };
        pause.clamp(SHORTEST_PAUSE, pace.poll.max(SHORTEST_PAUSE))
    }

    fn begin_all(&mut self, jobs: Vec<ClaimedJob>) {
        for job in jobs {
            if let Some(handler) = self.handlers.get(&job.kind).cloned() {
                self.begin(job, handler);
            }
        }
    }

    fn begin(&mut self, job: ClaimedJob, handler: Arc<dyn JobHandler>) {
        // It may have lost the lease of this very job, and got it again: only one of the two may go on.
        self.call_off(job.id);
        let (id, number, kind) = (job.id, job.attempt, job.kind);
        metrics::job_claimed(kind);
        tracing::debug!(job = %id, %kind, attempt = number, "a job begins");
        let cache = Arc::clone(&self.worker.cache);
        let mut span = Span::job(|| format!("job {kind}"));
        if span.is_some() {
            span.set("pharos.job_id", id.to_string());
            span.set("pharos.job_attempt", number);
        }
        let task = self.running.spawn(async move {
            let work = async {
                let ended = handler.run(&job).await;
                let changed = match &ended {
                    Ok(changed) => changed.clone(),
                    // Its time has not come, and the attempt that ends it tells.
                    Err(failure) if matches!(failure.retry, Retry::PutOff(_)) => Changed::new(),
                    // Whether it was the last attempt is the store's to say.
                    Err(_) => handler.touched(&job),
                };
                for (domain, module) in changed {
                    cache.changed(domain, module).await;
                }
                ended.map(|_| ())
            };
            let done = span.within(work).await;
            if done.is_ok() {
                span.succeed();
            }
            done
        });
        let held = Held {
            job: id,
            number,
            kind,
            task,
        };
        self.held.insert(held.task.id(), held);
    }

    fn call_off(&mut self, job: JobId) {
        for (_, lost) in self.held.extract_if(|_, held| held.job == job) {
            metrics::job_ended(lost.kind, JobEnd::Lost);
            lost.task.abort();
        }
    }
}

/// The store's answer, if it comes in time.
async fn answer<T>(call: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
    timeout(ANSWER_WITHIN, call)
        .await
        .unwrap_or_else(|late| Err(StoreError::Unavailable(Box::new(late))))
}
