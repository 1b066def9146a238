//! Registrations, as things with a due time: what is requested when, and what an answer leads to.

use std::{error::Error, sync::Arc, time::Duration as StdDuration};

use async_trait::async_trait;
use pharos_domain::{clock::Clock, store::StoreError};
use pharos_due::{
    run::{DueLoop, DuePace},
    slots,
    work::{DueClaim, DueWork},
};
use time::{Duration, OffsetDateTime};
use tokio_util::sync::CancellationToken;

use super::{
    Registration,
    change::remember,
    rdap::{RdapClient, RdapError},
    store::{AskedRegistration, DueRegistration, Learned, RegistrationStore},
};

/// How long a claim holds: longer than a query may take with the wait for its turn.
const LEASE: Duration = Duration::minutes(10);
/// How many registrations are queried at once.
const BATCH: usize = 16;
/// How long answers wait for company before they are stored.
const GATHER: StdDuration = StdDuration::from_secs(1);
/// The longest pause between two looks for due names, and for domains to enrol.
const POLL: StdDuration = StdDuration::from_secs(5);
/// How many domains are enrolled at once.
const ENROL: usize = 256;

/// The time between two answers.
const USUAL: Duration = Duration::DAY;
/// The same with fewer than [`NEAR`] days left.
const CLOSE: Duration = Duration::HOUR;
const NEAR: i64 = 7;
/// The pause after a first failure; it doubles with each further one in a row.
const RETRY: Duration = Duration::HOUR;
const MOST_RETRY: Duration = Duration::DAY;
/// The shortest pause that a server is granted.
const LEAST_BUSY: Duration = Duration::MINUTE;

/// Keeps registrations up to date.
#[derive(Clone)]
pub struct RegistrationWatch {
    /// The store of due registrations and of their answers.
    pub store: Arc<dyn RegistrationStore>,
    /// Asks registries.
    pub client: Arc<RdapClient>,
    /// The clock that due times are judged by.
    pub clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for RegistrationWatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RegistrationWatch")
            .field("client", &self.client)
            .finish_non_exhaustive()
    }
}

impl RegistrationWatch {
    /// Works until `stop`; then lets running queries end until `abandon`, stores their answers, and gives the rest back.
    pub async fn run(self, stop: CancellationToken, abandon: CancellationToken) {
        self.due().run(stop, abandon).await;
    }

    /// Queries the names that are due now once, and returns how many they were.
    ///
    /// # Errors
    /// The store failed. The answers of registries, and their failures, are in the store.
    pub async fn round(&self) -> Result<usize, StoreError> {
        self.clone().due().once().await
    }

    fn due(self) -> DueLoop<Self> {
        DueLoop {
            bell: Arc::default(),
            clock: Arc::clone(&self.clock),
            pace: DuePace::in_batches(BATCH, LEASE, GATHER, POLL),
            work: Arc::new(self),
        }
    }
}

#[async_trait]
impl DueWork for RegistrationWatch {
    type Item = DueRegistration;
    type Outcome = AskedRegistration;

    const NAME: &'static str = "registrations";

    async fn prepare(&self, _now: OffsetDateTime) -> Result<(), StoreError> {
        self.store.bring_back().await
    }

    async fn claim(&self, claim: &DueClaim) -> Result<Vec<DueRegistration>, StoreError> {
        // A failure does not keep known names from being queried.
        if let Err(error) = self.store.enrol(claim.now, ENROL).await {
            tracing::warn!(%error, "domains can't be enrolled at the moment");
        }
        self.store.claim(claim).await
    }

    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError> {
        self.store.next_due(now).await
    }

    fn due_in(&self, due: &DueRegistration) -> Duration {
        due.due_in
    }

    fn subject(&self, due: &DueRegistration) -> String {
        due.name.to_string()
    }

    async fn perform(&self, due: &DueRegistration) -> Option<AskedRegistration> {
        let answered = self.client.ask(&due.name, self.clock.now()).await;
        if let Err(error) = &answered {
            let (name, reason) = (&due.name, reason(error));
            tracing::warn!(%name, reason, "the registration could not be asked for; it will be again");
        }
        Some(settle(due, answered, self.clock.now()))
    }

    async fn settle(&self, asked: &[AskedRegistration], _now: OffsetDateTime) -> Result<(), StoreError> {
        self.store.complete(asked).await
    }

    async fn release(&self, claimed: &[&DueRegistration]) -> Result<(), StoreError> {
        self.store.release(claimed).await
    }
}

