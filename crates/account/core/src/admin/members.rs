//! Members.

use async_trait::async_trait;
use pharos_domain::{
    audit::Actor,
    ids::{UserId, WorkspaceId},
    patch::Patch,
    role::Role,
    store::StoreError,
};
use serde::Serialize;
use time::OffsetDateTime;

use super::AdminError;

/// A user in a workspace.
#[derive(Clone, Debug, Serialize)]
pub struct Member {
    /// The workspace that they belong to.
    pub workspace_id: WorkspaceId,
    /// The user behind the membership.
    pub user_id: UserId,
    /// The user's e-mail address.
    pub email: String,
    /// Their role, which says what they may do there.
    pub role: Role,
    /// How many of the workspace's credits their credentials may use in a cycle, all together; `None`: no cap.
    pub credit_cap: Option<i64>,
    /// When they joined.
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
}

/// Changes members. A workspace keeps at least one owner.
#[async_trait]
pub trait MemberAdmin: Send + Sync {
    /// Adds a user to a workspace, or changes their role and cap in it. A cap is 0 or more.
    async fn put(
        &self,
        workspace: WorkspaceId,
        user: UserId,
        role: Role,
        credit_cap: Patch<i64>,
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

/// Checks a cap before it is stored.
///
/// # Errors
/// [`AdminError::Invalid`].
pub fn check_cap(cap: &Patch<i64>) -> Result<(), AdminError> {
    if matches!(cap, Patch::Set(credits) if *credits < 0) {
        return Err(AdminError::Invalid("a cap on credits is 0 or more".to_owned()));
    }
    Ok(())
}
