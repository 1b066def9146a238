//! Finding an installed PostgreSQL server: on the `PATH`, then where the distributions put it.

use std::{
    cmp::Reverse,
    fs,
    path::{Path, PathBuf},
    process::Stdio,
};

use super::{Binaries, PACKAGE};
use crate::{
    bring::Version,
    host::{Host, is_program},
};

/// Folders that hold one folder a version, and what stands before the version in its name.
const SIDE_BY_SIDE: [(&str, &str); 4] = [
    ("/usr/lib/postgresql", ""),
    ("/usr", "pgsql-"),
    ("/opt/homebrew/opt", "postgresql@"),
    ("/usr/local/opt", "postgresql@"),
];

/// The first on the `PATH` that is new enough, else the newest of the usual places.
pub(super) fn newest(host: &Host) -> Option<Binaries> {
    let mut folders = host.folders();
    for (parent, prefix) in SIDE_BY_SIDE {
        folders.extend(versions_in(&host.at(parent), prefix));
    }
    folders.extend(["/usr/local/pgsql/bin", "/opt/homebrew/bin", "/usr/local/bin"].map(|at| host.at(at)));
    folders
        .iter()
        .filter_map(|folder| probe(host, folder))
        .find(|found| Version::parse(&found.version) >= Some(PACKAGE.oldest))
}

/// The `bin` folders of the versions in `parent`, newest first.
fn versions_in(parent: &Path, prefix: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    let mut found: Vec<(u32, PathBuf)> = entries
        .filter_map(|entry| {
            let version = entry.file_name().to_str()?.strip_prefix(prefix)?.parse().ok()?;
            Some((version, entry.path().join("bin")))
        })
        .collect();
    found.sort_by_key(|(version, _)| Reverse(*version));
    found.into_iter().map(|(_, folder)| folder).collect()
}

/// Asks the programs in a folder which version they are.
fn probe(host: &Host, folder: &Path) -> Option<Binaries> {
    let server = folder.join("postgres");
    if !is_program(&server) || !is_program(&folder.join("initdb")) {
        return None;
    }
    let said = host
        .command(&server)
        .arg("--version")
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let version = version(&String::from_utf8_lossy(&said.stdout))?;
    Some(Binaries {
        folder: folder.to_owned(),
        version,
    })
}

/// Reads `postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)`.
fn version(said: &str) -> Option<String> {
    let version = said.split_once("(PostgreSQL)")?.1.split_whitespace().next()?;
    Some(version.to_owned())
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::{newest, version};
    use crate::{host::Host, script::script};

    fn installed(root: &Path, folder: &str, version: &str) {
        let folder = root.join(folder);
        script(
            &folder.join("postgres"),
            &format!("echo 'postgres (PostgreSQL) {version}'"),
        );
        script(&folder.join("initdb"), "exit 0");
    }

    #[test]
    fn a_version_is_read_as_distributions_write_it() {
        let said = "postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)\n";
        assert_eq!(version(said).as_deref(), Some("15.14"));
        assert_eq!(
            version("postgres (PostgreSQL) 18beta1\n").as_deref(),
            Some("18beta1")
        );
        assert_eq!(version("something else 15.1"), None);
    }

    #[test]
    fn the_newest_of_the_versions_side_by_side_is_found() {
        let root = tempfile::tempdir().unwrap();
        installed(root.path(), "usr/lib/postgresql/9/bin", "9.6.24");
        installed(root.path(), "usr/lib/postgresql/15/bin", "15.14");
        installed(root.path(), "usr/lib/postgresql/17/bin", "17.2");
        let found = newest(&Host::imagined(root.path(), true, false)).unwrap();
        assert_eq!(found.version, "17.2");
        assert_eq!(found.folder, root.path().join("usr/lib/postgresql/17/bin"));
    }

    #[test]
    fn the_path_goes_first_but_not_with_a_version_too_old() {
        let root = tempfile::tempdir().unwrap();
        installed(root.path(), "usr/lib/postgresql/17/bin", "17.2");
        installed(root.path(), "bin", "16.1");
        let host = Host::imagined(root.path(), true, false);
        assert_eq!(newest(&host).unwrap().version, "16.1");
        installed(root.path(), "bin", "14.9");
        assert_eq!(newest(&host).unwrap().version, "17.2");
    }

    #[test]
    fn clients_alone_are_no_server() {
        let root = tempfile::tempdir().unwrap();
        installed(root.path(), "usr/lib/postgresql/17/bin", "17.2");
        fs::remove_file(root.path().join("usr/lib/postgresql/17/bin/initdb")).unwrap();
        assert_eq!(newest(&Host::imagined(root.path(), true, false)), None);
    }
}
