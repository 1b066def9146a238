//! The embedded server from its first start to its stop, when nothing goes wrong.

use std::{
    fs,
    time::{Duration, Instant},
};

use pharos_embedded::{Embedded, EmbeddedError, find_binaries};
use tokio_postgres::NoTls;

use crate::harness::{SOON, folder, is_alive, options, query, runtime, start};

#[test]
fn the_second_start_keeps_the_data_of_the_first() {
    let folder = folder();
    let began = Instant::now();
    let first = start(folder.path());
    let first_took = began.elapsed();
    query(
        first.database_url(),
        "CREATE TABLE kept (n int); INSERT INTO kept VALUES (42)",
    );
    assert_eq!(
        query(first.database_url(), "SELECT current_database()"),
        ["pharos"]
    );
    first.stop(SOON).unwrap();

    let began = Instant::now();
    let second = start(folder.path());
    println!("first start {first_took:?}, second start {:?}", began.elapsed());
    assert_eq!(query(second.database_url(), "SELECT n FROM kept"), ["42"]);
    assert!(
        second
            .version()
            .starts_with(&find_binaries(None).unwrap().major().to_string())
    );
}

#[test]
fn two_pharos_on_two_folders_run_side_by_side() {
    let (one, other) = (folder(), folder());
    let (one, other) = (start(one.path()), start(other.path()));
    assert_eq!(
        query(one.database_url(), "SELECT 1"),
        query(other.database_url(), "SELECT 1")
    );
}

#[test]
fn a_database_may_have_any_name() {
    let folder = folder();
    let mut options = options(folder.path());
    for name in ["O'Neill \"/\" ü?&=%", "pharos"] {
        options.database = name.to_owned();
        let embedded = Embedded::start(&options).unwrap();
        assert_eq!(
            query(embedded.database_url(), "SELECT current_database()"),
            [name]
        );
    }
    options.database = "x".repeat(64);
    assert!(matches!(
        Embedded::start(&options),
        Err(EmbeddedError::BadDatabaseName { .. })
    ));
}

#[test]
fn a_setting_of_ones_own_takes_effect_and_a_wrong_one_is_shown() {
    let folder = folder();
    drop(start(folder.path()));
    let configuration = folder.path().join("postgresql.conf");
    let written = fs::read_to_string(&configuration).unwrap();
    fs::write(
        &configuration,
        format!("{written}\nwork_mem = 12MB\nfsync = off\n"),
    )
    .unwrap();
    let embedded = start(folder.path());
    assert_eq!(query(embedded.database_url(), "SHOW work_mem"), ["12MB"]);
    assert_eq!(query(embedded.database_url(), "SHOW fsync"), ["on"]);
    drop(embedded);

    fs::write(&configuration, format!("{written}\nno_such_setting = 1\n")).unwrap();
    let error = Embedded::start(&options(folder.path())).unwrap_err();
    assert!(matches!(error, EmbeddedError::StartFailed { .. }), "{error}");
    assert!(error.to_string().contains("no_such_setting"), "{error}");
}

#[test]
fn a_stop_does_not_wait_for_clients() {
    let folder = folder();
    let embedded = start(folder.path());
    let runtime = runtime();
    let (client, connection) = runtime
        .block_on(tokio_postgres::connect(embedded.database_url(), NoTls))
        .unwrap();
    let connection = runtime.spawn(connection);
    runtime
        .block_on(client.batch_execute("BEGIN; CREATE TABLE open_transaction (n int)"))
        .unwrap();
    let began = Instant::now();
    embedded.stop(Duration::from_secs(5)).unwrap();
    println!("stopped in {:?} with a connection open", began.elapsed());
    assert!(
        runtime.block_on(connection).unwrap().is_err(),
        "the client was let go"
    );
}

#[test]
fn a_stop_out_of_time_ends_the_server_at_once_and_loses_nothing() {
    let folder = folder();
    let embedded = start(folder.path());
    let pid = embedded.pid();
    query(
        embedded.database_url(),
        "CREATE TABLE kept (n int); INSERT INTO kept VALUES (5)",
    );
    let error = embedded.stop(Duration::ZERO).unwrap_err();
    assert!(matches!(error, EmbeddedError::SlowStop { .. }), "{error}");
    assert!(!is_alive(pid));
    assert_eq!(
        query(start(folder.path()).database_url(), "SELECT n FROM kept"),
        ["5"]
    );
}
