//! Does the jobs of the queue.
//!
//! One worker a node. It does the jobs of its own region and those of none, as many at once as it may, and holds
//! each under a lease that it keeps extending. A worker that dies loses its jobs when their leases end; one that is
//! told to stop gives back at once what it can not finish.

mod shift;

use std::{collections::HashSet, sync::Arc, time::Duration};

use pharos_domain::jobs::{JobHandler, JobQueue};
use pharos_due::bell::Bell;
use pharos_http::metering::ResponseCache;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep_until};
use tokio_util::sync::CancellationToken;

use self::shift::Shift;

/// Does the jobs of one region.
#[derive(Clone)]
pub struct Worker {
    /// Gives jobs out, and takes their outcomes.
    pub queue: Arc<dyn JobQueue>,
    /// The handlers of jobs, one a kind.
    pub handlers: Vec<Arc<dyn JobHandler>>,
    /// Rings when a job was enqueued.
    pub bell: Arc<Bell>,
    /// Keeps answers, which jobs outdate.
    pub cache: Arc<dyn ResponseCache>,
    /// The region that this worker does jobs for.
    pub region: String,
    /// How many jobs run at once.
    pub concurrency: usize,
    /// Its lease, its beat and its poll.
    pub pace: WorkerPace,
}

/// The intervals of a worker.
#[derive(Clone, Copy, Debug)]
pub struct WorkerPace {
    /// How long no other worker gets a job that this one has.
    pub lease: Duration,
    /// How often leases are extended: so that two beats may fail.
    pub beat: Duration,
    /// The longest pause between two looks at what is due.
    pub poll: Duration,
}

impl Default for WorkerPace {
    fn default() -> Self {
        Self {
            lease: Duration::from_secs(60),
            beat: Duration::from_secs(20),
            poll: Duration::from_secs(5),
        }
    }
}

impl std::fmt::Debug for Worker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Worker")
            .field("region", &self.region)
            .finish_non_exhaustive()
    }
}

impl Worker {
    /// Works until `stop`; then lets the running jobs end until `abandon`, and gives the rest back.
    pub async fn run(self, stop: CancellationToken, abandon: CancellationToken) {
        let kinds = self.handlers.iter().map(|handler| handler.kind().to_string());
        let names: HashSet<String> = kinds.chain([self.region.clone()]).collect();
        self.bell.ring_for(names);
        let beat = self.pace.beat;
        let mut beats = interval_at(Instant::now() + beat, beat);
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let bell = Arc::clone(&self.bell);
        let mut shift = Shift::new(self);
        loop {
            let stopping = stop.is_cancelled();
            if stopping && shift.is_over() {
                break;
            }
            if !stopping && shift.has_room() && shift.look_at() <= Instant::now() {
                shift.claim().await;
            }
            let looks = !stopping && shift.has_room();
            let (look_at, unsettled, settle_at) = (shift.look_at(), shift.has_unsettled(), shift.settle_at());
            tokio::select! {
                () = stop.cancelled(), if !stopping => {}
                () = abandon.cancelled() => break,
                true = shift.next_end() => shift.settle().await,
                () = sleep_until(settle_at), if unsettled => shift.settle().await,
                _ = bell.rung(), if looks => shift.look_now(),
                () = sleep_until(look_at), if looks => {}
                _ = beats.tick() => shift.beat().await,
            }
        }
        shift.hand_over().await;
    }
}
