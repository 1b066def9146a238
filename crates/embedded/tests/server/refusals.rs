//! The embedded server refuses what it can't work with, and says why.

use std::{
    fs,
    os::unix::fs::{MetadataExt as _, PermissionsExt as _},
    process::{Command, Stdio},
};

use pharos_embedded::{Embedded, EmbeddedError, EmbeddedOptions, find_binaries};

use crate::harness::{Parent, SOON, folder, is_alive, kill, options, query, runtime, start, wait_for};

#[test]
fn a_second_pharos_on_the_same_folder_is_refused_with_the_pid_of_the_first() {
    let folder = folder();
    let mut parent = Parent::start(folder.path(), &[]);
    let error = Embedded::start(&options(folder.path())).unwrap_err();
    let wanted = format!(
        "another Pharos runs on {} (pid {})",
        folder.path().display(),
        parent.process.id()
    );
    assert!(error.to_string().contains(&wanted), "{error}");
    assert_eq!(query(&parent.url, "SELECT 1"), ["1"]);
    parent.kill();
}

#[test]
fn a_server_that_somebody_started_by_hand_is_left_alone() {
    let folder = folder();
    drop(start(folder.path()));
    let cluster = folder.path().join("cluster");
    let owner = fs::metadata(&cluster).unwrap();
    let mut command = Command::new(find_binaries(None).unwrap().folder().join("postgres"));
    command
        .arg("-D")
        .arg(&cluster)
        .args(["-c", "listen_addresses=", "-c", "unix_socket_directories=."]);
    command
        .current_dir("/")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if fs::metadata(folder.path()).unwrap().uid() == 0 {
        use std::os::unix::process::CommandExt as _;
        command.uid(owner.uid()).gid(owner.gid());
    }
    let mut by_hand = command.spawn().unwrap();
    wait_for("its lock file", SOON, || {
        fs::read_to_string(cluster.join("postmaster.pid")).is_ok_and(|text| text.contains("ready"))
    });
    let error = Embedded::start(&options(folder.path())).unwrap_err();
    assert!(
        error.to_string().contains(&format!("(pid {})", by_hand.id())),
        "{error}"
    );
    assert!(is_alive(by_hand.id()));
    kill("-INT", by_hand.id());
    by_hand.wait().unwrap();
    start(folder.path());
}

#[test]
fn as_root_a_closed_folder_on_the_way_is_named() {
    let closed = folder();
    fs::set_permissions(closed.path(), fs::Permissions::from_mode(0o700)).unwrap();
    let data = closed.path().join("data");
    let result = Embedded::start(&options(&data));
    if fs::metadata(closed.path()).unwrap().uid() == 0 {
        let error = result.unwrap_err();
        assert!(
            matches!(&error, EmbeddedError::CannotEnter { folder, .. } if folder == closed.path()),
            "{error}"
        );
    } else {
        result.unwrap();
    }
}

#[test]
fn a_path_too_long_for_postgresql_is_refused() {
    let folder = folder();
    let long = folder
        .path()
        .join("x".repeat(200))
        .join("y".repeat(200))
        .join("z".repeat(200));
    let error = Embedded::start(&options(
        &long.join(&long).join("x".repeat(200)).join("y".repeat(200)),
    ))
    .unwrap_err();
    assert!(matches!(error, EmbeddedError::PathTooLong { .. }), "{error}");
    assert!(error.to_string().ends_with("name a shorter folder"), "{error}");

    // Much too long for a socket's address, which lies elsewhere for that reason.
    if fs::metadata(folder.path()).unwrap().uid() == 0 {
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o711)).unwrap();
    }
    assert_eq!(query(start(&long).database_url(), "SELECT 1"), ["1"]);
}

#[test]
fn what_is_no_cluster_is_not_touched() {
    let folder = folder();
    drop(start(folder.path()));
    fs::remove_file(folder.path().join("cluster/PG_VERSION")).unwrap();
    let error = Embedded::start(&options(folder.path())).unwrap_err();
    assert!(matches!(error, EmbeddedError::NotACluster { .. }), "{error}");
    assert!(folder.path().join("cluster/base").exists());
}

#[test]
fn data_of_a_version_that_is_too_old_is_left_as_it_is() {
    let folder = folder();
    drop(start(folder.path()));
    let version = folder.path().join("cluster/PG_VERSION");
    let present = fs::read_to_string(&version).unwrap();
    fs::write(&version, "14\n").unwrap();
    let error = Embedded::start(&options(folder.path())).unwrap_err();
    let said = error.to_string();
    assert!(
        said.contains("written by PostgreSQL 14") && said.contains("pg_upgrade"),
        "{said}"
    );
    fs::write(&version, present).unwrap();
    assert_eq!(query(start(folder.path()).database_url(), "SELECT 1"), ["1"]);
}

#[test]
fn a_folder_of_somebody_else_is_named_with_its_owner() {
    let folder = folder();
    if fs::metadata(folder.path()).unwrap().uid() != 0 {
        return;
    }
    std::os::unix::fs::chown(folder.path(), Some(54_321), None).unwrap();
    let error = Embedded::start(&options(folder.path())).unwrap_err();
    let said = error.to_string();
    assert!(
        said.contains("belongs to user id 54321, and not to 0") && said.contains("chown"),
        "{said}"
    );
    assert!(!folder.path().join("cluster").exists());
}

/// As on a disk that is mounted read-only.
#[test]
fn a_folder_that_can_not_be_made_is_named() {
    let folder = std::path::Path::new("/proc/pharos");
    let error = Embedded::start(&options(folder)).unwrap_err();
    let said = error.to_string();
    assert!(
        said.contains("could not make the folder /proc/pharos") && said.contains("read-only"),
        "{said}"
    );
}

#[test]
fn a_thread_that_may_end_before_the_process_is_refused() {
    let folder = folder();
    let error = Embedded::start(&EmbeddedOptions::new(folder.path())).unwrap_err();
    assert!(matches!(error, EmbeddedError::NotMainThread), "{error}");
    let error = runtime().block_on(async { Embedded::start(&options(folder.path())).unwrap_err() });
    assert!(matches!(error, EmbeddedError::InsideRuntime), "{error}");
}
