//! The port to what is stored of registrations.

use async_trait::async_trait;
use pharos_domain::{hostname::Hostname, identity::DomainAccess, store::StoreError};
use time::{Duration, OffsetDateTime};

use super::{Registration, change::RegistrationChange};

/// Keeps registrations, one for each registered name: all domains below it share it.
#[async_trait]
pub trait RegistrationStore: Send + Sync {
    /// What is known of the registration of the domain's name. `None`: the domain has no monitor.
    async fn view(&self, domain: &DomainAccess) -> Result<Option<MonitoredRegistration>, StoreError>;

    /// Finds out the registered names of at most `limit` domains whose monitor was enabled since, and has those asked
    /// for at `now` that are not known yet.
    async fn enrol(&self, now: OffsetDateTime, limit: usize) -> Result<(), StoreError>;

    /// Claims at most `limit` registrations that are due, the longest due first. Nobody else gets them before `lease`
    /// is over. Only names that an enabled monitor of a live domain lies below are due.
    async fn claim(
        &self,
        now: OffsetDateTime,
        lease: Duration,
        limit: usize,
    ) -> Result<Vec<DueRegistration>, StoreError>;

    /// Stores what came of a claim, and gives it back. Of a claim that has gone to another by now nothing is stored.
    async fn complete(&self, asked: &AskedRegistration) -> Result<(), StoreError>;
}

/// A registration, for a monitor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonitoredRegistration {
    /// The monitor's days to warn on.
    pub warn_days: Vec<u32>,
    /// What is known; `None` while nobody was asked.
    pub known: Option<KnownRegistration>,
}

/// What is known of a registration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownRegistration {
    /// The name.
    pub name: Hostname,
    /// The last good answer, and when it came.
    pub answer: Option<(Registration, OffsetDateTime)>,
    /// What changed from answer to answer, the newest first.
    pub changes: Vec<RegistrationChange>,
}

/// A registration that is due, claimed by this process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueRegistration {
    /// The name.
    pub name: Hostname,
    /// The last good answer.
    pub registration: Option<Registration>,
    /// What changed from answer to answer, the newest first.
    pub changes: Vec<RegistrationChange>,
    /// How often in a row asking failed.
    pub failures: u32,
    /// Until when the claim holds, which tells it from others.
    pub leased_until: OffsetDateTime,
}

/// What came of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedRegistration {
    /// The name.
    pub name: Hostname,
    /// The claim.
    pub leased_until: OffsetDateTime,
    /// When it was asked.
    pub asked_at: OffsetDateTime,
    /// When to ask next.
    pub next_check_at: OffsetDateTime,
    /// What was learned.
    pub learned: Learned,
}

/// What was learned by asking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Learned {
    /// A good answer, and all changes to be remembered.
    Answer(Box<Registration>, Vec<RegistrationChange>),
    /// There is no RDAP service to ask.
    NoService,
    /// Nothing: what was known stays.
    Failure {
        /// How often in a row asking failed by now.
        failures: u32,
        /// Why it did.
        reason: String,
    },
}
