//! `pharos admin grant`

use clap::Subcommand;
use pharos_auth::oauth::store::{ConnectedApp, GrantStore};
use pharos_domain::{
    ids::CredentialId,
    scope::{ScopeSet, Tier},
    timestamp::Timestamp,
};
use serde_json::{Value, json};

use super::{Answer, Desk};

/// Manage grants.
#[derive(Debug, Subcommand)]
pub enum GrantCommand {
    /// List the apps that a user connected.
    List {
        /// The user's e-mail address.
        email: String,
    },
    /// Take an app's access away. None of its tokens works anywhere once this returns.
    Revoke {
        /// The user's e-mail address.
        email: String,
        /// The grant's id.
        grant: CredentialId,
    },
}

pub(super) async fn run(command: GrantCommand, desk: &Desk) -> anyhow::Result<Answer> {
    let grants = desk.ports.get::<dyn GrantStore>()?;
    match command {
        GrantCommand::List { email } => {
            let connected = grants.connected(desk.user(&email).await?).await?;
            Answer::new(connected.iter().map(shown).collect::<Vec<_>>())
        }
        GrantCommand::Revoke { email, grant } => {
            let user = desk.user(&email).await?;
            let found = grants.revoke_of_user(grant, user, &desk.actor, desk.now).await?;
            anyhow::ensure!(found, "{email} has no grant {grant} that is not revoked");
            Answer::new(json!({ "grant_id": grant, "revoked": true }))
        }
    }
}

fn shown(app: &ConnectedApp) -> Value {
    json!({
        "grant_id": app.grant,
        "client_id": app.client,
        "client_name": app.client_name,
        "verified": app.is_verified,
        "tiers": tiers(app.scopes),
        "scopes": app.scopes,
        "workspaces": app.workspaces,
        "resource": app.resource,
        "created_at": Timestamp::from(app.created_at),
        "last_used_at": app.last_used_at.map(Timestamp::from),
    })
}

/// The tiers that some of these scopes are of.
fn tiers(scopes: ScopeSet) -> Vec<Tier> {
    let is_of = |tier: &Tier| scopes.iter().any(|scope| tier.scopes().contains(scope));
    Tier::ALL.iter().copied().filter(is_of).collect()
}
