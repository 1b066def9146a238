//! Bringing a program that a task needs: found where it is installed, else installed with apt, else the command
//! that installs it is named.

mod advice;
mod apt;
#[cfg(test)]
pub(crate) mod imagined;
mod version;

use anyhow::{Context, Result, bail};

pub(crate) use self::version::Version;
use self::{advice::Advice, apt::Apt};
use crate::host::Host;

/// A program, and how the distributions package it.
pub(crate) struct Package {
    /// Its name in a sentence.
    pub(crate) name: &'static str,
    /// The oldest version that Pharos works with.
    pub(crate) oldest: Version,
    /// The package that is the distribution's own choice.
    pub(crate) apt: &'static str,
    /// The part before the major version in the names of packages that lie side by side.
    pub(crate) side_by_side: Option<&'static str>,
    /// Keeps the package from starting a system service, where it has one.
    pub(crate) shield: Option<Shield>,
    /// A command that is run once it is installed; empty: none.
    pub(crate) afterwards: &'static [&'static str],
    /// The commands, run by a shell as root, that install it from the archive of those who make it.
    pub(crate) archive: &'static str,
    /// Other package managers with what they install it by.
    pub(crate) elsewhere: &'static [(&'static str, &'static str)],
}

/// A file that is there while a package is installed, and gone afterwards: whoever installs one later gets the
/// usual service. A file of the administrator's in its place stays as it is.
pub(crate) struct Shield {
    pub(crate) path: &'static str,
    pub(crate) mode: &'static str,
    /// Says `pharos-xtask`, by which one that was left behind is told from an administrator's.
    pub(crate) text: &'static str,
}

impl Package {
    /// The sentence that says what a user has to run where it is missing, and nobody may install it.
    pub(crate) fn missing(&self, host: &Host) -> String {
        let advice = Advice { host, package: self };
        let command = if host.program("apt-get").is_some() {
            advice.by_hand()
        } else {
            advice.elsewhere()
        };
        format!(
            "{} {} or newer is missing: install it with `{command}` and run this again",
            self.name, self.oldest
        )
    }

    /// Returns what `find` finds; where that is nothing, the newest that the distribution offers is installed first.
    pub(crate) fn bring<T>(&self, host: &Host, find: impl Fn(&Host) -> Option<T>) -> Result<T> {
        if let Some(found) = find(host) {
            return Ok(found);
        }
        let privilege = host.program("apt-get").and_then(|_| host.privilege());
        let Some(privilege) = privilege else {
            bail!("{}", self.missing(host));
        };
        eprintln!(
            "      {} is missing: installing it with apt-get, {}",
            self.name,
            privilege.described()
        );
        let apt = Apt {
            host,
            privilege,
            package: self,
        };
        let updated = apt.update();
        let Some(name) = apt.newest() else {
            // Lists that could not be fetched explain why no package is there.
            updated?;
            bail!(
                "{} {} or newer is missing, and this distribution has only older ones: install it from its makers' own archive with \
                 `{}` and run this again",
                self.name,
                self.oldest,
                Advice { host, package: self }.archive()
            );
        };
        apt.install(&name)?;
        find(host).with_context(|| {
            format!("{name} was installed, and its program is in none of the usual places or too old: put its folder on the PATH")
        })
    }
}

#[cfg(test)]
mod tests;
