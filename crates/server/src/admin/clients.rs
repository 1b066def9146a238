//! `pharos admin client`

use clap::Subcommand;
use pharos_auth::oauth::store::{ClientStore, ListedClient};
use pharos_domain::{ids::ClientId, timestamp::Timestamp};
use serde_json::{Value, json};

use super::{Answer, Desk};

/// Manage OAuth clients.
#[derive(Debug, Subcommand)]
pub enum ClientCommand {
    /// List apps, those that registered last first, and how many grants of users each has.
    List {
        /// Only those that registered before this one.
        #[arg(long, value_name = "CLIENT")]
        before: Option<ClientId>,
        /// How many at most.
        #[arg(long, default_value_t = 100, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=1_000))]
        limit: u32,
    },
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
    /// Delete an app with all that users granted to it. None of its tokens works anywhere once this returns.
    Delete {
        /// The client's id.
        client: ClientId,
    },
}

pub(super) async fn run(command: ClientCommand, desk: &Desk) -> anyhow::Result<Answer> {
    let clients = desk.ports.get::<dyn ClientStore>()?;
    let (client, is_verified) = match command {
        ClientCommand::List { before, limit } => {
            let listed = clients.list(before, limit).await?;
            return Answer::new(listed.iter().map(shown).collect::<Vec<_>>());
        }
        ClientCommand::Delete { client } => {
            let ended = clients.delete(client, &desk.actor, desk.now).await?;
            let ended = ended.ok_or_else(|| unknown(client))?;
            return Answer::new(json!({ "client_id": client, "deleted": true, "grants_ended": ended }));
        }
        ClientCommand::Verify { client } => (client, true),
        ClientCommand::Unverify { client } => (client, false),
    };
    let found = clients
        .set_verified(client, is_verified, &desk.actor, desk.now)
        .await?;
    if !found {
        return Err(unknown(client));
    }
    Answer::new(json!({ "client_id": client, "verified": is_verified }))
}

fn unknown(client: ClientId) -> anyhow::Error {
    anyhow::anyhow!("there is no client {client}; pharos admin client list has them all")
}

fn shown(client: &ListedClient) -> Value {
    json!({
        "client_id": client.id,
        "name": client.name,
        "verified": client.is_verified,
        "grants": client.grants,
        "auth_method": client.auth_method,
        "redirect_uris": client.redirect_uris,
        "created_at": Timestamp::from(client.created_at),
        "last_used_at": client.last_used_at.map(Timestamp::from),
    })
}
