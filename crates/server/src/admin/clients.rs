//! `pharos admin client`

use clap::Subcommand;
use pharos_auth::oauth::store::ClientStore;
use pharos_domain::ids::ClientId;
use serde_json::json;

use super::{Answer, Desk};

/// Manage OAuth clients.
#[derive(Debug, Subcommand)]
pub enum ClientCommand {
    /// Say that an app is what it says it is: the consent screen no longer calls it unverified. Nothing else changes.
    Verify {
        /// The client's id.
        client: ClientId,
    },
    /// Call an app unverified again.
    Unverify {
        /// The client's id.
        client: ClientId,
    },
}

pub(super) async fn run(command: ClientCommand, desk: &Desk) -> anyhow::Result<Answer> {
    let (client, is_verified) = match command {
        ClientCommand::Verify { client } => (client, true),
        ClientCommand::Unverify { client } => (client, false),
    };
    let clients = desk.ports.get::<dyn ClientStore>()?;
    let found = clients
        .set_verified(client, is_verified, &desk.actor, desk.now)
        .await?;
    anyhow::ensure!(found, "there is no client {client}");
    Answer::new(json!({ "client_id": client, "verified": is_verified }))
}
