//! /workspaces

pub(super) mod list;
pub(super) mod quotas;
pub(super) mod view;

use pharos_account::workspaces::Workspace;
use pharos_domain::{
    identity::{SubscriptionStatus, WorkspaceAccess},
    ids::WorkspaceId,
    role::Role,
    timestamp::Timestamp,
};
use pharos_http::operation::Example;
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;
use uuid::uuid;

/// A workspace: who owns domains and pays.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Workspace)]
pub(super) struct WorkspacePublic {
    /// The id of the workspace, for paths of the API.
    id: WorkspaceId,
    /// The name that people gave the workspace.
    name: String,
    /// The role of the credential's user in it.
    role: Role,
    /// The key of its plan.
    plan: String,
    /// The state of its subscription.
    subscription_status: SubscriptionStatus,
    /// Whether writes and runs are served; false leads to `workspace-not-writable`.
    writable: bool,
    /// How many domains it has.
    #[schema(minimum = 0)]
    domain_count: u32,
    /// How many members it has.
    #[schema(minimum = 0)]
    member_count: u32,
    /// When it was created.
    created_at: Timestamp,
}

impl WorkspacePublic {
    fn new(workspace: Workspace, access: &WorkspaceAccess) -> Self {
        let Workspace {
            id,
            name,
            plan,
            subscription,
            domain_count,
            member_count,
            created_at,
        } = workspace;
        Self {
            id,
            name,
            role: access.workspace().role,
            plan,
            subscription_status: subscription,
            writable: subscription.is_writable(),
            domain_count,
            member_count,
            created_at: created_at.into(),
        }
    }
}

impl Example for WorkspacePublic {
    fn example() -> Self {
        Self {
            id: WorkspaceId(uuid!("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11")),
            name: "Example Ltd".to_owned(),
            role: Role::Admin,
            plan: "default".to_owned(),
            subscription_status: SubscriptionStatus::Active,
            writable: true,
            domain_count: 3,
            member_count: 5,
            created_at: datetime!(2026-01-31 08:00:00 UTC).into(),
        }
    }
}
