//! The embedded server keeps what was committed, whoever is killed when.

use std::{
    fs,
    thread::sleep,
    time::{Duration, Instant},
};

use pharos_embedded::{Embedded, EmbeddedError};
use tokio_postgres::NoTls;

use crate::harness::{Parent, SOON, folder, is_alive, kill, options, query, runtime, start, wait_for};

#[test]
fn when_the_parent_is_killed_the_server_shuts_down_and_nothing_committed_is_lost() {
    let folder = folder();
    let mut parent = Parent::start(folder.path(), &[]);
    query(
        &parent.url,
        "CREATE TABLE kept (n int); INSERT INTO kept VALUES (1)",
    );
    parent.kill();
    // Without a pause: the next start finds the server still shutting down.
    let next = start(folder.path());
    assert!(!is_alive(parent.postmaster));
    assert_eq!(query(next.database_url(), "SELECT n FROM kept"), ["1"]);
    next.stop(SOON).unwrap();

    let mut parent = Parent::start(folder.path(), &[]);
    let began = Instant::now();
    parent.kill();
    wait_for("the server to go down with its parent", SOON, || {
        !is_alive(parent.postmaster)
    });
    println!("down {:?} after its parent was killed", began.elapsed());
    assert!(
        !folder.path().join("cluster/postmaster.pid").exists(),
        "it shut down, it didn't crash"
    );
}

#[test]
fn a_server_left_over_is_stopped_and_the_next_one_is_our_own() {
    let folder = folder();
    let mut parent = Parent::start(folder.path(), &["leave-orphan"]);
    query(
        &parent.url,
        "CREATE TABLE kept (n int); INSERT INTO kept VALUES (2)",
    );
    parent.kill();
    assert!(is_alive(parent.postmaster));
    let began = Instant::now();
    let next = start(folder.path());
    println!("started {:?} beside an orphan", began.elapsed());
    assert!(!is_alive(parent.postmaster));
    assert_ne!(next.pid(), parent.postmaster);
    assert_eq!(query(next.database_url(), "SELECT n FROM kept"), ["2"]);
}

#[test]
fn after_the_server_itself_was_killed_the_next_start_recovers() {
    let folder = folder();
    let mut first = start(folder.path());
    query(
        first.database_url(),
        "CREATE TABLE kept (n int); INSERT INTO kept VALUES (3)",
    );
    kill("-KILL", first.pid());
    wait_for("its end to be noticed", SOON, || first.has_ended());
    drop(first);
    let next = start(folder.path());
    assert_eq!(query(next.database_url(), "SELECT n FROM kept"), ["3"]);
}

#[test]
fn after_an_orphan_was_killed_the_next_start_recovers() {
    let folder = folder();
    let mut parent = Parent::start(folder.path(), &["leave-orphan"]);
    query(
        &parent.url,
        "CREATE TABLE kept (n int); INSERT INTO kept VALUES (4)",
    );
    // A busy session doesn't notice that its postmaster is gone, and keeps its shared memory.
    let url = parent.url.clone();
    let busy = std::thread::spawn(move || {
        runtime().block_on(async {
            let (client, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
            tokio::spawn(connection);
            let count = "SELECT count(*) FROM generate_series(1, 2000000000) AS busy";
            client.simple_query(count).await.map(drop).unwrap_err();
        });
    });
    let is_busy = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%AS busy' AND state = 'active'";
    wait_for("a busy session", SOON, || query(&parent.url, is_busy) == ["1"]);
    parent.kill();
    kill("-KILL", parent.postmaster);
    let next = start(folder.path());
    assert_eq!(query(next.database_url(), "SELECT n FROM kept"), ["4"]);
    busy.join().unwrap();
}

#[test]
fn an_initdb_that_was_cut_off_is_made_again() {
    let folder = folder();
    for milliseconds in [60, 150, 300] {
        let mut process = Parent::spawn(folder.path(), &[]);
        let unfinished = || {
            fs::read_dir(folder.path()).unwrap().flatten().any(|entry| {
                entry.file_name().as_encoded_bytes().starts_with(b"cluster.new-")
                    && entry.path().join("base").exists()
            })
        };
        wait_for("initdb to be at work", SOON, unfinished);
        sleep(Duration::from_millis(milliseconds));
        process.kill().unwrap();
        process.wait().unwrap();
    }
    let embedded = start(folder.path());
    assert_eq!(query(embedded.database_url(), "SELECT 1"), ["1"]);
    embedded.stop(SOON).unwrap();
    let left: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .filter(|name| name.as_encoded_bytes().windows(5).any(|part| part == b".new-"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_lost_password_is_replaced() {
    let folder = folder();
    let first = start(folder.path());
    let old_url = first.database_url().to_owned();
    query(&old_url, "CREATE TABLE kept (n int); INSERT INTO kept VALUES (6)");
    drop(first);
    fs::remove_file(folder.path().join("password")).unwrap();
    let next = start(folder.path());
    assert_ne!(next.database_url(), old_url);
    assert_eq!(query(next.database_url(), "SELECT n FROM kept"), ["6"]);
    drop(next);

    fs::write(folder.path().join("password"), "0123456789abcdef0123456789abcdef").unwrap();
    let error = Embedded::start(&options(folder.path())).unwrap_err();
    assert!(matches!(error, EmbeddedError::PasswordRefused { .. }), "{error}");
}
