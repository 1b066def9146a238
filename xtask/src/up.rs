//! `cargo xtask up`: from a machine with Rust to a running demo.

use std::{ffi::OsString, os::unix::process::CommandExt, process::Command};

use anyhow::{Context, Result};

use crate::{browser, build, host::Host, postgres, steps::Steps};

/// Build Pharos and serve its demo site's live data.
///
/// Brings PostgreSQL where it is missing (with apt, as root or through sudo), builds, and becomes
/// `pharos serve --demo`, which prints its address, a key and a first request. Ctrl-C stops everything;
/// the data is kept for the next start.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Further arguments of `pharos serve`
    #[arg(last = true, value_name = "ARGS")]
    serve: Vec<OsString>,
}

/// The setting that says where Lighthouse lies.
const LAB_FOLDER: &str = "PHAROS_LAB_FOLDER";

pub(crate) fn run(args: &Args) -> Result<()> {
    let host = Host::this();
    let mut steps = Steps::new(3);
    steps.run(
        "Looking for PostgreSQL",
        || {
            build::check_linker(&host)?;
            postgres::bring(&host)
        },
        |found| format!("PostgreSQL {} in {}", found.version, found.folder.display()),
    )?;
    let program = steps.run(
        "Building pharos: minutes the first time, seconds after that",
        || build::pharos(&[]),
        |program| format!("built {}", program.display()),
    )?;
    let mut command = Command::new(&program);
    if std::env::var_os(LAB_FOLDER).is_none() {
        match browser::lab(&host) {
            Ok(folder) => drop(command.env(LAB_FOLDER, folder)),
            // All the rest works without it.
            Err(sentence) => eprintln!("{sentence}"),
        }
    }
    steps.begin("Starting `pharos serve --demo`");
    // The process becomes pharos, so that Ctrl-C and SIGTERM reach it and nobody in between.
    let error = command.args(["serve", "--demo"]).args(&args.serve).exec();
    Err(error).with_context(|| format!("{} can't be run", program.display()))
}
