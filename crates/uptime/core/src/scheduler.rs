//! Claims due checks, runs them, stores what they find.
//!
//! One scheduler works for one region. Several, on one node or many, share the work through the store's claims:
//! a check that a dead scheduler had claimed becomes due again when its lease is over.

use std::{panic::resume_unwind, sync::Arc, time::Duration as StdDuration};

use pharos_domain::ids::DomainId;
use pharos_supervisor::caught;
use time::Duration;
use tokio::{
    sync::mpsc,
    task::JoinSet,
    time::{Instant, sleep, timeout, timeout_at},
};
use tokio_util::sync::CancellationToken;

use crate::{
    checker::{Checker, Occasion},
    history::RegionPlace,
    state::SKEW,
    store::{DueCheck, FinishedCheck, ScheduleStore},
};

/// How long a claim holds. Longer than any check may take.
const LEASE: Duration = Duration::minutes(2);
/// The longest pause between two looks at what is due.
const MOST_PAUSE: StdDuration = StdDuration::from_millis(500);
/// The shortest: a check may begin that much late, so that those due about the same time are claimed together.
const LEAST_PAUSE: StdDuration = StdDuration::from_millis(25);
/// How many checks are claimed, or stored, in one statement.
const BATCH: usize = 256;
/// How long finished checks wait for company before they are stored.
const GATHER: StdDuration = StdDuration::from_millis(50);

/// How often a region is registered anew, which also sees to it that there is room for what checks find, and that no
/// check is due further ahead than it can be.
const REGISTER: StdDuration = StdDuration::from_secs(3_600);
/// How long the last results may take to be stored.
const LAST_WRITE: StdDuration = StdDuration::from_secs(1);

/// Runs the checks of one region.
#[derive(Clone)]
pub struct Scheduler {
    /// Where due checks come from, and results go.
    pub store: Arc<dyn ScheduleStore>,
    /// What checks with, from the region that this scheduler works for.
    pub checker: Checker,
    /// How many checks run at once.
    pub concurrency: usize,
    /// What is said of the region that checks run from.
    pub place: RegionPlace,
}

impl std::fmt::Debug for Scheduler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scheduler")
            .field("checker", &self.checker)
            .finish_non_exhaustive()
    }
}

impl Scheduler {
    /// Works until `stop`; then lets the running checks end until `abandon`, stores them, and gives the rest back.
    pub async fn run(self, stop: CancellationToken, abandon: CancellationToken) {
        let (finished, results) = mpsc::channel(BATCH * 4);
        let mut writer = tokio::spawn(self.clone().write(results));
        let mut running: JoinSet<DomainId> = JoinSet::new();
        let mut claimed: Vec<DomainId> = Vec::new();
        self.register(&stop).await;
        let mut registered = Instant::now();
        let mut latest = self.checker.clock.now();
        while !stop.is_cancelled() {
            let now = self.checker.clock.now();
            // A clock that was set back may have left checks due that lie far ahead now.
            if registered.elapsed() > REGISTER || now + SKEW < latest {
                self.register(&stop).await;
                registered = Instant::now();
            }
            latest = now;
            while let Some(done) = running.try_join_next() {
                claimed.retain(|domain| done.as_ref().ok() != Some(domain));
            }
            let room = self.concurrency.saturating_sub(running.len()).min(BATCH);
            let due = if room == 0 {
                Vec::new()
            } else {
                self.claim(room).await
            };
            // Then there may be more.
            let is_full = room > 0 && due.len() == room;
            for check in due {
                claimed.push(check.domain_id);
                running.spawn(self.clone().check_apart(check, finished.clone()));
            }
            let pause = if is_full {
                StdDuration::ZERO
            } else {
                self.pause(room).await
            };
            tokio::select! {
                () = stop.cancelled() => {}
                () = sleep(pause) => {}
                // Without it nothing would be stored any more: its panic is the scheduler's.
                Err(panicked) = &mut writer => resume_unwind(panicked.into_panic()),
                Some(done) = running.join_next(), if room == 0 => {
                    claimed.retain(|domain| done.as_ref().ok() != Some(domain));
                }
            }
        }
        while let Some(Some(done)) = abandon.run_until_cancelled(running.join_next()).await {
            claimed.retain(|domain| done.as_ref().ok() != Some(domain));
        }
        running.shutdown().await;
        drop(finished);
        // What is finished is stored even so, unless the store is away.
        if !matches!(timeout(LAST_WRITE, writer).await, Ok(Ok(()))) {
            tracing::warn!("finished checks could not be stored before the end; they will be done again");
        }
        if !claimed.is_empty()
            && let Err(error) = self.store.release(&self.checker.region, &claimed).await
        {
            tracing::warn!(%error, "claimed checks could not be given back; their lease will end");
        }
    }

