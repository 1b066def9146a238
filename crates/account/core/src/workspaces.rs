//! Workspaces as the reads see them.

use async_trait::async_trait;
use pharos_domain::{
    identity::{SubscriptionStatus, WorkspaceAccess},
    ids::WorkspaceId,
    store::StoreError,
};
use time::OffsetDateTime;

/// A workspace.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// The id by which paths name it.
    pub id: WorkspaceId,
    /// The name that its members gave it.
    pub name: String,
    /// The key of its plan.
    pub plan: String,
    /// The state of its subscription.
    pub subscription: SubscriptionStatus,
    /// How many domains it has that are not deleted.
    pub domain_count: u32,
    /// How many members it has.
    pub member_count: u32,
    /// When it was created.
    pub created_at: OffsetDateTime,
}

/// Reads workspaces.
#[async_trait]
pub trait WorkspaceStore: Send + Sync {
    /// The workspaces of these accesses, the oldest first.
    async fn list(&self, reach: &[WorkspaceAccess]) -> Result<Vec<Workspace>, StoreError>;
}
