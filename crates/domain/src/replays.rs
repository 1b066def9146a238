//! The port to the answers that idempotency keys were given.

use async_trait::async_trait;
use time::OffsetDateTime;

use crate::{
    credits::{RequestKey, StoredAnswer},
    ids::CredentialId,
    store::StoreError,
};

/// How an `Idempotency-Key` was used before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replay {
    /// Nothing: the request is the first.
    Unknown,
    /// The answer that it was given.
    Answer(StoredAnswer),
    /// The key was used for another request.
    Reused,
}

/// Finds the answers that keys were given.
#[async_trait]
pub trait ReplayStore: Send + Sync {
    /// The answer that the credential's key got in the last 24 hours.
    async fn find(
        &self,
        credential: CredentialId,
        key: &RequestKey,
        now: OffsetDateTime,
    ) -> Result<Replay, StoreError>;
}
