//! The account that a test server runs under, and how its programs are run as that account.

use std::{
    fs,
    os::unix::{fs::chown, process::CommandExt},
    path::Path,
    process::{Command, Stdio},
};

use anyhow::{Context, Result};

use crate::host::Host;

/// Whom the server runs as: PostgreSQL refuses root.
pub(super) enum Account {
    Ourselves,
    Other { uid: u32, gid: u32 },
}

impl Account {
    /// As root, `postgres` or else `nobody`; PostgreSQL wants an account that has a name.
    pub(super) fn choose(host: &Host) -> Result<Self> {
        if !host.is_root() {
            return Ok(Self::Ourselves);
        }
        let accounts = fs::read_to_string(host.at("/etc/passwd")).context("/etc/passwd can't be read")?;
        let found = account_ids(&accounts, "postgres").or_else(|| account_ids(&accounts, "nobody"));
        let (uid, gid) = found.context(
            "PostgreSQL refuses to run as root: make an account for it with `useradd --system postgres` and run this again",
        )?;
        Ok(Self::Other { uid, gid })
    }

    pub(super) fn give(&self, path: &Path) -> Result<()> {
        if let Self::Other { uid, gid } = self {
            chown(path, Some(*uid), Some(*gid))
                .with_context(|| format!("{} can't be given to the account of PostgreSQL", path.display()))?;
        }
        Ok(())
    }

    /// A program run as this account, in a process group of its own: a Ctrl-C is meant for the tests, which
    /// need their server until they are done. Nothing of our environment but the path reaches it.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("LC_ALL", "C")
            .current_dir("/")
            .stdin(Stdio::null())
            .process_group(0);
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
        if let Self::Other { uid, gid } = self {
            // Leaving root, the standard library drops the supplementary groups as well.
            command.uid(*uid).gid(*gid);
        }
        command
    }
}

/// The user id and group id of an account.
fn account_ids(accounts: &str, name: &str) -> Option<(u32, u32)> {
    let mut fields = accounts
        .lines()
        .map(|line| line.split(':'))
        .find_map(|mut fields| (fields.next() == Some(name)).then_some(fields))?;
    Some((fields.nth(1)?.parse().ok()?, fields.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::account_ids;

    #[test]
    fn an_account_is_found_by_name() {
        let accounts = "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65533:nobody:/:/usr/sbin/nologin\n";
        assert_eq!(account_ids(accounts, "nobody"), Some((65534, 65533)));
        assert_eq!(account_ids(accounts, "postgres"), None);
    }
}
