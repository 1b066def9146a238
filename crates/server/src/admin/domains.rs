//! `pharos admin domain`

use clap::Subcommand;
use pharos_account::admin::{check_name, domains::DomainAdmin};
use pharos_domain::{
    hostname::Hostname,
    ids::{DomainId, WorkspaceId},
};

use super::{Answer, Desk};

/// Manage domains.
#[derive(Debug, Subcommand)]
pub enum DomainCommand {
    /// Add a domain to a workspace. Configure its monitor with PUT /domains/{id}/uptime/config.
    Add {
        /// The workspace.
        workspace: WorkspaceId,
        /// Its name, such as shop.example.
        hostname: Hostname,
        /// Its name for people, such as "Shop".
        #[arg(long)]
        display_name: Option<String>,
    },
    /// Delete a domain: the API no longer shows it, and its monitoring stops. After 30 days it is erased with all its data.
    Delete {
        /// The domain.
        domain: DomainId,
    },
    /// Take a deletion back, within 30 days.
    Restore {
        /// The domain.
        domain: DomainId,
    },
    /// List the domains of a workspace, the deleted ones included.
    List {
        /// The workspace.
        workspace: WorkspaceId,
    },
}

pub(super) async fn run(command: DomainCommand, desk: &Desk) -> anyhow::Result<Answer> {
    let domains = desk.ports.get::<dyn DomainAdmin>()?;
    match command {
        DomainCommand::Add {
            workspace,
            hostname,
            display_name,
        } => {
            let display_name = display_name
                .map(|name| check_name("a display name", &name))
                .transpose()?;
            Answer::new(
                domains
                    .add(
                        workspace,
                        &hostname,
                        display_name.as_deref(),
                        &desk.actor,
                        desk.now,
                    )
                    .await?,
            )
        }
        DomainCommand::Delete { domain } => Answer::new(domains.delete(domain, &desk.actor, desk.now).await?),
        DomainCommand::Restore { domain } => {
            Answer::new(domains.restore(domain, &desk.actor, desk.now).await?)
        }
        DomainCommand::List { workspace } => {
            desk.workspace(workspace).await?;
            Answer::new(domains.list(workspace).await?)
        }
    }
}
