//! The files beside the database: artefacts, and keys in the data folder. They are put beside the old ones under other
//! names, and exchanged by renaming, or in a bucket by copying, every step of which may be done again.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, ErrorKind, Read, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use anyhow::Context;
use pharos_artefacts::key::ArtefactKey;

use super::shelf::{FRESH, Shelf};
use crate::{artefacts::KEY_FILE, demo::NOTES};

/// The files of the data folder that a backup takes along: the key that seals secrets, and the demo's notes.
pub(crate) const KEY_FILES: [&str; 2] = [KEY_FILE, NOTES];

/// New artefacts in a folder, once the old ones have made room.
const NEXT: &str = ".restored";
/// The old artefacts that have made room. These and the new ones lie in the folder of artefacts itself, which may be a volume.
const OLD: &str = ".replaced";
/// The ending of a new key, until its database is in place.
const FRESH_KEY: &str = ".restoring";

/// The files of an installation.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    /// The data folder.
    pub(crate) data: PathBuf,
    /// The artefacts.
    pub(crate) artefacts: Shelf,
}

impl Files {
    /// Puts a new key beside the old one.
    pub(crate) fn put_key(&self, name: &str, content: &mut impl Read) -> anyhow::Result<()> {
        let path = self.data.join(format!("{name}{FRESH_KEY}"));
        let mut put = || -> io::Result<()> {
            let mut options = OpenOptions::new();
            let mut file = options
                .write(true)
                .create(true)
                .truncate(true)
                .mode(0o600)
                .open(&path)?;
            io::copy(content, &mut file)?;
            file.flush()
        };
        put().with_context(|| format!("writing {}", path.display()))
    }

    /// Makes the folders where they are missing.
    pub(crate) fn prepare(&self) -> anyhow::Result<()> {
        let mut folders = vec![&self.data];
        if let Shelf::Folder(folder) = &self.artefacts {
            folders.push(folder);
        }
        for folder in folders {
            let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
            made.with_context(|| format!("making {}", folder.display()))?;
        }
        Ok(())
    }

    /// Puts what is new in the place of what is old. `forgotten` are keys of the old database that go with it.
    pub(crate) async fn exchange(&self, forgotten: &[String]) -> anyhow::Result<()> {
        let what = "the files of the backup can't be put in place";
        let done = || -> io::Result<()> {
            for name in forgotten {
                absent(fs::remove_file(self.data.join(name)))?;
            }
            for name in KEY_FILES {
                let fresh = self.data.join(format!("{name}{FRESH_KEY}"));
                absent(fs::rename(fresh, self.data.join(name)))?;
            }
            sync(&self.data)
        };
        done().context(what)?;
        match &self.artefacts {
            Shelf::Folder(folder) => exchange_artefacts(folder).context(what),
            Shelf::Bucket { artefacts, .. } => artefacts.exchange_aside().await.context(what),
        }
    }

    /// Begins the new artefacts: there are none.
    pub(crate) async fn begin(&self) -> anyhow::Result<()> {
        self.discard().await?;
        self.prepare()?;
        if let Shelf::Folder(folder) = &self.artefacts {
            let fresh = folder.join(FRESH);
            fs::create_dir(&fresh).with_context(|| format!("making {}", fresh.display()))?;
        }
        Ok(())
    }

    /// Deletes what was put and not exchanged, and what was exchanged.
    pub(crate) async fn discard(&self) -> anyhow::Result<()> {
        match &self.artefacts {
            Shelf::Folder(folder) => {
                for name in [FRESH, OLD] {
                    let folder = folder.join(name);
                    absent(fs::remove_dir_all(&folder))
                        .with_context(|| format!("deleting {}", folder.display()))?;
                }
            }
            Shelf::Bucket { name, artefacts } => {
                let discarded = artefacts.discard_aside().await;
                discarded.with_context(|| format!("deleting what lies aside in the bucket {name}"))?;
            }
        }
        for name in KEY_FILES {
            let key = self.data.join(format!("{name}{FRESH_KEY}"));
            absent(fs::remove_file(&key)).with_context(|| format!("deleting {}", key.display()))?;
        }
        Ok(())
    }
}

fn exchange_artefacts(folder: &Path) -> io::Result<()> {
    let [fresh, next, old] = [FRESH, NEXT, OLD].map(|name| folder.join(name));
    if !fs::exists(folder)? {
        return Ok(());
    }
    // As long as the next ones lie aside under their first name, whatever other artefacts are there are old. Where
    // the backup has none, their folder is empty.
    if fs::exists(&fresh)? {
        fs::create_dir_all(&old)?;
        for entry in fs::read_dir(folder)? {
            let name = entry?.file_name();
            // Others are not Pharos's, and may not be movable: `lost+found` of a volume.
            let is_ours = name.to_str().is_some_and(ArtefactKey::is_part);
            if is_ours && name != FRESH && name != OLD {
                fs::rename(folder.join(&name), old.join(&name))?;
            }
        }
        sync(folder)?;
        fs::rename(&fresh, &next)?;
        sync(folder)?;
    }
    if fs::exists(&next)? {
        for entry in fs::read_dir(&next)? {
            let name = entry?.file_name();
            fs::rename(next.join(&name), folder.join(&name))?;
        }
        sync(folder)?;
        fs::remove_dir(&next)?;
    }
    Ok(())
}

