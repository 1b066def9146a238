//! A browser for the tests of the console: Node.js and Chromium, found, else installed; and the packages of npm that
//! tests name.

mod find;

use std::{fs, path::PathBuf};

use anyhow::{Context, Result, bail};

use crate::{
    bring::{Package, Version},
    cargo,
    host::Host,
};

const NODE: Package = Package {
    name: "Node.js with npm",
    oldest: Version { major: 18, minor: 0 },
    // Depends on nodejs.
    apt: "npm",
    side_by_side: None,
    shield: None,
    afterwards: &[],
    archive: "apt-get update && apt-get install -y curl && \
              curl -fsSL https://deb.nodesource.com/setup_22.x | bash - && apt-get install -y nodejs",
    elsewhere: &[
        ("brew", "brew install node"),
        ("dnf", "dnf install -y nodejs npm"),
        ("apk", "apk add nodejs npm"),
        ("pacman", "pacman -S --noconfirm nodejs npm"),
        ("zypper", "zypper install -y nodejs npm"),
    ],
};

const CHROMIUM: Package = Package {
    name: "Chromium",
    oldest: Version { major: 120, minor: 0 },
    apt: "chromium",
    side_by_side: None,
    shield: None,
    afterwards: &[],
    archive: "apt-get update && apt-get install -y chromium",
    elsewhere: &[
        ("brew", "brew install --cask chromium"),
        ("dnf", "dnf install -y chromium"),
        ("apk", "apk add chromium"),
        ("pacman", "pacman -S --noconfirm chromium"),
        ("zypper", "zypper install -y chromium"),
    ],
};

/// Where tests name packages of npm.
const PACKAGES: [&str; 6] = [
    "tests/browser",
    "tests/clients",
    "tracker",
    "sdk",
    "crates/ingest/core/data",
    LAB,
];

/// Where Lighthouse is named, which lab tests and their tests are run by.
pub(crate) const LAB: &str = "crates/synthetic/core/lab";

/// A program, and the version that it tells.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Program {
    pub(crate) file: PathBuf,
    pub(crate) version: String,
}

/// The program that drives a browser, and the browser.
#[derive(Debug)]
pub(crate) struct Browser {
    pub(crate) node: Program,
    pub(crate) chromium: Program,
}

/// The installed programs, and the packages of [`PACKAGES`]; what is missing is installed first.
pub(crate) fn bring(host: &Host) -> Result<Browser> {
    let node = bring_node(host)?;
    let chromium = CHROMIUM.bring(host, find::chromium)?;
    for folder in PACKAGES {
        packages(host, folder)?;
    }
    Ok(Browser { node, chromium })
}

/// The folder of Lighthouse for lab tests, with its packages; where something is missing, the sentence that says what to do.
pub(crate) fn lab(host: &Host) -> std::result::Result<PathBuf, String> {
    let missing = if find::node(host).is_none() {
        Some(NODE.missing(host))
    } else if find::chromium(host).is_none() {
        Some(CHROMIUM.missing(host))
    } else {
        None
    };
    if let Some(missing) = missing {
        return Err(format!("no lab tests: {missing}"));
    }
    packages(host, LAB).map_err(|error| format!("no lab tests: {error:#}"))?;
    Ok(cargo::root().join(LAB))
}

/// Node.js with npm; installed first where it is missing.
pub(crate) fn bring_node(host: &Host) -> Result<Program> {
    NODE.bring(host, find::node)
}

/// Installs what the lock file names, unless it did not change since.
pub(crate) fn packages(host: &Host, name: &str) -> Result<()> {
    let folder = cargo::root().join(name);
    let changed = |file: &str| fs::metadata(folder.join(file)).and_then(|file| file.modified());
    let locked =
        changed("package-lock.json").with_context(|| format!("{name}/package-lock.json is missing"))?;
    if changed("node_modules/.package-lock.json").is_ok_and(|installed| installed >= locked) {
        return Ok(());
    }
    let npm = host.program("npm").context("npm is not on the PATH")?;
    let status = host
        .command(npm)
        .args(["ci", "--no-audit", "--no-fund"])
        .current_dir(folder)
        // The browser is the one above.
        .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")
        .stdout(std::io::stderr())
        .status()
        .context("`npm ci` did not start")?;
    if !status.success() {
        bail!("`npm ci` failed in {name} ({status}): mend what it says above, and run this again");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::script;

    #[test]
    fn it_is_said_in_a_sentence_which_program_lab_tests_lack_and_what_installs_it() {
        let root = tempfile::tempdir().unwrap();
        let host = Host::imagined(root.path(), false, false);
        script(&root.path().join("bin/dnf"), "");
        let refusal = || lab(&host).unwrap_err();
        assert_eq!(
            refusal(),
            "no lab tests: Node.js with npm 18 or newer is missing: install it with `sudo dnf install -y nodejs npm` and run this again"
        );
        script(&root.path().join("bin/node"), "echo v22.19.0");
        script(&root.path().join("bin/npm"), "echo 11.19.1");
        assert_eq!(
            refusal(),
            "no lab tests: Chromium 120 or newer is missing: install it with `sudo dnf install -y chromium` and run this again"
        );
    }
}
