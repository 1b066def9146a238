//! Reads the archive, member by member.

use std::{
    fs::File,
    io::{self, Read, Seek},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use anyhow::Context;
use tar::{Archive, Entries, Entry};

/// The members of an archive, in their order.
pub(in crate::backup) struct Members<'a>(Entries<'a, File>);

/// A member.
pub(in crate::backup) struct Member<'a> {
    /// Its name.
    pub(in crate::backup) name: String,
    /// When it was last changed.
    pub(in crate::backup) modified: SystemTime,
    /// How long it is.
    pub(in crate::backup) length: u64,
    passed: u64,
    entry: Entry<'a, File>,
}

impl<'a> Members<'a> {
    /// Begins at the archive's beginning.
    pub(in crate::backup) fn of(archive: &'a mut Archive<File>) -> anyhow::Result<Self> {
        Ok(Self(archive.entries().map_err(broken)?))
    }

    /// An archive of the file.
    pub(in crate::backup) fn archive(file: &File) -> anyhow::Result<Archive<File>> {
        let mut file = file.try_clone()?;
        file.rewind()?;
        Ok(Archive::new(file))
    }

    /// The next member.
    pub(in crate::backup) fn next(&mut self) -> anyhow::Result<Option<Member<'a>>> {
        let Some(entry) = self.0.next() else {
            return Ok(None);
        };
        let entry = entry.map_err(broken)?;
        let header = entry.header();
        anyhow::ensure!(header.entry_type().is_file(), BROKEN);
        let since = Duration::from_secs(header.mtime().context(BROKEN)?);
        let name = entry
            .path()
            .ok()
            .and_then(|path| path.to_str().map(str::to_owned));
        Ok(Some(Member {
            name: name.context(BROKEN)?,
            modified: UNIX_EPOCH.checked_add(since).context(BROKEN)?,
            length: entry.size(),
            passed: 0,
            entry,
        }))
    }
}

const BROKEN: &str = "the file is no backup of Pharos, or was altered or cut off";

/// The reader's own words show bytes of the file, whatever they are; the system's say why it can't be read.
fn broken(error: io::Error) -> anyhow::Error {
    match error.raw_os_error() {
        Some(_) => error.into(),
        None => anyhow::anyhow!(BROKEN),
    }
}

impl Read for Member<'_> {
    /// An end before the member's end is an error.
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.entry.read(into)?;
        self.passed += read as u64;
        if read == 0 && !into.is_empty() && self.passed < self.length {
            return Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "the file ends in the middle",
            ));
        }
        Ok(read)
    }
}
