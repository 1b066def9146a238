//! The account that PostgreSQL runs under, and how its programs are run as that account.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::process::{Signal, geteuid};

use super::errors::{Context as _, EmbeddedError};

/// Whom PostgreSQL runs as: ourselves, or as root somebody else, since it refuses root.
#[derive(Debug, Clone)]
pub(super) struct Account {
    pub(super) uid: u32,
    /// The account to change to; `None` when we run as an ordinary user.
    switch: Option<Switch>,
}

#[derive(Debug, Clone)]
struct Switch {
    name: String,
    gid: u32,
}

impl Account {
    /// As root the owner of the cluster that is there, else `postgres`, else `nobody`.
    pub(super) fn choose(cluster: &Path) -> Result<Self, EmbeddedError> {
        let uid = geteuid();
        if !uid.is_root() {
            return Ok(Self {
                uid: uid.as_raw(),
                switch: None,
            });
        }
        // PostgreSQL needs the entry too: it asks for the name of its own user id.
        let passwd = Path::new("/etc/passwd");
        let accounts = fs::read_to_string(passwd).context("read", passwd)?;
        let owner = fs::symlink_metadata(cluster).ok().map(|found| found.uid());
        let found = match owner {
            Some(owner) => find(&accounts, |_, uid| uid == owner),
            None => find(&accounts, |name, _| name == "postgres")
                .or_else(|| find(&accounts, |name, _| name == "nobody")),
        };
        match (found, owner) {
            (Some((name, uid, gid)), _) if uid != 0 => Ok(Self {
                uid,
                switch: Some(Switch { name, gid }),
            }),
            (_, Some(owner)) => {
                let wanted = find(&accounts, |name, _| name == "postgres").map_or(65_534, |found| found.1);
                Err(EmbeddedError::NotOurs {
                    folder: cluster.to_owned(),
                    owner,
                    wanted,
                })
            }
            (_, None) => Err(EmbeddedError::NoAccount),
        }
    }

    /// Gives a file or a folder of ours to the account.
    pub(super) fn give(&self, path: &Path) -> Result<(), EmbeddedError> {
        match &self.switch {
            Some(switch) => std::os::unix::fs::lchown(path, Some(self.uid), Some(switch.gid))
                .context("change the owner of", path),
            None => Ok(()),
        }
    }

    /// Checks that the account can reach what lies in the folder: each one on the way lets it pass.
    pub(super) fn check_can_enter(&self, folder: &Path) -> Result<(), EmbeddedError> {
        let Some(switch) = &self.switch else { return Ok(()) };
        for ancestor in folder.ancestors() {
            let found = fs::metadata(ancestor).context("look at", ancestor)?;
            let bit = if found.uid() == self.uid {
                0o100
            } else if found.gid() == switch.gid {
                0o010
            } else {
                0o001
            };
            if found.mode() & bit == 0 {
                return Err(EmbeddedError::CannotEnter {
                    account: switch.name.clone(),
                    folder: ancestor.to_owned(),
                });
            }
        }
        Ok(())
    }

    /// A program that runs as the account. It gets almost nothing of our environment: that may hold
    /// secrets, which others of the same account could read, and settings such as `PGOPTIONS`.
    pub(super) fn command(&self, program: &Path, dies_with_parent: Option<Signal>) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("LC_ALL", "C")
            .current_dir("/")
            .stdin(Stdio::null());
        for name in ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        if let Some(switch) = &self.switch {
            // Leaving root, the standard library drops the supplementary groups as well.
            command.uid(self.uid).gid(switch.gid);
        }
        if let Some(signal) = dies_with_parent {
            die_with_parent(&mut command, signal);
        }
        command
    }
}

/// Makes the kernel send the child a signal when the thread that forks it ends, whatever the cause.
#[cfg(target_os = "linux")]
#[expect(
    unsafe_code,
    reason = "the kernel takes this setting only from the child itself, before it executes"
)]
fn die_with_parent(command: &mut Command, signal: Signal) {
    use rustix::process::{getpid, getppid, set_parent_process_death_signal};

    let parent = getpid();
    // This runs after the change of user, which would clear the setting.
    let set = move || {
        set_parent_process_death_signal(Some(signal))?;
        // A parent that died before the setting was made sends nothing any more.
        if getppid() == Some(parent) {
            Ok(())
        } else {
            Err(rustix::io::Errno::SRCH.into())
        }
    };
    // SAFETY: the closure makes two system calls; it takes no lock and allocates nothing.
    unsafe { command.pre_exec(set) };
}

#[cfg(not(target_os = "linux"))]
fn die_with_parent(_command: &mut Command, _signal: Signal) {}

/// The name, user id and group id of the first entry that fits.
fn find(accounts: &str, fits: impl Fn(&str, u32) -> bool) -> Option<(String, u32, u32)> {
    accounts.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        let uid = fields.nth(1)?.parse().ok()?;
        let gid = fields.next()?.parse().ok()?;
        fits(name, uid).then(|| (name.to_owned(), uid, gid))
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn an_entry_is_found_by_name_and_by_id() {
        let accounts = "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65533:nobody:/:/usr/sbin/nologin\n";
        assert_eq!(
            find(accounts, |name, _| name == "nobody"),
            Some(("nobody".to_owned(), 65534, 65533))
        );
        assert_eq!(find(accounts, |_, uid| uid == 0), Some(("root".to_owned(), 0, 0)));
        assert_eq!(find(accounts, |name, _| name == "postgres"), None);
    }

    #[test]
    fn a_closed_folder_on_the_way_is_named() {
        let top = tempfile::tempdir_in("/tmp").unwrap();
        let closed = top.path().join("closed");
        let below = closed.join("data");
        fs::create_dir_all(&below).unwrap();
        fs::set_permissions(top.path(), fs::Permissions::from_mode(0o711)).unwrap();
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
        let switch = Some(Switch {
            name: "other".to_owned(),
            gid: 54_321,
        });
        let other = Account { uid: 54_321, switch };
        let error = other.check_can_enter(&below).unwrap_err();
        assert!(
            matches!(&error, EmbeddedError::CannotEnter { folder, .. } if *folder == closed),
            "{error}"
        );
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o711)).unwrap();
        other.check_can_enter(&below).unwrap();
    }
}
