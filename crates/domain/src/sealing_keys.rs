//! The keys that seal secrets in rows, and the port by which operators change them.

use async_trait::async_trait;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{audit::Actor, store::StoreError, wire_enum};

wire_enum! {
    /// The place of a key among those of its table.
    SealingKeyState {
        /// A younger one has taken over. It opens what it has sealed.
        Older = "older",
        /// It seals.
        Sealing = "sealing",
        /// Nodes may not know it yet: it seals from its time on.
        Next = "next",
    }
}

/// A key that seals the secrets in rows of a table, without the key itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealingKeyDetails {
    /// The table.
    pub table: &'static str,
    /// Its id. `None`: it is the first of the table.
    pub id: Option<Uuid>,
    /// From when on it seals. `None`: from the beginning.
    pub seals_from: Option<OffsetDateTime>,
    /// Its place among those of the table.
    pub state: SealingKeyState,
    /// How many rows it has sealed that no other has sealed anew.
    pub rows: u64,
}

/// The keys that seal secrets in rows. Each table that has such secrets has keys of its own.
#[async_trait]
pub trait SealingKeyStore: Send + Sync {
    /// The keys of each table, the oldest first.
    async fn list(&self) -> Result<Vec<SealingKeyDetails>, StoreError>;

    /// Adds a key to each table, and gives those. Upkeep seals anew what older ones have sealed, and drops these once nothing is
    /// left of it.
    async fn rotate(&self, actor: &Actor, now: OffsetDateTime) -> Result<Vec<SealingKeyDetails>, StoreError>;
}
