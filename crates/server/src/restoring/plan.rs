//! The note of a restore that is under way. It lies in the data folder, locked by the process that restores, so that the
//! next start after a restore that was killed knows what to do: finish it, if its database is in place already, or else
//! forget it.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, ErrorKind, Seek, Write},
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
    thread::sleep,
    time::Duration,
};

use anyhow::Context;
use pharos_persistence::backup::{Part, Swap};
use serde::{Deserialize, Serialize};

use super::{
    files::{Files, sync},
    shelf::Shelf,
};
use crate::config::Config;

const NOTE: &str = "restore.json";
/// How long the server may take to see that a process which was killed has let go of its lock.
const LET_GO: u32 = 50;
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The content of the note.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Note {
    pid: u32,
    /// The folder of artefacts, where they lie in one.
    artefacts: PathBuf,
    /// The bucket of artefacts, where they lie in one.
    bucket: Option<String>,
    forgotten: Vec<String>,
}

/// A restore that is under way: the note, and the lock on it.
#[derive(Debug)]
pub(crate) struct Plan {
    note: PathBuf,
    files: Files,
    forgotten: Vec<String>,
    _lock: File,
}

impl Plan {
    /// Records that a restore begins. `forgotten` are the keys that go with the old database.
    pub(crate) async fn begin(files: &Files, forgotten: Vec<String>) -> anyhow::Result<Self> {
        files.prepare()?;
        let path = files.data.join(NOTE);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&path)
            .with_context(|| path.display().to_string())?;
        take(&file, &path)?;
        let note = Note {
            pid: std::process::id(),
            artefacts: match &files.artefacts {
                Shelf::Folder(folder) => std::path::absolute(folder)?,
                Shelf::Bucket { .. } => PathBuf::new(),
            },
            bucket: files.artefacts.bucket().map(str::to_owned),
            forgotten,
        };
        let mut written = || -> io::Result<()> {
            file.set_len(0)?;
            file.rewind()?;
            file.write_all(&serde_json::to_vec(&note)?)?;
            file.sync_all()?;
            sync(&files.data)
        };
        if let Err(error) = written() {
            let _ = fs::remove_file(&path);
            return Err(error).with_context(|| format!("writing {}", path.display()));
        }
        files.begin().await?;
        Ok(Self {
            note: path,
            files: files.clone(),
            forgotten: note.forgotten,
            _lock: file,
        })
    }

    /// Ends it: the new files come to the new database if that is in place, else they go, and all that is left over.
    /// Whether the restore was done.
    pub(crate) async fn settle(self, swap: &Swap) -> anyhow::Result<bool> {
        let is_done = swap.has(Part::Replaced).await?;
        if is_done {
            self.files.exchange(&self.forgotten).await?;
            swap.discard(Part::Replaced).await?;
        }
        swap.discard(Part::Fresh).await?;
        self.files.discard().await?;
        fs::remove_file(&self.note).with_context(|| format!("deleting {}", self.note.display()))?;
        Ok(is_done)
    }

    /// The plan of a restore that was killed; `None`: there is none.
    fn left(config: &Config) -> anyhow::Result<Option<Self>> {
        let data = &config.data_folder;
        let path = data.join(NOTE);
        let file = match File::open(&path) {
            // Whoever may not look into the folder has restored nothing there.
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied) => {
                return Ok(None);
            }
            file => file.with_context(|| path.display().to_string())?,
        };
        take(&file, &path)?;
        let Note {
            artefacts,
            bucket,
            forgotten,
            ..
        } = read(&path);
        let artefacts = if let Some(bucket) = bucket {
            let configured = Shelf::of(config)?;
            anyhow::ensure!(
                configured.bucket() == Some(&*bucket),
                "a restore into the bucket {bucket} was killed here, and its end needs that bucket: start once with it as \
                 artefacts_bucket"
            );
            configured
        } else if artefacts.as_os_str().is_empty() {
            // It was killed before the note was written, so nothing else was.
            Shelf::Folder(data.join("artefacts"))
        } else {
            Shelf::Folder(artefacts)
        };
        Ok(Some(Self {
            note: path,
            files: Files {
                data: data.to_owned(),
                artefacts,
            },
            forgotten,
            _lock: file,
        }))
    }
}

