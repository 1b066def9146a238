//! Reports that are made by themselves, as something with a due time.

use std::{sync::Arc, time::Duration as StdDuration};

use async_trait::async_trait;
use pharos_domain::{clock::Clock, store::StoreError};
use pharos_due::{
    run::{DueLoop, DuePace},
    work::{DueClaim, DueWork},
};
use time::{Duration, OffsetDateTime, UtcOffset};
use tokio_util::sync::CancellationToken;

use crate::{
    run::of_schedule,
    store::{DueSchedule, ReportSchedules, ScheduleOutcome},
};

/// How long a claim holds. Nothing is done but to write a run down.
const LEASE: Duration = Duration::minutes(5);
const BATCH: usize = 64;
const POLL: StdDuration = StdDuration::from_secs(30);

/// Asks for reports when their schedules are due. Making them is jobs'.
#[derive(Clone)]
pub struct ReportScheduler {
    /// Where due schedules come from, and runs go.
    pub store: Arc<dyn ReportSchedules>,
    /// The clock that due times are judged by.
    pub clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for ReportScheduler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReportScheduler").finish_non_exhaustive()
    }
}

impl ReportScheduler {
    /// Works until `stop`.
    pub async fn run(self, stop: CancellationToken, abandon: CancellationToken) {
        self.due().run(stop, abandon).await;
    }

    /// Asks once for what is due now, and says for how many schedules.
    ///
    /// # Errors
    /// The store failed.
    pub async fn round(&self) -> Result<usize, StoreError> {
        self.clone().due().once().await
    }

    fn due(self) -> DueLoop<Self> {
        DueLoop {
            bell: Arc::default(),
            clock: Arc::clone(&self.clock),
            pace: DuePace::in_batches(BATCH, LEASE, StdDuration::ZERO, POLL),
            work: Arc::new(self),
        }
    }

    /// The outcome of a schedule: one report, however many times it would have been due meanwhile. It is that of the last time.
    fn outcome(due: &DueSchedule, now: OffsetDateTime) -> ScheduleOutcome {
        let schedule = due.template.settings.schedule.as_ref();
        let next_at = schedule.and_then(|schedule| schedule.next_after(now));
        let run = schedule.map(|schedule| {
            // Which of two clocks is ahead makes no difference: what is due by the store's was due.
            let day = schedule.last_day(now.max(due.due_at));
            let day = day.unwrap_or_else(|| now.to_offset(UtcOffset::UTC).date());
            of_schedule(&due.template, due.workspace, due.requested_by, day, now)
        });
        ScheduleOutcome {
            template: due.template.id,
            leased_until: due.leased_until,
            run: run.map(Box::new),
            next_at,
        }
    }
}

#[async_trait]
impl DueWork for ReportScheduler {
    type Item = DueSchedule;
    type Outcome = ScheduleOutcome;

    const NAME: &'static str = "report schedules";

    async fn prepare(&self, _now: OffsetDateTime) -> Result<(), StoreError> {
        self.store.bring_back().await
    }

    async fn claim(&self, claim: &DueClaim) -> Result<Vec<DueSchedule>, StoreError> {
        self.store.claim(claim).await
    }

    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError> {
        self.store.next_due(now).await
    }

    fn due_in(&self, due: &DueSchedule) -> Duration {
        due.due_in
    }

    fn subject(&self, due: &DueSchedule) -> String {
        due.template.id.to_string()
    }

    async fn perform(&self, due: &DueSchedule) -> Option<ScheduleOutcome> {
        Some(Self::outcome(due, self.clock.now()))
    }

    async fn settle(&self, outcomes: &[ScheduleOutcome], now: OffsetDateTime) -> Result<(), StoreError> {
        self.store.settle(outcomes, now).await
    }

    async fn release(&self, claimed: &[&DueSchedule]) -> Result<(), StoreError> {
        self.store.release(claimed).await
    }
}
