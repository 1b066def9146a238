//! Redis for the tasks: found, else installed. Tests and benches start servers of their own from it.

mod find;

use std::path::PathBuf;

use anyhow::Result;

use crate::{
    bring::{Package, Shield, Version},
    host::Host,
};

const PACKAGE: Package = Package {
    name: "Redis",
    oldest: Version { major: 6, minor: 2 },
    apt: "redis-server",
    side_by_side: None,
    // Debian's packages ask this program before they start anything (invoke-rc.d(8)); 101 is a no.
    shield: Some(Shield {
        path: "/usr/sbin/policy-rc.d",
        mode: "755",
        text: "#!/bin/sh\n# pharos-xtask: nothing is started while Redis is installed\nexit 101\n",
    }),
    // Nor at the next start of the machine.
    afterwards: &["update-rc.d", "redis-server", "disable"],
    archive: "apt-get update && apt-get install -y curl gpg lsb-release && \
              curl -fsSL https://packages.redis.io/gpg | gpg --dearmor -o /usr/share/keyrings/redis.gpg && \
              echo deb [signed-by=/usr/share/keyrings/redis.gpg] https://packages.redis.io/deb $(lsb_release -cs) main \
              > /etc/apt/sources.list.d/redis.list && apt-get update && apt-get install -y redis-server",
    elsewhere: &[
        ("brew", "brew install redis"),
        ("dnf", "dnf install -y redis"),
        ("apk", "apk add redis"),
        ("pacman", "pacman -S --noconfirm valkey"),
        ("zypper", "zypper install -y redis"),
    ],
};

/// The program of a Redis server.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Program {
    pub(crate) file: PathBuf,
    /// As the server tells it, for example `7.0.15`.
    pub(crate) version: String,
}

/// The installed Redis; where there is none, it is installed first.
pub(crate) fn bring(host: &Host) -> Result<Program> {
    PACKAGE.bring(host, find::first)
}

#[cfg(test)]
mod tests;
