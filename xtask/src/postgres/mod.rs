//! PostgreSQL for the tasks: found, else installed; and a server of its own for a run of the tests.

mod account;
mod find;
mod server;

use std::path::PathBuf;

use anyhow::Result;

pub(crate) use self::server::Server;
use crate::{
    bring::{Package, Shield, Version},
    host::Host,
};

const PACKAGE: Package = Package {
    name: "PostgreSQL",
    oldest: Version { major: 15, minor: 0 },
    apt: "postgresql",
    side_by_side: Some("postgresql-"),
    // Tells Debian's packages not to make and start a cluster when they are installed. It lies beside the
    // administrator's settings, in the folder that createcluster.conf includes.
    shield: Some(Shield {
        path: "/etc/postgresql-common/createcluster.d/pharos-xtask.conf",
        mode: "644",
        text: "# pharos-xtask\ncreate_main_cluster = false\n",
    }),
    afterwards: &[],
    archive: "apt-get install -y postgresql-common && \
              /usr/share/postgresql-common/pgdg/apt.postgresql.org.sh -y && apt-get install -y postgresql-17",
    elsewhere: &[
        ("brew", "brew install postgresql@17"),
        ("dnf", "dnf install -y postgresql-server"),
        ("apk", "apk add postgresql17"),
        ("pacman", "pacman -S --noconfirm postgresql"),
        ("zypper", "zypper install -y postgresql-server"),
    ],
};

/// Where the programs of a PostgreSQL server lie.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Binaries {
    pub(crate) folder: PathBuf,
    /// As the server tells it, for example `15.14`.
    pub(crate) version: String,
}

/// The installed PostgreSQL; where there is none, it is installed first.
///
/// The crate that runs it for Pharos searches the same places by itself. That crate is not asked here,
/// for it would make every task wait until diesel is compiled.
pub(crate) fn bring(host: &Host) -> Result<Binaries> {
    PACKAGE.bring(host, find::newest)
}

#[cfg(test)]
mod tests;
