//! PostgreSQL for the tasks: found, else installed; and a server of its own for a run of the tests.

mod account;
mod find;
mod install;
mod server;

use std::path::PathBuf;

use anyhow::Result;

pub(crate) use self::server::Server;
use crate::host::Host;

/// The oldest major version that Pharos works with.
const OLDEST: u32 = 15;

/// Where the programs of a PostgreSQL server lie.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Binaries {
    pub(crate) folder: PathBuf,
    /// As the server tells it, for example `15.14`.
    pub(crate) version: String,
    major: u32,
}

/// The installed PostgreSQL; where there is none, it is installed first.
///
/// The crate that runs it for Pharos searches the same places by itself. That crate is not asked here,
/// for it would make every task wait until diesel is compiled.
pub(crate) fn bring(host: &Host) -> Result<Binaries> {
    match find::newest(host) {
        Some(found) => Ok(found),
        None => install::install(host),
    }
}
