//! promtool, by which the tests judge the alert rules: found, else installed with Prometheus.

use std::{path::PathBuf, process::Stdio};

use anyhow::Result;

use crate::{
    bring::{Package, Shield, Version},
    host::{Host, is_program},
};

const PACKAGE: Package = Package {
    name: "promtool of Prometheus",
    oldest: Version { major: 2, minor: 31 },
    apt: "prometheus",
    side_by_side: None,
    // As for Redis: Prometheus itself is not started.
    shield: Some(Shield {
        path: "/usr/sbin/policy-rc.d",
        mode: "755",
        text: "#!/bin/sh\n# pharos-xtask: nothing is started while Prometheus is installed\nexit 101\n",
    }),
    afterwards: &["update-rc.d", "prometheus", "disable"],
    archive: "apt-get update && apt-get install -y curl && curl -fsSL https://github.com/prometheus/prometheus/releases/\
              download/v3.5.0/prometheus-3.5.0.linux-$(dpkg --print-architecture).tar.gz | \
              tar -xz --strip-components=1 -C /usr/local/bin --wildcards */promtool",
    elsewhere: &[
        ("brew", "brew install prometheus"),
        ("dnf", "dnf install -y golang-github-prometheus"),
        ("apk", "apk add prometheus"),
        ("pacman", "pacman -S --noconfirm prometheus"),
        ("zypper", "zypper install -y golang-github-prometheus-prometheus"),
    ],
};

/// The program, and its version as it tells it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Promtool {
    pub(crate) file: PathBuf,
    pub(crate) version: String,
}

/// The installed promtool; where there is none, it is installed first.
pub(crate) fn bring(host: &Host) -> Result<Promtool> {
    PACKAGE.bring(host, find)
}

/// The first on the `PATH` that is new enough.
fn find(host: &Host) -> Option<Promtool> {
    let files = host.folders().into_iter().map(|folder| folder.join("promtool"));
    files
        .filter(|file| is_program(file))
        .filter_map(|file| {
            let mut asked = host.command(&file);
            let said = asked.arg("--version").stdin(Stdio::null()).output().ok()?;
            let version = version(&String::from_utf8_lossy(&said.stdout))?;
            Some(Promtool { file, version })
        })
        .find(|found| Version::parse(&found.version) >= Some(PACKAGE.oldest))
}

/// Reads `promtool, version 2.42.0+ds (branch: …`.
fn version(said: &str) -> Option<String> {
    let version = said
        .strip_prefix("promtool, version ")?
        .split_whitespace()
        .next()?;
    Some(version.to_owned())
}

#[cfg(test)]
mod tests {
    use super::find;
    use crate::{host::Host, script::script};

    #[test]
    fn one_that_is_new_enough_is_found() {
        let root = tempfile::tempdir().unwrap();
        let host = Host::imagined(root.path(), true, false);
        assert_eq!(find(&host), None);
        let program = root.path().join("bin/promtool");
        for (said, found) in [
            ("prometheus, version 3.1.0 (branch: HEAD)", None),
            ("promtool, version 2.24.1+ds (branch: debian/sid)", None),
            (
                "promtool, version 2.42.0+ds (branch: debian/sid)",
                Some("2.42.0+ds"),
            ),
        ] {
            script(&program, &format!("echo '{said}'"));
            assert_eq!(find(&host).map(|found| found.version).as_deref(), found, "{said}");
        }
    }
}
