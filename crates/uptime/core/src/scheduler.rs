//! The checks of one region, as things with a due time.

use std::{collections::HashSet, sync::Arc, time::Duration as StdDuration};

use async_trait::async_trait;
use pharos_domain::store::StoreError;
use pharos_due::{
    bell::Bell,
    run::{DueLoop, DuePace},
    work::{DueClaim, DueWork},
};
use time::{Duration, OffsetDateTime};
use tokio_util::sync::CancellationToken;

use crate::{
    check::Outcome,
    checker::{Checker, Occasion},
    finished::FinishedCheck,
    history::RegionPlace,
    metrics,
    schedule::{DueCheck, ScheduleStore},
};

/// How long a claim holds. Longer than a check may wait for its time, take, and wait to be stored.
const LEASE: Duration = Duration::minutes(2);
/// How long before they are due checks are claimed.
const AHEAD: StdDuration = StdDuration::from_secs(2);
/// How long finished checks wait for company before they are stored.
const GATHER: StdDuration = StdDuration::from_secs(1);
/// The longest pause between two looks at what is due.
const POLL: StdDuration = StdDuration::from_secs(5);
/// How many checks are claimed, or stored, at once.
const BATCH: usize = 256;

/// Runs the checks of one region.
#[derive(Clone)]
pub struct Scheduler {
    /// Where due checks come from, and results go.
    pub store: Arc<dyn ScheduleStore>,
    /// The checker, of the region that this scheduler works for.
    pub checker: Checker,
    /// Rings when what is due in a region has changed.
    pub bell: Arc<Bell>,
    /// How many checks are held at once.
    pub concurrency: usize,
    /// The region that checks run from, as it is registered.
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
        self.bell.ring_for(HashSet::from([self.checker.region.clone()]));
        let due = DueLoop {
            bell: Arc::clone(&self.bell),
            clock: Arc::clone(&self.checker.clock),
            pace: DuePace {
                concurrency: self.concurrency,
                batch: BATCH,
                lease: LEASE,
                ahead: AHEAD,
                gather: GATHER,
                poll: POLL,
            },
            work: Arc::new(self),
        };
        due.run(stop, abandon).await;
    }
}

#[async_trait]
impl DueWork for Scheduler {
    type Item = DueCheck;
    type Outcome = FinishedCheck;

    const NAME: &'static str = "checks";

    const TELLS_ITS_LAG: bool = true;

    /// Registers the region, which also sees to it that there is room for what checks find, and that no check is due
    /// further ahead than it can be.
    async fn prepare(&self, now: OffsetDateTime) -> Result<(), StoreError> {
        self.store.register_region(&self.place, now).await
    }

    async fn claim(&self, claim: &DueClaim) -> Result<Vec<DueCheck>, StoreError> {
        self.store.claim(&self.checker.region, claim).await
    }

    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError> {
        self.store.next_due(&self.checker.region, now).await
    }

    fn due_in(&self, due: &DueCheck) -> Duration {
        due.due_in
    }

    fn subject(&self, due: &DueCheck) -> String {
        due.domain_id.to_string()
    }

    async fn perform(&self, due: &DueCheck) -> Option<FinishedCheck> {
        let occasion = Occasion::Due {
            at: due.due_at,
            settings_at: due.settings_at,
        };
        let done = self.checker.check(due.domain_id, &due.settings, occasion).await;
        if done.is_none() {
            let domain_id = due.domain_id;
            tracing::error!(%domain_id, "the monitor's settings make no request; it is skipped until its lease is over");
        }
        done
    }

    /// A failure is looked into soon, or ends up as an incident.
    fn is_urgent(&self, done: &FinishedCheck) -> bool {
        !matches!(done.check.outcome, Outcome::Up | Outcome::Degraded)
    }

    async fn settle(&self, finished: &[FinishedCheck], now: OffsetDateTime) -> Result<(), StoreError> {
        self.store.complete(finished, now).await?;
        metrics::stored(finished.len());
        Ok(())
    }

    async fn release(&self, claimed: &[&DueCheck]) -> Result<(), StoreError> {
        self.store.release(&self.checker.region, claimed).await
    }
}
