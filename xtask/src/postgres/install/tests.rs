//! Installing on imagined machines, whose programs write down how they were called.

use std::{fs, path::Path};

use crate::{host::Host, postgres::bring, script::script};

/// A Debian-like machine that offers `candidate` as its PostgreSQL.
fn debian(root: &Path, candidate: &str) {
    let log = root.join("calls");
    let bin = root.join("bin");
    let noted = |name: &str, body: &str| {
        script(
            &bin.join(name),
            &format!("echo \"{name} $*\" >> {}\n{body}", log.display()),
        );
    };
    let server = root.join("usr/lib/postgresql/17/bin");
    noted(
        "apt-get",
        &format!(
            "echo \"frontend $DEBIAN_FRONTEND\" >> {log}\n\
             case \"$*\" in *update*) exit 0;; esac\n\
             /bin/mkdir -p {server}\n\
             printf '#!/bin/sh\\necho \"postgres (PostgreSQL) 17.2\"\\n' > {server}/postgres\n\
             /bin/cp {server}/postgres {server}/initdb\n\
             /bin/chmod 755 {server}/postgres {server}/initdb",
            log = log.display(),
            server = server.display()
        ),
    );
    noted("install", &format!("/bin/cat >> {}", log.display()));
    noted("rm", "exit 0");
    script(&bin.join("env"), "exec /usr/bin/env \"$@\"");
    script(
        &bin.join("apt-cache"),
        &format!(
            "case \"$1\" in policy) printf 'postgresql:\\n  Installed: (none)\\n  Candidate: {candidate}\\n';; esac"
        ),
    );
}

fn sudo(root: &Path, silent: bool) {
    let refusal = if silent { "" } else { "[ \"$1\" = -n ] && exit 1" };
    let noted = format!("echo \"sudo $*\" >> {}", root.join("calls").display());
    script(
        &root.join("bin/sudo"),
        &format!("{refusal}\n{noted}\n[ \"$1\" = -n ] && shift\n[ \"$1\" = true ] && exit 0\nexec \"$@\""),
    );
}

fn calls(root: &Path) -> Vec<String> {
    fs::read_to_string(root.join("calls"))
        .unwrap_or_default()
        .lines()
        .map(str::to_owned)
        .collect()
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
fn root_installs_and_no_cluster_is_made() {
    let root = tempfile::tempdir().unwrap();
    debian(root.path(), "17+248");
    let found = bring(&Host::imagined(root.path(), true, false)).unwrap();
    assert_eq!(found.version, "17.2");
    let no_cluster = "/etc/postgresql-common/createcluster.d/pharos-xtask.conf";
    assert_eq!(
        calls(root.path()),
        [
            "apt-get -o DPkg::Lock::Timeout=120 update -q".to_owned(),
            "frontend noninteractive".to_owned(),
            format!("install -D -m 644 /dev/stdin {no_cluster}"),
            "create_main_cluster = false".to_owned(),
            "apt-get -o DPkg::Lock::Timeout=120 install -q -y --no-install-recommends postgresql".to_owned(),
            "frontend noninteractive".to_owned(),
            format!("rm -f {no_cluster}"),
        ]
    );
}

#[test]
fn what_is_installed_is_not_installed_again() {
    let root = tempfile::tempdir().unwrap();
    debian(root.path(), "17+248");
    let host = Host::imagined(root.path(), true, false);
    bring(&host).unwrap();
    let before = calls(root.path());
    bring(&host).unwrap();
    assert_eq!(calls(root.path()), before);
}

#[test]
fn an_ordinary_user_installs_through_sudo() {
    for (silent, attended, prefix) in [(true, false, "sudo -n env "), (false, true, "sudo env ")] {
        let root = tempfile::tempdir().unwrap();
        debian(root.path(), "17+248");
        sudo(root.path(), silent);
        bring(&Host::imagined(root.path(), false, attended)).unwrap();
        let calls = calls(root.path());
        let installed = calls
            .iter()
            .any(|call| call.starts_with(prefix) && call.ends_with("postgresql"));
        assert!(installed, "{calls:#?}");
    }
}

#[test]
fn a_password_is_not_asked_for_where_nobody_can_type_it() {
    let root = tempfile::tempdir().unwrap();
    debian(root.path(), "17+248");
    sudo(root.path(), false);
    let sentence = refusal(root.path(), &Host::imagined(root.path(), false, false));
    assert!(
        sentence.contains("`sudo sh -c 'apt-get update && apt-get install -y postgresql'`"),
        "{sentence}"
    );
}

#[test]
fn without_sudo_the_command_is_named() {
    let root = tempfile::tempdir().unwrap();
    debian(root.path(), "17+248");
    let sentence = refusal(root.path(), &Host::imagined(root.path(), false, true));
    assert!(
        sentence.contains("`su -c 'apt-get update && apt-get install -y postgresql'`"),
        "{sentence}"
    );
}

#[test]
fn a_distribution_with_older_versions_alone_is_told_of_the_archive() {
    let root = tempfile::tempdir().unwrap();
    debian(root.path(), "14+238");
    let sentence = refusal(root.path(), &Host::imagined(root.path(), true, false));
    assert!(sentence.contains("apt.postgresql.org.sh"), "{sentence}");
}

#[test]
fn a_newer_package_beside_an_old_default_is_taken() {
    let root = tempfile::tempdir().unwrap();
    debian(root.path(), "14+238");
    let listed = "printf 'postgresql-14 - old\\npostgresql-17 - new\\npostgresql-9 - older\\n'";
    script(
        &root.path().join("bin/apt-cache"),
        &format!("[ \"$1\" = search ] && {listed}; exit 0"),
    );
    bring(&Host::imagined(root.path(), true, false)).unwrap();
    assert!(
        calls(root.path())
            .iter()
            .any(|call| call.ends_with("--no-install-recommends postgresql-17"))
    );
}

#[test]
fn without_apt_the_other_manager_is_named() {
    let root = tempfile::tempdir().unwrap();
    script(&root.path().join("bin/dnf"), "exit 0");
    let sentence = refusal(root.path(), &Host::imagined(root.path(), false, true));
    assert!(
        sentence.contains("`sudo dnf install -y postgresql-server`"),
        "{sentence}"
    );
}

#[test]
fn a_failed_installation_names_what_failed() {
    let root = tempfile::tempdir().unwrap();
    debian(root.path(), "17+248");
    script(
        &root.path().join("bin/apt-get"),
        "case \"$*\" in *update*) exit 0;; esac; exit 100",
    );
    let error = format!(
        "{:#}",
        bring(&Host::imagined(root.path(), true, false)).unwrap_err()
    );
    assert!(
        error.contains("install -q -y --no-install-recommends postgresql` failed"),
        "{error}"
    );
}
