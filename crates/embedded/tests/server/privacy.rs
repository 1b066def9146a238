//! The embedded server is for nobody but its Pharos: password, network, socket, account.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;

use tokio_postgres::NoTls;

use crate::harness::{SOON, folder, query, runtime, start};

#[test]
fn the_password_is_long_and_only_its_owner_may_read_it() {
    let folder = folder();
    let mut embedded = start(folder.path());
    let found = fs::metadata(folder.path().join("password")).unwrap();
    assert_eq!(found.permissions().mode() & 0o777, 0o600);
    assert_eq!(found.uid(), fs::metadata(folder.path()).unwrap().uid());
    let password = fs::read_to_string(folder.path().join("password")).unwrap();
    assert!(password.len() >= 32);
    assert!(embedded.database_url().contains(&password));
    assert!(!format!("{embedded:?}").contains(&password));
    assert!(!embedded.has_ended());

    // Nothing else below the data folder holds it, least of all what initdb read it from.
    let mut names: Vec<String> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(
        names,
        ["cluster", "lock", "password", "postgres.log", "postgresql.conf"]
    );
    assert!(
        !fs::read_to_string(folder.path().join("postgres.log"))
            .unwrap()
            .contains(&password)
    );
}

#[test]
fn a_wrong_password_is_refused() {
    let folder = folder();
    let embedded = start(folder.path());
    let password = fs::read_to_string(folder.path().join("password")).unwrap();
    let wrong = embedded.database_url().replace(&password, "wrong");
    let refused = runtime()
        .block_on(tokio_postgres::connect(&wrong, NoTls))
        .map(drop)
        .unwrap_err();
    assert_eq!(
        refused.code(),
        Some(&tokio_postgres::error::SqlState::INVALID_PASSWORD)
    );
}

#[test]
fn the_server_listens_on_no_network_and_syncs_what_it_commits() {
    let folder = folder();
    let embedded = start(folder.path());
    let shown = |name: &str| query(embedded.database_url(), &format!("SHOW {name}")).remove(0);
    assert_eq!(shown("listen_addresses"), "");
    assert_eq!(shown("fsync"), "on");
    assert_eq!(shown("synchronous_commit"), "on");
    assert_eq!(shown("server_encoding"), "UTF8");
    assert_eq!(shown("max_connections"), "200");
    assert_eq!(shown("timezone"), "UTC");

    let sockets: Vec<String> = fs::read_dir(format!("/proc/{}/fd", embedded.pid()))
        .unwrap()
        .filter_map(|entry| fs::read_link(entry.unwrap().path()).ok())
        .filter_map(|link| {
            Some(
                link.to_str()?
                    .strip_prefix("socket:[")?
                    .strip_suffix(']')?
                    .to_owned(),
            )
        })
        .collect();
    assert!(!sockets.is_empty(), "its own socket is among them");
    for table in ["tcp", "tcp6", "udp", "udp6"] {
        let table = fs::read_to_string(format!("/proc/net/{table}")).unwrap_or_default();
        let taken = table.lines().any(|line| {
            line.split_whitespace()
                .nth(9)
                .is_some_and(|inode| sockets.iter().any(|socket| socket == inode))
        });
        assert!(!taken);
    }
}

#[test]
fn the_socket_lies_in_a_folder_that_nobody_else_may_enter() {
    let folder = folder();
    let embedded = start(folder.path());
    let directory = query(embedded.database_url(), "SHOW unix_socket_directories").remove(0);
    let found = fs::symlink_metadata(&directory).unwrap();
    assert_eq!(found.permissions().mode() & 0o777, 0o700);
    assert!(directory.len() + "/.s.PGSQL.5432".len() <= 107);
    embedded.stop(SOON).unwrap();
    assert!(!Path::new(&directory).exists(), "it goes with the server");
}

#[test]
fn as_root_the_server_runs_under_another_account_with_no_groups_of_roots() {
    let folder = folder();
    let embedded = start(folder.path());
    let status = fs::read_to_string(format!("/proc/{}/status", embedded.pid())).unwrap();
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.split_whitespace()
            .map(|id| id.parse().unwrap())
            .collect::<Vec<u32>>()
    };
    let us = fs::metadata(folder.path()).unwrap().uid();
    if us == 0 {
        assert!(!field("Uid:").contains(&0) && !field("Gid:").contains(&0));
        assert_eq!(field("Groups:"), [0; 0]);
        assert_eq!(
            fs::metadata(folder.path()).unwrap().permissions().mode() & 0o777,
            0o711
        );
    } else {
        assert_eq!(field("Uid:"), [us; 4]);
        assert_eq!(
            fs::metadata(folder.path()).unwrap().permissions().mode() & 0o777,
            0o700
        );
    }
    let cluster = fs::metadata(folder.path().join("cluster")).unwrap();
    assert_eq!(cluster.uid(), field("Uid:")[0]);
    assert_eq!(cluster.permissions().mode() & 0o777, 0o700);
}