/// Ends a restore on the data folder that was killed.
///
/// # Errors
/// One is under way, it went into a bucket that is not the configured one, or what is left of it can't be cleared.
pub(crate) fn end_of_last_restore(config: &Config, url: &str) -> anyhow::Result<()> {
    let Some(plan) = Plan::left(config)? else {
        return Ok(());
    };
    tracing::warn!("a restore was killed here; what is left of it is cleared");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let settled = runtime.block_on(async {
        let mut tried = 0;
        let swap = loop {
            match Swap::begin(url).await? {
                Some(swap) => break swap,
                None if tried < LET_GO => tried += 1,
                None => anyhow::bail!("another restore is under way on this database; wait for its end"),
            }
            tokio::time::sleep(LOOK_EVERY).await;
        };
        plan.settle(&swap).await
    });
    let what = "a restore was killed here, and what is left of it can't be cleared";
    if settled.context(what)? {
        tracing::warn!("its database was in place already: it is finished");
    } else {
        tracing::warn!("the data are as they were before it");
    }
    Ok(())
}

/// Takes the lock on the note.
fn take(file: &File, path: &Path) -> anyhow::Result<()> {
    let mut tried = 0;
    loop {
        match file.try_lock() {
            Ok(()) => break,
            // A process between fork and exec holds what its parent has let go of already.
            Err(TryLockError::WouldBlock) if tried < 3 => tried += 1,
            Err(TryLockError::WouldBlock) => {
                let Note { pid, .. } = read(path);
                anyhow::bail!("a restore is under way here (process {pid}): wait for its end");
            }
            Err(TryLockError::Error(error)) => return Err(error).with_context(|| path.display().to_string()),
        }
        sleep(LOOK_EVERY);
    }
    // Whoever held it may have ended, and deleted the note, just before.
    let (held, named) = (file.metadata()?, fs::metadata(path));
    let is_same = named.is_ok_and(|named| (named.dev(), named.ino()) == (held.dev(), held.ino()));
    anyhow::ensure!(is_same, "a restore ended here a moment ago: try again");
    Ok(())
}

/// The content of the note; empty where the note was cut off.
fn read(path: &Path) -> Note {
    let text = fs::read(path).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(top: &Path) -> Config {
        Config {
            data_folder: top.to_owned(),
            ..Config::default()
        }
    }

    #[tokio::test]
    async fn two_restores_on_one_folder_are_refused_and_a_killed_one_leaves_its_plan() {
        let top = tempfile::tempdir().unwrap();
        let config = config(top.path());
        let elsewhere = top.path().join("elsewhere");
        let files = Files {
            data: top.path().to_owned(),
            artefacts: Shelf::Folder(elsewhere.clone()),
        };
        assert!(Plan::left(&config).unwrap().is_none());
        let plan = Plan::begin(&files, vec!["demo.json".to_owned()]).await.unwrap();
        let refused = Plan::begin(&files, Vec::new()).await.unwrap_err().to_string();
        assert!(
            refused.contains(&format!("process {}", std::process::id())),
            "{refused}"
        );
        Plan::left(&config).unwrap_err();
        // As by SIGKILL: the lock goes, the note stays.
        drop(plan);
        let left = Plan::left(&config).unwrap().unwrap();
        assert!(
            matches!(&left.files.artefacts, Shelf::Folder(folder) if *folder == elsewhere),
            "{left:?}"
        );
        assert_eq!(left.forgotten, ["demo.json"]);
    }

    /// Whoever can reach the bucket deletes the artefacts that lie aside in it, or puts them in place.
    #[test]
    fn a_restore_into_a_bucket_is_ended_where_that_bucket_is_configured() {
        let top = tempfile::tempdir().unwrap();
        let note = r#"{"pid": 1, "artefacts": "", "bucket": "theirs", "forgotten": []}"#;
        fs::write(top.path().join(NOTE), note).unwrap();
        let left = |bucket: Option<&str>| {
            let config = Config {
                artefacts_bucket: bucket.map(str::to_owned),
                ..config(top.path())
            };
            Plan::left(&config).map(|plan| plan.unwrap().files.artefacts)
        };
        for other in [None, Some("ours")] {
            let why = left(other).unwrap_err().to_string();
            assert!(why.contains("the bucket theirs was killed here"), "{why}");
        }
        assert_eq!(left(Some("theirs")).unwrap().bucket(), Some("theirs"));
    }
}
