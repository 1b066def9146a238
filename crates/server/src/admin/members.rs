//! `pharos admin member`

use clap::Subcommand;
use pharos_domain::{ids::WorkspaceId, role::Role};
use serde_json::json;

use super::{Answer, Desk};

/// What to do with members.
#[derive(Debug, Subcommand)]
pub enum MemberCommand {
    /// Add a user to a workspace, or change their role.
    Put {
        /// The workspace.
        workspace: WorkspaceId,
        /// The user's e-mail address.
        email: String,
        /// viewer, member, admin or owner.
        role: Role,
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
    let members = &desk.stores.members;
    match command {
        MemberCommand::Put {
            workspace,
            email,
            role,
        } => {
            let user = desk.user(&email).await?;
            Answer::new(members.put(workspace, user, role, &desk.actor, desk.now).await?)
        }
        MemberCommand::Remove { workspace, email } => {
            let user = desk.user(&email).await?;
            members.remove(workspace, user, &desk.actor, desk.now).await?;
            Answer::new(json!({ "workspace_id": workspace, "user_id": user, "removed": true }))
        }
        MemberCommand::List { workspace } => Answer::new(members.list(workspace).await?),
    }
}
