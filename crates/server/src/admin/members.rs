//! `pharos admin member`

use clap::Subcommand;
use pharos_account::admin::members::MemberAdmin;
use pharos_domain::{ids::WorkspaceId, patch::Patch, role::Role};
use serde_json::json;

use super::{Answer, Desk};

/// Manage members.
#[derive(Debug, Subcommand)]
pub enum MemberCommand {
    /// Add a user to a workspace, or change their role and cap.
    Put {
        /// The workspace.
        workspace: WorkspaceId,
        /// The user's e-mail address.
        email: String,
        /// viewer, member, admin or owner.
        role: Role,
        /// How many of the workspace's credits their credentials may use in a cycle, all together. Without this or
        /// --no-credit-cap a cap stays as it is.
        #[arg(long, value_name = "CREDITS", conflicts_with = "no_credit_cap")]
        credit_cap: Option<i64>,
        /// Take the cap away.
        #[arg(long)]
        no_credit_cap: bool,
    },
    /// Take a user out of a workspace. The keys that they created in it stop working at once.
    Remove {
        /// The workspace.
        workspace: WorkspaceId,
        /// The user's e-mail address.
        email: String,
    },
    /// List the members of a workspace.
    List {
        /// The workspace.
        workspace: WorkspaceId,
    },
}

pub(super) async fn run(command: MemberCommand, desk: &Desk) -> anyhow::Result<Answer> {
    let members = desk.ports.get::<dyn MemberAdmin>()?;
    match command {
        MemberCommand::Put {
            workspace,
            email,
            role,
            credit_cap,
            no_credit_cap,
        } => {
            let user = desk.user(&email).await?;
            let credit_cap = match credit_cap {
                Some(credits) => Patch::Set(credits),
                None if no_credit_cap => Patch::Clear,
                None => Patch::Keep,
            };
            Answer::new(
                members
                    .put(workspace, user, role, credit_cap, &desk.actor, desk.now)
                    .await?,
            )
        }
        MemberCommand::Remove { workspace, email } => {
            let user = desk.user(&email).await?;
            members.remove(workspace, user, &desk.actor, desk.now).await?;
            Answer::new(json!({ "workspace_id": workspace, "user_id": user, "removed": true }))
        }
        MemberCommand::List { workspace } => {
            desk.workspace(workspace).await?;
            Answer::new(members.list(workspace).await?)
        }
    }
}
