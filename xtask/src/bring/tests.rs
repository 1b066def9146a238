//! Bringing a tool of which apt offers some version, on imagined machines.

use std::{fs, path::Path};

use super::{
    Package, Shield, Version,
    imagined::{calls, debian, sudo},
};
use crate::{host::Host, script::script};

const TOOL: Package = Package {
    name: "Tool",
    oldest: Version { major: 3, minor: 2 },
    apt: "tool",
    side_by_side: Some("tool-"),
    shield: Some(Shield {
        path: "/etc/shield",
        mode: "644",
        text: "# pharos-xtask\n",
    }),
    afterwards: &[],
    archive: "fetch tool",
    elsewhere: &[
        ("brew", "brew install tool"),
        ("dnf", "dnf install -y tool-server"),
    ],
};

/// Brings the imagined tool. It counts as found where its program is.
fn bring(host: &Host) -> anyhow::Result<()> {
    TOOL.bring(host, |host| host.program("tool").map(drop))
}

fn machine(root: &Path, candidate: &str) {
    let tool = root.join("bin/tool");
    let tool = tool.display();
    debian(
        root,
        candidate,
        &format!("echo '#!/bin/sh' > {tool}; chmod 755 {tool}"),
    );
}

/// The refusal, which has to be one sentence, and nothing may have been run.
fn refusal(root: &Path, host: &Host) -> String {
    let sentence = format!("{:#}", bring(host).unwrap_err());
    assert!(!sentence.contains('\n'), "{sentence}");
    assert!(sentence.ends_with("and run this again"), "{sentence}");
    assert!(
        !calls(root).iter().any(|call| call.contains("install -")),
        "{:?}",
        calls(root)
    );
    sentence
}

#[test]
fn root_installs_while_the_shield_stands() {
    let root = tempfile::tempdir().unwrap();
    machine(root.path(), "3.2");
    bring(&Host::imagined(root.path(), true, false)).unwrap();
    let shield = root.path().join("etc/shield");
    let shield = shield.display();
    assert_eq!(
        calls(root.path()),
        [
            "apt-get -o DPkg::Lock::Timeout=120 update -q",
            &format!("install -D -m 644 /dev/stdin {shield}"),
            "# pharos-xtask",
            "apt-get -o DPkg::Lock::Timeout=120 install -q -y --no-install-recommends tool",
            "frontend noninteractive",
            &format!("rm -f {shield}"),
        ]
    );
}

#[test]
fn the_shield_goes_when_the_installation_fails() {
    let root = tempfile::tempdir().unwrap();
    debian(root.path(), "3.2", "exit 100");
    let error = bring(&Host::imagined(root.path(), true, false)).unwrap_err();
    let error = format!("{error:#}");
    assert!(error.contains("`apt-get install tool` failed"), "{error}");
    assert!(error.contains("install Tool by hand"), "{error}");
    let shield = root.path().join("etc/shield");
    assert_eq!(
        calls(root.path()).last(),
        Some(&format!("rm -f {}", shield.display()))
    );
}

#[test]
fn an_administrators_file_in_the_shields_place_stays() {
    let root = tempfile::tempdir().unwrap();
    machine(root.path(), "3.2");
    let shield = root.path().join("etc/shield");
    fs::create_dir(root.path().join("etc")).unwrap();
    let is_taken_down = |text: &str| {
        fs::write(&shield, text).unwrap();
        for left in ["bin/tool", "calls"] {
            let _ = fs::remove_file(root.path().join(left));
        }
        bring(&Host::imagined(root.path(), true, false)).unwrap();
        calls(root.path()).iter().any(|call| call.starts_with("rm "))
    };
    assert!(!is_taken_down("exit 0\n"));
    assert!(is_taken_down("# pharos-xtask was killed here\n"));
}

#[test]
fn what_is_installed_is_not_installed_again() {
    let root = tempfile::tempdir().unwrap();
    machine(root.path(), "3.2");
    let host = Host::imagined(root.path(), true, false);
    bring(&host).unwrap();
    let before = calls(root.path());
    bring(&host).unwrap();
    assert_eq!(calls(root.path()), before);
}

#[test]
fn an_ordinary_user_installs_through_sudo() {
    for (silent, attended, prefix) in [(true, false, "sudo -n sh -c "), (false, true, "sudo sh -c ")] {
        let root = tempfile::tempdir().unwrap();
        machine(root.path(), "3.2");
        sudo(root.path(), silent);
        bring(&Host::imagined(root.path(), false, attended)).unwrap();
        let calls = calls(root.path());
        assert!(calls.iter().any(|call| call.starts_with(prefix)), "{calls:#?}");
    }
}

#[test]
fn a_password_is_not_asked_for_where_nobody_can_type_it() {
    let root = tempfile::tempdir().unwrap();
    machine(root.path(), "3.2");
    sudo(root.path(), false);
    let sentence = refusal(root.path(), &Host::imagined(root.path(), false, false));
    assert!(
        sentence.starts_with(
            "Tool 3.2 or newer is missing: install it with `sudo sh -c 'apt-get update && apt-get install -y tool'`"
        ),
        "{sentence}"
    );
}

#[test]
fn without_sudo_the_command_is_named() {
    let root = tempfile::tempdir().unwrap();
    machine(root.path(), "3.2");
    let sentence = refusal(root.path(), &Host::imagined(root.path(), false, true));
    assert!(
        sentence.contains("`su -c 'apt-get update && apt-get install -y tool'`"),
        "{sentence}"
    );
}

#[test]
fn a_distribution_with_older_versions_alone_is_told_of_the_archive() {
    let root = tempfile::tempdir().unwrap();
    machine(root.path(), "5:3.1.9-1");
    let sentence = refusal(root.path(), &Host::imagined(root.path(), true, false));
    assert!(sentence.contains("`sh -c 'fetch tool'`"), "{sentence}");
}

#[test]
fn a_newer_package_beside_an_old_default_is_taken() {
    let root = tempfile::tempdir().unwrap();
    machine(root.path(), "2+238");
    let listed = "printf 'tool-2 - old\\ntool-14 - new\\ntool-9 - older\\n'";
    script(
        &root.path().join("bin/apt-cache"),
        &format!("[ \"$1\" = search ] && {listed}; exit 0"),
    );
    bring(&Host::imagined(root.path(), true, false)).unwrap();
    assert!(
        calls(root.path())
            .iter()
            .any(|call| call.ends_with("--no-install-recommends tool-14"))
    );
}

#[test]
fn without_apt_the_other_manager_is_named() {
    let root = tempfile::tempdir().unwrap();
    let user = Host::imagined(root.path(), false, true);
    assert!(refusal(root.path(), &user).contains("`your system's package manager`"));
    script(&root.path().join("bin/dnf"), "exit 0");
    assert!(refusal(root.path(), &user).contains("`sudo dnf install -y tool-server`"));
    script(&root.path().join("bin/brew"), "exit 0");
    assert!(refusal(root.path(), &user).contains("`brew install tool`"));
}
