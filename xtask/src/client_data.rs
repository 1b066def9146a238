//! `cargo xtask client-data`: the lists by which collection tells browsers, bots and countries.

use std::{fs, path::PathBuf, process::ExitCode};

use anyhow::{Context, Result};

use crate::{browser, cargo, host::Host};

/// The folder of the lists, with the packages of npm that they are made from.
const FOLDER: &str = "crates/ingest/core/data";
/// The database of countries in its package.
const COUNTRIES: &str = "node_modules/@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb";

/// Make the lists of browsers and bots that the server carries, and bring the database of countries.
///
/// Brings Node.js where it is missing, and what the lock file in crates/ingest/core/data names. The lists are committed; the
/// database goes to target/countries.mmdb, for the setting country_database.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Write no list; fail where one is not what the packages make
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let host = Host::this();
    let node = browser::bring_node(&host)?;
    browser::packages(&host, FOLDER)?;
    let made = host
        .command(&node.file)
        .arg("make.mjs")
        .args(args.check.then_some("--check"))
        .current_dir(cargo::root().join(FOLDER))
        .status()
        .context("Node.js did not start")?;
    if !made.success() {
        return Ok(ExitCode::FAILURE);
    }
    println!("{}", bring_countries()?.display());
    Ok(ExitCode::SUCCESS)
}

/// The database of countries, brought by npm; where something is missing, the sentence that says what to do.
pub(crate) fn countries(host: &Host) -> std::result::Result<PathBuf, String> {
    browser::packages(host, FOLDER)
        .and_then(|()| bring_countries())
        .map_err(|error| format!("no countries of visitors: {error:#}"))
}

/// Copies the database of countries out of its package.
fn bring_countries() -> Result<PathBuf> {
    let file = cargo::root().join("target/countries.mmdb");
    fs::create_dir_all(cargo::root().join("target")).context("the folder target can't be made")?;
    let package = cargo::root().join(FOLDER).join(COUNTRIES);
    fs::copy(&package, &file).with_context(|| format!("{} can't be copied", package.display()))?;
    Ok(file)
}
