//! `pharos admin switch`

use clap::Subcommand;
use pharos_domain::switches::{Switch, SwitchStore, Switches};
use serde_json::json;

use super::{Answer, Desk};

/// Manage switches.
#[derive(Debug, Subcommand)]
pub enum SwitchCommand {
    /// Throw a switch: api-disabled or read-only-mode. Every node obeys once this returns.
    On {
        /// The switch.
        switch: Switch,
    },
    /// Put a switch back.
    Off {
        /// The switch.
        switch: Switch,
    },
    /// Say which switches are thrown.
    List,
}

pub(super) async fn run(command: SwitchCommand, desk: &Desk) -> anyhow::Result<Answer> {
    let store = desk.ports.get::<dyn SwitchStore>()?;
    let switches = match command {
        SwitchCommand::On { switch } => store.set(switch, true, &desk.actor, desk.now).await?,
        SwitchCommand::Off { switch } => store.set(switch, false, &desk.actor, desk.now).await?,
        SwitchCommand::List => store.read().await?,
    };
    let Switches {
        api_disabled,
        read_only_mode,
    } = switches;
    Answer::new(json!([
        { "switch": Switch::ApiDisabled, "thrown": api_disabled },
        { "switch": Switch::ReadOnlyMode, "thrown": read_only_mode },
    ]))
}
