//! `pharos admin key`

use clap::Subcommand;
use pharos_auth::keys::{
    manage::{self, Grace, KeyDetails, KeyRequest, KeyStore},
    secret::KeySecret,
};
use pharos_domain::{
    ids::{CredentialId, WorkspaceId},
    scope::{Scope, ScopeSet, Tier},
    timestamp::Timestamp,
};
use serde_json::Value;

use super::{Answer, Desk};

/// Manage keys.
#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// Create a key. Its secret is printed once and never again.
    Create {
        /// The workspace that it reaches.
        workspace: WorkspaceId,
        /// The e-mail address of its creator, an owner or admin of the workspace.
        #[arg(long, value_name = "EMAIL")]
        creator: String,
        /// Its name.
        #[arg(long)]
        name: String,
        /// Tiers of scopes: read, configure, run; with commas between.
        #[arg(long, value_delimiter = ',', required_unless_present = "scope")]
        tier: Vec<Tier>,
        /// Single scopes, such as read:uptime.
        #[arg(long, value_delimiter = ',')]
        scope: Vec<Scope>,
        /// When it ends, such as 2027-01-31T00:00:00Z; left out: never.
        #[arg(long, value_name = "TIME")]
        expires_at: Option<Timestamp>,
        /// An address or range that it may be used from; may be repeated. Left out: anywhere.
        #[arg(long, value_name = "ADDRESS")]
        allow: Vec<String>,
    },
    /// Give a key a new secret, printed once. The old one works on for the grace.
    Rotate {
        /// The key's id.
        key: CredentialId,
        /// How long the old secret works on.
        #[arg(long, default_value = "none", value_parser = parse_grace)]
        grace: Grace,
    },
    /// Revoke a key. It is refused everywhere once this returns.
    Revoke {
        /// The key's id.
        key: CredentialId,
    },
    /// List the keys of a workspace.
    List {
        /// The workspace.
        workspace: WorkspaceId,
    },
}

fn parse_grace(text: &str) -> Result<Grace, String> {
    let names = Grace::ALL.map(Grace::as_str).join(", ");
    Grace::ALL
        .into_iter()
        .find(|grace| grace.as_str() == text)
        .ok_or(format!("one of {names}"))
}

pub(super) async fn run(command: KeyCommand, desk: &Desk) -> anyhow::Result<Answer> {
    let keys = &*desk.ports.get::<dyn KeyStore>()?;
    match command {
        KeyCommand::Create {
            workspace,
            creator,
            name,
            tier,
            scope,
            expires_at,
            allow,
        } => {
            let tiers = tier
                .into_iter()
                .map(Tier::scopes)
                .fold(ScopeSet::default(), ScopeSet::union);
            let request = KeyRequest {
                workspace,
                creator: desk.user(&creator).await?,
                name,
                scopes: tiers.union(scope.into_iter().collect()),
                expires_at: expires_at.map(Timestamp::moment),
                allowlist: (!allow.is_empty()).then_some(allow),
            };
            let made = manage::create(keys, desk.environment, &request, &desk.actor, desk.now).await?;
            with_secret(&made)
        }
        KeyCommand::Rotate { key, grace } => {
            let made = manage::rotate(keys, desk.environment, key, grace, &desk.actor, desk.now).await?;
            with_secret(&made)
        }
        KeyCommand::Revoke { key } => Answer::new(keys.revoke(key, &desk.actor, desk.now).await?),
        KeyCommand::List { workspace } => {
            desk.workspace(workspace).await?;
            Answer::new(keys.list(workspace).await?)
        }
    }
}

/// A key with its secret: the one time that it is shown.
fn with_secret((key, secret): &(KeyDetails, KeySecret)) -> anyhow::Result<Answer> {
    let mut value = serde_json::to_value(key)?;
    value["secret"] = Value::from(secret.reveal());
    Answer::new(value)
}
