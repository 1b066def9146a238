//! SIGKILL and Ctrl-C in the middle.

use std::{fs, process::Stdio, time::Duration};

use pharos_persistence::testing::look;

use super::{Empty, Place, contents, done, put_artefacts, said, signal, tables, wait_for};
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
        let lock = "BEGIN; LOCK TABLE domains; SELECT pg_sleep(3); COMMIT";
        let url = app.database.url().to_owned();
        let locked = tokio::spawn(async move { look(&url, lock).await });
        app.reaches("EXISTS (SELECT FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted AND relation = 'domains'::regclass)").await;
        let mut child = place
            .command(&["backup", file.to_str().unwrap()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        tokio::task::block_in_place(|| {
            wait_for(|| partial(&place));
            std::thread::sleep(Duration::from_millis(300));
            signal(&child, name);
            assert!(!child.wait().unwrap().success());
        });
        assert!(!file.exists());
        assert_eq!(partial(&place), leaves, "{name}");
        locked.await.unwrap().unwrap();
        assert_eq!(tables(app.database.url()).await, before);
    }
    tokio::task::block_in_place(|| done(&place.backup(&file)));
    assert!(!partial(&place), "what the killed one left is gone");
}

/// Wherever a restore is killed, the next start has the old data, or, at the very end, the new ones.
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
    for (name, after) in [
        ("KILL", 0),
        ("KILL", 150),
        ("KILL", 400),
        ("KILL", 900),
        ("INT", 200),
        ("TERM", 400),
    ] {
        let child = target.begin_restore(&file, &["--replace"]);
        tokio::time::sleep(Duration::from_millis(after)).await;
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
        assert_eq!(tables(&empty.url).await, rows, "{name} after {after} ms");
        assert_eq!(contents(&target.data()), files, "{name} after {after} ms");
        assert_eq!(
            empty.beside().await,
            [empty.name.clone()],
            "{name} after {after} ms"
        );
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
    assert_eq!(empty.beside().await, [empty.name.clone()]);
    assert_eq!(tables(&empty.url).await, wanted);
    empty.drop().await;
}
