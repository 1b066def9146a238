//! `pharos admin workspace`

use clap::Subcommand;
use pharos_account::admin::{check_name, workspaces::WorkspaceAdmin};
use pharos_domain::{identity::SubscriptionStatus, ids::WorkspaceId};

use super::{Answer, Desk};

/// Manage workspaces.
#[derive(Debug, Subcommand)]
pub enum WorkspaceCommand {
    /// Create a workspace with its owner.
    Create {
        /// Its name.
        #[arg(long)]
        name: String,
        /// The e-mail address of its owner.
        #[arg(long, value_name = "EMAIL")]
        owner: String,
        /// The key of its plan.
        #[arg(long, default_value = "default")]
        plan: String,
    },
    /// Move a workspace to another plan.
    SetPlan {
        /// The workspace.
        workspace: WorkspaceId,
        /// The plan's key.
        plan: String,
    },
    /// Set the state of a subscription: trialing, active, past_due, canceled, expired.
    SetSubscription {
        /// The workspace.
        workspace: WorkspaceId,
        /// The state.
        status: SubscriptionStatus,
    },
    /// List all workspaces.
    List,
}

pub(super) async fn run(command: WorkspaceCommand, desk: &Desk) -> anyhow::Result<Answer> {
    let workspaces = desk.ports.get::<dyn WorkspaceAdmin>()?;
    match command {
        WorkspaceCommand::Create { name, owner, plan } => {
            let name = check_name("a workspace's name", &name)?;
            let owner = desk.user(&owner).await?;
            Answer::new(
                workspaces
                    .create(&name, owner, &plan, &desk.actor, desk.now)
                    .await?,
            )
        }
        WorkspaceCommand::SetPlan { workspace, plan } => Answer::new(
            workspaces
                .set_plan(workspace, &plan, &desk.actor, desk.now)
                .await?,
        ),
        WorkspaceCommand::SetSubscription { workspace, status } => Answer::new(
            workspaces
                .set_subscription(workspace, status, &desk.actor, desk.now)
                .await?,
        ),
        WorkspaceCommand::List => Answer::new(workspaces.list().await?),
    }
}