/// The row for an answer, with the time of the next query.
fn settle(
    due: &DueRegistration,
    answered: Result<Option<Registration>, RdapError>,
    now: OffsetDateTime,
) -> AskedRegistration {
    let name = due.name.clone();
    // Names that were enrolled together are queried at times of their own from then on.
    let within = |pause| slots::next_after(now, &[name.as_str().as_bytes()], pause);
    let (next_check_at, learned) = match answered {
        Ok(Some(answer)) => {
            let changes = remember(due.changes.clone(), due.registration.as_ref(), &answer, now);
            let is_near = answer.days_remaining(now).is_some_and(|days| days < NEAR);
            let pause = if is_near { CLOSE } else { USUAL };
            (within(pause), Learned::Answer(Box::new(answer), changes))
        }
        Ok(None) => (within(USUAL), Learned::NoService),
        Err(error) => {
            let failures = due.failures.saturating_add(1);
            let reason = reason(&error);
            (
                now + retry_after(&error, failures),
                Learned::Failure { failures, reason },
            )
        }
    };
    AskedRegistration {
        name,
        leased_until: due.leased_until,
        asked_at: now,
        next_check_at,
        learned,
    }
}

/// The pause that the server names, or else one that doubles.
fn retry_after(error: &RdapError, failures: u32) -> Duration {
    if let RdapError::Egress(error) = error
        && let Some(pause) = error.retry_after()
    {
        let pause = Duration::try_from(pause).unwrap_or(MOST_RETRY);
        return pause.clamp(LEAST_BUSY, MOST_RETRY);
    }
    // Five doublings are more than a day.
    (RETRY * 2_i32.pow(failures.saturating_sub(1).min(5))).min(MOST_RETRY)
}

/// The error with what it comes from.
fn reason(error: &RdapError) -> String {
    let mut reason = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        reason.push_str(": ");
        reason.push_str(&error.to_string());
        source = error.source();
    }
    reason
}

#[cfg(test)]
mod tests {
    use pharos_egress::client::EgressError;
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-03-31 09:15:00 UTC);

    fn due(failures: u32) -> DueRegistration {
        DueRegistration {
            name: "shop.example".parse().unwrap(),
            registration: None,
            changes: Vec::new(),
            failures,
            due_in: Duration::ZERO,
            leased_until: NOW + LEASE,
        }
    }

    fn next(failures: u32, answered: Result<Option<Registration>, RdapError>) -> Duration {
        settle(&due(failures), answered, NOW).next_check_at - NOW
    }

    /// How long it is until the name's next slot.
    fn slot(now: OffsetDateTime, interval: Duration) -> Duration {
        slots::next_after(now, &[b"shop.example"], interval) - now
    }

    #[test]
    fn an_answer_holds_for_a_day_at_most_and_for_an_hour_where_the_end_is_near() {
        let ending = |expires_at| {
            let registration = Registration {
                expires_at,
                ..Registration::default()
            };
            next(3, Ok(Some(registration)))
        };
        let (day, hour) = (slot(NOW, Duration::DAY), slot(NOW, Duration::HOUR));
        assert_eq!(ending(None), day);
        assert_eq!(ending(Some(NOW + Duration::days(7))), day);
        assert_eq!(ending(Some(NOW + Duration::days(7) - Duration::SECOND)), hour);
        assert_eq!(ending(Some(NOW - Duration::DAY)), hour);
        assert_eq!(next(3, Ok(None)), day);
        assert_eq!(slot(NOW + day, Duration::DAY), Duration::DAY);
    }

    #[test]
    fn the_pause_after_failures_doubles_up_to_a_day() {
        let hours: Vec<i64> = (0..8)
            .map(|failures| next(failures, Err(RdapError::NoUrl)).whole_hours())
            .collect();
        assert_eq!(hours, [1, 2, 4, 8, 16, 24, 24, 24]);
        assert_eq!(next(u32::MAX, Err(RdapError::NotRegistered)), Duration::DAY);
    }

    #[test]
    fn a_server_that_says_when_to_come_back_is_believed_within_bounds() {
        let busy = |seconds| {
            RdapError::Egress(EgressError::RateLimited {
                retry_after: Some(StdDuration::from_secs(seconds)),
            })
        };
        assert_eq!(next(4, Err(busy(600))), Duration::minutes(10));
        assert_eq!(next(4, Err(busy(0))), Duration::MINUTE);
        assert_eq!(next(4, Err(busy(u64::MAX))), Duration::DAY);
        let silent = RdapError::Egress(EgressError::RateLimited { retry_after: None });
        assert_eq!(next(0, Err(silent)), Duration::HOUR);
    }

    #[test]
    fn a_failure_says_what_it_comes_from() {
        let asked = settle(
            &due(0),
            Err(RdapError::AnotherName("other.example".to_owned())),
            NOW,
        );
        let Learned::Failure { failures, reason } = asked.learned else {
            unreachable!("{:?}", asked.learned);
        };
        assert_eq!(failures, 1);
        assert!(reason.contains("other.example"), "{reason}");
    }
}
