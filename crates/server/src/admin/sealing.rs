//! `pharos admin sealing`

use clap::Subcommand;
use pharos_domain::{
    sealing_keys::{SealingKeyDetails, SealingKeyStore},
    timestamp::Timestamp,
};
use serde_json::{Value, json};

use super::{Answer, Desk};

/// Manage the keys that seal secrets in the database.
#[derive(Debug, Subcommand)]
pub enum SealingCommand {
    /// Add a key for each table that has secrets. It seals after five minutes, once every node has read it; upkeep then seals anew
    /// what older keys have sealed, and drops these a day later.
    Rotate,
    /// List the keys, with how many rows each has sealed.
    List,
}

pub(super) async fn run(command: SealingCommand, desk: &Desk) -> anyhow::Result<Answer> {
    let keys = desk.ports.get::<dyn SealingKeyStore>()?;
    let keys = match command {
        SealingCommand::Rotate => keys.rotate(&desk.actor, desk.now).await?,
        SealingCommand::List => keys.list().await?,
    };
    Answer::new(keys.iter().map(shown).collect::<Vec<_>>())
}

fn shown(key: &SealingKeyDetails) -> Value {
    let SealingKeyDetails {
        table,
        id,
        seals_from,
        state,
        rows,
    } = key;
    json!({
        "table": table,
        "id": id,
        "seals_from": seals_from.map(Timestamp::from),
        "state": state,
        "rows": rows,
    })
}