/// Nothing there is no error.
fn absent(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// A rename is only kept across a power cut once its folder is written.
pub(crate) fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use std::{os::unix::fs::PermissionsExt, time::SystemTime};

    use super::*;

    fn shelf(top: &Path) -> PathBuf {
        top.join("artefacts")
    }

    fn text(path: &Path) -> String {
        fs::read_to_string(path).unwrap_or_default()
    }

    /// An installation with an artefact and a key, and others beside them.
    async fn prepared(top: &Path) -> Files {
        let files = Files {
            data: top.to_owned(),
            artefacts: Shelf::Folder(shelf(top)),
        };
        files.prepare().unwrap();
        fs::create_dir_all(shelf(top).join("lab")).unwrap();
        fs::write(shelf(top).join("lab/old.jpg"), "old").unwrap();
        fs::write(top.join(KEY_FILE), "old key").unwrap();
        files.begin().await.unwrap();
        let key = "lab/new.jpg".parse().unwrap();
        let mut beside = files.artefacts.beside();
        let put = beside
            .put(&key, SystemTime::UNIX_EPOCH, &mut "new".as_bytes())
            .await;
        assert_eq!(put.unwrap(), 3);
        beside.finish().await.unwrap();
        files.put_key(KEY_FILE, &mut "new key".as_bytes()).unwrap();
        files
    }

    fn holds_the_new(top: &Path) {
        let names = |folder: &Path| -> Vec<_> {
            fs::read_dir(folder)
                .unwrap()
                .map(|entry| entry.unwrap().file_name())
                .collect()
        };
        assert_eq!(names(&shelf(top)), ["lab"]);
        assert_eq!(names(&shelf(top).join("lab")), ["new.jpg"]);
        assert_eq!(text(&top.join(KEY_FILE)), "new key");
        let age = fs::metadata(shelf(top).join("lab/new.jpg"))
            .unwrap()
            .modified()
            .unwrap();
        assert_eq!(age, SystemTime::UNIX_EPOCH);
    }

    #[tokio::test]
    async fn what_is_new_takes_the_place_of_what_is_old_and_twice_is_as_once() {
        let top = tempfile::tempdir().unwrap();
        let files = prepared(top.path()).await;
        assert_eq!(text(&shelf(top.path()).join("lab/old.jpg")), "old");
        for _ in 0..2 {
            files.exchange(&[]).await.unwrap();
            files.discard().await.unwrap();
            holds_the_new(top.path());
        }
    }

    #[tokio::test]
    async fn an_exchange_that_was_cut_off_anywhere_goes_on() {
        // Cut off after the old ones have made room, after the new ones have their second name, and between two of them.
        for steps in 1..=3 {
            let top = tempfile::tempdir().unwrap();
            let files = prepared(top.path()).await;
            let at = |name: &str| shelf(top.path()).join(name);
            fs::create_dir(at(OLD)).unwrap();
            fs::rename(at("lab"), at(OLD).join("lab")).unwrap();
            if steps > 1 {
                fs::rename(at(FRESH), at(NEXT)).unwrap();
            }
            if steps > 2 {
                fs::rename(at(NEXT).join("lab"), at("lab")).unwrap();
            }
            files.exchange(&[]).await.unwrap();
            files.discard().await.unwrap();
            holds_the_new(top.path());
        }
    }

    #[tokio::test]
    async fn what_is_no_artefact_stays_where_it_is() {
        let top = tempfile::tempdir().unwrap();
        let files = prepared(top.path()).await;
        let foreign = shelf(top.path()).join("lost+found");
        fs::create_dir(&foreign).unwrap();
        fs::write(foreign.join("page"), "not ours").unwrap();
        let open_to = |mode| fs::set_permissions(&foreign, fs::Permissions::from_mode(mode)).unwrap();
        // Whoever is not root can't move it to another folder.
        open_to(0o000);
        let exchanged = files.exchange(&[]).await;
        open_to(0o700);
        exchanged.unwrap();
        files.discard().await.unwrap();
        assert_eq!(text(&foreign.join("page")), "not ours");
        fs::remove_dir_all(&foreign).unwrap();
        holds_the_new(top.path());
    }

    #[tokio::test]
    async fn what_was_put_goes_without_a_trace() {
        let top = tempfile::tempdir().unwrap();
        let files = prepared(top.path()).await;
        files.discard().await.unwrap();
        assert_eq!(text(&shelf(top.path()).join("lab/old.jpg")), "old");
        assert_eq!(text(&top.path().join(KEY_FILE)), "old key");
        assert_eq!(fs::read_dir(top.path()).unwrap().count(), 2);
    }
}
