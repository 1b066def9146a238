//! SIGKILL and Ctrl-C in the middle.

use std::{
    fs,
    process::Stdio,
    time::{Duration, Instant},
};

use pharos_persistence::testing::look;
use tokio_postgres::NoTls;

use super::{Empty, Place, contents, done, put_artefacts, said, signal, tables};
use crate::harness::{Node, TestApp};

fn partial(place: &Place) -> bool {
    fs::read_dir(place.folder.path())
        .unwrap()
        .any(|entry| entry.unwrap().file_name().to_string_lossy().contains(".partial-"))
}

/// A backup that was killed is no file, and the next one clears what it left; one that is told to stop clears it itself.
#[tokio::test(flavor = "multi_thread")]
async fn a_backup_that_is_killed_leaves_no_file_that_looks_whole() {
    let app = TestApp::start().await;
    let place = Place::at(app.database.url());
    fs::create_dir(place.data()).unwrap();
    put_artefacts(&place.data());
    let before = tables(app.database.url()).await;
    let file = place.file("backup");
    for (name, leaves) in [("KILL", true), ("INT", false), ("TERM", false)] {
        // Whoever wants this table waits, and so does pg_dump.
        let (locker, wire) = tokio_postgres::connect(app.database.url(), NoTls).await.unwrap();
        let wire = tokio::spawn(wire);
        locker.batch_execute("BEGIN; LOCK TABLE domains").await.unwrap();
        let mut command = place.command(&["backup", file.to_str().unwrap()]);
        let mut child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        app.reaches(
            "EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
                     AND application_name = 'pharos backup' AND wait_event_type = 'Lock')",
        )
        .await;
        assert!(partial(&place));
        signal(&child, name);
        assert!(!tokio::task::block_in_place(|| child.wait().unwrap()).success());
        assert!(!file.exists());
        assert_eq!(partial(&place), leaves, "{name}");
        drop(locker);
        wire.await.unwrap().unwrap();
        assert_eq!(tables(app.database.url()).await, before);
    }
    tokio::task::block_in_place(|| done(&place.backup(&file)));
    assert!(!partial(&place), "what the killed one left is gone");
}

/// How far a restore is.
#[derive(Clone, Copy, Debug)]
enum Point {
    /// Its note is there.
    Begun,
    /// The second database is there.
    Database,
    /// It is being filled.
    Filling,
    /// Artefacts lie beside the old ones.
    Staged,
}

/// Wherever a restore is killed, the next start has the old data; one that is told to stop clears it itself.
#[tokio::test(flavor = "multi_thread")]
async fn a_restore_that_is_killed_leaves_the_old_data() {
    let app = TestApp::start().await;
    let place = Place::at(app.database.url());
    fs::create_dir(place.data()).unwrap();
    put_artefacts(&place.data());
    let file = place.file("backup");
    tokio::task::block_in_place(|| done(&place.backup(&file)));
    let empty = Empty::create().await;
    let target = Place::at(&empty.url);
    tokio::task::block_in_place(|| done(&target.restore(&file, &[])));
    look(&empty.url, "UPDATE domains SET display_name = 'changed since'")
        .await
        .unwrap();
    fs::write(target.data().join("artefacts/reporting/april.pdf"), "later").unwrap();
    let (rows, files) = (tables(&empty.url).await, contents(&target.data()));
    let database = format!(
        "SELECT FROM pg_database WHERE datname = '{}_restoring'",
        empty.name
    );
    let fresh = empty
        .url
        .replace(&empty.name, &format!("{}_restoring", empty.name));
    let staged = target.data().join("artefacts/.restoring/synthetic/a/frame-0.jpg");
    for (name, point) in [
        ("KILL", Point::Begun),
        ("KILL", Point::Database),
        ("KILL", Point::Filling),
        ("KILL", Point::Staged),
        ("INT", Point::Filling),
        ("TERM", Point::Staged),
    ] {
        let child = target.begin_restore(&file, &["--replace"]);
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let is_there = match point {
                Point::Begun => true,
                Point::Database => !look(&empty.url, &database).await.unwrap().is_empty(),
                Point::Filling => look(&fresh, "SELECT FROM domains").await.is_ok(),
                Point::Staged => staged.exists(),
            };
            if is_there {
                break;
            }
            assert!(Instant::now() < deadline, "{point:?} does not come about");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        signal(&child, name);
        let output = tokio::task::block_in_place(|| child.wait_with_output().unwrap());
        assert!(
            !output.status.success(),
            "it was to be killed in the middle: {}",
            said(&output.stderr)
        );
        if name == "KILL" {
            assert!(
                target.data().join("restore.json").exists(),
                "the note of what is to be cleared"
            );
            tokio::task::block_in_place(|| done(&target.run(&["migrate"])));
        }
        assert_eq!(tables(&empty.url).await, rows, "{name} at {point:?}");
        assert_eq!(contents(&target.data()), files, "{name} at {point:?}");
        assert_eq!(empty.beside().await, [&*empty.name], "{name} at {point:?}");
    }
    empty.drop().await;
}

/// Killed when its database was in place and its files were not: the next start puts them there.
#[tokio::test(flavor = "multi_thread")]
async fn a_restore_that_is_killed_after_the_exchange_is_finished_by_the_next_start() {
    let app = TestApp::start().await;
    let place = Place::at(app.database.url());
    fs::create_dir(place.data()).unwrap();
    put_artefacts(&place.data());
    // A node that starts makes the secrets that all nodes share; the one that is started below finds them.
    drop(Node::start(
        &["--roles", "api"],
        &[("PHAROS_DATABASE_URL", app.database.url())],
    ));
    let file = place.file("backup");
    tokio::task::block_in_place(|| done(&place.backup(&file)));
    let wanted = tables(app.database.url()).await;
    let empty = Empty::create().await;
    let target = Place::at(&empty.url);
    tokio::task::block_in_place(|| done(&target.restore(&file, &[])));
    // As it is at that moment: the old database beside the new one, the new files beside the old ones, the note.
    look(&empty.url, &format!("CREATE DATABASE {}_replaced", empty.name))
        .await
        .unwrap();
    let artefacts = target.data().join("artefacts");
    fs::rename(artefacts.join("reporting"), target.file("reporting")).unwrap();
    fs::create_dir(artefacts.join(".restoring")).unwrap();
    fs::rename(target.file("reporting"), artefacts.join(".restoring/reporting")).unwrap();
    fs::write(target.data().join("secret.key"), "old").unwrap();
    fs::write(
        target.data().join("secret.key.restoring"),
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    )
    .unwrap();
    fs::write(target.data().join("demo.json"), "of the old one").unwrap();
    let note = serde_json::json!({"pid": 1, "artefacts": artefacts, "forgotten": ["demo.json"]});
    fs::write(target.data().join("restore.json"), note.to_string()).unwrap();

    let data = target.data();
    let node = Node::start(
        &["--roles", "api", "--data-folder", data.to_str().unwrap()],
        &[("PHAROS_DATABASE_URL", &empty.url)],
    );
    drop(node);
    let files = contents(&data);
    let names: Vec<String> = files.keys().map(|path| path.display().to_string()).collect();
    assert_eq!(
        names,
        ["artefacts/reporting/march.pdf", "secret.key"],
        "the old artefacts and notes are gone"
    );
    assert!(files[std::path::Path::new("secret.key")].starts_with(b"AAAA"));
    assert_eq!(empty.beside().await, [&*empty.name]);
    assert_eq!(tables(&empty.url).await, wanted);
    empty.drop().await;
}
