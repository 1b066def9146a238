//! Members.

use async_trait::async_trait;
use pharos_domain::{
    audit::Actor,
    ids::{UserId, WorkspaceId},
    role::Role,
    store::StoreError,
};
use serde::Serialize;
use time::OffsetDateTime;

use super::AdminError;

/// A user in a workspace.
#[derive(Clone, Debug, Serialize)]
pub struct Member {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The user.
    pub user_id: UserId,
    /// The user's e-mail address.
    pub email: String,
    /// What they may do there.
    pub role: Role,
    /// When they joined.
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
}

/// Changes members. A workspace keeps at least one owner.
#[async_trait]
pub trait MemberAdmin: Send + Sync {
    /// Adds a user to a workspace, or changes their role in it.
    async fn put(
        &self,
        workspace: WorkspaceId,
        user: UserId,
        role: Role,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<Member, AdminError>;

    /// Takes a user out of a workspace. Their keys in it stop working.
    async fn remove(
        &self,
        workspace: WorkspaceId,
        user: UserId,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<(), AdminError>;

    /// The members of a workspace, the oldest first.
    async fn list(&self, workspace: WorkspaceId) -> Result<Vec<Member>, StoreError>;
}
