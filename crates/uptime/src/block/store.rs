//! The port to the numbers of checks.

use async_trait::async_trait;
use pharos_domain::{identity::DomainAccess, store::StoreError};
use time::OffsetDateTime;

/// Counts checks.
#[async_trait]
pub trait CheckCounter: Send + Sync {
    /// The checks of a domain from `from` until before `until`, of all regions; those that a run asked for count too.
    async fn count(
        &self,
        domain: &DomainAccess,
        from: OffsetDateTime,
        until: OffsetDateTime,
    ) -> Result<u64, StoreError>;
}
