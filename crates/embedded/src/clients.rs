//! Finds the installed programs that dump and restore a database, whoever runs its server.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::binaries::{candidates, install_command, parse_version};
use super::errors::EmbeddedError;

const PROGRAMS: [&str; 2] = ["pg_dump", "pg_restore"];

/// Installed `pg_dump` and `pg_restore`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clients {
    folder: PathBuf,
    version: String,
    major: u32,
}

impl Clients {
    /// The program that dumps a database.
    pub fn pg_dump(&self) -> PathBuf {
        self.folder.join("pg_dump")
    }

    /// The program that restores one.
    pub fn pg_restore(&self) -> PathBuf {
        self.folder.join("pg_restore")
    }

    /// Their version, for example `15.14`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Their major version.
    pub fn major(&self) -> u32 {
        self.major
    }

    /// Asks the programs in a folder.
    fn probe(folder: &Path) -> Option<Self> {
        let runs = |program| {
            let path = folder.join(program);
            // On Debian the one on the path is a script, which picks a version each time anew.
            let is_itself =
                fs::canonicalize(&path).is_ok_and(|real| real.file_name() == Some(OsStr::new(program)));
            is_itself
                && fs::metadata(&path)
                    .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
        };
        if !PROGRAMS.into_iter().all(runs) {
            return None;
        }
        let said = Command::new(folder.join("pg_dump"))
            .arg("--version")
            .output()
            .ok()?;
        let (version, major) = parse_version(&String::from_utf8_lossy(&said.stdout))?;
        Some(Self {
            folder: folder.to_owned(),
            version,
            major,
        })
    }
}

/// Finds the programs for a server of that major version: its own, or else the next newer ones, since older ones refuse
/// it. They are looked for where [`find_binaries`](super::find_binaries) looks, or in the folder that the configuration
/// names and no other.
///
/// # Errors
/// None fit; the message has the command that installs them.
pub fn find_clients(bin_folder: Option<&Path>, major: u32) -> Result<Clients, EmbeddedError> {
    let folders = bin_folder.map_or_else(candidates, |folder| vec![folder.to_owned()]);
    let found: Vec<Clients> = folders
        .iter()
        .filter_map(|folder| Clients::probe(folder))
        .collect();
    choose(&found, major).ok_or_else(|| EmbeddedError::ClientsMissing {
        wanted: major,
        found: match found.as_slice() {
            [] => "none".to_owned(),
            some => some.iter().map(Clients::version).collect::<Vec<_>>().join(", "),
        },
        install: install_command(Some(major)),
    })
}

fn choose(found: &[Clients], major: u32) -> Option<Clients> {
    let fitting = found.iter().filter(|clients| clients.major >= major);
    // The first of those of one version wins: `min_by_key` keeps it.
    fitting.min_by_key(|clients| clients.major).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_programs_of_the_servers_version_come_first_and_older_ones_never() {
        let found = [17, 15, 16].map(|major| Clients {
            folder: format!("/{major}").into(),
            version: format!("{major}.1"),
            major,
        });
        let chosen = |major| choose(&found, major).map(|clients| clients.version);
        assert_eq!(chosen(15).as_deref(), Some("15.1"));
        assert_eq!(chosen(14).as_deref(), Some("15.1"));
        assert_eq!(chosen(17).as_deref(), Some("17.1"));
        assert_eq!(chosen(18), None);
        let empty = tempfile::tempdir().unwrap();
        let error = find_clients(Some(empty.path()), 16).unwrap_err();
        assert!(error.to_string().contains("PostgreSQL 16 or newer"), "{error}");
    }
}
