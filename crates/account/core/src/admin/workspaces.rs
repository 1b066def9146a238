//! Workspaces.

use async_trait::async_trait;
use pharos_domain::{
    audit::Actor,
    identity::SubscriptionStatus,
    ids::{UserId, WorkspaceId},
    store::StoreError,
};
use serde::Serialize;
use time::OffsetDateTime;

use super::AdminError;

/// The plan of a workspace for which nobody chose one. It is there from the start.
pub const DEFAULT_PLAN: &str = "default";
/// How many workspaces somebody may own and still make another one in the console.
pub const MOST_OWNED: usize = 10;

/// A workspace as an operator sees it.
#[derive(Clone, Debug, Serialize)]
pub struct WorkspaceDetails {
    /// The id by which commands and paths name it.
    pub id: WorkspaceId,
    /// The name that members see.
    pub name: String,
    /// The key of its plan.
    pub plan: String,
    /// The state of its subscription.
    pub subscription_status: SubscriptionStatus,
    /// When it was created: the anchor of its billing cycles.
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
}

/// Changes workspaces.
#[async_trait]
pub trait WorkspaceAdmin: Send + Sync {
    /// Creates a workspace with its first owner, on a plan. A user at the console comes to [`MOST_OWNED`] in this way.
    async fn create(
        &self,
        name: &str,
        owner: UserId,
        plan: &str,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<WorkspaceDetails, AdminError>;

    /// Gives a workspace another name.
    async fn rename(
        &self,
        id: WorkspaceId,
        name: &str,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<WorkspaceDetails, AdminError>;

    /// Moves a workspace to another plan.
    async fn set_plan(
        &self,
        id: WorkspaceId,
        plan: &str,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<WorkspaceDetails, AdminError>;

    /// Sets the state of a subscription.
    async fn set_subscription(
        &self,
        id: WorkspaceId,
        status: SubscriptionStatus,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<WorkspaceDetails, AdminError>;

    /// All workspaces, the oldest first.
    async fn list(&self) -> Result<Vec<WorkspaceDetails>, StoreError>;
}