    async fn register(&self, stop: &CancellationToken) {
        while !stop.is_cancelled() {
            match self
                .store
                .register_region(&self.place, self.checker.clock.now())
                .await
            {
                Ok(()) => return,
                Err(error) => {
                    tracing::warn!(%error, region = self.checker.region, "the region can't be registered yet")
                }
            }
            sleep(StdDuration::from_secs(1)).await;
        }
    }

    async fn claim(&self, room: usize) -> Vec<DueCheck> {
        match self
            .store
            .claim(&self.checker.region, self.checker.clock.now(), LEASE, room)
            .await
        {
            Ok(due) => due,
            Err(error) => {
                tracing::warn!(%error, "due checks can't be claimed at the moment");
                Vec::new()
            }
        }
    }

    /// Until the next check is due, or a new monitor may have come.
    async fn pause(&self, room: usize) -> StdDuration {
        if room == 0 {
            return MOST_PAUSE;
        }
        let now = self.checker.clock.now();
        match self.store.next_due(&self.checker.region, now).await {
            Ok(Some(due)) => StdDuration::try_from(due - self.checker.clock.now())
                .unwrap_or(StdDuration::ZERO)
                .min(MOST_PAUSE),
            Ok(None) | Err(_) => MOST_PAUSE,
        }
        .max(LEAST_PAUSE)
    }

    /// A panic over one site keeps no other from being checked.
    async fn check_apart(self, due: DueCheck, finished: mpsc::Sender<FinishedCheck>) -> DomainId {
        let domain_id = due.domain_id;
        if let Err(panic) = caught(self.check(due, finished)).await {
            tracing::error!(%panic, %domain_id, "a check panicked; it is skipped until its lease is over");
        }
        domain_id
    }

    async fn check(self, due: DueCheck, finished: mpsc::Sender<FinishedCheck>) {
        let DueCheck {
            domain_id,
            settings,
            due_at,
        } = due;
        let Some(done) = self
            .checker
            .check(domain_id, &settings, Occasion::Due(due_at))
            .await
        else {
            tracing::error!(%domain_id, "the monitor's settings make no request; it is skipped until its lease is over");
            return;
        };
        let sent = finished.send(done).await;
        if sent.is_err() {
            tracing::warn!(%domain_id, "a finished check came too late to be stored");
        }
    }

    /// Stores finished checks in batches, in the order that they came. A store that is away is waited for; what it can't
    /// take, it sets aside.
    async fn write(self, mut results: mpsc::Receiver<FinishedCheck>) {
        while let Some(first) = results.recv().await {
            let mut batch = vec![first];
            let deadline = Instant::now() + GATHER;
            while batch.len() < BATCH
                && let Ok(Some(next)) = timeout_at(deadline, results.recv()).await
            {
                batch.push(next);
            }
            let mut wait = StdDuration::from_millis(200);
            while let Err(error) = self.store.complete(&batch, self.checker.clock.now()).await {
                tracing::warn!(%error, checks = batch.len(), "finished checks can't be stored at the moment");
                sleep(wait).await;
                wait = (wait * 2).min(StdDuration::from_secs(5));
            }
        }
    }
}
