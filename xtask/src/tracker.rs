//! `cargo xtask tracker`: the script that measures sites, from its sources to what the server carries.

use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::{browser, cargo, host::Host};

/// Make the tracker's bundles in tracker/dist from its sources.
///
/// Brings Node.js where it is missing, and what tracker/package-lock.json names; checks the types, bundles, and holds the bundles
/// against their limits. The bundles are committed, so that building the server needs no npm.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Write nothing; fail where tracker/dist is not what the sources make
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let host = Host::this();
    let node = browser::bring_node(&host)?;
    let folder = cargo::root().join("tracker");
    browser::packages(&host, "tracker")?;
    let steps: [&[&str]; 2] = [
        &["node_modules/typescript/bin/tsc", "-p", "."],
        if args.check {
            &["build.mjs", "--check"]
        } else {
            &["build.mjs"]
        },
    ];
    for step in steps {
        let status = host
            .command(&node.file)
            .args(step)
            .current_dir(&folder)
            .status()
            .context("Node.js did not start")?;
        if !status.success() {
            return Ok(ExitCode::FAILURE);
        }
    }
    Ok(ExitCode::SUCCESS)
}
