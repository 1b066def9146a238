//! `pharos admin announce`

use clap::Args;
use pharos_alerting::{
    announcement::{Announcement, Announcer},
    severity::Severity,
};
use pharos_domain::ids::WorkspaceId;

use super::{Answer, Desk};

/// Tell the people of all workspaces, or of one, something: a notification, which their channels deliver.
#[derive(Debug, Args)]
pub struct AnnounceCommand {
    /// Only this workspace; by default all.
    #[arg(long)]
    workspace: Option<WorkspaceId>,
    /// One line: 1 to 200 characters of plain text.
    #[arg(long)]
    title: String,
    /// The rest: 1 to 5,000 characters of plain text.
    #[arg(long)]
    body: String,
    /// How bad it is: info, warning or critical.
    #[arg(long, default_value = "info")]
    severity: Severity,
}

pub(super) async fn run(command: AnnounceCommand, desk: &Desk) -> anyhow::Result<Answer> {
    let AnnounceCommand {
        workspace,
        title,
        body,
        severity,
    } = command;
    let announcement = Announcement::new(&title, &body, severity)?;
    let announcer = desk.ports.get::<dyn Announcer>()?;
    let told = announcer
        .announce(workspace, &announcement, &desk.actor, desk.now)
        .await?;
    Answer::new(serde_json::json!({ "workspaces_told": told }))
}
