//! Asks for registrations that are due, and stores what it learns.
//!
//! Several watches, on one node or many, share the work through the store's claims: what a dead one had claimed
//! becomes due again when its lease is over.

use std::{error::Error, sync::Arc, time::Duration as StdDuration};

use futures_util::future::join_all;
use pharos_domain::{clock::Clock, store::StoreError};
use pharos_supervisor::caught;
use time::{Duration, OffsetDateTime};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::{
    Registration,
    change::remember,
    rdap::{RdapClient, RdapError},
    store::{AskedRegistration, DueRegistration, Learned, RegistrationStore},
};

/// How long a claim holds. Longer than asking may take, waiting for one's turn included.
const LEASE: Duration = Duration::minutes(10);
/// The pause where nothing is due.
const PAUSE: StdDuration = StdDuration::from_secs(2);
/// How many registrations are asked for at once.
const BATCH: usize = 16;
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
    /// Where due registrations come from, and answers go.
    pub store: Arc<dyn RegistrationStore>,
    /// What asks.
    pub client: Arc<RdapClient>,
    /// What time it is.
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
    /// Works until `stop`. What is being asked for then is due again when its lease is over.
    pub async fn run(self, stop: CancellationToken) {
        let work = async {
            loop {
                let asked = self.round().await.unwrap_or_else(|error| {
                    tracing::warn!(%error, "due registrations can't be claimed or stored at the moment");
                    0
                });
                if asked == 0 {
                    sleep(PAUSE).await;
                }
            }
        };
        let _: Option<()> = stop.run_until_cancelled(work).await;
    }

    /// Asks once for what is due now, and says for how many names.
    ///
    /// # Errors
    /// The store failed. What registries answer is in the store.
    pub async fn round(&self) -> Result<usize, StoreError> {
        let now = self.clock.now();
        // Those that are known already are asked for even so.
        if let Err(error) = self.store.enrol(now, ENROL).await {
            tracing::warn!(%error, "domains can't be enrolled at the moment");
        }
        let due = self.store.claim(now, LEASE, BATCH).await?;
        let asked = join_all(due.into_iter().map(|due| self.ask_apart(due))).await;
        let asked: Vec<()> = asked.into_iter().collect::<Result<_, _>>()?;
        Ok(asked.len())
    }

    /// A panic over one name keeps no other from being asked for.
    async fn ask_apart(&self, due: DueRegistration) -> Result<(), StoreError> {
        let name = due.name.clone();
        caught(self.ask(due)).await.unwrap_or_else(|panic| {
            tracing::error!(%panic, %name, "asking for a registration panicked; it will be again when its lease is over");
            Ok(())
        })
    }

    async fn ask(&self, due: DueRegistration) -> Result<(), StoreError> {
        let answered = self.client.ask(&due.name, self.clock.now()).await;
        if let Err(error) = &answered {
            let (name, reason) = (&due.name, reason(error));
            tracing::warn!(%name, reason, "the registration could not be asked for; it will be again");
        }
        self.store
            .complete(&settle(due, answered, self.clock.now()))
            .await
    }
}

/// What an answer comes to, and when to ask next.
fn settle(
    due: DueRegistration,
    answered: Result<Option<Registration>, RdapError>,
    now: OffsetDateTime,
) -> AskedRegistration {
    let DueRegistration {
        name,
        registration,
        changes,
        failures,
        leased_until,
    } = due;
    let (pause, learned) = match answered {
        Ok(Some(answer)) => {
            let changes = remember(changes, registration.as_ref(), &answer, now);
            let is_near = answer.days_remaining(now).is_some_and(|days| days < NEAR);
            let pause = if is_near { CLOSE } else { USUAL };
            (pause, Learned::Answer(Box::new(answer), changes))
        }
        Ok(None) => (USUAL, Learned::NoService),
        Err(error) => {
            let failures = failures.saturating_add(1);
            let reason = reason(&error);
            (
                retry_after(&error, failures),
                Learned::Failure { failures, reason },
            )
        }
    };
    AskedRegistration {
        name,
        leased_until,
        asked_at: now,
        next_check_at: now + pause,
        learned,
    }
}

/// The server's own pause where it names one; else one that doubles.
fn retry_after(error: &RdapError, failures: u32) -> Duration {
    if let RdapError::Busy {
        retry_after: Some(pause),
    } = error
    {
        let pause = Duration::try_from(*pause).unwrap_or(MOST_RETRY);
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
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-03-31 09:15:00 UTC);

    fn due(failures: u32) -> DueRegistration {
        DueRegistration {
            name: "shop.example".parse().unwrap(),
            registration: None,
            changes: Vec::new(),
            failures,
            leased_until: NOW + LEASE,
        }
    }

    fn next(failures: u32, answered: Result<Option<Registration>, RdapError>) -> Duration {
        settle(due(failures), answered, NOW).next_check_at - NOW
    }

    #[test]
    fn an_answer_holds_for_a_day_and_for_an_hour_where_the_end_is_near() {
        let ending = |expires_at| {
            let registration = Registration {
                expires_at,
                ..Registration::default()
            };
            next(3, Ok(Some(registration)))
        };
        assert_eq!(ending(None), Duration::DAY);
        assert_eq!(ending(Some(NOW + Duration::days(7))), Duration::DAY);
        assert_eq!(
            ending(Some(NOW + Duration::days(7) - Duration::SECOND)),
            Duration::HOUR
        );
        assert_eq!(ending(Some(NOW - Duration::DAY)), Duration::HOUR);
        assert_eq!(next(3, Ok(None)), Duration::DAY);
    }

    #[test]
    fn the_pause_after_failures_doubles_up_to_a_day() {
        let hours: Vec<i64> = (0..8)
            .map(|failures| next(failures, Err(RdapError::TooLarge)).whole_hours())
            .collect();
        assert_eq!(hours, [1, 2, 4, 8, 16, 24, 24, 24]);
        assert_eq!(next(u32::MAX, Err(RdapError::NotRegistered)), Duration::DAY);
    }

    #[test]
    fn a_server_that_says_when_to_come_back_is_believed_within_bounds() {
        let busy = |seconds| RdapError::Busy {
            retry_after: Some(StdDuration::from_secs(seconds)),
        };
        assert_eq!(next(4, Err(busy(600))), Duration::minutes(10));
        assert_eq!(next(4, Err(busy(0))), Duration::MINUTE);
        assert_eq!(next(4, Err(busy(u64::MAX))), Duration::DAY);
        let silent = RdapError::Busy { retry_after: None };
        assert_eq!(next(0, Err(silent)), Duration::HOUR);
    }

    #[test]
    fn a_failure_says_what_it_comes_from() {
        let asked = settle(
            due(0),
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
