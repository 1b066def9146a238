//! One at a time for what must not be done twice at once: a cached answer's computation, a key's first request.

use std::{sync::Arc, time::Duration};

use moka::sync::Cache;
use pharos_domain::ids::CredentialId;
use tokio::sync::{Mutex, OwnedMutexGuard};

use crate::metering::CacheKey;

/// What requests queue for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Flight {
    /// The computation of an answer.
    Answer(CacheKey),
    /// The request that a credential's `Idempotency-Key` belongs to.
    Key(CredentialId, String),
}

/// Queues within this process. They save work and wait without a connection; what holds between processes is the
/// store's to decide.
#[derive(Clone, Debug)]
pub struct Flights(Cache<Flight, Arc<Mutex<()>>>);

impl Default for Flights {
    fn default() -> Self {
        // A queue that nobody has joined for as long as any request may take is forgotten.
        Self(
            Cache::builder()
                .max_capacity(100_000)
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
