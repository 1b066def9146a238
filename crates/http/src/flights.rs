//! One at a time for what must not be done twice at once: a cached answer's computation, a key's first request.

use std::{sync::Arc, time::Duration};

use moka::sync::Cache;
use pharos_domain::ids::CredentialId;
use tokio::sync::{Mutex, OwnedMutexGuard};

use crate::metering::CacheKey;

/// How much the queues may take, in bytes.
const MOST_BYTES: u64 = 32 << 20;
/// The bytes that a queue takes besides the text that it is found by, about.
const OVERHEAD: usize = 320;

/// The work that equal requests queue for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Flight {
    /// The computation of an answer.
    Answer(CacheKey),
    /// The request that a credential's `Idempotency-Key` belongs to.
    Key(CredentialId, String),
}

impl Flight {
    fn bytes(&self) -> u32 {
        let text = match self {
            Self::Answer(key) => key.parameters.len(),
            Self::Key(_, key) => key.len(),
        };
        u32::try_from(text + OVERHEAD).unwrap_or(u32::MAX)
    }
}

/// Queues within this process. They save work and wait without a connection; what holds between processes is the
/// store's to decide.
#[derive(Clone, Debug)]
pub struct Flights(Cache<Flight, Arc<Mutex<()>>>);

impl Default for Flights {
    fn default() -> Self {
        // A queue that nobody has joined for as long as any request may take is forgotten. One that goes before that,
        // since there are too many, is joined anew.
        Self(
            Cache::builder()
                .max_capacity(MOST_BYTES)
                .weigher(|flight: &Flight, _| flight.bytes())
                .time_to_idle(Duration::from_secs(120))
                .build(),
        )
    }
}

/// The turn of a request. The next has its own once this is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    _guard: OwnedMutexGuard<()>,
    /// Whether another request had the turn before.
    pub(crate) waited: bool,
}

impl Flights {
    /// Waits for one's turn.
    pub(crate) async fn join(&self, flight: Flight) -> Turn {
        let queue = self.0.get_with(flight, Arc::default);
        match Arc::clone(&queue).try_lock_owned() {
            Ok(guard) => Turn {
                _guard: guard,
                waited: false,
            },
            Err(_) => Turn {
                _guard: queue.lock_owned().await,
                waited: true,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn queues_are_bound_by_what_they_take_however_long_their_keys_are() {
        let flights = Flights::default();
        let credential = CredentialId::generate();
        for number in 0..2_000 {
            let key = format!("{number}{}", "k".repeat(64 << 10));
            drop(flights.join(Flight::Key(credential, key)).await);
        }
        flights.0.run_pending_tasks();
        assert!(flights.0.weighted_size() <= MOST_BYTES);
        assert!(flights.0.entry_count() < 1_000);
    }
}
