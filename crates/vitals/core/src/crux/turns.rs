//! The turns of requests to the API: its quota is that of the key's project, whichever node asks.

use std::time::Duration;

use async_trait::async_trait;
use pharos_domain::store::StoreError;

/// A request's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// It is this request's once so much time has passed.
    In(Duration),
    /// It is none: the next one is so far off.
    NotYet(Duration),
}

/// Gives out the turns of all nodes.
#[async_trait]
pub trait CruxTurns: Send + Sync {
    /// Takes the next turn, `between` after the last one, unless it is further off than `patience`.
    async fn take(&self, between: Duration, patience: Duration) -> Result<Turn, StoreError>;

    /// Leaves the API alone for so long, a day at most.
    async fn hold(&self, pause: Duration) -> Result<(), StoreError>;
}
