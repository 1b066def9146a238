//! The port by which what visitors feel is compared with what they buy.

use async_trait::async_trait;

use crate::{collect::PageLoadId, identity::DomainAccess, store::StoreError, window::DateRange};

/// The most loads that are told.
pub const MOST_CONVERTED: usize = 500_000;

/// Knows which page loads belong to visits that came to an order.
#[async_trait]
pub trait Conversions: Send + Sync {
    /// The page loads of a window whose session came to an order, each once. `None` where the domain never recorded ecommerce,
    /// and where there are more than [`MOST_CONVERTED`].
    async fn converted(
        &self,
        domain: &DomainAccess,
        window: DateRange,
    ) -> Result<Option<Vec<PageLoadId>>, StoreError>;
}
