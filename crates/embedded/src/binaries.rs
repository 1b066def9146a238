//! Finds the installed PostgreSQL: `postgres` and `initdb` in one folder, of a version that will do.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::errors::EmbeddedError;

/// The oldest major version that Pharos works with.
pub(super) const OLDEST: u32 = 15;

/// An installed PostgreSQL server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binaries {
    folder: PathBuf,
    version: String,
    major: u32,
}

impl Binaries {
    /// The folder that holds `postgres` and `initdb`.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The version as the server tells it, for example `15.14`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The major version, which the data on disk depends on.
    pub fn major(&self) -> u32 {
        self.major
    }

    pub(super) fn postgres(&self) -> PathBuf {
        self.folder.join("postgres")
    }

    pub(super) fn initdb(&self) -> PathBuf {
        self.folder.join("initdb")
    }

    /// Asks the programs in a folder; the error names the one that is missing or doesn't run.
    fn probe(folder: &Path) -> Result<Self, &'static str> {
        for program in ["postgres", "initdb"] {
            let runs = fs::metadata(folder.join(program))
                .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0);
            if !runs {
                return Err(program);
            }
        }
        let said = Command::new(folder.join("postgres"))
            .arg("--version")
            .output()
            .map_err(|_| "postgres")?;
        let (version, major) = parse_version(&String::from_utf8_lossy(&said.stdout)).ok_or("postgres")?;
        Ok(Self {
            folder: folder.to_owned(),
            version,
            major,
        })
    }
}

/// Finds the PostgreSQL to run: the folder that the configuration names and no other, or else the
/// one on `PATH`, or else the newest of the usual places, at least version 15.
///
/// # Errors
/// When none is installed, or only one too old; the message has the command that installs it.
pub fn find_binaries(bin_folder: Option<&Path>) -> Result<Binaries, EmbeddedError> {
    find(bin_folder, None)
}

/// Like [`find_binaries`], but of the major version that wrote the cluster.
pub(super) fn find_binaries_for(
    bin_folder: Option<&Path>,
    cluster: &Path,
    major: u32,
) -> Result<Binaries, EmbeddedError> {
    find(bin_folder, Some((cluster, major)))
}

fn find(bin_folder: Option<&Path>, cluster: Option<(&Path, u32)>) -> Result<Binaries, EmbeddedError> {
    if let Some((folder, wanted)) = cluster
        && wanted < OLDEST
    {
        return Err(EmbeddedError::DataTooOld {
            folder: folder.to_owned(),
            wanted,
            oldest: OLDEST,
        });
    }
    if let Some(folder) = bin_folder {
        let found = Binaries::probe(folder).map_err(|program| EmbeddedError::BinariesIncomplete {
            folder: folder.to_owned(),
            program,
        })?;
        return accept(found, cluster);
    }
    let mut refused = None;
    for folder in candidates() {
        let Ok(found) = Binaries::probe(&folder) else {
            continue;
        };
        match accept(found, cluster) {
            Ok(found) => return Ok(found),
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    Err(refused.unwrap_or_else(|| EmbeddedError::BinariesMissing {
        oldest: OLDEST,
        install: install_command(cluster.map(|(_, major)| major)),
    }))
}

fn accept(found: Binaries, cluster: Option<(&Path, u32)>) -> Result<Binaries, EmbeddedError> {
    match cluster {
        Some((folder, wanted)) if wanted != found.major => Err(EmbeddedError::OtherVersion {
            folder: folder.to_owned(),
            wanted,
            found: found.version,
            install: install_command(Some(wanted)),
        }),
        None if found.major < OLDEST => Err(EmbeddedError::BinariesTooOld {
            folder: found.folder,
            found: found.version,
            oldest: OLDEST,
            install: install_command(None),
        }),
        _ => Ok(found),
    }
}

/// The folders to look into, best first.
pub(super) fn candidates() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .collect();
    for (parent, prefix) in [
        ("/usr/lib/postgresql", ""),
        ("/usr", "pgsql-"),
        ("/opt/homebrew/opt", "postgresql@"),
        ("/usr/local/opt", "postgresql@"),
        ("/home/linuxbrew/.linuxbrew/opt", "postgresql@"),
        ("/Applications/Postgres.app/Contents/Versions", ""),
    ] {
        folders.extend(versions_in(Path::new(parent), prefix));
    }
    folders.extend(["/usr/local/pgsql/bin", "/opt/homebrew/bin", "/usr/local/bin"].map(PathBuf::from));
    folders
}

/// The `bin` folders of the versions installed side by side in `parent`, newest first.
fn versions_in(parent: &Path, prefix: &str) -> Vec<PathBuf> {
    let mut found: Vec<(u32, PathBuf)> = fs::read_dir(parent)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name();
            let major = name.to_str()?.strip_prefix(prefix)?.parse().ok()?;
            Some((major, entry.path().join("bin")))
        })
        .collect();
    found.sort_by_key(|(major, _)| std::cmp::Reverse(*major));
    found.into_iter().map(|(_, folder)| folder).collect()
}

