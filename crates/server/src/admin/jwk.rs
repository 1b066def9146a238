//! `pharos admin jwk`

use clap::Subcommand;
use pharos_auth::oauth::{
    signing::{PUBLISHED_FOR, StoredKey},
    store::SigningKeyStore,
};
use pharos_domain::timestamp::Timestamp;
use serde_json::{Value, json};

use super::{Answer, Desk};

/// Manage signing keys.
#[derive(Debug, Subcommand)]
pub enum JwkCommand {
    /// Add a key. It signs after five minutes, once everybody can have read it; the old one stays until its last token
    /// is over.
    Rotate {
        /// For a key that leaked: the new one signs now, and every access token that was signed before is refused.
        /// Apps refresh, and go on.
        #[arg(long)]
        at_once: bool,
    },
    /// List the keys.
    List,
}

pub(super) async fn run(command: JwkCommand, desk: &Desk) -> anyhow::Result<Answer> {
    let keys = desk.ports.get::<dyn SigningKeyStore>()?;
    match command {
        JwkCommand::Rotate { at_once } => {
            let signs_from = if at_once {
                desk.now
            } else {
                desk.now + PUBLISHED_FOR
            };
            let next = StoredKey::generate(signs_from)?;
            keys.rotate(&next, at_once, &desk.actor, desk.now).await?;
            Answer::new(shown(&next))
        }
        JwkCommand::List => {
            let stored = keys.list().await?;
            Answer::new(stored.iter().map(shown).collect::<Vec<_>>())
        }
    }
}

fn shown(key: &StoredKey) -> Value {
    json!({ "kid": key.kid, "signs_from": Timestamp::from(key.signs_from) })
}
