//! Finding an installed Node.js and an installed Chromium on the `PATH`.

use std::process::Stdio;

use super::{CHROMIUM, NODE, Program};
use crate::{bring::Version, host::Host};

/// Node.js, if npm is there too and it is new enough.
pub(super) fn node(host: &Host) -> Option<Program> {
    host.program("npm")?;
    let found = probe(host, "node", |said| said.strip_prefix('v'))?;
    (Version::parse(&found.version) >= Some(NODE.oldest)).then_some(found)
}

/// Chromium, or Chrome, if it is new enough.
pub(super) fn chromium(host: &Host) -> Option<Program> {
    ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .filter_map(|name| {
            probe(host, name, |said| {
                said.split_whitespace()
                    .find(|word| word.starts_with(|first: char| first.is_ascii_digit()))
            })
        })
        .find(|found| Version::parse(&found.version) >= Some(CHROMIUM.oldest))
}

/// Asks a program which version it is.
fn probe(host: &Host, name: &str, version: impl Fn(&str) -> Option<&str>) -> Option<Program> {
    let file = host.program(name)?;
    let said = host
        .command(&file)
        .arg("--version")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let said = String::from_utf8_lossy(&said.stdout);
    let version = version(said.trim())?.to_owned();
    Some(Program { file, version })
}

#[cfg(test)]
mod tests {
    use super::{chromium, node};
    use crate::{host::Host, script::script};

    #[test]
    fn node_is_found_with_npm_and_not_when_it_is_too_old() {
        let root = tempfile::tempdir().unwrap();
        let host = Host::imagined(root.path(), true, false);
        let program = root.path().join("bin/node");
        script(&program, "echo v20.20.2");
        assert_eq!(node(&host), None);
        script(&root.path().join("bin/npm"), "echo 11.19.1");
        let found = node(&host).unwrap();
        assert_eq!((found.file, found.version.as_str()), (program.clone(), "20.20.2"));
        script(&program, "echo v16.20.0");
        assert_eq!(node(&host), None);
    }

    #[test]
    fn chromium_is_found_under_each_of_its_names() {
        let root = tempfile::tempdir().unwrap();
        let host = Host::imagined(root.path(), true, false);
        assert_eq!(chromium(&host), None);
        script(&root.path().join("bin/chromium"), "echo 'Chromium 90.0.1.2'");
        script(
            &root.path().join("bin/google-chrome"),
            "echo 'Google Chrome 156.0.8078.79 '",
        );
        assert_eq!(chromium(&host).unwrap().version, "156.0.8078.79");
        script(
            &root.path().join("bin/chromium"),
            "echo 'Chromium 156.0.8078.80 built on Debian GNU/Linux 12 (bookworm)'",
        );
        assert_eq!(chromium(&host).unwrap().version, "156.0.8078.80");
    }
}
