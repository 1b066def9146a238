//! nginx, which the tests put in front of nodes: found, else installed.

use std::{path::PathBuf, process::Stdio};

use anyhow::Result;

use crate::{
    bring::{Package, Shield, Version},
    host::{Host, is_program},
};

const PACKAGE: Package = Package {
    name: "nginx",
    oldest: Version { major: 1, minor: 18 },
    apt: "nginx",
    side_by_side: None,
    // As for Redis: no server of the system's is started, and the ports of the web stay free.
    shield: Some(Shield {
        path: "/usr/sbin/policy-rc.d",
        mode: "755",
        text: "#!/bin/sh\n# pharos-xtask: nothing is started while nginx is installed\nexit 101\n",
    }),
    afterwards: &["update-rc.d", "nginx", "disable"],
    archive: "apt-get update && apt-get install -y curl && . /etc/os-release && \
              curl -fsSL https://nginx.org/keys/nginx_signing.key -o /etc/apt/trusted.gpg.d/nginx.asc && \
              echo deb https://nginx.org/packages/$ID $VERSION_CODENAME nginx > /etc/apt/sources.list.d/nginx.list && \
              apt-get update && apt-get install -y nginx",
    elsewhere: &[
        ("brew", "brew install nginx"),
        ("dnf", "dnf install -y nginx"),
        ("apk", "apk add nginx"),
        ("pacman", "pacman -S --noconfirm nginx"),
        ("zypper", "zypper install -y nginx"),
    ],
};

/// Folders of programs that the `PATH` of an ordinary user may lack.
const OF_THE_SYSTEM: [&str; 2] = ["/usr/sbin", "/usr/local/sbin"];

/// The program, and its version as it tells it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Nginx {
    pub(crate) file: PathBuf,
    pub(crate) version: String,
}

/// The installed nginx; where there is none, it is installed first.
pub(crate) fn bring(host: &Host) -> Result<Nginx> {
    PACKAGE.bring(host, find)
}

/// The first that is new enough.
fn find(host: &Host) -> Option<Nginx> {
    let of_the_system = OF_THE_SYSTEM.map(|folder| host.at(folder));
    let folders = host.folders().into_iter().chain(of_the_system);
    folders
        .map(|folder| folder.join("nginx"))
        .filter(|file| is_program(file))
        .filter_map(|file| {
            let mut asked = host.command(&file);
            let said = asked.arg("-v").stdin(Stdio::null()).output().ok()?;
            let version = version(&String::from_utf8_lossy(&said.stderr))?;
            Some(Nginx { file, version })
        })
        .find(|found| Version::parse(&found.version) >= Some(PACKAGE.oldest))
}

/// Reads `nginx version: nginx/1.18.0 (Ubuntu)`.
fn version(said: &str) -> Option<String> {
    let version = said
        .strip_prefix("nginx version: nginx/")?
        .split_whitespace()
        .next()?;
    Some(version.to_owned())
}

#[cfg(test)]
mod tests {
    use super::find;
    use crate::{host::Host, script::script};

    #[test]
    fn one_that_is_new_enough_is_found_where_systems_keep_it() {
        let root = tempfile::tempdir().unwrap();
        let host = Host::imagined(root.path(), true, false);
        assert_eq!(find(&host), None);
        let program = root.path().join("usr/sbin/nginx");
        for (said, found) in [
            ("nginx version: openresty/1.25.3.1", None),
            ("nginx version: nginx/1.14.2", None),
            ("nginx version: nginx/1.18.0 (Ubuntu)", Some("1.18.0")),
        ] {
            script(&program, &format!("echo '{said}' >&2"));
            assert_eq!(find(&host).map(|found| found.version).as_deref(), found, "{said}");
        }
    }
}
