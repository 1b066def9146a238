//! Data folders that Pharos can't work with: each command says why in a sentence, ends with 1, and leaves them as they are.

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt, chown},
    path::{Path, PathBuf},
    process::{Command, Output},
};

use tempfile::TempDir;

use crate::harness::binary;

/// The user id of `nobody`, which PostgreSQL runs under where Pharos runs as root and there is no `postgres`.
const NOBODY: u32 = 65_534;

/// A place for a data folder, which other accounts may pass through.
fn place() -> (TempDir, PathBuf) {
    let place = tempfile::tempdir_in("/tmp").unwrap();
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let data = place.path().join("data");
    (place, data)
}

/// A data folder whose cluster this version of PostgreSQL has written.
fn written_by(data: &Path, version: &str) -> PathBuf {
    let cluster = data.join("cluster");
    fs::create_dir_all(&cluster).unwrap();
    let file = cluster.join("PG_VERSION");
    fs::write(&file, version).unwrap();
    if is_root(data) {
        chown(&cluster, Some(NOBODY), None).unwrap();
    }
    file
}

/// Whether the tests run as root, by what they have made.
fn is_root(made: &Path) -> bool {
    fs::metadata(made).unwrap().uid() == 0
}

/// The commands that open a data folder.
fn commands(backup: &Path) -> [Vec<String>; 4] {
    let command = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    [
        command(&["serve", "--listen", "127.0.0.1:0"]),
        command(&["migrate"]),
        command(&["admin", "user", "list"]),
        command(&["backup", backup.to_str().unwrap()]),
    ]
}

fn run(arguments: &[String], data: &Path) -> Output {
    Command::new(binary())
        .args(arguments)
        .arg("--data-folder")
        .arg(data)
        .output()
        .unwrap()
}

#[track_caller]
fn refused(output: &Output, words: &[&str]) {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    let sentence = said.lines().find(|line| line.starts_with("pharos: "));
    let sentence = sentence.unwrap_or_else(|| panic!("no sentence: {said}"));
    for word in words {
        assert!(sentence.contains(word), "{word}: {said}");
    }
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn the_data_of_postgresql_14_are_left_as_they_are() {
    let (place, data) = place();
    let version = written_by(&data, "14\n");
    let backup = place.path().join("backup");
    let path = version.parent().unwrap().to_str().unwrap();
    for arguments in commands(&backup) {
        let words = [path, "written by PostgreSQL 14", "15 or newer", "pg_upgrade"];
        refused(&run(&arguments, &data), &words);
    }
    assert_eq!(fs::read_to_string(&version).unwrap(), "14\n");
    assert!(!backup.exists());
}

#[test]
fn a_folder_of_another_user_is_named_with_its_owner() {
    const STRANGER: u32 = 54_321;
    let (place, data) = place();
    written_by(&data, "15\n");
    let backup = place.path().join("backup");
    if is_root(&data) {
        chown(&data, Some(STRANGER), None).unwrap();
        for arguments in commands(&backup) {
            let words = [data.to_str().unwrap(), "belongs to user id 54321", "chown"];
            refused(&run(&arguments, &data), &words);
        }
        assert_eq!(fs::metadata(&data).unwrap().uid(), STRANGER);
    } else {
        // Whoever is not root can give nothing away, and finds root's folders everywhere.
        let [serve, ..] = commands(&backup);
        refused(
            &run(&serve, Path::new("/usr")),
            &["/usr belongs to user id 0", "chown"],
        );
    }
    assert!(!backup.exists());
}

#[test]
fn a_file_in_the_way_is_named() {
    let (place, data) = place();
    fs::write(&data, "mine").unwrap();
    let [serve, ..] = commands(&place.path().join("backup"));
    refused(
        &run(&serve, &data),
        &[data.to_str().unwrap(), "is not a folder", "move it away"],
    );
    assert_eq!(fs::read_to_string(&data).unwrap(), "mine");
}

/// Nothing can be made below `/proc`, whoever asks.
#[test]
fn a_folder_that_can_not_be_made_is_named() {
    let data = Path::new("/proc/pharos");
    let [serve, ..] = commands(Path::new("backup"));
    refused(&run(&serve, data), &["could not make the folder /proc/pharos"]);
}

/// A disk that is mounted read-only, in a mount namespace of its own: that holds root up, too.
#[test]
fn a_disk_that_is_read_only_is_told() {
    let (place, data) = place();
    fs::create_dir(&data).unwrap();
    let apart = |script: &str| {
        let mut command = Command::new("unshare");
        command
            .args(["--user", "--map-root-user", "--mount", "sh", "-c", script, "sh"])
            .arg(&data);
        command
    };
    let mount = "mount -t tmpfs -o ro none \"$1\"";
    // A system that gives nobody a namespace has nothing to try it on.
    let may = apart(mount).output();
    if !may.is_ok_and(|output| output.status.success()) {
        return;
    }
    let serve = format!("{mount} && exec \"$2\" serve --listen 127.0.0.1:0 --data-folder \"$1\"");
    let output = apart(&serve).arg(binary()).output().unwrap();
    refused(
        &output,
        &[
            data.to_str().unwrap(),
            "neither full nor read-only",
            "Read-only file system",
        ],
    );
    drop(place);
}
