//! The port to the ledger: balances, and the log that adds up to them.

use async_trait::async_trait;
use thiserror::Error;
use time::OffsetDateTime;

use crate::{
    credits::{Balance, Exhaustion, LogEntry, Payer},
    store::StoreError,
};

/// The outcome of a charge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It was charged, and its row is durable.
    Settled {
        /// Credits that the whole batch left to the workspace.
        remaining: u64,
    },
    /// The balance, or the member's cap, did not suffice. It has no row.
    Refused(Exhaustion),
    /// Nothing of it was charged: its part of the batch could not be settled.
    Unsettled,
}

/// Why a batch was not settled.
#[derive(Debug, Error)]
pub enum LedgerFailure {
    /// Nothing of it was charged.
    #[error("nothing was charged: {0}")]
    Nothing(#[source] StoreError),
    /// The connection was lost on the way: the batch may be charged or not. Settling it again says which.
    #[error("whether the batch was charged is in doubt: {0}")]
    InDoubt(#[source] StoreError),
}

/// Keeps balances and the log.
#[async_trait]
pub trait LedgerStore: Send + Sync {
    /// Charges a batch, each workspace in one transaction: admits the charges in their order while balance and member cap
    /// allow, and writes the rows of those it admits. A verdict for each, in their order. A batch that is settled `again`
    /// finds what the attempts before it left, and charges nothing twice.
    async fn settle(&self, charges: &[LogEntry], again: bool) -> Result<Vec<Verdict>, LedgerFailure>;

    /// Writes rows that cost nothing. Those that are there already are left as they are, and one that can't be written
    /// is set aside.
    async fn record(&self, entries: &[LogEntry]) -> Result<(), StoreError>;

    /// The balance, with the user's share. `None`: there is no such workspace.
    async fn balance(&self, payer: Payer, now: OffsetDateTime) -> Result<Option<Balance>, StoreError>;
}
