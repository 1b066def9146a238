//! Where the sites of domains lie, which one group knows and others ask.

use std::collections::HashMap;

use async_trait::async_trait;

use crate::{ids::DomainId, store::StoreError};

/// Where the sites of domains lie.
#[async_trait]
pub trait SiteAddresses: Send + Sync {
    /// A URL of each domain's site: the one that is checked for uptime, else https on the domain's name. Deleted domains have
    /// none.
    async fn of(&self, domains: &[DomainId]) -> Result<HashMap<DomainId, String>, StoreError>;
}
