//! The account that browsers run as. Chromium keeps its sandbox only from an account that is not root, and no page should get
//! near ours.

use std::{fs, os::unix::process::CommandExt, path::Path, process::Command};

/// The account for who is root.
const NAME: &str = "nobody";

/// An account of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Account {
    uid: u32,
    gid: u32,
}

impl Account {
    /// As root `nobody`; else `None`: the account that this process has.
    pub(super) fn of_lab() -> Result<Option<Self>, String> {
        if !rustix::process::geteuid().is_root() {
            return Ok(None);
        }
        let accounts = fs::read_to_string("/etc/passwd").map_err(|error| format!("/etc/passwd: {error}"))?;
        match find(&accounts) {
            Some(account) => Ok(Some(account)),
            None => Err(format!(
                "browsers don't run as root, and there is no account {NAME}: run Pharos as an ordinary user"
            )),
        }
    }

    /// Gives a folder to the account.
    pub(super) fn give(self, folder: &Path) -> std::io::Result<()> {
        std::os::unix::fs::chown(folder, Some(self.uid), Some(self.gid))
    }
}

fn find(accounts: &str) -> Option<Account> {
    accounts.lines().find_map(|line| {
        let mut fields = line.split(':');
        if fields.next()? != NAME {
            return None;
        }
        let uid = fields.nth(1)?.parse().ok().filter(|uid| *uid != 0)?;
        let gid = fields.next()?.parse().ok()?;
        Some(Account { uid, gid })
    })
}

/// Runs a command as the account. Leaving root, the standard library drops the supplementary groups as well.
pub(super) fn become_account(command: &mut Command, account: Option<&Account>) {
    if let Some(account) = account {
        command.uid(account.uid).gid(account.gid);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_account_is_found_by_its_name() {
        let accounts = "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65533:nobody:/:/usr/sbin/nologin\n";
        let found = find(accounts).unwrap();
        assert_eq!((found.uid, found.gid), (65_534, 65_533));
        assert_eq!(find("root:x:0:0:root:/root:/bin/bash\n"), None);
        assert_eq!(
            find("nobody:x:0:0::/:/bin/sh\n"),
            None,
            "never root by another name"
        );
    }
}
