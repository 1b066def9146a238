//! The quotas of workspaces.

use async_trait::async_trait;
use pharos_domain::{identity::WorkspaceAccess, quota::QuotaResource, store::StoreError};
use time::{Date, OffsetDateTime};

/// A quota of a workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// The resource that it counts.
    pub resource: QuotaResource,
    /// How much was used in its present period.
    pub used: u64,
    /// How much there is; `None`: without a limit.
    pub limit: Option<u64>,
    /// When it begins anew, UTC; `None` for a stock.
    pub resets_on: Option<Date>,
}

impl Quota {
    /// How much is left; `None`: without a limit. A plan may be changed to one that has less than was used already.
    #[must_use]
    pub fn remaining(&self) -> Option<u64> {
        self.limit.map(|limit| limit.saturating_sub(self.used))
    }
}

/// Reads quotas.
#[async_trait]
pub trait QuotaStore: Send + Sync {
    /// A workspace's quotas in the periods that `now` lies in: every resource once, in their order. Empty if the
    /// workspace is gone.
    async fn list(&self, workspace: &WorkspaceAccess, now: OffsetDateTime) -> Result<Vec<Quota>, StoreError>;
}
