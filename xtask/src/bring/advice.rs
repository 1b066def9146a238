//! The one command that a user has to run where the task may not or can't install.

use super::Package;
use crate::host::Host;

pub(super) struct Advice<'a> {
    pub(super) host: &'a Host,
    pub(super) package: &'a Package,
}

impl Advice<'_> {
    /// Where apt is there and we may not run it.
    pub(super) fn by_hand(&self) -> String {
        let commands = format!("apt-get update && apt-get install -y {}", self.package.apt);
        if self.host.program("sudo").is_some() {
            format!("sudo sh -c '{commands}'")
        } else {
            format!("su -c '{commands}'")
        }
    }

    /// Where the distribution has only versions that are too old.
    pub(super) fn archive(&self) -> String {
        format!("{}sh -c '{}'", self.become_root(), self.package.archive)
    }

    /// Where there is no apt.
    pub(super) fn elsewhere(&self) -> String {
        let known = self.package.elsewhere.iter();
        let found = known
            .copied()
            .find(|(manager, _)| self.host.program(manager).is_some());
        match found {
            // Homebrew refuses root.
            Some(("brew", command)) => command.to_owned(),
            Some((_, command)) => format!("{}{command}", self.become_root()),
            None => "your system's package manager".to_owned(),
        }
    }

    fn become_root(&self) -> &'static str {
        if self.host.is_root() { "" } else { "sudo " }
    }
}
