//! Files that are no whole backup, and disks that are full.

use std::{fs, path::Path, process::Command};

use super::{Empty, Place, contents, done, put_artefacts, refused, tables};
use crate::harness::{TestApp, binary};

/// Nothing is touched on account of a file that is not what it was.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_whole_backup_of_this_version_is_refused() {
    let app = TestApp::start().await;
    let place = Place::at(app.database.url());
    fs::create_dir(place.data()).unwrap();
    put_artefacts(&place.data());
    let file = place.file("backup");
    tokio::task::block_in_place(|| done(&place.backup(&file)));
    let whole = fs::read(&file).unwrap();
    let find = |text: &str| {
        whole
            .windows(text.len())
            .position(|window| window == text.as_bytes())
            .unwrap()
    };
    let altered = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        bytes
    };
    let with = |text: &str, other: &str| {
        assert_eq!(text.len(), other.len());
        let mut bytes = whole.clone();
        let at = find(text);
        bytes[at..at + other.len()].copy_from_slice(other.as_bytes());
        bytes
    };
    let version = format!("\"pharos\": \"{}\"", env!("CARGO_PKG_VERSION"));
    let newer = format!("\"pharos\": \"9{}\"", &env!("CARGO_PKG_VERSION")[1..]);
    let half = whole.len() / 2;
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("empty", Vec::new(), "no backup of Pharos"),
        ("a text", b"Dear Sir or Madam,".repeat(100), "no backup of Pharos"),
        ("half", whole[..half].to_vec(), "half a backup"),
        (
            "without its end",
            whole[..find("SHA256SUMS")].to_vec(),
            "half a backup",
        ),
        (
            "an altered dump",
            altered(half),
            "database.dump is not what its checksum says",
        ),
        (
            "an altered artefact",
            // After its header; the dump has those words too.
            altered(find("artefacts/reporting/march.pdf") + 512),
            "march.pdf is not what its checksum says",
        ),
        ("a newer one", with(&version, &newer), "which is older"),
        (
            "a newer form",
            with("\"format\": 1", "\"format\": 2"),
            "which is older",
        ),
        (
            "another migration",
            with("\"20261123060100\"", "\"20271123060100\""),
            "which is older",
        ),
        (
            "an altered manifest",
            with("\"created_at\": \"20", "\"created_at\": \"19"),
            "manifest.json is not what",
        ),
        (
            "a path that climbs",
            with("artefacts/reporting/march.pdf", "artefacts/../../../../etc/pwd"),
            "altered",
        ),
    ];
    let empty = Empty::create().await;
    let target = Place::at(&empty.url);
    for (name, bytes, why) in cases {
        let bad = target.file("bad");
        fs::write(&bad, bytes).unwrap();
        let told = tokio::task::block_in_place(|| refused(&target.restore(&bad, &[])));
        assert!(told.contains(why), "{name}: {told}");
        assert!(!target.data().exists(), "{name}");
    }
    assert_eq!(empty.beside().await, [&*empty.name]);
    empty.drop().await;
}

/// Runs a command that may write files of so many blocks of 512 bytes.
fn with_little_room(place: &Place, arguments: &[&str], blocks: u32) -> std::process::Output {
    let mut command = Command::new("bash");
    // Ignored, the signal leaves an error in its place, as of a disk that is full.
    let script = format!("trap '' XFSZ; ulimit -f {}; exec \"$0\" \"$@\"", blocks / 2);
    command
        .args(["-c", &script])
        .arg(binary())
        .args(arguments)
        .arg("--data-folder")
        .arg(place.data())
        .envs(place.database_url.iter().map(|url| ("PHAROS_DATABASE_URL", url)));
    tokio::task::block_in_place(|| command.output().unwrap())
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = names
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// A disk that is full leaves neither half a file nor half an installation.
#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_leaves_no_file_and_the_old_data() {
    let app = TestApp::start().await;
    let place = Place::at(app.database.url());
    fs::create_dir(place.data()).unwrap();
    let long = place.data().join("artefacts/synthetic");
    fs::create_dir_all(&long).unwrap();
    fs::write(long.join("trace.json"), vec![b'x'; 3 << 20]).unwrap();
    let file = place.file("backup");
    // The dump fits, the artefact does not; then not even the dump.
    for blocks in [4_096, 64] {
        let why = refused(&with_little_room(
            &place,
            &["backup", file.to_str().unwrap()],
            blocks,
        ));
        assert!(
            why.contains("no backup was made") && why.contains("writing the backup"),
            "{why}"
        );
        assert_eq!(names(place.folder.path()), ["data"], "nothing is left");
    }
    tokio::task::block_in_place(|| done(&place.backup(&file)));

    let empty = Empty::create().await;
    let target = Place::at(&empty.url);
    tokio::task::block_in_place(|| done(&target.restore(&file, &[])));
    fs::write(target.data().join("artefacts/synthetic/later.json"), "later").unwrap();
    let (rows, files) = (tables(&empty.url).await, contents(&target.data()));
    let why = refused(&with_little_room(
        &target,
        &["restore", file.to_str().unwrap(), "--replace"],
        1_024,
    ));
    assert!(
        why.contains("the data are as they were") && why.contains("trace.json"),
        "{why}"
    );
    assert_eq!(tables(&empty.url).await, rows);
    assert_eq!(contents(&target.data()), files);
    assert_eq!(empty.beside().await, [&*empty.name]);
    empty.drop().await;
}
