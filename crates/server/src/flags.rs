//! The flags of the command line: the last source of the configuration.

use std::{net::SocketAddr, path::PathBuf};

use clap::Args;
use serde::Serialize;

use crate::role::Role;

/// Flags of every command.
#[derive(Clone, Debug, Default, Args, Serialize)]
pub struct GlobalFlags {
    /// A TOML file with the configuration.
    #[arg(long, global = true, env = "PHAROS_CONFIG", value_name = "FILE")]
    #[serde(skip)]
    pub config: Option<PathBuf>,
    /// Where Pharos keeps its own PostgreSQL and the demo's key.
    #[arg(long, global = true, value_name = "FOLDER")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_folder: Option<PathBuf>,
}

/// Flags of `serve`. Each is a setting of the configuration too.
#[derive(Clone, Debug, Default, Args, Serialize)]
pub struct ServeFlags {
    /// The address to listen on [default: 127.0.0.1:7070].
    #[arg(long, value_name = "ADDRESS:PORT")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listen: Option<SocketAddr>,
    /// The address to serve metrics on, to whoever reaches it [default: none].
    #[arg(long, value_name = "ADDRESS:PORT")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub admin_address: Option<SocketAddr>,
    /// The parts of Pharos that this node runs [default: all].
    #[arg(long, value_delimiter = ',', value_name = "ROLE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roles: Option<Vec<Role>>,
    /// The region that this node's checks run from [default: local].
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// Serve a small demo site too, watch it, and print a key to try the API with.
    #[arg(long)]
    #[serde(skip)]
    pub demo: bool,
}
