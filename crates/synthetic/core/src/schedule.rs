//! Pages as things with a due time: their runs are recorded when they are due, and done by jobs.

use std::{sync::Arc, time::Duration as StdDuration};

use async_trait::async_trait;
use pharos_domain::{clock::Clock, kept_answers::KeptAnswers, module::Module, store::StoreError};
use pharos_due::{
    bell::Bell,
    run::{DueLoop, DuePace},
    work::{DueClaim, DueWork},
};
use time::{Duration, OffsetDateTime};
use tokio_util::sync::CancellationToken;

use crate::store::{DuePage, LabSchedule, Planned};

/// How long a claim holds: taking runs down takes a moment.
const LEASE: Duration = Duration::minutes(2);
/// How many pages are planned at once.
const BATCH: usize = 64;
/// How long plans wait for company.
const GATHER: StdDuration = StdDuration::from_millis(200);
/// The longest pause between two looks.
const POLL: StdDuration = StdDuration::from_secs(10);

/// Plans the runs of pages.
#[derive(Clone)]
pub struct LabPlanner {
    /// Where due pages come from, and runs go.
    pub store: Arc<dyn LabSchedule>,
    /// The clock that due times are judged by.
    pub clock: Arc<dyn Clock>,
    /// Rings when a page is due sooner.
    pub bell: Arc<Bell>,
    /// Kept answers, which the end of runs outdates.
    pub answers: Arc<dyn KeptAnswers>,
}

impl std::fmt::Debug for LabPlanner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LabPlanner").finish_non_exhaustive()
    }
}

impl LabPlanner {
    /// Works until `stop`.
    pub async fn run(self, stop: CancellationToken, abandon: CancellationToken) {
        self.due().run(stop, abandon).await;
    }

    /// Plans once what is due now, and says for how many pages.
    ///
    /// # Errors
    /// The store failed.
    pub async fn round(&self) -> Result<usize, StoreError> {
        self.clone().due().once().await
    }

    fn due(self) -> DueLoop<Self> {
        DueLoop {
            bell: Arc::clone(&self.bell),
            clock: Arc::clone(&self.clock),
            pace: DuePace::in_batches(BATCH, LEASE, GATHER, POLL),
            work: Arc::new(self),
        }
    }
}

#[async_trait]
impl DueWork for LabPlanner {
    type Item = DuePage;
    type Outcome = Planned;

    const NAME: &'static str = "lab tests";

    async fn prepare(&self, _now: OffsetDateTime) -> Result<(), StoreError> {
        self.store.bring_back().await
    }

    async fn claim(&self, claim: &DueClaim) -> Result<Vec<DuePage>, StoreError> {
        // Pages that are due are planned even so.
        match self.store.give_up().await {
            Ok(domains) => {
                for domain in domains {
                    self.answers.outdated(domain, Module::Synthetic).await;
                }
            }
            Err(error) => {
                tracing::warn!(%error, "lab tests that nobody will do can't be ended at the moment");
            }
        }
        self.store.claim(claim).await
    }

    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError> {
        self.store.next_due(now).await
    }

    fn due_in(&self, due: &DuePage) -> Duration {
        due.due_in
    }

    fn subject(&self, due: &DuePage) -> String {
        due.id.to_string()
    }

    async fn perform(&self, due: &DuePage) -> Option<Planned> {
        let now = self.clock.now();
        Some(Planned {
            next_run_at: due.settings.next_run(due.id, now),
            page: due.clone(),
            now,
        })
    }

    async fn settle(&self, planned: &[Planned], _now: OffsetDateTime) -> Result<(), StoreError> {
        self.store.plan(planned).await
    }

    async fn release(&self, claimed: &[&DuePage]) -> Result<(), StoreError> {
        self.store.release(claimed).await
    }
}
