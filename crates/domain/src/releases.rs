//! Releases of sites, which one group notes and others show beside their figures.

use async_trait::async_trait;
use time::OffsetDateTime;

use crate::{identity::DomainAccess, store::StoreError, window::DateRange};

/// A release that came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteRelease {
    /// The name that the site gave the release.
    pub name: String,
    /// When it came.
    pub released_at: OffsetDateTime,
}

/// The releases of domains.
#[async_trait]
pub trait SiteReleases: Send + Sync {
    /// Those that came on days of UTC, in order.
    async fn released(&self, domain: &DomainAccess, days: DateRange) -> Result<Vec<SiteRelease>, StoreError>;
}
