//! Stores that panic once at each of their methods that a background task calls.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use pharos_auth::{
    secret::SecretDigest,
    store::{CredentialStore, KeyRecord},
};
use pharos_domain::{
    credits::{Balance, LogEntry, Payer},
    identity::DomainAccess,
    ids::{CheckId, CredentialId, DomainId, JobId, WorkerId},
    jobs::{Attempt, Claim, ClaimedJob, JobKind, JobQueue, JobState},
    ledger::{LedgerFailure, LedgerStore, Verdict},
    ports::Ports,
    store::StoreError,
};
use pharos_due::work::DueClaim;
use pharos_uptime::{
    finished::FinishedCheck,
    history::RegionPlace,
    monitor::settings::MonitorSettings,
    registration::store::{AskedRegistration, DueRegistration, MonitoredRegistration, RegistrationStore},
    schedule::{DueCheck, ScheduleStore},
};
use time::{Duration, OffsetDateTime};

/// Burns once at each place.
#[derive(Clone, Default)]
pub(super) struct Fuse(Arc<Mutex<HashSet<&'static str>>>);

impl Fuse {
    /// The ports, with this in those that background tasks work on.
    pub(super) fn within(&self, ports: Ports) -> Ports {
        let (schedule, registrations) = (self.fused(&ports), self.fused(&ports));
        let (jobs, ledger, credentials) = (self.fused(&ports), self.fused(&ports), self.fused(&ports));
        ports
            .with_instead::<dyn ScheduleStore>(schedule)
            .with_instead::<dyn RegistrationStore>(registrations)
            .with_instead::<dyn JobQueue>(jobs)
            .with_instead::<dyn LedgerStore>(ledger)
            .with_instead::<dyn CredentialStore>(credentials)
    }

    fn fused<T: ?Sized + Send + Sync + 'static>(&self, ports: &Ports) -> Arc<Fused<T>> {
        Arc::new(Fused(ports.get().unwrap(), self.clone()))
    }

    fn burn(&self, place: &'static str) {
        let is_first = self.0.lock().unwrap().insert(place);
        assert!(!is_first, "{place} panics once");
    }
}

struct Fused<S: ?Sized>(Arc<S>, Fuse);

#[async_trait]
impl ScheduleStore for Fused<dyn ScheduleStore> {
    async fn register_region(&self, place: &RegionPlace, now: OffsetDateTime) -> Result<(), StoreError> {
        self.0.register_region(place, now).await
    }

    async fn claim(&self, region: &str, claim: &DueClaim) -> Result<Vec<DueCheck>, StoreError> {
        self.1.burn("claiming checks");
        self.0.claim(region, claim).await
    }

    async fn next_due(
        &self,
        region: &str,
        now: OffsetDateTime,
    ) -> Result<Option<OffsetDateTime>, StoreError> {
        self.0.next_due(region, now).await
    }

    async fn settings(&self, domain: DomainId) -> Result<Option<MonitorSettings>, StoreError> {
        self.0.settings(domain).await
    }

    async fn complete(
        &self,
        finished: &[FinishedCheck],
        now: OffsetDateTime,
    ) -> Result<Vec<CheckId>, StoreError> {
        // A job that fails is another matter.
        if finished.iter().all(|done| done.check.run_id.is_none()) {
            self.1.burn("storing checks");
        }
        self.0.complete(finished, now).await
    }

    async fn release(&self, region: &str, claimed: &[&DueCheck]) -> Result<(), StoreError> {
        self.0.release(region, claimed).await
    }
}

#[async_trait]
impl RegistrationStore for Fused<dyn RegistrationStore> {
    async fn view(&self, domain: &DomainAccess) -> Result<Option<MonitoredRegistration>, StoreError> {
        self.0.view(domain).await
    }

    async fn enrol(&self, now: OffsetDateTime, limit: usize) -> Result<(), StoreError> {
        self.1.burn("enrolling");
        self.0.enrol(now, limit).await
    }

    async fn bring_back(&self) -> Result<(), StoreError> {
        self.0.bring_back().await
    }

    async fn claim(&self, claim: &DueClaim) -> Result<Vec<DueRegistration>, StoreError> {
        self.0.claim(claim).await
    }

    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError> {
        self.0.next_due(now).await
    }

    async fn complete(&self, asked: &[AskedRegistration]) -> Result<(), StoreError> {
        self.0.complete(asked).await
    }

    async fn release(&self, claimed: &[&DueRegistration]) -> Result<(), StoreError> {
        self.0.release(claimed).await
    }
}

#[async_trait]
impl JobQueue for Fused<dyn JobQueue> {
    async fn claim(&self, claim: &Claim<'_>) -> Result<Vec<ClaimedJob>, StoreError> {
        self.1.burn("claiming jobs");
        self.0.claim(claim).await
    }

    async fn extend(
        &self,
        worker: WorkerId,
        jobs: &[JobId],
        lease: Duration,
    ) -> Result<Vec<JobId>, StoreError> {
        self.0.extend(worker, jobs, lease).await
    }

    async fn settle(
        &self,
        worker: WorkerId,
        attempts: &[Attempt],
    ) -> Result<Vec<(JobId, JobState)>, StoreError> {
        self.0.settle(worker, attempts).await
    }

    async fn release(&self, worker: WorkerId, jobs: &[JobId]) -> Result<(), StoreError> {
        self.0.release(worker, jobs).await
    }

    async fn next_due(&self, kinds: &[JobKind], lane: &str) -> Result<Option<Duration>, StoreError> {
        self.0.next_due(kinds, lane).await
    }

    async fn clean_up(&self, now: OffsetDateTime) -> Result<usize, StoreError> {
        self.1.burn("deleting old jobs");
        self.0.clean_up(now).await
    }
}

#[async_trait]
impl LedgerStore for Fused<dyn LedgerStore> {
    /// The batch is committed before the panic.
    async fn settle(&self, charges: &[LogEntry], again: bool) -> Result<Vec<Verdict>, LedgerFailure> {
        let settled = self.0.settle(charges, again).await;
        self.1.burn("charging");
        settled
    }

    async fn record(&self, entries: &[LogEntry]) -> Result<(), StoreError> {
        self.1.burn("logging");
        self.0.record(entries).await
    }

    async fn balance(&self, payer: Payer, now: OffsetDateTime) -> Result<Option<Balance>, StoreError> {
        self.0.balance(payer, now).await
    }
}

#[async_trait]
impl CredentialStore for Fused<dyn CredentialStore> {
    async fn find_key(&self, digest: &SecretDigest) -> Result<Option<KeyRecord>, StoreError> {
        self.0.find_key(digest).await
    }

    async fn note_use(&self, uses: &[(CredentialId, OffsetDateTime)]) -> Result<(), StoreError> {
        self.1.burn("noting uses");
        self.0.note_use(uses).await
    }
}
