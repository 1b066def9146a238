//! `cargo xtask up`: from a machine with Rust to a running demo.

use std::{ffi::OsString, os::unix::process::CommandExt, path::PathBuf, process::Command};

use anyhow::{Context, Result};

use crate::{browser, build, client_data, host::Host, postgres, steps::Steps};

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
/// The setting that says where the database of countries lies.
const COUNTRY_DATABASE: &str = "PHAROS_COUNTRY_DATABASE";

/// Brings a part that Pharos can do without, or says in one sentence why that can't be.
type Bring = fn(&Host) -> std::result::Result<PathBuf, String>;

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
    // All the rest works without them.
    let extras: [(&str, Bring); 2] = [
        (LAB_FOLDER, browser::lab),
        (COUNTRY_DATABASE, client_data::countries),
    ];
    for (setting, bring) in extras {
        if std::env::var_os(setting).is_some() {
            continue;
        }
        match bring(&host) {
            Ok(path) => drop(command.env(setting, path)),
            Err(sentence) => eprintln!("{sentence}"),
        }
    }
    steps.begin("Starting `pharos serve --demo`");
    // The process becomes pharos, so that Ctrl-C and SIGTERM reach it and nobody in between.
    let error = command.args(["serve", "--demo"]).args(&args.serve).exec();
    Err(error).with_context(|| format!("{} can't be run", program.display()))
}
