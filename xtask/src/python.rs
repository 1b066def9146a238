//! A Python for the tests of client libraries and for the base of a bench: found, else installed; and an environment with the
//! packages that each names.

use std::{fs, path::PathBuf, process::Stdio};

use anyhow::{Context, Result, bail};

use crate::{
    bring::{Package, Version},
    cargo,
    host::Host,
};

const PYTHON: Package = Package {
    name: "Python with venv",
    oldest: Version { major: 3, minor: 11 },
    // Depends on python3.
    apt: "python3-venv",
    side_by_side: None,
    shield: None,
    afterwards: &[],
    archive: "apt-get update && apt-get install -y python3-venv",
    elsewhere: &[
        ("brew", "brew install python"),
        ("dnf", "dnf install -y python3"),
        ("apk", "apk add python3"),
        ("pacman", "pacman -S --noconfirm python"),
        ("zypper", "zypper install -y python3"),
    ],
};

/// The packages of an environment.
pub(crate) struct Packages {
    /// The file that lists them.
    requirements: &'static str,
    /// The folder of the environment.
    folder: &'static str,
}

/// The packages that tests need.
pub(crate) const TESTS: Packages = Packages {
    requirements: "tests/clients/requirements.txt",
    folder: "target/test-python",
};
/// The packages that benches measure Pharos against.
pub(crate) const BENCHES: Packages = Packages {
    requirements: "benches/requirements.txt",
    folder: "target/bench-python",
};

/// A Python that has the packages.
#[derive(Debug)]
pub(crate) struct Environment {
    pub(crate) python: PathBuf,
    pub(crate) version: String,
}

/// The environment, below `target`; what is missing is installed first.
pub(crate) fn bring(host: &Host, packages: &Packages) -> Result<Environment> {
    let (python, version) = PYTHON.bring(host, find)?;
    let requirements = cargo::root().join(packages.requirements);
    let wanted = fs::read_to_string(&requirements)
        .with_context(|| format!("{} can't be read", packages.requirements))?;
    let folder = cargo::root().join(packages.folder);
    let environment = Environment {
        python: folder.join("bin/python"),
        version,
    };
    let installed = folder.join("installed.txt");
    if fs::read_to_string(&installed).is_ok_and(|installed| installed == wanted) {
        return Ok(environment);
    }
    let mut make = host.command(python);
    make.args(["-m", "venv", "--clear"]).arg(&folder);
    let mut fill = host.command(&environment.python);
    fill.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--requirement",
    ])
    .arg(&requirements);
    for (what, command) in [("`python3 -m venv`", &mut make), ("`pip install`", &mut fill)] {
        let status = command
            .stdout(std::io::stderr())
            .status()
            .with_context(|| format!("{what} did not start"))?;
        if !status.success() {
            bail!("{what} failed ({status}): mend what it says above, and run this again");
        }
    }
    fs::write(&installed, wanted).context("the environment can't be marked as done")?;
    Ok(environment)
}

/// A Python that is new enough and can make environments.
fn find(host: &Host) -> Option<(PathBuf, String)> {
    let file = host.program("python3")?;
    let asked = "import ensurepip, platform, venv; print(platform.python_version())";
    let said = host
        .command(&file)
        .args(["-c", asked])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let version = String::from_utf8_lossy(&said.stdout).trim().to_owned();
    let is_fit = said.status.success() && Version::parse(&version) >= Some(PYTHON.oldest);
    is_fit.then_some((file, version))
}

#[cfg(test)]
mod tests {
    use super::find;
    use crate::{host::Host, script::script};

    #[test]
    fn python_is_found_where_it_can_make_environments_and_is_not_too_old() {
        let root = tempfile::tempdir().unwrap();
        let host = Host::imagined(root.path(), true, false);
        assert_eq!(find(&host), None);
        let program = root.path().join("bin/python3");
        script(&program, "echo 3.11.2");
        assert_eq!(find(&host), Some((program.clone(), "3.11.2".to_owned())));
        script(&program, "echo 3.8.10");
        assert_eq!(find(&host), None);
        script(&program, "exit 1");
        assert_eq!(find(&host), None, "no venv");
    }
}
