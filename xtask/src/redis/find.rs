//! Finding an installed Redis server on the `PATH`.

use std::{path::PathBuf, process::Stdio};

use super::{PACKAGE, Program};
use crate::{
    bring::Version,
    host::{Host, is_program},
};

/// The first `redis-server` on the `PATH` that is new enough.
pub(super) fn first(host: &Host) -> Option<Program> {
    let files = host
        .folders()
        .into_iter()
        .map(|folder| folder.join("redis-server"));
    files
        .filter_map(|file| probe(host, file))
        .find(|found| Version::parse(&found.version) >= Some(PACKAGE.oldest))
}

/// Asks a program which version it is.
fn probe(host: &Host, file: PathBuf) -> Option<Program> {
    if !is_program(&file) {
        return None;
    }
    let said = host
        .command(&file)
        .arg("--version")
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let version = version(&String::from_utf8_lossy(&said.stdout))?;
    Some(Program { file, version })
}

/// Reads `Redis server v=7.0.15 sha=00000000:0 …`; Valkey, which some distributions have in its place, says the
/// same under its own name.
fn version(said: &str) -> Option<String> {
    let version = said.split_once(" server v=")?.1.split_whitespace().next()?;
    Some(version.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{first, version};
    use crate::{host::Host, script::script};

    #[test]
    fn a_version_is_read_as_the_servers_write_it() {
        for (said, read) in [
            (
                "Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0\n",
                "7.0.15",
            ),
            ("Valkey server v=8.1.1 sha=00000000:0\n", "8.1.1"),
        ] {
            assert_eq!(version(said).as_deref(), Some(read), "{said}");
        }
        assert_eq!(version("redis-cli 7.0.15"), None);
    }

    #[test]
    fn the_first_on_the_path_is_found_but_not_one_that_is_too_old() {
        let root = tempfile::tempdir().unwrap();
        let host = Host::imagined(root.path(), true, false);
        assert_eq!(first(&host), None);
        let server = root.path().join("bin/redis-server");
        script(&server, "echo 'Redis server v=6.0.16 sha=00000000:0'");
        assert_eq!(first(&host), None);
        script(&server, "echo 'Redis server v=6.2.0 sha=00000000:0'");
        let found = first(&host).unwrap();
        assert_eq!((found.file, found.version.as_str()), (server, "6.2.0"));
    }
}
