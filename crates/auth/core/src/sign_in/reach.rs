//! The port to what users reach by their roles.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_domain::{
    identity::Identity,
    ids::{DomainId, UserId, WorkspaceId},
    store::StoreError,
};

/// Says what a user who has signed in reaches. Each method is one statement.
#[async_trait]
pub trait UserReach: Send + Sync {
    /// The user in a workspace, with all its domains that are not deleted. `None`: the user is no member, or disabled.
    async fn workspace(
        &self,
        user: UserId,
        workspace: WorkspaceId,
    ) -> Result<Option<Arc<Identity>>, StoreError>;

    /// The user at a domain, and at no other. `None`: the user is no member of its workspace, or disabled, or the domain is
    /// deleted.
    async fn domain(&self, user: UserId, domain: DomainId) -> Result<Option<Arc<Identity>>, StoreError>;
}
