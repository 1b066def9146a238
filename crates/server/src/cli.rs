//! The command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::{
    admin::AdminCommand,
    answer::Form,
    flags::{GlobalFlags, ServeFlags},
};

/// Website monitoring and analytics behind one public API.
#[derive(Debug, Parser)]
#[command(
    version,
    propagate_version = true,
    max_term_width = 100,
    after_help = "`pharos settings` prints what can be configured, `--help` and `pharos doctor` what is in force."
)]
pub struct Cli {
    /// The subcommand.
    #[command(subcommand)]
    pub command: Command,
    /// Flags of every command.
    #[command(flatten)]
    pub global: GlobalFlags,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the API and run the checks.
    Serve(ServeFlags),
    /// Bring the database's schema up to date. `serve` does so by itself.
    Migrate(Form),
    /// Change workspaces, users, members, plans, domains, keys and switches.
    Admin {
        /// How to print the answer.
        #[command(flatten)]
        form: Form,
        /// The kind of thing to change, and the change.
        #[command(subcommand)]
        command: AdminCommand,
    },
    /// Write the database, the artefacts and the keys into one file, while Pharos runs.
    Backup {
        /// The file to write. It holds secrets, and only its owner may read it.
        file: PathBuf,
        /// How to print the answer.
        #[command(flatten)]
        form: Form,
    },
    /// Bring back what a backup holds, while Pharos does not run.
    Restore {
        /// The file that `pharos backup` wrote.
        file: PathBuf,
        /// Put it in the place of what is here, which is deleted.
        #[arg(long)]
        replace: bool,
        /// How to print the answer.
        #[command(flatten)]
        form: Form,
    },
    /// Print the OpenAPI document.
    Openapi {
        /// Print the reference table instead, as Markdown.
        #[arg(long)]
        reference: bool,
    },
    /// Ask the node of this machine whether it answers; ends with 1 where it does not.
    Healthcheck,
    /// Print a script by which a shell completes the command line.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print what can be configured, as Markdown.
    Settings,
    /// Say what is in force, and what is wrong.
    Doctor(Form),
}

#[cfg(test)]
mod tests;
