//! Installing PostgreSQL with apt, as root or through sudo, without leaving a server running.

use std::{
    io::Write,
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail};

use super::{
    Binaries, OLDEST,
    find::{self, leading_number},
};
use crate::host::{Host, Privilege};

/// Tells Debian's PostgreSQL packages not to make and start a cluster when they are installed.
///
/// It is a file of its own beside the administrator's, in the folder that `createcluster.conf` includes,
/// and it goes once the installation is over: whoever installs a server later gets the usual one.
const NO_CLUSTER_FILE: &str = "/etc/postgresql-common/createcluster.d/pharos-xtask.conf";
const NO_CLUSTER: &str = "create_main_cluster = false\n";

/// Installs the newest server that the distribution offers, where it is new enough.
pub(super) fn install(host: &Host) -> Result<Binaries> {
    if host.program("apt-get").is_none() {
        bail!(
            "PostgreSQL {OLDEST} or newer is missing: install it with `{}` and run this again",
            elsewhere(host)
        );
    }
    let Some(privilege) = host.privilege() else {
        bail!(
            "PostgreSQL {OLDEST} or newer is missing: install it with `{}` and run this again",
            by_hand(host)
        );
    };
    eprintln!(
        "      PostgreSQL is missing: installing it with apt-get, {}",
        privilege.described()
    );
    let apt = Apt { host, privilege };
    let updated = apt.get(&["update", "-q"]);
    let Some(package) = apt.package() else {
        // Lists that could not be fetched explain why no package is there.
        updated?;
        bail!(
            "PostgreSQL {OLDEST} or newer is missing, and this distribution has only older ones: install it from \
             PostgreSQL's own archive with `{}` and run this again",
            from_its_archive(host)
        );
    };
    apt.keep_clusters_away()?;
    apt.get(&["install", "-q", "-y", "--no-install-recommends", &package])?;
    apt.run(&["rm", "-f", NO_CLUSTER_FILE], None)?;
    find::newest(host).with_context(|| {
        format!(
            "{package} was installed and its server is in none of the usual places: put its bin folder on the PATH"
        )
    })
}

/// apt, with the right to install.
struct Apt<'h> {
    host: &'h Host,
    privilege: Privilege,
}

impl Apt<'_> {
    /// Runs apt-get without questions, waiting for another one that may hold its lock.
    fn get(&self, arguments: &[&str]) -> Result<()> {
        let apt = [
            "env",
            "DEBIAN_FRONTEND=noninteractive",
            "apt-get",
            "-o",
            "DPkg::Lock::Timeout=120",
        ];
        self.run(&[&apt, arguments].concat(), None)
    }

    /// The package to install: the distribution's own choice, or its newest, where that is new enough.
    fn package(&self) -> Option<String> {
        let policy = self.ask(&["apt-cache", "policy", "postgresql"]);
        let candidate = policy
            .lines()
            .find_map(|line| line.trim().strip_prefix("Candidate:"));
        if candidate.and_then(|version| leading_number(version.trim())) >= Some(OLDEST) {
            return Some("postgresql".to_owned());
        }
        let listed = self.ask(&["apt-cache", "search", "--names-only", "^postgresql-[0-9]+$"]);
        let versions = listed.lines().filter_map(|line| {
            line.split_whitespace()
                .next()?
                .strip_prefix("postgresql-")?
                .parse::<u32>()
                .ok()
        });
        let newest = versions.max().filter(|version| *version >= OLDEST)?;
        Some(format!("postgresql-{newest}"))
    }

    fn keep_clusters_away(&self) -> Result<()> {
        self.run(
            &["install", "-D", "-m", "644", "/dev/stdin", NO_CLUSTER_FILE],
            Some(NO_CLUSTER),
        )
    }

    /// Runs a command as root; what it says goes to the terminal, stdout included.
    fn run(&self, words: &[&str], input: Option<&str>) -> Result<()> {
        let words = [self.privilege.prefix(), words].concat();
        let shown = words.join(" ");
        let mut command = self.program(&words);
        command.stdout(std::io::stderr()).stdin(if input.is_some() {
            Stdio::piped()
        } else {
            Stdio::inherit()
        });
        let mut child = command
            .spawn()
            .with_context(|| format!("`{shown}` did not start"))?;
        if let (Some(text), Some(mut pipe)) = (input, child.stdin.take()) {
            pipe.write_all(text.as_bytes())
                .with_context(|| format!("`{shown}` did not read its input"))?;
        }
        let status = child.wait().with_context(|| format!("`{shown}` was lost"))?;
        if !status.success() {
            bail!(
                "`{shown}` failed ({status}): mend what it says above, or install PostgreSQL by hand, and run this again"
            );
        }
        Ok(())
    }

    /// What a command prints; nothing where it fails.
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

/// The command that installs it where apt is there and we may not run it.
fn by_hand(host: &Host) -> String {
    let commands = "apt-get update && apt-get install -y postgresql";
    if host.program("sudo").is_some() {
        format!("sudo sh -c '{commands}'")
    } else {
        format!("su -c '{commands}'")
    }
}

/// The command that installs it from the archive that PostgreSQL's own packagers keep.
fn from_its_archive(host: &Host) -> String {
    let become_root = if host.is_root() { "" } else { "sudo " };
    format!(
        "{become_root}sh -c 'apt-get install -y postgresql-common && \
         /usr/share/postgresql-common/pgdg/apt.postgresql.org.sh -y && apt-get install -y postgresql-17'"
    )
}

/// The command that installs it where there is no apt.
fn elsewhere(host: &Host) -> String {
    let become_root = if host.is_root() { "" } else { "sudo " };
    let known = [
        ("brew", "brew install postgresql@17".to_owned()),
        ("dnf", format!("{become_root}dnf install -y postgresql-server")),
        ("apk", format!("{become_root}apk add postgresql17")),
        ("pacman", format!("{become_root}pacman -S --noconfirm postgresql")),
        (
            "zypper",
            format!("{become_root}zypper install -y postgresql-server"),
        ),
    ];
    let found = known
        .into_iter()
        .find(|(manager, _)| host.program(manager).is_some());
    found.map_or_else(
        || "your system's package manager".to_owned(),
        |(_, command)| command,
    )
}

#[cfg(test)]
mod tests;
