//! The command line.

use std::{net::SocketAddr, path::PathBuf};

use clap::{Args, Parser, Subcommand};
use serde::Serialize;

use crate::{admin::AdminCommand, config::Role};

/// Website monitoring and analytics behind one public API.
#[derive(Debug, Parser)]
#[command(version, propagate_version = true, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Flags of every command.
    #[command(flatten)]
    pub global: GlobalFlags,
}

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

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the API and run the checks.
    Serve(ServeFlags),
    /// Bring the database's schema up to date. `serve` does so by itself.
    Migrate,
    /// Change workspaces, users, members, plans, domains, keys and switches.
    Admin {
        /// Print JSON.
        #[arg(long, global = true)]
        json: bool,
        /// What to change.
        #[command(subcommand)]
        command: AdminCommand,
    },
    /// Print the OpenAPI document.
    Openapi {
        /// Print the reference table instead, as Markdown.
        #[arg(long)]
        reference: bool,
    },
    /// Say what is in force, and what is wrong.
    Doctor {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}

/// Flags of `serve`. Each is a setting of the configuration too.
#[derive(Clone, Debug, Default, Args, Serialize)]
pub struct ServeFlags {
    /// The address to listen on [default: 127.0.0.1:7070].
    #[arg(long, value_name = "ADDRESS:PORT")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listen: Option<SocketAddr>,
    /// The parts of Pharos that this node runs [default: api,scheduler,worker].
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
