//! The port to what is stored of registrations.

use async_trait::async_trait;
use pharos_domain::{hostname::Hostname, identity::DomainAccess, store::StoreError};
use pharos_due::work::DueClaim;
use time::{Duration, OffsetDateTime};

use super::{Registration, change::RegistrationChange, name::unicode};

/// Keeps registrations, one for each registered name: all domains below it share it.
#[async_trait]
pub trait RegistrationStore: Send + Sync {
    /// The registration of the domain's name, as far as it is known. `None`: the domain has no monitor.
    async fn view(&self, domain: &DomainAccess) -> Result<Option<MonitoredRegistration>, StoreError>;

    /// Finds out the registered names of at most `limit` domains whose monitor was enabled since, and has those asked
    /// for at `now` that are not known yet.
    async fn enrol(&self, now: OffsetDateTime, limit: usize) -> Result<(), StoreError>;

    /// Makes those due at once that a clock, which has been set back since, had put out of reach.
    async fn bring_back(&self) -> Result<(), StoreError>;

    /// Claims registrations that are due, the longest due first. Nobody else gets them before the lease is over. Only
    /// names that an enabled monitor of a live domain lies below are due.
    async fn claim(&self, claim: &DueClaim) -> Result<Vec<DueRegistration>, StoreError>;

    /// When the next registration is due, by the clock that says that it is `now`.
    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError>;

    /// Stores the outcomes of claims, and gives the claims back. Nothing is stored for a claim that another node holds
    /// by now. The store's clock stamps what comes from a clock that is ahead.
    async fn complete(&self, asked: &[AskedRegistration]) -> Result<(), StoreError>;

    /// Gives claims back of registrations that were not asked for.
    async fn release(&self, claimed: &[&DueRegistration]) -> Result<(), StoreError>;
}

/// A registration, for a monitor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonitoredRegistration {
    /// The monitor's days to warn on.
    pub warn_days: Vec<u32>,
    /// The registration; `None` while no registry was asked.
    pub known: Option<KnownRegistration>,
}

/// A registration, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownRegistration {
    /// The registered name, which several domains may lie below.
    pub name: Hostname,
    /// The last good answer, and when it came.
    pub answer: Option<(Registration, OffsetDateTime)>,
    /// The changes from answer to answer, the newest first.
    pub changes: Vec<RegistrationChange>,
}

impl KnownRegistration {
    /// The name in Unicode, as the registry spells it, or else decoded; `None` where that is how it is spelled anyway.
    #[must_use]
    pub fn unicode_name(&self) -> Option<String> {
        let answer = self.answer.as_ref();
        let spelled = answer.and_then(|(registration, _)| registration.unicode_name.clone());
        spelled
            .filter(|spelled| spelled != self.name.as_str())
            .or_else(|| unicode(&self.name))
    }
}

/// A registration that is due, claimed by this process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueRegistration {
    /// The registered name, which several domains may lie below.
    pub name: Hostname,
    /// The last good answer.
    pub registration: Option<Registration>,
    /// The changes from answer to answer, the newest first.
    pub changes: Vec<RegistrationChange>,
    /// How often in a row asking failed.
    pub failures: u32,
    /// How long after its claim it is due.
    pub due_in: Duration,
    /// When the claim ends. This moment also identifies the claim.
    pub leased_until: OffsetDateTime,
}

/// The outcome of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedRegistration {
    /// The registered name, which several domains may lie below.
    pub name: Hostname,
    /// When the claim ends. This moment also identifies the claim.
    pub leased_until: OffsetDateTime,
    /// When it was asked.
    pub asked_at: OffsetDateTime,
    /// When to ask next.
    pub next_check_at: OffsetDateTime,
    /// The result of asking.
    pub learned: Learned,
}

impl AskedRegistration {
    /// The same by the clock that says that it is `present`, where it comes from one that is ahead.
    #[must_use]
    pub fn not_ahead_of(mut self, present: OffsetDateTime) -> Self {
        let ahead = self.asked_at - present;
        if ahead <= Duration::ZERO {
            return self;
        }
        if let Learned::Answer(_, changes) = &mut self.learned {
            let found = changes
                .iter_mut()
                .filter(|change| change.detected_at == self.asked_at);
            found.for_each(|change| change.detected_at = present);
        }
        self.asked_at = present;
        self.next_check_at = self.next_check_at.saturating_sub(ahead);
        self
    }
}

/// The result of asking a registry.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        fixture::NOW,
        registration::change::{RegistrationChange, RegistrationField},
    };

    #[test]
    fn what_a_clock_that_is_ahead_has_stamped_is_stamped_anew() {
        let change = |detected_at| RegistrationChange {
            detected_at,
            field: RegistrationField::ExpiresAt,
            before: None,
            after: None,
        };
        let asked = |at: OffsetDateTime| AskedRegistration {
            name: "shop.example".parse().unwrap(),
            leased_until: NOW,
            asked_at: at,
            next_check_at: at + Duration::HOUR,
            learned: Learned::Answer(Box::default(), vec![change(at), change(NOW - Duration::DAY)]),
        };
        let ahead = asked(NOW + Duration::DAY).not_ahead_of(NOW);
        assert_eq!(ahead, asked(NOW));
        let behind = asked(NOW - Duration::DAY);
        assert_eq!(behind.clone().not_ahead_of(NOW), behind);
    }

    fn known(name: &str, spelled: Option<&str>) -> KnownRegistration {
        let registration = Registration {
            unicode_name: spelled.map(str::to_owned),
            ..Registration::default()
        };
        KnownRegistration {
            name: name.parse().unwrap(),
            answer: Some((registration, NOW)),
            changes: Vec::new(),
        }
    }

    #[test]
    fn a_name_in_unicode_is_told_where_it_is_another() {
        let told = |name, spelled| known(name, spelled).unicode_name();
        assert_eq!(told("shop.example", None), None);
        assert_eq!(told("shop.example", Some("shop.example")), None);
        let name = "xn--bcher-kva.example";
        assert_eq!(told(name, None).as_deref(), Some("bücher.example"));
        assert_eq!(told(name, Some(name)).as_deref(), Some("bücher.example"));
        assert_eq!(
            told(name, Some("Bücher.example")).as_deref(),
            Some("Bücher.example")
        );
    }
}
