//! apt, with the right to install.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::{Package, Version};
use crate::host::{Host, Privilege};

const INSTALL: &str = include_str!("install.sh");

pub(super) struct Apt<'a> {
    pub(super) host: &'a Host,
    pub(super) privilege: Privilege,
    pub(super) package: &'a Package,
}

impl Apt<'_> {
    /// Fetches the lists, waiting for another apt that may hold the lock.
    pub(super) fn update(&self) -> Result<()> {
        let words = ["apt-get", "-o", "DPkg::Lock::Timeout=120", "update", "-q"];
        self.run(&words, "apt-get update")
    }

    /// The package to install: the distribution's own choice, or its newest, where that is new enough.
    pub(super) fn newest(&self) -> Option<String> {
        let Package {
            apt,
            oldest,
            side_by_side,
            ..
        } = self.package;
        let policy = self.ask(&["apt-cache", "policy", apt]);
        let candidate = policy
            .lines()
            .find_map(|line| line.trim().strip_prefix("Candidate:"));
        if candidate.and_then(|version| Version::parse(version.trim())) >= Some(*oldest) {
            return Some((*apt).to_owned());
        }
        let prefix = (*side_by_side)?;
        let listed = self.ask(&[
            "apt-cache",
            "search",
            "--names-only",
            &format!("^{prefix}[0-9]+$"),
        ]);
        let versions = listed.lines().filter_map(|line| {
            let name = line.split_whitespace().next()?;
            name.strip_prefix(prefix)?.parse::<u32>().ok()
        });
        let newest = versions.max().filter(|major| *major >= oldest.major)?;
        Some(format!("{prefix}{newest}"))
    }

    /// Installs a package without questions, and without a service that it would start.
    pub(super) fn install(&self, name: &str) -> Result<()> {
        let shield = self.package.shield.as_ref();
        let script = ["sh", "-c", INSTALL, "pharos-xtask"];
        let path = shield.map_or_else(String::new, |shield| {
            self.host.at(shield.path).display().to_string()
        });
        let (mode, text) = shield.map_or(("", ""), |shield| (shield.mode, shield.text));
        let arguments = [&path, mode, text, name];
        let words = [&script, &arguments, self.package.afterwards].concat();
        self.run(&words, &format!("apt-get install {name}"))
    }

    /// Runs a command as root; what it says goes to the terminal, stdout included.
    fn run(&self, words: &[&str], shown: &str) -> Result<()> {
        let words = [self.privilege.prefix(), words].concat();
        let status = self
            .program(&words)
            .stdout(std::io::stderr())
            .status()
            .with_context(|| format!("`{shown}` did not start"))?;
        if !status.success() {
            let name = self.package.name;
            bail!(
                "`{shown}` failed ({status}): mend what it says above, or install {name} by hand, and run this again"
            );
        }
        Ok(())
    }

    /// The output of a command; nothing where it fails.
    fn ask(&self, words: &[&str]) -> String {
        let said = self
            .program(words)
            .env("LC_ALL", "C")
            .stderr(Stdio::null())
            .stdin(Stdio::null())
            .output();
        said.map(|said| String::from_utf8_lossy(&said.stdout).into_owned())
            .unwrap_or_default()
    }

    fn program(&self, words: &[&str]) -> Command {
        let name = words.first().copied().unwrap_or_default();
        let mut command = self
            .host
            .command(self.host.program(name).unwrap_or_else(|| name.into()));
        command.args(words.iter().skip(1));
        command
    }
}
