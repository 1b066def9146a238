//! The files beside the database: artefacts, and keys in the data folder. They are put beside the old ones under other
//! names, and exchanged by renaming, every step of which may be done again.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, ErrorKind, Read, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
    time::SystemTime,
};

use anyhow::Context;
use pharos_artefacts::key::ArtefactKey;

use crate::{artefacts::KEY_FILE, demo::NOTES};

/// The files of the data folder that a backup takes along: the key that seals secrets, and the demo's notes.
pub(crate) const KEY_FILES: [&str; 2] = [KEY_FILE, NOTES];

/// New artefacts, until their database is in place.
const FRESH: &str = ".restoring";
/// New artefacts, once the old ones have made room.
const NEXT: &str = ".restored";
/// The old artefacts that have made room. All three lie in the folder of artefacts itself, which may be a volume.
const OLD: &str = ".replaced";
/// The ending of a new key, until its database is in place.
const FRESH_KEY: &str = ".restoring";

/// The files of an installation.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    /// The data folder.
    pub(crate) data: PathBuf,
    /// The folder of artefacts.
    pub(crate) artefacts: PathBuf,
}

impl Files {
    /// Puts a new artefact beside the old ones. It keeps its age, by which it is deleted one day.
    pub(crate) fn put_artefact(
        &self,
        key: &ArtefactKey,
        modified: SystemTime,
        content: &mut impl Read,
    ) -> anyhow::Result<u64> {
        let path = self.artefacts.join(FRESH).join(key.as_str());
        let mut put = || -> io::Result<u64> {
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            let mut file = File::create(&path)?;
            let written = io::copy(content, &mut file)?;
            file.set_modified(modified)?;
            Ok(written)
        };
        put().with_context(|| format!("writing {}", path.display()))
    }

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
        for folder in [&self.data, &self.artefacts] {
            let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
            made.with_context(|| format!("making {}", folder.display()))?;
        }
        Ok(())
    }

    /// Puts what is new in the place of what is old. `forgotten` are keys of the old database that go with it.
    pub(crate) fn exchange(&self, forgotten: &[String]) -> anyhow::Result<()> {
        let done = || -> io::Result<()> {
            for name in forgotten {
                absent(fs::remove_file(self.data.join(name)))?;
            }
            for name in KEY_FILES {
                let fresh = self.data.join(format!("{name}{FRESH_KEY}"));
                absent(fs::rename(fresh, self.data.join(name)))?;
            }
            sync(&self.data)?;
            self.exchange_artefacts()
        };
        done().context("the files of the backup can't be put in place")
    }

    fn exchange_artefacts(&self) -> io::Result<()> {
        let [fresh, next, old] = [FRESH, NEXT, OLD].map(|name| self.artefacts.join(name));
        if !fs::exists(&self.artefacts)? {
            return Ok(());
        }
        // As long as the next ones lie aside under their first name, whatever other artefacts are there are old. Where
        // the backup has none, their folder is empty.
        if fs::exists(&fresh)? {
            fs::create_dir_all(&old)?;
            for entry in fs::read_dir(&self.artefacts)? {
                let name = entry?.file_name();
                // Others are not Pharos's, and may not be movable: `lost+found` of a volume.
                let is_ours = name.to_str().is_some_and(ArtefactKey::is_part);
                if is_ours && name != FRESH && name != OLD {
                    fs::rename(self.artefacts.join(&name), old.join(&name))?;
                }
            }
            sync(&self.artefacts)?;
            fs::rename(&fresh, &next)?;
            sync(&self.artefacts)?;
        }
        if fs::exists(&next)? {
            for entry in fs::read_dir(&next)? {
                let name = entry?.file_name();
                fs::rename(next.join(&name), self.artefacts.join(&name))?;
            }
            sync(&self.artefacts)?;
            fs::remove_dir(&next)?;
        }
        Ok(())
    }

    /// Begins the folder of new artefacts, empty.
    pub(crate) fn begin(&self) -> anyhow::Result<()> {
        self.discard()?;
        self.prepare()?;
        let fresh = self.artefacts.join(FRESH);
        fs::create_dir(&fresh).with_context(|| format!("making {}", fresh.display()))
    }

    /// Deletes what was put and not exchanged, and what was exchanged.
    pub(crate) fn discard(&self) -> anyhow::Result<()> {
        for name in [FRESH, OLD] {
            let folder = self.artefacts.join(name);
            absent(fs::remove_dir_all(&folder)).with_context(|| format!("deleting {}", folder.display()))?;
        }
        for name in KEY_FILES {
            let key = self.data.join(format!("{name}{FRESH_KEY}"));
            absent(fs::remove_file(&key)).with_context(|| format!("deleting {}", key.display()))?;
        }
        Ok(())
    }
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
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn text(path: &Path) -> String {
        fs::read_to_string(path).unwrap_or_default()
    }

    /// An installation with an artefact and a key, and others beside them.
    fn prepared(top: &Path) -> Files {
        let files = Files {
            data: top.to_owned(),
            artefacts: top.join("artefacts"),
        };
        files.prepare().unwrap();
        fs::create_dir_all(files.artefacts.join("lab")).unwrap();
        fs::write(files.artefacts.join("lab/old.jpg"), "old").unwrap();
        fs::write(top.join(KEY_FILE), "old key").unwrap();
        files.begin().unwrap();
        let key = "lab/new.jpg".parse().unwrap();
        files
            .put_artefact(&key, SystemTime::UNIX_EPOCH, &mut "new".as_bytes())
            .unwrap();
        files.put_key(KEY_FILE, &mut "new key".as_bytes()).unwrap();
        files
    }

    fn holds_the_new(files: &Files) {
        let names = |folder: &Path| -> Vec<_> {
            fs::read_dir(folder)
                .unwrap()
                .map(|entry| entry.unwrap().file_name())
                .collect()
        };
        assert_eq!(names(&files.artefacts), ["lab"]);
        assert_eq!(names(&files.artefacts.join("lab")), ["new.jpg"]);
        assert_eq!(text(&files.data.join(KEY_FILE)), "new key");
        let age = fs::metadata(files.artefacts.join("lab/new.jpg"))
            .unwrap()
            .modified()
            .unwrap();
        assert_eq!(age, SystemTime::UNIX_EPOCH);
    }

    #[test]
    fn what_is_new_takes_the_place_of_what_is_old_and_twice_is_as_once() {
        let top = tempfile::tempdir().unwrap();
        let files = prepared(top.path());
        assert_eq!(text(&files.artefacts.join("lab/old.jpg")), "old");
        for _ in 0..2 {
            files.exchange(&[]).unwrap();
            files.discard().unwrap();
            holds_the_new(&files);
        }
    }

    #[test]
    fn an_exchange_that_was_cut_off_anywhere_goes_on() {
        // Cut off after the old ones have made room, after the new ones have their second name, and between two of them.
        for steps in 1..=3 {
            let top = tempfile::tempdir().unwrap();
            let files = prepared(top.path());
            let at = |name: &str| files.artefacts.join(name);
            fs::create_dir(at(OLD)).unwrap();
            fs::rename(at("lab"), at(OLD).join("lab")).unwrap();
            if steps > 1 {
                fs::rename(at(FRESH), at(NEXT)).unwrap();
            }
            if steps > 2 {
                fs::rename(at(NEXT).join("lab"), at("lab")).unwrap();
            }
            files.exchange(&[]).unwrap();
            files.discard().unwrap();
            holds_the_new(&files);
        }
    }

    #[test]
    fn what_is_no_artefact_stays_where_it_is() {
        let top = tempfile::tempdir().unwrap();
        let files = prepared(top.path());
        let foreign = files.artefacts.join("lost+found");
        fs::create_dir(&foreign).unwrap();
        fs::write(foreign.join("page"), "not ours").unwrap();
        let open_to = |mode| fs::set_permissions(&foreign, fs::Permissions::from_mode(mode)).unwrap();
        // Whoever is not root can't move it to another folder.
        open_to(0o000);
        let exchanged = files.exchange(&[]);
        open_to(0o700);
        exchanged.unwrap();
        files.discard().unwrap();
        assert_eq!(text(&foreign.join("page")), "not ours");
        fs::remove_dir_all(&foreign).unwrap();
        holds_the_new(&files);
    }

    #[test]
    fn what_was_put_goes_without_a_trace() {
        let top = tempfile::tempdir().unwrap();
        let files = prepared(top.path());
        files.discard().unwrap();
        assert_eq!(text(&files.artefacts.join("lab/old.jpg")), "old");
        assert_eq!(text(&top.path().join(KEY_FILE)), "old key");
        assert_eq!(fs::read_dir(top.path()).unwrap().count(), 2);
    }
}