/// Reads `postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)`.
pub(super) fn parse_version(said: &str) -> Option<(String, u32)> {
    let version = said.split_once("(PostgreSQL)")?.1.split_whitespace().next()?;
    let digits = version
        .find(|letter: char| !letter.is_ascii_digit())
        .unwrap_or(version.len());
    Some((version.to_owned(), version[..digits].parse().ok()?))
}

/// The command that installs a server here, of a certain version where the data asks for one.
pub(super) fn install_command(major: Option<u32>) -> String {
    let root = rustix::process::geteuid().is_root();
    let sudo = if root { "" } else { "sudo " };
    let exists = |program: &str| Path::new(program).exists();
    if cfg!(target_os = "macos") {
        format!("brew install postgresql@{}", major.unwrap_or(17))
    } else if exists("/usr/bin/apt-get") {
        let version = major.map(|major| format!("-{major}")).unwrap_or_default();
        format!("{sudo}apt-get install postgresql{version}")
    } else if exists("/usr/bin/dnf") {
        format!("{sudo}dnf install postgresql-server")
    } else if exists("/sbin/apk") {
        format!("{sudo}apk add postgresql{}", major.unwrap_or(OLDEST))
    } else if exists("/usr/bin/pacman") {
        format!("{sudo}pacman -S postgresql")
    } else {
        "your package manager's install of the PostgreSQL server".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_as_distributions_write_it() {
        for (said, version, major) in [
            (
                "postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)\n",
                "15.14",
                15,
            ),
            ("postgres (PostgreSQL) 18beta1\n", "18beta1", 18),
            ("postgres (PostgreSQL) 9.6.24\n", "9.6.24", 9),
        ] {
            assert_eq!(parse_version(said), Some((version.to_owned(), major)));
        }
        assert_eq!(parse_version("something else 15.1"), None);
    }

    #[test]
    fn the_newest_of_the_versions_side_by_side_comes_first() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["9", "15", "17", "common"] {
            fs::create_dir_all(folder.path().join(name).join("bin")).unwrap();
        }
        let found = versions_in(folder.path(), "");
        let wanted: Vec<PathBuf> = ["17", "15", "9"]
            .map(|name| folder.path().join(name).join("bin"))
            .into();
        assert_eq!(found, wanted);
    }

    #[test]
    fn a_folder_without_the_programs_says_which_one_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let error = find_binaries(Some(folder.path())).unwrap_err();
        assert!(
            matches!(
                error,
                EmbeddedError::BinariesIncomplete {
                    program: "postgres",
                    ..
                }
            ),
            "{error}"
        );
    }

    #[test]
    fn data_of_a_version_that_is_not_installed_is_refused() {
        let found = Binaries {
            folder: "/usr/bin".into(),
            version: "17.2".into(),
            major: 17,
        };
        let error = accept(found.clone(), Some((Path::new("/data/cluster"), 15))).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("written by PostgreSQL 15, and here is 17.2"),
            "{error}"
        );
        assert!(accept(found, Some((Path::new("/data/cluster"), 17))).is_ok());
    }

    #[test]
    fn a_version_too_old_is_refused() {
        let found = Binaries {
            folder: "/usr/bin".into(),
            version: "14.9".into(),
            major: 14,
        };
        assert!(matches!(
            accept(found, None),
            Err(EmbeddedError::BinariesTooOld { .. })
        ));
    }
}
