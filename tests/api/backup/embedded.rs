//! Pharos's own PostgreSQL.

use std::{os::unix::fs::PermissionsExt, path::Path, process::Command, time::Duration};

use pharos_domain::ids::CredentialId;
use pharos_embedded::holds_data;

use super::{Place, Tables, contents, done, put_artefacts, refused, tables};
use crate::harness::{Key, Node, Request, binary};

const QUIET: [&str; 2] = ["--roles", "api"];

fn node(place: &Place, more: &[&str]) -> Node {
    let data = place.data();
    let mut arguments = vec!["--data-folder", data.to_str().unwrap()];
    arguments.extend(more);
    Node::start(&arguments, &[])
}

fn end(node: Node) {
    node.signal("INT");
    assert_eq!(node.end(Duration::from_secs(60)), Some(0));
}

/// The tables once the upkeep of the first minute is done with them.
async fn settled(place: &Place) -> Tables {
    let mut found = tables(&place.url()).await;
    for _ in 0..60 {
        tokio::time::sleep(Duration::from_secs(2)).await;
        let now = tables(&place.url()).await;
        if now == found {
            return found;
        }
        found = now;
    }
    panic!("the tables change without end: {found:?}");
}

/// The demo has rows in most tables. The backup of a running node comes back elsewhere: every row, artefact and key.
#[tokio::test(flavor = "multi_thread")]
async fn everything_comes_back_in_another_place() {
    let (old, new) = (Place::own(), Place::own());
    let running = node(&old, &["--demo"]);
    let line = running
        .lines
        .iter()
        .find(|line| line.contains("Bearer "))
        .unwrap();
    let secret = line
        .split("Bearer ")
        .nth(1)
        .unwrap()
        .split('\'')
        .next()
        .unwrap()
        .to_owned();
    let key = Key {
        id: CredentialId::generate(),
        secret,
    };
    end(running);
    put_artefacts(&old.data());

    // It answers and does nothing else, so that two looks at its tables see the same.
    let running = node(&old, &QUIET);
    let before = settled(&old).await;
    let filled = before.values().filter(|(rows, _)| *rows > 0).count();
    let rows: u64 = before.values().map(|(rows, _)| rows).sum();
    println!("{rows} rows in {filled} of {} tables", before.len());
    assert!(filled > 30 && rows > 10_000, "{before:?}");
    let file = old.file("pharos.backup");
    let told = done(&old.backup(&file));
    assert!(
        told.contains("2 artefacts") && told.contains("secret.key and demo.json"),
        "{told}"
    );
    assert_eq!(tables(&old.url()).await, before, "the node is quiet");
    let mode = std::fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "it holds secrets");
    let again = refused(&old.backup(&file));
    assert!(again.contains("is there already"), "{again}");

    // Beside a node, and over what is there without being told so, nothing is restored.
    let beside = refused(&old.restore(&file, &["--replace"]));
    assert!(beside.contains("another Pharos runs on"), "{beside}");
    end(running);
    let full = refused(&old.restore(&file, &[]));
    for lost in [
        "--replace",
        "the database pharos (",
        "1 users, 1 workspaces",
        "2 artefacts",
        "demo.json",
    ] {
        assert!(full.contains(lost), "{lost} is missing: {full}");
    }
    let key_path = old.data().join("secret.key").display().to_string();
    assert!(!full.contains(&key_path), "the same key is not lost: {full}");

    done(&new.restore(&file, &[]));
    for name in ["secret.key", "demo.json"] {
        let path = new.data().join(name);
        assert_eq!(
            std::fs::read(&path).unwrap(),
            std::fs::read(old.data().join(name)).unwrap()
        );
        assert_eq!(
            std::fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
    }
    let artefacts = [&old, &new].map(|place| contents(&place.data().join("artefacts")));
    assert_eq!(artefacts[0], artefacts[1]);
    assert_eq!(artefacts[1].len(), 2);
    let age = |place: &Place| {
        let path = place.data().join("artefacts/reporting/march.pdf");
        std::fs::metadata(path).unwrap().modified().unwrap()
    };
    assert_eq!(age(&old), age(&new), "it is deleted when it would have been");
    assert!(!new.data().join("restore.json").exists());
    let restored = node(&new, &QUIET);
    assert_eq!(tables(&new.url()).await, before);
    let me = Request::new(restored.address, "GET", "/me")
        .key(&key)
        .send()
        .await;
    assert_eq!(me.status, 200, "the demo's key is let in");
    end(restored);

    // Over a full installation that went on since.
    std::fs::write(new.data().join("artefacts/reporting/april.pdf"), "later").unwrap();
    std::fs::remove_file(new.data().join("artefacts/reporting/march.pdf")).unwrap();
    std::fs::write(new.data().join("secret.key"), "another").unwrap();
    done(&new.run(&[
        "admin",
        "user",
        "create",
        "--email",
        "later@example.org",
        "--name",
        "Later",
    ]));
    let output = new.restore(&file, &["--replace"]);
    done(&output);
    let told = super::said(&output.stderr);
    assert!(
        told.contains("deleting, once the backup is in place: the database pharos"),
        "{told}"
    );
    assert!(told.contains("2 users") && told.contains("secret.key"), "{told}");
    assert_eq!(contents(&new.data().join("artefacts")), artefacts[0]);
    let restored = node(&new, &QUIET);
    assert_eq!(tables(&new.url()).await, before);
    end(restored);
}

/// Nothing is made where somebody mistyped the folder.
#[test]
fn a_folder_without_a_pharos_has_no_backup_and_takes_no_command() {
    let place = Place::own();
    let file = place.file("backup");
    let why = refused(&place.backup(&file));
    assert!(
        why.contains("there is no Pharos in") && why.contains("--data-folder"),
        "{why}"
    );
    for command in [&["admin", "user", "list"][..], &["migrate"]] {
        let why = refused(&place.run(command));
        assert!(
            why.contains("there is no Pharos in") && why.contains("pharos serve"),
            "{command:?}: {why}"
        );
    }
    assert!(!place.data().exists() && !file.exists());
}

/// The usual folder is not begun for somebody who has left out the settings of the node. As root it is one of the machine, which may
/// have a Pharos.
#[test]
fn a_restore_into_nothing_asks_for_a_folder() {
    let usual = Path::new("/var/lib/pharos");
    if holds_data(usual) {
        return;
    }
    let place = Place::own();
    let output = Command::new(binary())
        .arg("restore")
        .arg(place.file("backup"))
        .env("XDG_DATA_HOME", place.file("home"))
        .env_remove("PHAROS_CONFIG")
        .env_remove("PHAROS_DATABASE_URL")
        .env_remove("PHAROS_DATA_FOLDER")
        .output()
        .unwrap();
    let why = refused(&output);
    assert!(
        why.contains("there is no Pharos in") && why.contains("nobody has named a folder"),
        "{why}"
    );
    assert!(!place.file("home").exists());
}
