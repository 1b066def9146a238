//! `pharos admin audit`

use clap::Args;
use pharos_account::admin::audit::{AuditQuery, AuditStore};
use pharos_domain::ids::WorkspaceId;
use uuid::Uuid;

use super::{Answer, Desk};

/// Say who changed what, when, and from where: the newest first.
#[derive(Debug, Args)]
pub struct AuditCommand {
    /// Only what is about this workspace.
    #[arg(long)]
    workspace: Option<WorkspaceId>,
    /// Only what this one did: an e-mail address, or as the trail writes it, such as cli:root or system.
    #[arg(long)]
    by: Option<String>,
    /// Only this action, such as key.rotate, or all of a noun, such as key.
    #[arg(long)]
    action: Option<String>,
    /// Only what is older than the entry of this id.
    #[arg(long, value_name = "ID")]
    before: Option<Uuid>,
    /// At most so many.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    limit: u32,
}

pub(super) async fn run(command: AuditCommand, desk: &Desk) -> anyhow::Result<Answer> {
    let actor = match command.by {
        Some(email) if email.contains('@') => Some(format!("user:{}", desk.user(&email).await?)),
        by => by,
    };
    let query = AuditQuery {
        workspace: command.workspace,
        actor,
        action: command.action,
        before: command.before,
        limit: command.limit,
    };
    Answer::new(desk.ports.get::<dyn AuditStore>()?.list(&query).await?)
}
